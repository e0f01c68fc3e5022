"""A table to play at in tests: positions without the leading `yut`, orders as players write them, throws by value."""

from engine import Dice, Refusal
from games.yut import GAME

STICKS = {1: (1, 0, 0, 0), 2: (1, 1, 0, 0), 3: (1, 1, 1, 0), 4: (1, 1, 1, 1), 5: (0, 0, 0, 0)}


def at(line):
    return GAME.from_position(f"yut {line}")


def line_of(state):
    return GAME.position(state).removeprefix("yut ")


def throws(*values):
    """Dice that give these throws, and insist on being asked for sticks."""
    return Dice.script([(2, stick) for value in values for stick in STICKS[value]])


def new(dice=None, **choices):
    return GAME.setup(GAME.Options(**choices), dice or throws(1)).state


def play(line, *orders, then=()):
    """The position line after these orders of whoever is asked, and all events; every throw is used."""
    state, dice, story = at(line) if isinstance(line, str) else line, throws(*then), ()
    for order in orders:
        (seat,) = GAME.pending(state)
        move = GAME.read(state, seat, order)
        assert not isinstance(move, Refusal), f"{order}: {move}"
        state, events = GAME.resolve(state, {seat: move}, dice)
        story += events
        GAME.check(state)
    assert len(dice.draws) == 4 * len(then), "not all throws were made"
    return line_of(state), story


def after(line, *orders, then=()):
    return play(line, *orders, then=then)[0]


def kinds(story):
    return [event.kind for event in story]


def refused(line, order, seat=None):
    """The refusal of an order."""
    state = at(line)
    answer = GAME.read(state, seat or state.name, order)
    assert isinstance(answer, Refusal), f"{order} was taken as {answer}"
    return answer


def menu(line):
    state = at(line)
    return [str(move) for move in GAME.moves(state, state.name)]
