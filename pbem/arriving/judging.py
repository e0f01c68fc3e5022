"""Judging at once: what has just been stored is read, judged and answered, without waiting for the night."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from pbem import delivering, faultlog, messages
from pbem.config import Config
from pbem.deadlines.schedule import ON_ARRIVAL
from pbem.errors import Busy, Trouble
from pbem.game.hosting import sheet_of
from pbem.ledger import Ledger, games
from pbem.locks import NIGHT, alone
from pbem.means import ALONE
from pbem.nightly import resolve_with_bots
from pbem.reports.environment import keep_bytecode
from pbem.rulebook import NoRules
from pbem.summary import Summary


def judge_at_once(config: Config, ledger: Ledger, now: datetime) -> None:
    """Judge what waits, go on with the games that wait for nobody now, and send the answers.

    The messages are in the ledger: whatever fails here is told in the log, and the next night does it.
    """
    with suppress(OSError):  # a folder that cannot be written to is told of when something must be
        keep_bytecode(config.folder / ".templates")
    try:
        messages.settle_waiting(config, ledger, now)
        with suppress(Busy), alone(config.place, NIGHT):  # a night at work does it itself
            for name in _ready(config, ledger, now):
                resolve_with_bots(config, ledger, Summary(now), ALONE, name)
            delivering.deliver(config, ledger, now)
    except Trouble:
        return  # a ledger that is busy or full has been, or will be, told of by whoever stores in it
    except Exception as ours:
        faultlog.write_down(ours, config.folder)


def _ready(config: Config, ledger: Ledger, now: datetime) -> list[str]:
    """The games that are due because everyone has answered; those that a clock ends are the night's."""
    found = []
    with ledger.read() as tx:
        for name in games.due(tx, now):
            row = games.get(tx, name)
            with suppress(NoRules):
                if row and sheet_of(tx, config, row).schedule.holding(row.turn, now).resolve == ON_ARRIVAL:
                    found.append(name)
    return found
