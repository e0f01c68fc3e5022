"""How one game ends (BAGH-7). There is no other end: resigning, agreed draws and lateness are the host's (BAGH-7.6)."""

from __future__ import annotations

from typing import Final, NamedTuple

from games.bagh_chal.legal import can_move
from games.bagh_chal.state import TIGERS, State
from games.bagh_chal.variants import GOATS_TO_CATCH, SAME_MOVES


class Ending(NamedTuple):
    """Who won (`goats`, `tigers`, `none`), and by which paragraph."""

    winner: str
    reason: str
    rule: str


BOUC_EATEN: Final = Ending("tigers", "bouc_eaten", "BAGH-9.8")
GOATS_EATEN: Final = Ending("tigers", "goats_eaten", "BAGH-7.1")
TIGERS_TRAPPED: Final = Ending("goats", "tigers_trapped", "BAGH-7.2")
SAME_MOVES_AGAIN: Final = Ending("none", "same_moves", "BAGH-7.3")
QUIET_LIMIT: Final = Ending("none", "quiet_limit", "BAGH-7.4")


def ended(state: State) -> Ending | None:
    """The tests after every action, in the order of BAGH-7.5; `state.turn` is already the side that would act next."""
    if state.entered and not state.bouc:
        return BOUC_EATEN  # BAGH-9.8
    if state.captured >= GOATS_TO_CATCH:
        return GOATS_EATEN  # BAGH-7.1
    if state.turn == TIGERS and not can_move(state, state.tigers):
        return TIGERS_TRAPPED  # BAGH-7.2: tested after the goats' turns only, no tigers' turn can bring it about
    return grown_stale(state) if state.memory else None


def grown_stale(state: State) -> Ending | None:
    """The two tests of the memory; after a forced pass these alone are made (BAGH-7.5)."""
    if repeats(state.memory):
        return SAME_MOVES_AGAIN  # BAGH-7.3
    if len(state.memory) >= state.terms.quiet_limit:
        return QUIET_LIMIT  # BAGH-7.4
    return None


def repeats(memory: tuple[str, ...]) -> bool:
    """BAGH-7.3: whether the memory ends in three times the same block of an even number of entries, at least two."""
    last = memory[-1]
    for length in range(2, len(memory) // SAME_MOVES + 1, 2):
        # The last entries are compared first: they nearly always differ, and then no block has to be cut out.
        if memory[-1 - length] == last and memory[-SAME_MOVES * length :] == memory[-length:] * SAME_MOVES:
            return True
    return False
