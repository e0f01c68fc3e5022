"""The sequence of play: what happens by itself from one decision to the next (KHAN-3, KHAN-4.2, KHAN-11 to KHAN-13)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.khan import consent, piles, specials
from games.khan.actions import can_act
from games.khan.conquest import legal_conquests, possible_in_principle
from games.khan.leaders import a_leader_flees
from games.khan.material import SEATS
from games.khan.orders import NO_SPECIAL
from games.khan.scoring import ranking, scores, winners
from games.khan.state import (
    ACTION_1,
    ACTION_2,
    CONQUER_1,
    CONQUER_2,
    CONSENT,
    FINAL,
    NO_STANDING,
    NOBODY,
    OVER,
    PLACE,
    PLAY,
    REFUSE,
    SPECIAL,
    THIRD,
)
from games.khan.telling import Telling, changed, seat_names

DEAL, TURN, STEP_1, STEP_3, STEP_5 = "deal", "turn", "step 1", "step 3", "step 5"  # points where nobody is asked

AFTER = {  # where a turn goes on when the decision of a point has been made
    ACTION_1: ACTION_2,  # KHAN-6.1
    ACTION_2: STEP_3,
    SPECIAL: STEP_5,
    THIRD: STEP_5,  # KHAN-9.3
    CONQUER_1: CONQUER_2,  # KHAN-13.3
    CONQUER_2: TURN,
}
GIVEN_UP = {ACTION_1: STEP_3, ACTION_2: STEP_3, THIRD: STEP_5, CONQUER_1: TURN, CONQUER_2: TURN}  # KHAN-6.7, 13.3


def go_on(telling: Telling) -> bool:
    """To the next decision. True: the acting seat has resigned, so that its default is due now (KHAN-17.7)."""
    while telling.state.phase != OVER:
        if PASSAGES[telling.state.point](telling):
            state = telling.state
            return state.point != CONSENT and state.seat in state.gone
    return False


def _to_place(telling: Telling) -> bool:
    """KHAN-3.1: one initial yurt after the other."""
    todo = telling.state.todo
    if not todo:
        telling.change(point=DEAL)
        return False
    telling.change(seat=todo[0])
    return True


def _deal(telling: Telling) -> bool:
    piles.shuffle_all(telling)  # KHAN-3.2
    piles.deal(telling)  # KHAN-3.3
    telling.change(phase=PLAY, point=TURN, seat=telling.state.first)  # KHAN-3.4
    return False


def _begin_turn(telling: Telling) -> bool:
    """KHAN-4.2: turns are numbered for the game, and each seat counts its own."""
    state = telling.state
    seat, number = state.seat, state.turn + 1
    own = changed(state.own_turn, seat, state.own_turn[seat] + 1)
    telling.change(turn=number, own_turn=own, refused=(), point=STEP_1)
    telling.tell("turn", "KHAN-4.2", number=number, seat=SEATS[seat])
    if state.phase == FINAL:
        specials.give_back(telling, "KHAN-13.2", "KHAN-13.2")
        telling.change(point=CONQUER_1)
    return False


def _step_1(telling: Telling) -> bool:
    """KHAN-5: a leader flees. KHAN-12.2: if it was the fifth to go, the turn ends there."""
    a_leader_flees(telling)
    if telling.state.final_prepared:
        telling.tell("turn_cut", "KHAN-12.2", seat=SEATS[telling.state.seat])
        telling.change(point=FINAL)
    else:
        telling.change(point=ACTION_1)
    return False


def _action(telling: Telling) -> bool:
    """KHAN-6.6: an action is lost when nothing at all is legal."""
    state = telling.state
    if can_act(state, state.seat):
        return True
    telling.tell("skip", "KHAN-6.6", seat=SEATS[state.seat])
    telling.change(point=AFTER[state.point])
    return False


def _step_3(telling: Telling) -> bool:
    specials.give_back(telling, "KHAN-8.1", "KHAN-8.2")
    telling.change(point=SPECIAL)
    return False


def _step_4(telling: Telling) -> bool:
    """KHAN-9.1: the question is put only if there is a choice."""
    choices = specials.specials(telling.state)
    next(choices)
    if next(choices, None) is not None:
        return True
    specials.use(telling, NO_SPECIAL)
    telling.change(point=STEP_5)
    return False


def _step_5(telling: Telling) -> bool:
    """KHAN-11: the hand is filled. KHAN-11.2, KHAN-12.3: the next seat, or the final phase with it."""
    piles.refill(telling)
    state = telling.state
    telling.change(seat=state.next_seat(state.seat), point=FINAL if state.final_prepared else TURN)
    return False


def _start_final(telling: Telling) -> bool:
    """KHAN-13.1: from now on there are only conquests, if there are any (KHAN-13.6)."""
    telling.change(phase=FINAL, point=TURN)
    telling.tell("final_start", "KHAN-13.1", seat=SEATS[telling.state.seat])
    if not possible_in_principle(telling.state):
        finish(telling, "KHAN-13.6")
    return False


def _conquest(telling: Telling) -> bool:
    """KHAN-13.4: the turn ends when no conquest is legal."""
    state = telling.state
    if legal_conquests(state, state.seat):
        return True
    made = 1 if state.point == CONQUER_2 else 0
    telling.tell("final_pass", "KHAN-13.4", seat=SEATS[state.seat], conquests=made)
    telling.change(point=TURN, seat=state.next_seat(state.seat))
    return False


def _consent(telling: Telling) -> bool:
    """KHAN-10.2: the point stays open as long as an answer is missing."""
    if telling.state.unanswered():
        return True
    shapes = telling.state.shapes
    consent.close(telling)
    if telling.state.shapes != shapes:
        leave(telling)
    return False


PASSAGES: dict[str, Callable[[Telling], bool]] = {  # in the order of the rules; True: here somebody decides
    PLACE: _to_place,
    DEAL: _deal,
    TURN: _begin_turn,
    STEP_1: _step_1,
    ACTION_1: _action,  # step 2
    ACTION_2: _action,
    STEP_3: _step_3,
    SPECIAL: _step_4,
    THIRD: _action,
    STEP_5: _step_5,
    CONSENT: _consent,  # breaks into steps 2 and 4 and into the final phase
    FINAL: _start_final,
    CONQUER_1: _conquest,
    CONQUER_2: _conquest,
}


def leave(telling: Telling, give_up: bool = False) -> None:
    """The decision of the open point has been made: where the turn goes on."""
    state = telling.state
    if state.phase == FINAL and not give_up and not possible_in_principle(state):
        return finish(telling, "KHAN-13.6")  # after every conquest of the final phase
    point = (GIVEN_UP if give_up else AFTER)[state.point]
    telling.change(point=point, seat=state.next_seat(state.seat) if point == TURN else state.seat)


def finish(telling: Telling, rule: str) -> None:
    """The end (KHAN-13.6, KHAN-17.7), the scores (KHAN-14) and the result (KHAN-15)."""
    players = telling.state.players
    telling.change(
        phase=OVER,
        point=OVER,
        seat=NOBODY,
        todo=(),
        refused=(),
        proposal=None,
        standing=(NO_STANDING,) * players,
    )
    state = telling.state
    telling.tell("end", rule)
    for seat, score in enumerate(scores(state)):
        facts: dict[str, Any] = {"shapes": score.shapes, "territories": list(score.territories), "bonus": score.bonus}
        telling.tell("score", "KHAN-14.5", seat=SEATS[seat], **facts, total=score.total)
    places = [seat_names(place) for place in ranking(state)]
    telling.tell("result", "KHAN-15.2", winners=seat_names(winners(state)), ranking=places)


def resign(telling: Telling, seat: int) -> None:
    """KHAN-17.7: for good; its pieces stay, its standing instructions do not."""
    state = telling.state
    gone = tuple(sorted((*state.gone, seat)))
    telling.change(gone=gone, standing=changed(state.standing, seat, NO_STANDING))
    telling.tell("resigned", "KHAN-17.7", seat=SEATS[seat])
    if len(telling.state.remaining) == 1:
        return finish(telling, "KHAN-17.7")
    if seat in telling.state.unanswered():
        consent.answer(telling, seat, REFUSE)  # KHAN-18.5
