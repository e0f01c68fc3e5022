"""What a hand does at its desk: resolve a game, carry mails, lead a night. What it needs for that stays open there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from time import monotonic

from pbem import clock, delivering
from pbem.bounded import Pool
from pbem.cluster.leading import Left, crew
from pbem.config import Config
from pbem.errors import Busy
from pbem.ledger import Ledger
from pbem.means import ALONE
from pbem.nightly import night
from pbem.reports.environment import keep_bytecode
from pbem.resolving import players_of, resolve_due
from pbem.summary import Summary
from pbem.watching.noting import note


class Desk:
    """The open ledger, and the process that plays; made when they are first needed."""

    def __init__(self, config: Config, over: Callable[[], bool] = lambda: False) -> None:
        self.config = config
        self.over = over  # whether the worker is to end

    @cached_property
    def ledger(self) -> Ledger:
        return Ledger.open(self.config.place)

    @cached_property
    def pool(self) -> Pool:
        keep_bytecode(self.config.folder / ".templates")
        return players_of(self.config, 1)

    def clear(self) -> None:
        """Let go of all: after trouble everything is made anew."""
        for name in ("pool", "ledger"):
            if (kept := self.__dict__.pop(name, None)) is not None:
                kept.close()

    def resolve(self, games: list[str], now: str, told: str) -> int:
        """Those games that are still due: whoever came before us may have done some. Gives the turns resolved."""
        summary = Summary(clock.read_instant(now), told=clock.read_instant(told))
        resolve_due(self.config, self.ledger, summary, ALONE._replace(pool=self.pool), games)
        return summary.turns

    def carry(self, now: str) -> None:
        """The mails that are due then, in the lanes that nobody else has."""
        delivering.help_out(self.config, self.ledger, clock.read_instant(now))

    def lead(self) -> list[str]:
        """One whole night, its games resolved by all workers; nothing, when another machine is leading one. Gives what
        a host must be told. One that is left half done is gone on with by whoever leads next."""
        begun = monotonic()
        try:
            summary = night(self.config, self.ledger, clock.system(), by_clock=True, crew=crew(self.over))
        except (Busy, Left):
            return []
        return list(note(self.config, self.ledger, summary, monotonic() - begun))
