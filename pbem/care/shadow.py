"""The shadow run: every game that is not over played again, whole, under the rules installed now, before they play on.

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
from pbem.audit.recompute import Mismatch, replay
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


CHANGED = (
    "Its rules are not those it was begun under: put them back, or install the new ones as another version beside them"
)


class Shadowed(NamedTuple):
    """One game as the shadow run found it: how many steps were played again, what is different, how it stood."""

    game: str
    steps: int
    difference: str = ""
    status: str = games.OPEN

    @property
    def same(self) -> bool:
        return not self.difference


def shadow(config: Config, now: datetime) -> list[Shadowed]:
    """Every game that is not over played again, those that are held, too: whoever lets one go on wants to know. Each
    open one that comes out otherwise is held, by a ruling that its players are told of."""
    with alone(config.place, NIGHT), closing(Ledger.open(config.place)) as ledger:
        with ledger.read() as tx:
            found = [played_again(tx, config, row) for row in list(games.every(tx)) if row.status != games.OVER]
        for one in found:
            if not one.same and one.status == games.OPEN:
                with ledger.write() as tx:
                    paused(tx, config, one.game, now, REASON)
        return found


def played_again(tx: Read, config: Config, row: GameRow) -> Shadowed:
    """One game's whole history under the installed rules; nothing is written."""
    steps, difference = 0, ""
    last = None
    try:
        for step in replay(LedgerBook(tx, row.name)):
            steps, last = steps + 1, step.state
        if canonical(last) != canonical(row.state):
            difference = "What stands now is not where its turns lead; `pbem doctor --rebuild` mends it."
    except Mismatch as mismatch:
        difference = f"{mismatch} {CHANGED}."
    except Trouble as trouble:
        difference = str(trouble)
    except Exception as broken:  # what the rules fell over; its words may hold secrets
        faultlog.write_down(broken, config.folder)
        difference = f"Its rules cannot play it again ({type(broken).__name__})."
    return Shadowed(row.name, steps, difference, row.status)
