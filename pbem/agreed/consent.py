"""Consent: what all seats are asked, who must agree, and what is told of it. Nobody agrees by silence."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from engine import Seat
from pbem.agreed.asked import DRAW, TAKE_BACK, Asked
from pbem.attending.attendance import Attendance
from pbem.game.sheet import Sheet
from pbem.reports.report import News

KINDS = {TAKE_BACK: "asked_back", DRAW: "asked_draw"}
DECLINED = {TAKE_BACK: "declined_back", DRAW: "declined_draw"}


def voters(sheet: Sheet, resigned: frozenset[Seat]) -> tuple[Seat, ...]:
    """Whose word counts: the persons who have not resigned. A program agrees to whatever they do."""
    return tuple(seat for seat, sitter in sheet.sitters.items() if sitter.is_written_to and seat not in resigned)


def plays_a_bot(sheet: Sheet, resigned: Collection[Seat]) -> bool:
    """Whether a program plays on: programs agree to no draw."""
    return any(sitter.bot is not None and seat not in resigned for seat, sitter in sheet.sitters.items())


def missing(sheet: Sheet, resigned: frozenset[Seat], asked: Asked) -> tuple[Seat, ...]:
    """Whose word is still missing."""
    return tuple(seat for seat in voters(sheet, resigned) if seat not in asked.yes)


def asking(attendance: Attendance, what: str, asked: Asked) -> Attendance:
    """The same with that question as it stands now."""
    return replace(attendance, asked={**attendance.asked, what: asked})


def without(attendance: Attendance, what: str) -> Attendance:
    """The same without that question."""
    return replace(attendance, asked={other: asked for other, asked in attendance.asked.items() if other != what})


def question(what: str, asked: Asked) -> News:
    """A question as it is told."""
    return News(KINDS[what], asked.by, {"turn": asked.turn, "agreed": sorted(asked.yes), "reason": asked.reason})


def questions(attendance: Attendance) -> Iterator[News]:
    """The questions that wait for an answer: every report tells of them."""
    return (question(what, asked) for what, asked in sorted(attendance.asked.items()))
