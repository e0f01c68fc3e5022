"""What is tapped on a map is what is ordered: no tap, key or word makes an order that was not chosen.

Each run looks at a share; `PBEM_LONG=1` at 50 positions of each game and 2,000 pairs of taps that no move has.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import Dice, load
from tests.faults.figures import counted, so_many
from tests.pages.conftest import GAMES, Window
from tests.pages.tapping import RUN, Table, Task, tables

WHOLE = "PBEM_LONG" in os.environ
POSITIONS = so_many(3, 50)
MOVES = so_many(30, 400)  # of a position; of those with more the whole run taps each choice at least once
PAIRS = so_many(60, 2000)
TEXTS = so_many(20, 40)  # typed in a position

pytestmark = [pytest.mark.browser, pytest.mark.timeout(0 if WHOLE else 300)]

Swap = tuple[str, str]  # words of the page's script, and others in their place


def opened(
    game: str, window: Window, folder: Path, count: int = POSITIONS, weakened: Swap | None = None
) -> Iterator[tuple[Table, Any]]:
    """Positions of a game, each with its page in the browser."""
    for table in tables(game, 20 * count if weakened else count, Random(38)):
        file = table.page(folder)
        if weakened:
            text = file.read_text("utf-8")
            assert text.count(weakened[0]) == 1
            file.write_text(text.replace(*weakened), "utf-8")
        shown = window.open(file, 360, bypass_csp=bool(weakened))
        yield table, shown.page
        shown.is_quiet()
        window.close()
        window.contexts.clear()


def faults(page: Any, tasks: list[Task]) -> list[str]:
    """Do the tasks in the page, and return what went wrong."""
    results = page.evaluate(RUN, [task.to_json() for task in tasks])
    return [f"{task}: {fault}" for task, fault in zip(tasks, results, strict=True) if fault]


def places(page: Any) -> list[str]:
    """Return the places on which the map takes taps."""
    return list(page.evaluate("[...document.querySelectorAll('[data-place]')].map((one) => one.dataset.place)"))


def tap_moves(game: str, window: Window, folder: Path, weakened: Swap | None = None) -> int:
    """Tap legal moves of some positions, and return how many; each must become the order."""
    done = 0
    for table, page in opened(game, window, folder, weakened=weakened):
        tasks = table.tapped(MOVES, WHOLE)
        assert faults(page, tasks) == [], table.rules.position(table.state)
        done += len(tasks)
    return done


def tap_pairs(game: str, window: Window, folder: Path, weakened: Swap | None = None) -> int:
    """Tap pairs of places that no legal move has, and return how many; none may become an order."""
    left = PAIRS
    for table, page in opened(game, window, folder, 20 * POSITIONS, weakened):
        tasks = table.pairs(min(left, -(-PAIRS // POSITIONS)), places(page))
        assert faults(page, tasks) == [], table.rules.position(table.state)
        left -= len(tasks)
        if not left:
            break
    return PAIRS - left


@pytest.mark.parametrize("game", list(GAMES))
def test_a_legal_move_that_is_tapped_is_the_order(game: str, window: Window, tmp_path: Path) -> None:
    done = tap_moves(game, window, tmp_path)
    assert done > POSITIONS
    counted(POSITIONS, "positions")
    counted(done, "moves tapped")


@pytest.mark.parametrize("game", list(GAMES))
def test_two_taps_that_no_move_has_make_no_order(game: str, window: Window, tmp_path: Path) -> None:
    assert tap_pairs(game, window, tmp_path) == PAIRS
    counted(PAIRS, "illegal pairs")


ONE_FITS = (
    "if (found.length === 1 && whole.length === 1 && !this.beyond(whole[0])) return this.choose(step, whole[0], true);"
)
WEAKENED = {
    "places are read out of the texts of moves": (
        tap_moves,
        "bagh-chal",
        ("places: where,", r"places: text.split(/[^\p{L}\p{N}]+/u).filter(Boolean),"),
    ),
    "a choice is taken as soon as it is the only one that fits": (
        tap_pairs,
        "hasami-shogi",
        (ONE_FITS, "if (places.length && found.length === 1) return this.choose(step, found[0], true);"),
    ),
    "a choice is taken though others begin with its places": (
        tap_moves,
        "yut",
        (ONE_FITS, "if (whole.length) return this.choose(step, whole[0], true);"),
    ),
    "places are taken in any order": (
        tap_pairs,
        "hasami-shogi",
        ("if (anyOrder) return new Set", "if (true) return new Set"),
    ),
    "the only answer to a question is given unasked": (
        tap_moves,
        "conquest",
        (
            "const next = none && (same ?? none);",
            "const next = none ? same ?? none : edges.length === 1 && this.path.length && edges[0];",
        ),
    ),
    "nothing is said of a tap that is refused": (tap_pairs, "yuan", ('[], "refused");', '[], "");')),
}


@pytest.mark.parametrize("weakened", WEAKENED)
def test_a_weakened_page_is_found(weakened: str, window: Window, tmp_path: Path) -> None:
    tap, game, swap = WEAKENED[weakened]
    with pytest.raises(AssertionError, match="Task"):
        tap(game, window, tmp_path, swap)


def test_another_target_takes_the_levels_away(window: Window, tmp_path: Path) -> None:
    """The same levels on another province are another plan: recruitment becomes an attack."""
    for table, page in opened("yuan", window, tmp_path, 20):
        plans = [task for task in table.tapped(MOVES, False) if len(task.answers) > 1 and task.answers[0].places]
        targets = {task.answers[0].places[0] for task in plans}
        if len(targets) < 2:
            continue
        for task in plans[:5]:
            assert faults(page, [replace(task, typed=False)]) == []
            other = sorted(targets - set(task.answers[0].places))[0]
            page.locator(f"[data-place='{other}']").dispatch_event("click")
            assert order(page) == ""
        return
    raise AssertionError("no position has two targets")


def order(page: Any) -> str:
    """The order in the form that would be sent."""
    found = re.search(r"\n  - (.*)\n", page.locator("#yaml").text_content())
    return found[1].strip("'") if found else ""


@pytest.mark.parametrize("game", list(GAMES))
def test_a_finger_hits_what_it_touches(game: str, window: Window, tmp_path: Path) -> None:
    """Taps on the glass, not events: nothing lies above a place, and what becomes of them is seen below the map."""
    [table] = tables(game, 1, Random(5))
    task = max(table.tapped(MOVES, False), key=lambda task: len(task.answers[0].places))
    page = window.open(table.page(tmp_path), 360, has_touch=True).page
    for answer in task.answers:
        for place in answer.places:
            page.locator(f"[data-place='{place}']").tap()
        if answer.places and not answer.alone:
            page.locator("#fits button").get_by_text(answer.name, exact=True).tap()
        if not answer.places:
            page.locator(f"#step-{answer.step}-{answer.edge}, #step-{answer.step}-tick").check()
    assert order(page) == task.text
    if task.answers[-1].places:
        assert task.text in page.locator("#tapped").inner_text()
        box = page.locator("#tapped").bounding_box()
        assert 0 <= box["y"] < 900 - box["height"] + 1


# --- words ----------------------------------------------------------------------------------------------------------

TYPE = """(texts) => texts.map((text) => {
  const filter = document.getElementById("filter");
  document.getElementById("anew").click();
  filter.value = text;
  filter.dispatchEvent(new Event("input", { bubbles: true }));
  const left = [...document.querySelectorAll("#moves-0 input")].map((one) => one.value);
  filter.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  const taken = document.querySelector("input[name='step-0']:checked")?.value ?? "";
  return [left, taken, document.getElementById("count").textContent];
})"""


def type_texts(game: str, window: Window, folder: Path, weakened: Swap | None = None) -> int:
    """Type moves, and the first letters of moves, and Enter; return how many. What is taken must be what was typed
    out, or the only move left in the list."""
    source, done = Random(39), 0
    for table, page in opened(game, window, folder, weakened=weakened):
        whole = sorted({parts[0].text for parts in table.moves})
        pieces = [text[: source.randint(1, len(text))] for text in source.choices(whole, k=TEXTS)]
        typed = ["", *source.choices(whole, k=TEXTS), *pieces]
        for text, (left, taken, said) in zip(typed, page.evaluate(TYPE, typed), strict=True):
            words = " ".join(text.lower().split())
            meant = [one for one in left if one.lower() == words] or left
            if len(meant) == 1 and words:
                assert taken == meant[0], (text, left)
            else:
                assert not taken, (text, left)
                assert str(len(left)) in said, "nothing is said of an Enter that takes nothing"
            done += 1
    return done


@pytest.mark.parametrize("game", list(GAMES))
def test_enter_takes_what_was_typed_out_or_the_only_one_left(game: str, window: Window, tmp_path: Path) -> None:
    counted(type_texts(game, window, tmp_path), "texts typed")


def test_a_page_whose_enter_takes_the_first_is_found(window: Window, tmp_path: Path) -> None:
    swap = ("if (edge && !more.length && !this.beyond(edge))", "if (edge)")
    with pytest.raises(AssertionError):
        type_texts("hasami-shogi", window, tmp_path, swap)


# --- without places -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", list(GAMES))
def test_a_map_that_declares_no_places_takes_no_taps(game: str, window: Window, tmp_path: Path) -> None:
    """As it came with a letter of an earlier version: nothing is guessed, and the lists do all of it."""
    [table] = tables(game, 1, Random(8))
    bare = re.sub(r"<metadata>.*?</metadata>", "", table.picture(), flags=re.DOTALL)
    in_lists(table, window, tmp_path, bare)


@pytest.mark.parametrize("game", ["nim", "vault"])
def test_a_game_that_names_no_places_takes_no_taps(game: str, window: Window, tmp_path: Path) -> None:
    """A package that knows nothing of places, with labels on its map that look like its moves."""
    rules = load(game)
    state = rules.setup(rules.Options(), Dice(b"no places" * 4, game)).state
    table = Table(rules, state, rules.pending(state)[0], Random(9))
    texts = "".join(f"<text x='{20 * i}' y='20'>{parts[0].text}</text>" for i, parts in enumerate(table.moves))
    in_lists(table, window, tmp_path, f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>{texts}</svg>")


def in_lists(table: Table, window: Window, folder: Path, picture: str) -> None:
    """Everything is chosen in lists, and the map is a picture."""
    opened = window.open(table.page(folder, picture), 360)
    assert opened.page.locator("#map svg").count() == 1
    assert opened.page.locator("#map [role='button'], #map [data-place], #taps:visible").count() == 0
    tasks = table.tapped(MOVES, False)
    listed = [replace(task, answers=tuple(one._replace(places=[]) for one in task.answers)) for task in tasks]
    assert faults(opened.page, listed) == []
    opened.is_quiet()
