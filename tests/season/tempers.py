"""Tempers: what a player of each kind writes when a decision waits for him, as mails with the times they arrive at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from pbem.agreed.asked import DRAW, TAKE_BACK
from pbem.agreed.asked import Asked as Question
from pbem.ledger.games import GameRow

PROMPT, LATE, ABSENT, GONE, DRAFTING, PROBING = "prompt", "late", "absent", "gone", "drafting", "probing"
TEMPERS = (PROMPT, PROMPT, PROMPT, LATE, ABSENT, GONE, DRAFTING, PROBING)
MODES = ("wait", "stand-in", "standing")


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision that waits for a seat, and how it could be answered."""

    game: str
    seat: str
    turn: int
    form: Callable[[str], str]  # an order -> the whole form
    order: str
    now: datetime
    deadline: datetime


@dataclass(frozen=True, slots=True)
class Writes:
    """A mail: its body, when it arrives, whether it is an order that must count if it is accepted."""

    body: str
    at: datetime
    orders: bool = False
    draft: bool = False
    key: str | None = None  # a wrong one
    word: str = ""  # what is asked for, beside orders


def writes(temper: str, asked: Asked, source: Random, night: int) -> Iterator[Writes]:
    """What a player of that temper sends for a decision on that night."""
    yield from _WAYS[temper](asked, source, night)


SPEAKS, AGREES = 0.06, 0.7  # how often a seat has a word to say, and agrees to what another one asks


def words(
    row: GameRow, seat: str, temper: str, asked: Mapping[str, Question], now: datetime, source: Random
) -> Iterator[Writes]:
    """What a seat has to say beside its orders: it agrees to what others ask, or has a word of its own."""
    for what, question in sorted(asked.items()):
        if seat not in question.yes and source.random() < 0.9:
            yield _agreeing(what, question, now, source)
    if source.random() < SPEAKS:
        others = [other for other in sorted(row.seats) if other != seat]
        says = [
            ("press", "say all: who would have thought it"),
            ("press", f"say {source.choice(others)}: between us"),
            ("dispute", "dispute: this was not my move"),
            ("remind", f"remind {source.choice((3, 12, 24))}h"),
            ("digest", source.choice(("digest", "digest off"))),
            ("report", "report"),
            ("history", "history"),
            ("draw", DRAW),
            ("volunteer", "volunteer"),
            ("join", "join open-tables"),
            ("leave", "leave open-tables"),
        ]
        says += [("take-back", f"{TAKE_BACK} {source.randrange(1, row.turn)}")] * 3 if row.turn > 1 else []
        says += [("resign", f"resign {row.name}")] if temper != PROMPT and source.random() < 0.2 else []
        word, body = source.choice(says)
        yield Writes(body, now + timedelta(minutes=source.randrange(20)), word=word)


def _agreeing(what: str, question: Question, now: datetime, source: Random) -> Writes:
    if source.random() >= AGREES:
        return Writes(f"{what} no", now, word="declined")
    return Writes(what if question.turn is None else f"{what} {question.turn}", now, word="agreed")


def _prompt(asked: Asked, source: Random, night: int) -> Iterator[Writes]:
    yield Writes(asked.form(asked.order), asked.now + timedelta(minutes=source.randrange(20)), orders=True)


def _late(asked: Asked, source: Random, night: int) -> Iterator[Writes]:
    if source.random() < 0.5:
        yield from _prompt(asked, source, night)
    elif asked.deadline - asked.now < timedelta(hours=12):
        yield Writes(asked.form(asked.order), asked.deadline + timedelta(seconds=source.randrange(240)), orders=True)


def _absent(asked: Asked, source: Random, night: int) -> Iterator[Writes]:
    if source.random() < 0.15:
        last = (asked.now + timedelta(days=source.randrange(1, 9))).date()
        yield Writes(f"absent {last} {source.choice(MODES)}", asked.now)
    elif source.random() < 0.1:
        yield Writes("absent no", asked.now)
    elif source.random() < 0.6:
        yield from _prompt(asked, source, night)


def _gone(asked: Asked, source: Random, night: int) -> Iterator[Writes]:
    if night < 3 or source.random() < 0.03:
        yield from _prompt(asked, source, night)


def _drafting(asked: Asked, source: Random, night: int) -> Iterator[Writes]:
    body = asked.form(asked.order).replace("orders:", "draft: true\norders:")
    yield Writes(body, asked.now + timedelta(minutes=3), draft=True)
    if source.random() < 0.4:
        yield Writes(asked.form(asked.order), asked.now + timedelta(minutes=9), orders=True)


def _probing(asked: Asked, source: Random, night: int) -> Iterator[Writes]:
    """Who tries what the host does not take, and what it must take once."""
    form = asked.form(asked.order)
    yield from source.sample(
        [
            Writes(form.replace("orders:", "orders: [[[["), asked.now),
            Writes(form.replace(asked.order, "surely no order"), asked.now),
            Writes(form.replace(f"turn: {asked.turn}", f"turn: {asked.turn + 7}"), asked.now),
            Writes(form, asked.now, key="0" * 16),
            Writes("status", asked.now),
            Writes("help", asked.now),
            Writes("say all: hello", asked.now),
            Writes("withdraw", asked.now),
            Writes(form.partition("end:")[0], asked.now),
        ],
        2,
    )
    if source.random() < 0.6:
        yield Writes(form, asked.now + timedelta(minutes=15), orders=True)


_WAYS: dict[str, Callable[[Asked, Random, int], Iterator[Writes]]] = {
    PROMPT: _prompt,
    LATE: _late,
    ABSENT: _absent,
    GONE: _gone,
    DRAFTING: _drafting,
    PROBING: _probing,
}
