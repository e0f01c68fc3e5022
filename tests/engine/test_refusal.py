"""Refusals: a sentence made of facts, the same in every run, and JSON of it."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BadPosition, Notice, Refusal
from engine.canon import canonical

scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
facts = st.dictionaries(
    st.sampled_from(["move", "menu", "most"]),
    scalars | st.lists(scalars, max_size=4) | st.frozensets(st.text(max_size=4), max_size=4),
)


def test_the_sentence_is_filled_in_with_the_facts():
    refusal = Refusal("NIM-2.2", "count", "From {heap} take {menu}, not {count}.",
                      {"heap": "b", "menu": (1, 2), "count": 9}, ("b1", "b2"))  # fmt: skip
    assert str(refusal) == "From b take 1, 2, not 9."


@given(facts)
def test_players_words_are_only_words(said):
    """Braces and format signs in what a player wrote are never read as such."""
    text = "".join(f"<{{{name}}}>" for name in said)
    spoken = str(Refusal("NIM-2.1", "unreadable", text, said))
    assert spoken.count("<") >= len(said)
    for value in said.values():
        if isinstance(value, str):
            assert f"<{value}>" in spoken


@pytest.mark.parametrize("word", ["{}", "{0}", "{move.__class__}", "%s", "{{"])
def test_a_format_in_an_order_does_nothing(word):
    assert str(Refusal("NIM-2.1", "unreadable", "{move} is no move.", {"move": word})) == f"{word} is no move."


def test_a_sentence_with_a_name_that_has_no_fact_is_our_fault():
    with pytest.raises(KeyError):
        str(Refusal("NIM-2.1", "unreadable", "{such} is no move.", {}))


@given(facts, st.lists(st.text(min_size=1, max_size=5), max_size=3).map(tuple))
def test_json_of_a_refusal_is_plain(said, legal):
    data = Refusal("NIM-2.1", "unreadable", "No.", said, legal).to_json()
    assert json.loads(canonical(data)) == data
    assert list(data) == ["rule", "code", "text", "facts", "legal"]
    assert data["legal"] == list(legal)
    assert set(data["facts"]) == set(said)


@given(st.lists(st.text(max_size=4), unique=True, min_size=2, max_size=6))
def test_a_set_is_told_in_order(names):
    """The order of a set depends on the hash seed of the process; a sentence must not."""
    refusal = Refusal("NIM-2.1", "x", "{names}", {"names": frozenset(names)})
    assert str(refusal) == ", ".join(sorted(names))
    assert refusal.to_json()["facts"]["names"] == sorted(names)


def test_nested_facts_become_plain():
    nested = {"seats": {"red": (1, 2)}, "odd": 3 + 0j}
    assert Refusal("NIM-2.1", "x", "No.", nested).to_json()["facts"] == {"seats": {"red": [1, 2]}, "odd": "(3+0j)"}


def test_a_refusal_is_a_value():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Refusal("NIM-2.1", "x", "No.").rule = "NIM-2.2"
    assert Refusal("NIM-2.1", "x", "No.") == Refusal("NIM-2.1", "x", "No.", {}, ())


def test_a_notice_is_worded_like_a_refusal():
    assert str(Notice("NIM-3.2", "loses", "{heap} is your last.", {"heap": ["a", "b"]})) == "a, b is your last."


def test_a_bad_position_is_a_value_error_with_a_code():
    assert issubclass(BadPosition, ValueError)
    assert BadPosition("no").code == "bad_position"
