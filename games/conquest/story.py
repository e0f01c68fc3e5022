"""The events of Conquest: what happened, in facts (section 8 of the rules)."""

from __future__ import annotations

from typing import Any

from engine import Event
from games.conquest.actions import Counter, Step
from games.conquest.ending import victory_points
from games.conquest.exchange import set_down
from games.conquest.geography import CAPITAL, COLOURS, GRAIL, NAMES, PRIZED, cells_in
from games.conquest.moving import Moved
from games.conquest.state import ALL, TOLL, Exchange, Over, State
from games.conquest.striking import Struck
from games.conquest.units import parted
from games.conquest.ways import Way, sight, way


def began(state: State) -> Event:
    """A colour is at turn: its base, what it has lost of it, and what is left."""
    hostile = state.hostile(state.mover)
    facts = {
        "colour": COLOURS[state.mover],
        "round": state.round,
        "base": state.base,
        "capital_cells": (hostile & CAPITAL[state.mover]).bit_count(),
        "grail_cells": (hostile & GRAIL).bit_count(),
        "points": state.points_left,
    }
    return Event("turn_began", "CONQ-4.2" if state.round == 1 else "CONQ-4.1", facts)


def turn_ended(state: State, why: str) -> Event:
    rule = {"nailed": "CONQ-10.5", "out": "CONQ-11.6", "order": "CONQ-4.6", "silence": "CONQ-17.3"}.get(why, "CONQ-4.8")
    return Event("turn_ended", rule, {"colour": COLOURS[state.mover], "unused": state.points_left, "why": why})


def game_over(state: State, over: Over) -> Event:
    points = {COLOURS[colour]: count for colour, count in zip(ALL, victory_points(state), strict=True)}
    winners = [COLOURS[colour] for colour in over.winners]
    return Event("game_over", f"CONQ-{over.rule}", {"rule": over.rule, "winners": winners, "points": points})


def step_story(before: State, step: Step, route: Way, done: Struck) -> list[Event]:
    """The step itself: alighting, moving, boarding or capturing, and what it does to points."""
    moved, after = done.moved, done.state
    story = []
    if moved.left is not None:
        story.append(_change("alighted", "CONQ-6.3", moved, moved.left.letter, step.start))
    facts = {
        "colour": COLOURS[before.mover],
        "piece": moved.piece.letter,
        "cargo": moved.piece.hold,
        "from": NAMES[step.start],
        "to": NAMES[step.to],
        "route": [NAMES[cell] for cell in route.cells],
        "jumped": [NAMES[cell] for cell in route.jumped],
        "cost": route.cost,
        "points_left": after.points_left,
    }
    story.append(Event("moved", "CONQ-5.3" if route.jumped else "CONQ-4.3", facts))
    if moved.boarded is not None:
        rule = "CONQ-7.2" if moved.boarded.vessel else "CONQ-6.1"
        story.append(_change("boarded", rule, moved, moved.boarded.letter, step.to))
    if moved.prey is not None:
        pending = after.over is None and done.barred != "quiet"
        story.append(_captured(before.mover, moved, step.to, pending))
    return story + toll_story(before, after)


def _change(kind: str, rule: str, moved: Moved, carrier: str, cell: int) -> Event:
    return Event(kind, rule, {"piece": moved.piece.letter, "carrier": carrier, "cell": NAMES[cell]})


def _captured(by: int, moved: Moved, cell: int, pending: bool) -> Event:
    assert moved.prey is not None
    rule = "CONQ-8.1" if not moved.ship_taken else "CONQ-8.5" if moved.lost else "CONQ-8.4"
    facts = {
        "by": COLOURS[by],
        "piece": moved.piece.letter,
        "cell": NAMES[cell],
        "from_colour": COLOURS[moved.prey.colour],
        "lost": moved.lost,
        "ship_taken": moved.ship_taken,
        "refund_pending": pending,
    }
    return Event("captured", rule, facts)


def exchange_story(done: Struck, cell: int) -> list[Event]:
    """Whether the victim is asked (CONQ-9.1), or why not, and the refund that follows (CONQ-8.6)."""
    state, moved = done.state, done.moved
    if moved.prey is None or state.over is not None:
        return []
    victim = COLOURS[moved.prey.colour]
    if done.barred is None:
        opened = Event("exchange_opened", "CONQ-9.1", {"victim": victim, "cell": NAMES[cell], "answers": done.answers})
        risked = Event("risked", "CONQ-13.3", {"colour": COLOURS[state.mover]})
        return [opened, risked] if done.risked else [opened]
    rule = {"last_point": "CONQ-9.8", "nailed": "CONQ-9.9", "none": "CONQ-9.11", "quiet": "CONQ-8.4"}[done.barred]
    story = [Event("exchange_barred", rule, {"victim": victim, "why": done.barred})]
    return [*story, refund(state.mover, moved.piece.letter, cell)] if done.refund else story


def refund(colour: int, letter: str, cell: int) -> Event:
    return Event("refunded", "CONQ-8.6", {"colour": COLOURS[colour], "piece": letter, "cell": NAMES[cell]})


def answered_story(before: State, exchange: Exchange, counter: Counter, done: Struck) -> list[Event]:
    """The pieces set down, the answer by its route, and what it does to points."""
    colour = done.moved.piece.colour
    board, story = before.board, []
    for drop in counter.drops:
        _, goes = parted(board.unit(counter.start), drop.piece)
        board = set_down(board, counter.start, counter.piece, (drop,))
        facts: dict[str, Any] = {"colour": COLOURS[colour], "piece": goes.letter, "cargo": goes.hold}
        story.append(Event("set_down", "CONQ-9.6", facts | {"cell": NAMES[drop.cell]}))
    whole = board.unit(counter.start)
    _, piece = parted(whole, counter.piece)
    seen = sight(board, before.friends(colour), piece)
    route = way(counter.piece, counter.start, exchange.cell, whole.letter != counter.piece, 2, seen)
    facts = {
        "colour": COLOURS[colour],
        "piece": piece.letter,
        "from": NAMES[counter.start],
        "route": [NAMES[cell] for cell in route.cells],
        "cell": NAMES[exchange.cell],
        "lost": done.moved.lost,
        "ship_taken": done.moved.ship_taken,
    }
    story.append(Event("answered", "CONQ-9.12", facts))
    return story + toll_story(before, done.state)


def toll_story(before: State, after: State) -> list[Event]:
    """The points of colours that change with what stands on the Grail and in the capitals (CONQ-10.1 to 10.5)."""
    if all(one & PRIZED == other & PRIZED for one, other in zip(before.board.held, after.board.held, strict=True)):
        return []
    story = []
    for colour in ALL:
        if after.alive(colour):
            story += _toll_of(colour, before, after)
    return story


def _toll_of(colour: int, before: State, after: State) -> list[Event]:
    was, now = before.hostile(colour), after.hostile(colour)
    story = []
    for cell in cells_in(was ^ now):
        lost = bool(now >> cell & 1)
        on_grail = bool(GRAIL >> cell & 1)
        rule = ("CONQ-10.3" if on_grail else "CONQ-10.1") if lost else ("CONQ-10.4" if on_grail else "CONQ-10.2")
        facts = {"colour": COLOURS[colour], "cell": NAMES[cell], "points": -TOLL if lost else TOLL}
        story.append(Event("points_changed", rule, facts))
    if before.nailed(colour) != after.nailed(colour):
        kind = "nailed" if after.nailed(colour) else "freed"
        story.append(Event(kind, "CONQ-10.5", {"colour": COLOURS[colour]}))
    return story


def loss_story(before: State, after: State) -> list[Event]:
    """A colour that has no piece any more (CONQ-11.6)."""
    if after.table.allied:
        return []
    gone = [colour for colour in ALL if before.alive(colour) and not after.alive(colour)]
    return [Event("out", "CONQ-11.6", {"colour": COLOURS[colour]}) for colour in gone]
