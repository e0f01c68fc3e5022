"""Orders composed in the page go the whole way: saved, checked, submitted, resolved, told in the next report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.pages.conftest import GAMES, HOSTILE, Opened, Table, Window
from tests.pbem.cli.desk import DEADLINE, LATER, Desk

pytestmark = pytest.mark.browser


def by_clicking(page: Any) -> str:
    """Places are clicked until one move is left; where the board cannot be clicked, the list is."""
    targets = page.locator(".target")
    if targets.count():
        targets.nth(targets.count() // 2).click()
    if not page.locator("#moves input:checked").count():
        page.locator("#moves label").last.click()
    return str(page.locator("#moves input:checked").get_attribute("value"))


def by_keyboard(page: Any) -> str:
    """The last move of the list is typed, and taken with Enter."""
    wanted = str(page.locator("#moves input").last.get_attribute("value"))
    page.locator("#filter").focus()
    page.keyboard.type(wanted)
    page.keyboard.press("Enter")
    return str(page.locator("#moves input:checked").get_attribute("value"))


def saved(opened: Opened, folder: Path, press: str = "") -> Path:
    page = opened.page
    with page.expect_download() as coming:
        if press:
            page.locator("#save").focus()
            page.keyboard.press(press)
        else:
            page.locator("#save").click()
    target = folder / coming.value.suggested_filename
    coming.value.save_as(target)
    return target


def goes_the_whole_way(table: Table, seat: str, file: Path, move: str) -> None:
    table.desk("check", file, "--now", LATER)
    assert table.desk.data("submit", file, "--now", LATER)["fate"] == "accepted"
    table.desk("nightly", "--now", DEADLINE, "--jobs", "1")
    made = [(made["seat"], made["move"], made["how"]) for step in table.report(seat)["steps"] for made in step["moves"]]
    assert (seat, move, "given") in made


@pytest.mark.parametrize("game", list(GAMES))
def test_an_order_is_clicked_on_a_telephone(game: str, desk: Desk, window: Window) -> None:
    table = Table(desk, f"{game}-a")
    seat = table.seat
    opened = window.open(table.page(seat), 360, has_touch=True)
    move = by_clicking(opened.page)
    file = saved(opened, desk.folder)
    assert opened.page.evaluate("document.documentElement.scrollWidth") == 360
    assert [url for url in opened.asked_for if not url.startswith("blob:")] == []
    assert opened.said == []
    goes_the_whole_way(table, seat, file, move)


@pytest.mark.parametrize("game", list(GAMES))
def test_an_order_is_typed_at_a_desk(game: str, desk: Desk, window: Window) -> None:
    table = Table(desk, f"{game}-a")
    seat = table.seat
    opened = window.open(table.page(seat), 1280)
    move = by_keyboard(opened.page)
    opened.page.locator("#say").fill("Well: \"played\"\n# - 'you' \u202e \u0007")
    file = saved(opened, desk.folder, "Enter")
    link = opened.page.locator("#mail").get_attribute("href")
    assert link.startswith("mailto:orders")
    assert file.read_text().splitlines()[-1] == "end: orders"
    goes_the_whole_way(table, seat, file, move)
    assert table.report(seat)["press"][0]["text"] == "Well: \"played\"\n# - 'you'"


def test_earlier_turns_are_stepped_through_by_keys(desk: Desk, window: Window) -> None:
    table = Table(desk, "jarmo-a")
    desk("nightly", "--now", DEADLINE, "--jobs", "1")
    opened = window.open(table.page("green"))
    page = opened.page
    assert page.locator("#when").inner_text() == "Decision 2"
    now = page.locator("#map svg desc").text_content()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#when").inner_text() == "Decision 1"
    assert page.locator("#map svg desc").text_content() != now
    page.keyboard.press("End")
    assert page.locator("#map svg desc").text_content() == now
    opened.is_quiet()


def test_a_hostile_name_is_a_text_and_would_do_nothing_as_markup(desk: Desk, window: Window) -> None:
    """Weakened build: a page without its policy; the last lines see it."""
    table = Table(desk, "bagh-chal-a")
    file = table.page(table.seat)
    opened = window.open(file)
    assert HOSTILE in opened.page.locator(".players").inner_text()
    opened.is_quiet()
    assert does_run(opened.page) is False
    bare = desk.folder / "bare.html"
    bare.write_text(file.read_text().replace("Content-Security-Policy", "X-Nothing"))
    assert does_run(window.open(bare).page) is True


def does_run(page: Any) -> bool:
    """Whether a handler that came in as markup is obeyed."""
    return bool(
        page.evaluate("""() => new Promise((tell) => {
          window.owned = () => tell(true);
          const box = document.createElement("div");
          box.innerHTML = "<button onclick='owned()'>x</button>";
          document.body.append(box);
          box.firstChild.click();
          setTimeout(() => tell(false), 200);
        })""")
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(scheme: str, desk: Desk, window: Window) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    table = Table(desk, "hasami-shogi-a")
    desk("site", "site", "--now", LATER)
    for file in (table.page(table.seat), desk.folder / "site" / "index.html", desk.folder / "site" / "yut-a.html"):
        page = window.open(file, 360, color_scheme=scheme).page
        # Axe brings its own script, which the policy of the page rightly refuses to a tag, not to a debugger.
        found = axe.Axe().run(page).response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found if one["impact"] in SERIOUS] == []


SERIOUS = ("serious", "critical")
