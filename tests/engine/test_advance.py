"""Advancing: decision points follow each other until a seat must be asked."""

import gc
import weakref
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Dice
from engine.advance import REMEMBERED, advance, take_effect
from engine.entries import Branch, Condition, Deed
from engine.queue import NO_ORDERS, SeatOrders
from tests.engine.relay import RULES, SEATS, WORDS, Point, Relay, State, points

DICE = Dice(b"seed").at


def go(state, turn=1, rules=RULES, late=(), resigned=(), done=None, at_once=0, limit=1000, **queues):
    orders = {seat: _orders(queues.get(seat, ())) for seat in SEATS}
    settings = {"late": late, "resigned": resigned, "done": done, "at_once": at_once, "limit": limit}
    return advance(rules, state, orders, DICE, turn=turn, **settings)


def _orders(given):
    return given if isinstance(given, SeatOrders) else SeatOrders(tuple(given))


def hows(result):
    return [{seat: made.how for seat, made in step.moves.items()} for step in result.steps]


def test_queues_are_used_at_successive_decisions():
    result = go(points("red", "blue", "red", "blue"), red=["ape", "cat"], blue=["bee"])
    assert result.state.log == ("red:ape", "blue:bee", "red:cat")
    assert (result.asked, result.turn, [step.turn for step in result.steps]) == (("blue",), 4, [1, 2, 3])
    assert [dict(step.left) for step in result.steps][1] == {"blue": NO_ORDERS}


def test_nothing_is_used_up_when_somebody_must_be_asked():
    result = go(points("red+blue"), red=["ape"])
    assert (result.steps, result.asked, result.orders["red"]) == ((), ("blue",), SeatOrders(("ape",)))


def test_all_pending_seats_are_resolved_together():
    result = go(points("red+blue", "green"), red=["ape"], blue=["bee"])
    assert result.state.log == ("blue:bee red:ape",)


def test_a_failed_order_asks_its_seat_and_tells_why():
    result = go(points("red", "blue", "red=ape"), red=["ape", "bee", "cat"], blue=["ape"])
    assert (result.asked, result.orders["red"]) == (("red",), NO_ORDERS)
    assert [stop.left for stop in result.stopped["red"]] == [("bee", "cat")]
    assert result.steps[-1].left["red"] == NO_ORDERS  # on record with the resolution that made it fail


def test_a_late_seat_whose_queue_failed_is_told_with_the_step():
    result = go(points("red=ape", "blue"), red=["bee"], late=["red"])
    assert hows(result) == [{"red": "default"}]
    assert [stop.entry for stop in result.steps[0].stopped["red"]] == ["bee"]
    assert result.stopped == {}


def test_a_late_seat_is_late_for_its_decisions_in_a_row_only():
    result = go(points("red", "red", "blue", "red"), blue=["bee"], late=["red"])
    assert hows(result) == [{"red": "default"}, {"red": "default"}, {"blue": "given"}]
    assert result.asked == ("red",)


def test_a_late_seat_is_asked_about_a_new_turn_of_its_own():
    """Nobody else decided between, but silence spoke for the turn that is over."""

    class Turns(Relay):
        def asks_anew(self, before, after, seat, answered):
            return after.at == 2

    result = go(points("red", "red", "red", "blue"), rules=Turns(), late=["red", "blue"])
    assert hows(result) == [{"red": "default"}, {"red": "default"}]
    assert (result.asked, result.late) == (("red",), frozenset())


def test_whose_orders_have_brought_what_nobody_knew_is_asked_about_it():
    class Surprise(Relay):
        def asks_anew(self, before, after, seat, answered):
            return answered

    result = go(points("red", "red", "red"), rules=Surprise(), red=["ape", "bee"], late=["red"])
    assert (hows(result), result.asked) == ([{"red": "given"}, {"red": "given"}], ("red",))
    result = go(points("red", "red"), rules=Surprise(), red=SeatOrders(draft=("bee",)), late=["red"])
    assert (hows(result), result.asked) == ([{"red": "draft"}], ("red",))
    assert hows(go(points("red", "red"), rules=Surprise(), late=["red"])) == [{"red": "default"}] * 2


def test_when_all_are_late_one_decision_takes_the_default_and_no_more():
    result = go(points("red+blue", "red+blue", "red+blue"), late=["red", "blue"])
    assert hows(result) == [{"red": "default", "blue": "default"}]
    assert (result.asked, result.late) == (("red", "blue"), frozenset())


def test_an_answer_to_a_question_does_not_end_lateness():
    blue = SeatOrders(standing={"question": "bee"})
    result = go(points("red", "blue?", "red", "blue"), blue=blue, late=["red"])
    assert hows(result) == [{"red": "default"}, {"blue": "standing"}, {"red": "default"}]


def test_a_late_seat_waits_for_one_that_is_not():
    result = go(points("red+blue"), late=["red"], red=SeatOrders(("dragon",)))
    assert (result.steps, result.asked) == ((), ("blue",))
    assert result.orders["red"] == SeatOrders(("dragon",))


def test_a_resigned_seat_takes_the_default_at_each_decision():
    result = go(points("red", "blue", "red", "green"), resigned=["red"], blue=["bee"], red=["cat"])
    assert hows(result) == [{"red": "resigned"}, {"blue": "given"}, {"red": "resigned"}]
    assert result.state.log == ("red:ape", "blue:bee", "red:ape")


def test_after_the_end_nobody_has_orders():
    waiting = SeatOrders(("cat",), ("dog",), {"question": "ape"}, True)
    result = go(points("red"), red=["ape", "bee"], blue=waiting)
    assert not any(result.orders.values())
    assert set(result.steps[-1].left) == {"red", "blue"}
    assert (result.asked, result.more, result.done) == ((), False, {})
    assert not any(go(points(), red=["ape"]).orders.values())


def test_dice_are_those_of_the_turn():
    result = go(points("red", "red", dice=2), turn=7, red=["ape", "bee"])
    for step in result.steps:
        fresh = DICE(str(step.turn))
        assert [fresh.pick(6, "roll") for _ in range(2)] == [draw.value for draw in step.draws]
    assert [step.turn for step in result.steps] == [7, 8]


# --- what others did ---------------------------------------------------------------------------------------------

ON = {word: Branch((Condition(None, word),), (word,)) for word in WORDS}


def test_conditionals_look_at_what_others_did_since():
    state = points("red", "blue", "green", "red", "blue", "red")
    result = go(state, red=["ape", ON["cat"], ON["bee"]], blue=["bee", "cat"], green=["dog"])
    assert result.state.log[3] == "red:bee"
    assert result.asked == ("red",)  # two conditionals in a row are one choice, and it is made


def test_what_was_done_is_handed_on_to_the_next_advance():
    first = go(points("blue", "red", "blue"), blue=["cat"])
    assert first.done == {"red": (Deed("blue", "cat"),), "green": (Deed("blue", "cat"),)}
    queues = {"red": [ON["cat"]]}
    assert go(first.state, turn=first.turn, done=first.done, **queues).steps[0].moves["red"].move == "cat"
    assert go(first.state, turn=first.turn, **queues).asked == ("red",)


def test_a_seat_that_decided_begins_anew_and_one_that_was_interrupted_does_not():
    result = go(points("blue", "red?", "green", "red", "red"), blue=["cat"], red=["ape", ON["cat"]], green=["dog"])
    assert result.state.log[3] == "red:cat"
    assert result.done["blue"] == (Deed("red", "ape"), Deed("green", "dog"), Deed("red", "cat"))
    assert "red" not in result.done


def test_seats_that_decide_together_learn_of_each_other():
    result = go(points("red+blue", "red"), red=["ape", ON["bee"]], blue=["bee"])
    assert result.state.log[-1] == "red:bee"


def test_memory_is_bounded():
    state = State((Point(("red",)),) * (REMEMBERED + 50) + (Point(("blue",)),))
    result = go(state, red=["ape"] * (REMEMBERED + 50))
    assert len(result.done["blue"]) == REMEMBERED


def test_a_secret_move_is_told_without_words():
    class Secret(type(RULES)):
        def shown(self, state, seat, move, reader):
            return None

    result = go(points("blue", "red"), rules=Secret(), blue=["cat"], red=[ON["cat"]])
    assert (result.asked, result.done["red"]) == (("red",), (Deed("blue", None),))


# --- moves at once -----------------------------------------------------------------------------------------------


def test_a_move_at_once_takes_no_turn_and_has_dice_of_its_own():
    asked = []
    orders = dict.fromkeys(SEATS, NO_ORDERS) | {"red": SeatOrders(("shout", "shout", "bee"))}
    result = advance(RULES, points("red+blue"), orders, lambda at: asked.append(at) or DICE(at), turn=5, at_once=1)
    assert asked == ["5+2", "5+3"]
    assert [(step.turn, step.at_once) for step in result.steps] == [(5, 2), (5, 3)]
    assert (result.turn, result.at_once, result.asked) == (5, 3, ("blue",))
    assert result.orders["red"] == SeatOrders(("bee",))


def test_a_seat_that_is_not_pending_may_move_at_once():
    orders = dict.fromkeys(SEATS, NO_ORDERS) | {"green": SeatOrders(("dog",))}
    result = take_effect(RULES, points("red"), orders, DICE, "green", "shout", turn=3)
    assert (result.state.shouts, result.turn, result.at_once) == (1, 3, 1)
    assert result.orders["green"] == SeatOrders(("dog",))
    assert result.done["red"] == (Deed("green", "shout"),)


# --- properties --------------------------------------------------------------------------------------------------

subsets = st.lists(st.sampled_from(SEATS), min_size=1, max_size=3, unique=True).map(lambda seats: tuple(sorted(seats)))
legal = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True).map(tuple)
scripts = st.lists(st.builds(Point, subsets, legal, st.booleans(), st.integers(0, 2)), max_size=8).map(
    lambda found: State(tuple(found))
)
simple = st.sampled_from((*WORDS, "dragon", "shout"))
branches = st.builds(
    Branch,
    st.lists(
        st.builds(Condition, st.none() | st.sampled_from(SEATS), st.none() | st.sampled_from(WORDS)), min_size=1
    ).map(tuple),
    st.lists(simple, max_size=2).map(tuple),
    st.none() | st.lists(simple, max_size=2).map(tuple),
)


def tables(entries):
    one = st.builds(
        SeatOrders,
        st.lists(entries, max_size=5).map(tuple),
        st.lists(entries, max_size=2).map(tuple),
        st.just({}) | st.sampled_from(WORDS).map(lambda word: {"question": word}),
        st.booleans(),
    )
    return st.fixed_dictionaries(dict.fromkeys(SEATS, one))


seats_set = st.frozensets(st.sampled_from(SEATS))


@given(scripts, tables(simple), seats_set)
def test_every_plain_order_is_used_in_turn_or_left_or_set_aside(state, orders, late):
    result = advance(RULES, state, orders, DICE, turn=1, late=late)
    for seat in SEATS:
        used = [made.move for step in result.steps for s, made in step.moves.items() if s == seat]
        hows = [made.how for step in result.steps for s, made in step.moves.items() if s == seat]
        given = [move for move, how in zip(used, hows, strict=True) if how == "given"]
        stops = [stop for step in result.steps for stop in step.stopped.get(seat, ())]
        stops += result.stopped.get(seat, ())
        aside = [entry for stop in stops if stop.source == "given" for entry in stop.left]
        left = list(result.orders[seat].queue)
        whole = list(orders[seat].queue)
        if orders[seat].nothing and len(given) > len(whole) - len(aside) - len(left):
            given.pop()  # the default, taken by its word that there is nothing to order
        if result.asked or result.more:
            assert given + aside + left == whole
        else:
            assert (given + aside) == whole[: len(given + aside)]


@given(scripts, tables(simple | branches), seats_set, seats_set)
def test_no_seat_is_spoken_for_without_a_reason(state, orders, late, resigned):
    result = advance(RULES, state, orders, DICE, turn=1, late=late, resigned=resigned)
    before = state
    for step in result.steps:
        if not step.at_once:
            assert tuple(step.moves) == RULES.pending(before)
        for seat, made in step.moves.items():
            assert RULES.read(before, seat, made.move) == made.move  # what was taken was legal
            assert made.how in ("given", "standing") or seat in (resigned if made.how == "resigned" else late)
        before = step.state
    assert set(result.asked) <= set(RULES.pending(result.state)) - resigned
    assert bool(result.asked) is bool(RULES.pending(result.state))
    assert not set(result.asked) & result.late


@given(scripts, tables(simple | branches), seats_set, seats_set, st.integers(1, 3))
def test_going_on_from_a_limit_comes_to_the_same(state, orders, late, resigned, limit):
    whole = advance(RULES, state, orders, DICE, turn=1, late=late, resigned=resigned)
    part = advance(RULES, state, orders, DICE, turn=1, late=late, resigned=resigned, limit=limit)
    steps = list(part.steps)
    while part.more:
        assert len(part.steps) == limit
        part = advance(
            RULES, part.state, part.orders, DICE, turn=part.turn, late=part.late, resigned=resigned, done=part.done,
            at_once=part.at_once, limit=limit,
        )  # fmt: skip
        steps += part.steps
    assert (part.state, part.turn, part.orders, part.done, part.asked) == (
        whole.state, whole.turn, whole.orders, whole.done, whole.asked,
    )  # fmt: skip
    assert [replace(step, left={}) for step in steps] == [replace(step, left={}) for step in whole.steps]


@given(scripts, tables(simple | branches), seats_set)
def test_what_is_handed_in_stays_as_it_was_and_the_order_of_seats_does_not_matter(state, orders, late):
    before = dict(orders)
    done = {"red": (Deed("blue", "bee"),)}
    result = advance(RULES, state, orders, DICE, turn=1, late=late, done=done)
    turned = advance(RULES, state, dict(reversed(orders.items())), DICE, turn=1, late=late, done=done)
    assert orders == before
    assert done == {"red": (Deed("blue", "bee"),)}
    assert turned == result


@given(scripts, tables(simple))
def test_the_bound_holds_for_a_game_that_never_asks(state, orders):
    result = advance(RULES, state, orders, DICE, turn=1, resigned=SEATS, limit=3)
    assert len(result.steps) == min(3, len(state.points))
    assert result.more is (len(state.points) > 3)


@pytest.mark.parametrize("missing", SEATS)
def test_every_seat_must_be_named(missing):
    orders = {seat: SeatOrders(("ape",)) for seat in SEATS if seat != missing}
    with pytest.raises(KeyError):
        advance(RULES, points(missing), orders, DICE, turn=1)


def test_an_advance_is_gone_with_its_result():
    """Nothing in it refers back to it, so no collection is needed to find what it leaves."""

    def silent(state, seat, dice):
        return None

    gc.disable()
    try:
        seen = weakref.ref(silent)
        orders = dict.fromkeys(SEATS, NO_ORDERS)
        result = advance(RULES, points("red"), orders, DICE, turn=1, late=["red"], deputy=silent)
        assert result.steps
        del silent, result
        assert seen() is None
    finally:
        gc.enable()
