"""What a program that is measured says: one line of JSON for each line it is asked, timed by its own processor.

It runs where only the standard library and the one package stand. It is asked for a round of a work and answers how
many were done in how many seconds of its processor; between two questions it sleeps, so that only one is ever at work.
"""

from __future__ import annotations

import gc
import json
import os
import random
import sys
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any, NamedTuple


class Watch:
    """A stop-watch for the parts that count: `with watch: ...`."""

    def __init__(self) -> None:
        self.spent = 0.0

    def __enter__(self) -> None:
        self.since = time.process_time()

    def __exit__(self, *_: object) -> None:
        self.spent += time.process_time() - self.since


class Sizes:
    """How large a game's decisions are: legal moves at each, and letters that tell the position."""

    def __init__(self) -> None:
        self.decisions = self.legal = self.letters = 0

    def saw(self, legal: int, letters: int) -> None:
        self.decisions += 1
        self.legal += legal
        self.letters += letters

    def told(self) -> dict[str, float]:
        return {"legal": self.legal / self.decisions, "text": self.letters / self.decisions}


Play = Callable[[random.Random, Watch], int]  # once; how many were done


class Work(NamedTuple):
    """Something to be measured, and (of games) how large its decisions are."""

    play: Play
    sizes: Callable[[random.Random], Sizes] | None = None


def whole_games(one_game: Callable[[random.Random], int]) -> Play:
    """All of a game counts."""

    def play(luck: random.Random, watch: Watch) -> int:
        with watch:
            return one_game(luck)

    return play


def a_round(play: Play, seed: int, seconds: float) -> dict[str, float]:
    """Again and again, at least once, until so many seconds were counted."""
    gc.collect()
    gc.freeze()  # what other works have left behind is not searched through in this one
    luck, watch, done = random.Random(seed), Watch(), 0
    while not done or watch.spent < seconds:
        done += play(luck, watch)
    return {"done": done, "seconds": watch.spent}


def answer(
    made: dict[str, Work], works: Mapping[str, Callable[[], Work]], asked: Mapping[str, Any]
) -> dict[str, float]:
    """A work is made when it is first asked for, and kept."""
    name = asked["work"]
    work = made[name] if name in made else made.setdefault(name, works[name]())
    if asked["ask"] == "sizes":
        return work.sizes(random.Random(0)).told() if work.sizes else {}
    return a_round(work.play, asked["seed"], asked["seconds"])


def serve(packages: tuple[str, ...], works: Mapping[str, Callable[[], Work]]) -> None:
    """Say what stands here, then answer until nobody asks any more. What a package prints goes elsewhere."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    made: dict[str, Work] = {}

    def say(what: Mapping[str, Any]) -> None:
        print(json.dumps(what), file=out, flush=True)

    say({"versions": {name: version(name) for name in packages}, "works": sorted(works)})
    for line in sys.stdin:
        say(answer(made, works, json.loads(line)))
