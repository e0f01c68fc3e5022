"""What a person's mail program makes of an answer to a report: fourteen programs, five languages, many ways to write.

The programs are those of the corpus of order mails. Here they answer reports that really came, and the answers travel.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from email.message import Message
from email.utils import formatdate, make_msgid, parseaddr
from html import escape
from itertools import cycle
from random import Random

from tests.mail.mailbox import attached, page, words
from tests.pbem.intake.mail.programs import LANGUAGES, PROGRAMS, RE, Draft, Original, Program, attachment

HEAD = ("game:", "seat:", "turn:", "key:")
PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9 +/().=-]*")


@dataclass(frozen=True, slots=True)
class Habit:
    """How somebody answers: his program, his language, and where he writes."""

    program: Program
    lang: str
    way: str

    def __str__(self) -> str:
        return f"{self.program.name} ({self.lang}), {self.way}"


def habits() -> Iterator[Habit]:
    """Every program in turn, in one language and way after another, without end: a few answers show many kinds."""
    luck = Random("habits")
    own = []
    for program in PROGRAMS:
        every = [Habit(program, lang, way) for lang in LANGUAGES for way in WAYS if goes_with(program, way)]
        own.append(cycle(luck.sample(every, len(every))))
    while True:
        yield from map(next, own)


def goes_with(program: Program, way: str) -> bool:
    """Who quotes without marks writes above; not every program writes HTML."""
    if way == BELOW:
        return program.marks
    return way not in (HTML, FILLED_HTML) or program.page is not None


ABOVE, BELOW, FILLED, HTML, FILLED_HTML, FILE = "above", "below", "filled in", "html", "html filled in", "as a file"
WAYS = (ABOVE, BELOW, FILLED, HTML, FILLED_HTML, FILE)


def answer(report: Message, orders: list[str], habit: Habit, sender: str) -> bytes:
    """The whole mail, as it leaves the program."""
    who, address = parseaddr(str(report["From"]))
    original = Original(
        words(report), page(report), str(report["Subject"]), str(report["Message-ID"]), who or address, address
    )
    return head(report, sender, habit.lang) + _bodies[habit.way](habit, original, report, orders)


def fitting(habit: Habit, report: Message, orders: list[str]) -> Habit:
    """The habit, but where the form as it came says just that: sent back unchanged it would say nothing new."""
    way = habit.way
    if way in (FILLED, FILLED_HTML) and not can_fill(report, orders):
        way = HTML if way == FILLED_HTML else ABOVE
    return replace(habit, way=way)


def head(report: Message, sender: str, lang: str) -> bytes:
    """To the address that the report asks for, in its thread."""
    lines = (
        f"From: <{sender}>",
        f"To: {parseaddr(str(report['Reply-To'] or report['From']))[1]}",
        f"Date: {formatdate()}",
        f"Message-ID: {make_msgid(domain='players.example')}",
        f"In-Reply-To: {report['Message-ID']}",
        f"References: {' '.join(str(report['References'] or '').split())} {report['Message-ID']}",
        f"Subject: {RE[lang]}: {' '.join(str(report['Subject']).split())}",
        "MIME-Version: 1.0",
    )
    return "".join(f"{line}\r\n" for line in lines).encode()


def form_of(report: Message, orders: list[str]) -> str:
    """The form of the report with other orders in it."""
    lines = [line for line in attached(report, "orders.yml").decode().splitlines() if line.startswith(HEAD)]
    return "\n".join([*lines, "orders:", *(f"  - {quoted(order)}" for order in orders), "end: orders"])


def quoted(order: str) -> str:
    """An order as it is typed: in quotation marks where it holds signs that mean something else in a list."""
    return order if PLAIN.fullmatch(order) else "'" + order.replace("'", "''") + "'"


_offered = re.compile(r"(^orders:\n(?:.*\n)*?\s+- )(.*)$", re.M)


def offered(report: Message) -> str:
    """The order that stands in the report's form."""
    found = _offered.search(attached(report, "orders.yml").decode().replace("\r\n", "\n"))
    return found[2] if found else ""


def can_fill(report: Message, orders: list[str]) -> bool:
    """Whether writing over the order in the form changes anything, and is all that is wanted."""
    return len(orders) == 1 and offered(report) not in ("", orders[0], quoted(orders[0]))


def _in_text(report: Message, orders: list[str]) -> Callable[[str], str]:
    """What a player changes in the quoted letter: the order that its form offers, and nothing else."""
    before, after = f"- {offered(report)}", f"- {quoted(orders[0])}"

    def change(text: str) -> str:
        start = text.rindex("key:")
        at = text.index(before, start) if before in text[start:] else -1
        if at < 0:  # in a page
            marked = escape(before, quote=False)
            at = next(found.start() for found in re.finditer(re.escape(marked), text) if found.start() > start)
            return text[:at] + escape(after, quote=False) + text[at + len(marked) :]
        return text[:at] + after + text[at + len(before) :]

    return change


def _whole(habit: Habit, draft: Draft, original: Original, html_only: bool = False) -> bytes:
    """The mail's content, below the headers that we write ourselves."""
    raw = habit.program.mail(habit.lang, draft, original, html_only=html_only)
    return raw[raw.index(b"\r\nContent-Type:") + 2 :]


def _above(habit: Habit, original: Original, report: Message, orders: list[str]) -> bytes:
    return _whole(habit, Draft(top=form_of(report, orders)), original)


def _below(habit: Habit, original: Original, report: Message, orders: list[str]) -> bytes:
    return _whole(habit, Draft(bottom=form_of(report, orders)), original)


def _filled(habit: Habit, original: Original, report: Message, orders: list[str]) -> bytes:
    return _whole(habit, Draft(change=_in_text(report, orders)), original)


def _html(habit: Habit, original: Original, report: Message, orders: list[str]) -> bytes:
    return _whole(habit, Draft(top=form_of(report, orders)), original, html_only=True)


def _filled_html(habit: Habit, original: Original, report: Message, orders: list[str]) -> bytes:
    return _whole(habit, Draft(change=_in_text(report, orders)), original, html_only=True)


def _file(habit: Habit, original: Original, report: Message, orders: list[str]) -> bytes:
    letter = _whole(habit, Draft(top="OK"), original)
    inside = (letter, attachment(form_of(report, orders) + "\n", "orders.yml", "text/yaml"))
    parts = b"".join(b"--=_around\r\n" + part + b"\r\n" for part in inside)
    return b'Content-Type: multipart/mixed; boundary="=_around"\r\n\r\n' + parts + b"--=_around--\r\n"


_bodies = {ABOVE: _above, BELOW: _below, FILLED: _filled, HTML: _html, FILLED_HTML: _filled_html, FILE: _file}
