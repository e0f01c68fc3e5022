"""Settling in: a working host is made in a folder."""

from __future__ import annotations

from pathlib import Path

from pbem.config import FILE, TEMPLATE, Config, load
from pbem.errors import Trouble
from pbem.wallclock import known_zone


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
            made.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError as error:
        raise Trouble(f"{error.filename} is a file where a folder should be; name another one.") from None
    if config.ledger.exists() and config.ledger.stat().st_size:
        raise Trouble(f"There is a host in {config.folder} already; it is left as it is.")
    _new_ledger(config.ledger, secret)
    return config


def _write(path: Path, text: str) -> None:
    """The whole file or none, so that whoever is stopped in between can begin again."""
    beside = path.with_name(f".{path.name}.part")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def _new_ledger(path: Path, secret: bytes | None) -> None:
    """The ledger gets its name when all of it is there."""
    from pbem.ledger import Ledger
    from pbem.syncing import sync_folder

    beside = path.with_name(f".{path.name}.part")
    for suffix in ("", "-wal", "-shm"):
        beside.with_name(beside.name + suffix).unlink(missing_ok=True)
    Ledger.create(beside, secret=secret).close()
    beside.replace(path)
    sync_folder(path.parent)
