"""A file that cannot be taken apart still says whose it is, so that its sender can be told."""

import time

import pytest

from pbem.intake.fields import read_form
from pbem.intake.sketch import sketch

HEAD = "game: jade-river\nseat: red\nturn: 12\nkey: K7Q2-9FXM\n"


@pytest.mark.parametrize(
    "text",
    [
        HEAD,
        HEAD.upper().replace("RED", "red"),
        "  game:   jade-river  # of ours\n  seat: 'red'\n  turn: 12\n  key : \u201cK7Q2-9FXM\u201d\n",
        "Hello!\n" + HEAD + "key: AAAA-AAAA\nseat: blue\n",
    ],
)
def test_the_first_lines_that_say_it_count(text):
    found = sketch(text)
    assert (found.game, found.seat, found.turn, found.key) == ("jade-river", "red", 12, "K7Q2-9FXM")
    assert found.orders is None


@pytest.mark.parametrize(
    "text", ["", "game: x", "seat: y", "game:\nseat: y", "x game: x\nseat: y", "game: " + "x" * 81]
)
def test_without_game_and_seat_it_is_nobodys(text):
    assert sketch(text) is None


def test_a_number_that_is_none_is_left_out():
    for turn in ("x", "9" * 10, "\u0663", "-1", ""):
        assert sketch(f"game: x\nseat: y\nturn: {turn}\n").turn is None


def test_an_unreadable_form_is_a_problem_and_a_name():
    reading = read_form((HEAD + "orders: [a\nend: orders\nseat: blue\n").encode())
    assert (reading.form.seat, reading.form.key, reading.form.orders) == ("red", "K7Q2-9FXM", None)
    assert [problem.why.code for problem in reading.problems] == ["bracket"]
    assert read_form((HEAD + "#" * (32 << 10)).encode()).form.seat == "red"


def test_long_blanks_cost_nothing():
    for line in (" " * 32_000, "game:" + " " * 32_000, "key" + " " * 32_000 + "#", "game : \n" * 4_000):
        begun = time.process_time()
        assert sketch(line) is None
        assert time.process_time() - begun < 0.2
