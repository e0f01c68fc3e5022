"""What small changes of the code could hide in: lines that are bent in one place, previews, counting, defaults."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import BadPosition, Refusal
from games.khan import GAME
from games.khan.material import BOARD
from games.khan.orders import Invade
from games.khan.placements import PLACEMENTS, tally
from games.khan.soundness import problems
from tests.games.khan.table import drawn, line, mask

TABLE = {"yurts": {"red": "B8 B9", "yellow": "C8"}, "hands": {"red": "RUS-JO SEL-MO"}}


@pytest.fixture
def good() -> str:
    state = drawn(**TABLE).state
    return line(replace(state, turn=sum(state.own_turn)))


@pytest.mark.parametrize(
    ("was", "bent", "said"),
    [
        ("ph=play;at=action 1", "at=action 1;ph=play", "the pairs of a position line stand in a fixed order"),
        (" yellow:2,2,2,2", "", "a seat has no special cards"),
        ("yurt=red:B8,B9", "yurt=red:B9,B8", "not written in the canonical way"),
        (";hand=", ";act=red:gods:nowhere;hand=", "there is no region 'nowhere'"),
    ],
)
def test_what_is_bent_in_a_line_is_named(good, was, bent, said):
    """KHAN-29.1."""
    assert GAME.position(GAME.from_position(good)) == good
    assert was in good
    with pytest.raises(BadPosition) as refused:
        GAME.from_position(good.replace(was, bent, 1))
    assert said in str(refused.value)


def test_a_standing_order_of_a_line_gives_instructions(good):
    """KHAN-17.2, KHAN-29.1."""
    with pytest.raises(BadPosition, match="'pass' are no standing instructions"):
        GAME.from_position(f"{good};std=red:pass")


def test_an_answer_to_a_proposal_is_one_of_two_words():
    """KHAN-10.1."""
    table = drawn(3, yurts={"red": "B8", "yellow": "C8"}, active={"yellow": "protection"})
    table.state = replace(table.state, turn=sum(table.state.own_turn))
    table.do("C T2 B8 C8")
    asked = line(table.state)
    with pytest.raises(BadPosition, match="'perhaps' is no answer to a proposal"):
        GAME.from_position(asked.replace("need=yellow", "need=yellow:perhaps"))


def test_every_placement_is_counted_whole_and_not_at_all():
    """KHAN-7.6: up to five cells, in three digits."""
    every, none = tally(BOARD.whole), tally(0)
    for placement in PLACEMENTS:
        fours, twos, ones = (digit >> placement.number & 1 for digit in every)
        assert 4 * fours + 2 * twos + ones == placement.mask.bit_count()
    assert not any(none)


def test_a_placement_is_previewed():
    """KHAN-3.1, KHAN-20."""
    state = drawn(at="place").state
    (seat,) = GAME.pending(state)
    move = GAME.read(state, seat, "P B8")
    assert [(event.kind, dict(event.facts)["cell"]) for event in GAME.preview(state, seat, move)] == [("place", "B8")]


def test_who_is_not_asked_foresees_nothing():
    """KHAN-20."""
    state = drawn(**TABLE).state
    move = GAME.read(state, "red", "D B2")
    assert GAME.foresee(state, "red", move) is not None
    assert GAME.foresee(state, "yellow", move) is None


def test_only_jokers_are_warned_of():
    """KHAN-6.2: and only where another card would do."""
    state = drawn(yurts={"red": "B8"}, hands={"red": "RUS-JO RUS-MO"}).state
    moves = [move for move in GAME.moves(state, "red") if isinstance(move, Invade)]
    mountains = {move.cell for move in moves if move.card == "RUS-MO"}
    for move in moves:
        others = [notice.facts["others"] for notice in GAME.notices(state, "red", move)]
        assert others == ([["RUS-MO"]] if move.card == "RUS-JO" and move.cell in mountains else [])


@pytest.mark.parametrize("words", ["S gods mountain now", "S", "S morale morale"])
def test_a_special_card_takes_one_word_at_most(words):
    """KHAN-18.1."""
    assert isinstance(GAME.read(drawn(at="special", **TABLE).state, "red", words), Refusal)


def test_initial_yurts_of_each_seat_are_counted():
    """KHAN-3.1: also those of the last one."""
    state = drawn(at="place").state
    seats = state.players
    for seat in range(seats):
        yurts = [0] * (seats + 1)
        yurts[seat] = mask("B8")
        bent = replace(state, yurts=tuple(yurts), todo=state.todo[1:], seat=state.todo[1])
        wrong = "other seats have placed their initial yurts" in list(problems(bent))
        assert wrong == (seat != state.todo[0])
