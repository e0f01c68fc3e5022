"""What a seat may know of a state, as plain facts for reports, pages and bots (KHAN-20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from engine import Outcome, View
from engine.boards.squares import Mask
from games.khan.conquest import Conquest, conquests, points_each, sharers
from games.khan.defaults import default, value
from games.khan.legal import kinds, moves
from games.khan.material import (
    BLACK,
    BOARD,
    BORDER,
    CARDS,
    COLUMNS,
    DIRECTIONS,
    GROUND,
    LAST_LEADER,
    LEADERS,
    NAMES,
    RIVERSIDE,
    ROWS,
    SEAT_NUMBER,
    SEATS,
    SHAPES,
    SPECIALS,
    cells_of,
)
from games.khan.notation import PUBLIC, write
from games.khan.orders import order_of, standing_text
from games.khan.piles import card_ids
from games.khan.scoring import ranking, scores
from games.khan.state import ACTIONS, CONQUESTS, CONSENT, NOWHERE, OVER, Laid, State, names
from games.khan.telling import seat_names

SHOWN_CONQUESTS = 40
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL"  # one for each of the 38 shapes, as they come to lie on the board
HOUSE_EDITION = "house edition"  # part A of the rules document: the map, the start cells and the points are ours
Facts = dict[str, Any]


def view(state: State, seat: str | None) -> View:
    """KHAN-20.3: everything open, the own hand, the own standing instructions, the own choices."""
    own = None if seat is None else SEAT_NUMBER[seat]
    facts: Facts = {
        "board": _map(),
        "edition": HOUSE_EDITION,
        **_course(state),
        **_pieces(state),
        **_specials(state),
        **_cards(state, own),
        **_scores(state),
        **_proposal(state),
        **_own(state, own),
    }
    return View(seat, pending(state, own), state.point.split()[0], write(state, seat or PUBLIC), facts)


def pending(state: State, reader: int | None) -> tuple[str, ...]:
    """KHAN-29.4: to others every seat whose consent is needed seems to be asked; only the seat itself knows better."""
    if state.proposal is None:
        return tuple(seat_names(state.asked()))
    asked = state.unanswered()
    return tuple(SEATS[need.seat] for need in state.proposal.need if need.seat != reader or need.seat in asked)


@cache
def _map() -> Facts:
    """The printed map; the same object in all views, and never changed."""
    cells = [
        {
            "name": NAMES[cell],
            "x": BOARD.xy(cell)[0],
            "y": BOARD.xy(cell)[1],
            "ground": GROUND[cell],
            "riverside": bool(RIVERSIDE >> cell & 1),
            "border": bool(BORDER >> cell & 1),
        }
        for cell in BOARD.cells
    ]
    shapes = [
        {
            "id": shape.id,
            "kind": shape.kind,
            "size": shape.size,
            "copies": shape.copies,
            "points": shape.points,
            "form": [list(square) for square in shape.forms[0]],
        }
        for shape in SHAPES
    ]
    return {"columns": COLUMNS, "rows": ROWS, "cells": cells, "shapes": shapes}


def _course(state: State) -> Facts:
    over = state.phase == OVER
    return {
        "phase": state.phase,
        "at": state.point,
        "seat": None if over else SEATS[state.seat],
        "seats": list(SEATS[: state.players]),
        "turn": state.turn,
        "own_turn": {SEATS[seat]: own for seat, own in enumerate(state.own_turn)},
        "first": SEATS[state.first],
        "todo": seat_names(state.todo),
        "refused": seat_names(state.refused),
        "gone": seat_names(state.gone),  # KHAN-20.5: public
        "over": over,
    }


def _pieces(state: State) -> Facts:
    colours = (*SEATS[: state.players], BLACK)
    return {
        "yurts": {colour: names(mask) for colour, mask in zip(colours, state.yurts, strict=True)},
        "leaders": [_leader(state, number) for number in range(len(LEADERS))],
        "removed": [LEADERS[leader].id for leader in state.removed],
        "removed_to_end": LAST_LEADER,
        "shapes": [_laid(laid, LETTERS[n]) for n, laid in enumerate(state.shapes)],
        "holds": _holds(state),
        "supply": {shape.id: left for shape, left in zip(SHAPES, state.supply, strict=True)},
    }


def _leader(state: State, number: int) -> Facts:
    leader, cell = LEADERS[number], state.leaders[number]
    where = None if cell == NOWHERE else NAMES[cell]
    fate = "board" if where else "removed" if number in state.removed else "replaced"
    return {
        "id": leader.id,
        "name": leader.key,
        "colour": leader.colour,
        "cell": where,
        "court": state.courts[number],
        "fate": fate,
    }


def _holds(state: State) -> Facts:
    """What stands on each cell that is not empty, for maps."""
    found: Facts = {}
    for colour, mask in zip((*SEATS[: state.players], BLACK), state.yurts, strict=True):
        found |= {cell: {"what": "yurt", "who": colour} for cell in names(mask)}
    for leader, cell in zip(LEADERS, state.leaders, strict=True):
        if cell != NOWHERE:
            found[NAMES[cell]] = {"what": "leader", "who": leader.id}
    for number, laid in enumerate(state.shapes):
        found |= {cell: {"what": SHAPES[laid.shape].kind, "who": LETTERS[number]} for cell in names(laid.mask)}
    return found


def _laid(laid: Laid, letter: str) -> Facts:
    each = points_each(laid.shape, len(laid.owners))
    return {
        "letter": letter,
        "id": SHAPES[laid.shape].id,
        "kind": SHAPES[laid.shape].kind,
        "cells": names(laid.mask),
        "owners": seat_names(laid.owners),
        "each": each,
        "turn": laid.turn,
        "edges": [list(edge) for edge in _edges(laid.mask)],
    }


@cache
def _edges(mask: Mask) -> tuple[tuple[int, int, int, int], ...]:
    """The outline of a shape: sides of its cells that are not inside it, as x1 y1 x2 y2 in cells."""
    inside = {BOARD.xy(cell) for cell in cells_of(mask)}
    found = []
    for x, y in sorted(inside):
        sides = {
            (x, y - 1): (x, y, x + 1, y),
            (x, y + 1): (x, y + 1, x + 1, y + 1),
            (x - 1, y): (x, y, x, y + 1),
            (x + 1, y): (x + 1, y, x + 1, y + 1),
        }
        found += [edge for beyond, edge in sides.items() if beyond not in inside]
    return tuple(found)


def _specials(state: State) -> Facts:
    active = [
        {"seat": SEATS[seat], "card": SPECIALS[one.card], "region": one.region or None}
        for seat, one in enumerate(state.active)
        if one is not None
    ]
    reserved = [
        {"seat": SEATS[seat], "shape": SHAPES[shape].id}
        for seat, shape in enumerate(state.reserved)
        if shape is not None
    ]
    held = {SEATS[seat]: dict(zip(SPECIALS, held, strict=True)) for seat, held in enumerate(state.specials)}
    last = {
        SEATS[seat]: dict(zip(("protection", "gods"), uses, strict=True))
        for seat, uses in enumerate(state.last_special)
    }
    return {"specials": held, "active": active, "reserved": reserved, "last_special": last}


def _cards(state: State, own: int | None) -> Facts:
    """KHAN-20: the discards and all numbers are open, a hand is its owner's until the game is over."""
    counts = {SEATS[seat]: len(hand) for seat, hand in enumerate(state.hands)}
    # KHAN-20.4: after the end all is opened.
    shown = {SEATS[seat]: card_ids(hand) for seat, hand in enumerate(state.hands)} if state.phase == OVER else None
    hand = None if own is None else [_card(state, card) for card in state.hands[own]]
    return {
        "hands": counts,
        "draw_pile": len(state.draw),
        "discard": card_ids(state.discard),
        "hand": hand,
        "hands_open": shown,
    }


def _card(state: State, number: int) -> Facts:
    """A card of the own hand, with the cells it allows now (KHAN-20.3)."""
    card = CARDS[number]
    return {
        "card": card.id,
        "leader": LEADERS[card.leader].id,
        "direction": DIRECTIONS[card.direction],
        "face": card.face,
        "cells": names(card.allowed & state.free),
    }


def _scores(state: State) -> Facts:
    found = {
        SEATS[seat]: {
            "shapes": score.shapes,
            "territories": list(score.territories),
            "bonus": score.bonus,
            "total": score.total,
        }
        for seat, score in enumerate(scores(state))
    }
    places = [seat_names(place) for place in ranking(state)] if state.phase == OVER else None
    return {"scores": found, "ranking": places, "winners": places[0] if places else None}


def _proposal(state: State) -> Facts:
    """KHAN-20: the placement and the seats it needs are open, the answers are not."""
    proposal = state.proposal
    if proposal is None:
        return {"proposal": None}
    sharing = sharers(state, proposal.mask)
    found = {
        "seat": SEATS[state.seat],
        "shape": SHAPES[proposal.shape].id,
        "cells": names(proposal.mask),
        "sharers": seat_names(sharing),
        "each": points_each(proposal.shape, len(sharing)),
        "need": [SEATS[need.seat] for need in proposal.need],
    }
    return {"proposal": found}


def _own(state: State, own: int | None) -> Facts:
    """What only the seat itself may see: its standing instructions and what it may do now."""
    if own is None:
        return {"standing": None, "asked": False, "choices": None, "conquests": None, "default": None}
    standing = [str(each) for each in standing_text(*state.standing[own])]
    if own not in state.asked():
        return {"standing": standing, "asked": False, "choices": None, "conquests": None, "default": None}
    return {
        "standing": standing,
        "asked": True,
        "choices": _choices(state, own),
        "conquests": _conquests(state, own) if state.point in (*ACTIONS, *CONQUESTS) else None,
        "default": str(default(state, own)),
    }


def _choices(state: State, own: int) -> Facts:
    """How many orders there are of each kind, with the first of each; all of them at the short points."""
    found: dict[str, Facts] = {}
    for kind in kinds(state, own):
        if of_kind := list(kind):
            found[order_of(of_kind[0]).do] = {"count": len(of_kind), "first": str(of_kind[0])}
    few = state.point in (CONSENT, "special")
    return {"kinds": found, "all": [str(move) for move in moves(state, own)] if few else None}


def _conquests(state: State, own: int) -> Facts:
    """KHAN-20.3: the possible conquests with points, sharers and needed consents, the best first."""
    found = sorted(conquests(state, own), key=value, reverse=True)
    return {"count": len(found), "best": [_conquest(one) for one in found[:SHOWN_CONQUESTS]]}


def _conquest(one: Conquest) -> Facts:
    placement = one.placement
    return {
        "shape": SHAPES[placement.shape].id,
        "cells": list(placement.cells),
        "each": points_each(placement.shape, len(one.sharers)),
        "sharers": seat_names(one.sharers),
        "need": seat_names(one.need),
    }


def outcome(state: State) -> Outcome | None:
    """KHAN-15; the paragraph is the one that ended the game."""
    if state.phase != OVER:
        return None
    alone = len(state.remaining) == 1
    places = tuple(tuple(seat_names(place)) for place in ranking(state))
    found = {SEATS[seat]: score for seat, score in enumerate(scores(state))}
    totals = {seat: score.total for seat, score in found.items()}
    details: Mapping[str, Sequence[int]] = {
        seat: [score.shapes, score.bonus, *score.territories] for seat, score in found.items()
    }
    reason = "one seat is left" if alone else "nobody can conquer any more"
    return Outcome(places, totals, "KHAN-17.7" if alone else "KHAN-13.6", reason, details)
