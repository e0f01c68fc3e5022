"""Turns: the order of steps and events, and what the vectors do not ask (KHAN-4 to KHAN-13)."""

from __future__ import annotations

import pytest

from games.khan import GAME
from games.khan.material import NUMBERS, SHAPE_NUMBER
from games.khan.state import Needed
from tests.games.khan.table import card_ids, drawn, kinds


def test_turns_go_clockwise_and_are_numbered_for_the_game_and_for_each_seat():
    """KHAN-4.1, KHAN-4.2."""
    table = drawn(3, seat="blue")
    table.do("default")
    table.do("S none")
    turn = next(event for event in table.told if event.kind == "turn")
    assert turn.facts == {"number": 10, "seat": "red"}
    assert (table.state.turn, table.state.own_turn, table.acting) == (10, (6, 5, 5), "red")


def test_the_steps_of_a_turn_come_in_order():
    """KHAN-4.2: flight, two actions, return, special card, refill, the next seat."""
    table = drawn(at="step 1", draw="SEL-RI", active={"red": "protection"}, reserved={"red": "T2"})
    for order in ("D B2", "S gods"):
        table.do(order)
    assert kinds(table)[:9] == [
        "flip",
        "flight",
        "anywhere",
        "special_return",
        "release",
        "special",
        "refill",
        "turn",
        "flip",
    ]


def test_a_flipped_card_lies_on_the_discards_before_its_effect():
    """KHAN-4.3, KHAN-4.4: cards of an order go there at once, in canonical order; the draw pile is face down."""
    table = drawn(hands={"red": "SON-NB RUS-MO SEL-JO"}, draw="HUN-RI")
    table.do("D B2 - SON-NB RUS-MO")
    assert card_ids(table.state.discard) == ["RUS-MO", "SON-NB"]
    view = GAME.view(table.state, "yellow").facts
    assert view["discard"] == ["RUS-MO", "SON-NB"]
    assert view["draw_pile"] == len(table.state.draw)


def test_action_c_is_a_conquest_and_costs_one_action():
    """KHAN-6.4, KHAN-7.8."""
    table = drawn(yurts={"red": "B8 C8", "black": "D8"})
    table.do("C T3I B8 C8 D8")
    assert table.state.point == "action 2"
    assert table.state.supply[SHAPE_NUMBER["T3I"]] == 3
    assert table.state.all_yurts == 0


def test_at_most_one_special_card_a_turn():
    """KHAN-9.2: after one has been used the question is not put again."""
    table = drawn(at="special")
    table.do("S protection")
    assert (table.acting, table.state.point) == ("yellow", "action 1")
    table = drawn(at="special")
    table.do("S morale")
    table.do({"S gods": "E04"})
    table.do("B SEL")
    assert table.acting == "yellow"


def test_a_consent_holds_for_the_announced_placement_only():
    """KHAN-10.5: the next conquest of the same kind is asked for again."""
    table = drawn(3, active={"yellow": "protection"}, yurts={"red": "B8 B9", "yellow": "C8 C9"})
    table.do("C T2 B8 C8")
    table.do("yellow: agree")
    table.do("C T2 B9 C9")
    assert table.state.point == "consent"
    assert table.state.proposal.need == (Needed(1),)
    assert kinds(table) == ["proposal", "consent", "conquest", "proposal"]


def test_a_resignation_answers_the_open_question():
    """KHAN-17.7, KHAN-18.5: it refuses at once; the proposal of one who resigns himself stands."""
    given = {"active": {"yellow": "protection"}, "yurts": {"red": "B8", "yellow": "C8"}}
    table = drawn(3, **given)
    table.do("C T2 B8 C8")
    table.do("yellow: resign")
    assert table.state.refused == (1,)
    assert table.state.point == "action 1"
    table = drawn(3, **given)
    table.do("C T2 B8 C8")
    table.do("red: resign")
    assert table.state.point == "consent"
    table.do("yellow: agree")
    assert kinds(table)[:7] == ["proposal", "resigned", "consent", "conquest", "chase", "flip", "flight"]
    assert table.acting == "yellow"
    assert table.state.content(NUMBERS["B8"]) == "T2"


def test_a_needed_seat_that_has_resigned_refuses_while_another_is_asked():
    """KHAN-10.2, KHAN-17.7, KHAN-29.2: its refusal waits for the others like any answer."""
    four = {"yellow": "B9", "green": "C8", "blue": "D8", "red": "B8", "black": "C9"}
    table = drawn(4, yurts=four, active={"yellow": ["gods", "mountain"], "blue": "protection"}, gone=["yellow"])
    table.do("C T5P B8 C8 D8 B9 C9")
    assert table.state.proposal.need == (Needed(1, "refuse"), Needed(2))
    table.do("blue: agree")
    told = [(event.kind, event.facts.get("answer"), event.hidden) for event in table.told[1:]]
    assert told[0] == ("consent", "refuse", {"yellow": {"how": "default"}})
    assert told[1] == ("consent", "agree", {"blue": {"how": "given"}})
    assert table.told[-1].kind == "refused"


@pytest.mark.parametrize("answer", ["agree", "refuse"])
def test_how_a_standing_answer_is_told_to_its_seat(answer):
    standing = {"agree": "always", "refuse": "never"}[answer]
    given = {"active": {"yellow": "protection"}, "yurts": {"red": "B8", "yellow": "C8"}}
    table = drawn(3, standing={"yellow": standing}, **given)
    table.do("C T2 B8 C8")
    (consent,) = [event for event in table.told if event.kind == "consent"]
    assert consent.facts == {"seat": "yellow", "answer": answer}
    assert consent.hidden == {"yellow": {"how": "standing"}}


def test_passing_ends_the_turn_of_the_final_phase():
    """KHAN-13.3: `pass` gives up both conquests; KHAN-6.7: in step 2 all actions left."""
    given = {"removed": ["RUS", "HUN", "KIP", "PER", "SEL"], "active": {"yellow": "protection"}}
    table = drawn(at="conquer 1", yurts={"red": "B8", "yellow": "C8"}, **given)
    table.do("pass")
    assert (table.told[0].rule, table.acting) == ("KHAN-13.3", "yellow")
    table = drawn(at="action 2", yurts={"red": "B8", "yellow": "C8"}, **given)
    table.do("pass")
    assert (table.told[0].rule, table.state.point) == ("KHAN-6.7", "special")


def test_after_a_lost_third_action_the_turn_ends():
    """KHAN-9.3, KHAN-10.4: the only third action was a proposal, and it is refused."""
    given = {"removed": ["RUS", "HUN", "KIP", "PER", "SEL"], "active": {"yellow": "protection"}}
    table = drawn(3, at="special", yurts={"red": "B8", "yellow": "C8"}, standing={"yellow": "never"}, **given)
    table.do("S morale")
    table.do("C T2 B8 C8")
    assert kinds(table)[:5] == ["special", "proposal", "consent", "refused", "skip"]
    assert table.state.phase == "final"
