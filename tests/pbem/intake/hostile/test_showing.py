"""G32: in every page of every game a player's text is text: the same tags, nothing from outside, no line of its own.

`tests/pbem/reports/test_hostile.py` asks this of the frames with a text in each field; here it is asked of the
templates of every game. The long run puts 10,000 texts into the pages and into the endings of each game, another one
into each place; and 300 into all places of a page at once.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markupsafe import Markup

from engine import Outcome, games
from pbem.reports import environment, html, plain, text, words
from pbem.reports.report import Reader, Report, Said, Stands
from tests.faults.figures import counted, told
from tests.pbem.intake.hostile.share import share
from tests.pbem.reports.hostile import NASTY, generated
from tests.pbem.reports.letters import EVERY, HARMLESS
from tests.pbem.reports.played import play, report
from tests.pbem.reports.tags import tags
from tests.pbem.reports.test_endings import ends

TEXTS = [*NASTY, *generated(share(300, 5), seed=32)]
SPREAD = generated(share(10_000, 8), seed=132)
TEMPLATES = Path(__file__).resolve().parents[4] / "templates"
OUTSIDE = {"src", "srcset", "background", "poster", "data", "action", "formaction", "cite", "longdesc", "xlink:href"}
NEVER = {"script", "iframe", "object", "embed", "form", "base", "link", "audio", "video", "frame", "applet", "portal"}


class Remote(HTMLParser):
    """What a page would load or run, or where it would lead to."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.in_style = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.in_style = tag == "style"
        if tag in NEVER or (tag == "meta" and any(name == "http-equiv" for name, _ in attrs)):
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            self._attribute(tag, name, (value or "").strip())

    def handle_data(self, data: str) -> None:
        if self.in_style and re.search(r"url\(|@import|expression\(", data):
            self.found.append(f"style {data[:40]!r}")
        self.in_style = False

    def _attribute(self, tag: str, name: str, value: str) -> None:
        if name.startswith("on"):
            self.found.append(f"<{tag} {name}>")
        elif name in OUTSIDE and not value.startswith(("cid:", "data:image/png;base64,")):
            self.found.append(f"<{tag} {name}={value[:40]!r}>")
        elif name == "href" and not value.startswith(("mailto:", "#")):
            self.found.append(f"<{tag} href={value[:40]!r}>")
        elif name == "style" and re.search(r"url\(|expression\(", value):
            self.found.append(f"<{tag} style={value[:40]!r}>")


def hostile_report(name: str, hostile: str, seat: str | None = None) -> Report:
    """A report of that game in which a player wrote everything that players write."""
    made = report(PLAYED[name], seat)
    players = {**made.players, next(iter(made.players)): hostile}
    speaker = next(iter(made.players))
    return dataclasses.replace(
        made,
        players=players,
        reader=Reader(hostile, made.reader.lang, made.reader.zone),
        press=(Said(speaker, hostile), Said(speaker, hostile, speaker)),
        stands=made.stands if seat is None else Stands((hostile, {"do": hostile, hostile: hostile}), (hostile,), {}),
    )


def hostile_end(name: str, rule: str, reason: str, hostile: str) -> Report:
    """The report of an end in which that text stands wherever the one who made the outcome can put one."""
    made = hostile_report(name, hostile)
    seats = tuple(made.players)
    details = {"by": hostile, hostile: hostile, "side": [hostile], "winner": hostile}
    over = Outcome((seats[:1], seats[1:]), dict.fromkeys(seats, 1), rule, reason or hostile, details)
    return dataclasses.replace(made, outcome=over, deadline=None, menu=None, steps=())


PLAYED = {name: play(name, 12) for name in games()}
ENDS = [end for end in ends() if end[0] in PLAYED]
ENDED = list(dict.fromkeys(name for name, _, _ in ENDS))
END_TEXTS = TEXTS[: share(200, len(NASTY))]
SEATED = [(name, seat) for name, game in PLAYED.items() for seat in (game.rules.seats(game.options)[0], None)]


def harmless(hostile: str) -> str:
    """As many lines of harmless words; nothing where nothing readable is in it."""
    return "\n".join(HARMLESS if line else "" for line in plain.lines(hostile))


def called(hostile: str) -> str:
    """The same of a text that stands in one line."""
    return HARMLESS if harmless(hostile).strip() else ""


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("name", "seat"), SEATED)
def test_the_page_of_every_game(name: str, seat: str | None) -> None:
    expected: dict[str, list[tuple[str, ...]]] = {}
    for hostile in TEXTS:
        page, like = html.render(hostile_report(name, hostile, seat)), harmless(hostile)
        if like not in expected:
            expected[like] = tags(html.render(hostile_report(name, like, seat)))
        assert tags(page) == expected[like], ascii(hostile)
        assert Remote(page).found == [], ascii(hostile)
    counted(len(TEXTS), "texts in all places of a page at once")


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("name", "seat"), SEATED)
def test_the_text_of_every_game(name: str, seat: str | None) -> None:
    """Headings and lines that are ours stay ours: the same ones in the same order."""
    plain_lines = ours(text.render(hostile_report(name, HARMLESS, seat)))
    for hostile in TEXTS:
        lines = text.render(hostile_report(name, hostile, seat))
        assert [line for line in ours(lines) if line in set(plain_lines)] == plain_lines, ascii(hostile)


def chunks(texts: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """The texts, so many at a time; the last of them with some that were there before."""
    for begin in range(0, len(texts), size):
        yield (*texts[begin : begin + size], *texts)[:size]


def spread_report(name: str, hostile: Sequence[str], seat: str | None = None) -> Report:
    """Each seat is called by another text; the first of them stands wherever else a player writes."""
    made = hostile_report(name, hostile[0], seat)
    return dataclasses.replace(made, players=dict(zip(made.players, hostile, strict=True)))


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", PLAYED)
def test_many_texts_in_the_pages_of_every_game(name: str) -> None:
    views, seats = [seat for game, seat in SEATED if game == name], len(report(PLAYED[name], None).players)
    expected: dict[tuple[str | None, ...], tuple[list[tuple[str, ...]], list[str]]] = {}
    for number, hostile in enumerate(chunks(SPREAD, seats)):
        seat = views[number % 2]
        key = (seat, harmless(hostile[0]), *map(called, hostile[1:]))
        if key not in expected:
            like = spread_report(name, [harmless(hostile[0]), *map(called, hostile[1:])], seat)
            expected[key] = tags(html.render(like)), ours(text.render(like))
        shown = spread_report(name, hostile, seat)
        looks_like(html.render(shown), text.render(shown), expected[key], hostile)
    counted(len(SPREAD), "texts in the pages of games")
    told(f"{len(SPREAD):,} texts in the pages of each of {len(PLAYED)} games")


def looks_like(page: str, lines: str, expected: tuple[list[tuple[str, ...]], list[str]], hostile: object) -> None:
    """The same tags, nothing from outside, and the lines that are ours."""
    assert tags(page) == expected[0], ascii(hostile)
    assert Remote(page).found == [], ascii(hostile)
    assert [line for line in ours(lines) if line in set(expected[1])] == expected[1], ascii(hostile)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("name", "rule", "reason"), ENDS)
def test_the_end_of_every_game(name: str, rule: str, reason: str) -> None:
    """Each branch of each `ending.txt.j2`: what stands in an outcome is text, whoever wrote it."""
    memo, expected = html.Memo(), dict[str, list[tuple[str, ...]]]()
    plain_lines = ours(text.render(hostile_end(name, rule, reason, HARMLESS), memo))
    for hostile in END_TEXTS:
        letter, like = hostile_end(name, rule, reason, hostile), harmless(hostile)
        page, _ = html.mailed(letter, memo)
        if like not in expected:
            expected[like] = tags(html.mailed(hostile_end(name, rule, reason, like), memo)[0])
        assert tags(page) == expected[like], ascii(hostile)
        assert Remote(page).found == [], ascii(hostile)
        lines = text.render(letter, memo)
        assert [line for line in ours(lines) if line in set(plain_lines)] == plain_lines, ascii(hostile)


IN_AN_END = 5  # places of an outcome in which a text can stand


def spread_end(name: str, rule: str, reason: str, hostile: Sequence[str]) -> Report:
    """The same with another text in each place of the outcome, and for each seat."""
    by, key, side, winner, why, *players = hostile
    made = hostile_end(name, rule, reason, by)
    assert made.outcome is not None
    details = {"by": by, key: key, "side": [side], "winner": winner}
    over = dataclasses.replace(made.outcome, reason=reason or why, details=details)
    return dataclasses.replace(made, outcome=over, players=dict(zip(made.players, players, strict=True)))


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", ENDED)
def test_many_texts_in_the_endings_of_every_game(name: str) -> None:
    """The branches of an `ending.txt.j2` take turns."""
    branches = [(rule, reason) for game, rule, reason in ENDS if game == name]
    memo, expected = html.Memo(), dict[tuple[str, ...], tuple[list[tuple[str, ...]], list[str]]]()
    size = IN_AN_END + len(report(PLAYED[name], None).players)
    for number, hostile in enumerate(chunks(SPREAD, size)):
        branch = branches[number % len(branches)]
        likes = [harmless(hostile[0]), *map(called, hostile[1:])]
        if (key := (*branch, *likes)) not in expected:
            like = spread_end(name, *branch, likes)
            expected[key] = tags(html.mailed(like, memo)[0]), ours(text.render(like, memo))
        shown = spread_end(name, *branch, hostile)
        looks_like(html.mailed(shown, memo)[0], text.render(shown, memo), expected[key], hostile)
    counted(len(SPREAD), "texts in the endings of games")
    told(f"{len(SPREAD):,} texts in the endings of each of {len(ENDED)} games")


def test_an_ending_that_told_what_stands_in_it_unescaped_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The weakened build."""
    monkeypatch.setattr(words.Words, "ending", lambda self, outcome: Markup(outcome.details["by"]))
    name, rule, reason = ENDS[0]
    page = html.render(hostile_end(name, rule, reason, "<img src=http://evil.example/x.png onerror=alert(1)>"))
    assert Remote(page).found != []


def ours(rendered: str) -> list[str]:
    """The headings and the lines that a program reads, or a player trusts."""
    begins = ("game:", "seat:", "turn:", "key:", "orders:", "end:", "Ledger head:", "Dice commitment:")
    return [line for line in rendered.split("\n") if line.startswith(begins) or (line.isupper() and line.isascii())]


def test_every_template_was_asked() -> None:
    """A new template that no letter above uses would go unseen."""
    for name, seat in SEATED:
        html.render(hostile_report(name, HARMLESS, seat))
        text.render(hostile_report(name, HARMLESS, seat))
    for make in EVERY.values():
        html.render(make(HARMLESS))
        text.render(make(HARMLESS))
    for end in ENDS:
        text.render(hostile_end(*end, HARMLESS))
    used = set()
    for game in ("", *PLAYED, "bare"):
        for is_html in (True, False):
            cache = environment.environment("en", html=is_html, game=game).cache
            assert cache is not None
            used |= {str(template.name) for template in cache.values()}
    there = {str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.j2")}
    there = {name for name in there if not name.startswith(("page/", "audit/"))}  # no letters; they have their own
    assert there - used == set(), "no letter of tests/pbem/reports/letters.py is made with these"


@pytest.mark.parametrize("name", PLAYED)
def test_without_autoescape_it_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weakened build."""
    real = environment.environment
    monkeypatch.setattr(environment, "environment", lambda lang, html, game="": real(lang, html=False, game=game))
    page = html.render(hostile_report(name, "<img src=http://evil.example/x.png onerror=alert(1)>"))
    assert Remote(page).found != []


def test_the_comparison_sees_all_that_leads_outside() -> None:
    for page in (
        "<img src='http://evil.example'>",
        "<a href='http://evil.example'>x</a>",
        "<a href='javascript:x'>x</a>",
        "<p style='background: url(//evil)'>",
        "<style>@import 'x'</style>",
        "<svg><image xlink:href='x'></svg>",
        "<p onclick=x>",
        "<script>x</script>",
        "<meta http-equiv=refresh content=0>",
    ):
        assert len(Remote(page).found) == 1, page
