"""What a player may write as one order: conditionals, their faults, and the way to JSON and back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.entries import Branch, Condition, Deed, entry, plain, read_entries
from tests.engine.relay import RULES

words = st.sampled_from(["ape", "bee", "Take 3", "NO", "~"])
orders = words | st.fixed_dictionaries({"do": words}, optional={"to": words})
conditions = st.builds(Condition, st.none() | st.sampled_from(["red", "blue"]), st.none() | words)
entries = st.recursive(
    orders,
    lambda inner: st.builds(
        Branch,
        st.lists(conditions, min_size=1, max_size=3).map(tuple),
        st.lists(inner, max_size=3).map(tuple),
        st.none() | st.lists(inner, max_size=2).map(tuple),
    ),
    max_leaves=8,
)


@given(st.lists(entries, max_size=4).map(tuple))
def test_entries_go_to_json_and_back(found):
    data = json.loads(json.dumps([plain(item) for item in found]))
    assert tuple(map(entry, data)) == found


@given(st.lists(entries, max_size=4).map(tuple))
def test_what_is_written_down_can_be_sent_in_again(found):
    assert read_entries([plain(item) for item in found]) == (found, ())


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("ape", "ape"),
        ({"do": "ape"}, {"do": "ape"}),
        ({"if": "bee", "then": "ape"}, Branch((Condition(None, "bee"),), ("ape",))),
        ({"if": "Any", "then": ["ape"]}, Branch((Condition(),), ("ape",))),
        ({"if": ["bee", "any"], "then": []}, Branch((Condition(None, "bee"), Condition()), ())),
        ({"if": {"seat": "blue"}, "then": "ape"}, Branch((Condition("blue"),), ("ape",))),
        ({"if": {"does": "bee"}, "then": "ape"}, Branch((Condition(None, "bee"),), ("ape",))),
        ({"if": {"seat": "ANY", "does": "any"}, "then": "ape"}, Branch((Condition(),), ("ape",))),
        ({"if": "bee", "then": "ape", "else": "cat"}, Branch((Condition(None, "bee"),), ("ape",), ("cat",))),
        ({"if": "bee", "then": [], "else": []}, Branch((Condition(None, "bee"),), (), ())),
    ],
)
def test_a_conditional_is_read(written, read):
    assert read_entries([written]) == ((read,), ())


@pytest.mark.parametrize(
    ("written", "path", "code"),
    [
        (None, (0,), "empty_order"),
        ("", (0,), "empty_order"),
        (["ape"], (0,), "list_in_list"),
        ({"then": "ape"}, (0, "then"), "no_if"),
        ({"else": "ape"}, (0, "else"), "no_if"),
        ({"if": "bee"}, (0,), "no_then"),
        ({"if": "bee", "else": "ape"}, (0,), "no_then"),
        ({"if": None, "then": "ape"}, (0, "if"), "bad_if"),
        ({"if": [], "then": "ape"}, (0, "if"), "bad_if"),
        ({"if": {}, "then": "ape"}, (0, "if"), "bad_if"),
        ({"if": ["bee", None], "then": "ape"}, (0, "if", 1), "bad_if"),
        ({"if": {"seet": "blue"}, "then": "ape"}, (0, "if", "seet"), "bad_if"),
        ({"if": {"seat": ["blue"]}, "then": "ape"}, (0, "if"), "bad_if"),
        ({"if": "bee", "then": ["ape", None]}, (0, "then", 1), "empty_order"),
        ({"if": "bee", "then": [{"if": "cat"}]}, (0, "then", 0), "no_then"),
        ({"if": "bee", "then": "ape", "than": "cat"}, (0, "than"), "branch_key"),
    ],
)
def test_a_fault_is_named_with_its_place(written, path, code):
    _, faults = read_entries([written])
    assert [(fault.path, fault.why.code) for fault in faults] == [(path, code)]
    assert str(faults[0].why)


def test_all_faults_are_told_and_the_rest_is_read():
    found, faults = read_entries(["ape", None, {"if": "bee", "then": None}, {"then": "x"}, "cat"])
    assert found == ("ape", "cat")
    assert [fault.path for fault in faults] == [(1,), (2, "then"), (3, "then")]


@pytest.mark.parametrize(
    ("condition", "met"),
    [
        (Condition(), True),
        (Condition("blue"), True),
        (Condition("green"), False),
        (Condition(None, "BEE "), True),
        (Condition("blue", "bee"), True),
        (Condition("blue", "cat"), False),
        (Condition("red", "bee"), False),
    ],
)
def test_a_condition_is_met_by_what_was_done(condition, met):
    assert condition.met(RULES, [Deed("blue", "bee"), Deed("blue", "ape")]) is met


def test_a_bare_any_is_met_when_nothing_was_done_and_nothing_else_is():
    assert Condition().met(RULES, [])
    assert not Condition("blue").met(RULES, [])


def test_a_secret_move_meets_a_seat_but_no_words():
    assert Condition("blue").met(RULES, [Deed("blue", None)])
    assert not Condition("blue", "bee").met(RULES, [Deed("blue", None)])
    assert not Condition(None, "None").met(RULES, [Deed("blue", None)])
