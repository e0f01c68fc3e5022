"""Leading a night: its games are resolved by the workers, wherever they are; the journal tells what they did."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from datetime import datetime
from functools import partial
from time import sleep

import sqlalchemy as sa

from pbem.clock import stamp
from pbem.cluster.queue import queue_at
from pbem.config import Config
from pbem.game.turning import AT_ONCE, CREATED, OVER, TURN
from pbem.ledger import Ledger, journal
from pbem.ledger.tables import JOURNAL
from pbem.ledger.transaction import Read
from pbem.means import Crew, Means
from pbem.resolving import ROUNDS, due_games
from pbem.summary import Summary

PAUSE = 0.2  # seconds between two looks at what is left
FAILED, HALTED = "failed", "halted"
TOLD = (TURN, AT_ONCE, OVER, CREATED, FAILED, HALTED)


class Left(Exception):
    """The worker that leads is to end. The night is begun, so whoever leads next goes on with it."""


def crew(over: Callable[[], bool]) -> Crew:
    """The workers of all machines, to one who leads until that says that it is over."""
    return Crew(partial(resolve_by_workers, over), call_carriers)


def resolve_by_workers(
    over: Callable[[], bool],
    config: Config,
    ledger: Ledger,
    summary: Summary,
    means: Means,
    among: Collection[str] | None = None,
) -> None:
    """Have every game that is due resolved, and wait; those who do it may be ending, too, so not for longer than we are
    to be here. Games that fall due meanwhile are sent in another round."""
    tried: set[str] = set()
    with queue_at(config.place) as queue:
        for _ in range(ROUNDS):
            with ledger.read() as tx:
                names = [name for name in due_games(tx, summary.now, among) if name not in tried]
                before = journal.last(tx)
            if not names:
                return
            sent = queue.send(names, now=stamp(summary.now), told=stamp(summary.told or summary.now))
            while left := queue.left():
                if over():
                    raise Left
                if means.tell:
                    means.tell("resolving", max(0, len(names) - left), len(names))
                sleep(PAUSE)
            with ledger.read() as tx:
                resolved = add_up(tx, before, summary)
            tried |= set(sent) - resolved


def call_carriers(config: Config, now: datetime, most: int) -> None:
    """Ask the workers of all machines to help with the mails: as many as there are lanes with some."""
    with queue_at(config.place) as queue:
        queue.call(most, now=stamp(now))


def add_up(tx: Read, after: int, summary: Summary) -> set[str]:
    """What the rows since then say, added to the summary; gives the games that went on."""
    columns = [JOURNAL.c[name] for name in ("chain", "kind", "body")]
    query = sa.select(*columns).where(JOURNAL.c.id > after, JOURNAL.c.kind.in_(TOLD)).order_by(JOURNAL.c.id)
    went_on: set[str] = set()
    for row in tx.each(query):
        if row.kind in (TURN, AT_ONCE):
            went_on.add(row.chain)
            summary.turns += row.kind == TURN
        elif row.kind == OVER:
            summary.over.append(row.chain)
        elif row.kind == CREATED:
            summary.begun.append(row.chain)  # nobody starts a game while a night is led but a match
        else:
            summary.failed[row.chain] = json.loads(row.body)["reason"]
            if row.kind == HALTED:
                summary.halted.append(row.chain)
    summary.went_on |= went_on
    summary.runs += len(went_on)
    return went_on
