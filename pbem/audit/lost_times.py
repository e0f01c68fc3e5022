"""Lost times: mails that a history does not know, as a copy took its place and the referee agreed to go on with it.

They do not fit, and that proves nothing of them. What is said here is what the rulings say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from pbem.audit.book import Book
from pbem.audit.witnesses import Witness
from pbem.clock import read_instant
from pbem.ledger.mailed import AGREED


def lost_times(book: Book, lost: Collection[Witness]) -> Iterator[str]:
    """What a game's rulings say of the mails that it does not know: how many are of a time that was lost. A head that
    somebody read out has no time, and may be of any."""
    for facts, at in _agreements(book, "since"):
        since = read_instant(facts["since"])
        theirs = [one for one in lost if one.at is None or since.replace(microsecond=0) <= one.at <= at]
        if theirs:
            copy = f"{_agreed(facts, at)}, which knew {book.game} up to {_shown(since)}"
            heads = f"{len(theirs)} of the {len(lost)} heads that do not fit"
            yield f"{copy}; {heads} left in the time between, which is lost."


def lost_games(host: Book, lost: Collection[Witness]) -> Iterator[str]:
    """The same of games that began in a lost time, as the host's own rulings name them."""
    for facts, at in _agreements(host, "lost"):
        games = sorted({one.game for one in lost} & {chain for chain, *_ in facts["lost"]})
        if games:
            yield f"{_agreed(facts, at)}, which does not know {', '.join(games)}, though mails of it had left."


def _agreements(book: Book, says: str) -> Iterator[tuple[dict[str, Any], datetime]]:
    for line in book.lines(("ruling",)):
        facts = line.facts()
        if facts.get("act") == AGREED and says in facts:
            yield facts, line.opened.at


def _agreed(facts: dict[str, Any], at: datetime) -> str:
    return f"On {_shown(at)} it was agreed ({facts.get('reason', '')}) to go on with an older copy"


def _shown(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
