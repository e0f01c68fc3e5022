"""Maps in a browser: the same picture as the painted one, and a mail that fits a phone, a desk and paper."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.pictures import painting
from pbem.reports import html, picture
from tests.maps.boards import OURS, boards
from tests.maps.pixels import pixels
from tests.pbem.reports.played import play, report

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = shutil.which("chromium")
FONTS = "".join(
    f"@font-face {{ font-family: 'DejaVu Sans'; font-weight: {weight}; src: url(data:font/ttf;base64,"
    f"{base64.b64encode((painting.FONTS / file).read_bytes()).decode()}); }}"
    for file, weight in (("DejaVuSans.ttf", "normal"), ("DejaVuSans-Bold.ttf", "bold"))
)
ALIKE = 6.0  # of 255, the mean difference of a channel: edges are smoothed a little differently

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.skipif(not painting.able(), reason="resvg-py (the extra `png`) is not installed"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM)
        yield started
        started.close()


@pytest.mark.parametrize("game", OURS)
def test_a_browser_draws_the_same_picture(browser: Any, game: str) -> None:
    svg = boards(game)[len(boards(game)) // 2].svg
    high = painting.height(svg.encode())
    page = browser.new_page(viewport={"width": painting.WIDE, "height": high})
    page.set_content(f"<style>{FONTS} body {{ margin: 0 }} svg {{ display: block }}</style>{svg}")
    page.evaluate("document.fonts.ready")
    shot = pixels(page.screenshot())
    page.close()
    painted = pixels(painting.paint(svg.encode()))
    differences = [
        abs(one - other)
        for y in range(8, min(shot.high, painted.high) - 8, 5)
        for x in range(8, painting.WIDE - 8, 5)
        for one, other in zip(shot.at(x, y), painted.at(x, y), strict=True)
    ]
    assert sum(differences) / len(differences) < ALIKE


@pytest.mark.parametrize(("game", "choices"), [("yuan", {"players": 4}), ("conquest", {}), ("khan", {"players": 4})])
@pytest.mark.parametrize("wide", [360, 1280])
def test_a_mail_with_its_map_fits(browser: Any, game: str, choices: dict[str, Any], wide: int) -> None:
    page = browser.new_page(viewport={"width": wide, "height": 740})
    page.set_content(_mail(game, choices))
    image = page.locator("img")
    box = image.bounding_box()
    assert image.evaluate("image => image.complete && image.naturalWidth") == painting.WIDE
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= wide
    assert box["width"] > (300 if wide == 360 else 500)
    assert page.evaluate("document.documentElement.scrollWidth") <= wide
    assert len(image.get_attribute("alt")) > 100
    page.close()


def test_a_mail_without_its_map_says_it_in_words(browser: Any) -> None:
    """A mail program that shows no pictures shows the words that stand for it."""
    page = browser.new_page(viewport={"width": 360, "height": 740})
    told, drawn = html.mailed(report(play("bagh-chal", 9), "1"))
    assert drawn is not None
    page.set_content(picture.without_image(told))
    assert page.locator("img").count() == 0
    assert "Tigers on" in page.locator(".map p").inner_text()
    page.close()


def _mail(game: str, choices: dict[str, Any]) -> str:
    played = play(game, 30, **choices)
    told, drawn = html.mailed(report(played, played.rules.seats(played.options)[0]))
    assert drawn is not None
    return picture.with_inside(told, drawn.cid, painting.paint(drawn.svg), "image/png")
