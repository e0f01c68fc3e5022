"""Events: what is told of a turn, each with its paragraph (section 8 of the rules document).

The events told most often are made once and shared, for a game has few of them: nobody changes the facts of an event.
"""

from __future__ import annotations

from typing import Any

from engine import Event
from games.jarmo.net import NAME, names_of
from games.jarmo.scoring import in_camp, points, winner
from games.jarmo.state import SIDES, Points, Side, State
from games.jarmo.variants import VARIANTS

Story = list[Event]

PIECES = {"A": "archer", "G": "guard", "E": "golden archer", "D": "golden guard"}
FATES = {"pool": "JARMO-3.1", "hand": "JARMO-9.6", "out": "JARMO-9.5", "hostage": "JARMO-10.3"}


class Moved(dict[tuple[Points, Points, str], Event]):
    """JARMO-2.2: from where, to where, which piece (its letter, which also tells its side) -> the event."""

    def __missing__(self, key: tuple[Points, Points, str]) -> Event:
        start, end, letter = key
        facts = {"side": side_of(letter), "from": NAME[start], "to": NAME[end], "piece": PIECES[letter.upper()]}
        told = self[key] = Event("moved", "JARMO-2.2", facts)
        return told


class Captured(dict[tuple[str, Points, str], Event]):
    """The captured piece's letter, where, its fate -> the event; `side` is the captor's."""

    def __missing__(self, key: tuple[str, Points, str]) -> Event:
        letter, point, fate = key
        golden = letter.upper() in "DE"
        rule = "JARMO-10.3" if golden else FATES[fate]
        captor = SIDES[0] if letter.islower() else SIDES[1]
        facts = {"side": captor, "piece": PIECES[letter.upper()], "at": NAME[point], "fate": fate}
        told = self[key] = Event("captured", rule, facts)
        return told


class At(dict[tuple[Side, Points], Event]):
    """Something that happens to a side's piece on a point."""

    def __init__(self, kind: str, rule: str) -> None:
        self.kind, self.rule = kind, rule

    def __missing__(self, key: tuple[Side, Points]) -> Event:
        side, point = key
        told = self[key] = Event(self.kind, self.rule, {"side": SIDES[side], "at": NAME[point]})
        return told


MOVED, CAPTURED = Moved(), Captured()
FREED = At("freed", "JARMO-10.4")
SAVED = At("saved", "JARMO-10.5")
PROMOTED = At("promoted", "JARMO-3.2")
ENTERED = At("entered", "JARMO-4.1")


def side_of(letter: str) -> str:
    return SIDES[0] if letter.isupper() else SIDES[1]


def turned_over(side: Side, point: Points, golden: bool, rule: str) -> Event:
    """JARMO-4.2 or JARMO-8.3: a guard becomes an archer; `piece` is what it is afterwards."""
    piece = PIECES["E" if golden else "A"]
    return Event("turned_over", rule, {"side": SIDES[side], "at": NAME[point], "piece": piece})


def recovered(side: Side, pool: int, rule: str) -> Event:
    return Event("recovered", rule, {"side": SIDES[side], "pool": pool})


def placed(side: Side, point: Points, hand: int, rule: str) -> Event:
    return Event("placed", rule, {"side": SIDES[side], "at": NAME[point], "hand": hand})


def kept(side: Side, hand: int) -> Event:
    return Event("kept", "JARMO-5.2", {"side": SIDES[side], "hand": hand})


def recalled(side: Side, point: Points) -> Event:
    return Event("recalled", "JARMO-11.2", {"side": SIDES[side], "at": NAME[point]})


def camps_removed(camps: Points) -> Event:
    return Event("camps_removed", "JARMO-11.3", {"points": list(names_of(camps))})


PASSED = tuple(Event("passed", "JARMO-2.4", {"side": seat}) for seat in SIDES)


def ended(state: State) -> Event:
    """The end: points only where they decide (JARMO-6.7, JARMO-8.1)."""
    variant, board = VARIANTS[state.terms.variant], state.board
    reason, first = state.end.partition(":")[0], winner(state)
    facts: dict[str, Any] = {
        "reason": reason,
        "winner": None if first is None else SIDES[first],
        "points": {seat: points(board, side) for side, seat in enumerate(SIDES)} if variant.points else None,
        "in_camp": {seat: in_camp(board, side) for side, seat in enumerate(SIDES)},
    }
    return Event("ended", variant.ends[reason], facts)
