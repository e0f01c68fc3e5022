"""The outcome: who ranks where, with how many victory points (section 9 of the rules)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from engine import Outcome
from games.conquest.ending import victory_points
from games.conquest.geography import COLOURS
from games.conquest.options import seats
from games.conquest.state import Over, State

Key = tuple[int, ...]


def outcome(state: State) -> Outcome | None:
    if state.over is None:
        return None
    points, playing = victory_points(state), seats(state.table.players)
    scores = {seat: sum(points[colour] for colour in colours) for seat, colours in playing.items()}
    keys = {seat: _key(state, state.over, colours, scores[seat]) for seat, colours in playing.items()}
    places = tuple(
        tuple(seat for seat, _ in together)
        for _, together in groupby(sorted(keys.items(), key=lambda item: item[1]), key=lambda item: item[1])
    )
    details = {
        "winners": [COLOURS[colour] for colour in state.over.winners],
        "points": {colour: points[at] for at, colour in enumerate(COLOURS)},
        "ranking": _ranks(places, state.table.allied),
    }
    return Outcome(places, scores, f"CONQ-{state.over.rule}", REASONS[state.over.rule], details)


def _key(state: State, over: Over, colours: tuple[int, ...], score: int) -> Key:
    """Winners first. Allied, the others are equal; free, the nailed come last (CONQ-10.6) and points decide."""
    won = any(colour in over.winners for colour in colours)
    if won or state.table.allied:
        return (not won,)
    return (1, any(state.nailed(colour) for colour in colours), -score)


def _ranks(places: tuple[tuple[str, ...], ...], allied: bool) -> Mapping[str, int]:
    """Equals share a rank, and the next rank counts them all; of two alliances the losing one has rank 2."""
    ranks: dict[str, int] = {}
    before = 0
    for place in places:
        ranks |= dict.fromkeys(place, before + 1)
        before += 1 if allied else len(place)
    return ranks


REASONS = {
    "11.1": "the last pieces of an enemy, two or more in one turn",
    "11.2": "everybody else is nailed",
    "11.3": "one piece left at the end of his own turn: points",
    "11.4": "four turns of the last victim without an elimination: points",
    "11.5": "nothing eliminated by the opening limit: points",
    "11.7": "one colour left on the map: points",
    "13.2": "the mover's last pieces fell in an exchange: points",
    "14.5": "one enemy colour has nothing left",
    "14.6": "both colours of an alliance are nailed",
    "14.7": "four turns of the last victim without an elimination: points of both partners",
    "14.8": "nothing eliminated by the opening limit: points of both partners",
}
