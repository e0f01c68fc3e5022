"""The audit page in a browser: it is quiet, offline and accessible, and it prints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.pages.conftest import Window
from tests.pbem.cli.desk import DEADLINE, Desk

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def written(desk: Desk, tmp_path: Path) -> Path:
    name = desk.data("status")["games"][0]["name"]
    desk("nightly", "--now", DEADLINE, "--jobs", "1")
    desk("audit", "page", name, tmp_path / "audit.html", "--pictures", "--referee", "--now", DEADLINE)
    return tmp_path / "audit.html"


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_is_asked_for_and_nobody_is_shut_out(window: Window, written: Path, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    opened = window.open(written, width)
    opened.page.goto(f"{written.as_uri()}#turn-1")
    assert opened.page.locator("#turn-1 img").first.evaluate("one => one.naturalWidth") > 0
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    assert opened.said == []
    assert all(asked.startswith(("file:", "data:")) for asked in opened.asked_for)
    found = axe.Axe().run(opened.page)
    assert found.violations_count == 0, found.generate_report()


def test_it_prints(window: Window, written: Path, tmp_path: Path) -> None:
    page: Any = window.open(written).page
    page.pdf(path=str(tmp_path / "audit.pdf"), format="A4")
    assert (tmp_path / "audit.pdf").read_bytes().startswith(b"%PDF")
    page.emulate_media(media="print")
    shown = page.locator("nav").evaluate_all("found => found.map(one => getComputedStyle(one).display)")
    assert set(shown) == {"none"}
