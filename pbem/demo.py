"""The demonstration: whole games played by robots through the real path, order files in, reports out.

A robot does what a player does: it takes the order form of its last report, writes its move under `orders:`, with as
many more as it can foresee, and drops the file in the inbox. Now and then one is silent, and one makes a slip, so that
one sees what becomes of it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import NamedTuple

from engine import Dice, games, load
from pbem.arriving.fetching import collect
from pbem.bots import robots
from pbem.care.settling import settle
from pbem.config import Config
from pbem.deadlines.schedule import NIGHTLY, Schedule
from pbem.errors import Trouble
from pbem.game.hosting import NewGame, add_player, new_game
from pbem.ledger import Ledger, matches
from pbem.ledger import games as hosted
from pbem.ledger.games import GameRow
from pbem.matches.match import game_name
from pbem.matches.matching import NewMatch, new_match
from pbem.nightly import night
from pbem.reports.environment import keep_bytecode
from pbem.reports.form import scalar
from pbem.rulebook import known
from pbem.summary import Summary

BEGINS = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
NIGHTS = 700  # more than any of the games shown needs
SEED = b"a demonstration has no secrets  "
PLAYERS = (
    ("Ada", "Europe/London"),
    ("Batu", "Asia/Ulaanbaatar"),
    ("Chiara", "Europe/Rome"),
    ("Denis", "Europe/Paris"),
    ("Emi", "Asia/Tokyo"),
    ("Farid", "Asia/Kathmandu"),
    ("Gita", "Asia/Kolkata"),
    ("Hana", "Asia/Seoul"),
)
MARK = "demonstration"  # a file that says that a folder may be made anew
SILENT, SLIP = 29, 41  # about one order in so many does not come, or cannot be read at first

Tell = Callable[[int, int, int], None]  # nights, games over, games


class Shown(NamedTuple):
    """A game of the demonstration; a match, when its rules declare a series of games with these options."""

    name: str
    rules: str
    options: dict[str, str]
    match: bool = False

    @property
    def first_game(self) -> str:
        return game_name(self.name, 1) if self.match else self.name


@dataclass(slots=True)
class Outcome:
    """What the demonstration leaves behind."""

    config: Config
    shown: list[Shown] = field(default_factory=list)
    nights: int = 0
    turns: int = 0
    files: int = 0
    unfinished: list[str] = field(default_factory=list)


def demonstrate(folder: Path, only: Collection[str] = (), tell: Tell | None = None) -> Outcome:
    """Make a host in the folder and play every game of the showcase (or those of these rules only) to its end."""
    shown = list(showcase(only))
    config = _fresh(folder)
    keep_bytecode(config.folder / ".templates")
    outcome = Outcome(config, shown)
    ledger = Ledger.open(config.place)
    try:
        _begin(config, ledger, outcome.shown)
        _play(config, ledger, outcome, tell)
        with ledger.read() as tx:
            outcome.unfinished = [row.name for row in hosted.every(tx) if row.status != hosted.OVER]
            outcome.unfinished += [row.name for row in matches.every(tx) if row.status != matches.OVER]
    finally:
        ledger.close()
    return outcome


def showcase(only: Collection[str] = ()) -> Iterator[Shown]:
    """The games as each of them wants to be shown."""
    for game in dict.fromkeys(only) or games():
        rules = known(game)
        for number, options in enumerate(rules.showcase, start=1):
            declared = rules.series(rules.Options(**options))
            yield Shown(f"{game}-{number}", game, dict(options), declared is not None)


def _fresh(folder: Path) -> Config:
    """A new host; an older demonstration in its place is removed, anything else is not."""
    if folder.exists() and not folder.is_dir():
        raise Trouble(f"{folder} is a file; name a folder.")
    mark = folder / MARK
    if mark.exists():
        shutil.rmtree(folder)
    elif folder.exists() and any(folder.iterdir()):
        raise Trouble(f"{folder} holds something that is no demonstration; name another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    mark.touch()  # first of all, so that a demonstration that was stopped can be begun again
    return settle(folder, secret=SEED)


def _begin(config: Config, ledger: Ledger, shown: list[Shown]) -> None:
    with ledger.write() as tx:
        for name, zone in PLAYERS:
            add_player(tx, name, f"{name.lower()}@players.example", "en", zone, BEGINS)
    for one in shown:
        rules = load(one.rules)
        seats = rules.seats(rules.Options(**one.options))
        sitting = {seat: PLAYERS[i % len(PLAYERS)][0] for i, seat in enumerate(seats)}
        schedule = Schedule(NIGHTLY, time(20, 0), "Europe/Paris")
        with ledger.write() as tx:
            if one.match:
                match = NewMatch(rules=one.rules, name=one.name, seats=sitting, options=one.options, schedule=schedule)
                new_match(tx, config, match, BEGINS)
            else:
                game = NewGame(rules=one.rules, name=one.name, seats=sitting, options=one.options, schedule=schedule)
                new_game(tx, config, game, BEGINS)
    night(config, ledger, BEGINS)  # nothing is due yet, but the first reports leave


def _play(config: Config, ledger: Ledger, outcome: Outcome, tell: Tell | None) -> None:
    for number in range(NIGHTS):
        with ledger.read() as tx:
            rows = list(hosted.every(tx))
        open_rows = [row for row in rows if row.status == hosted.OPEN]
        if tell:
            tell(number, len(rows) - len(open_rows), len(rows))
        if not open_rows:
            return
        for row in open_rows:
            outcome.files += _order(config, row)
        collect(config, ledger, BEGINS + timedelta(days=number, hours=6))  # well before the deadline
        summary: Summary = night(config, ledger, BEGINS + timedelta(days=number, hours=12))
        outcome.nights += 1
        outcome.turns += summary.turns


def _order(config: Config, row: GameRow) -> int:
    """Every robot that is asked drops its file; gives how many did."""
    rules = load(row.rules)
    state = rules.restore(row.state)
    written = 0
    for seat in row.pending:
        dice = Dice(SEED, f"{row.name}/{row.turn}/{seat}")
        if dice.pick(SILENT, "silent") == 0:
            continue
        form = _form(config, row, seat)
        if form is None:
            continue
        if row.turn == 1 and rules.showcase_standing:
            form = [*form, f"standing: {json.dumps(rules.showcase_standing)}"]
        orders = robots.line(robots.whimsical, rules, state, seat, dice)
        if dice.pick(SLIP, "slip") == 0:
            _drop(config, f"{row.name}-{row.turn}-{seat}-slip", form, [*orders[:-1], orders[-1] + " please"])
            written += 1
        _drop(config, f"{row.name}-{row.turn}-{seat}", form, orders)
        written += 1
    return written


def _form(config: Config, row: GameRow, seat: str) -> list[str] | None:
    """The head of the form in the seat's last report: the lines that say for whom and for which turn it is."""
    path = config.outbox / row.name / seat / f"turn-{row.turn:04d}-report-orders.yml"
    if not path.exists():
        return None
    return [line for line in path.read_text().splitlines() if line.startswith(("game:", "seat:", "turn:", "key:"))]


def _drop(config: Config, name: str, head: list[str], orders: list[str]) -> None:
    lines = [*head, "orders:", *(f"  - {scalar(order)}" for order in orders), "end: orders", ""]
    (config.inbox / f"{name}.yml").write_text("\n".join(lines))
