"""The verdict on a form: what is taken, what stands afterwards, and what its player is told."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Dice, load
from engine.entries import Branch, Condition, Deed, TurnFile
from engine.game import Notice
from engine.queue import NO_ORDERS, SeatOrders
from engine.refusal import Refusal
from pbem.intake.fields import read_form
from pbem.intake.judge import ACCEPTED, DRAFT, REFUSED, judge
from pbem.intake.orders import runs
from pbem.intake.plain import told
from tests.engine.relay import OPEN, RULES, SEATS, OpenRelay, Relay, points

HEAD = "game: g\nseat: red\nturn: 5\n"


def verdict(text, state=None, rules=RULES, stands=NO_ORDERS, done=(), turns=range(5, 6), seats=SEATS, **reading):
    found = read_form((HEAD + text).encode(), **reading)
    state = points("red") if state is None else state
    return judge(rules, state, found.form, turns=turns, seats=seats, stands=stands, done=done, problems=found.problems)


def listed(*orders):
    return "orders:\n" + "".join(f"  - {order}\n" for order in orders)


def codes(found):
    return [(problem.why.code, problem.mark.line if problem.mark else None) for problem in found.problems]


# --- taken -----------------------------------------------------------------------------------------------------------


def test_good_orders_stand_in_place_of_the_old_ones():
    before = SeatOrders(("dog",), ("cat",), {"question": "ape"})
    found = verdict(listed("Ape", "bee"), stands=before)
    assert (found.fate, found.stands) == (ACCEPTED, SeatOrders(("Ape", "bee"), (), {"question": "ape"}))
    assert found.replaced == before
    assert [(read.number, read.text, read.mark[:2]) for read in found.read] == [(1, "ape", (5, 5)), (2, None, (6, 5))]
    assert [notice.facts for notice in found.notices] == [{"numbers": ["2"]}]


def test_a_draft_leaves_orders_alone():
    found = verdict(listed("ape") + "draft: yes", stands=SeatOrders(("dog",)))
    assert (found.fate, found.stands) == (DRAFT, SeatOrders(("dog",), ("ape",)))


def test_the_word_that_there_is_nothing_to_order_stands():
    found = verdict("orders: []", stands=SeatOrders(("dog",), ("cat",)))
    assert (found.fate, found.stands) == (ACCEPTED, SeatOrders(nothing=True))
    assert verdict(listed("ape"), stands=SeatOrders(nothing=True)).stands == SeatOrders(("ape",))


def test_standing_answers_are_replaced_whole_and_orders_stay():
    before = SeatOrders(("dog",), (), {"question": "ape"})
    assert verdict("standing: {question: bee}", stands=before).stands == SeatOrders(("dog",), (), {"question": "bee"})
    assert verdict("standing: {}", stands=before).stands == SeatOrders(("dog",))
    assert verdict("say: hello", stands=before).stands == before
    assert verdict("say: hello", stands=before).replaced is None


class Keeping(Relay):
    """Standing answers stand in its state."""

    def kept_standing(self, state, seat, standing):
        return f"always {standing['question']}"


@pytest.mark.parametrize("text", ["say: hello", "standing: {}", listed("ape")])
def test_without_standing_answers_the_rules_are_given_none_to_keep(text):
    found = verdict(text, rules=Keeping())
    assert (found.at_once, [notice.code for notice in found.notices]) == ((), [])
    assert found.kept == 0


def test_standing_answers_that_the_rules_keep_are_given_to_them():
    found = verdict("standing: {question: bee}", rules=Keeping())
    assert (found.fate, found.at_once) == (ACCEPTED, ("always bee",))
    assert [(notice.code, notice.facts) for notice in found.notices] == [("holds_now", {"words": "always bee"})]


def test_a_seat_that_is_not_asked_may_order_ahead():
    found = verdict(listed("ape", "{do: bee}"), points("blue"))
    assert (found.fate, found.stands.queue) == (ACCEPTED, ("ape", {"do": "bee"}))
    assert [read.move for read in found.read] == [None, None]


class Answering(Relay):
    """A bee, and a shout, answer what is open and never wait; nobody can ask with an `if` for an ape."""

    def is_for_now(self, state, seat, order):
        return order in ("bee", "shout")

    def why_no_deed(self, text):
        return Refusal("RELAY-8", "no_deed", "{word} hangs on the position.", {"word": text}) if text == "ape" else None


ANSWERING = Answering()


@pytest.mark.parametrize(
    ("asked", "orders", "fate", "wrong"),
    [
        ("blue", ("bee",), REFUSED, [("not_asked", 5)]),
        ("blue", ("ape", "bee"), REFUSED, [("not_asked", 6)]),
        ("blue", ("ape", "shout"), ACCEPTED, []),
        ("red", ("ape", "bee"), ACCEPTED, []),
    ],
)
def test_an_order_that_only_an_open_question_takes_waits_for_none(asked, orders, fate, wrong):
    """Behind others it may be for the next question, as long as its seat is asked."""
    found = verdict(listed(*orders), points(asked, "blue"), ANSWERING)
    assert (found.fate, codes(found)) == (fate, wrong)


@pytest.mark.parametrize(("word", "wrong"), [("ape", [("no_deed", 5)]), ("bee", [])])
def test_an_if_cannot_ask_for_words_that_hang_on_the_position(word, wrong):
    text = listed(f"{{if: {{seat: blue, does: {word}}}, then: cat}}", "dog")
    assert codes(verdict(text, points("blue"), ANSWERING)) == wrong


def test_what_can_be_foreseen_is_judged():
    found = verdict(listed("ape", "bee"), points("red", "red=bee", "blue"), OPEN)
    assert [read.text for read in found.read] == ["ape", "bee"]
    assert found.notices == ()
    refused = verdict(listed("ape", "cat", "dog"), points("red", "red=bee"), OPEN)
    assert codes(refused) == [("closed", 6)]


@pytest.mark.parametrize(
    "state", [points("red", "blue", "red"), points("red+blue", "red"), points("red", "red", dice=1)]
)
def test_what_others_or_chance_decide_is_not_foreseen(state):
    found = verdict(listed("ape", "bee"), state, OPEN)
    assert [read.text for read in found.read] == ["ape", None]


def test_orders_after_the_foreseen_end_are_pointed_out():
    found = verdict(listed("ape", "bee"), points("red"), OPEN)
    assert [notice.code for notice in found.notices] == ["after_the_end", "not_judged_yet"]


# --- refused ---------------------------------------------------------------------------------------------------------


def test_all_that_is_wrong_is_told_and_what_stood_stands():
    before = SeatOrders(("dog",))
    text = "orders:\n- dragon\n- ape\n- \n- elephant\nturm: 3\nstanding: {wrong: x}\n"
    found = verdict(text, stands=before)
    assert codes(found) == [
        ("unreadable", 5), ("empty_order", 7), ("unreadable", 8), ("unknown_key", 9), ("standing", 10),
    ]  # fmt: skip
    assert (found.fate, found.stands, found.kept) == (REFUSED, before, 0)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (listed("ape", "bee", "dragon"), ("ape", "bee")),
        (listed("dragon", "ape"), ()),
        (listed("ape", "{if: x, then: dragon}", "bee"), ("ape",)),
        ("orders:\n- ape\n- \n- bee\n", ("ape",)),
        ("orders:\n- ape\n- 9999999\n", ("ape",)),
        ("orders: |\n  ape\n  dragon\n", ("ape",)),
        ("orders: dragon\n", ()),
        (listed("shout", "ape", "dragon"), ("ape",)),  # what takes effect at once is no plan
        (listed("ape", "dragon") + "turm: 1\n", ()),  # something else is wrong, too
        (listed("ape") + "turm: 1\n", ()),
        (listed("ape") + "standing: {wrong: x}\n", ()),
    ],
)
def test_if_nothing_stood_the_orders_before_the_first_refused_one_are_kept_as_a_draft(text, kept):
    found = verdict(text)
    assert (found.fate, found.stands, found.kept) == (REFUSED, SeatOrders(draft=kept), len(kept))
    for before in (SeatOrders(("dog",)), SeatOrders(draft=("dog",)), SeatOrders(nothing=True)):
        assert verdict(text, stands=before).stands == before


def test_standing_answers_alone_are_nothing_that_stands_for_the_decision():
    found = verdict(listed("ape", "dragon"), stands=SeatOrders(standing={"question": "bee"}))
    assert found.stands == SeatOrders(draft=("ape",), standing={"question": "bee"})


def test_turns_since_the_last_report_are_open():
    assert verdict(listed("ape"), turns=range(3, 9)).is_taken
    closed = verdict(listed("ape", "bee"), turns=range(6, 9))
    assert (codes(closed), closed.kept) == ([("turn_closed", 3)], 0)
    assert closed.problems[0].why.facts == {"turn": 5, "open": 8}
    assert codes(verdict(listed("ape"), turns=range(3, 5))) == [("turn_ahead", 3)]


def test_the_whole_form_is_taken_or_nothing():
    found = verdict(listed("dragon") + "standing: {question: bee}\nsay: hello\n", stands=SeatOrders(("dog",)))
    assert found.stands == SeatOrders(("dog",))


# --- conditionals ----------------------------------------------------------------------------------------------------

BEE = (Deed("blue", "bee"),)


def test_conditionals_are_decided_where_the_seat_decides_now():
    text = listed("{if: cat, then: dog}", "{if: bee, then: [ape, bee]}", "cat")
    found = verdict(text, points("red=ape", "red=bee", "red=cat"), OPEN, done=BEE)
    assert [(read.number, read.within, read.text) for read in found.read] == [
        (1, "then 1", None), (2, "then 1", "ape"), (2, "then 2", "bee"), (3, "", "cat"),
    ]  # fmt: skip
    refused = verdict(text, points("red=dog"), done=BEE)
    assert [(problem.why.code, problem.subject.within) for problem in refused.problems] == [("closed", "then 1")]


def test_conditionals_of_which_none_is_met_now_are_refused():
    found = verdict(listed("{if: cat, then: dog}", "{if: dog, then: ape}"), done=BEE)
    assert codes(found) == [("no_condition_met", 5)]
    assert "blue: bee" in str(found.problems[0].why)


def test_conditionals_for_later_are_read_through():
    text = listed("{if: {seat: blue, does: bee}, then: ape, else: [dragon, {if: any, then: unicorn}]}")
    found = verdict(text, points("blue"))
    assert [(problem.subject.within, problem.mark[:2]) for problem in found.problems] == [
        ("else 1", (5, 53)), ("else 2, then 1", (5, 77)),
    ]  # fmt: skip


@pytest.mark.parametrize(("seat", "near"), [("bleu", "blue"), ("red", None), ("nobody at all", None)])
def test_a_condition_names_another_seat(seat, near):
    found = verdict(listed("{if: {seat: " + seat + "}, then: ape}"), points("blue"))
    assert codes(found) == [("no_seat", 5)]
    why = found.problems[0].why
    assert why.facts.get("near") == (near and f"`{near}`")
    assert "`blue`" in why.facts["seats"], "as it is written, whatever letters call it"


def test_a_condition_that_nobody_can_meet_is_pointed_out():
    found = verdict(listed("{if: dragon, then: ape, else: bee}"), points("blue"))
    assert [notice.code for notice in found.notices] == ["never_met", "not_judged_yet"]


@pytest.mark.parametrize(
    ("condition", "noticed"),
    [
        ("a5-b3", []),  # forward for blue, though backward for green
        ("{seat: blue, does: d5-b4}", []),
        ("{seat: blue, does: place a5}", []),  # its own camp, not that of green
        ("b3-a5", ["never_met"]),  # forward for green alone
        ("place a1", ["never_met"]),
    ],
)
def test_a_condition_is_about_what_the_others_can_do(condition, noticed):
    rules = load("jarmo")
    state = rules.setup(rules.Options(variant="jasyr"), Dice()).state
    text = "seat: green\n" + listed("a1-b3", "{if: " + condition + ", then: b1-d2}")
    found = read_form(("game: g\nturn: 5\n" + text).encode())
    fate = judge(rules, state, found.form, turns=range(5, 6), seats=("green", "blue"), stands=NO_ORDERS, done=())
    assert fate.problems == ()
    assert [notice.code for notice in fate.notices if notice.code != "not_judged_yet"] == noticed


def test_after_ones_own_move_nothing_has_been_done_by_others():
    found = verdict(listed("ape", "{if: bee, then: cat, else: dog}"), points("red", "red"), OPEN, done=BEE)
    assert [read.text for read in found.read] == ["ape", None, "dog"]


def test_where_a_game_remembers_more_its_conditionals_wait():
    class Long(OpenRelay):
        def remembered(self, before, after, seat):
            return True

    found = verdict(listed("ape", "{if: bee, then: cat, else: dog}"), points("red", "red"), Long(), done=BEE)
    assert [read.text for read in found.read] == ["ape", None, None]


# --- questions, moves at once, keys of the game ----------------------------------------------------------------------


def test_an_answer_to_a_question_leaves_plans_alone():
    plans = SeatOrders(("dog", "ape"), ("cat",))
    found = verdict("orders: bee", points("red?=bee,cat"), stands=plans)
    assert found.stands == SeatOrders(("bee", "dog", "ape"), ("cat",))
    assert found.read[0].text == "bee"
    again = verdict("orders: cat", points("red?=bee,cat"), stands=found.stands)
    assert again.stands == SeatOrders(("cat", "dog", "ape"), ("cat",))


def test_an_answer_with_a_condition_leaves_plans_alone():
    plans, done = SeatOrders(("dog", "ape"), ("cat",)), (Deed("blue", "ape"),)
    text = "orders:\n  - {if: dog, then: cat}\n  - {if: ape, then: bee, else: cat}\n"
    rows = (Branch((Condition(None, "dog"),), ("cat",)), Branch((Condition(None, "ape"),), ("bee",), ("cat",)))
    found = verdict(text, points("red?=bee,cat"), stands=plans, done=done)
    assert found.stands == SeatOrders((*rows, "dog", "ape"), ("cat",))
    again = verdict("orders: cat", points("red?=bee,cat"), stands=found.stands, done=done)
    assert again.stands == SeatOrders(("cat", "dog", "ape"), ("cat",))


def test_plans_sent_while_a_question_is_open_wait_and_it_is_said_so():
    found = verdict(listed("ape", "dog"), points("red?=bee"), stands=SeatOrders(("cat",)))
    assert (found.fate, found.stands.queue) == (ACCEPTED, ("ape", "dog"))
    assert found.notices[0].code == "no_answer"
    assert "RELAY-3" in found.notices[0].rule
    assert verdict(listed("dragon"), points("red?=bee")).fate == REFUSED
    assert verdict(listed("{if: cat, then: ape}"), points("red?=bee"), done=BEE).is_taken


@pytest.mark.parametrize("asked", ["red", "blue"])
def test_moves_at_once_are_not_queued(asked):
    found = verdict(listed("shout", "Shout", "ape"), points(asked), stands=SeatOrders(("dog",)))
    assert (found.at_once, found.stands) == (("shout", "shout"), SeatOrders(("ape",)))
    assert [read.at_once for read in found.read] == [True, True, False]
    only = verdict("orders: shout", points(asked), stands=SeatOrders(("dog",), ("cat",)))
    assert (only.at_once, only.stands) == (("shout",), SeatOrders(("dog",), ("cat",)))


def test_a_move_at_once_behind_another_order_waits_for_its_turn():
    found = verdict(listed("ape", "shout"), points("red", "blue"))
    assert (found.at_once, found.stands.queue) == ((), ("ape", "shout"))
    foreseen = verdict(listed("ape", "shout", "bee"), points("red", "red"), OPEN)
    assert (foreseen.at_once, foreseen.stands.queue) == ((), ("ape", "shout", "bee"))
    assert [read.text for read in foreseen.read] == ["ape", "shout", "bee"]
    inside = verdict(listed("{if: any, then: [shout, ape]}"), points("red"))
    assert (inside.at_once, len(inside.stands.queue)) == ((), 1)


class Turns(Relay):
    """A game whose files serve one turn, with a key and a condition of its own."""

    order_keys = {"at_end": ("ask", "end"), "colour": ()}
    conditions = ("lucky",)

    def bound(self, state, seat, keys):
        if keys.get("colour") == "pink":
            return Refusal("TURNS-1", "colour", "There is no pink.")
        return TurnFile(keys.get("colour", "now"), (), "ask", keys.get("at_end", "ask"))

    def turn_now(self, state):
        return "now"

    def holds(self, state, seat, condition, done):
        return condition == {"lucky": "yes"}

    def why_not_condition(self, condition):
        ok = condition.get("lucky") in ("yes", "no")
        return None if ok else Refusal("TURNS-2", "luck", "Luck is yes or no.")


OWN = {"game_keys": {"at_end", "colour", "other"}, "conditions": {"lucky", "heavy"}}


def test_a_file_may_serve_one_turn():
    found = verdict(listed("ape") + "at_end: end\n", rules=Turns(), **OWN)
    assert found.stands.queue == (TurnFile("now", ("ape",), "ask", "end"),)
    later = verdict(listed("ape") + "colour: next\n", points("red=bee"), Turns(), **OWN)
    assert later.stands.queue == (TurnFile("next", ("ape",), "ask", "ask"),)
    assert later.read[0].move is None
    kept = verdict(listed("ape", "dragon"), rules=Turns(), **OWN)
    assert kept.stands == SeatOrders(draft=(TurnFile("now", ("ape",)),))
    drafted = verdict(listed("ape") + "draft: y\n", rules=Turns(), stands=SeatOrders(("dog",)), **OWN)
    assert drafted.stands == SeatOrders(("dog",), (TurnFile("now", ("ape",)),))


def test_keys_and_conditions_are_those_of_this_game():
    assert codes(verdict(listed("ape") + "other: x\n", rules=Turns(), **OWN)) == [("unknown_key", 6)]
    assert codes(verdict(listed("ape") + "at_end: never\n", rules=Turns(), **OWN)) == [("bad_word", 6)]
    assert codes(verdict(listed("ape") + "at_end: [end]\n", rules=Turns(), **OWN)) == [("bad_word", 6)]
    assert codes(verdict(listed("ape") + "colour: pink\n", rules=Turns(), **OWN)) == [("colour", 5)]
    assert codes(verdict(listed("{if: {heavy: y}, then: ape}"), rules=Turns(), **OWN)) == [("no_condition", 5)]
    assert codes(verdict(listed("{if: {lucky: x}, then: ape}"), rules=Turns(), **OWN)) == [("luck", 5)]
    found = verdict(listed("{if: {lucky: no}, then: ape}", "bee"), rules=Turns(), **OWN)
    assert [read.text for read in found.read] == [None, "bee"]
    assert isinstance(found.stands.queue[0].entries[0], Branch)
    assert found.stands.queue[0].entries[0].when == (Condition(facts=(("lucky", "no"),)),)


# --- what is told ----------------------------------------------------------------------------------------------------


class Talking(Relay):
    def notices(self, state, seat, move):
        return (Notice("RELAY-9", "loud", "{move} is loud.", {"move": move}),) if move == "bee" else ()


def test_a_verdict_in_plain_lines():
    found = verdict(listed("Bee", "shout", "cat", "{if: cat, then: dog}"), rules=Talking())
    assert list(told(found, "orders.yml")) == [
        "orders.yml:5:5: order 1: bee. bee is loud.",
        "orders.yml:6:5: order 2: read; it waits for its time.",
        "orders.yml:7:5: order 3: read; it waits for its time.",
        "orders.yml:8:21: order 4, then 1: read; it waits for its time.",
        "orders.yml: Read, but not yet judged, as it depends on what comes before: order 2-4.",
        "orders.yml: It would be taken.",
    ]


def test_problems_in_plain_lines():
    found = verdict(listed("ape", "{do: bee}", "dragon\\x1b[2J"), points("red=ape", "red=ape,cat"), OPEN)
    assert list(told(found, "orders.yml")) == [
        'orders.yml:6:5: order 2 of 3, "{do: bee}": not taken. bee is closed (RELAY-3). Legal: ape, cat.',
        'orders.yml:7:5: order 3 of 3, "dragon\\x1b[2J": not taken. dragon\\x1b[2j is no word (RELAY-1).',
        "orders.yml: It would not be taken. For want of better, 1 of its orders would be kept as a draft.",
    ]
    assert list(told(verdict(listed("dragon")), "f"))[-1] == "f: It would not be taken. Nothing stands."
    assert list(told(verdict(listed("dragon"), stands=SeatOrders(("ape",))), "f"))[-1].endswith(
        "stands already would stay."
    )
    assert list(told(verdict(listed("ape") + "draft: y"), "f"))[-1] == "f: It would be kept as a draft."
    assert next(told(verdict(listed("shout")), "f")) == "f:5:5: order 1: shout, at once."


def test_many_legal_moves_are_named_in_part():
    nim = load("nim")
    state = nim.from_position("nim1 20-20 1 normal 0 -")
    text = "game: g\nseat: '1'\nturn: 5\norders: b21\n"
    found = judge(nim, state, read_form(text.encode()).form, turns=range(5, 6), seats=("1", "2"))
    (line, _) = told(found, "orders.yml")
    assert line.startswith(
        'orders.yml:4:9: order 1 of 1, "b21": not taken. From heap b you may take 1 to 20, not 21 (NIM'
    )
    assert line.endswith("Legal: b1, b2, b3, b4, b5, b6, b7, b8 and 12 more.")


def test_a_verdict_is_plain_json():
    nim = load("nim")
    state = nim.from_position("nim1 3-4 1 misere 0 -")
    text = "game: g\nseat: '1'\nturn: 5\norders: [a3, b9, c]\n"
    found = judge(nim, state, read_form(text.encode()).form, turns=range(5, 6), seats=("1", "2"))
    data = json.loads(json.dumps(found.to_json()))
    assert data["fate"] == REFUSED
    assert data["orders"][0]["move"] == "a3"
    assert data["orders"][0]["events"][0]["kind"] == "took"


def test_numbers_in_a_row_are_taken_together():
    assert runs([2, 3, 4, 7, 9, 8, 8]) == ["2-4", "7-9"]
    assert runs([]) == []


def test_an_answer_does_not_go_on_for_ever():
    found = verdict(listed(*["dragon"] * 100))
    assert len(found.problems) == 40
    assert str(found.problems[-1].why) == "And so on: 61 more things are wrong."
    reading = read_form((HEAD + "orders: [" + "9999999, " * 100 + "ape]").encode())
    assert len(reading.problems) == 40
    conditions = verdict(listed(*["{if: dragon, then: ape}"] * 100), points("blue"))
    assert len(conditions.notices) <= 41


# --- properties ------------------------------------------------------------------------------------------------------

written = st.sampled_from(["ape", "bee", "shout", "dragon", "{if: bee, then: cat}", "{if: any, then: dragon}", "[]"])
held = st.builds(
    SeatOrders, st.sampled_from([(), ("dog",)]), st.sampled_from([(), ("cat",)]), st.just({}), st.booleans()
)
asked = st.sampled_from(["red", "blue", "red=bee", "red?=bee", "red+blue"])


@given(st.lists(written, max_size=5), held, asked, st.booleans())
def test_nothing_is_half_taken(orders, stands, at, is_open):
    text = listed(*orders) if orders else "orders: []"
    found = verdict(text, points(at, "red", "blue"), OPEN if is_open else RULES, stands)
    if found.is_taken:
        waiting = [read for read in found.read if not read.at_once]
        assert {read.number for read in waiting} <= set(range(1, len(orders) + 1))
        assert found.problems == ()
        assert len(found.stands.queue) + len(found.at_once) >= len(orders)
    else:
        assert found.problems
        assert found.at_once == ()
        assert found.stands == stands or (not stands.stands and found.stands.queue == ())
    assert list(told(found, "f"))


# --- what a conditional would do, should it come to that -----------------------------------------------------------


def test_the_orders_of_a_conditional_are_judged_where_its_condition_leads():
    """Blue decides; if it says bee, red's ape stands, if it says anything else nobody knows."""
    found = verdict(listed("{if: {seat: blue, does: bee}, then: ape}"), points("blue", "red=ape"), OPEN)
    assert found.is_taken
    [read] = [read for read in found.read if read.supposed]
    assert (read.text, read.move, read.at_once) == ("ape", "ape", False)
    assert "ape, if it comes to that." in "\n".join(told(found, "orders.yml"))


def test_an_order_that_would_not_stand_is_warned_of_and_waits():
    found = verdict(listed("{if: {seat: blue, does: bee}, then: cat}"), points("blue", "red=ape"), OPEN)
    assert found.is_taken
    assert "would_not_stand" in [notice.code for notice in found.notices]
    never = verdict(listed("{if: {seat: blue, does: bee}, then: unicorn}"), points("blue", "red=ape"), OPEN)
    assert codes(never) == [("unreadable", 5)]


@pytest.mark.parametrize(
    ("condition", "at"),
    [
        ("{seat: green, does: bee}", points("blue", "red")),  # another seat decides
        ("{seat: blue, does: dog}", points("blue=bee", "red")),  # a move that is not open
        ("{seat: blue, does: bee}", points("blue", "green", "red")),  # somebody else is asked before
        ("{seat: blue}", points("blue", "red")),  # no move is named
        ("{seat: blue, does: bee}", points("blue+green", "red")),  # two decide
    ],
)
def test_a_condition_that_leads_nowhere_known_leaves_its_orders_for_later(condition, at):
    found = verdict(listed("{if: " + condition + ", then: ape}"), at, OPEN)
    assert found.is_taken
    assert [read.supposed for read in found.read] == [False]


def test_behind_ones_own_move_a_condition_leads_on_where_nothing_is_hidden():
    orders = listed("ape", "{if: {seat: blue, does: bee}, then: cat}")
    at = points("red", "blue", "red=cat")
    assert [read.supposed for read in verdict(orders, at, OPEN).read] == [False, True]
    assert [read.supposed for read in verdict(orders, at).read] == [False, False]


def test_what_others_did_before_still_counts_where_a_condition_leads():
    inner = "{if: {seat: green, does: cat}, then: ape}"
    orders = listed("{if: {seat: blue, does: bee}, then: [" + inner + "]}")
    found = verdict(orders, points("blue", "red=ape"), OPEN, done=(Deed("green", "cat"),))
    assert [(read.text, read.supposed) for read in found.read] == [("ape", True)]


def test_to_answer_a_question_that_may_never_come_is_no_answer():
    """So a draft goes, as it does when orders take its place."""
    stands = SeatOrders(("dog",), ("cat",))
    found = verdict(listed("{if: {seat: blue, does: bee}, then: ape}"), points("blue", "red?=ape"), OPEN, stands)
    assert found.is_taken
    assert found.stands.draft == ()


def test_in_an_arm_that_nobody_comes_to_nothing_is_supposed():
    inner = "{if: {seat: blue, does: bee}, then: ape}"
    orders = listed("{if: {seat: green, does: bee}, then: [" + inner + "]}")
    found = verdict(orders, points("blue", "red=ape"), OPEN)
    assert [(read.text, read.supposed) for read in found.read] == [(None, False)]


def test_a_move_at_once_behind_an_order_for_later_waits_with_it():
    found = verdict(listed("ape", "shout"), points("blue", "red"))
    assert (found.at_once, found.stands.queue) == ((), ("ape", "shout"))


def test_a_question_that_no_condition_meets_is_left_open():
    assert verdict(listed("{if: cat, then: ape}"), points("red?"), done=()).is_taken


def test_a_draft_that_cannot_be_filed_leaves_what_stood(monkeypatch):
    """Rules that take the orders before the first wrong one only together with those behind it."""
    from pbem.intake import judge as judging

    real = judging.filed

    def no_less(rules, state, seat, stands, entries, *more):
        whole = len(entries) > 1
        return real(rules, state, seat, stands, entries, *more) if whole else Refusal("", "too_few", "Too few.", {})

    monkeypatch.setattr(judging, "filed", no_less)
    found = verdict(listed("ape", "unicorn"))
    assert found.fate == REFUSED
    assert found.stands == NO_ORDERS
