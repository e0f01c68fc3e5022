"""The locks of a host: which work is done by one run at a time, wherever the ledger is."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import NamedTuple

from pbem.ledger.home import home_of
from pbem.ledger.place import Place


class Lock(NamedTuple):
    """What it is called beside the ledger, and what holds it."""

    suffix: str
    what: str


NIGHT = Lock(".lock", "night")
JUDGING = Lock(".judging.lock", "run")


def alone(place: Place, lock: Lock, patience: float = 0) -> AbstractContextManager[None]:
    """Hold that lock, or raise Busy when it does not become free within so many seconds."""
    return home_of(place).alone(lock.suffix, lock.what, patience)
