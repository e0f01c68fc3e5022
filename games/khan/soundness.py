"""Soundness: what must hold in every state, so that one which cannot be is found out (KHAN-22, KHAN-29.2)."""

from __future__ import annotations

from collections.abc import Iterator

from games.khan.actions import can_act
from games.khan.conquest import is_available, legal_conquests, sharers, touched
from games.khan.material import (
    BOARD,
    CARDS,
    COURT,
    EXPLORE,
    GODS,
    HAND,
    LAND,
    LAST_LEADER,
    LEADERS,
    PROTECTION,
    SEATS,
    SHAPES,
    SPECIALS,
    dealt_specials,
)
from games.khan.opening import placement_order
from games.khan.placements import AT
from games.khan.specials import specials
from games.khan.state import (
    ACTION_1,
    ACTION_2,
    ACTIONS,
    CONQUESTS,
    CONSENT,
    FINAL,
    NO_STANDING,
    NOWHERE,
    OVER,
    PLACE,
    PLACEMENT,
    PLAY,
    REFUSE,
    SPECIAL,
    THIRD,
    State,
)

POINTS = {
    PLACEMENT: (PLACE,),
    PLAY: (ACTION_1, ACTION_2, SPECIAL, THIRD, CONSENT),
    FINAL: (*CONQUESTS, CONSENT),
    OVER: (OVER,),
}
BACK = {PLAY: ACTIONS, FINAL: CONQUESTS}  # where a proposal can have been announced


def problems(state: State) -> Iterator[str]:
    """Everything that is wrong, the simplest first: later checks may rely on the earlier ones."""
    yield from _course(state)
    yield from _seats(state)
    yield from _board(state)
    yield from _courts(state)
    if state.phase == PLACEMENT or (state.phase == OVER and not state.turn):
        yield from _beginning(state)
        return
    yield from _turns(state)
    yield from _shapes(state)
    yield from _specials(state)
    yield from _reservations(state)
    yield from _cards(state)
    yield from _consent(state)
    yield from _choice(state)


def _course(state: State) -> Iterator[str]:
    """A phase, one of its points, and somebody to decide."""
    if state.point not in POINTS.get(state.phase, ()):
        yield f"{state.point!r} is no decision point of the phase {state.phase!r}"
    if (state.seat == -1) != (state.phase == OVER):
        yield "somebody acts as long as the game goes on, and nobody afterwards"
    if (state.proposal is None) != (state.point != CONSENT):
        yield "a proposal and its point belong together"
    if state.options.first_seat not in ("random", SEATS[state.first]):
        yield "another seat was to begin by the options"
    if state.todo and state.phase != PLACEMENT:
        yield "the initial yurts are all placed"
    if state.refused and state.phase not in (PLAY, FINAL):
        yield "nobody can have refused anything"


def _seats(state: State) -> Iterator[str]:
    """Who has resigned, who has refused, and what they may still have."""
    for row in (state.gone, state.refused):
        if list(row) != sorted(set(row)):
            yield "seats stand in order, each once"
    left = len(state.remaining)
    if left < 1 or (left == 1 and state.phase != OVER):
        yield "the game is over when one seat is left, and one is"
    if state.seat in state.refused:
        yield "a seat does not refuse itself"
    if state.seat in state.gone and state.point != CONSENT:
        yield "a seat that has resigned decides nothing"
    for seat in state.seats:
        mine = state.standing[seat]
        if mine != NO_STANDING and (seat in state.gone or state.phase == OVER):
            yield f"{SEATS[seat]} has no standing instructions any more"
        if mine.to[seat] or any(mine.to[state.players :]):
            yield f"{SEATS[seat]} cannot be asked by itself, or by nobody"


def _board(state: State) -> Iterator[str]:
    """KHAN-1.7: no cell holds two things, and each holds what it can."""
    standing = [*state.yurts, *(1 << cell for cell in state.leaders if cell != NOWHERE)]
    if any(mask & ~LAND for mask in standing):
        yield "yurts and leaders stand on land"
    things = [*standing, *(laid.mask for laid in state.shapes)]
    together = 0
    for mask in things:
        if mask & together:
            yield f"two things are on one cell: {', '.join(BOARD.names_of(mask & together))}"
        together |= mask
    covered = 0
    for laid in state.shapes:
        covered |= laid.mask
    if covered != state.covered:
        yield "covered cells and shapes do not agree"


def _courts(state: State) -> Iterator[str]:
    """Courts of 1 to 5 for leaders on the board, and the right number of leaders there."""
    for leader, cell, court in zip(LEADERS, state.leaders, state.courts, strict=True):
        if not (1 <= court <= COURT if cell != NOWHERE else court == 0):
            yield f"{leader.id} has {court} yurts at its court"
    out, on_board = state.removed, [n for n, cell in enumerate(state.leaders) if cell != NOWHERE]
    if len(set(out)) != len(out) or set(out) & set(on_board):
        yield "a leader that was removed is off the board, and only once"
    if len(out) == LAST_LEADER:
        if on_board:
            yield "after the fifth leader nobody stands on the board"  # KHAN-12.1
    elif len(out) > LAST_LEADER or len(out) + len(on_board) != len(LEADERS):
        yield "a leader is missing, or there are too many"
    resigned = state.phase == OVER and len(state.remaining) == 1
    if len(out) < LAST_LEADER and (state.phase == FINAL or (state.phase == OVER and not resigned)):
        yield "the final phase begins with the fifth leader"
    if len(out) == LAST_LEADER and state.point == ACTION_1:
        yield "the turn is cut when the fifth leader leaves in step 1"  # KHAN-12.2


def _beginning(state: State) -> Iterator[str]:
    """KHAN-2, KHAN-3.1: the initial yurts, everything else as it was set up."""
    players = state.players
    order = placement_order(players, state.first)
    placed = sum(yurts.bit_count() for yurts in state.yurts)
    if placed >= len(order):
        yield "the initial yurts are all placed"
        return
    if state.phase == PLACEMENT and (state.todo != order[placed:] or state.seat != state.todo[0]):
        yield "the rest of the order of the initial yurts is another"
    if any(yurts.bit_count() != order[:placed].count(seat) for seat, yurts in enumerate(state.yurts[:-1])):
        yield "other seats have placed their initial yurts"
    if state.options.leader_setup != "random" and state.leaders != state.options.start_cells:
        yield "the leaders stand on their start cells"
    if state.courts != (COURT,) * len(LEADERS) or state.removed or state.black:
        yield "no leader has fled yet"
    if state.specials != (dealt_specials(players),) * players or any(state.active) or any(map(_is_set, state.reserved)):
        yield "no special card has been used yet"
    if state.draw or state.discard or any(state.hands):
        yield "there are no cards before the deal"
    if state.turn or any(state.own_turn) or state.shapes or any(map(any, state.last_special)):
        yield "turn 1 has not begun"


def _is_set(value: int | None) -> bool:
    return value is not None


def _turns(state: State) -> Iterator[str]:
    if state.turn < 1 or min(state.own_turn) < 0 or sum(state.own_turn) != state.turn:
        yield "the own turns of the seats add up to the turn of the game"
    if state.phase != OVER and not state.own_turn[state.seat]:
        yield "the acting seat has begun its turn"


def _shapes(state: State) -> Iterator[str]:
    """KHAN-7: every shape where it can lie, with its owners, in the order of placement."""
    if min(state.supply) < 0:
        yield "there are more shapes than copies"
    before = 1
    for laid in state.shapes:
        if (laid.shape, laid.mask) not in AT:
            yield f"{SHAPES[laid.shape].id} cannot lie on {', '.join(BOARD.names_of(laid.mask))}"
        if not laid.owners or list(laid.owners) != sorted(set(laid.owners)):
            yield "the owners of a shape stand in seat order, each once"
        if not before <= laid.turn <= state.turn:
            yield "shapes stand in the order in which they were placed"
        before = laid.turn


def _specials(state: State) -> Iterator[str]:
    """KHAN-9: cards held and lying out are those dealt, and no more are active than may be."""
    dealt = dealt_specials(state.players)
    for seat in state.seats:
        held = list(state.specials[seat])
        if min(held) < 0:
            yield "nobody holds less than no special card"
        active = state.active[seat]
        if active is not None:
            held[active.card] += 1
            if active.card not in (PROTECTION, GODS) or bool(active.region) != (
                active.card == GODS and state.players == 4
            ):
                yield f"{SPECIALS[active.card]} is not active like that"
        if state.reserved[seat] is not None:
            held[EXPLORE] += 1
        if any(count > most for count, most in zip(held, dealt, strict=True)):
            yield f"{SEATS[seat]} has more special cards than were dealt"
        if any(use < 0 or use > state.own_turn[seat] for use in state.last_special[seat]):
            yield "a special card was used in a turn that has been"
        if any(state.last_special[seat]) and state.players != 2:
            yield "only two players may not use a card twice running"
    cards = [active for active in state.active if active is not None]
    kinds = [active.card for active in cards]
    if kinds.count(PROTECTION) > 1 or (state.players < 4 and kinds.count(GODS) > 1) or len(set(cards)) < len(cards):
        yield "two special cards of a kind are active together"
    if _step_3_is_over(state) and (state.active[state.seat] is not None or state.reserved[state.seat] is not None):
        yield "the acting seat has given back its special card"  # KHAN-8, KHAN-13.2


def _step_3_is_over(state: State) -> bool:
    point = state.proposal.back if state.proposal else state.point
    return point in (SPECIAL, THIRD, *CONQUESTS)


def _reservations(state: State) -> Iterator[str]:
    """KHAN-9.6: a copy for each reservation; the acting seat may have used its own in step 2."""
    all_ = [shape for shape in state.reserved if shape is not None]
    others = [shape for seat, shape in enumerate(state.reserved) if shape is not None and seat != state.seat]
    if state.players < 4 and len(set(all_)) < len(all_):
        yield "two seats have reserved the same shape"
    spare = 1 if state.phase == OVER else 0  # the game may have ended in the middle of such a turn (KHAN-17.7)
    if any(others.count(shape) > state.supply[shape] + spare for shape in others):
        yield "a shape is reserved of which there is no copy"


def _cards(state: State) -> Iterator[str]:
    everywhere = [*state.draw, *state.discard, *(card for hand in state.hands for card in hand)]
    if sorted(everywhere) != list(range(len(CARDS))):
        yield "there are 72 cards, each once"
    for hand in state.hands:
        if len(hand) > HAND or list(hand) != sorted(hand):
            yield "a hand has up to four cards, in order"


def _consent(state: State) -> Iterator[str]:
    """KHAN-10.1: the proposal could be carried out if all agreed, and somebody has not answered."""
    proposal, seat = state.proposal, state.seat
    if proposal is None:
        return
    shape, mask = proposal.shape, proposal.mask
    if proposal.back not in BACK.get(state.phase, ()):
        yield f"no conquest is proposed at {proposal.back!r}"
    if (shape, mask) not in AT or mask & ~state.ready or not is_available(state, seat, shape):
        yield f"{SHAPES[shape].id} cannot be placed as proposed"
    sharing = sharers(state, mask)
    need = tuple(each.seat for each in proposal.need)
    if need != touched(state, seat, mask) or not need or not {seat, *need} <= set(sharing):
        yield "exactly the seats whose protection is touched are asked, and all of them share"
    if set(need) & set(state.refused):
        yield "a seat that has refused is not asked again"
    if not state.unanswered():
        yield "when all have answered the question is closed"
    if any(each.seat in state.gone and each.answer != REFUSE for each in proposal.need):
        yield "a seat that has resigned refuses at once"


def _choice(state: State) -> Iterator[str]:
    """A point is open only if there is something to decide."""
    if state.point in ACTIONS:
        if not can_act(state, state.seat):
            yield "there is no legal action"
    elif state.point in CONQUESTS:
        if not legal_conquests(state, state.seat):
            yield "there is no legal conquest"
    elif state.point == SPECIAL and len(list(specials(state))) < 2:
        yield "there is no special card to use"
