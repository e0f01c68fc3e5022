"""Boards drawn in letters, and orders played on them, so that a test reads like a page of the booklet."""

import re

from engine import Dice, Refusal, load
from tests.games.bagh_chal.story import lines

GAME = load("bagh-chal")
GOATS = {"classic": 20, "pulijudam": 15}


def drawn(
    board, turn, *, captured=0, heroes="off", memory="-", variant="classic", match="single:1:0-0-0:t1", limit=100
):
    """The position of a drawing: T tiger, A Alpha, g goat, b Bouc, a dot for an empty point.

    Goats that are neither drawn nor captured are in hand. Seat 1 has the tigers unless `match` says otherwise.
    """
    rows = ["".join(row.split()) for row in board.strip().splitlines()]
    letters = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    hand = GOATS[variant] - letters.count("g") - captured - heroes.startswith("used")
    return GAME.from_position(
        f"{variant} {letters} {turn} {hand} {captured} {heroes} {memory} {match} {limit}",
    )


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


NEW = """T . . . T
         . . . . .
         . . . . .
         . . . . .
         T . . . T"""

# The last goat but one stands; a5 and e1 are free, four goats are captured, the hand is empty.
OPEN = """T g . g T
          g g g g g
          g . g . g
          g g . g g
          T g g . T"""

# One empty point, fenced by tigers: the goats cannot move once a tiger leaves it no neighbour of theirs.
FENCED = """g g g g T
            g g g g g
            g g g g g
            T . g g g
            T T g g g"""

# How FENCED can have come about: eighteen quiet actions without three equal blocks.
GOING_ROUND = (
    "a2-b2,a3-a2,b2-a3,c1-b2,b1-c1,b2-b1,a1-b2,a2-a1,b2-a2,b1-b2,c1-b1,b2-c1,a2-b2,a1-a2,b2-a1,a2-b2,a3-a2,b2-a3"
)

# A chase round two triangles, six quiet actions long.
LAP = "d1-e1,a5-b5,e1-d2,b5-b4,d2-d1,b4-a5"
