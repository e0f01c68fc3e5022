"""Settling in: a working host is made in a folder."""

from __future__ import annotations

from pathlib import Path

from pbem.config import FILE, TEMPLATE, Config, load
from pbem.errors import Trouble
from pbem.schedule import known_zone


def settle(folder: Path, zone: str = "UTC", *, secret: bytes | None = None) -> Config:
    """pbem.toml, ledger, inbox and outbox. What is there already is kept; a ledger is never made anew."""
    from pbem.ledger import Ledger

    zone = known_zone(zone)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / FILE
        if not path.exists():
            path.write_text(TEMPLATE.format(zone=zone), encoding="utf-8")
        config = load(path)
        for made in (config.inbox, config.outbox):
            made.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Trouble(f"{error.filename or folder} cannot be made: {error.strerror}.") from None
    if config.ledger.exists():
        raise Trouble(f"There is a host in {config.folder} already; it is left as it is.")
    Ledger.create(config.ledger, secret=secret).close()
    return config
