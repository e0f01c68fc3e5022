"""What must hold of every position, so that the game it belongs to can have been played (BAGH-11.2)."""

from __future__ import annotations

from collections.abc import Iterator

from games.bagh_chal.board import BOARDS
from games.bagh_chal.ending import Ending, ended
from games.bagh_chal.legal import can_move, legal
from games.bagh_chal.match import decided_by, winning_seat
from games.bagh_chal.state import EXTRA, GOATS, OVER, PASS, TIGERS, Score, State
from games.bagh_chal.variants import CAPTURES_BEFORE_BOUC, GOATS_TO_CATCH


def faults(state: State) -> Iterator[str]:
    """Everything that is wrong with a position, short of playing its memory back.

    The later tests rely on the earlier ones: only the first fault is worth telling.
    """
    yield from wrong_pieces(state)
    yield from wrong_numbers(state)
    yield from wrong_memory(state)
    yield from wrong_turn(state)
    yield from wrong_score(state)


def wrong_pieces(state: State) -> Iterator[str]:
    board = BOARDS[state.terms.variant]
    variant, over = board.variant, state.turn == OVER
    pieces = (state.tigers, state.goats, state.bouc)
    if any(set_of & ~board.all for set_of in pieces) or sum(pieces) != state.tigers | state.goats | state.bouc:
        yield "Two pieces stand on one point, or one stands off the board (BAGH-11.2)."
    if state.tigers.bit_count() != len(variant.tigers):
        yield f"There must be {len(variant.tigers)} tigers (BAGH-3.1, BAGH-11.2)."
    if state.alpha & ~state.tigers or state.alpha.bit_count() != state.terms.heroes:
        yield "One tiger is the Alpha with heroes, and none without (BAGH-9.1, BAGH-11.2)."
    if (state.terms.alpha in variant.tigers) != state.terms.heroes:
        yield "With heroes the Alpha starts on a tiger's start point (BAGH-9.1, BAGH-11.2)."
    if state.goats.bit_count() + state.hand + state.captured + state.entered != variant.goats:
        yield f"Goats on the board, in hand, captured and exchanged must be {variant.goats} (BAGH-11.2)."
    boucs = state.bouc.bit_count()
    if boucs > 1 or (boucs != state.entered and not (over and state.entered)):
        yield "The Bouc stands on the board exactly when it has entered (BAGH-9.5, BAGH-11.2)."


def wrong_numbers(state: State) -> Iterator[str]:
    most = GOATS_TO_CATCH if state.turn == OVER else GOATS_TO_CATCH - 1
    if not 0 <= state.captured <= most:
        yield f"At most {most} goats can have been captured here (BAGH-7.1, BAGH-11.2)."
    if state.entered and not (state.terms.heroes and state.captured >= CAPTURES_BEFORE_BOUC):
        yield "The Bouc enters with heroes, after two captures (BAGH-9.5, BAGH-11.2)."
    if state.hand < 0:
        yield "There is no such hand (BAGH-11.2)."
    if not 20 <= state.terms.quiet_limit <= 400:
        yield "The quiet limit lies between 20 and 400 (BAGH-7.4, BAGH-11.2)."


def wrong_memory(state: State) -> Iterator[str]:
    board, length = BOARDS[state.terms.variant], len(state.memory)
    if state.hand and length:
        yield "In phase I the memory is empty (BAGH-5.5, BAGH-11.2)."
    if length > state.terms.quiet_limit or (length == state.terms.quiet_limit and state.turn != OVER):
        yield "The memory has reached the quiet limit (BAGH-7.4, BAGH-11.2)."
    for entry in state.memory:
        if entry != PASS and entry not in board.back:
            yield f"No step {entry} can be made on this board (BAGH-5.5, BAGH-11.2)."


def wrong_turn(state: State) -> Iterator[str]:
    if state.turn == OVER:
        return
    if not can_move(state, state.tigers):
        yield "All tigers are trapped, so the game would be over (BAGH-7.2, BAGH-11.2)."
    if state.turn == EXTRA and not (
        state.hand and state.terms.heroes and not state.entered and can_move(state, state.alpha)
    ):
        yield "The Alpha cannot have an extra move here (BAGH-9.2, BAGH-11.2)."
    if state.turn not in (GOATS, TIGERS, EXTRA) or not legal(state):
        yield "The side to act has no legal action (BAGH-5.6, BAGH-11.2)."


def wrong_score(state: State) -> Iterator[str]:
    """The results so far, and when the match is over also how it came to be."""
    score, over, match = state.score, state.turn == OVER, state.terms.match
    if score.wins_1 + score.wins_2 + score.draws != score.game - (not over) or (match == "single" and score.game != 1):
        yield "The results do not add up to the games played (BAGH-10.1, BAGH-11.2)."
    if not over:
        if has_two_wins(score):
            yield "The match was over when a seat had won two games (BAGH-10.3, BAGH-11.2)."
        return
    ending = how_it_ended(state)
    if ending is None:
        yield "Nothing has ended this game (BAGH-7.5, BAGH-11.2)."
    elif min((before := without(score, ending))[1:4]) < 0:
        yield "The result of the last game is not counted (BAGH-11.2)."
    elif decided_by(match, score) is None or has_two_wins(before):
        yield "The match would not have ended after this game (BAGH-10.3, BAGH-10.5, BAGH-11.2)."


def how_it_ended(state: State) -> Ending | None:
    """Section 9: the first test of BAGH-7.5 that applies to a position that is over; in 7.2 no tiger can move."""
    return ended(state._replace(turn=TIGERS))


def without(score: Score, ending: Ending) -> Score:
    """The score before the last game was counted."""
    seat = winning_seat(score, ending)
    return score._replace(
        wins_1=score.wins_1 - (seat == "1"), wins_2=score.wins_2 - (seat == "2"), draws=score.draws - (seat is None)
    )


def has_two_wins(score: Score) -> bool:
    return max(score.wins_1, score.wins_2) >= 2
