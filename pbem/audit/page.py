"""The audit page: one game's whole history as one file to read, print and follow by its links; nothing runs in it.

While the game goes on it tells what everybody may know. Opened, for the referee or once the game is over, it tells all:
every order, draw and hand, and what each seat saw.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from engine import Event
from engine.registry import AnyGame
from pbem.audit import log as logs
from pbem.audit.book import BACK, STEPS, Book, Line, committed, created, is_over
from pbem.audit.published import PublishedBook
from pbem.audit.recompute import by_the_rules, rules_of
from pbem.audit.rolls import key_of, rolls
from pbem.audit.show import ALL, PUBLIC, Shown, show
from pbem.audit.verify import Verdict, verify
from pbem.audit.why import as_written, paragraph
from pbem.audit.witnesses import KeptMail, Witness
from pbem.errors import Trouble
from pbem.escaping import escaped
from pbem.game.turning import outcome_from_json
from pbem.ledger.times import stamp
from pbem.pages.document import document
from pbem.pages.rules import quoted
from pbem.reports import plain
from pbem.reports.fallback import spoken
from pbem.reports.words import Memo, Words, marks

FOLDER, LANG = "audit", "en"
RULINGS = ("ruling", "look", "failed", "halted", "held", BACK)
MAIL, FATE = "mail", "mail_fate"


class Move(NamedTuple):
    """What a seat did, how it came, and the row of the submission it came by."""

    seat: str
    move: str | None
    how: str
    source: int | None


class Told(NamedTuple):
    """An event as a sentence, with its paragraph, and what it says to single seats alone."""

    number: int
    sentence: str
    rule: str
    secrets: tuple[tuple[str, str], ...]


class Step(NamedTuple):
    """One step of a turn, with where it led."""

    anchor: str
    title: str
    row: int
    at: datetime
    head: str
    moves: tuple[Move, ...]
    told: tuple[Told, ...]
    draws: tuple[str, ...]
    position: str
    board: str
    picture: str  # as a data URI; "" for none
    seats: tuple[tuple[str, str], ...]  # what each seat saw, in words, where a game hides anything


class Ordered(NamedTuple):
    """What a seat sent, as it was written, and what became of it. What it says to other seats stays theirs."""

    row: int
    seat: str
    turn: int | None
    orders: tuple[str, ...]
    fate: str
    why: tuple[str, ...]  # it was refused: the paragraphs, or in a word


class Sent(NamedTuple):
    """A mail and what became of it."""

    row: int
    seat: str
    kind: str
    turn: int | None
    sha256: str
    fates: tuple[str, ...]


def page(
    book: Book,
    *,
    referee: bool = False,
    witnesses: Collection[Witness] = (),
    mails: Collection[KeptMail] = (),
    pictures: bool = False,
) -> str:
    """The page as HTML. With `pictures` each turn has its map; otherwise the last one does, and all have it in text."""
    with by_the_rules(book):
        return escaped(_page(book, witnesses, mails, referee=referee, pictures=pictures), keep="\n\t")


def _page(
    book: Book, witnesses: Collection[Witness], mails: Collection[KeptMail], *, referee: bool, pictures: bool
) -> str:
    opened = referee or is_over(book)
    verdict = verify(book, witnesses, mails)
    book = book if referee else PublishedBook(book)
    rules, facts = rules_of(book), created(book)
    steps = list(_steps(book, rules, opened=opened, pictures=pictures))
    rows = list(logs.log(book))
    if not opened and steps:
        rows, verdict = _told_by(rows, steps[-1]), _without_counts(verdict, steps[-1])
    cited = dict.fromkeys(told.rule for step in steps for told in step.told)
    return document(
        "page.html.j2",
        LANG,
        folder=FOLDER,
        style="audit.css",
        pictures=True,
        game=book.game,
        title=rules.title[LANG],
        version=rules.version,
        opened=opened,
        referee=referee,
        over=is_over(book),
        facts=[(name, spoken(value)) for name, value in facts["options"].items()],
        seats=list(facts["seats"]),
        ends=[entry for entry in rows if entry.kind in ("created", "over")],
        ended=_ended(book, rules),
        commitment=committed(book).commitment,
        verdict=verdict,
        heads=len(witnesses),
        steps=steps,
        rolls=list(rolls(book)) if opened else [],
        key=key_of(book) if opened and is_over(book) else None,
        rulings=[entry for entry in rows if entry.kind in RULINGS],
        ordered=list(_ordered(book)) if opened else [],
        mails=list(_mails(book)) if referee else [],
        rows=rows,
        cited=[(rule, quoted(paragraph(rules.id, rule, LANG))) for rule in sorted(cited)],
        sources={entry.seq for entry in rows},
        stamp=stamp,
    )


def _told_by(rows: list[logs.Entry], last: Step) -> list[logs.Entry]:
    """Return the rows up to the last step: those after it would tell who has answered since."""
    return [entry for entry in rows if entry.seq <= last.row]


def _without_counts(verdict: Verdict, last: Step) -> Verdict:
    """Return what was found without numbers of rows, draws or mails, which tell how much the players write."""
    return replace(verdict, rows=0, draws=0, mails=0, head=last.head, notes=[]) if verdict.ok else verdict


def _ended(book: Book, rules: AnyGame) -> tuple[str, str]:
    """Why the game is over, and the paragraph; nothing while it goes on."""
    over = next(iter(book.lines(("over",))), None)
    if over is None:
        return "", ""
    outcome = outcome_from_json(over.facts()["outcome"])
    return Words(rules, LANG, Memo()).ending(outcome), outcome.rule


def _steps(book: Book, rules: AnyGame, *, opened: bool, pictures: bool) -> Iterator[Step]:
    words, turns = Words(rules, LANG, Memo()), [line.opened.turn or 0 for line in book.lines(STEPS)]
    last = turns[-1] if turns else None
    for turn in sorted(set(turns)):
        lines, number = book.steps(turn), 0
        if not lines:
            continue  # taken back, and not played again yet
        for place, (line, shown) in enumerate(zip(lines, show(book, turn, ALL if opened else PUBLIC), strict=True)):
            drawn = pictures or (turn == last and place == len(lines) - 1)
            yield _step(book, rules, words, line, shown, place, number, opened=opened, drawn=drawn)
            number += len(line.facts()["events"])


def _step(
    book: Book,
    rules: AnyGame,
    words: Words,
    line: Line,
    shown: Shown,
    place: int,
    number: int,
    *,
    opened: bool,
    drawn: bool,
) -> Step:
    said = line.facts()
    state = rules.restore(said["state"])
    view = rules.view(state, None)
    events = [Event.from_json(event) for event in said["events"]]
    seen = [(count, one) for count, event in enumerate(events, number + 1) if (one := event.seen_by(None)) or opened]
    pending = said["moves"]
    return Step(
        f"turn-{shown.turn}" + (f"-{place + 1}" if place else ""),
        f"Turn {shown.turn}" if shown.kind == "turn" else f"Turn {shown.turn}, out of turn",
        line.seq,
        line.opened.at,
        line.hash.hex(),
        tuple(
            Move(seat, made["move"] and plain.one_line(made["move"]), made["how"], pending[seat].get("submission"))
            for seat, made in shown.moves.items()
        ),
        tuple(
            Told(
                count, words.sentence(one or events[count - number - 1], view), events[count - number - 1].rule, secrets
            )
            for count, one in seen
            for secrets in [_secrets(events[count - number - 1]) if opened else ()]
        ),
        tuple(f"{why}: {value} of 0 to {n - 1}" for why, n, value in said["draws"]) if opened else (),
        plain.one_line(shown.position, 100_000),
        words.drawn(view),
        _picture(words, view, events) if drawn else "",
        tuple((seat, words.described(rules.view(state, seat))) for seat in created(book)["seats"])
        if opened and rules.hides
        else (),
    )


def _secrets(event: Event) -> tuple[tuple[str, str], ...]:
    """What an event says to single seats, each as plain facts; who alone learns of it at all."""
    own = tuple(
        (seat, plain.one_line(", ".join(f"{name} {spoken(value)}" for name, value in facts.items()), 1000))
        for seat, facts in event.hidden.items()
    )
    return own if event.audience is None else (*own, (", ".join(event.audience) or "nobody", "learns of this alone"))


def _picture(words: Words, view: Any, events: list[Event]) -> str:
    seen = (one for event in events if (one := event.seen_by(None)))
    svg = words.pictured(view, marks(seen))
    if not svg:
        return ""
    return f"data:image/svg+xml;base64,{b64encode(plain.clean(str(svg)).encode()).decode()}"


def _ordered(book: Book) -> Iterator[Ordered]:
    """Every submission in order, those that were refused, too: what was sent is what people dispute about."""
    for line in book.lines(("submission",)):
        try:
            said = book.told(line)
        except Trouble:
            said = {"orders": ["sealed, and the key is not here"]} | line.facts()
        orders = [*(said.get("orders") or ()), *filter(None, [said.get("standing")])]
        why = tuple(one["why"]["rule"] or one["why"]["code"] for one in said.get("refusals", ()))
        fate = f"{said['fate']}, as a draft" if said.get("draft") else said["fate"]
        row = line.opened
        yield Ordered(row.seq, row.seat or "", row.turn, tuple(map(as_written, orders)), fate, why)


def _mails(book: Book) -> Iterator[Sent]:
    """Every mail in order, with all that was noted of it."""
    fates: dict[str, list[str]] = {}
    for line in book.lines((FATE,)):
        facts = line.facts()
        detail = f" ({facts['detail']})" if facts.get("detail") else ""
        said = f"{facts['fate']} {stamp(line.opened.at)}{detail}"
        fates.setdefault(facts["message_id"], []).append(plain.one_line(said, 300))
    for line in book.lines((MAIL,)):
        facts = line.facts()
        seat = line.opened.seat or ""
        became = tuple(fates.get(facts["message_id"], ()))
        yield Sent(line.seq, seat, facts["kind"], line.opened.turn, facts["sha256"], became)
