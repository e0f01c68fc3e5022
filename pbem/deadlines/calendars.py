"""Deadlines as calendars: a seat's own in its letter, and feeds that calendar programs look at again and again.

A deadline has one name everywhere, so a program that knows it from a letter finds it again in a feed and moves it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.deadlines.icalendar import Event, calendar
from pbem.game.sheet import FORGOTTEN, Sheet
from pbem.reports import environment
from pbem.reports.report import Letter, Receipt

if TYPE_CHECKING:
    from pbem.deadlines.forecast import Coming


def of_letter(sheet: Sheet, said: Letter, now: datetime) -> bytes | None:
    """The deadline of a letter that asks its seat to decide; receipts repeat what a letter has said."""
    if isinstance(said, Receipt) or said.seat is None or said.menu is None or said.deadline is None:
        return None
    lang = environment.language(said.reader.lang, sheet.rules)
    title = environment.says(lang)("%(game)s, decision %(turn)s", game=sheet.name, turn=said.turn)
    event = Event(
        _uid(sheet.name, said.turn, sheet.host.domain),
        said.deadline,
        title,
        sheet.rules.title.get(lang) or sheet.rules.title["en"],
        sheet.sitters[said.seat].remind,
    )
    return _alone(event, now)


@lru_cache(maxsize=4)  # the seats of a turn mostly get the same one
def _alone(event: Event, made: datetime) -> bytes:
    return calendar([event], made)


def feed(found: Iterable[Coming], domain: str, made: datetime, lang: str = "en") -> bytes:
    """These deadlines as one calendar, told as letters tell them."""
    return calendar([_event(coming, domain, lang) for coming in found], made)


def _event(coming: Coming, domain: str, lang: str) -> Event:
    says = environment.says(lang)
    seats = [(environment.called(seat, lang), player) for seat, player in coming.waits_for]
    who = ", ".join(f"{seat} ({player})" if player else seat for seat, player in seats)
    return Event(
        _uid(coming.game, coming.turn, domain),
        coming.at,
        says("%(game)s, decision %(turn)s", game=coming.game, turn=coming.turn),
        says("The game waits for %(who)s.", who=who) if who else "",
    )


def waits_for(coming: Coming) -> str:
    """Who has not answered yet, in words for the host."""
    told = ", ".join(f"{seat} ({player or FORGOTTEN})" for seat, player in coming.waits_for)
    return f"waits for {told}" if told else "nobody is waited for"


def _uid(game: str, turn: int, domain: str) -> str:
    return f"{turn}.{game}@{domain}"
