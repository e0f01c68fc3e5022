"""Braking: the three looks of a night, at the time, at the ways in, and at what is due; each says what it holds for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from pbem.arriving.brought import Brought
from pbem.brakes import heartbeat, holding, outages, trips
from pbem.brakes.heartbeat import Beat
from pbem.brakes.trips import CLOCK, INBOX, LEDGER, MISSING, OUTAGE, RULES
from pbem.clock import Ticks
from pbem.config import Config
from pbem.ledger import Ledger, games, nights


class Moment(NamedTuple):
    """At what time rows are dated, when the host was last at work, and what holds because of that."""

    at: datetime
    beat: Beat | None
    held: list[str]


def look_at_time(config: Config, ledger: Ledger, now: datetime, ticks: Ticks | None, by_clock: bool) -> Moment:
    """What time it is, and why nothing can be done at a time that may be wrong."""
    with ledger.read() as tx:
        beat = heartbeat.recall(config, nights.at_work(tx))
        found = list(trips.of_time(tx, config.brakes, beat, now, ticks, by_clock))
        record = holding.on_record(tx)
    kinds = (CLOCK, OUTAGE)
    # By a clock that may be wrong nothing is dated: a ledger whose times lie ahead would not be believed afterwards.
    at = beat.at if beat is not None and any(trip.name == CLOCK for trip in found) else now
    record = holding.settle(config, ledger, kinds, found, record, at)
    return Moment(at, beat, [holding.line(held) for held in record if held.is_of_all and held.name in kinds])


def look_at_routes(config: Config, ledger: Ledger, now: datetime, routes: Sequence[Brought]) -> None:
    """Hold, where orders may lie that could not be fetched."""
    with ledger.read() as tx:
        due, record = games.any_due(tx, now), holding.on_record(tx)
    holding.settle(config, ledger, (INBOX,), list(trips.of_routes(config.brakes, routes, due)), record, now)


def look_at_games(
    config: Config, ledger: Ledger, now: datetime, off_since: datetime | None, told: datetime
) -> tuple[list[str], list[str]]:
    """Move what fell due while nothing ran, and hold what is odd; gives the games moved, and what holds and why."""
    with ledger.read() as tx:
        due = games.due(tx, now)
        found = [*trips.of_ledger(tx, config.brakes, due), *trips.of_rules(tx, due)]
        names = {trip.name for trip in found}
        over = [held for held in holding.on_record(tx) if held.game is not None and held.name not in names]
    moved = outages.move(config, ledger, now, off_since, over, told)
    with ledger.read() as tx:
        due = [name for name in games.due(tx, now) if name not in {trip.game for trip in found}]
        found += trips.of_missing(tx, config.brakes, due, now)
        record = holding.on_record(tx)
    record = holding.settle(config, ledger, (LEDGER, RULES, MISSING), found, record, now)
    return moved, [holding.line(held) for held in record if not held.released]
