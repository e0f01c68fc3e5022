"""G32: in every page of every game a player's text is text: the same tags, nothing from outside, no line of its own.

`tests/pbem/reports/test_hostile.py` asks this of the frames with a text in each field; here it is asked of the
templates of every game. The long run puts 1,500 texts into each page, more than 20,000 in all.
"""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markupsafe import Markup

from engine import Outcome, games
from pbem.reports import environment, html, plain, text, words
from pbem.reports.report import Reader, Report, Said, Stands
from tests.pbem.intake.hostile.share import share
from tests.pbem.reports.hostile import NASTY, generated
from tests.pbem.reports.letters import EVERY, HARMLESS
from tests.pbem.reports.played import play, report
from tests.pbem.reports.tags import tags
from tests.pbem.reports.test_endings import ends

TEXTS = [*NASTY, *generated(share(1500, 5), seed=32)]
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
END_TEXTS = TEXTS[: share(200, len(NASTY))]
SEATED = [(name, seat) for name, game in PLAYED.items() for seat in (game.rules.seats(game.options)[0], None)]


def harmless(hostile: str) -> str:
    """As many lines of harmless words; nothing where nothing readable is in it."""
    return "\n".join(HARMLESS if line else "" for line in plain.lines(hostile))


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


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("name", "seat"), SEATED)
def test_the_text_of_every_game(name: str, seat: str | None) -> None:
    """Headings and lines that are ours stay ours: the same ones in the same order."""
    plain_lines = ours(text.render(hostile_report(name, HARMLESS, seat)))
    for hostile in TEXTS:
        lines = text.render(hostile_report(name, hostile, seat))
        assert [line for line in ours(lines) if line in set(plain_lines)] == plain_lines, ascii(hostile)


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
