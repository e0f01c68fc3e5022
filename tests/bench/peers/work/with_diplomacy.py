"""Movement phases of `diplomacy` with seven powers' random orders, and the saves of its server.

The games are those of its server (`ServerGame`), processed and saved by the server's own functions: `to_dict`, then
`save_json_on_disk`, which keeps the last file beside the new one. Sixty phases are a game.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator
from functools import cache
from typing import Any

from diplomacy.server.server import save_json_on_disk
from diplomacy.server.server_game import ServerGame
from serving import Play, Watch, Work, serve

PHASES = 60
FOLDER = tempfile.TemporaryDirectory()
Orders = dict[str, list[str]]


def new_game() -> Any:
    game = ServerGame(game_id="game", rules=["NO_PRESS", "IGNORE_ERRORS", "POWER_CHOICE"])
    for name, power in game.powers.items():
        power.set_controlled(f"player of {name}")
    game.set_status("active")
    return game


def random_orders(game: Any, luck: random.Random) -> Orders:
    possible = game.get_all_possible_orders()
    return {
        power: [luck.choice(possible[place]) for place in game.get_orderable_locations(power) if possible[place]]
        for power in game.powers
    }


def hand_in(game: Any, orders: Orders) -> None:
    for power, lines in orders.items():
        game.set_orders(power, lines)


def save(game: Any) -> None:
    save_json_on_disk(os.path.join(FOLDER.name, "game.json"), game.to_dict())  # noqa: PTH118 - as its server does


def going_on(luck: random.Random) -> Iterator[Any]:
    """Games without end, each before a phase is played; he who asks for the next one has played it."""
    while True:
        game = new_game()
        for _ in range(PHASES):
            if game.is_game_done:
                break
            yield game


def phases(*, reading: bool = False, saving: bool = False) -> Play:
    """One movement phase; what comes between two of them does not count. `reading` counts the orders' handing in."""
    games = going_on(random.Random(0))

    def play(luck: random.Random, watch: Watch) -> int:
        while True:
            game = next(games)
            orders, moves = random_orders(game, luck), game.phase_type == "M"
            if moves and reading:
                with watch:
                    hand_in(game, orders)
            else:
                hand_in(game, orders)
            if not moves:
                game.process()
                continue
            with watch:
                game.process()
                if saving:
                    save(game)
            return 1

    return play


@cache
def game_at(phase: int) -> Any:
    """One game that has so many phases behind it."""
    for seed in range(100):
        luck, game = random.Random(seed), new_game()
        for _ in range(phase):
            hand_in(game, random_orders(game, luck))
            game.process()
        if not game.is_game_done:
            return game
    raise AssertionError("no random game lasts so long")


def saves(phase: int) -> Play:
    def play(luck: random.Random, watch: Watch) -> int:
        game = game_at(phase)
        with watch:
            save(game)
        return 1

    return play


if __name__ == "__main__":
    serve(
        ("diplomacy",),
        {
            "phase": lambda: Work(phases()),
            "orders and phase": lambda: Work(phases(reading=True)),
            "phase and save": lambda: Work(phases(saving=True)),
            "orders, phase and save": lambda: Work(phases(reading=True, saving=True)),
            "save after phase 1": lambda: Work(saves(1)),
            "save after phase 60": lambda: Work(saves(PHASES)),
        },
    )
