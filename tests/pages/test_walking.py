"""The page's own script, in a browser: what it composes in random positions is what the rules allow."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import Refusal
from pbem.reports import json as json_report
from pbem.reports.report import Report
from tests.pages.conftest import GAMES, Window
from tests.pages.test_offer import Position, positions
from tests.pages.test_size import page_of

pytestmark = pytest.mark.browser

POSITIONS = 3  # of each game
CLICKED = 2  # moves that are composed by clicking, in each
ORDERS = 3  # sent together

ALL = """() => {
  const found = [];
  const after = (at, text) => composer.net.nodes[at].edges.forEach((edge) => walk(edge.to, text + edge.text));
  const walk = (at, text) => at === END ? found.push(text) : after(at, text);
  walk(composer.net.start, "");
  return found;
}"""
INPUTS = """(text) => composer.net.find(text).map((edge, step, path) => {
  const { edges } = composer.net.nodes[step ? path[step - 1].to : composer.net.start];
  return [`step-${step}-${edges.indexOf(edge)}`, `step-${step}-tick`, Boolean(edge.text)];
})"""


def opened(rules: Any, state: Any, seat: str, window: Window, folder: Path) -> Any:
    """The page of a position in the browser."""
    view = rules.view(state, seat)
    told = json_report.plain(Report(game="coral", rules=rules, seat=seat, turn=1, view=view, steps=()))
    file = folder / "page.html"
    file.write_text(page_of(rules, state, seat, [told]), encoding="utf-8")
    return window.open(file, 360)


def click(page: Any, text: str) -> None:
    """Compose that move by clicking its answers, one question after the other."""
    for radio, tick, some in page.evaluate(INPUTS, text):
        if page.locator(f"#{radio}").count():
            page.locator(f"#{radio}").check()
        elif page.locator(f"#{tick}").count():
            page.locator(f"#{tick}").set_checked(some)


@pytest.mark.parametrize("game", list(GAMES))
def test_the_script_composes_what_is_legal(game: str, window: Window, tmp_path: Path) -> None:
    source = Random(11)
    for rules, state in list(positions(game, 2 * POSITIONS))[::2]:
        seat = source.choice(rules.pending(state))
        shown = opened(rules, state, seat, window, tmp_path)
        legal = [str(move) for move in rules.moves(state, seat)]
        assert sorted(shown.page.evaluate(ALL)) == sorted(legal)
        for text in source.sample(legal, min(CLICKED, len(legal))):
            click(shown.page, text)
            assert shown.page.evaluate("composer.choice.text") == text
            assert f"\n  - {text}\n" in shown.page.locator("#yaml").inner_text().replace("'", "")
        shown.is_quiet()


@pytest.mark.parametrize("game", ["khan", "conquest"])
def test_the_script_lets_no_two_orders_go_together_that_hinder_each_other(
    game: str, window: Window, tmp_path: Path
) -> None:
    source, judged = Random(12), 0
    for rules, state in list(filter(pays_together, positions(game, 18)))[-POSITIONS:]:
        seat = rules.pending(state)[0]
        page = opened(rules, state, seat, window, tmp_path).page
        for _ in range(ORDERS):
            if not any_by_clicking(page, source):
                break
            page.locator("#more").click()
        here = state
        for text in page.evaluate("composer.orders()"):
            if here is None or seat not in rules.pending(here):
                break
            move = rules.read(here, seat, text)
            assert not isinstance(move, Refusal), (text, str(move))
            judged += 1
            here = rules.foresee(here, seat, move)
    assert judged >= POSITIONS


def pays_together(position: Position) -> bool:
    rules, state = position
    purse = rules.composer(state, rules.pending(state)[0]).purse
    return purse is not None and purse.shared


def any_by_clicking(page: Any, source: Random) -> bool:
    """Answer each question by something that is still offered; False when there is nothing."""
    for _ in range(12):
        if page.evaluate("composer.choice.complete"):
            return True
        free = page.locator("#steps fieldset").last.locator("input:enabled")
        if not free.count():
            return False
        page.locator(f"#{free.nth(source.randrange(free.count())).get_attribute('id')}").check()
    return False
