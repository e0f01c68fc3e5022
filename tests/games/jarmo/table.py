"""Positions and orders in short, so that a test reads like a page of the rules document."""

from engine import Dice, Refusal
from games.jarmo import GAME

NO_LUCK = Dice.script([])
START = "base aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 - -"


def at(line):
    """The position of a line; the leading word `jarmo` may be left out, as in the document."""
    return GAME.from_position(f"jarmo {line.removeprefix('jarmo ')}")


def line(state):
    return GAME.position(state).removeprefix("jarmo ")


def seat(state):
    (asked,) = GAME.pending(state)
    return asked


def turn(state, order):
    """What resolving this order of the side to move gives."""
    move = GAME.read(state, seat(state), order)
    assert not isinstance(move, Refusal), f"{order}: {move}"
    assert move in list(GAME.moves(state, seat(state))), f"{order} is read, but not listed"
    turned = GAME.resolve(state, {seat(state): move}, NO_LUCK)
    GAME.check(turned.state)
    return turned


def ordered(state, *orders):
    for order in orders:
        state = turn(state, order).state
    return state


def refused(state, order, who=None):
    answer = GAME.read(state, who or seat(state), order)
    assert isinstance(answer, Refusal), f"{order} was taken"
    return answer


def legal(state):
    return [str(move) for move in GAME.moves(state, seat(state))]


def told(state, order):
    """The story of an order: kind and paragraph of each event."""
    return [f"{event.kind} {event.rule}" for event in turn(state, order).events]


def counted(state, depth):
    """How many sequences of exactly that many actions there are; a game that has ended has no further ones."""
    moves = [(who, move) for who in GAME.pending(state) for move in GAME.moves(state, who)]
    if depth == 1:
        return len(moves)
    return sum(counted(GAME.resolve(state, {who: move}, NO_LUCK).state, depth - 1) for who, move in moves)
