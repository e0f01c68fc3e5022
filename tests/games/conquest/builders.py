"""Positions for tests: a line from the units that matter, in any order, and the playing of actions by their texts."""

from __future__ import annotations

from engine import Dice, Refusal
from games.conquest import GAME
from games.conquest.geography import INDEX

NO_DICE = Dice.script(())
PARKED = "sg5=Ss sg6=Ss sg7=Ss wg5=Ws wg6=Ws wg7=Ws ng5=Ns ng6=Ns ng7=Ns eg5=Es eg6=Es eg7=Es"  # out of the way


def line(
    units="",
    parked=PARKED,
    opts="free4:exchange:all:12",
    turn="2:s:s:0:0",
    taken="0/0/0/0",
    kills="0/0/0/0",
    calm="-",
    phase="move",
):
    """A position line; `units` and the parked soldiers in any order."""
    placed = sorted(f"{units} {parked}".split(), key=lambda unit: INDEX[unit.split("=")[0]])
    return f"cq1 {opts} {turn} {taken} {kills} {calm} {phase} {','.join(placed) or '-'}"


def position(units="", **fields):
    return GAME.from_position(line(units, **fields))


def play(state, *texts):
    """The state after these actions, each by the seat that is asked, and the events of the last one."""
    events = ()
    for text in texts:
        (seat,) = GAME.pending(state)
        move = GAME.read(state, seat, text)
        assert not isinstance(move, Refusal), f"{text}: {move}"
        state, events = GAME.resolve(state, {seat: move}, NO_DICE)
    return state, events


def events(state, *texts):
    """The kinds and facts of what the last of these actions caused."""
    return [(event.kind, event.rule, dict(event.facts)) for event in play(state, *texts)[1]]


def refused(state, text):
    (seat,) = GAME.pending(state)
    refusal = GAME.read(state, seat, text)
    assert isinstance(refusal, Refusal), f"{text} was taken"
    return refusal


def legal(state):
    (seat,) = GAME.pending(state)
    return [str(move) for move in GAME.moves(state, seat)]
