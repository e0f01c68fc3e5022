"""Order files on the kernel's queue: the vectors, and what a file may say beside its orders (CONQ-18.5, CONQ-18.7)."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from engine import Dice, Refusal
from engine.advance import advance
from engine.entries import TurnFile, entry, plain, read_entries
from engine.queue import NO_ORDERS, SeatOrders, filed
from games.conquest import GAME
from games.conquest.filing import why_not
from pbem.game.outgoing import stands
from pbem.intake.fields import read_form
from pbem.intake.judge import judge

VECTORS = yaml.load(
    Path(__file__).with_name("vectors.yaml").read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)
)["orders"]


def as_text(data):
    """All scalars of an order file are texts when the host reads it."""
    if isinstance(data, dict):
        return {key: as_text(value) for key, value in data.items()}
    if isinstance(data, list):
        return [as_text(item) for item in data]
    return str(data).lower() if isinstance(data, bool) else str(data)


def put(state, orders, seat, file):
    """The orders of all seats once a file of one of them has come in."""
    entries, faults = read_entries(as_text(file["orders"]), (), GAME.conditions)
    assert not faults
    keys = {key: file[key] for key in GAME.order_keys if key in file}
    after = filed(GAME, state, seat, orders[seat], entries, keys)
    assert isinstance(after, SeatOrders), after
    assert SeatOrders.from_json(after.to_json()) == after
    return orders | {seat: after}


def run(state, orders, others=()):
    """Advance until somebody must be asked who has nothing left to say."""
    others, turn, done = list(others), 1, None
    while True:
        went = advance(GAME, state, orders, lambda why: Dice.script(()), turn=turn, done=done)
        state, orders, turn, done = went.state, dict(went.orders), went.turn, went.done
        if state.exchange is None or not others:
            return went
        (seat,) = GAME.pending(state)
        orders = put(state, orders, seat, {"orders": [others.pop(0)]})


def of(line):
    state = GAME.from_position(line)
    return state, dict.fromkeys(GAME.seats(GAME.Options(mode=state.table.mode, players=state.table.players)), NO_ORDERS)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in VECTORS])
def test_vector(case):
    state, orders = of(case["position"])
    (seat,) = GAME.pending(state)
    went = run(state, put(state, orders, seat, case["file"]), case["others"])
    assert GAME.position(went.state) == case["expect"]
    if "refusal" in case:
        (stop,) = went.stopped[seat]
        assert (stop.why.rule, stop.why.code) == (case["refusal"]["rule"], case["refusal"]["code"])
        assert went.asked == (seat,)
        return
    assert not went.stopped
    reached = "exchange" if went.state.exchange else "asked" if went.asked == (seat,) else "turn"
    assert reached == case["stops"]
    assert reached == "exchange" or went.orders[seat] == NO_ORDERS


LONELY = "sg5=Ss,sg6=Ss,sg7=Ss,wg5=Ws,wg6=Ws,wg7=Ws,ng5=Ns,ng6=Ns,ng7=Ns,eg5=Es,eg6=Es,eg7=Es"
PLAIN = f"cq1 free4:exchange:all:12 2:s:s:0:0 0/0/0/0 0/0/0/0 - move {LONELY}"
PAIRED = f"cq1 alliance2:exchange:all:12 2:s:s:0:0 0/0/0/0 0/0/0/0 - move {LONELY}"
FIGHT = (
    "cq1 free4:exchange:all:12 2:s:s:0:0 0/0/0/0 0/0/0/0 - move sb5=Sk,sb6=Ws,sb7=Wk,"
    "sg5=Ss,sg6=Ss,sg7=Ss,wd6=Wk,wg5=Ws,wg6=Ws,wg7=Ws,ng5=Ns,ng6=Ns,ng7=Ns,eg5=Es,eg6=Es,eg7=Es"
)


def test_a_file_for_the_next_turn_waits_and_is_used_then():  # CONQ-18.5, CONQ-17.4
    state, orders = of(PLAIN)
    orders = put(state, orders, "w", {"orders": ["s wg5-wf5", "s wg6-wf6"]})
    orders = put(state, orders, "s", {"orders": ["s sg5-sf5"]})
    went = run(state, orders)
    assert [str(move.move) for step in went.steps for move in step.moves.values()] == [
        "s sg5-sf5",
        "end",
        "s wg5-wf5",
        "s wg6-wf6",
        "end",
    ]
    assert went.asked == ("n",)


def test_a_newer_file_for_the_same_turn_replaces_what_is_left():  # CONQ-18.5
    state, orders = of(PLAIN)
    orders = put(state, orders, "w", {"orders": ["s wg5-wf5"]})
    orders = put(state, orders, "w", {"orders": ["s wg6-wf6"]})
    assert orders["w"].queue == (TurnFile("w", ("s wg6-wf6",), "ask", "end"),)


def test_a_seat_of_two_colours_says_for_which_a_file_is():  # CONQ-18.5, CONQ-15.2
    state, orders = of(PAIRED)
    orders = put(state, orders, "sn", {"orders": ["s ng5-nf5"], "colour": "n"})
    orders = put(state, orders, "sn", {"orders": ["s sg5-sf5"]})
    assert [file.turn for file in orders["sn"].queue] == ["n", "s"]
    orders = put(state, orders, "we", {"orders": ["end"]})
    went = run(state, orders)
    assert GAME.turn_now(went.state) == "e"  # south, west and north have used their files
    assert went.orders["sn"] == NO_ORDERS


@pytest.mark.parametrize(("keys", "value"), [({"colour": "e"}, "e"), ({"at_end": "maybe"}, "maybe")])
def test_a_key_the_seat_cannot_use_is_refused(keys, value):  # CONQ-18.5
    state, orders = of(PAIRED)
    refusal = filed(GAME, state, "sn", orders["sn"], ("end",), keys)
    assert isinstance(refusal, Refusal)
    assert (refusal.rule, refusal.code, refusal.facts["value"]) == ("CONQ-18.5", "bad_key", value)


def test_an_answer_leaves_orders_untouched_that_wait_for_a_turn():  # CONQ-18.7
    state, orders = of(FIGHT)
    orders = put(state, orders, "w", {"orders": ["k wd6-wd7"]})
    orders = put(state, orders, "s", {"orders": ["k sb5-sb6"], "at_end": "ask"})
    went = run(state, orders, ["decline"])
    assert went.asked == ("s",)
    assert went.orders["w"].queue == (TurnFile("w", ("k wd6-wd7",), "ask", "end"),)


def judged(state, orders, seat, *lines, done=()):
    """The verdict on a mail of that seat with these orders."""
    listed = "".join(f"  - {line}\n" for line in lines)
    found = read_form(f"game: g\nseat: {seat}\norders:\n{listed}".encode(), conditions=GAME.conditions)
    return judge(GAME, state, found.form, turns=range(1, 2), seats=tuple(orders), stands=orders[seat], done=done)


@pytest.mark.parametrize(
    ("answer", "code"),
    [("counter k wd6", "out_of_reach"), ("counter s sb7", "no_such_piece"), ("counter k sb6", "not_yours")],
)
def test_an_answer_that_is_none_is_refused_and_leaves_the_orders_untouched(answer, code):  # CONQ-18.7
    state, orders = of(FIGHT)
    orders = put(state, orders, "w", {"orders": ["k wd6-wd7"]})
    struck = run(state, put(state, orders, "s", {"orders": ["k sb5-sb6"]})).state
    found = judged(struck, orders, "w", answer)
    assert [problem.why.code for problem in found.problems] == [code]
    assert found.stands == orders["w"]


@pytest.mark.parametrize("answer", ["decline", "counter k sb7"])
def test_an_answer_without_an_exchange_is_refused_and_leaves_the_orders_untouched(answer):  # CONQ-18.7, CONQ-18.2
    """It comes too early or too late."""
    state, orders = of(FIGHT)
    orders = put(state, orders, "w", {"orders": ["k wd6-wd7"]})
    found = judged(state, orders, "w", answer)
    assert [problem.why.code for problem in found.problems] == ["not_asked"]
    assert found.stands == orders["w"]


def test_an_answer_before_orders_for_the_turn_answers_all_the_same():  # CONQ-18.5, CONQ-18.7
    state, orders = of(FIGHT)
    struck = run(state, put(state, orders, "s", {"orders": ["k sb5-sb6"], "at_end": "ask"}))
    found = judged(struck.state, struck.orders, "w", "counter k sb7", "k wd6-wd7")
    assert found.stands.queue == ("counter k sb7", TurnFile("w", ("k wd6-wd7",), "ask", "end"))
    went = run(struck.state, put(struck.state, struck.orders | {"w": found.stands}, "s", {"orders": ["end"]}))
    assert [str(made.move) for step in went.steps for made in step.moves.values()] == [
        "counter k sb7",
        "end",
        "k wd6-wd7",
        "end",
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "{if: {seat: s, does: k sb5-sb6}, then: counter k sb7, else: decline}",
        "{if: {seat: n}, then: decline, else: counter k sb7}",
        "{if: {mine: k sb7}, then: counter k sb7, else: decline}",
        "{if: {enemy: sb6}, then: counter k sb7, else: decline}",
        "{if: {enemy: sb7}, then: decline, else: counter k sb7}",
    ],
)
def test_an_answer_with_a_condition_answers_and_leaves_the_file_alone(answer):  # CONQ-18.5, CONQ-18.7
    state, orders = of(FIGHT)
    orders = put(state, orders, "w", {"orders": ["k wd6-wd7"]})
    struck = run(state, put(state, orders, "s", {"orders": ["k sb5-sb6"], "at_end": "ask"}))
    found = judged(struck.state, struck.orders, "w", answer, done=struck.done["w"])
    assert [read.text for read in found.read if read.text] == ["counter k sb7"]
    assert found.stands.queue[1:] == (TurnFile("w", ("k wd6-wd7",), "ask", "end"),)
    went = advance(
        GAME, struck.state, struck.orders | {"w": found.stands}, lambda why: Dice.script(()), turn=2, done=struck.done
    )
    assert [str(made.move) for step in went.steps for made in step.moves.values()] == ["counter k sb7"]


def test_a_standing_answer_serves_before_anybody_is_asked():  # CONQ-18.6
    state, orders = of(FIGHT)
    orders["w"] = SeatOrders(standing={"counter": "always"})
    orders = put(state, orders, "s", {"orders": ["k sb5-sb6", {"if": {"countered": True}, "else": ["k sb6-sb5"]}]})
    went = run(state, orders)
    assert [made.how for step in went.steps for made in step.moves.values()] == ["given", "standing", "given"]
    assert GAME.turn_now(went.state) == "w"
    assert went.orders["w"].standing == {"counter": "always"}


def test_countered_speaks_of_the_last_capture():  # CONQ-18.5
    line = FIGHT.replace("wd6=Wk,", "sc1=Sk,sd1=Nk,wd6=Wk,").replace("sb5=Sk,sb6=Ws,sb7=Wk,", "sb5=Sk,sb6=Ws,sb7=Wk,")
    line = line.replace("sg5=Ss,sg6=Ss,sg7=Ss,sc1=Sk,sd1=Nk,", "sc1=Sk,sd1=Nk,sg5=Ss,sg6=Ss,sg7=Ss,")
    state, orders = of(line)
    tail = {"if": {"countered": True}, "then": ["s sg5-sf5"], "else": ["s sg6-sf6"]}
    for between, moved in (([], "sf5"), (["k sc1-sd1"], "sf6"), (["s sg7-sf7"], "sf5")):
        there = put(state, orders, "s", {"orders": ["k sb5-sb6", *between, tail]})
        went = run(state, there, ["counter k sb7"])
        assert f"{moved}=Ss" in GAME.position(went.state), between


@pytest.mark.parametrize("own", [(), ("s ng7-nf7",)])
def test_countered_speaks_of_no_capture_of_others(own):  # CONQ-18.5
    """West answers south's capture; north, whose turn comes later, has taken nothing."""
    state, orders = of(FIGHT)
    tail = {"if": {"countered": True}, "then": ["s ng5-nf5"], "else": ["s ng6-nf6"]}
    for seat, entries in (("s", ["k sb5-sb6"]), ("w", ["end"]), ("n", [*own, tail])):
        orders = put(state, orders, seat, {"orders": entries})
    went = run(state, orders, ["counter k sb7"])
    assert went.asked == ("e",)
    assert "nf6=Ns" in GAME.position(went.state)


def test_countered_speaks_of_no_capture_of_the_other_colour():  # CONQ-18.5, CONQ-15.2
    """South's turn ends with the answer, as what is left to it is tired; north, of the same seat, has taken nothing."""
    pieces = "sb5=Sk,sb6=Ws,sb7=Wk,sg10=Ss2,wg5=Ws,ng5=Ns,ng6=Ns,ng7=Ns,eg5=Es"
    state, orders = of(f"cq1 alliance2:exchange:all:12 2:s:s:18:0 0/0/0/0 0/0/0/0 - move {pieces}")
    tail = {"if": {"countered": True}, "then": ["s ng5-nf5"], "else": ["s ng6-nf6"]}
    orders = put(state, orders, "sn", {"orders": ["k sb5-sb6"]})
    orders = put(state, orders, "sn", {"orders": [tail], "colour": "n"})
    orders = put(state, orders, "we", {"orders": ["end"], "colour": "w"})
    went = run(state, orders, ["counter k sb7"])
    assert GAME.turn_now(went.state) == "e"
    assert "nf6=Ns" in GAME.position(went.state)


def test_what_others_have_done_is_told_without_ones_own_captures():  # CONQ-18.5
    state, orders = of(FIGHT)
    tail = {"if": {"seat": "w", "does": "counter k sb7"}, "then": ["end"]}
    orders = put(state, orders, "s", {"orders": ["k sb5-sb6", tail]})
    went = run(state, orders, ["decline"])
    assert [str(stop.why) for stop in went.stopped["s"]] == [
        "None of the conditions is met. Done by others since your last decision: w: decline."
    ]


def test_an_exchange_leaves_files_to_be_read_again_from_their_record():  # CONQ-18.5
    file = TurnFile("w", ("end", {"piece": "k"}), "skip", "ask")
    assert entry(plain(file)) == file
    faults = read_entries([plain(file)], (), GAME.conditions)[1]
    assert [fault.why.code for fault in faults] == ["no_if"]  # nobody can write such a record as an order


def test_a_receipt_shows_what_stands_as_it_was_written():  # CONQ-18.5
    state, orders = of(FIGHT)
    orders = put(state, orders, "w", {"orders": ["k wd6-wd7", {"if": {"empty": "wd8"}, "then": ["end"]}]})
    assert stands(orders["w"], GAME, state, "w").orders == ("k wd6-wd7", {"if": {"empty": "wd8"}, "then": "end"})


@pytest.mark.parametrize(
    "condition",
    [
        {"countered": "maybe"},
        {"empty": "sd12"},
        {"mine": "sd6"},
        {"mine": "x sd6"},
        {"enemy": "here"},
        {"points_min": "some"},
        {"weather": "fine"},
    ],
)
def test_a_condition_nobody_can_judge_is_refused(condition):  # CONQ-18.5
    assert why_not(condition).code == "bad_condition"


def test_conditions_that_can_be_judged():
    assert why_not({"countered": "true", "empty": "SD6", "mine": "e  sc5", "enemy": "g1", "points_max": "4"}) is None


@pytest.mark.parametrize(("mover", "serves"), [("s", "s"), ("w", "n"), ("n", "n"), ("e", "s")])
def test_a_file_that_names_no_colour_is_for_the_colour_that_is_next(mover, serves):  # CONQ-18.5, CONQ-15.2
    state, orders = of(PAIRED.replace("2:s:s:0:0", f"2:s:{mover}:0:0"))
    orders = put(state, orders, "sn", {"orders": ["end"]})
    assert [file.turn for file in orders["sn"].queue] == [serves]
