"""Words of consent by mail: to take the game back, to call it a draw; or that one does not agree."""

from __future__ import annotations

from engine import Notice, Refusal
from pbem.agreed import consenting
from pbem.agreed.asked import DRAW, TAKE_BACK
from pbem.agreed.consent import plays_a_bot, voters
from pbem.agreed.taking_back import why_not
from pbem.correspondence.desk import Desk
from pbem.ledger import games
from pbem.ledger.games import GameRow
from pbem.reports.telling import Who

NO = "no"


def take_back(desk: Desk, argument: str) -> Refusal | None:
    """`take-back 12`, or `take-back no`."""
    row = _row(desk)
    if argument == NO:
        return _declined(desk, row, TAKE_BACK)
    if not argument:
        text = "`take-back` takes the number of the decision to go back to, such as `take-back 5`; or `no`."
        return Refusal("", "no_turn", text)
    turn = int(argument)
    if why_not(desk.tx, row, turn):
        text = (
            "The game cannot go back to decision {turn}. Name one that you were asked, before decision {open}, "
            "which is open; a game that is over stays as it is."
        )
        return Refusal("", "no_way_back", text, {"turn": turn, "open": row.turn})
    return _agreed(desk, row, TAKE_BACK, turn)


def draw(desk: Desk, argument: str) -> Refusal | None:
    """`draw`, or `draw no`."""
    row = _row(desk)
    if argument == NO:
        return _declined(desk, row, DRAW)
    if plays_a_bot(desk.sheet, row.resigned):
        return Refusal("", "no_draw", "A program plays in this game, and programs agree to no draw.")
    return _agreed(desk, row, DRAW, None)


def _row(desk: Desk) -> GameRow:
    row = games.get(desk.tx, desk.sheet.name)
    assert row is not None, "the game of a seat that is proven"
    return row


def _agreed(desk: Desk, row: GameRow, what: str, turn: int | None) -> Refusal | None:
    if (why := _not_asked(desk, row)) is not None:
        return why
    facts = {"letter": desk.message.sha256}
    left = consenting.agreed(desk.tx, desk.config, row, desk.seat, what, turn, desk.now, facts, desk.apart.ask)
    if left:
        text = "It holds until you take it back. Still to agree: {seats}."
        desk.answer("noted", (Notice("", "agreed", text, {"seats": [Who(one, "") for one in left]}),))
    elif what == DRAW:
        desk.answer("noted", (Notice("", "all_agreed", "All have agreed to a draw. The last report follows."),))
    return None


def _not_asked(desk: Desk, row: GameRow) -> Refusal | None:
    """Why a seat's word, for or against, does not count."""
    if desk.seat in voters(desk.sheet, frozenset(row.resigned)):
        return None
    return Refusal("", "resigned", "This seat has resigned; its word is not asked any more.")


def _declined(desk: Desk, row: GameRow, what: str) -> Refusal | None:
    if (why := _not_asked(desk, row)) is not None:
        return why
    facts = {"letter": desk.message.sha256}
    if not consenting.declined(desk.tx, desk.config, row, desk.seat, what, desk.now, facts):
        return Refusal("", "not_asked", "Nobody has asked that, so there is nothing to say no to.")
    desk.answer("noted", (Notice("", "declined", "It is noted that you do not agree. The others are told."),))
    return None
