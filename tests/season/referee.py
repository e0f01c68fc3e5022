"""The referee of a season: he pauses, extends, strikes, rules, changes schedules and seats people, as the seed says."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Protocol

from pbem.config import Config
from pbem.errors import Trouble
from pbem.ledger import Ledger, games
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Write
from pbem.people.substituting import substituted
from pbem.rulings import disputed, ruling

RULES, RESUMES, ANSWERS = 0.25, 0.6, 0.7  # how often on a day he rules on some game, ends a pause, settles a dispute
WHY = "a simulated referee"


class Served(Protocol):
    """What he needs of a season."""

    source: Random

    def another_player(self, tx: Write, at: datetime) -> str:
        """A new player, who may take over a seat; his name."""

    def struck(self, row: GameRow, seat: str) -> None:
        """Nothing stands of that seat any more."""


Act = Callable[[Write, Config, GameRow, datetime, Served], None]


def acts(config: Config, ledger: Ledger, at: datetime, season: Served) -> list[str]:
    """What he does on a day; gives the names of it."""
    with ledger.read() as tx:
        rows = list(games.every(tx))
        disputes = disputed.waiting(tx)
    done = []
    for row in rows:
        if row.status == games.HELD and season.source.random() < RESUMES:
            with ledger.write() as tx:
                ruling.resumed(tx, config, row.name, at, WHY)
            done.append("resume")
    for dispute in disputes:
        if season.source.random() < ANSWERS:
            with ledger.write() as tx:
                ruling.ruled(tx, config, dispute.game, at, "It stays as it is.", dispute.number)
            done.append("settle")
    going_on = [row for row in rows if row.status == games.OPEN]
    if going_on and season.source.random() < RULES:
        row, act = season.source.choice(going_on), season.source.choice(ACTS)
        try:
            with ledger.write() as tx:
                act(tx, config, row, at, season)
            done.append(act.__name__.strip("_"))
        except Trouble:
            done.append("refused to the referee")
    return done


def _pause(tx: Write, config: Config, row: GameRow, at: datetime, season: Served) -> None:
    ruling.paused(tx, config, row.name, at, WHY)


def _extend(tx: Write, config: Config, row: GameRow, at: datetime, season: Served) -> None:
    ruling.extended(tx, config, row.name, at, WHY, by=timedelta(days=season.source.randrange(1, 4)))


def _void(tx: Write, config: Config, row: GameRow, at: datetime, season: Served) -> None:
    seat = season.source.choice(sorted(row.seats))
    ruling.voided(tx, config, row.name, seat, at, WHY)
    season.struck(row, seat)


def _schedule(tx: Write, config: Config, row: GameRow, at: datetime, season: Served) -> None:
    words = season.source.choice(("nightly 20:00", "all-in 20:00", "nightly 20:00 think=30h"))
    ruling.rescheduled(tx, config, row.name, words, at, WHY)


def _silence(tx: Write, config: Config, row: GameRow, at: datetime, season: Served) -> None:
    words = season.source.choice(("default", "stand-in=random", "default hold=1d", "default drop=2"))
    ruling.silence_ruled(tx, config, row.name, words, at, WHY)


def _word(tx: Write, config: Config, row: GameRow, at: datetime, season: Served) -> None:
    ruling.ruled(tx, config, row.name, at, "Such is the rule.")


def _substitute(tx: Write, config: Config, row: GameRow, at: datetime, season: Served) -> None:
    seat = season.source.choice(sorted(row.seats))
    substituted(tx, config, row.name, seat, season.another_player(tx, at), at, WHY)


ACTS: tuple[Act, ...] = (_pause, _extend, _void, _schedule, _silence, _word, _substitute, _substitute)
