"""How a game of Conquest ends, and who has won it then (CONQ-11, 12, 13.2, 14.5 to 14.8)."""

from __future__ import annotations

from collections.abc import Iterable

from games.conquest.geography import CAPITAL, COLOURS, PRIZED, cells_in
from games.conquest.state import ALL, CALM, Colour, Four, Over, State, alliance, partner


def after_capture(state: State, victim: Colour) -> Over | None:
    """Step 4 of the order of effects: what a capture by the mover may end at once."""
    if state.table.allied:
        return fallen(state, victim)
    if state.alive(victim):
        return None
    if state.taken[victim] >= 2:
        return Over("11.1", (state.mover,))  # CONQ-11.1: a single last piece wins nothing
    if sum(state.alive(colour) for colour in ALL) == 1:
        return Over("11.7", on_points(state))  # CONQ-11.7
    return None


def after_answer(state: State) -> Over | None:
    """What an answer that took a unit of the mover may end at once."""
    if state.table.allied:
        return fallen(state, state.mover)
    if not state.alive(state.mover):
        return Over("13.2", on_points(state))  # CONQ-13.2: and never 11.1
    return None


def fallen(state: State, loser: Colour) -> Over | None:
    """CONQ-14.5: an alliance wins when one enemy has nothing left, or by option no land piece."""
    if state.table.alliance_win == "land":
        stands = any(unit.land for _, unit in state.board.units_of(loser))
    else:
        stands = state.alive(loser)
    return None if stands else Over("14.5", alliance(enemy_of(loser)))


def enemy_of(colour: Colour) -> Colour:
    """Some colour of the other alliance."""
    return (colour + 1) % len(COLOURS)


def all_nailed(state: State) -> Over | None:
    """Step 5: everybody else is nailed (CONQ-11.2, CONQ-11.8), or both colours of an alliance (CONQ-14.6)."""
    if state.table.allied:
        for one in (0, 1):
            if state.nailed(one) and state.nailed(partner(one)):
                return Over("14.6", alliance(enemy_of(one)))
        return None
    alive = [colour for colour in ALL if state.alive(colour)]  # CONQ-11.6: the others do not count here
    loose = [colour for colour in alive if not state.nailed(colour)]
    if len(alive) >= 2 and len(loose) == 1:
        return Over("11.2", (loose[0],))
    return None


def after_turn(state: State) -> Over | None:
    """(c) and (d) of the end of a turn; calm has been counted."""
    if not state.table.allied and state.board.pieces[state.mover] == 1:  # carried pieces count (CONQ-2.4)
        return Over("11.3", on_points(state))  # CONQ-11.3
    if state.calm is not None and state.calm.turns == CALM:
        return _by_points(state, "11.4", "14.7")  # CONQ-11.4, CONQ-14.7
    return None


def after_round(state: State) -> Over | None:
    """(e) of the end of a turn: nothing has fallen yet and the opening limit is reached."""
    if state.calm is None and state.round >= state.table.opening_limit:
        return _by_points(state, "11.5", "14.8")  # CONQ-11.5, CONQ-14.8
    return None


def _by_points(state: State, free: str, allied: str) -> Over:
    return Over(allied, together(state)) if state.table.allied else Over(free, on_points(state))


# --- points -------------------------------------------------------------------------------------------------------


def victory_points(state: State) -> Four:
    """CONQ-12.1: own pieces, kills, and cells held on the Grail and in enemy capitals."""
    south, west, north, east = (_points(state, colour) for colour in ALL)
    return south, west, north, east


def _points(state: State, colour: Colour) -> int:
    return state.board.pieces[colour] + state.kills[colour] + _prizes(state, colour).bit_count()


def _prizes(state: State, colour: Colour) -> int:
    """The cells held on the Grail and in the capitals of enemies."""
    own = alliance(colour) if state.table.allied else (colour,)
    return state.board.held[colour] & PRIZED & ~sum(CAPITAL[friend] for friend in own)


def on_points(state: State) -> tuple[Colour, ...]:
    """CONQ-12.2: the most among those not nailed (CONQ-10.6); equals win together, and nobody when all are nailed."""
    points = victory_points(state)
    return _most({colour: points[colour] for colour in ALL if not state.nailed(colour)}.items())


def together(state: State) -> tuple[Colour, ...]:
    """CONQ-14.7: the alliance with more points, both colours added; equals share the win."""
    points = victory_points(state)
    sums = [(one, points[one] + points[partner(one)]) for one in (0, 1)]
    return tuple(sorted(colour for one in _most(sums) for colour in alliance(one)))


def _most(scores: Iterable[tuple[Colour, int]]) -> tuple[Colour, ...]:
    scores = list(scores)
    best = max((score for _, score in scores), default=0)
    return tuple(colour for colour, score in scores if score == best)


def held_prizes(state: State, colour: Colour) -> list[int]:
    """The cells that give a colour victory points."""
    return list(cells_in(_prizes(state, colour)))
