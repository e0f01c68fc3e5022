"""Whether an order can stand, and the first reason why not, in the order of HASAMI-6.3."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine import Refusal, Seat
from engine.boards.squares import Mask
from games.hasami_shogi.board import BETWEEN, BIT, BOARDS, MOVES, NAME
from games.hasami_shogi.ending import how_it_ended
from games.hasami_shogi.legal import legal, legal_from
from games.hasami_shogi.moves import Move
from games.hasami_shogi.reading import Words, words
from games.hasami_shogi.state import GREEN, NAMES, OVER, State
from games.hasami_shogi.turn import captured

EXAMPLE = "e2-e5"


def read(state: State, seat: Seat, order: str | Mapping[str, Any]) -> Move | Refusal:
    """The action these words mean here, or the first test of HASAMI-6.3 that they fail."""
    if state.turn == OVER:  # HASAMI-7.7: after the end there is nothing more to decide
        text = "The game ended: {result}. Nothing can be ordered."
        return Refusal("HASAMI-7.7", "game_over", text, {"result": result(state)})
    if seat != seat_to_move(state):
        # HASAMI-6.5: the moves of one file are used at the next decisions of its seat.
        text = "{side} is to move. Your order is kept for your next turn if the file allows it."
        return Refusal("HASAMI-1.1", "not_your_turn", text, {"side": side_to_move(state)})
    said = understood(state, order, texts(legal(state)))
    if isinstance(said, Refusal):
        return said
    for test in TESTS:
        refusal = test(state, said)
        if refusal is not None:
            return refusal
    return MOVES[said.text]


def why_never(state: State, seat: Seat, order: str | Mapping[str, Any]) -> Refusal | None:
    """Why no position of any game could take the order: its words, its squares, or the way between them."""
    said = understood(state, order, texts(legal(state)) if seat == seat_to_move(state) else ())
    if isinstance(said, Refusal):
        return said
    if said.start != said.end and said.text not in MOVES:
        facts = {"from": said.start, "to": said.end}
        return Refusal("HASAMI-4.2", "not_straight", "{from} and {to} are not on one line.", facts)
    return None


def understood(state: State, order: str | Mapping[str, Any], menu: tuple[str, ...]) -> Words | Refusal:
    """HASAMI-6.2: the order in words of the game, both squares on the board."""
    said = words(order)
    if said is None:
        facts = {"text": quoted(order), "example": menu[0] if menu else EXAMPLE}
        text = "Not understood: {text}. Write for example {example}."
        return Refusal("HASAMI-6.2", "unreadable", text, facts, menu)
    for square in (said.start, said.end):
        if square not in BIT:  # HASAMI-2.1
            text = "{square} is not on the board (a1 to i9)."
            return Refusal("HASAMI-2.1", "unknown_square", text, {"square": square}, menu)
    return said


def not_your_piece(state: State, said: Words) -> Refusal | None:
    if BIT[said.start] & own(state):
        return None
    text = "{from} holds {piece}."  # HASAMI-4.1
    return refusal(state, said, "HASAMI-4.1", "not_your_piece", text, piece=a_piece(state, BIT[said.start]))


def occupied(state: State, said: Words) -> Refusal | None:
    if not BIT[said.end] & (state.green | state.red):
        return None
    text = "{to} holds {piece}. From {from}: {list}."  # HASAMI-4.2
    return refusal(state, said, "HASAMI-4.2", "occupied", text, piece=a_piece(state, BIT[said.end]))


def not_straight(state: State, said: Words) -> Refusal | None:
    if said.text in MOVES:
        return None
    text = "{from} and {to} are not on one line. From {from}: {list}."  # HASAMI-4.2
    return refusal(state, said, "HASAMI-4.2", "not_straight", text)


def diagonal_is_for_shogun(state: State, said: Words) -> Refusal | None:
    if said.start[0] == said.end[0] or said.start[1] == said.end[1] or BIT[said.start] & state.shoguns:
        return None
    text = "A Samurai moves along rows and columns. From {from}: {list}."  # HASAMI-9.2
    return refusal(state, said, "HASAMI-9.2", "diagonal_is_for_shogun", text)


def own_camp_closed(state: State, said: Words) -> Refusal | None:
    board = BOARDS[state.terms.variant]
    camp = board.variant.camps[state.turn] & board.camps
    if not BIT[said.end] & camp or BIT[said.start] & camp:
        return None
    text = "{from} has left the camp and may not return. From {from}: {list}."  # HASAMI-4.5
    return refusal(state, said, "HASAMI-4.5", "own_camp_closed", text)


def enemy_camp_closed(state: State, said: Words) -> Refusal | None:
    board = BOARDS[state.terms.variant]
    if not BIT[said.end] & board.camps & ~board.variant.camps[state.turn]:
        return None
    text = "The enemy camp may not be entered. From {from}: {list}."  # HASAMI-4.6
    return refusal(state, said, "HASAMI-4.6", "enemy_camp_closed", text)


def blocked(state: State, said: Words) -> Refusal | None:
    """A jump is over the one square in the middle, so it is never blocked; a slide must find all squares empty."""
    move = MOVES[said.text]
    in_way = BETWEEN[move] & (state.green | state.red)
    if not in_way or BETWEEN[move].bit_count() == 1:
        return None
    way = sorted(NAME, key=lambda square: distance(NAME[square], said.start))
    first = next(square for square in way if square & in_way)
    # HASAMI-4.3 where a neighbouring piece was to be jumped in some other way, HASAMI-4.2 where a slide is stopped.
    rule = "HASAMI-4.3" if distance(NAME[first], said.start) == 1 else "HASAMI-4.2"
    text = (
        "{square} is in the way; only a single neighbouring piece can be jumped, to the square behind it. "
        "From {from}: {list}."
    )
    return refusal(state, said, rule, "blocked", text, square=NAME[first])


def no_capture(state: State, said: Words) -> Refusal | None:
    if not said.capturing or captures(state, MOVES[said.text]):
        return None
    text = "{from}-{to} captures nothing. It is legal as a move."  # HASAMI-5.1
    return refusal(state, said, "HASAMI-5.1", "no_capture", text)


TESTS: tuple[Callable[[State, Words], Refusal | None], ...] = (
    not_your_piece,
    occupied,
    not_straight,
    diagonal_is_for_shogun,
    own_camp_closed,
    enemy_camp_closed,
    blocked,
    no_capture,
)


def refusal(state: State, said: Words, rule: str, code: str, message: str, /, **more: Any) -> Refusal:
    """HASAMI-6.3: the message names the rule, and what would be legal instead."""
    facts: dict[str, Any] = {"from": said.start, "to": said.end, **more}
    if "{list}" in message:
        facts["list"] = texts(legal_from(state, BIT[said.start])) or ("nothing",)
    return Refusal(rule, code, message, facts, texts(legal(state)))


def texts(found: Iterable[Move]) -> tuple[str, ...]:
    return tuple([move.text for move in found])


def own(state: State) -> Mask:
    return state.green if state.turn == GREEN else state.red


def captures(state: State, move: Move) -> Mask:
    """What a legal move of the side to move takes."""
    way = BOARDS[state.terms.variant].ways[move.text]
    foe = state.red if state.turn == GREEN else state.green
    return captured(way, own(state) ^ way.span, foe)


def distance(one: str, other: str) -> int:
    """Files or rows between two squares, the larger."""
    return max(abs(ord(a) - ord(b)) for a, b in zip(one, other, strict=True))


def seat_to_move(state: State) -> Seat | None:
    """HASAMI-1.1: exactly one seat is pending, until the end."""
    return None if state.turn == OVER else state.terms.seat(state.turn)


def side_to_move(state: State) -> str:
    return f"Seat {seat_to_move(state)} ({NAMES[state.turn]})"


def a_piece(state: State, square: Mask) -> str:
    """The piece in a sentence, or `nothing`."""
    if not square & (state.green | state.red):
        return "nothing"
    side = "green" if square & state.green else "red"
    return f"a {side} {'Shogun' if square & state.shoguns else 'Samurai'}"


def result(state: State) -> str:
    ending = how_it_ended(state)
    return f"seat {state.terms.seat(ending.winner)} has won" if ending and ending.winner else "nobody has won"


def quoted(order: str | Mapping[str, Any]) -> str:
    """What was read, cut to a length that does no harm."""
    said = order if isinstance(order, str) else ", ".join(f"{key}: {value}" for key, value in order.items())
    return said if len(said) <= 80 else f"{said[:79]}…"
