"""Whole games kept as text, one for each kind, replayed to the letter: a change of rules shows up as a diff.

`python -m tests.games.hasami_shogi.test_playthroughs` plays and writes them anew.
"""

import random
from pathlib import Path

import pytest

from engine import Dice
from games.hasami_shogi import GAME
from tests.games.hasami_shogi.story import lines
from tests.games.hasami_shogi.test_random_games import SETTINGS, chosen

FOLDER = Path(__file__).with_name("playthroughs")
NAMES = {"_".join(setting.values()): setting for setting in SETTINGS}
LIMIT = {"base": 60, "war": 30}


def begun(setting):
    return GAME.setup(GAME.Options(**setting, green="1", quiet_limit=LIMIT[setting["variant"]]), Dice())


def told(setting, orders):
    """A game in lines: seat, order and what came of it; at last the position and the outcome."""
    state, events = begun(setting)
    page = [f"        {'; '.join(lines(events))}"]
    for order in orders:
        (seat,) = GAME.pending(state)
        state, events = GAME.resolve(state, {seat: GAME.read(state, seat, order)}, Dice())
        page.append(f"{seat} {order}  {'; '.join(lines(events))}")
    outcome = GAME.outcome(state)
    return "\n".join([*page, GAME.position(state), f"{outcome.places} by {outcome.rule}", ""])


@pytest.mark.parametrize("name", NAMES)
def test_playthrough(name):
    page = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    orders = [line.split()[1] for line in page.splitlines() if line[1:2] == " " and line[0] in "12"]
    assert told(NAMES[name], orders) == page


def played(setting, seed):
    """Captures where there are any, a win where there is one: by the default; else by chance."""
    luck, state, orders = random.Random(seed), begun(setting).state, []
    while GAME.pending(state):
        (seat,) = GAME.pending(state)
        default = GAME.default(state, seat)
        sharp = {event.kind for event in GAME.preview(state, seat, default)} & {"captured", "game_over"}
        move = default if sharp else chosen(state, list(GAME.moves(state, seat)), luck, 0)
        orders.append(str(move))
        state = GAME.resolve(state, {seat: move}, Dice()).state
    return orders


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, setting in NAMES.items():
        games = sorted((played(setting, seed) for seed in range(21)), key=len)
        (FOLDER / f"{name}.txt").write_text(told(setting, games[len(games) // 2]), encoding="utf-8")


if __name__ == "__main__":
    main()
