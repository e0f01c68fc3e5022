"""Random games of OpenSpiel: those it has in Python, and through `pyspiel` some it has in C++.

A game that does not begin with its own default settings, or needs what is not here, is left out.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pyspiel
from open_spiel.python import games as in_python  # noqa: F401 - they register themselves
from open_spiel.python.mfg import games as mean_field  # noqa: F401
from serving import Sizes, Work, serve, whole_games

IN_CPP = (
    *("amazons", "backgammon", "breakthrough", "checkers", "chess", "havannah", "hive", "nine_mens_morris"),
    *("othello", "oware", "pig", "shogi", "tic_tac_toe"),
)
Saw = Callable[[Any, list[int]], None]


def one_game(game: Any, luck: random.Random, saw: Saw | None = None) -> int:
    """One game; every seat's own choice counts as a move, chance does not."""
    state, made = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            [drawn] = luck.choices([what for what, _ in outcomes], [part for _, part in outcomes])
            state.apply_action(drawn)
        elif state.is_simultaneous_node():
            chosen = []
            for player in range(game.num_players()):
                legal = state.legal_actions(player)
                if saw:
                    saw(state, legal)
                chosen.append(luck.choice(legal))
            state.apply_actions(chosen)
            made += len(chosen)
        elif state.current_player() == pyspiel.PlayerId.MEAN_FIELD:
            support = state.distribution_support()
            state.update_distribution([1 / len(support)] * len(support))
        else:
            legal = state.legal_actions()
            if saw:
                saw(state, legal)
            state.apply_action(luck.choice(legal))
            made += 1
    return made


def sizes(game: Any, luck: random.Random) -> Sizes:
    seen = Sizes()
    for _ in range(5):
        one_game(game, luck, lambda state, legal: seen.saw(len(legal), len(str(state))))
    return seen


def work(name: str) -> Work:
    game = pyspiel.load_game(name)
    return Work(whole_games(partial(one_game, game)), partial(sizes, game))


def begins(name: str) -> bool:
    """Whether it can be played here as it comes."""
    try:
        one_game(pyspiel.load_game(name), random.Random(0))
    except Exception:
        return False
    return True


def found() -> list[str]:
    python = [one.short_name for one in pyspiel.registered_games() if one.short_name.startswith(("python_", "mean_"))]
    return [name for name in (*python, *IN_CPP) if begins(name)]


if __name__ == "__main__":
    serve(("open_spiel", "pokerkit"), {name: partial(work, name) for name in found()})
