"""What a seat's orders say to the decision now open: queue, standing answers, draft, default."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.entries import Branch, Condition, Deed, TurnFile, entry, plain
from engine.queue import NO_ORDERS, SeatOrders, Stopped, filed, next_move, take, unfold, without_turns
from engine.refusal import Refusal
from tests.engine.relay import RULES, points
from tests.engine.test_entries import entries

ON_BEE = Branch((Condition(None, "bee"),), ("ape", "dog"))
ON_CAT = Branch((Condition("blue", "cat"),), ("bee",))
BEE, CAT = (Deed("blue", "bee"),), (Deed("blue", "cat"),)


def answer(state, orders, done=(), late=False):
    found = next_move(RULES, state, "red", orders, done, late)
    return found.move, found.how, found.orders, tuple(stop.why.code for stop in found.stopped)


@given(
    st.builds(
        SeatOrders,
        st.lists(entries, max_size=3).map(tuple),
        st.lists(entries, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2),
        st.booleans(),
    )
)
def test_orders_go_to_json_and_back(orders):
    assert SeatOrders.from_json(json.loads(json.dumps(orders.to_json()))) == orders
    assert bool(orders) is (orders != NO_ORDERS)


def test_the_first_order_is_taken_and_the_others_wait():
    orders = SeatOrders(("bee", "cat"), ("dog",))
    assert answer(points("red"), orders) == ("bee", "given", SeatOrders(("cat",), ("dog",)), ())


def test_an_order_may_be_a_mapping():
    assert answer(points("red"), SeatOrders(({"do": "Bee"},)))[:2] == ("bee", "given")


def test_an_order_that_does_not_stand_sets_the_rest_aside_and_asks():
    found = next_move(RULES, points("red=ape"), "red", SeatOrders(("bee", "cat"), ("ape",), {"question": "ape"}))
    assert found.asks
    assert found.orders == SeatOrders((), ("ape",), {"question": "ape"})
    (stop,) = found.stopped
    assert (stop.source, stop.entry, stop.left, stop.why.rule) == ("given", "bee", ("bee", "cat"), "RELAY-3")
    assert json.loads(json.dumps(stop.to_json()))["left"] == ["bee", "cat"]


def test_nothing_ordered_asks():
    assert answer(points("red"), NO_ORDERS) == (None, None, NO_ORDERS, ())
    assert answer(points("red"), SeatOrders(draft=("bee",)))[:2] == (None, None)


@pytest.mark.parametrize(
    ("state", "orders", "expected"),
    [
        ("red", NO_ORDERS, ("ape", "default", NO_ORDERS, ())),
        ("red", SeatOrders(draft=("bee", "cat")), ("bee", "draft", SeatOrders(draft=("cat",)), ())),
        ("red", SeatOrders(("cat",), ("bee",)), ("cat", "given", SeatOrders((), ("bee",)), ())),
        ("red=ape", SeatOrders(draft=("bee", "cat")), ("ape", "default", NO_ORDERS, ("closed",))),
        ("red=ape", SeatOrders(("bee",), ("ape",)), ("ape", "draft", NO_ORDERS, ("closed",))),
        ("red=ape", SeatOrders(("bee",), ("cat",)), ("ape", "default", NO_ORDERS, ("closed", "closed"))),
    ],
)
def test_a_late_seat_gets_its_draft_or_the_default(state, orders, expected):
    assert answer(points(state), orders, late=True) == expected


def test_the_word_that_there_is_nothing_to_order_is_an_answer_once():
    orders = SeatOrders(nothing=True)
    assert answer(points("red"), orders) == ("ape", "given", NO_ORDERS, ())
    assert answer(points("red?"), orders) == (None, None, orders, ())


# --- questions that interrupt ------------------------------------------------------------------------------------


def test_a_standing_answer_serves_a_question_and_the_queue_waits():
    orders = SeatOrders(("cat",), (), {"question": "bee"})
    assert answer(points("red?=ape,bee"), orders) == ("bee", "standing", orders, ())


def test_an_order_that_answers_the_question_is_taken_before_the_standing_answer():
    orders = SeatOrders(("ape", "cat"), (), {"question": "bee"})
    expected = ("ape", "given", SeatOrders(("cat",), (), {"question": "bee"}), ())
    assert answer(points("red?=ape,bee"), orders) == expected


@pytest.mark.parametrize("queue", [("cat", "dog"), (ON_CAT, "dog")])
def test_a_question_nobody_answers_is_asked_and_the_queue_waits(queue):
    orders = SeatOrders(queue)
    assert answer(points("red?=ape,bee"), orders, BEE) == (None, None, orders, ())
    assert answer(points("red?=ape,bee"), orders, BEE, late=True) == ("ape", "default", orders, ())


def test_a_standing_answer_does_not_speak_for_a_queue_that_failed():
    orders = SeatOrders(("bee",), (), {"question": "ape"})
    assert answer(points("red=ape"), orders)[:2] == (None, None)


# --- conditionals ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("queue", "done", "unfolded"),
    [
        ((ON_BEE, "cat"), BEE, ("ape", "dog", "cat")),
        ((ON_BEE, ON_CAT, "cat"), BEE, ("ape", "dog", "cat")),
        ((ON_BEE, ON_CAT, "cat"), CAT, ("bee", "cat")),
        ((ON_CAT, ON_BEE, "cat"), BEE + CAT, ("bee", "cat")),  # the first that is met, not the first that was done
        ((ON_BEE, Branch((Condition(),), ("cat",))), (), ("cat",)),
        ((Branch((Condition(None, "bee"),), (), ("dog",)), ON_CAT), CAT, ("dog",)),  # an `else` always decides
        ((Branch((Condition(),), (ON_CAT, "dog")), "ape"), CAT, ("bee", "dog", "ape")),
        ((Branch((Condition(),), ()), "ape"), (), ("ape",)),
        ((Branch((Condition(),), ()),), (), ()),
        (("ape", ON_BEE), CAT, ("ape", ON_BEE)),  # a conditional further back waits for its time
    ],
)
def test_conditionals_at_the_head_are_decided(queue, done, unfolded):
    assert unfold(RULES, queue, done) == unfolded


def test_when_none_is_met_the_seat_is_asked_and_told_what_was_done():
    orders = SeatOrders((ON_BEE, ON_CAT, "dog"))
    found = next_move(RULES, points("red"), "red", orders, (Deed("green", "cat"), Deed("blue", None)))
    assert (found.asks, found.orders) == (True, NO_ORDERS)
    (stop,) = found.stopped
    assert (stop.why.code, stop.entry, stop.left) == ("no_condition_met", ON_BEE, orders.queue)
    assert "green: cat, blue" in str(stop.why)
    assert "nobody" in str(take(RULES, points("red"), "red", orders.queue, ()).why)


def test_an_order_inside_a_conditional_that_fails_sets_the_rest_aside():
    found = take(RULES, points("red=cat"), "red", (ON_BEE, "cat"), BEE)
    assert isinstance(found, Stopped)
    assert (found.entry, found.left) == ("ape", ("ape", "dog", "cat"))


def test_conditionals_that_come_to_nothing_are_used_up():
    assert answer(points("red"), SeatOrders((Branch((Condition(),), ()),))) == (None, None, NO_ORDERS, ())


# --- files that serve one turn ---------------------------------------------------------------------------------------


class Rounds(type(RULES)):
    """Relay in rounds: the words said so far tell the round, and files serve one of them."""

    conditions = ("loud",)

    def bound(self, state, seat, keys):
        if "round" not in keys:
            return None
        if keys["round"] == "0":
            return Refusal("ROUNDS-1", "past", "That round is over.")
        return TurnFile(keys["round"], (), keys.get("on_illegal", "ask"), keys.get("at_end", "ask"))

    def turn_now(self, state):
        return str(state.at + 1)

    def holds(self, state, seat, condition, done):
        return condition == {"loud": "yes"}


ROUNDS = Rounds()


def of(turn, *entries, on_illegal="ask", at_end="ask"):
    return TurnFile(turn, entries, on_illegal, at_end)


def says(state, *queue, late=False):
    found = next_move(ROUNDS, state, "red", SeatOrders(queue), BEE, late)
    return found.move, found.how, found.orders.queue, [stop.entry for stop in found.stopped]


@pytest.mark.parametrize(
    ("queue", "expected"),
    [
        ([of("1", "bee", "cat")], ("bee", "given", (of("1", "cat"),), [])),
        ([of("2", "bee"), of("1", "ape")], ("ape", "given", (of("2", "bee"), of("1")), [])),
        ([of("2", "bee")], (None, None, (of("2", "bee"),), [])),
        ([of("1", "dog", "bee")], (None, None, (), ["dog"])),
        ([of("1", "dog", "bee", on_illegal="skip")], ("bee", "given", (of("1", on_illegal="skip"),), ["dog"])),
        ([of("1", "dog", on_illegal="skip", at_end="end")], ("ape", "given", (), ["dog"])),
        ([of("1", "dog", "bee", on_illegal="end")], ("ape", "given", (), ["dog"])),
        ([of("1", at_end="end"), of("2", "bee")], ("ape", "given", (of("2", "bee"),), [])),
        ([of("1")], (None, None, (), [])),
        (["bee", of("1", "cat")], ("bee", "given", (of("1", "cat"),), [])),  # an answer goes before what is planned
    ],
)
def test_a_file_serves_its_turn_and_says_what_a_failure_leads_to(queue, expected):
    assert says(points("red=ape,bee,cat"), *queue) == expected


def test_a_file_waits_while_its_seat_is_asked_a_question():
    assert says(points("red?"), of("1", "bee")) == (None, None, (of("1", "bee"),), [])


def test_a_condition_on_the_board_is_decided_by_itself():
    loud, quiet = (Branch((Condition(facts=(("loud", said),)),), ("bee",)) for said in ("yes", "no"))
    assert unfold(ROUNDS, (quiet, loud, "ape"), (), points("red"), "red") == ("bee", "ape")
    assert unfold(ROUNDS, (quiet, ON_BEE), BEE, points("red"), "red") == ("ape", "dog")
    assert entry(plain(loud)) == loud


def test_files_go_to_json_and_back():
    held = SeatOrders((of("1", "bee", ON_BEE, on_illegal="skip", at_end="end"),))
    assert SeatOrders.from_json(json.loads(json.dumps(held.to_json()))) == held
    assert without_turns(held, {"1"}) == NO_ORDERS
    assert without_turns(held, {"2"}) == held


HELD = SeatOrders((of("1", "bee"), "dog", of("2", "cat")), (), {"question": "ape"})


@pytest.mark.parametrize(
    ("at", "entries", "keys", "queue"),
    [
        ("red", ("ape",), {}, ("ape",)),
        ("red", ("ape", "bee"), {"round": "2"}, (of("1", "bee"), of("2", "ape", "bee"))),
        ("red", ("ape",), {"round": "3"}, (of("1", "bee"), of("2", "cat"), of("3", "ape"))),
        ("red?=ape,bee", ("bee",), {}, ("bee", of("1", "bee"), "dog", of("2", "cat"))),
        ("red?=ape,dog", ("ape",), {}, ("ape", of("1", "bee"), of("2", "cat"))),  # an earlier answer is taken back
        ("red?=ape", ("bee",), {}, ("bee",)),
        ("red?=ape", ("ape", "bee"), {}, ("ape", "bee")),
    ],
)
def test_a_file_that_comes_in_replaces_what_it_is_meant_to(at, entries, keys, queue):
    found = filed(ROUNDS, points(at), "red", HELD, entries, keys)
    assert (found.queue, found.standing) == (queue, {"question": "ape"})


def test_a_file_for_a_turn_that_is_over_is_refused():
    assert filed(ROUNDS, points("red"), "red", HELD, ("ape",), {"round": "0"}).code == "past"


@pytest.mark.parametrize("held", [SeatOrders(("bee",)), SeatOrders(draft=("bee",)), SeatOrders(nothing=True)])
def test_a_word_for_the_next_decision_stands(held):
    assert held.stands
    assert not SeatOrders(standing={"question": "ape"}).stands
