"""States as values: one made of another, with some fields changed."""

from dataclasses import fields, replace

import pytest

from games.khan.state import State
from tests.games.khan.walking import states


def test_a_changed_state_is_what_replace_gives():
    for state in states()[::5]:
        other = state.but(seat=1, turn=state.turn + 1, refused=(0,))
        assert other == replace(state, seat=1, turn=state.turn + 1, refused=(0,)) != state
        assert hash(other) == hash(replace(state, seat=1, turn=state.turn + 1, refused=(0,)))
        assert list(vars(other)) == [field.name for field in fields(State)]
        assert state.but() == state


def test_a_field_that_there_is_not_cannot_be_changed():
    with pytest.raises(TypeError, match="a state has no yurt"):
        states()[0].but(yurt=0, seat=1)
