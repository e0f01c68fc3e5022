"""One action carried out, and whose turn it is then: the turn of section 9 of the rules document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine import Event
from games.bagh_chal.board import BOARDS
from games.bagh_chal.ending import Ending, ended, grown_stale
from games.bagh_chal.heroes import brings_extra_move, protected
from games.bagh_chal.legal import are_blocked, can_move, way_back
from games.bagh_chal.moves import CAPTURE, ENTER, LEAP, PLACE, STAY, WALK, Move
from games.bagh_chal.state import EXTRA, GOATS, PASS, TIGERS, Points, State, made
from games.bagh_chal.story import ALPHA_WALKED, BOUC_WALKED, GOAT_WALKED, PLACED, TIGER_WALKED, Story

Played = tuple[State, Story, Ending | None]
"""What an action led to: the position, its story, and how the game ended if it did."""


def play(state: State, move: Move) -> Played:
    """A legal action, in the order of section 9. `turn` then names the side that acts next, if the game goes on."""
    story: Story = []
    if state.memory and (back := way_back(state)) is not None and move.text == back.text:
        story.append(Event("retreat_allowed", "BAGH-5.4", {"action": move.text}))  # legal only as the last resort
    after = ACTIONS[move.kind](state, move, story)
    ending = ended(after)  # BAGH-7.5
    if ending is not None or after.turn == TIGERS:
        return after, story, ending
    if brings_extra_move(state, move):
        if can_move(after, after.alpha):
            story.append(Event("extra_move", "BAGH-9.2", {"at": name(after, after.alpha)}))
            return after._replace(turn=EXTRA), story, None
        story.append(Event("extra_void", "BAGH-9.4", {"at": name(after, after.alpha)}))
    return pass_blocked(after, story) if are_blocked(after) else (after, story, None)


def pass_blocked(state: State, story: Story) -> Played:
    """BAGH-5.6: goats without any legal action pass, without a decision; only the memory is tested then (BAGH-7.5)."""
    story.append(Event("goats_blocked", "BAGH-5.6", {}))
    after = state._replace(turn=TIGERS, memory=(*state.memory, PASS))
    return after, story, grown_stale(after)


def place(state: State, move: Move, story: Story) -> State:
    """BAGH-4.1: a goat from the hand onto an empty point."""
    terms, score, _, tigers, goats, bouc, alpha, hand, captured, entered, _ = state
    hand -= 1
    story.append(PLACED[move.text, hand])
    if not hand:
        story.append(Event("phase_two", "BAGH-5.1", {}))  # BAGH-5.1: the tigers' reply already belongs to phase II
    return made((terms, score, TIGERS, tigers, goats | move.end, bouc, alpha, hand, captured, entered, ()))


def walk(state: State, move: Move, story: Story) -> State:
    """BAGH-4.3 for tigers, BAGH-5.2 for goats and the Bouc: to an adjacent empty point."""
    terms, score, _, tigers, goats, bouc, alpha, hand, captured, entered, _ = state
    _, _, start, _, end, _ = move
    turn = TIGERS
    if start & tigers:
        told, turn, tigers = TIGER_WALKED, GOATS, tigers ^ start ^ end
        if start == alpha:
            told, alpha = ALPHA_WALKED, end
    elif start == bouc:
        told, bouc = BOUC_WALKED, end  # BAGH-9.6: it walks like a goat
    else:
        told, goats = GOAT_WALKED, goats ^ start ^ end
    story.append(told[move.text])
    memory = remembered(state, move)
    return made((terms, score, turn, tigers, goats, bouc, alpha, hand, captured, entered, memory))


def leap(state: State, move: Move, story: Story) -> State:
    """BAGH-9.7: a normal tiger jumps over a protected goat, which stays."""
    facts = {"piece": "tiger", **way(state, move)}
    story.append(Event("leapt", "BAGH-9.7", facts))
    tigers = state.tigers ^ move.start ^ move.end
    return state._replace(turn=GOATS, tigers=tigers, memory=remembered(state, move))


def capture(state: State, move: Move, story: Story) -> State:
    """BAGH-4.4: the piece jumped over leaves the game."""
    terms, score, _, tigers, goats, bouc, alpha, hand, captured, entered, _ = state
    by = "alpha" if move.start == alpha else "tiger"
    if move.over == bouc:
        prey, rule, bouc = "bouc", "BAGH-9.8", 0  # BAGH-9.8: not counted among the five
    else:
        prey, rule = "goat", "BAGH-9.7" if move.over & protected(state) else "BAGH-4.4"
        goats, captured = goats ^ move.over, captured + 1
    if by == "alpha":
        alpha = move.end
    story.append(Event("captured", rule, {"by": by, **way(state, move), "prey": prey, "captured": captured}))
    tigers ^= move.start | move.end
    # BAGH-5.5: progress
    return made((terms, score, GOATS, tigers, goats, bouc, alpha, hand, captured, entered, ()))


def enter(state: State, move: Move, story: Story) -> State:
    """BAGH-9.5: the Bouc takes the place of a goat, which is out of the game; that was the goats' turn."""
    story.append(Event("bouc_entered", "BAGH-9.5", {"at": name(state, move.end)}))
    goats = state.goats ^ move.end
    return state._replace(turn=TIGERS, goats=goats, bouc=move.end, entered=True, memory=())  # BAGH-5.5: progress


def stay(state: State, move: Move, story: Story) -> State:
    """BAGH-9.3: the extra move is declined."""
    story.append(Event("stayed", "BAGH-9.3", {"at": name(state, state.alpha)}))
    return state._replace(turn=GOATS)


def remembered(state: State, move: Move) -> tuple[str, ...]:
    """BAGH-5.5: a quiet action of phase II is written down; during phase I the memory is empty."""
    return () if state.hand else (*state.memory, move.text)


def name(state: State, point: Points) -> str:
    return BOARDS[state.terms.variant].name[point]


def way(state: State, move: Move) -> dict[str, str]:
    """The three points of a jump."""
    names = BOARDS[state.terms.variant].name
    return {"from": names[move.start], "over": names[move.over], "to": names[move.end]}


# What each action does to the board, the hand and the memory; the turn goes to the other side.
ACTIONS: Final[dict[str, Callable[[State, Move, Story], State]]] = {
    PLACE: place,
    WALK: walk,
    LEAP: leap,
    CAPTURE: capture,
    ENTER: enter,
    STAY: stay,
}
