"""Everybody can read it: axe finds nothing serious in mails, pages, a site and rules, on a phone and on a desk, by day
and by night; nothing moves for who does not like it; the whole page works by keyboard; the console stays clean.

A name that no page should obey stands everywhere. Weakened builds: a picture without words and a button without a name
must be found; and a script beside the page's own must not run.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.reports import html, picture
from tests.pages.conftest import GAMES, HOSTILE, Opened, Table, Window
from tests.pbem.cli.desk import DEADLINE, Desk
from tests.pbem.reports.played import play, report

pytestmark = pytest.mark.browser
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")

SERIOUS = {"serious", "critical"}
WAYS = [(360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")]


def faults(opened: Opened) -> list[str]:
    """What axe calls serious, with the first place of each."""
    opened.page.evaluate("document.fonts.ready")
    found = axe.Axe().run(opened.page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found if one["impact"] in SERIOUS]


def open_in(window: Window, file: Path, width: int, scheme: str) -> Opened:
    # axe puts its own script into the page, which the page's policy would rightly not let run
    return window.open(file, width, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)


def mail_page(folder: Path, game: str, lang: str = "en") -> Path:
    """The page of a long report as a mail program shows it, with its picture."""
    file = folder / f"mail-{game}.html"
    played = play(game, 20)
    told, drawn = html.mailed(report(played, played.rules.seats(played.options)[0]))
    file.write_text(
        told if drawn is None else picture.with_inside(told, drawn.cid, drawn.svg, "image/svg+xml"), "utf-8"
    )
    return file


@pytest.mark.parametrize("game", GAMES)
def test_a_mail_whose_program_takes_its_styles_away(window: Window, tmp_path: Path, game: str) -> None:
    """What matters stands at the elements themselves: it is still clean, and fits a phone."""
    file = mail_page(tmp_path, game)
    bare = re.sub(r"<style>.*?</style>", "", file.read_text("utf-8"), flags=re.DOTALL)
    assert "class=" in bare
    assert "<style" not in bare
    file.write_text(bare, "utf-8")
    opened = open_in(window, file, 360, "light")
    assert faults(opened) == []
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("name", ["Anna Maria Wolkenstein-Hohenembs zu Rottenburg am Neckar-Tal", "W" * 60])
def test_a_long_name_leaves_the_words_beside_it_whole(window: Window, tmp_path: Path, name: str) -> None:
    """On a telephone the moves were told a letter a line."""
    for game in GAMES:
        file = mail_page(tmp_path, game)
        file.write_text(re.sub(r"(<td><bdi>[^<(]*)\([^)]*\)", rf"\1({name})", file.read_text("utf-8")), "utf-8")
        page = window.open(file, 360).page
        assert name in page.locator(".moves").first.inner_text(), game
        assert page.evaluate(BROKEN) == [], game
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, game


# The words of moves, of what is beside them and of what stands above that take more than one line.
BROKEN = """[...document.querySelectorAll(".moves th, .moves td")].filter((cell) => !cell.querySelector("bdi"))
  .flatMap((cell) => [cell, ...cell.querySelectorAll("*")])
  .flatMap((one) => [...one.childNodes].filter((node) => node.nodeType === 3))
  .flatMap((node) => [...node.data.matchAll(/[^\\s-]+/g)].map((word) => {
    const range = document.createRange();
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    return [word[0], new Set([...range.getClientRects()].map((box) => box.top)).size];
  })).filter(([word, lines]) => lines > 1 && word.length <= 10)"""


@pytest.fixture
def site(desk: Desk) -> Path:
    desk("nightly", "--now", DEADLINE, "--jobs", "1")
    folder = desk.folder / "site"
    desk("site", folder, "--now", DEADLINE)
    return folder


@pytest.mark.parametrize(("width", "scheme"), WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_a_mail(window: Window, tmp_path: Path, game: str, width: int, scheme: str) -> None:
    assert faults(open_in(window, mail_page(tmp_path, game), width, scheme)) == []


@pytest.mark.parametrize(("width", "scheme"), WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_a_seats_page(desk: Desk, window: Window, game: str, width: int, scheme: str) -> None:
    table = Table(desk, f"{game}-a")
    opened = open_in(window, table.page(table.seat), width, scheme)
    opened.page.evaluate("if (document.getElementById('rules')) document.getElementById('rules').open = true")
    assert faults(opened) == []
    for kind in ("target", "spot"):  # a tap that leads on, and one that is refused
        if opened.page.locator(f"#map .{kind}").count():
            opened.page.locator(f"#map .{kind}").first.dispatch_event("click")
            assert opened.page.locator("[role='status']#tapped").inner_text()
    assert faults(opened) == []
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("width", "scheme"), WAYS)
def test_a_site_and_its_rules(site: Path, window: Window, width: int, scheme: str) -> None:
    for name in ("index.html", "khan-a.html", "rules-yuan.en.html", "rules-khan.fr.html"):
        opened = open_in(window, site / name, width, scheme)
        assert faults(opened) == [], name
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width, name


def test_a_site_obeys_no_name(site: Path, window: Window) -> None:
    """The policy holds, the console is clean, and the name is shown as it is written."""
    for file in (site / "index.html", *(site / f"{game}-a.html" for game in GAMES)):
        opened = window.open(file)
        assert opened.page.evaluate("typeof owned") == "undefined"
        assert opened.page.locator("img").count() == 0
        assert HOSTILE in opened.page.locator("body").inner_text(), file.name
        opened.is_quiet()


def test_the_rules_are_reached_by_keyboard(desk: Desk, window: Window) -> None:
    """From the paragraph behind a sentence to its words, within the page that holds both."""
    desk("nightly", "--now", DEADLINE, "--jobs", "1")
    table = Table(desk, "bagh-chal-a")
    opened = window.open(table.page(table.seat), 360, reduced_motion="reduce")
    link = opened.page.locator("#story a.rule").first
    link.focus()
    opened.page.keyboard.press("Enter")
    place = opened.page.locator(f'[id="{link.get_attribute("href").partition("#")[2]}"]')
    place.wait_for(state="visible")
    assert opened.page.evaluate("document.getElementById('rules').open")
    assert place.bounding_box()["y"] < 900
    opened.is_quiet()


def test_nothing_moves_for_who_does_not_like_it(desk: Desk, window: Window) -> None:
    table = Table(desk, "bagh-chal-a")
    for motion, moves in (("reduce", False), ("no-preference", True)):
        page = window.open(table.page(table.seat), reduced_motion=motion).page
        took = page.evaluate(
            "[...document.querySelectorAll('*')].map((one) => getComputedStyle(one))"
            ".some((style) => parseFloat(style.transitionDuration) > 0 || style.animationName !== 'none')"
        )
        assert took is moves


@pytest.mark.parametrize(
    "spoilt", ["<img src='data:,'>", "<button></button>", "<p style='color:#ddd;background:#fff'>pale words</p>"]
)
def test_weakened_axe_finds_what_is_wrong(window: Window, tmp_path: Path, spoilt: str) -> None:
    file = mail_page(tmp_path, "bagh-chal")
    file.write_text(file.read_text("utf-8").replace("</body>", f"{spoilt}</body>"), "utf-8")
    assert faults(open_in(window, file, 1280, "light"))


def test_weakened_a_name_in_a_script_would_be_seen(site: Path, window: Window) -> None:
    file = site / "index.html"
    file.write_text(file.read_text("utf-8").replace("</body>", "<script>owned = 1</script></body>"), "utf-8")
    opened = window.open(file)
    assert opened.page.evaluate("typeof owned") == "undefined", "the policy let it run"
    assert opened.said, "and nobody was told"
