"""The heartbeat: when the host was last at work, in what rhythm, and whether its clock was set since.

It lies beside the ledger, where every machine finds it that may lead a night, and not in it, as most runs find nothing
to do and write no row. It may be lost at any time: then the last night that did something is what is known. Before the
first night of all the first game is: its players were told a deadline, and nothing has left or come in since.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.clock import Ticks, read_instant, stamp
from pbem.config import Config
from pbem.ledger.home import home_of
from pbem.ledger.troubles import LedgerTrouble

SUFFIX = ".beat.json"
REMEMBERED = 10  # gaps between runs; what was longer than all of them but one is out of the rhythm
NIGHTLY = timedelta(hours=24)  # no rhythm is taken for a quicker one before so many gaps are known
KNOWN_FROM = 3


@dataclass(frozen=True, slots=True)
class Beat:
    """The last run that was let through: when it was, by the wall and by what counts since the machine was started."""

    at: datetime
    ticks: Ticks | None = None
    gaps: tuple[timedelta, ...] = ()  # between the runs before it

    def off_since(self, now: datetime) -> datetime | None:
        """Since when the host was not at work, where that is out of its rhythm."""
        return self.at if now - self.at > self._usual * 1.5 + timedelta(hours=2) else None

    @property
    def _usual(self) -> timedelta:
        """The longest gap but one: one outage makes no rhythm, two do, so that whoever runs nights by hand is not
        taken for asleep for ever."""
        usual = sorted(self.gaps)[-2] if len(self.gaps) >= KNOWN_FROM else NIGHTLY
        return usual if len(self.gaps) >= REMEMBERED else max(usual, NIGHTLY)

    def jumped(self, now: datetime, ticks: Ticks | None) -> timedelta:
        """By how much the clock was set since: forward, or back (negative). Known while the machine was not started
        anew; else a clock that went back shows, and one that went forward looks like an outage."""
        if ticks is not None and self.ticks is not None and ticks.boot == self.ticks.boot:
            return (now - self.at) - timedelta(seconds=ticks.seconds - self.ticks.seconds)
        return min(now - self.at, timedelta())

    def then(self, now: datetime, ticks: Ticks | None) -> Beat:
        """This one after the run that goes on now. A time that somebody named (`ticks` None) sets nothing back."""
        gap = max(now - self.at, timedelta())
        at = max(now, self.at) if ticks is None else now
        return Beat(at, ticks, (*self.gaps, gap)[-REMEMBERED:])


def recall(config: Config, at_work: datetime | None) -> Beat | None:
    """The last heartbeat, or what the ledger knows of it. None: nothing was ever due here."""
    try:
        kept = json.loads(home_of(config.place).recall(SUFFIX) or b"")
        ticks = Ticks(str(kept["boot"]), int(kept["ticks"])) if kept.get("boot") else None
        return Beat(read_instant(kept["at"]), ticks, tuple(timedelta(seconds=int(gap)) for gap in kept["gaps"]))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None if at_work is None else Beat(at_work)


def keep(config: Config, beat: Beat) -> None:
    """Write it down, whole or not at all. A disk that is full is told of where it matters."""
    boot = {} if beat.ticks is None else {"boot": beat.ticks.boot, "ticks": beat.ticks.seconds}
    kept = {"at": stamp(beat.at), "gaps": [int(gap.total_seconds()) for gap in beat.gaps], **boot}
    with suppress(OSError, LedgerTrouble):
        home_of(config.place).keep(SUFFIX, json.dumps(kept).encode())
