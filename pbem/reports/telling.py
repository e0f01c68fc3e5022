"""What the frames get to write with: every word of a letter found once, for text, HTML and JSON alike.

All that players wrote (names, press, orders) is made plain here, so that no frame can forget it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from markupsafe import Markup

from engine import Notice as Warned
from engine import Outcome, Refusal, Seat
from pbem.clock import read_instant
from pbem.reports import environment, fallback, plain, when, words
from pbem.reports.form import form
from pbem.reports.report import (
    HANDED_OVER,
    MAIL,
    Letter,
    MatchStands,
    Menu,
    News,
    Notice,
    Place,
    Problem,
    Receipt,
    Report,
    Stands,
    Step,
    Taken,
    Understood,
)
from pbem.reports.words import Memo, Words
from pbem.seeding.protocol import Origin

MOST_LEGAL = 12
LONGEST_NAME = 60
LONGEST_NEWS = 2000  # characters of a ruling, or of its reason


class Who(NamedTuple):
    """A seat as the reader calls it, and who sits there ("" when nobody is named)."""

    seat: str
    player: str


class Sentence(NamedTuple):
    """A sentence and the paragraph behind it, and how many events it tells of."""

    text: str
    rule: str
    of: int = 1


class Did(NamedTuple):
    """What a seat did: the move (None: kept from the reader), and how it came to be."""

    who: Who
    move: str | None
    how: str


class Happened(NamedTuple):
    """One step of the report."""

    turn: int
    moves: tuple[Did, ...]
    events: tuple[Sentence, ...]


class Trouble(NamedTuple):
    """A refusal in words."""

    text: str
    rule: str
    order: str
    place: str
    legal: tuple[str, ...]
    unnamed: int  # how many more would be legal


class Unanswered(NamedTuple):
    """A message that had no answer: when it was judged, whether it was taken, and which command it was, if any."""

    when: str
    taken: bool
    command: str


class Read(NamedTuple):
    """An order of a receipt in words."""

    order: str
    move: str | None
    place: str
    label: str
    events: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...]
    supposed: bool


class Line(NamedTuple):
    """A line of the position in words; one that is `under` another belongs to it."""

    text: str
    under: bool


class Kept(NamedTuple):
    """What stands, in words."""

    orders: tuple[str, ...]
    draft: tuple[str, ...]
    standing: tuple[str, ...]
    nothing: bool

    @property
    def any(self) -> bool:
        return bool(self.orders or self.draft or self.standing or self.nothing)


class Placed(NamedTuple):
    """One place of the final ranking: 1, 2, ... with equals together."""

    place: int
    who: tuple[Who, ...]
    scores: tuple[int, ...]


class Side(NamedTuple):
    """A side of a match: its place, who it is, games won, and points (None: they do not count)."""

    place: int
    who: tuple[Who, ...]
    won: int
    points: int | None


class Told(NamedTuple):
    """The match in words: this game's number in it, how it stands, who is first, and what comes next."""

    name: str
    number: int
    games: int
    fixed: bool  # whether all games are played
    sides: tuple[Side, ...]
    level: bool
    first: tuple[Who, ...]
    over: bool
    rule: str
    next: str


class ToldNews(NamedTuple):
    """News of how the game is run: what happened, to whom, and the words and instants that belong to it."""

    kind: str
    who: Who | None
    facts: Mapping[str, Any]


NOTHING = Kept((), (), (), False)


@dataclasses.dataclass(frozen=True, slots=True)
class Telling:
    """One letter, all in words. A frame shows what is not empty."""

    kind: str
    game: str
    title: str
    turn: int
    seat: Seat | None
    reader: str
    lang: str
    counter: int
    deadlines: tuple[str, ...]
    form: str
    answer_to: str
    head: str
    brings_page: bool = False
    me: Who | None = None
    players: tuple[Who, ...] = ()
    steps: tuple[Happened, ...] = ()
    press: tuple[tuple[Who | None, Who | None, list[str]], ...] = ()
    news: tuple[ToldNews, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    resigned: tuple[Who, ...] = ()
    keyless: int = 0
    unanswered: tuple[Unanswered, ...] = ()
    unlisted: int = 0  # further ones
    read: tuple[Read, ...] = ()
    described: tuple[tuple[Line, ...], ...] = ()  # groups of lines
    drawn: str = ""
    picture: Callable[[], Markup | None] = lambda: None
    position: str = ""
    decision: str = ""
    pending: tuple[Who, ...] = ()
    asked: bool = False
    menu: Menu | None = None
    stands: Kept = NOTHING
    replaces: Kept | None = None
    silence: str = ""
    ranking: tuple[Placed, ...] = ()
    outcome: Sentence | None = None
    match: Told | None = None
    commitment: str = ""
    dice: Luck | None = None
    seed: str = ""
    signing_key: str = ""
    fate: str = ""
    kept: bool = False
    notices: tuple[Sentence, ...] = ()
    digest: str = ""
    together: bool = False  # others decide at the same moment, so what a move will do hangs on theirs
    received: str = ""
    notice: str = ""
    say: tuple[str, ...] = ()


class Luck(NamedTuple):
    """What the dice of a game come from, beside the host's seed: see `Origin`."""

    by: str
    host_alone: bool
    seats: tuple[Who, ...]
    withheld: tuple[Who, ...]
    beacon: str
    value: str
    source: str


def tell(letter: Letter, memo: Memo) -> Telling:
    """The letter in words, made once however many forms it is rendered in."""
    known = memo.told.get(id(letter))
    if known is not None:
        return known[1]  # type: ignore[no-any-return]
    lang = environment.language(letter.reader.lang, letter.rules)
    told = _tellers[type(letter)](letter, Words(letter.rules, lang, memo))
    memo.told[id(letter)] = (letter, told)
    return told


def _report(report: Report, say: Words) -> Telling:
    who = _who(report.players, say)

    def known(seat: Seat | None) -> Who | None:
        return None if seat is None else who(seat)

    told = tuple(_happened(step, report, say, who) for step in report.steps)
    changed = words.marks(event for step in report.steps for event in step.events)
    return Telling(
        kind="report",
        **_common(report, say.lang),
        players=tuple(who(seat) for seat in report.players),
        me=who(report.seat) if report.seat is not None else None,
        steps=told,
        press=tuple((known(said.seat), known(said.to), plain.lines(said.text)) for said in report.press),
        news=_news(report, say, who),
        troubles=_troubles(report.problems, say, report.reader.zone),
        resigned=tuple(who(seat) for seat in report.resigned),
        keyless=report.keyless,
        unanswered=tuple(
            Unanswered(when.told(at, report.reader.zone, say.lang), fate == "accepted", reason)
            for at, fate, reason in report.unanswered
        ),
        unlisted=report.unlisted,
        brings_page=report.brings_page,
        described=tuple(groups(say.described(report.view))),
        drawn=say.drawn(report.view),
        picture=lambda: say.pictured(report.view, changed),
        position=plain.one_line(report.view.position, 100_000),
        decision=say.name(report.view.decision),
        pending=tuple(who(seat) for seat in report.view.pending),
        asked=report.seat in report.view.pending,
        menu=report.menu,
        stands=_kept(report.stands, say),
        ranking=ranked(report.outcome, who),
        outcome=_ended(report.outcome, say),
        match=_match(report.match, who) if report.match else None,
        commitment=report.commitment,
        dice=_luck(report.dice, who),
        seed=report.seed,
        signing_key=report.signing_key,
    )


def _luck(dice: Origin | None, who: Callable[[Seat], Who]) -> Luck | None:
    if dice is None:
        return None
    seats, withheld = (tuple(map(who, some)) for some in (dice.seats, dice.withheld))
    beacon, source = (plain.one_line(text) for text in (dice.beacon, dice.source))
    return Luck(dice.by, dice.host_alone, seats, withheld, beacon, dice.value, source)


def groups(said: str) -> Iterator[tuple[Line, ...]]:
    """A blank line parts two groups; a line that begins with blanks stands under the one before."""
    for group in _blank_lines.split(said):
        lines = filter(str.strip, group.split("\n"))
        if found := tuple(Line(line.strip(), line.startswith(" ")) for line in lines):
            yield found


_blank_lines = re.compile(r"\n(?: *\n)+")


def _news(letter: Report | Notice, say: Words, who: Callable[[Seat], Who]) -> tuple[ToldNews, ...]:
    """The news in their order. What happened to a seat before it changed hands is said of the seat alone: it is not the
    one who sits there now, and of who sat there then the letter knows nothing."""
    told, handed = [], set[Seat | None]()
    for news in reversed(letter.news):
        called = (lambda seat: who(seat)._replace(player="")) if news.seat in handed else who
        told.append(_told(news, letter, say.lang, called))
        if news.kind == HANDED_OVER:
            handed.add(news.seat)
    return tuple(reversed(told))


def _told(news: News, letter: Report | Notice, lang: str, who: Callable[[Seat], Who]) -> ToldNews:
    """Facts whose names end in `_at` are instants, told on the reader's clock; what a person wrote is made plain."""
    facts = {
        name: when.told(read_instant(value), letter.reader.zone, lang)
        if name.endswith("_at")
        else plain.one_line(value, LONGEST_NEWS)
        if isinstance(value, str)
        else value
        for name, value in news.facts.items()
    }
    return ToldNews(news.kind, None if news.seat is None else who(news.seat), facts)


def _receipt(receipt: Receipt, say: Words) -> Telling:
    who = _who(receipt.players, say)
    return Telling(
        kind="receipt",
        **_common(receipt, say.lang),
        me=who(receipt.seat),
        fate=receipt.fate,
        kept=receipt.kept,
        notices=_noticed(_timed(receipt.notices, receipt.reader.zone, say.lang), say),
        read=tuple(_read(order, receipt, say) for order in receipt.understood),
        troubles=_troubles(receipt.problems, say, receipt.reader.zone),
        say=tuple(plain.lines(receipt.say)) if receipt.say.strip() else (),
        menu=receipt.menu,
        decision=say.name(receipt.view.decision),
        asked=receipt.seat in receipt.view.pending,
        stands=_kept(receipt.stands, say),
        replaces=_kept(receipt.replaces, say) if receipt.replaces else None,
        silence=plain.one_line(receipt.silence),
        received=when.told(receipt.received, receipt.reader.zone, say.lang) if receipt.received else "",
        digest=receipt.digest,
        together=len(receipt.view.pending) > 1,
    )


def _notice(notice: Notice, say: Words) -> Telling:
    return Telling(
        kind="notice",
        **_common(notice, say.lang),
        me=Who(plain.one_line(say.fact(notice.seat)), "") if notice.seat is not None else None,
        notice=notice.kind,
        notices=_noticed(_timed(notice.lines, notice.reader.zone, say.lang), say),
        news=_news(notice, say, _who(notice.players, say)),
        say=tuple(plain.lines(notice.text)) if notice.text.strip() else (),
        menu=notice.menu,
        stands=_kept(notice.stands, say),
    )


def _timed(lines: Iterable[Warned], zone: str, lang: str) -> Iterator[Warned]:
    """The sentences with their instants in words."""
    for line in lines:
        facts = {name: when.told(fact, zone, lang) if isinstance(fact, datetime) else fact
                 for name, fact in line.facts.items()}  # fmt: skip
        yield Warned(line.rule, line.code, line.text, facts)


_tellers: dict[type, Callable[[Any, Words], Telling]] = {Report: _report, Receipt: _receipt, Notice: _notice}


def _common(letter: Letter, lang: str) -> dict[str, Any]:
    titles, says = letter.rules.title, environment.says(lang)
    return {
        "game": plain.one_line(letter.game),
        "title": plain.one_line(titles.get(lang) or titles.get("en") or letter.rules.id),
        "turn": letter.turn,
        "seat": letter.seat,
        "reader": plain.one_line(letter.reader.name, LONGEST_NAME),
        "lang": lang,
        "counter": letter.counter,
        "deadlines": when.deadlines(letter.deadline, letter.reader.zone, letter.zone, lang) if letter.deadline else (),
        "form": form(letter, says),
        "answer_to": letter.answer_to,
        "head": letter.head,
    }


def _who(players: Mapping[Seat, str], say: Words) -> Callable[[Seat], Who]:
    """Seats by what they are called: `green` is a word of its game, which the order form writes as it is."""
    return lambda seat: Who(
        plain.one_line(say.fact(seat)), plain.one_line(players[seat], LONGEST_NAME) if seat in players else ""
    )


def _happened(step: Step, report: Report, say: Words, who: Callable[[Seat], Who]) -> Happened:
    events = tuple(map(Sentence._make, say.story(step.events, report.view)))
    return Happened(step.turn, tuple(_did(taken, who) for taken in step.moves), events)


def _did(taken: Taken, who: Callable[[Seat], Who]) -> Did:
    return Did(who(taken.seat), None if taken.move is None else plain.one_line(taken.move), taken.how)


def _read(order: Understood, receipt: Receipt, say: Words) -> Read:
    return Read(
        _order(order.order),
        None if order.move is None else plain.one_line(order.move),
        _spot(order.place, say.lang),
        order.label,
        tuple(map(Sentence._make, say.story(order.events, receipt.view))),
        _noticed(order.notices, say),
        order.supposed,
    )


def _noticed(notices: Iterable[Warned], say: Words) -> tuple[Sentence, ...]:
    return tuple(Sentence(_worded(notice, say), notice.rule) for notice in notices)


def _troubles(problems: Iterable[Problem], say: Words, zone: str) -> tuple[Trouble, ...]:
    return tuple(_trouble(problem, say, zone) for problem in problems)


def _trouble(problem: Problem, say: Words, zone: str) -> Trouble:
    legal = problem.refusal.legal
    return Trouble(
        _worded(_clocked(problem.refusal, zone, say.lang), say),
        problem.refusal.rule,
        _order(problem.order),
        _spot(problem.place, say.lang),
        tuple(plain.one_line(move) for move in legal[:MOST_LEGAL]),
        max(0, len(legal) - MOST_LEGAL),
    )


def _spot(place: Place | None, lang: str) -> str:
    """Where something was written; a mail, which is what nearly everybody sends, needs no name."""
    if place is None:
        return ""
    says, at = environment.says(lang), {"line": place.line, "column": place.column}
    if place.file == MAIL:
        return plain.one_line(says("line %(line)s, column %(column)s", **at))
    return plain.one_line(says("%(file)s, line %(line)s, column %(column)s", file=place.file, **at))


def _clocked(why: Refusal, zone: str, lang: str) -> Refusal:
    """The refusal with its instants in words. They stand in it as stamps, since the ledger keeps it so."""
    facts = {name: when.told(datetime.fromisoformat(fact), zone, lang) if _is_stamp(fact) else fact
             for name, fact in why.facts.items()}  # fmt: skip
    return dataclasses.replace(why, facts=facts)


_stamp = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")


def _is_stamp(fact: Any) -> bool:
    return isinstance(fact, str) and _stamp.fullmatch(fact) is not None


def _worded(answer: Refusal | Warned, say: Words) -> str:
    """A refusal or warning in the reader's language: its English text is the key of the translation."""
    facts = {name: _short(fact, say) for name, fact in answer.facts.items()}
    return plain.one_line(str(Refusal(answer.rule, answer.code, say.answer(answer.text), facts)), 1000)


def _short(fact: Any, say: Words) -> Any:
    """A fact that may repeat what somebody wrote to us, made plain and cut short; a game's own word in the language."""
    if isinstance(fact, str):
        return plain.one_line(say.fact(fact))
    if isinstance(fact, Who):
        called, player = _called(fact.seat, say), plain.one_line(fact.player, LONGEST_NAME)
        return f"{called} ({player})" if player else called
    return [_short(item, say) for item in fact] if isinstance(fact, list | tuple) else fact


def _called(seat: Seat, say: Words) -> str:
    """A seat in a sentence."""
    return environment.called(plain.one_line(say.fact(seat)), say.lang)


def _kept(stands: Stands, say: Words) -> Kept:
    aloud = fallback.Aloud(*map(say.fact, fallback.SPOKEN))
    answers = ((name, fallback.spoken(value, aloud)) for name, value in stands.standing.items())
    standing = tuple(plain.one_line(f"{name}: {value}") for name, value in answers)
    return Kept(tuple(map(_order, stands.orders)), tuple(map(_order, stands.draft)), standing, stands.nothing)


def _order(entry: Any) -> str:
    return plain.one_line(fallback.order(entry))


def ranked(outcome: Outcome | None, who: Callable[[Seat], Who]) -> tuple[Placed, ...]:
    if outcome is None:
        return ()
    ranking, place = [], 1
    for seats in outcome.places:
        ranking.append(Placed(place, tuple(map(who, seats)), tuple(outcome.scores.get(seat, 0) for seat in seats)))
        place += len(seats)
    return tuple(ranking)


def _ended(outcome: Outcome | None, say: Words) -> Sentence | None:
    return Sentence(say.ending(outcome), outcome.rule) if outcome else None


def _match(match: MatchStands, who: Callable[[Seat], Who]) -> Told:
    sides = tuple(
        Side(side.place, tuple(map(who, side.seats)), side.won, side.points if match.scored else None)
        for side in match.sides
    )
    first = tuple(who(seat) for side in match.first for seat in side.seats)
    name, following = plain.one_line(match.name), plain.one_line(match.next)
    return Told(
        name,
        match.number,
        match.games,
        match.scored,
        sides,
        len(match.first) > 1,
        first,
        match.over,
        match.rule,
        following,
    )
