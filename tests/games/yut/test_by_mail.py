"""What is thrown when, forfeited turns, previews and notices (YUT-13, YUT-3.3)."""

import pytest

from engine.advance import advance
from engine.queue import NO_ORDERS, SeatOrders
from games.yut import GAME
from tests.games.yut.table import at, kinds, play, throws


def test_the_next_throws_are_made_while_the_turn_is_resolved():  # YUT-13.1
    line, story = play("2 1 2 0 4/0/-;4/0/- - - 0 -", "2 new", then=(4, 5, 4))
    assert line == "2 2 5,4,4 2 3/0/r2;4/0/- - - 1 -"
    assert [event.facts["seat"] for event in story if event.kind == "thrown"] == ["blue"] * 3


def test_turns_forfeited_whole_are_resolved_in_the_same_run():  # YUT-13.1, YUT-3.3
    before = "2 2 1 0 0/3/r2;4/0/- r5/r10/0 - 10 -"
    line, story = play(before, "1 new", then=(2, 1))
    assert line == "2 2 1 0 0/3/r2;3/0/r1 r3/r10/0 - 12 -"
    assert kinds(story) == ["entered", "wild_moved", "thrown", "forfeited", "wild_moved", "thrown"]
    assert story[3].facts == {"seat": "orange", "throws": [2]}


@pytest.mark.parametrize(
    ("line", "then", "moves"),
    [
        ("2 2 1 0 0/3/r2;4/0/- r5/r10/0 - 10 -", (2, 1), ["1 new"]),  # the turn of orange is forfeited
        ("2 2 hurdle 0 4/0/-;4/0/- - r4 0 -", (3,), ["hurdle r8"]),  # the first turn is that of the same seat
        ("2 2 2 0 4/0/-;3/0/r5 - - 8 -", (3,), ["2 r5 short"]),
        ("2 2 5,1 1 3/0/r6;3/0/r5 - - 8 -", (2, 3), ["1 r5", "5 new", "2 r5 short"]),  # the extra throw is of this turn
    ],
)
def test_silence_speaks_for_the_throws_that_were_told(line, then, moves):  # YUT-13.1
    orders = dict.fromkeys(("orange", "blue"), NO_ORDERS)
    dice = throws(*then)
    went = advance(GAME, at(line), orders, lambda context: dice, turn=1, late=["blue"])
    assert [str(made.move) for step in went.steps for made in step.moves.values()] == moves
    assert went.asked == GAME.pending(went.state)


@pytest.mark.parametrize(
    ("file", "moves"),
    [
        (("2 r4",), ["2 r4"]),
        (("2 r4", "5 new"), ["2 r4", "5 new"]),
        (("2 r4", "4 new"), ["2 r4"]),  # a 3 is thrown: what stops is a question
        (
            ("5 new",),
            ["5 new", "2 r4", "3 r5 short"],
        ),  # silence speaks for the throws that were known, to the turn's end
    ],
)
def test_whose_file_brings_an_extra_throw_is_asked_about_it(file, moves):  # YUT-13.1, YUT-6.2
    orders = {"orange": SeatOrders(file), "blue": NO_ORDERS}
    dice = throws(*((3,) if len(moves) < 3 else (3, 1)))
    went = advance(GAME, at("2 1 5,2 1 3/0/r4;3/0/r6 - - 8 -"), orders, lambda _: dice, turn=1, late=["orange"])
    assert [str(made.move) for step in went.steps for made in step.moves.values()] == moves
    assert went.asked == (("orange",) if len(moves) < 3 else ("blue",))


def preview(line, order):
    state = at(line)
    return GAME.preview(state, state.name, GAME.read(state, state.name, order))


@pytest.mark.parametrize(
    ("line", "order", "seen"),
    [
        ("2 1 2 0 4/0/-;4/0/- - - 0 -", "2 new", ["entered"]),
        ("2 1 2 0 3/0/r4;3/0/r6 - - 6 -", "2 r4", ["moved", "caught"]),  # the extra throw is not foreseen
        ("2 1 2 2 3/0/r4;3/0/r6 - - 6 -", "2 r4", ["moved", "caught", "no_extra_throw"]),
        ("2 1 4,1 1 0/3/r15;4/0/- r20/r10/0 - 9 -", "4 r15", ["moved", "forfeited", "wild_moved", "wild_struck"]),
        ("2 1 5,3 1 0/3/r18;3/0/r2 - - 40 -", "5 r18", ["moved", "home", "ended"]),
        ("2 2 hurdle 0 4/0/-;4/0/- - - 0 -", "hurdle r4", ["hurdle_placed"]),
        ("2 1 1 0 4/0/-;4/0/- r11/r10/1 - 39 -", "1 new", ["entered", "wild_moved", "wild_circle", "ended"]),
    ],
)
def test_a_preview_shows_everything_up_to_the_next_throw(line, order, seen):
    assert kinds(preview(line, order)) == seen


def test_nothing_is_previewed_for_others_and_for_what_is_not_legal():
    state = at("2 1 2 0 4/0/-;4/0/- - - 0 -")
    move = GAME.read(state, "orange", "2 new")
    assert GAME.preview(state, "blue", move) == ()
    assert GAME.notices(state, "blue", move) == ()
    assert GAME.preview(at("2 1 3 0 4/0/-;4/0/- - - 0 -"), "orange", move) == ()


def notices(line, order):
    state = at(line)
    found = GAME.notices(state, state.name, GAME.read(state, state.name, order))
    assert all(str(notice) for notice in found)
    return [notice.code for notice in found]


@pytest.mark.parametrize(
    ("line", "order", "codes"),
    [
        ("2 1 2 0 4/0/-;4/0/- - - 0 -", "2 new", []),
        ("2 2 hurdle 0 4/0/-;4/0/- - - 0 -", "hurdle r4", []),
        # After 2 r5 the 1 would end on the wild horse, which then strikes; after 1 r5 short the 2 can be used.
        ("2 1 2,1 1 0/3/r5;4/0/- r8/r10/0 - 9 -", "2 r5", ["throw-lost", "wild-strikes"]),
        ("2 1 2,1 1 0/3/r5;4/0/- r8/r10/0 - 9 -", "1 r5 short", []),
        ("2f 1 2 0 2/0/r3,r5*;4/0/- - - 6 -", "2 r3", ["right-lost"]),
        ("2f 1 5 1 3/0/r5*;4/0/- - - 6 -", "5 new", []),
        ("2 1 3 0 4/0/-;4/0/- r4/r10/0 - 9 -", "3 new", ["wild-strikes"]),
        ("2 1 2 0 4/0/-;3/0/r3 r4/r10/0 - 9 -", "2 new", []),  # it strikes a rival
    ],
)
def test_notices_of_what_looks_like_a_slip(line, order, codes):
    assert notices(line, order) == codes


def test_what_needs_throws_is_not_foreseen_and_the_end_is():
    state = at("2 1 5,3 1 0/3/r18;3/0/r2 - - 40 -")
    ahead = GAME.foresee(state, "orange", GAME.read(state, "orange", "5 r18"))
    assert GAME.outcome(ahead).places == (("orange",), ("blue",))
    one_of_two = at("2 1 4,3 1 4/0/-;4/0/- - - 0 -")
    assert GAME.foresee(one_of_two, "orange", GAME.read(one_of_two, "orange", "4 new")).throws == (3,)
    last = at("2 1 3 0 4/0/-;4/0/- - - 0 -")
    assert GAME.foresee(last, "orange", GAME.read(last, "orange", "3 new")) is None
