"""Special cards: using one, what each needs, and giving it back (KHAN-8, KHAN-9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.khan.actions import can_act
from games.khan.conquest import is_available
from games.khan.material import EXPLORE, GODS, MORALE, PROTECTION, REGIONS, SEATS, SHAPE_NUMBER, SHAPES, SPECIALS
from games.khan.orders import NO_SPECIAL, Special
from games.khan.state import THIRD, Active, State
from games.khan.telling import Telling, changed

RULES = {"none": "KHAN-9.1", "morale": "KHAN-9.3", "protection": "KHAN-9.4", "gods": "KHAN-9.5", "explore": "KHAN-9.6"}


def use(telling: Telling, order: Special) -> None:
    """KHAN-9: the card leaves the hand for its effect; KHAN-9.2: the point closes with it, so it was the only one."""
    state, seat = telling.state, telling.state.seat
    if order.card != "none":
        kind = SPECIALS.index(order.card)
        held = state.specials[seat]
        telling.change(specials=changed(state.specials, seat, changed(held, kind, held[kind] - 1)))
        if kind == EXPLORE:
            shape = SHAPE_NUMBER[order.shape]
            telling.change(reserved=changed(state.reserved, seat, shape))  # KHAN-9.6
        elif kind != MORALE:
            _activate(telling, kind, order.region)
    facts: dict[str, Any] = {"region": order.region or None, "shape": order.shape or None}
    telling.tell("special", RULES[order.card], seat=SEATS[seat], card=order.card, **facts)


def _activate(telling: Telling, kind: int, region: str) -> None:
    """KHAN-9.4, KHAN-9.5: a yurt stands on the card until step 3 of the seat's next turn."""
    state, seat = telling.state, telling.state.seat
    telling.change(active=changed(state.active, seat, Active(kind, region)))
    if state.players == 2:
        last = changed(state.last_special[seat], kind - PROTECTION, state.own_turn[seat])
        telling.change(last_special=changed(state.last_special, seat, last))


def give_back(telling: Telling, card_rule: str, shape_rule: str) -> None:
    """KHAN-8.1, KHAN-8.2, KHAN-13.2: what the seat has lying from its turn before ends."""
    state, seat = telling.state, telling.state.seat
    active, shape = state.active[seat], state.reserved[seat]
    if active is not None:
        telling.change(active=changed(state.active, seat, None))
        facts: dict[str, Any] = {"card": SPECIALS[active.card], "region": active.region or None}
        telling.tell("special_return", card_rule, seat=SEATS[seat], **facts)
    if shape is not None:
        telling.change(reserved=changed(state.reserved, seat, None))
        telling.tell("release", shape_rule, seat=SEATS[seat], shape=SHAPES[shape].id)


# --- what is possible ---------------------------------------------------------------------------------------------


def was_used_last_turn(state: State, seat: int, kind: int) -> bool:
    """KHAN-9.4, KHAN-9.5: two players, not the same card two turns running."""
    used = state.last_special[seat][kind - PROTECTION]
    return state.players == 2 and used > 0 and used == state.own_turn[seat] - 1


def other_active(state: State, seat: int, kind: int) -> int | None:
    """The other seat whose card of this kind is active, if any."""
    for other, active in enumerate(state.active):
        if other != seat and active is not None and active.card == kind:
            return other
    return None


def region_taken(state: State, seat: int, region: str) -> int | None:
    """KHAN-9.5, four players: the other seat that protects this region."""
    for other, active in enumerate(state.active):
        if other != seat and active == (GODS, region):
            return other
    return None


def third_action_possible(state: State, seat: int) -> bool:
    """KHAN-9.3: A, B or C, never D."""
    assert state.point != THIRD
    return can_act(state, seat)  # at this point, D is not among the actions


def specials(state: State) -> Iterator[Special]:
    """The legal S orders of the acting seat, in canonical order (KHAN-17.6)."""
    yield NO_SPECIAL  # KHAN-9.1
    seat, held = state.seat, state.specials[state.seat]
    if held[MORALE] and third_action_possible(state, seat):
        yield Special("morale")
    if held[PROTECTION] and _may_be_active(state, seat, PROTECTION):
        yield Special("protection")
    if held[GODS]:
        yield from _gods(state, seat)
    if held[EXPLORE]:
        yield from [Special("explore", shape=s.id) for n, s in enumerate(SHAPES) if is_available(state, seat, n)]


def _gods(state: State, seat: int) -> Iterator[Special]:
    if state.players == 4:
        yield from [Special("gods", region=r) for r in REGIONS if region_taken(state, seat, r) is None]
    elif _may_be_active(state, seat, GODS):
        yield Special("gods")


def _may_be_active(state: State, seat: int, kind: int) -> bool:
    return other_active(state, seat, kind) is None and not was_used_last_turn(state, seat, kind)
