"""Files that serve one turn: used step by step while it runs, void when it has ended, with conditions a game judges."""

from __future__ import annotations

import json

import pytest

from engine import Dice, Refusal
from engine.advance import advance
from engine.entries import Branch, Condition, Deed, TurnFile, read_entries
from engine.queue import NO_ORDERS, SeatOrders, filed, unfold, without_turns
from tests.engine.relay import SEATS, Relay, points


class Turns(Relay):
    """Relay in turns: a seat's points in a row, questions to others between, are one turn, named like the seat."""

    order_keys = {"on_illegal": ("ask", "skip", "end"), "at_end": ("ask", "end")}
    conditions = ("said", "heard")

    def turn_now(self, state):
        """Whose turn runs: a question belongs to the turn it breaks into."""
        asked = [point.seats[0] for point in state.points[: state.at + 1] if not point.question]
        return asked[-1] if asked else ""

    def turns_ended(self, before, after):
        names = (self.turn_now(before), self.turn_now(after))
        return (names[0],) if names[0] != names[1] or not self.pending(after) else ()

    def bound(self, state, seat, keys):
        wrong = [word for word in keys.values() if word == "never"]
        if wrong:
            return Refusal("RELAY-8", "bad_key", "Not never.")
        return TurnFile(seat, (), keys.get("on_illegal", "ask"), keys.get("at_end", "ask"))

    def remembered(self, before, after, seat):
        return not self.turns_ended(before, after)

    def noted(self, events, seat):
        return tuple(f"said {event.facts['moves'][seat]}" for event in events if seat in event.facts["moves"])

    def holds(self, state, seat, condition, done):
        own = [deed.move for deed in done if deed.seat == seat]
        others = [deed.move for deed in done if deed.seat != seat]
        tests = {"said": lambda word: f"said {word}" in own, "heard": lambda word: word in others}
        return all(tests[name](word) for name, word in condition.items())


TURNS = Turns()


def run(state, **files):
    """Advance with these files of the seats: (entries, keys)."""
    orders = dict.fromkeys(SEATS, NO_ORDERS)
    for seat, (entries, keys) in files.items():
        entries, faults = read_entries(entries, (), TURNS.conditions)
        assert not faults
        orders[seat] = filed(TURNS, state, seat, orders[seat], entries, keys)
        assert SeatOrders.from_json(json.loads(json.dumps(orders[seat].to_json()))) == orders[seat]
    return advance(TURNS, state, orders, Dice(b"turns").at, turn=1)


def log(went):
    return list(went.state.log)


def test_a_file_is_used_up_and_then_its_seat_is_asked():
    went = run(points("red", "red", "red"), red=(["bee", "cat"], {}))
    assert (log(went), went.asked, went.stopped) == (["red:bee", "red:cat"], ("red",), {})


def test_at_its_end_a_file_may_want_the_default():
    went = run(points("red", "red", "red", "blue"), red=(["bee"], {"at_end": "end"}))
    assert log(went) == ["red:bee", "red:ape"]  # the default is one move; then the file is gone
    assert went.asked == ("red",)


@pytest.mark.parametrize(
    ("on_illegal", "said", "told"),
    [("ask", ["red:bee"], ["closed"]), ("skip", ["red:bee", "red:dog"], []), ("end", ["red:bee", "red:ape"], [])],
)
def test_what_an_order_that_fails_leads_to(on_illegal, said, told):
    went = run(points("red", "red=ape,dog", "red"), red=(["bee", "cat", "dog"], {"on_illegal": on_illegal}))
    assert log(went) == said
    assert [stop.why.code for stop in went.stopped.get("red", ())] == told
    noted = [stop.why.code for step in went.steps for stops in step.stopped.values() for stop in stops]
    assert noted == ([] if on_illegal == "ask" else ["closed"])


def test_what_is_left_at_the_end_of_the_turn_is_void():
    went = run(points("red", "blue", "red"), red=(["bee", "cat"], {}), blue=(["dog"], {}))
    assert (log(went), went.asked) == (["red:bee", "blue:dog"], ("red",))
    assert went.orders == dict.fromkeys(SEATS, NO_ORDERS)


def test_a_question_between_does_not_touch_the_file():
    went = run(points("red", "blue?", "red"), red=(["bee", "cat"], {}), blue=(["dog"], {}))
    assert went.asked == ("blue",)  # its file is for its own turn; this one was filed before the question
    answered = filed(TURNS, went.state, "blue", went.orders["blue"], ("cat",), {})
    assert answered.queue == ("cat", TurnFile("blue", ("dog",)))
    went = advance(TURNS, went.state, {**went.orders, "blue": answered}, Dice(b"turns").at, turn=2)
    assert log(went) == ["red:bee", "blue:cat", "red:cat"]


def test_a_newer_file_replaces_one_for_the_same_turn_alone():
    state, held = points("red"), SeatOrders((TurnFile("blue", ("ape",)), TurnFile("red", ("bee",)), "cat"))
    assert filed(TURNS, state, "red", held, ("dog",), {}).queue == (
        TurnFile("blue", ("ape",)),
        TurnFile("red", ("dog",)),
    )
    assert filed(TURNS, state, "red", held, ("dog",), {"at_end": "never"}).code == "bad_key"
    assert filed(Relay(), state, "red", held, ("dog",), {}) == SeatOrders(("dog",))
    assert filed(Relay(), state, "red", held, (), {}) == SeatOrders(nothing=True)
    assert without_turns(held, ("red",)).queue == (TurnFile("blue", ("ape",)), "cat")


def test_conditions_of_the_game_are_decided_each_by_itself():
    said_bee, said_dog = (Branch((Condition(facts=(("said", word),)),), (word,)) for word in ("bee", "dog"))
    done = (Deed("red", "said bee"),)
    assert unfold(TURNS, (said_bee, said_dog, "cat"), done, points("red"), "red") == ("bee", said_dog, "cat")
    assert unfold(TURNS, (said_dog, said_bee, "cat"), done, points("red"), "red") == ("bee", "cat")


def test_a_seat_looks_back_on_its_whole_turn():
    later = [{"if": {"said": "bee", "heard": "dog"}, "then": ["cat"], "else": ["ape"]}]
    for answer, last in (("dog", "cat"), ("ape", "ape")):
        went = run(points("red", f"blue?={answer}", "red", "red"), red=(["bee", "dog", *later], {}))
        went = advance(
            TURNS,
            went.state,
            {**went.orders, "blue": SeatOrders((answer,))},
            Dice(b"turns").at,
            turn=went.turn,
            done=went.done,
        )
        assert log(went)[-1] == f"red:{last}"


def test_conditions_are_read_as_such_only_where_games_know_them():
    written = [{"if": {"said": "bee"}, "else": ["ape"]}]
    found, faults = read_entries(written, (), ("said",))
    assert found == (Branch((Condition(facts=(("said", "bee"),)),), (), ("ape",)),)
    assert not faults
    assert [fault.why.code for fault in read_entries(written)[1]] == ["bad_if"]
