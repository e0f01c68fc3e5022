"""Why something happened: one event, with the orders, the draws and the paragraph it came from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import takewhile
from typing import Any

from engine.canon import canonical
from pbem.audit.book import Book, Line, created, no_turn
from pbem.audit.recompute import rules_of
from pbem.errors import Trouble
from pbem.game.hosting import LANGUAGES
from pbem.ledger.times import stamp
from pbem.reports import plain

BEGINS = re.compile(r"\s*([-*+]\s|\d+\.\s|#|\|)")  # a list item, a heading, a line of a table
SPAN = re.compile(r"(?P<section>[A-Z]+-\d+)\.(?P<first>\d+) \w+ (?P=section)\.(?P<last>\d+)")  # all from one to another


@dataclass(frozen=True, slots=True)
class Order:
    """A seat's move, and the submission it came from, where it came from one."""

    seat: str
    move: str
    how: str
    row: int | None
    at: str | None
    orders: Any
    letter: str | None


@dataclass(frozen=True, slots=True)
class Earlier:
    """The last draws before a step that drew nothing: a card that is turned up now was shuffled then."""

    turn: int
    row: int
    draws: list[Any]


@dataclass(frozen=True, slots=True)
class Why:
    """One event and all it came from."""

    game: str
    turn: int
    number: int
    of: int
    event: dict[str, Any]
    rule: str
    paragraph: str  # the words of the rules, where the game's rules for players hold that paragraph
    orders: tuple[Order, ...]
    draws: list[Any]
    earlier: Earlier | None  # where it drew nothing itself
    row: int
    hash: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def why(book: Book, turn: int, number: int, lang: str = "en") -> Why:
    """The event of that number (counted from 1 through all steps of the turn) and what it came from."""
    if lang not in LANGUAGES:
        raise Trouble(f"{lang!r} is not a language of the rules; choose one of {', '.join(LANGUAGES)}.")
    created(book)
    found, of = None, 0
    for line in book.steps(turn):
        events = line.facts()["events"]
        if of < number <= of + len(events):
            found = line, events[number - of - 1]
        of += len(events)
    if found is None:
        if not of:
            raise no_turn(book, turn)
        raise Trouble(f"Turn {turn} of {book.game} has no event {number}: its events are numbered 1 to {of}.")
    line, event = found
    facts = line.facts()
    orders = tuple(_order(book, line, seat, made) for seat, made in facts["moves"].items())
    words = paragraph(rules_of(book).id, event["rule"], lang)
    draws, row, hash = facts["draws"], line.seq, line.hash.hex()
    earlier = None if draws else _earlier(book, turn, row)
    return Why(book.game, turn, number, of, event, event["rule"], words, orders, draws, earlier, row, hash)


def _earlier(book: Book, turn: int, row: int) -> Earlier | None:
    """What was drawn last before that row of a turn."""
    for before in range(turn, -1, -1):
        for step in reversed(book.steps(before)):
            if step.seq < row and (draws := step.facts()["draws"]):
                return Earlier(before, step.seq, draws)
    return None


def _order(book: Book, step: Line, seat: str, made: dict[str, Any]) -> Order:
    source = _source(book, step, seat, made)
    if source is None:
        return Order(seat, made["move"], made["how"], None, None, None, None)
    if source.content is None:  # a public file of an older game
        return Order(seat, made["move"], made["how"], source.seq, None, None, None)
    facts = book.told(source)
    at = stamp(source.opened.at)
    return Order(seat, made["move"], made["how"], source.seq, at, facts.get("orders"), facts.get("letter"))


def as_written(order: Any) -> str:
    """An order as its seat wrote it, on one line."""
    return plain.one_line(order if isinstance(order, str) else canonical(order).decode(), 1000)


def _source(book: Book, step: Line, seat: str, made: dict[str, Any]) -> Line | None:
    """The submission a move came from: the one it names, or the seat's last one that was taken before it."""
    if made.get("submission") is not None:
        return book.line(made["submission"])
    if made["how"] in ("default", "resigned"):
        return None
    taken = None
    for line in book.lines(("submission",)):
        if line.seq > step.seq:
            break
        if line.opened.seat == seat and line.facts()["fate"] != "refused":
            taken = line
    return taken


def paragraph(game: str, rule: str, lang: str) -> str:
    """What the player's rules say where they cite a paragraph, or else the one it is a part of, or else others of its
    section; empty when they cite none of these."""
    from pbem.rulebook import player_rules

    try:
        text, _ = player_rules(game, lang)
    except Trouble:
        return ""
    blocks = list(_blocks(text))
    section = rule.partition(".")[0] + "."
    while rule:
        cited = [said for i, block in enumerate(blocks) if _cites(block, rule) for said in _meant(blocks, i)]
        if cited:
            return "\n".join(dict.fromkeys(cited))
        rule = rule.rpartition(".")[0]
    return "\n".join(block for block in blocks if section != "." and section in block)


def _meant(blocks: list[str], place: int) -> list[str]:
    """The block of that place; a heading stands for all that is below it."""
    if not blocks[place].startswith("#"):
        return [blocks[place]]
    return [blocks[place], *takewhile(lambda block: not block.startswith("#"), blocks[place + 1 :])]


def _blocks(text: str) -> Iterator[str]:
    """The headings, paragraphs, list items and lines of tables of a text in Markdown, each on one line."""
    block: list[str] = []
    for line in text.splitlines():
        if block and (not line.strip() or BEGINS.match(line) or block[0].startswith("#")):
            yield " ".join(block)
            block = []
        block += [line.strip()] if line.strip() else []
    if block:
        yield " ".join(block)


def _cites(line: str, rule: str) -> bool:
    """BAGH-4.1 is cited, BAGH-4.11 is not; "CONQ-9.1 to CONQ-9.4" cites CONQ-9.2, too."""
    place = line.find(rule)
    while place >= 0:
        after = line[place + len(rule) : place + len(rule) + 2]
        if not after[:1].isalnum() and not (after[:1] == "." and after[1:].isdigit()):
            return True
        place = line.find(rule, place + 1)
    section, _, number = rule.rpartition(".")
    return number.isdigit() and any(
        span["section"] == section and int(span["first"]) <= int(number) <= int(span["last"])
        for span in SPAN.finditer(line)
    )
