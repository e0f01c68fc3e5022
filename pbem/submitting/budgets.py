"""Budgets: what is declared of each kind of message and answer, and what is left of it.

A seat may send so many messages in a decision and on a day; past that it is told so once and nothing more is taken.
Each kind of answer has a budget of its own, so that none can use up another's: nothing but orders with the current key
is counted to receipts. What was used is counted by the ledger (`pbem.ledger.budgets`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from engine import Notice, Refusal, Seat
from pbem.intake.limits import Limits
from pbem.ledger import budgets
from pbem.ledger.budgets import seat_of
from pbem.ledger.transaction import Read

A_DAY = " on one day"


class Answers(NamedTuple):
    """A kind of answers: its name in the ledger, how many leave on one day, and what the last one of them says."""

    name: str
    most: Callable[[Limits], int]
    last: str = ""


RECEIPTS = Answers(
    budgets.RECEIPTS,
    lambda limits: limits.receipts,
    "This is the last of {most} receipts that this seat is sent on one day. Orders that come before midnight (UTC) are"
    " still read, and count if nothing is wrong with them; your next report lists what had no answer.",
)
OLD_RECEIPTS = Answers("old_receipts", lambda limits: limits.receipts, RECEIPTS.last)  # of orders with an old key
ANSWERS = Answers(
    budgets.ANSWERS,
    lambda limits: limits.answers,
    "This is the last of {most} answers to commands that you are sent on one day. Commands that come before midnight"
    " (UTC) are still obeyed; your next report lists what had no answer. Orders have receipts of their own.",
)
UNPROVEN = Answers("unproven", lambda limits: 1)  # to whatever comes without a valid key from a player's address
AUTOMATIC = Answers("automatic", lambda limits: 1)  # on orders that a list or a bulk mailer seems to have sent
JOINING = Answers("joining", lambda limits: 5)  # to mails with the code of somebody who asks for a seat


def day(now: datetime) -> str:
    """The day on which things are counted, of UTC."""
    return now.strftime("%Y-%m-%d")


def left(tx: Read, limits: Limits, kind: Answers, owner: str, now: datetime) -> int:
    """How many answers of that kind may still leave today, to a player or for a seat."""
    return max(0, kind.most(limits) - budgets.spent(tx, owner, kind.name, day(now)))


def last_word(limits: Limits, kind: Answers, left: int) -> tuple[Notice, ...]:
    """What the last answer of a day says of those that will not be given, so that nobody takes silence for consent."""
    if left != 1 or not kind.last:
        return ()
    return (Notice("", "last_answer", kind.last, {"most": kind.most(limits)}),)


# --- what a seat may send ---------------------------------------------------------------------------------------------


class Exceeded(NamedTuple):
    """A limit that a seat has reached: what its player is told, and whether that was told already."""

    words: Notice
    told: bool

    def __str__(self) -> str:
        return str(Refusal(self.words.rule, self.words.code, self.words.text, self.words.facts))


IN_A_DECISION = (
    "One seat may send {most} messages while a decision is open, and this seat has. This message was not taken, nor is"
    " any further one until the next decision; they are not answered, and your next report counts them."
)
ON_A_DAY = (
    "One seat may send {most} messages on one day (UTC), and this seat has. This message was not taken, nor is any"
    " further one today; they are not answered, and your next report counts them."
)
BYTES_ON_A_DAY = (
    "The messages of one seat may have {most} kilobytes on one day (UTC), and those of this seat have. This message was"
    " not taken, nor is any further one today; they are not answered, and your next report counts them."
)


def room(tx: Read, limits: Limits, game: str, seat: Seat, turn: int, now: datetime, *, old_key: bool = False) -> int:
    """How many more messages of that seat can matter: those it may send, and the one that is told of the limit."""
    over = exceeded(tx, limits, game, seat, turn, now, old_key=old_key)
    if over is not None:
        return 0 if over.told else 1
    owner = seat_of(game, seat)
    if old_key:
        return limits.submissions - budgets.spent(tx, owner, budgets.OLD_MESSAGES, str(turn)) + 1
    left = limits.submissions - budgets.spent(tx, owner, budgets.MESSAGES, str(turn))
    return min(left, limits.daily - budgets.spent(tx, owner, budgets.DAILY, day(now))) + 1


def exceeded(
    tx: Read, limits: Limits, game: str, seat: Seat, turn: int, now: datetime, *, old_key: bool = False
) -> Exceeded | None:
    """The limit that the seat has reached in the open decision, which is `turn`; None where it may send more.

    Messages with an old key are counted by themselves: whoever found one keeps nobody from ordering.
    """
    owner, today = seat_of(game, seat), day(now)

    def spent(kind: str, period: str) -> int:
        return budgets.spent(tx, owner, kind, period)

    if spent(budgets.OLD_MESSAGES if old_key else budgets.MESSAGES, str(turn)) >= limits.submissions:
        words = Notice("", "too_many", IN_A_DECISION, {"most": limits.submissions})
    elif old_key:
        return None
    elif spent(budgets.DAILY, today) >= limits.daily:
        words = Notice("", "too_many", ON_A_DAY, {"most": limits.daily})
    elif spent(budgets.BYTES, today) >= limits.daily_bytes:
        words = Notice("", "too_many", BYTES_ON_A_DAY, {"most": limits.daily_bytes >> 10})
    else:
        return None
    return Exceeded(words, told=spent(budgets.REFUSED, f"{turn} {today}") > 0)
