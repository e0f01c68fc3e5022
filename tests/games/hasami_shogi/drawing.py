"""Boards drawn in letters, and orders played on them, so that a test reads like a page of the booklet."""

import re

from engine import Dice, Refusal
from games.hasami_shogi import GAME
from tests.games.hasami_shogi.story import lines

LETTERS = str.maketrans("GKrk", "PSps")


def drawn(board, turn="g", *, variant="base", memory="-", green="1", limit=100):
    """The position of a drawing: G green Samurai, K green Shogun, r and k the red ones, a dot for an empty square."""
    rows = ["".join(row.split()).translate(LETTERS) for row in board.strip().splitlines()]
    letters = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    return GAME.from_position(f"{variant} {letters} {turn} {memory} g{green} {limit}")


def ordered(state, *orders, dice=()):
    """The state after these orders of whoever is pending, and the lines of all that happened."""
    story = []
    script = Dice.script(dice)
    for order in orders:
        (seat,) = GAME.pending(state)
        move = GAME.read(state, seat, order)
        assert not isinstance(move, Refusal), f"{order}: {move}"
        state, events = GAME.resolve(state, {seat: move}, script)
        story += lines(events)
    return state, story


def refused(state, order, seat=None):
    """The refusal of an order by the pending seat, or by the one named."""
    answer = GAME.read(state, seat or GAME.pending(state)[0], order)
    assert isinstance(answer, Refusal), f"{order} was taken"
    return answer


def legal(state):
    (seat,) = GAME.pending(state)
    return [str(move) for move in GAME.moves(state, seat)]


def board_of(state):
    return GAME.position(state).split()[1]
