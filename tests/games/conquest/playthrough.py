"""Whole games as text that a person can read: `python -m tests.games.conquest.playthrough NAME` writes one anew.

A turn has a line of its own and its actions below it, answers of others further in. A change of the rules shows up as a
change of these files.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

from engine import Dice
from games.conquest import GAME
from games.conquest.actions import Step
from games.conquest.geography import CAPITAL, GRAIL
from games.conquest.standing import cheapest

HERE = Path(__file__).parent / "playthroughs"
GAMES: dict[str, tuple[dict[str, Any], bytes]] = {
    "free": ({}, b"a free game"),
    "three": ({"players": 3, "empty_ship": "quiet", "alliance_win": "land"}, b"three seats"),
}


def written(name: str) -> str:
    """The game of that name, played by robots that like to capture and to stand on prized cells."""
    choices, seed = GAMES[name]
    luck, dice = random.Random(name), Dice(seed)
    state, events = GAME.setup(GAME.Options(**choices), dice)
    lines = [f"options {choices}", f"draws {[draw.value for draw in dice.draws]}", *told(events)]
    while pending := GAME.pending(state):
        seat = pending[0]
        move = chosen(state, list(GAME.moves(state, seat)), luck)
        indent = "    " if state.exchange is None else "        "
        lines.append(f"{indent}{seat}: {move}")
        state, events = GAME.resolve(state, {seat: move}, Dice.script(()))
        lines += told(events)
    outcome = GAME.outcome(state)
    assert outcome is not None
    ranking = " ".join(f"{seat}={rank}" for seat, rank in outcome.details["ranking"].items())
    return "\n".join([*lines, f"outcome {outcome.rule} {ranking}", GAME.position(state), ""])


def chosen(state: Any, menu: list[Any], luck: random.Random) -> Any:
    """Mostly a capture, else a step to a cell of the Grail or an enemy capital, else any; answers are the cheapest."""
    if state.exchange is not None:
        return cheapest(state, menu[1:]) if luck.random() < 0.8 else menu[0]
    steps = [move for move in menu if isinstance(move, Step)]
    captures = [step for step in steps if state.enemies(state.mover) >> step.to & 1]
    goals = [step for step in steps if worth(state, step)]
    return luck.choice((captures if luck.random() < 0.9 else []) or goals or menu)


def worth(state: Any, step: Step) -> bool:
    prized = GRAIL | sum(CAPITAL[colour] for colour in range(4) if not state.friends(state.mover) & CAPITAL[colour])
    return bool(prized >> step.to & 1) and not prized >> step.start & 1


def told(events: Any) -> list[str]:
    """The lines between the actions: where a turn begins, and what an action did beyond the move itself."""
    lines = []
    for event in events:
        facts = event.facts
        if event.kind == "turn_began":
            lines.append(f"round {facts['round']} {facts['colour']}: {facts['points']} points")
        elif event.kind in ("captured", "answered"):
            by = facts.get("by", facts.get("colour"))
            lines.append(f"        # {by} takes {' '.join(facts['lost']) or 'a ship'} on {facts['cell']}")
        elif event.kind in ("nailed", "freed", "out"):
            lines.append(f"        # {facts['colour']} is {event.kind}")
        elif event.kind == "game_over":
            lines.append(f"game over: {facts['rule']}, winners {' '.join(facts['winners']) or 'none'}")
    return lines


if __name__ == "__main__":
    for wanted in sys.argv[1:] or GAMES:
        (HERE / f"{wanted}.txt").write_text(written(wanted), encoding="utf-8")
