"""Entries: what a player may write as one order. An order is a text or a mapping; a conditional chooses between orders.

`if` what another seat has done, `then` entries, `else` entries: the same grammar in the order form and in the ledger.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.game import Seat
from engine.refusal import Refusal
from engine.registry import AnyGame

ANY = "any"
IF, THEN, ELSE, SEAT, DOES = "if", "then", "else", "seat", "does"
ASK, SKIP, FINISH = "ask", "skip", "end"
FOR_TURN, ENTRIES, ON_ILLEGAL, AT_END = "for_turn", "orders", "on_illegal", "at_end"

Order = str | Mapping[str, Any]
Path = tuple[str | int, ...]
Names = Collection[str]


class Deed(NamedTuple):
    """A move of another seat, in the words in which this seat learnt of it (None: only that there was one)."""

    seat: Seat
    move: str | None


@dataclass(frozen=True, slots=True)
class Condition:
    """What another seat must have done: which seat (None: any), and which move (None: whatever it was).

    Or, in `facts`, what must be so on the board: names and values that the game's rules know how to judge.
    """

    seat: Seat | None = None
    does: str | None = None
    facts: tuple[tuple[str, str], ...] = ()

    def met(self, rules: AnyGame, done: Sequence[Deed], state: Any = None, seat: Seat = "") -> bool:
        """Whether that was done, or is so; a bare `any` is met even when nothing was."""
        if self.facts:
            return rules.holds(state, seat, dict(self.facts), done)
        if self.seat is None and self.does is None:
            return True
        return any(self._fits(rules, deed) for deed in done)

    def _fits(self, rules: AnyGame, deed: Deed) -> bool:
        if self.seat is not None and self.seat != deed.seat:
            return False
        return self.does is None or (deed.move is not None and rules.same_move(self.does, deed.move))

    def to_json(self) -> Any:
        if self.facts:
            return dict(self.facts)
        if self.seat is None:
            return ANY if self.does is None else self.does
        return {SEAT: self.seat, DOES: ANY if self.does is None else self.does}


@dataclass(frozen=True, slots=True)
class Branch:
    """A conditional: one of `when` must be met for `then`; `otherwise` (its `else`) is None when none was written."""

    when: tuple[Condition, ...]
    then: tuple[Entry, ...]
    otherwise: tuple[Entry, ...] | None = None

    @property
    def alone(self) -> bool:
        """Whether it asks how the board stands: then it is no alternative to its neighbours, and a missing `else` is
        an empty one."""
        return any(condition.facts for condition in self.when)

    def chosen(
        self, rules: AnyGame, done: Sequence[Deed], state: Any = None, seat: Seat = ""
    ) -> tuple[Entry, ...] | None:
        """The entries this conditional comes to, or None when it leaves the choice to the next one."""
        if any(condition.met(rules, done, state, seat) for condition in self.when):
            return self.then
        return () if self.otherwise is None and self.alone else self.otherwise


@dataclass(frozen=True, slots=True)
class TurnFile:
    """The orders of a file that serves one turn of its seat: used step by step while that turn runs, then void.

    `on_illegal`: what an order that does not stand leads to: `ask` the seat, `skip` the order, or `end`, the default
    move. `at_end`: what follows the last order: `ask`, or `end`.
    """

    turn: str
    entries: tuple[Entry, ...] = ()
    on_illegal: str = ASK
    at_end: str = ASK


Entry = Order | Branch | TurnFile


def plain(entry: Entry) -> Any:
    """An entry as plain JSON, in the words of the order form."""
    if isinstance(entry, TurnFile):
        words = {FOR_TURN: entry.turn, ON_ILLEGAL: entry.on_illegal, AT_END: entry.at_end}
        return words | {ENTRIES: list(map(plain, entry.entries))}
    if not isinstance(entry, Branch):
        return entry
    data: dict[str, Any] = {IF: [condition.to_json() for condition in entry.when], THEN: list(map(plain, entry.then))}
    return data if entry.otherwise is None else data | {ELSE: list(map(plain, entry.otherwise))}


def entry(data: Any) -> Entry:
    """The entry of what `plain` gave. What a player wrote goes through `read_entries`, which tells what is wrong."""
    if isinstance(data, Mapping) and FOR_TURN in data:
        return TurnFile(data[FOR_TURN], tuple(map(entry, data[ENTRIES])), data[ON_ILLEGAL], data[AT_END])
    if not isinstance(data, Mapping) or IF not in data:
        order: Order = data
        return order
    when = tuple(_condition(condition) for condition in data[IF])
    otherwise = tuple(map(entry, data[ELSE])) if ELSE in data else None
    return Branch(when, tuple(map(entry, data[THEN])), otherwise)


def _condition(data: Any) -> Condition:
    if isinstance(data, Mapping) and not set(data) <= {SEAT, DOES}:
        return Condition(facts=tuple(sorted(data.items())))
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


def read_entries(data: Any, path: Path = (), conditions: Names = ()) -> tuple[tuple[Entry, ...], tuple[Fault, ...]]:
    """The entries of a list (or of one entry alone) of texts, mappings and lists, and everything wrong with them.

    `conditions` are the names that games let an `if` ask about besides what others did.
    """
    faults: list[Fault] = []
    items = [(item, (*path, i)) for i, item in enumerate(data)] if isinstance(data, list) else [(data, path)]
    entries = [_read_entry(item, place, faults, conditions) for item, place in items]
    return tuple(found for found in entries if found is not None), tuple(faults)


def read_entry(data: Any, path: Path = (), conditions: Names = ()) -> tuple[Entry | None, tuple[Fault, ...]]:
    """One entry, where a list would be one list too many; None when something is wrong with it."""
    faults: list[Fault] = []
    return _read_entry(data, path, faults, conditions), tuple(faults)


def _read_entry(data: Any, path: Path, faults: list[Fault], conditions: Names) -> Entry | None:
    if isinstance(data, str) and data:
        return data
    if not isinstance(data, Mapping):
        faults.append(Fault(path, _NOT_AN_ORDER[type(data) is list]))
        return None
    if IF in data:
        return _read_branch(data, path, faults, conditions)
    if misplaced := [key for key in (THEN, ELSE, FOR_TURN) if key in data]:
        text = "`{key}` stands here without an `if`. Put `if`, `then` and `else` under one dash."
        faults.append(Fault((*path, misplaced[0]), Refusal("", "no_if", text, {"key": misplaced[0]})))
        return None
    return data


_NOT_AN_ORDER = {
    False: Refusal("", "empty_order", "Nothing stands here. Write an order, or take the line out."),
    True: Refusal("", "list_in_list", "A list stands where one order is due. Write each order on a line of its own."),
}


def _read_branch(data: Mapping[str, Any], path: Path, faults: list[Fault], conditions: Names) -> Branch | None:
    before = len(faults)
    for key in data:
        if key not in (IF, THEN, ELSE):
            text = "`{key}` has no place in a conditional, which has `if`, `then` and, if wanted, `else`."
            faults.append(Fault((*path, key), Refusal("", "branch_key", text, {"key": key}, (IF, THEN, ELSE))))
    when = _read_conditions(data[IF], (*path, IF), faults, conditions)
    then = _read_arm(data, THEN, path, faults, conditions)
    otherwise = _read_arm(data, ELSE, path, faults, conditions)
    if then is None and len(faults) == before and not any(condition.facts for condition in when):
        faults.append(Fault(path, Refusal("", "no_then", "This `if` has no `then`: say what to do when it is met.")))
    return None if len(faults) > before else Branch(when, then or (), otherwise)


def _read_arm(
    data: Mapping[str, Any], key: str, path: Path, faults: list[Fault], conditions: Names
) -> tuple[Entry, ...] | None:
    if key not in data:
        return None
    entries, wrong = read_entries(data[key], (*path, key), conditions)
    faults += wrong
    return entries


def _read_conditions(data: Any, path: Path, faults: list[Fault], conditions: Names) -> tuple[Condition, ...]:
    items = [(item, (*path, i)) for i, item in enumerate(data)] if isinstance(data, list) else [(data, path)]
    if not items:
        faults.append(Fault(path, _BAD_IF))
    read = [_read_condition(item, place, faults, conditions) for item, place in items]
    return tuple(found for found in read if found is not None)


_BAD_IF = Refusal(
    "",
    "bad_if",
    "An `if` takes what another seat does, as a text; or {mapping}; or a list of these; or `any`.",
    {"mapping": "{seat: blue, does: ...}"},
)


def _read_condition(data: Any, path: Path, faults: list[Fault], conditions: Names) -> Condition | None:
    if isinstance(data, str) and data:
        return Condition(None, _unless_any(data))
    if isinstance(data, Mapping) and data and all(isinstance(value, str) and value for value in data.values()):
        unknown = [key for key in data if key not in (SEAT, DOES)]
        if all(key in conditions for key in data):
            return Condition(facts=tuple(sorted(data.items())))
        if not unknown:
            return Condition(_unless_any(data.get(SEAT, ANY)), _unless_any(data.get(DOES, ANY)))
        path = (*path, unknown[0])
    faults.append(Fault(path, _BAD_IF))
    return None
