"""Measuring: engines by random play, the night by real nights. Figures are for this machine; ratios travel."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from engine import Dice, load
from engine.registry import AnyGame
from pbem.care.settling import settle
from pbem.config import Config
from pbem.deadlines.schedule import NIGHTLY, Schedule
from pbem.game.hosting import NewGame, add_player, new_game
from pbem.ledger import Ledger
from pbem.nightly import night
from pbem.reports.environment import keep_bytecode
from pbem.summary import Summary

BEGINS = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
SECRET = b"nothing that is measured counts "


class Speed(NamedTuple):
    """How many of something in how many seconds."""

    what: str
    done: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.done / self.seconds if self.seconds else 0.0

    def to_json(self) -> dict[str, Any]:
        return {"what": self.what, "done": self.done, "seconds": round(self.seconds, 3), "rate": round(self.rate)}


def random_play(game: str, options: dict[str, str], seconds: float = 2.0) -> Speed:
    """Decisions a second through the public interface: pending, moves, a choice, resolve."""
    rules = load(game)
    begun = time.perf_counter()
    decisions = played = 0
    while time.perf_counter() - begun < seconds:
        decisions += _one_game(rules, options, played)
        played += 1
    words = " ".join(f"{name}={value}" for name, value in options.items())
    return Speed(f"{game} {words}".strip(), decisions, time.perf_counter() - begun)


def _one_game(rules: AnyGame, options: dict[str, str], number: int) -> int:
    """One game played at random. A cheap generator, as the choice is not what is measured."""
    dice = Dice(number.to_bytes(32, "big"))
    chosen = number * 2654435761 + 12345
    state = rules.setup(rules.Options(**options), dice).state
    decisions = turn = 0
    while pending := rules.pending(state):
        moves = {}
        for seat in pending:
            legal = list(islice(rules.moves(state, seat), 2000))
            chosen = (chosen * 1103515245 + 12345) & 0x7FFFFFFF
            moves[seat] = legal[(chosen >> 8) % len(legal)]
        turn += 1
        state = rules.resolve(state, moves, dice.at(str(turn))).state
        decisions += len(pending)
    return decisions


@contextmanager
def host(seats: int = 8) -> Iterator[tuple[Config, Ledger]]:
    """A host that is thrown away, with enough players."""
    with TemporaryDirectory() as folder:
        config = settle(Path(folder) / "host", secret=SECRET)
        keep_bytecode(config.folder / ".templates")
        ledger = Ledger.open(config.place)
        try:
            with ledger.write() as tx:
                for number in range(seats):
                    add_player(tx, f"Player {number}", f"player{number}@players.example", "en", "UTC", BEGINS)
            yield config, ledger
        finally:
            ledger.close()


def start_games(
    config: Config, ledger: Ledger, game: str, options: dict[str, str], count: int, prefix: str = "g"
) -> None:
    """So many games of one kind, all due at the same hour."""
    rules = load(game)
    seats = rules.seats(rules.Options(**options))
    sitting = {seat: f"Player {number % 8}" for number, seat in enumerate(seats)}
    for first in range(0, count, 50):
        with ledger.write() as tx:
            for number in range(first, min(count, first + 50)):
                seed = number.to_bytes(32, "big")
                wanted = NewGame(
                    rules=game,
                    name=f"{prefix}{number}",
                    seats=sitting,
                    options=options,
                    schedule=Schedule(NIGHTLY),
                    seed=seed,
                    secret=seed,
                )
                new_game(tx, config, wanted, BEGINS)


def one_night(config: Config, ledger: Ledger, day: int, jobs: int = 0) -> tuple[Summary, float]:
    """The night of that day, in seconds; every seat is silent and takes its default."""
    begun = time.perf_counter()
    summary = night(config, ledger, BEGINS + timedelta(days=day, hours=12), jobs=jobs)
    return summary, time.perf_counter() - begun
