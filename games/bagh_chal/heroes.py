"""The heroes of Asia: what the Bouc protects, when it may enter, and when the Alpha moves once more (BAGH-9)."""

from __future__ import annotations

from games.bagh_chal.board import BOARDS
from games.bagh_chal.moves import Move
from games.bagh_chal.state import Points, State
from games.bagh_chal.variants import CAPTURES_BEFORE_BOUC


def protected(state: State) -> Points:
    """BAGH-9.6: the goats on points adjacent to the Bouc, but not the Bouc itself."""
    return BOARDS[state.terms.variant].near[state.bouc] & state.goats if state.bouc else 0


def is_spared(state: State, tiger: Points, middle: Points) -> bool:
    """BAGH-9.7: a normal tiger's jump over a protected goat captures nothing; the Alpha's captures."""
    return tiger != state.alpha and bool(middle & protected(state))


def may_enter(state: State) -> bool:
    """BAGH-9.5: once two goats have been captured, in either phase, once per game, in place of a goat on the board."""
    waiting = state.terms.heroes and not state.entered
    return waiting and state.captured >= CAPTURES_BEFORE_BOUC and state.goats != 0


def brings_extra_move(state: State, move: Move) -> bool:
    """BAGH-9.2: a normal tiger moved in phase I before the Bouc's entry, and this was not the extra move.

    `state` is the position before the move. The extra move itself never qualifies: the Alpha makes it.
    """
    before_bouc = state.terms.heroes and not state.entered
    return before_bouc and state.hand > 0 and move.start & (state.tigers ^ state.alpha) != 0
