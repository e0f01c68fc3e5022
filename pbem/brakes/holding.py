"""Holding: what is odd is written down and told to the host once; it holds until it is over, or until he releases it.

A brake that was released holds nothing, and stays on record until what tripped it is over: then it can trip again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from pbem.brakes.trips import Trip
from pbem.config import Config
from pbem.errors import Trouble
from pbem.ledger import Ledger, outbox
from pbem.ledger.chain import HOST
from pbem.ledger.tables import BRAKE
from pbem.ledger.transaction import Read, Write
from pbem.post.own import next_id
from pbem.post.telling import NOTICE, plain

ROW, RELEASED = "brake", "brake_released"


class Held(NamedTuple):
    """A brake that has tripped."""

    name: str
    game: str | None
    says: str
    since: datetime
    released: bool

    @property
    def is_of_all(self) -> bool:
        """Whether the whole host is held by it."""
        return self.game is None and not self.released


_ALL = sa.select(*(BRAKE.c[name] for name in Held._fields)).order_by(BRAKE.c.since, BRAKE.c.name)


def on_record(tx: Read) -> list[Held]:
    """The brakes that have tripped, the oldest first."""
    return [Held(*row) for row in tx.all(_ALL)]


def holds(tx: Read) -> list[Held]:
    """Those of the whole host that hold."""
    return [held for held in on_record(tx) if held.is_of_all]


def games_held(tx: Read) -> frozenset[str]:
    """The games that are held."""
    return frozenset(held.game for held in on_record(tx) if held.game is not None and not held.released)


def settle(
    config: Config,
    ledger: Ledger,
    kinds: Collection[str],
    found: Sequence[Trip],
    record: list[Held],
    now: datetime,
) -> list[Held]:
    """Write down what has tripped, and what is over, of these kinds; tell the host of what is new. `record` is what was
    on record when that was found; gives what is now."""
    known, names = {held.name for held in record}, {trip.name for trip in found}
    new = [trip for trip in found if trip.name not in known]
    over = sorted(name for name in known - names if name.partition("/")[0] in kinds)
    if not (new or over):
        return record
    with ledger.write() as tx:
        on = {trip.name: {"game": trip.game, "says": trip.says} for trip in new}
        tx.append(HOST, ROW, now, {"on": on, "over": over})
        if new and config.referee:
            _tell(tx, config, new, now)
        return on_record(tx)


def release(tx: Write, name: str, now: datetime, reason: str) -> Held:
    """Let runs go on though this is odd, by a ruling."""
    record = on_record(tx)
    found = next((held for held in record if held.name == name), None)
    if found is None or found.released:
        waiting = ", ".join(held.name for held in record if not held.released)
        raise Trouble(f"Nothing is held by {name!r}; " + (f"runs hold for {waiting}." if waiting else "nothing holds."))
    tx.append(HOST, RELEASED, now, {"brake": name, "reason": reason})
    return found


def line(held: Held | Trip) -> str:
    """What holds, in one line, with the command that releases it."""
    what = "all games are" if held.game is None else f"{held.game} is"
    return f"{what} held: {held.says}. To go on: pbem referee release {held.name} --reason ..."


def _tell(tx: Write, config: Config, new: Sequence[Trip], now: datetime) -> None:
    text = "\n".join(
        [
            "A run has found something odd and holds, so that silence counts for nobody meanwhile:",
            "",
            *(f"- {line(trip)}" for trip in new),
            "",
            "Orders are taken as ever. What ends by itself needs nothing from you: the next run after that goes on.",
        ]
    )
    message_id = next_id(tx, config, ROW, now)
    subject = f"[{config.host}] held: {', '.join(trip.name for trip in new)}"
    outbox.post(tx, HOST, None, NOTICE, message_id, plain(config, message_id, now, subject, text), now, now)
