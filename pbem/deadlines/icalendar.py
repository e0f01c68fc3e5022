"""iCalendar (RFC 5545): deadlines as events that any calendar program can show, to the byte the same for the same ones.

An event keeps its UID when its deadline moves, so that a program that reads the file again moves it as well.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple

LINE = 75  # bytes of one line, without its end


class Event(NamedTuple):
    """One deadline."""

    uid: str
    at: datetime
    summary: str
    description: str = ""
    alarm: int = 0  # hours before it at which the calendar may remind; 0: none


def calendar(events: Iterable[Event], made: datetime, product: str = "pbem") -> bytes:
    """A whole file; `made` is when these deadlines were known."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//pbem//{_text(product)}//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
    ]
    lines += [line for event in events for line in _event(event, made)]
    return "".join(f"{folded}\r\n" for line in [*lines, "END:VCALENDAR"] for folded in _folded(line)).encode()


def _event(event: Event, made: datetime) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{_text(event.uid)}"
    yield f"DTSTAMP:{_instant(made)}"
    yield f"SEQUENCE:{int(made.timestamp()) // 60}"  # grows with each time it is said: the latest word holds
    yield f"DTSTART:{_instant(event.at)}"  # without an end it is an instant; an end would have to be later
    yield f"SUMMARY:{_text(event.summary)}"
    if event.description:
        yield f"DESCRIPTION:{_text(event.description)}"
    yield "TRANSP:TRANSPARENT"  # a deadline makes nobody busy
    if event.alarm:
        yield from ("BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{_text(event.summary)}")
        yield from (f"TRIGGER:-PT{event.alarm}H", "END:VALARM")
    yield "END:VEVENT"


def _instant(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(value: str) -> str:
    """A text as a value: what would end or divide it is escaped, any blank is a plain one, and what cannot be printed
    is left out."""
    plain = value
    if not value.isprintable():
        plain = "".join(map(_letter, value.replace("\r\n", "\n")))
    for letter in "\\;,":
        plain = plain.replace(letter, f"\\{letter}")
    return plain.replace("\n", "\\n")


def _letter(letter: str) -> str:
    if letter == "\n" or letter.isprintable():
        return letter
    return " " if unicodedata.category(letter) == "Zs" else ""


def _folded(line: str) -> Iterator[str]:
    """Lines of at most LINE bytes, none cut inside a letter; a line that goes on begins with a blank."""
    if len(line) <= LINE and line.isascii():
        yield line
        return
    part = ""
    for letter in line:
        if len(part.encode()) + len(letter.encode()) > LINE:
            yield part
            part = " "
        part += letter
    yield part
