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

from engine import games
from pbem.reports import environment, html, plain, text
from pbem.reports.report import Reader, Report, Said, Stands
from tests.pbem.intake.hostile.share import share
from tests.pbem.reports.hostile import NASTY, generated
from tests.pbem.reports.letters import EVERY, HARMLESS
from tests.pbem.reports.played import play, report
from tests.pbem.reports.tags import tags

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


PLAYED = {name: play(name, 12) for name in games()}
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
    used = set()
    for game in ("", *PLAYED, "bare"):
        for is_html in (True, False):
            cache = environment.environment("en", html=is_html, game=game).cache
            assert cache is not None
            used |= {str(template.name) for template in cache.values()}
    there = {str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.j2")}
    # Those are no letters, and no word of a player's is in an ending: they have tests of their own.
    there = {name for name in there if not name.startswith(("page/", "audit/")) and not name.endswith("/ending.txt.j2")}
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
