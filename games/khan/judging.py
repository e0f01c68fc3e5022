"""Judging: the first reason why an order cannot stand, by what its own seat may know (KHAN-19)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from engine import Refusal
from games.khan.actions import can_act_freely, may_pass_action, may_pass_conquest
from games.khan.conquest import blocker, counts, sharers, touched
from games.khan.legal import chases, conquering, invasions, moves
from games.khan.material import (
    BLACK,
    BOARD,
    CARD_NUMBER,
    CARDS,
    EXPLORE,
    GODS,
    LAND,
    LEADER_NUMBER,
    MORALE,
    NAMES,
    NUMBERS,
    PROTECTION,
    RIVER,
    RIVER_CELLS,
    SEATS,
    SHAPE_NUMBER,
    SHAPES,
    SPECIALS,
    cells_of,
)
from games.khan.orders import (
    INVASIONS,
    Answer,
    Anywhere,
    Chase,
    Conquer,
    Instruct,
    Invade,
    Move,
    Order,
    Pass,
    Place,
    Resign,
    Special,
    order_of,
)
from games.khan.placements import has_form, is_on_its_ground
from games.khan.specials import other_active, region_taken, specials, third_action_possible, was_used_last_turn
from games.khan.state import (
    ACTION_1,
    ACTION_2,
    ACTIONS,
    CONQUESTS,
    CONSENT,
    NOWHERE,
    OVER,
    PLACE,
    SPECIAL,
    THIRD,
    State,
)

SHOWN = 6  # so many legal orders are named beside a refusal
LOOKED_AT = 300  # ... and out of so many they are taken

BELONGS: Mapping[str, tuple[str, ...]] = {  # KHAN-17: which orders belong to which points
    "P": (PLACE,),
    "A": ACTIONS,
    "B": ACTIONS,
    "C": (*ACTIONS, *CONQUESTS),
    "D": (ACTION_1,),
    "S": (SPECIAL,),
    "consent": (CONSENT,),
    "pass": (*ACTIONS, *CONQUESTS),
}


def why_not(state: State, seat: int, move: Move | Order) -> Refusal | None:
    """None when the order is legal now. The checks are made in the order of KHAN-19."""
    order = order_of(move)
    if isinstance(order, Instruct | Resign):
        return _why_not_at_once(state, seat, order)
    if refusal := _why_not_now(state, seat, order):
        return refusal
    return _CHECKS[order.do](state, seat, order)


def not_yours(rule: str = "KHAN-4.1", some: Iterable[Move] = ()) -> Refusal:
    """E01, the first of all."""
    return _refusal(rule, "E01", "It is not your decision now.", some=some)


def with_legal(state: State, seat: int, why: Refusal) -> Refusal:
    """An order that cannot be read, beside those that could stand here: one of each kind first."""
    some = list(islice(moves(state, seat), LOOKED_AT))
    kinds = {order_of(move).do: move for move in reversed(some)}
    shown = dict.fromkeys(map(str, (*sorted(kinds.values(), key=some.index), *some)))
    return replace(why, legal=tuple(islice(shown, SHOWN)))


def _why_not_at_once(state: State, seat: int, move: Instruct | Resign) -> Refusal | None:
    """KHAN-17.2, KHAN-17.7: at any time, but not after the end, and not by one who has resigned."""
    if state.phase == OVER or seat in state.gone:
        return not_yours("KHAN-17.7")
    if isinstance(move, Instruct) and any(each.seat == SEATS[seat] for each in move.instructions):
        text, facts = "I cannot read this order: {text}.", {"text": str(move)}  # nobody asks himself
        return Refusal("KHAN-17.2", "E02", text, facts)
    return None


def _why_not_now(state: State, seat: int, order: Order) -> Refusal | None:
    """E01, E04: whether the order belongs to the open decision point, and that to this seat."""
    if seat not in state.asked():
        return not_yours()
    if isinstance(order, Answer) and state.point != CONSENT:
        return not_yours("KHAN-17.4", moves(state, seat))
    if isinstance(order, Anywhere) and state.point in (ACTION_2, THIRD):
        text = "D uses both actions; you have only one left."
        return _refusal("KHAN-6.5", "E40", text, some=moves(state, seat))
    if state.point not in BELONGS[order.do]:
        text = "Now you must decide: {point}. {order} is not one of the possible orders."
        return _refusal("KHAN-4.2", "E04", text, some=moves(state, seat), point=state.point, order=str(order))
    return None


def _refusal(rule: str, code: str, text: str, some: Iterable[Move] = (), **facts: Any) -> Refusal:
    return Refusal(rule, code, text, facts, tuple(str(move) for move in islice(some, SHOWN)))


def holds(state: State, cell: int) -> str:
    """What stands on a cell, in words."""
    content = state.content(cell)
    if content in SEATS or content == BLACK:
        return f"a {content} yurt"
    if content in LEADER_NUMBER:
        return f"the leader {content}"
    return {"river": "the river", "free": "nothing"}.get(content, f"the shape {content}")


# --- A, D, P ------------------------------------------------------------------------------------------------------


def _why_not_place(state: State, seat: int, move: Place) -> Refusal | None:
    return _why_not_free(state, move.cell, "KHAN-3.1", moves(state, seat))


def _why_not_free(state: State, name: str, rule: str, some: Iterable[Move]) -> Refusal | None:
    cell = NUMBERS[name]
    if state.free >> cell & 1:
        return None
    text = "{cell} is not free: {content}."
    return _refusal(rule, "E11", text, some=some, cell=name, content=holds(state, cell))  # KHAN-1.7


def _why_not_held(state: State, seat: int, cards: Iterable[str], rule: str, text: str) -> Refusal | None:
    """E10: each card in the hand, and named once."""
    hand = [CARDS[card].id for card in state.hands[seat]]
    for card in cards:
        if card not in hand:
            held = [CARDS[each].id for each in state.hands[seat]]
            return Refusal(rule, "E10", text, {"card": card, "hand": held}, tuple(held))
        hand.remove(card)
    return None


def _why_not_invade(state: State, seat: int, move: Invade) -> Refusal | None:
    if refusal := _why_not_held(state, seat, (move.card,), "KHAN-6.2", "You do not hold {card}."):
        return refusal
    number = CARD_NUMBER[move.card]
    allowed = [INVASIONS[number][cell] for cell in cells_of(CARDS[number].allowed & state.free)]
    if refusal := _why_not_free(state, move.cell, "KHAN-6.2", allowed):
        return refusal
    if not CARDS[number].allowed >> NUMBERS[move.cell] & 1:
        text = "{card} does not allow {cell}."
        facts = {"card": move.card, "cell": move.cell, "face": CARDS[number].face}
        return _refusal("KHAN-6.2", "E12", text, some=allowed or invasions(state, seat), **facts)
    return None


def _why_not_anywhere(state: State, seat: int, move: Anywhere) -> Refusal | None:
    near = (str(Anywhere(NAMES[cell])) for cell in cells_of(state.free))
    if refusal := _why_not_free(state, move.cell, "KHAN-6.5", near):
        return refusal
    return _why_not_held(state, seat, move.discard, "KHAN-6.5", "You do not hold {card} (or named it twice).")


# --- B ------------------------------------------------------------------------------------------------------------


def _why_not_chase(state: State, seat: int, move: Chase) -> Refusal | None:
    if state.final_prepared:
        text = "Five leaders are gone; nobody can be chased any more."
        return _refusal("KHAN-6.3", "E21", text, some=moves(state, seat))
    if state.leaders[LEADER_NUMBER[move.leader]] == NOWHERE:
        text = "{leader} is no longer on the board."
        return _refusal("KHAN-6.3", "E20", text, some=chases(state), leader=move.leader)
    return None


# --- C ------------------------------------------------------------------------------------------------------------


def _why_not_conquer(state: State, seat: int, move: Conquer) -> Refusal | None:
    """KHAN-7, in the order of KHAN-19."""
    number = SHAPE_NUMBER[move.shape]
    cells = tuple(NUMBERS[name] for name in move.cells)
    for found in (
        _why_not_shape(state, seat, number),
        _why_not_form(number, cells),
        _why_not_ground(state, number, cells),
        _why_not_majority(state, seat, BOARD.mask(move.cells)),
        _why_not_allowed(state, seat, BOARD.mask(move.cells)),
    ):
        if found is not None:
            some = tuple(str(order) for order in islice(_conquests_near(state, seat, move.shape), SHOWN))
            return Refusal(found.rule, found.code, found.text, found.facts, some)
    return None


def _conquests_near(state: State, seat: int, shape: str) -> Iterator[Conquer]:
    """Legal conquests, those with the same shape first."""
    found = list(conquering(state, seat))
    yield from sorted(found, key=lambda order: order.shape != shape)


def _why_not_shape(state: State, seat: int, shape: int) -> Refusal | None:
    """E30, E31: in the supply, and available to this seat."""
    if not state.supply[shape]:
        return _refusal("KHAN-7.1", "E30", "No {shape} is left.", shape=SHAPES[shape].id)
    other = blocker(state, seat, shape)
    if other is not None:
        text = "{shape} is reserved by {seat}."
        return _refusal("KHAN-9.6", "E31", text, shape=SHAPES[shape].id, seat=SEATS[other])
    return None


def _why_not_form(shape: int, cells: tuple[int, ...]) -> Refusal | None:
    if has_form(SHAPES[shape], cells):
        return None
    return _refusal("KHAN-1.9", "E32", "These cells do not form a {shape}.", shape=SHAPES[shape].id)


def _why_not_ground(state: State, shape: int, cells: tuple[int, ...]) -> Refusal | None:
    """E33: a bridge leads over the river. E34: every cell can be covered."""
    mask = sum(1 << cell for cell in set(cells))
    if SHAPES[shape].is_bridge and not is_on_its_ground(SHAPES[shape], mask):
        allowed = RIVER_CELLS[SHAPES[shape].id]
        rule = "KHAN-7.5" if (mask & RIVER).bit_count() in allowed else "KHAN-7.4"
        text = "The bridge must cover {n} river cell(s) and touch land on both sides."
        return _refusal(rule, "E33", text, n=" or ".join(map(str, allowed)))
    ready = state.ready if SHAPES[shape].is_bridge else state.ready & LAND  # KHAN-7.2, KHAN-7.3, KHAN-7.9
    for cell in sorted(cells):
        if not ready >> cell & 1:
            rule = "KHAN-7.3" if SHAPES[shape].is_bridge else "KHAN-7.2"
            content = holds(state, cell)
            return _refusal(rule, "E34", "{cell} cannot be covered: {content}.", cell=NAMES[cell], content=content)
    return None


def _why_not_majority(state: State, seat: int, mask: int) -> Refusal | None:
    if seat in sharers(state, mask):
        return None
    held = [f"{SEATS[other]} {count}" for other, count in enumerate(counts(state, mask)) if count]
    text = "You do not have the most yurts there ({counts})."
    return _refusal("KHAN-7.6", "E35", text, counts=held or [f"{BLACK} only"])


def _why_not_allowed(state: State, seat: int, mask: int) -> Refusal | None:
    """E36, E37: protections of other seats."""
    need, sharing = touched(state, seat, mask), sharers(state, mask)
    for other in need:
        active = state.active[other]
        if other not in sharing and active is not None:
            text = "The card {card} of {seat} forbids this conquest."
            return _refusal("KHAN-10.1", "E36", text, seat=SEATS[other], card=SPECIALS[active.card])
    for other in need:
        if other in state.refused:
            text = "You were refused by {seat} and cannot ask again this turn."
            return _refusal("KHAN-10.4", "E37", text, seat=SEATS[other])
    return None


# --- S ------------------------------------------------------------------------------------------------------------


def _why_not_special(state: State, seat: int, move: Special) -> Refusal | None:
    if move.card == "none":
        return None
    kind = SPECIALS.index(move.card)
    found = _why_not_card(state, seat, kind, move)
    if found is None:
        return None
    some = tuple(str(order) for order in specials(state) if order.card in (move.card, "none"))
    return Refusal(found.rule, found.code, found.text, found.facts, some)


def _why_not_card(state: State, seat: int, kind: int, move: Special) -> Refusal | None:
    if not state.specials[seat][kind]:
        return _refusal("KHAN-9.1", "E50", "You have no {special} card left.", special=move.card)
    if kind == MORALE:
        text = "There is no third action you could take."
        return None if third_action_possible(state, seat) else _refusal("KHAN-9.3", "E52", text)
    if kind == EXPLORE:
        return _why_not_shape(state, seat, SHAPE_NUMBER[move.shape])
    if kind == GODS and (refusal := _why_not_region(state, move.region)):
        return refusal
    rule = "KHAN-9.4" if kind == PROTECTION else "KHAN-9.5"
    if was_used_last_turn(state, seat, kind):
        return _refusal(rule, "E55", "You used this card in your last turn.", special=move.card)
    other = other_active(state, seat, kind)
    if other is not None and (kind == PROTECTION or state.players < 4):
        text = "The card {special} of {seat} is still active."
        return _refusal(rule, "E51", text, seat=SEATS[other], special=move.card)
    other = region_taken(state, seat, move.region) if kind == GODS and state.players == 4 else None
    if other is not None:
        text = "The region {region} is protected by {seat} already."
        return _refusal(rule, "E56", text, seat=SEATS[other], region=move.region)
    return None


def _why_not_region(state: State, region: str) -> Refusal | None:
    """KHAN-9.5: with four players a region is named, with fewer none."""
    if state.players == 4 and not region:
        return _refusal("KHAN-9.5", "E53", "Name the region to protect.")
    if state.players < 4 and region:
        text = "With {n} players all neutral yurts are protected; name no region."
        return _refusal("KHAN-9.5", "E54", text, n=state.players)
    return None


# --- pass and consent ---------------------------------------------------------------------------------------------


def _why_not_pass(state: State, seat: int, move: Pass) -> Refusal | None:
    """E60: only where every legal order needs a consent."""
    final = state.point in CONQUESTS
    if may_pass_conquest(state, seat) if final else may_pass_action(state, seat):
        return None
    assert final or can_act_freely(state, seat)
    text = "You may not pass: {order} is possible."
    free = list(islice(moves(state, seat), SHOWN))
    return _refusal("KHAN-13.3" if final else "KHAN-6.6", "E60", text, some=free, order=str(free[0]))


def _why_not_answer(state: State, seat: int, move: Answer) -> Refusal | None:
    return None  # E01 has seen to it that there is an open question


_CHECKS: Mapping[str, Callable[[State, int, Any], Refusal | None]] = {
    "P": _why_not_place,
    "A": _why_not_invade,
    "B": _why_not_chase,
    "C": _why_not_conquer,
    "D": _why_not_anywhere,
    "S": _why_not_special,
    "pass": _why_not_pass,
    "consent": _why_not_answer,
}
