"""Canonical JSON: the bytes of RFC 8785, and every value the games are made of goes there and back."""

import enum
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from engine.canon import canonical, digest, dump, restore

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
wholes = st.integers(-(2**53) + 1, 2**53 - 1)
leaves = st.none() | st.booleans() | wholes | texts
values = st.recursive(leaves, lambda v: st.lists(v, max_size=4) | st.dictionaries(texts, v, max_size=4), max_leaves=15)


@given(values)
def test_the_bytes_are_those_of_rfc_8785(value):
    assert canonical(value) == rfc8785.dumps(value)


@given(values)
def test_json_reads_back_what_was_written(value):
    assert json.loads(canonical(value)) == value
    assert digest(value) == hashlib.sha256(canonical(value)).hexdigest()


@given(st.dictionaries(texts, leaves, max_size=6))
def test_the_order_of_a_mapping_does_not_matter(value):
    assert canonical(value) == canonical(dict(reversed(value.items())))


def test_keys_are_sorted_by_their_utf_16_units():
    """A letter beyond the first 65,536 comes before U+E000 to U+FFFF, though its number is larger."""
    keys = {"\ue000": 1, "\U00010000": 2, "a": [{"\uffff": 3, "\U0001f409": 4}]}
    assert canonical(keys) == rfc8785.dumps(keys)
    assert canonical(keys).decode() == '{"a":[{"\U0001f409":4,"\uffff":3}],"\U00010000":2,"\ue000":1}'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), b"bytes", {1, 2}, "\ud800"])
def test_what_is_no_json_is_not_written(value):
    with pytest.raises((ValueError, TypeError)):
        canonical(value)


class Side(enum.Enum):
    TIGERS = "tigers"
    GOATS = "goats"


class Level(enum.IntEnum):
    I = 1  # noqa: E741
    II = 2


class Cell(NamedTuple):
    q: int
    r: int


@dataclass(frozen=True)
class Piece:
    side: Side
    at: Cell | None
    levels: tuple[Level, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A state with all that a state may be made of."""

    name: str
    turn: int
    over: bool
    mode: Literal["free", "alliance"]
    pieces: tuple[Piece, ...]
    pair: tuple[str, int]
    empty: frozenset[Cell]
    stock: Mapping[str, int]
    board: dict[Side, tuple[Cell, ...]]
    wheel: Mapping[int, Cell]
    nested: frozenset[tuple[int, ...]]
    note: str | None = None
    anything: Any = None
    cache: int = field(default=7, init=False, compare=False)


cells = st.builds(Cell, wholes, wholes)
pieces = st.builds(Piece, st.sampled_from(Side), st.none() | cells, st.lists(st.sampled_from(Level)).map(tuple))
tables = st.builds(
    Table,
    name=texts,
    turn=wholes,
    over=st.booleans(),
    mode=st.sampled_from(["free", "alliance"]),
    pieces=st.lists(pieces, max_size=4).map(tuple),
    pair=st.tuples(texts, wholes),
    empty=st.frozensets(cells, max_size=5),
    stock=st.dictionaries(texts, wholes, max_size=3),
    board=st.dictionaries(st.sampled_from(Side), st.lists(cells, max_size=3).map(tuple)),
    wheel=st.dictionaries(wholes, cells, max_size=3),
    nested=st.frozensets(st.lists(wholes, max_size=3).map(tuple), max_size=4),
    note=st.none() | texts,
    anything=values,
)


@given(tables)
def test_a_value_goes_to_json_and_back(table):
    data = json.loads(canonical(dump(Table, table)))
    again = restore(Table, data)
    assert again == table
    assert type(again.empty) is frozenset
    assert all(type(cell) is Cell for cell in again.empty)
    assert canonical(dump(Table, again)) == canonical(dump(Table, table))
    assert "cache" not in data


@given(tables, tables)
def test_different_values_have_different_json(one, other):
    assert (one == other) == (canonical(dump(Table, one)) == canonical(dump(Table, other)))


@given(st.lists(cells, unique=True, max_size=8))
def test_a_set_has_one_json_however_it_came_about(found):
    kind = frozenset[Cell]
    assert dump(kind, frozenset(found)) == dump(kind, frozenset(reversed(found)))


def test_a_value_with_defaults_left_out_is_not_guessed_at():
    data = dump(Piece, Piece(Side.GOATS, None))
    del data["levels"]
    with pytest.raises(KeyError):
        restore(Piece, data)
    with pytest.raises(ValueError, match="'dragons' is not a valid Side"):
        restore(Piece, {"side": "dragons", "at": None, "levels": []})


@pytest.mark.parametrize("kind", [
    list[int], set[int], float, bytes, int | str, object,
    Mapping[Cell, int], Mapping[Level, int], Mapping[bool, int], Mapping[Literal[1, 2], int],
])  # fmt: skip
def test_a_type_that_would_not_come_back_is_refused(kind):
    with pytest.raises(TypeError, match="no canonical JSON for"):
        dump(kind, None)
