"""Order files of a turn: which turn a file serves, and what its conditions ask about (CONQ-18.5, section 6.5).

The queue that uses a file up step by step is the kernel's; here stands what only the rules of Conquest know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from engine import Event, Refusal
from engine.entries import AT_END, ON_ILLEGAL, Deed, TurnFile
from games.conquest.geography import BIT, COLOURS, INDEX
from games.conquest.options import seats
from games.conquest.state import State
from games.conquest.units import LETTERS

COLOUR = "colour"
KEYS: Mapping[str, tuple[str, ...]] = {
    ON_ILLEGAL: ("ask", "skip", "end"),
    AT_END: ("end", "ask"),
    COLOUR: tuple(COLOURS),
}
MODELS: Mapping[str, tuple[str, ...]] = {
    "countered": ("countered: true", "countered: false"),
    "empty": ("empty: sd6",),
    "mine": ("mine: e sc5",),
    "enemy": ("enemy: sd6",),
    "points_min": ("points_min: 4",),
    "points_max": ("points_max: 4",),
}
CONDITIONS = tuple(MODELS)
CAPTURED = "captured"
_NUMBER = re.compile(r"\d{1,3}", re.ASCII)


def bound(state: State, seat: str, keys: Mapping[str, str]) -> TurnFile | Refusal:
    """The turn that a file serves: the running one of its colour, or else its next."""
    given = {name: str(value).strip().lower() for name, value in keys.items()}
    own = _colours_by_turn(state, seat)
    for name, words in {**KEYS, COLOUR: own}.items():
        if name in given and given[name] not in words:
            text = "`{key}` is one of {words}; here stands {value}."
            facts = {"key": name, "words": words, "value": given[name]}
            return Refusal("CONQ-18.5", "bad_key", text, facts, tuple(f"{name}: {word}" for word in words))
    turn = given.get(COLOUR, own[0])
    return TurnFile(turn, (), given.get(ON_ILLEGAL, KEYS[ON_ILLEGAL][0]), given.get(AT_END, KEYS[AT_END][0]))


def _colours_by_turn(state: State, seat: str) -> tuple[str, ...]:
    """The colours of a seat, the one at turn or next to be first."""
    own = seats(state.table.players)[seat]
    return tuple(COLOURS[colour] for colour in sorted(own, key=lambda colour: (colour - state.mover) % len(COLOURS)))


def turns_ended(before: State, after: State) -> tuple[str, ...]:
    """The colours whose turns ended between two states; what was ordered for them is void."""
    rounds = after.round - before.round
    passed = len(COLOURS) * rounds + _place(after) - _place(before)
    return tuple(COLOURS[(before.mover + step) % len(COLOURS)] for step in range(min(passed, len(COLOURS))))


def _place(state: State) -> int:
    return (state.mover - state.starter) % len(COLOURS)


def noted(events: Sequence[Event], seat: str) -> tuple[str, ...]:
    """A seat's own captures: `countered` asks about what followed the last of them."""
    return tuple(CAPTURED for event in events if event.kind == CAPTURED and event.facts["by"] in seat)


# --- conditions ---------------------------------------------------------------------------------------------------


def holds(state: State, seat: str, condition: Mapping[str, str], done: Sequence[Deed]) -> bool:
    """Whether all conditions of one `if` hold now, by the side of whoever decides."""
    own = state.exchange.victim if state.exchange else state.mover
    tests: dict[str, Callable[[str], bool]] = {
        "countered": lambda word: _countered(state, seat, done) is (word == "true"),
        "empty": lambda cell: state.board.cells[INDEX[cell]] is None,
        "mine": lambda words: _is_mine(state, own, words),
        "enemy": lambda cell: bool(state.enemies(own) & BIT[INDEX[cell]]),
        "points_min": lambda number: state.points_left >= int(number),
        "points_max": lambda number: state.points_left <= int(number),
    }
    return all(tests[name](_plain(value)) for name, value in condition.items())


def _plain(value: str) -> str:
    return " ".join(str(value).lower().split())


def _countered(state: State, seat: str, done: Sequence[Deed]) -> bool:
    """Whether the last capture of this turn was answered; no, when there was none.

    What was done before this turn is among the deeds, too: others' answers to others.
    """
    if not any(state.taken):
        return False
    for deed in reversed(done):
        if deed.seat == seat:
            return False
        if deed.move is not None and deed.move.startswith("counter "):
            return True
    return False


def _is_mine(state: State, own: int, words: str) -> bool:
    """A unit of that colour with that root, as in `e sc5`."""
    letter, cell = words.split()
    unit = state.board.cells[INDEX[cell]]
    return unit is not None and unit.colour == own and unit.letter == letter


def why_not(condition: Mapping[str, str]) -> Refusal | None:
    """Why a condition cannot be judged, by its form."""
    for name, value in condition.items():
        if name in CONDITIONS and _is_judged(name, _plain(value)):
            continue
        legal = MODELS.get(name, tuple(model for models in MODELS.values() for model in models))
        text = "`{name}: {value}` cannot be judged. Such conditions can be: {legal}."
        facts = {"name": name, "value": str(value), "legal": legal}
        return Refusal("CONQ-18.5", "bad_condition", text, facts, legal)
    return None


def _is_judged(name: str, value: str) -> bool:
    """Whether a condition of that name is written as its model is."""
    if name == "countered":
        return value in ("true", "false")
    if name in ("empty", "enemy"):
        return value in INDEX
    if name == "mine":
        letter, _, cell = value.partition(" ")
        return letter in tuple(LETTERS) and cell in INDEX
    return bool(_NUMBER.fullmatch(value))
