"""Whether an order can stand, and the first reason why not, in the order of section 6 of the rules document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine import Refusal, Seat
from games.jarmo.legal import free_camp, holds_camps, legal, recovers_by, steps
from games.jarmo.moves import FLIP, PASS, PASSING, PLACE, PLACING, RECALL, STEP, Move
from games.jarmo.net import BIT, CAMPS, DOTTED, MOVES, NETS, OUTSIDE, SEAT_OF, forward, names_of
from games.jarmo.reading import AUTO, Words, words
from games.jarmo.scoring import winner
from games.jarmo.silence import default
from games.jarmo.state import SIDES, Side, State
from games.jarmo.variants import VARIANTS


def read(state: State, seat: Seat, order: str | Mapping[str, Any]) -> Move | Refusal:
    """The action these words mean here, or the first refusal that applies."""
    if state.end:
        text = "{action}: the game is over, {result}. Nothing can be ordered."
        return Refusal("JARMO-6.8", "over", text, {"action": quoted(order), "result": result(state)})
    if seat != SIDES[state.side]:
        text = "{action}: {side} is to move. Your order is kept for your next turn if the file allows it."
        return Refusal("JARMO-1.5", "not-your-turn", text, {"action": quoted(order), "side": SIDES[state.side]})
    said = understood(order, texts(legal(state)))
    if isinstance(said, Refusal):
        return said
    if said.kind == AUTO:
        return default(state)
    refusal = JUDGES[said.kind](state, said)
    return MOVES[said.text] if refusal is None else refusal


def why_never(state: State, seat: Seat, order: str | Mapping[str, Any]) -> Refusal | None:
    """Why no position of this game could take the order of this seat: its words, its points, its lines."""
    own_turn = not state.end and seat == SIDES[state.side]
    said = understood(order, texts(legal(state)) if own_turn else ())
    if isinstance(said, Refusal):
        return said
    side = SEAT_OF[seat]
    if said.kind == STEP and (why := why_no_way(state, said, side, ())):
        return why
    if said.kind == FLIP and NETS[state.terms.variant].demotes:
        return no_flip(said, ())
    if said.how == RECALL and not VARIANTS[state.terms.variant].recalls:
        return no_camps(said, ())
    if said.at and not BIT[said.at] & CAMPS[side]:
        return not_camp(said, side, names_of(CAMPS[side]), ())
    return None


def understood(order: str | Mapping[str, Any], menu: tuple[str, ...]) -> Words | Refusal:
    """The order in words of the game, all its points on the board."""
    said = words(order)
    if said is None:
        text = "Not understood: {action}. Write for example {example}."
        facts = {"action": quoted(order), "example": menu[0] if menu else "a1-c2"}
        return Refusal("JARMO-2.1", "unreadable", text, facts, menu)
    for point in said.every_point:
        if point not in BIT:
            text = "{action}: {point} is not a point of the board; they are a1 to e5."
            return Refusal("JARMO-1.2", "no-such-point", text, {"action": said.text, "point": point}, menu)
    return said


# --- a move ---------------------------------------------------------------------------------------------------------


def judge_step(state: State, said: Words) -> Refusal | None:
    start, end = (BIT[point] for point in said.points)
    side, board = state.side, state.board
    own, enemy = board.tops[side], board.tops[1 - side]
    if not start & (own | enemy):
        return refused(state, said, "JARMO-2.2", "empty", "nothing stands on {from}")
    if start & enemy:
        return refused(state, said, "JARMO-2.2", "not-yours", "the piece on {from} is the enemy's")
    if not start & OUTSIDE[side]:
        return refused(state, said, "JARMO-4.1", "immobile", "a piece in the enemy camp never moves again")
    if why := why_no_way(state, said, side, (menu := moves_from(state, start)) or texts(legal(state))):
        return why
    if end & own:
        return refused(state, said, "JARMO-2.3", "occupied-own", "your own piece stands on {to}", menu)
    if end & enemy & CAMPS[side] and VARIANTS[state.terms.variant].safe_in_camp:
        return refused(state, said, "JARMO-8.2", "safe", "the piece on {to} is in its enemy camp and safe", menu)
    if said.capturing and not end & enemy:
        return refused(state, said, "JARMO-3.1", "no-capture", "there is nothing to capture on {to}", menu)
    return judge_addition(state, said) if said.how else None


def why_no_way(state: State, said: Words, side: Side, menu: tuple[str, ...]) -> Refusal | None:
    """Whether lines and directions of the variant let the side go this way at all."""
    start, end = said.points
    net = NETS[state.terms.variant]
    facts = {"action": said.text, "from": start, "to": end, "near": net.graph.adjacent[start]}
    if end not in net.graph.adjacent[start]:
        if (start, end) in DOTTED or (end, start) in DOTTED:
            text = "{action}: the line from {from} to {to} is dotted, for Jasyr only. Lines from {from}: {near}."
            return Refusal("JARMO-9.2", "dotted", text, facts, menu)
        text = "{action}: no line joins {from} and {to}. Lines from {from}: {near}."
        return Refusal("JARMO-2.2", "no-line", text, facts, menu)
    if not net.variant.backward and forward(side, BIT[start], BIT[end]) < 0:
        text = "{action}: in Jasyr a piece moves to the same rank or forward, never back."
        return Refusal("JARMO-9.3", "backward", text, facts, menu)
    return None


# --- placing and recall ---------------------------------------------------------------------------------------------


def judge_addition(state: State, said: Words) -> Refusal | None:
    """What is added to a move that is legal by itself."""
    move = MOVES[said.bare]
    if said.how == PLACE:
        return why_not_placed(state, said, move) or judge_point(state, said, move)
    return why_not_recalled(state, said, move) or judge_point(state, said, move)


def why_not_placed(state: State, said: Words, move: Move) -> Refusal | None:
    recovers = recovers_by(state, move)
    menu = starting_with(state, move)
    if not recovers and not state.hands[state.side]:
        return refused(state, said, "JARMO-5.1", "empty-hand", "your hand is empty after this move", menu)
    if not recovers and state.terms.late == "turn":
        text = "this move recovers nobody, and placing a kept soldier is a whole turn"
        return refused(state, said, "JARMO-5.4", "whole-turn", text, menu)
    return None


def why_not_recalled(state: State, said: Words, move: Move) -> Refusal | None:
    menu = starting_with(state, move)
    if not state.camps:
        return no_camps(said, menu)
    if not holds_camps(state, move):
        camps = names_of(state.camps)
        text = "after this move you do not hold both retired camps, {camps}"
        return refused(state, said, "JARMO-11.2", "camps-not-held", text, menu, camps=camps)
    if state.pools[state.side] <= recovers_by(state, move):
        text = "after this move no soldier of yours is captured and recoverable"
        return refused(state, said, "JARMO-11.2", "empty-pool", text, menu)
    return None


def judge_point(state: State, said: Words, move: Move) -> Refusal | None:
    """JARMO-5.1: an empty point of the own camp, after the move."""
    point = BIT[said.at]
    free = free_camp(state, move)
    if not point & CAMPS[state.side]:
        return not_camp(said, state.side, names_of(free), starting_with(state, move))
    if not point & free:
        text = "{at} is not empty after the move; free points of your camp: {free}"
        menu = starting_with(state, move)
        return refused(state, said, "JARMO-5.1", "camp-occupied", text, menu, free=names_of(free) or "none")
    return None


def judge_placing(state: State, said: Words) -> Refusal | None:
    if not state.hands[state.side]:
        return refused(state, said, "JARMO-5.1", "empty-hand", "your hand is empty")
    if state.terms.late == "move" and steps(state):
        text = "while you can move, a soldier is placed together with a move"
        return refused(state, said, "JARMO-5.3", "move-first", text)
    return judge_point(state, said, PASS)


# --- the rest -------------------------------------------------------------------------------------------------------


def judge_flip(state: State, said: Words) -> Refusal | None:
    side, board = state.side, state.board
    if NETS[state.terms.variant].demotes:
        return no_flip(said, texts(legal(state)))
    guards = board.tops[side] & board.guards & ~OUTSIDE[side]
    if not BIT[said.points[0]] & guards:
        text = "you have no guard there in the enemy camp; guards there: {guards}"
        return refused(state, said, "JARMO-8.3", "no-guard", text, guards=names_of(guards) or "none")
    if not state.pools[side]:
        return refused(state, said, "JARMO-8.3", "empty-pool", "no soldier of yours is captured and recoverable")
    return judge_point(state, said, MOVES[said.bare]) if said.how else None


def judge_pass(state: State, said: Words) -> Refusal | None:
    menu = legal(state)
    if PASS in menu:
        return None
    return refused(state, said, "JARMO-2.4", "must-act", "a pass is legal only when nothing else is")


JUDGES: Mapping[str, Callable[[State, Words], Refusal | None]] = {
    STEP: judge_step,
    FLIP: judge_flip,
    PLACING: judge_placing,
    PASSING: judge_pass,
}


def no_flip(said: Words, menu: tuple[str, ...]) -> Refusal:
    text = "{action}: guards are turned over as a turn of their own in the legendary variant only."
    return Refusal("JARMO-8.3", "no-flip", text, {"action": said.text}, menu)


def no_camps(said: Words, menu: tuple[str, ...]) -> Refusal:
    text = "{action}: there are no retired camps on the board."
    return Refusal("JARMO-11.2", "no-camps", text, {"action": said.text}, menu)


def not_camp(said: Words, side: Side, free: tuple[str, ...], menu: tuple[str, ...]) -> Refusal:
    text = "{action}: {at} is not a point of the camp of {side}; free points of it: {free}."
    facts = {"action": said.text, "at": said.at, "side": SIDES[side], "free": free or "none"}
    return Refusal("JARMO-5.1", "not-camp", text, facts, menu)


def refused(
    state: State, said: Words, rule: str, code: str, why: str, menu: tuple[str, ...] = (), **more: Any
) -> Refusal:
    """The action, why not, and what would be legal: the moves of that piece where it has some, else the whole list."""
    legal_instead = menu or texts(legal(state))
    names = {"from": said.points[0], "to": said.points[-1]} if said.kind == STEP else {}
    at = {"at": said.at} if said.at else {}
    facts = {"action": said.text, **names, **at, "list": legal_instead, **more}
    return Refusal(rule, code, f"{{action}}: {why}.", facts, legal_instead)


def texts(found: Iterable[Move]) -> tuple[str, ...]:
    return tuple(move.text for move in found)


def moves_from(state: State, start: int) -> tuple[str, ...]:
    """The legal actions of the piece on that point."""
    return texts(move for move in legal(state) if move.start == start)


def starting_with(state: State, move: Move) -> tuple[str, ...]:
    """The legal actions that begin with this one; for a placing alone all."""
    if move is PASS:
        return texts(legal(state))
    return texts(each for each in legal(state) if each.kind == move.kind and each[2:4] == move[2:4])


def result(state: State) -> str:
    first = winner(state)
    return "drawn" if first is None else f"{SIDES[first]} has won"


def quoted(order: str | Mapping[str, Any]) -> str:
    """What was read, cut to a length that does no harm."""
    said = order if isinstance(order, str) else ", ".join(f"{key}: {value}" for key, value in order.items())
    said = " ".join(said.split())
    return said if len(said) <= 80 else f"{said[:79]}…"
