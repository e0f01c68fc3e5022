"""The order form: YAML that reads as what is held, whatever stands in it, and that ends with its last line."""

from __future__ import annotations

import pytest
import yaml

from engine.entries import plain
from pbem.intake.fields import read_form
from pbem.reports.environment import says
from pbem.reports.form import form, scalar
from pbem.reports.report import LISTED, LOOKED_AT, Menu, Stands, menu
from tests.pbem.reports import letters
from tests.pbem.reports.hostile import NASTY, generated


def made(**changes):
    return form(letters.quiet(**changes), says("en"))


def read(form: str):
    """The form as any YAML reader sees it that takes every scalar as text, as the intake does."""
    return yaml.load(form, yaml.BaseLoader)


def test_the_form_of_the_design():
    held = Stands(("plan HU development 2 fortification 3",))
    lines = [line for line in made(stands=held).split("\n") if not line.startswith("#")]
    assert lines == [
        "game: jade-river",
        "seat: 2",
        "turn: 2",
        "key: K7Q2-9FXM",
        "orders:",
        "  - plan HU development 2 fortification 3",
        "end: orders",
    ]


def test_the_default_is_filled_in_where_nothing_stands():
    assert read(made())["orders"] == ["a1"]
    assert "# All legal moves: a1, a2, a3, b1, b2, c1, c2, c3, c4, c5\n" in made()


def test_what_stands_goes_before_a_draft_and_a_draft_before_the_default():
    both = read(made(stands=Stands(("b1", "c1"), ("c2",))))
    assert (both["orders"], both.get("draft")) == (["b1", "c1"], None)
    draft = read(made(stands=Stands((), ("c2",))))
    assert (draft["orders"], draft["draft"]) == (["c2"], "true")


def test_the_word_for_nothing_is_an_empty_list():
    assert read(made(stands=Stands(nothing=True)))["orders"] == []


def test_a_seat_with_nothing_to_decide_sends_nothing_by_accident():
    waiting = made(menu=None)
    assert "orders" not in read(waiting)
    shown = waiting.replace("# orders:\n#   - your order", "orders:\n  - b1")
    assert read(shown)["orders"] == ["b1"]


def test_conditionals_and_standing_answers_are_written_as_they_are_read():
    order = {"if": ["any", {"seat": "1", "does": "b2"}], "then": ["c1", {"do": "take", "heap": "a"}], "else": []}
    held = Stands((order, "c2"), standing={"consent": {"red": "never", "list": ["a", "b"]}, "ask": "always"})
    assert read(made(stands=held))["orders"] == [order, "c2"]
    assert read(made(stands=held))["standing"] == held.standing


def test_any_text_comes_back_as_it_was():
    texts = [
        *NASTY,
        *generated(3000),
        "",
        "NO",
        "1e3",
        "~",
        "null",
        "- a",
        "a: b",
        "a #b",
        "#a",
        "? x",
        "a:",
        "'",
        "''",
    ]
    for text in texts:
        text = text.encode("utf-8", "replace").decode()  # half characters cannot be written in YAML, nor in a mail
        if "\ufffe" in text:
            continue  # nor can YAML hold this one
        for held in (text, {"do": text, "at": [text, {text[:100]: text}]}):  # YAML knows no very long keys
            again = read(made(stands=Stands((held,))))
            assert again["orders"] == [held], ascii(text)
            assert again["end"] == "orders"


@pytest.mark.parametrize("text", ["place c5", "a5xc3", "a1-b2", "bid 3", "PLAN HU D2 F3", "tile M-A 0,0 rot 2", "pass"])
def test_ordinary_orders_need_no_quotes(text):
    assert scalar(text) == text


@pytest.mark.parametrize("text", NASTY)
def test_a_form_has_only_the_lines_it_should(text):
    lines = made(stands=Stands((text,))).split("\n")
    assert [line for line in lines if line.startswith(("end", "game", "key"))] == [
        "game: jade-river",
        "key: K7Q2-9FXM",
        "end: orders",
    ]


def test_long_moves_stand_on_lines_of_their_own():
    wordy = Menu("pass", tuple(f"plan {'XY'[i % 2]}{i} development 2, fortification {i}" for i in range(5)), None)
    assert "# Some of many legal moves:\n#   plan X0 development 2, fortification 0\n" in made(menu=wordy)


# --- what the intake makes of it --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "held",
    [
        Stands(),
        Stands(("b1", "take 2 from c", {"do": "take", "heap": "c", "count": "1"})),
        Stands(({"if": ["b2", {"seat": "1", "does": "any"}], "then": ["c1"], "else": ["c2", {"do": "resign"}]}, "a1")),
        Stands((), ("c2",)),
        Stands(nothing=True),
        Stands(("b1",), standing={"consent": {"red": "never", "blue": "ask"}}),
    ],
)
def test_the_intake_takes_every_form_of_ours(held):
    letter = letters.quiet(stands=held)
    read = read_form(form(letter, says("en")).encode(), body=True)
    assert [str(problem) for problem in read.problems] == []
    assert (read.form.game, read.form.seat, read.form.turn, read.form.key) == ("jade-river", "2", 2, "K7Q2-9FXM")
    assert tuple(map(plain, read.form.orders)) == (held.orders or held.draft or (() if held.nothing else ("a1",)))
    assert read.form.draft == bool(held.draft and not held.orders)
    assert (read.form.standing or {}) == held.standing
    assert read.form.ended


def test_the_form_of_a_seat_that_waits_is_no_order_to_the_intake():
    read = read_form(form(letters.quiet(menu=None), says("en")).encode(), body=True)
    assert [problem.why.code for problem in read.problems] == ["no_order"]


# --- the menu --------------------------------------------------------------------------------------------------------


class Counting:
    """A game with so many moves that nobody should list them."""

    def __init__(self, count: int) -> None:
        self.count, self.taken = count, 0

    def pending(self, state):
        return ("red",)

    def default(self, state, seat):
        return "m0"

    def moves(self, state, seat):
        for i in range(self.count):
            self.taken += 1
            yield f"m{i}"


@pytest.mark.parametrize(
    ("count", "shown", "told"),
    [(1, 1, 1), (LISTED, LISTED, LISTED), (LISTED + 1, 5, LISTED + 1), (LOOKED_AT, 5, LOOKED_AT), (10**9, 5, None)],
)
def test_a_menu_looks_at_few_moves(count, shown, told):
    game = Counting(count)
    choice = menu(game, None, "red")
    assert (len(choice.examples), choice.count, choice.default) == (shown, told, "m0")
    assert len(set(choice.examples)) == shown
    assert game.taken <= LOOKED_AT + 1


def test_a_seat_that_is_not_asked_has_no_menu():
    assert menu(Counting(3), None, "blue") is None
