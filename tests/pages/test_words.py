"""The position in words on a page: groups and what belongs to what, as the text of the report has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.reports.telling import groups
from pbem.reports.words import Memo, Words
from tests.pages.conftest import Window
from tests.pages.test_walking import opened
from tests.pbem.reports.played import play

pytestmark = pytest.mark.browser

OUTLINE = """() => [...document.querySelectorAll("#words > div")].map((group) => [...group.children].flatMap((one) =>
  one.tagName === "UL" ? [...one.children].map((item) => "  " + item.textContent) : [one.textContent]))"""


@pytest.mark.parametrize("game", ["yuan", "khan"])
def test_a_page_has_the_groups_and_lists_of_the_letter(game: str, window: Window, tmp_path: Path) -> None:
    """Seen red: one flat line after another, as it was before."""
    rules, _, state, _ = play(game, 22)
    seat = rules.pending(state)[0]
    shown = opened(rules, state, seat, window, tmp_path)
    said = groups(Words(rules, "en", Memo()).described(rules.view(state, seat)))
    outline = [["  " * line.under + line.text for line in group] for group in said]
    assert len(outline) > 1
    assert any(line.startswith(" ") for group in outline for line in group)
    assert shown.page.evaluate(OUTLINE) == outline
    shown.is_quiet()
