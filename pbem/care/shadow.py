"""The shadow run: every open game played again, whole, under the rules that are installed now, before they play it on.

What comes out otherwise than it stands in the ledger is shown to the referee, and its game is held: a program that
would have resolved yesterday's orders differently must not resolve tomorrow's unseen.
"""

from __future__ import annotations

from contextlib import closing
from datetime import datetime
from typing import NamedTuple

from engine.canon import canonical
from pbem import faultlog
from pbem.audit.book import LedgerBook
from pbem.audit.recompute import replay
from pbem.config import Config
from pbem.errors import Trouble
from pbem.ledger import Ledger, games
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Read
from pbem.locks import NIGHT, alone
from pbem.rulings.ruling import paused

REASON = (
    "The rules on this host have changed and come to other results than those written down; the host looks into it."
)


class Shadowed(NamedTuple):
    """One game as the shadow run found it: how many steps were played again, and what is different."""

    game: str
    steps: int
    difference: str = ""

    @property
    def same(self) -> bool:
        return not self.difference


def shadow(config: Config, now: datetime) -> list[Shadowed]:
    """Every open game played again; each that comes out otherwise is held, by a ruling that its players are told of."""
    with alone(config.place, NIGHT), closing(Ledger.open(config.place)) as ledger:
        with ledger.read() as tx:
            found = [played_again(tx, config, row) for row in list(games.every(tx, games.OPEN))]
        for one in found:
            if not one.same:
                with ledger.write() as tx:
                    paused(tx, config, one.game, now, REASON)
        return found


def played_again(tx: Read, config: Config, row: GameRow) -> Shadowed:
    """One game's whole history under the installed rules; nothing is written."""
    steps, last = 0, None
    try:
        for step in replay(LedgerBook(tx, row.name)):
            steps, last = steps + 1, step.state
    except Trouble as trouble:
        return Shadowed(row.name, steps, str(trouble))
    except Exception as broken:  # a package that cannot even be imported; its words may hold secrets
        faultlog.write_down(broken, config.folder)
        return Shadowed(row.name, steps, f"Its rules cannot be loaded ({type(broken).__name__}).")
    if canonical(last) != canonical(row.state):
        return Shadowed(
            row.name, steps, "What stands now is not where its turns lead; `pbem doctor --rebuild` mends it."
        )
    return Shadowed(row.name, steps)
