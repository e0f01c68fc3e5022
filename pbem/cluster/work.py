"""What the hands of a cluster do: resolve one game; lead a night."""

from __future__ import annotations

from contextlib import closing
from time import monotonic

from pbem import clock
from pbem.cluster.hand import Work
from pbem.cluster.leading import resolve_by_workers
from pbem.config import Config
from pbem.errors import Busy
from pbem.ledger import Ledger
from pbem.nightly import Summary, night, resolve_due
from pbem.watching.noting import note

SKIPPED = "another run is at work"


def resolve(config: Config, game: str, now: str, told: str) -> int:
    """One game, if it is still due: whoever came before us may have done it. Gives the turns that were resolved."""
    summary = Summary(clock.read_instant(now), told=clock.read_instant(told))
    with closing(Ledger.open(config.place)) as ledger:
        resolve_due(config, ledger, summary, only=game, jobs=1)
    return summary.turns


def lead(config: Config) -> str:
    """One whole night, its games resolved by all workers; nothing, when another machine is leading one."""
    begun = monotonic()
    with closing(Ledger.open(config.place)) as ledger:
        try:
            summary = night(config, ledger, clock.system(), by_clock=True, resolve=resolve_by_workers)
        except Busy:
            return SKIPPED
        for trouble in note(config, ledger, summary, monotonic() - begun):
            return trouble
    return ""


WORKS: dict[str, Work] = {"resolve": resolve, "lead": lead}
