"""What a legal move will do, as far as no chance has a say, and what about it looks like a slip."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from engine import Dice, Event, Notice
from engine.dice import DiceRanOut
from games.yut.board import RIGHT, START, Space
from games.yut.legal import legal
from games.yut.moves import NEW, Move
from games.yut.opening import place_hurdle
from games.yut.standing import own_on
from games.yut.state import SIDES, State
from games.yut.tracks import track_to_act
from games.yut.turn import Story, play


def preview(state: State, move: Move) -> tuple[Event, ...]:
    """All that the move causes up to the next throw: that is never foreseen."""
    story: Story = []
    with suppress(DiceRanOut):
        (place_hurdle if state.placing else play)(state, move, story, Dice.script(()))
    return tuple(story)


def notices(state: State, move: Move) -> tuple[Notice, ...]:
    """Warnings about a move of a horse; a hurdle has none."""
    return () if state.placing else tuple(warnings(state, move))


def warnings(state: State, move: Move) -> Iterator[Notice]:
    lost = throws_lost(state, move)
    if lost and any(not throws_lost(state, other) for other in legal(state)):
        text = "After {move} no use is left for {throws}: forfeited (YUT-3.3). In another order they can be used."
        yield Notice("YUT-3.3", "throw-lost", text, {"move": move.text, "throws": lost})
    if spoils_right(state, move):
        text = "{move} joins horses that have the right to the first shortcut, and takes it from them (YUT-5.3)."
        yield Notice("YUT-5.3", "right-lost", text, {"move": move.text})
    for space in own_spaces_struck(state, move):
        text = "With {move} your turn ends, and the wild horse strikes your horses on {space} (YUT-11.4)."
        yield Notice("YUT-11.4", "wild-strikes", text, {"move": move.text, "space": space})


def throws_lost(state: State, move: Move) -> list[int]:
    """The throws that this move leaves without a use; after a catch the extra throw may change everything."""
    return next((event.facts["throws"] for event in preview(state, move) if event.kind == "forfeited"), [])


def spoils_right(state: State, move: Move) -> bool:
    """YUT-5.3, YUT-10.3: whether a part without the right lands on a part that has it."""
    groups = state.groups[state.side]
    node = START if move.horse == NEW else own_on(groups, move.horse).node
    step = track_to_act(state)[node][move.throw][move.short]
    return any(group.node == step.node + RIGHT for group in groups)


def own_spaces_struck(state: State, move: Move) -> list[Space]:
    own = SIDES[state.terms.players][state.side]
    blows = [event.facts for event in preview(state, move) if event.kind == "wild_struck"]
    return [facts["space"] for facts in blows if facts["side"] == own]
