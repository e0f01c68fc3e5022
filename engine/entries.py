"""Entries: what a player may write as one order. An order is a text or a mapping; a conditional chooses between orders.

`if` what another seat has done, `then` entries, `else` entries: the same grammar in the order form and in the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.game import Seat
from engine.refusal import Refusal
from engine.registry import AnyGame

ANY = "any"
IF, THEN, ELSE, SEAT, DOES = "if", "then", "else", "seat", "does"

Order = str | Mapping[str, Any]
Path = tuple[str | int, ...]


class Deed(NamedTuple):
    """A move of another seat, in the words in which this seat learnt of it (None: only that there was one)."""

    seat: Seat
    move: str | None


@dataclass(frozen=True, slots=True)
class Condition:
    """What another seat must have done: which seat (None: any), and which move (None: whatever it was)."""

    seat: Seat | None = None
    does: str | None = None

    def met(self, rules: AnyGame, done: Iterable[Deed]) -> bool:
        """Whether that was done; a bare `any` is met even when nothing was."""
        if self.seat is None and self.does is None:
            return True
        return any(self._fits(rules, deed) for deed in done)

    def _fits(self, rules: AnyGame, deed: Deed) -> bool:
        if self.seat is not None and self.seat != deed.seat:
            return False
        return self.does is None or (deed.move is not None and rules.same_move(self.does, deed.move))

    def to_json(self) -> Any:
        if self.seat is None:
            return ANY if self.does is None else self.does
        return {SEAT: self.seat, DOES: ANY if self.does is None else self.does}


@dataclass(frozen=True, slots=True)
class Branch:
    """A conditional: one of `when` must be met for `then`; `otherwise` (its `else`) is None when none was written."""

    when: tuple[Condition, ...]
    then: tuple[Entry, ...]
    otherwise: tuple[Entry, ...] | None = None

    def chosen(self, rules: AnyGame, done: Sequence[Deed]) -> tuple[Entry, ...] | None:
        """The entries this conditional comes to, or None when it leaves the choice to the next one."""
        return self.then if any(condition.met(rules, done) for condition in self.when) else self.otherwise


Entry = str | Mapping[str, Any] | Branch


def plain(entry: Entry) -> Any:
    """An entry as plain JSON, in the words of the order form."""
    if not isinstance(entry, Branch):
        return entry
    data: dict[str, Any] = {IF: [condition.to_json() for condition in entry.when], THEN: list(map(plain, entry.then))}
    return data if entry.otherwise is None else data | {ELSE: list(map(plain, entry.otherwise))}


def entry(data: Any) -> Entry:
    """The entry of what `plain` gave. What a player wrote goes through `read_entries`, which tells what is wrong."""
    if not isinstance(data, Mapping) or IF not in data:
        order: Order = data
        return order
    when = tuple(_condition(condition) for condition in data[IF])
    otherwise = tuple(map(entry, data[ELSE])) if ELSE in data else None
    return Branch(when, tuple(map(entry, data[THEN])), otherwise)


def _condition(data: Any) -> Condition:
    if isinstance(data, Mapping):
        return Condition(_unless_any(data.get(SEAT, ANY)), _unless_any(data.get(DOES, ANY)))
    return Condition(None, _unless_any(data))


def _unless_any(word: str) -> str | None:
    return None if word.lower() == ANY else word


# --- what players write ------------------------------------------------------------------------------------------


class Fault(NamedTuple):
    """A place in an entry that cannot be read as one."""

    path: Path
    why: Refusal


def read_entries(data: Any, path: Path = ()) -> tuple[tuple[Entry, ...], tuple[Fault, ...]]:
    """The entries of a list (or of one entry alone) of texts, mappings and lists, and everything wrong with them."""
    faults: list[Fault] = []
    items = [(item, (*path, i)) for i, item in enumerate(data)] if isinstance(data, list) else [(data, path)]
    entries = [_read_entry(item, place, faults) for item, place in items]
    return tuple(found for found in entries if found is not None), tuple(faults)


def _read_entry(data: Any, path: Path, faults: list[Fault]) -> Entry | None:
    if isinstance(data, str) and data:
        return data
    if not isinstance(data, Mapping):
        faults.append(Fault(path, _NOT_AN_ORDER[type(data) is list]))
        return None
    if IF in data:
        return _read_branch(data, path, faults)
    if misplaced := [key for key in (THEN, ELSE) if key in data]:
        text = "`{key}` stands here without an `if`. Put `if`, `then` and `else` under one dash."
        faults.append(Fault((*path, misplaced[0]), Refusal("", "no_if", text, {"key": misplaced[0]})))
        return None
    return data


_NOT_AN_ORDER = {
    False: Refusal("", "empty_order", "Nothing stands here. Write an order, or take the line out."),
    True: Refusal("", "list_in_list", "A list stands where one order is due. Write each order on a line of its own."),
}


def _read_branch(data: Mapping[str, Any], path: Path, faults: list[Fault]) -> Branch | None:
    before = len(faults)
    for key in data:
        if key not in (IF, THEN, ELSE):
            text = "`{key}` has no place in a conditional, which has `if`, `then` and, if wanted, `else`."
            faults.append(Fault((*path, key), Refusal("", "branch_key", text, {"key": key}, (IF, THEN, ELSE))))
    when = _read_conditions(data[IF], (*path, IF), faults)
    then = _read_arm(data, THEN, path, faults)
    otherwise = _read_arm(data, ELSE, path, faults)
    if then is None and len(faults) == before:
        faults.append(Fault(path, Refusal("", "no_then", "This `if` has no `then`: say what to do when it is met.")))
    return None if len(faults) > before else Branch(when, then or (), otherwise)


def _read_arm(data: Mapping[str, Any], key: str, path: Path, faults: list[Fault]) -> tuple[Entry, ...] | None:
    if key not in data:
        return None
    entries, wrong = read_entries(data[key], (*path, key))
    faults += wrong
    return entries


def _read_conditions(data: Any, path: Path, faults: list[Fault]) -> tuple[Condition, ...]:
    items = [(item, (*path, i)) for i, item in enumerate(data)] if isinstance(data, list) else [(data, path)]
    if not items:
        faults.append(Fault(path, _BAD_IF))
    return tuple(found for item, place in items if (found := _read_condition(item, place, faults)) is not None)


_BAD_IF = Refusal(
    "",
    "bad_if",
    "An `if` takes what another seat does, as a text; or {mapping}; or a list of these; or `any`.",
    {"mapping": "{seat: blue, does: ...}"},
)


def _read_condition(data: Any, path: Path, faults: list[Fault]) -> Condition | None:
    if isinstance(data, str) and data:
        return Condition(None, _unless_any(data))
    if isinstance(data, Mapping) and data and all(isinstance(value, str) and value for value in data.values()):
        unknown = [key for key in data if key not in (SEAT, DOES)]
        if not unknown:
            return Condition(_unless_any(data.get(SEAT, ANY)), _unless_any(data.get(DOES, ANY)))
        path = (*path, unknown[0])
    faults.append(Fault(path, _BAD_IF))
    return None
