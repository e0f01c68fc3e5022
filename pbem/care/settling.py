"""Settling in: a working host is made in a folder."""

from __future__ import annotations

from pathlib import Path

from pbem.config import FILE, TEMPLATE, Config, load
from pbem.deadlines.wallclock import known_zone
from pbem.errors import Trouble
from pbem.ledger.home import home_of
from pbem.ledger.place import Place
from pbem.ledger.seals import SUFFIX, key_file
from pbem.sharing import make_folder


def settle(folder: Path, zone: str = "UTC", *, secret: bytes | None = None) -> Config:
    """pbem.toml, ledger, inbox and outbox. What is there already is kept; a ledger is never made anew."""
    zone = known_zone(zone)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / FILE
        if not path.exists():
            _write(path, TEMPLATE.format(zone=zone))
        config = load(path)
        for made in (config.inbox, config.outbox):
            make_folder(made)
    except FileExistsError as error:
        raise Trouble(f"{error.filename} is a file where a folder should be; name another one.") from None
    if home_of(config.place).is_there():
        raise Trouble(f"There is a host in {config.folder} already; it is left as it is.")
    if not (path := config.place.beside(SUFFIX)).exists():
        key_file(path, secret)  # first, so that no letter comes before it
    _new_ledger(config.place, secret)
    return config


def _write(path: Path, text: str) -> None:
    """The whole file or none, so that whoever is stopped in between can begin again."""
    beside = path.with_name(f".{path.name}.part")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def _new_ledger(place: Place, secret: bytes | None) -> None:
    """The ledger gets its name when all of it is there; a server makes all of it at once."""
    from pbem.ledger import Ledger
    from pbem.ledger.seals import Keys
    from pbem.syncing import sync_folder

    if place.url:
        Ledger.create(place, secret=secret).close()
        return
    path = place.file
    beside = path.with_name(f".{path.name}.part")
    for suffix in ("", "-wal", "-shm"):
        beside.with_name(beside.name + suffix).unlink(missing_ok=True)
    Ledger.create(beside, secret=secret, keys=Keys(place.beside(SUFFIX))).close()
    beside.replace(path)
    sync_folder(path.parent)
