"""Whether an order can stand, and the first reason why not, in the order of BAGH-6.3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine import Refusal, Seat
from games.bagh_chal.board import BOARDS, Board
from games.bagh_chal.heroes import is_spared
from games.bagh_chal.legal import empty, goats_beside, legal, way_back
from games.bagh_chal.match import winner
from games.bagh_chal.moves import DECLINE, Move
from games.bagh_chal.reading import BOUC, MOVING, PLACING, STAYING, Words, words
from games.bagh_chal.state import EXTRA, GOATS, OTHER, OVER, State
from games.bagh_chal.variants import CAPTURES_BEFORE_BOUC


def read(state: State, seat: Seat, order: str | Mapping[str, Any]) -> Move | Refusal:
    """The action these words mean here, or the first test of BAGH-6.3 that they fail."""
    if state.turn == OVER:
        text = "The match ended: {result}. Nothing can be ordered."
        return Refusal("BAGH-7.5", "game_over", text, {"result": result(state)})
    if seat != seat_to_act(state):
        # BAGH-6.5: the actions of one file are used at the next decisions of its seat.
        text = "{side} is to act. Your order is kept for your next turn if the file allows it."
        return Refusal("BAGH-1.3", "not_your_turn", text, {"side": side_to_act(state)})
    said = understood(state, order, legal(state))
    return said if isinstance(said, Refusal) else JUDGES[said.kind](state, BOARDS[state.terms.variant], said)


def why_never(state: State, seat: Seat, order: str | Mapping[str, Any]) -> Refusal | None:
    """Why no position of this game could take the order: its words, its points, or a Bouc that is not in the game."""
    said = understood(state, order, legal(state) if seat == seat_to_act(state) else ())
    if isinstance(said, Refusal):
        return said
    return no_bouc() if said.kind == BOUC and not state.terms.heroes else None


def understood(state: State, order: str | Mapping[str, Any], menu: Sequence[Move]) -> Words | Refusal:
    """BAGH-6.2: the order in words of the game, all its points on this board."""
    said = words(order)
    if said is None:
        facts = {"text": quoted(order), "example": menu[0].text if menu else "place c3"}
        text = "Not understood: {text}. Write for example {example}."
        return Refusal("BAGH-6.2", "unreadable", text, facts, texts(menu))
    for point in said.points:
        if point not in BOARDS[state.terms.variant].bit:  # BAGH-2.1
            text = "{point} is not a point of this board."
            return Refusal("BAGH-2.1", "unknown_point", text, {"point": point}, texts(menu))
    return said


def no_bouc() -> Refusal:
    return Refusal("BAGH-9.1", "no_bouc", "This game has no Bouc.")


def judge_stay(state: State, board: Board, said: Words) -> Move | Refusal:
    if state.turn != EXTRA:  # BAGH-9.3
        text = "Only the Alpha's extra move can be declined. Legal: {list}."
        return refusal(state, "BAGH-9.3", "must_act", text, list=texts(legal(state)))
    return DECLINE


def judge_placing(state: State, board: Board, said: Words) -> Move | Refusal:
    (point,) = said.points
    if state.turn != GOATS:  # BAGH-4.2
        return refusal(
            state, "BAGH-4.2", "tigers_do_not_place", "Tigers move. Legal: {list}.", list=texts(legal(state))
        )
    if not state.placing:  # BAGH-5.2
        text = "All goats are placed; move one. Legal: {list}."
        return refusal(state, "BAGH-5.2", "hand_empty", text, list=texts(legal(state)))
    free = empty(state)
    if not board.bit[point] & free:  # BAGH-4.1
        text = "{point} holds a {piece}. Empty: {points}."
        facts = {"point": point, "piece": piece(state, board.bit[point]), "points": board.names_of(free)}
        return refusal(state, "BAGH-4.1", "occupied", text, **facts)
    return board.moves[f"place {point}"]


def judge_bouc(state: State, board: Board, said: Words) -> Move | Refusal:
    (point,) = said.points
    if state.turn != GOATS:  # BAGH-9.5
        return refusal(state, "BAGH-9.5", "tigers_do_not_place", "Only the goats have a Bouc.")
    if not state.terms.heroes:  # BAGH-9.1
        return replace(no_bouc(), legal=texts(legal(state)))
    if state.entered:  # BAGH-9.5: once per game
        return refusal(state, "BAGH-9.5", "bouc_used", "The Bouc has entered already.")
    if state.captured < CAPTURES_BEFORE_BOUC:  # BAGH-9.5
        text = "{n} goats captured, two are needed."
        return refusal(state, "BAGH-9.5", "bouc_early", text, n=state.captured)
    if not board.bit[point] & state.goats:  # BAGH-9.5: in exchange for a goat on the board
        text = "The Bouc replaces a goat; goats stand on {points}."
        return refusal(state, "BAGH-9.5", "bouc_needs_goat", text, points=board.names_of(state.goats))
    return board.moves[f"bouc {point}"]


def judge_move(state: State, board: Board, said: Words) -> Move | Refusal:
    judged = (judge_walk if state.turn == GOATS else judge_hunt)(state, board, said)
    if isinstance(judged, Refusal) or judged != way_back(state) or judged in (menu := legal(state)):
        return judged
    text = "{side} just played {played}; the way back is closed this turn. Legal: {list}."  # BAGH-5.4
    facts = {"side": side_to_act(state), "played": state.memory[-2], "list": texts(menu)}
    return refusal(state, "BAGH-5.4", "back_and_forth", text, **facts)


def judge_walk(state: State, board: Board, said: Words) -> Move | Refusal:
    """A move by the goats."""
    start, end = (board.bit[point] for point in said.points)
    names = {"from": said.points[0], "to": said.points[1]}
    if state.placing:  # BAGH-4.1: goats on the board do not move
        text = "{n} goats are still in hand; place one."
        return refusal(state, "BAGH-4.1", "still_placing", text, n=state.hand)
    if not start & (state.goats | state.bouc):  # BAGH-5.2
        movable = board.names_of(goats_beside(state, empty(state)))
        text = "{from} holds {piece}. Your pieces that can move: {points}."
        return refusal(state, "BAGH-5.2", "not_your_piece", text, **names, piece=a_piece(state, start), points=movable)
    if not end & empty(state):  # BAGH-5.2
        return refusal(state, "BAGH-5.2", "occupied", "{to} holds a {piece}.", **names, piece=piece(state, end))
    if names["to"] in board.variant.graph.jumps[names["from"]]:  # BAGH-5.2
        text = "Goats do not jump. From {from}: {list}."
        return refusal(state, "BAGH-5.2", "goats_do_not_jump", text, **names, list=texts_from(state, start))
    if not board.near[start] & end:  # BAGH-2.1
        text = "No line joins {from} and {to}. From {from}: {list}."
        return refusal(state, "BAGH-2.1", "no_line", text, **names, list=texts_from(state, start))
    if said.capturing:  # BAGH-5.2
        return refusal(state, "BAGH-5.2", "no_capture", "Goats do not capture. {from}-{to} is legal.", **names)
    return board.moves["{from}-{to}".format_map(names)]


def judge_hunt(state: State, board: Board, said: Words) -> Move | Refusal:
    """A move by the tigers."""
    start, end = (board.bit[point] for point in said.points)
    names = {"from": said.points[0], "to": said.points[1]}
    if not start & state.tigers:  # BAGH-4.2
        text = "{from} holds {piece}. Your tigers: {points}."
        points = board.names_of(state.tigers)
        return refusal(state, "BAGH-4.2", "not_your_piece", text, **names, piece=a_piece(state, start), points=points)
    if state.turn == EXTRA and start != state.alpha:  # BAGH-9.2
        text = "Only the Alpha on {point} may move now. Legal: {list}."
        return refusal(state, "BAGH-9.2", "alpha_only", text, point=board.name[state.alpha], list=texts(legal(state)))
    if not end & empty(state):  # BAGH-4.3
        return refusal(state, "BAGH-4.3", "occupied", "{to} holds a {piece}.", **names, piece=piece(state, end))
    if board.near[start] & end:
        if said.capturing:  # BAGH-4.3
            return refusal(state, "BAGH-4.3", "no_capture", "{from}-{to} is a walk.", **names)
        return board.moves["{from}-{to}".format_map(names)]
    return judge_jump(state, board, said)


def judge_jump(state: State, board: Board, said: Words) -> Move | Refusal:
    """A tiger's move to an empty point that is not adjacent."""
    start, end = said.points
    if end not in board.variant.graph.jumps[start]:  # BAGH-2.2: no bent jumps
        text = "No line leads from {from} to {to}. From {from}: {list}."
        facts = {"from": start, "to": end, "list": texts_from(state, board.bit[start])}
        return refusal(state, "BAGH-2.2", "no_line", text, **facts)
    middle = board.variant.graph.jumps[start][end]
    over = board.bit[middle]
    if not over & (state.goats | state.bouc):  # BAGH-4.4
        text = "{middle} holds {piece}."
        return refusal(state, "BAGH-4.4", "nothing_to_jump", text, middle=middle, piece=a_piece(state, over))
    if not is_spared(state, board.bit[start], over):
        return board.moves[f"{start}x{end}"]  # BAGH-6.2: a dash is accepted for a capture
    if said.capturing:  # BAGH-9.7
        text = "The Bouc on {point} protects {middle}; only the Alpha captures it. {from}-{to} jumps without capture."
        facts = {"point": board.name[state.bouc], "middle": middle, "from": start, "to": end}
        return refusal(state, "BAGH-9.7", "protected", text, **facts)
    return board.moves[f"{start}-{end}"]


JUDGES = {STAYING: judge_stay, PLACING: judge_placing, BOUC: judge_bouc, MOVING: judge_move}


def refusal(state: State, rule: str, code: str, message: str, /, **facts: Any) -> Refusal:
    """BAGH-6.3: the message names the rule, and what would be legal instead."""
    return Refusal(rule, code, message, facts, texts(legal(state)))


def texts(found: Iterable[Move]) -> tuple[str, ...]:
    return tuple(move.text for move in found)


def texts_from(state: State, start: int) -> tuple[str, ...]:
    """The legal actions of the piece on that point, `nothing` when it has none."""
    return texts(move for move in legal(state) if move.start == start) or ("nothing",)


def seat_to_act(state: State) -> Seat | None:
    """BAGH-1.3: exactly one seat is pending, until the end."""
    if state.turn == OVER:
        return None
    return OTHER[state.score.tigers] if state.turn == GOATS else state.score.tigers


def side_to_act(state: State) -> str:
    return f"Seat {seat_to_act(state)} ({'goats' if state.turn == GOATS else 'tigers'})"


def piece(state: State, point: int) -> str:
    if point & state.tigers:
        return "tiger"
    return "Bouc" if point == state.bouc else "goat"


def a_piece(state: State, point: int) -> str:
    """The piece in a sentence, or `nothing`."""
    if point & empty(state):
        return "nothing"
    return "the Bouc" if point == state.bouc else f"a {piece(state, point)}"


def result(state: State) -> str:
    seat = winner(state.score)
    return "nobody has won" if seat is None else f"seat {seat} has won"


def quoted(order: str | Mapping[str, Any]) -> str:
    """What was read, cut to a length that does no harm."""
    said = order if isinstance(order, str) else ", ".join(f"{key}: {value}" for key, value in order.items())
    return said if len(said) <= 80 else f"{said[:79]}…"
