"""What the hands of a cluster do: resolve one game; carry mails; lead a night."""

from __future__ import annotations

from contextlib import closing
from time import monotonic

from pbem import clock, delivering
from pbem.cluster.hand import Work
from pbem.cluster.leading import CREW
from pbem.config import Config
from pbem.errors import Busy
from pbem.ledger import Ledger
from pbem.means import ALONE
from pbem.nightly import night
from pbem.resolving import resolve_due
from pbem.summary import Summary
from pbem.watching.noting import note


def resolve(config: Config, game: str, now: str, told: str) -> int:
    """One game, if it is still due: whoever came before us may have done it. Gives the turns that were resolved."""
    summary = Summary(clock.read_instant(now), told=clock.read_instant(told))
    with closing(Ledger.open(config.place)) as ledger:
        resolve_due(config, ledger, summary, ALONE, game)
    return summary.turns


def carry(config: Config, now: str) -> None:
    """The mails that are due then, in the lanes that nobody else has."""
    with closing(Ledger.open(config.place)) as ledger:
        delivering.help_out(config, ledger, clock.read_instant(now))


def lead(config: Config) -> list[str]:
    """One whole night, its games resolved by all workers; nothing, when another machine is leading one. Gives what a
    host must be told."""
    begun = monotonic()
    with closing(Ledger.open(config.place)) as ledger:
        try:
            summary = night(config, ledger, clock.system(), by_clock=True, crew=CREW)
        except Busy:
            return []
        return list(note(config, ledger, summary, monotonic() - begun))


WORKS: dict[str, Work] = {"resolve": resolve, "carry": carry, "lead": lead}
