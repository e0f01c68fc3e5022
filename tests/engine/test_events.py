"""Events: what a seat is told depends on nothing that is hidden from it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Event
from engine.canon import canonical

SEATS = ("red", "green", "blue")
READERS = (*SEATS, "referee", None)

words = st.sampled_from(["card", "loot", "seat", "points"])
facts = st.dictionaries(words, st.integers(0, 9) | st.lists(st.integers(0, 3), max_size=3), max_size=3)
audiences = st.none() | st.lists(st.sampled_from([*SEATS, "referee"]), unique=True).map(tuple)
events = st.builds(
    Event,
    kind=words,
    rule=st.sampled_from(["VAULT-1.2", "VAULT-2.3"]),
    facts=facts,
    hidden=st.dictionaries(st.sampled_from([*SEATS, "referee"]), facts, max_size=3),
    audience=audiences,
)


@given(events, st.sampled_from(READERS))
def test_a_reader_learns_the_public_facts_and_his_own(event, reader):
    seen = event.seen_by(reader)
    if event.audience is not None and reader not in event.audience:
        assert seen is None
    else:
        assert seen is not None
        assert seen.facts == {**event.facts, **event.hidden.get(reader, {})}
        assert (seen.kind, seen.rule) == (event.kind, event.rule)


@given(events, st.sampled_from(READERS))
def test_what_is_told_holds_nothing_else(event, reader):
    """Neither the facts of others nor the list of those who know may travel along, even in its JSON."""
    seen = event.seen_by(reader)
    if seen is not None:
        assert not seen.hidden
        assert seen.audience is None
        assert set(seen.to_json()) == {"kind", "rule", "facts"}
        assert seen.seen_by(None) == seen


@given(events, events, st.sampled_from(READERS))
def test_two_events_that_differ_in_others_secrets_are_told_alike(one, other, reader):
    own = {reader: one.hidden[reader]} if reader in one.hidden else {}
    others = {seat: facts for seat, facts in other.hidden.items() if seat != reader}
    assert one._replace(hidden={**others, **own}).seen_by(reader) == one.seen_by(reader)


@given(events)
def test_the_public_learns_what_no_seat_learns_less_than(event):
    public = event.seen_by(None)
    for seat in SEATS:
        seen = event.seen_by(seat)
        if public is not None:
            assert seen is not None
            assert set(public.facts) <= set(seen.facts)


@given(events)
def test_events_go_to_json_and_back(event):
    data = json.loads(canonical(event.to_json()))
    again = Event.from_json(data)
    assert canonical(again.to_json()) == canonical(event.to_json())
    assert all(again.seen_by(reader) == event.seen_by(reader) for reader in READERS)


@given(events)
def test_being_told_changes_nothing(event):
    before = canonical(event.to_json())
    for reader in READERS:
        event.seen_by(reader)
    assert canonical(event.to_json()) == before


@pytest.mark.parametrize("reader", READERS)
def test_an_open_event_is_told_as_it_is(reader):
    event = Event("moved", "BAGH-4.3", {"from": "a1"})
    assert event.seen_by(reader) is event


def test_an_audience_of_nobody_tells_nobody():
    event = Event("drawn", "VAULT-1.2", {"card": 3}, audience=())
    assert [event.seen_by(reader) for reader in READERS] == [None] * len(READERS)


class Leaky(Event):
    """An event whose reader also gets what others may know: the tests above must find it."""

    def seen_by(self, seat):
        return Event(self.kind, self.rule, {**self.facts, **{"all": dict(self.hidden)}})


def test_a_leak_would_be_found():
    one = Leaky("dealt", "VAULT-1.2", {}, {"red": {"card": 1}})
    other = one._replace(hidden={"red": {"card": 2}})
    assert one.seen_by("blue") != other.seen_by("blue")
    assert Event(*one).seen_by("blue") == Event(*other).seen_by("blue")
