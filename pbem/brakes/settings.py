"""The section [brakes] of pbem.toml: how odd things must be for a run to hold, each value checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Any

from pbem.errors import Trouble

KNOWN: Mapping[str, type] = {
    "clock": str,
    "outage": str,
    "late": str,
    "inbox": bool,
    "ledger": bool,
    "missing_percent": int,
    "missing_least": int,
}
TEMPLATE = """\

[brakes]                            # what makes a run hold and ask you, before silence counts for anybody
clock = "2h"                        # the clock was set forward or back by more than this; "off": never
outage = "14d"                      # nothing has run for longer; deadlines of a shorter outage are moved without asking
late = "1h"                         # a run so soon after a deadline is in time, whatever was before it
inbox = true                        # a mailbox could not be read, though games are due
ledger = true                       # the newest rows of what is due are not what they were
missing_percent = 60                # so many of the seats asked are silent, and usually not half as many; 0: never
missing_least = 10                  # ... and at least so many of them
"""
UNITS = {"m": "minutes", "h": "hours", "d": "days"}


@dataclass(frozen=True, slots=True)
class Brakes:
    """What the section says."""

    clock: timedelta | None = timedelta(hours=2)
    outage: timedelta | None = timedelta(days=14)
    late: timedelta = timedelta(hours=1)
    inbox: bool = True
    ledger: bool = True
    missing_percent: int = 60
    missing_least: int = 10


def read_section(said: Mapping[str, Any]) -> Brakes:
    """The section's values, whose types are checked already; Trouble names the key."""
    read = {name: value for name, value in said.items() if not isinstance(value, str)}
    read |= {name: _span(name, value) for name, value in said.items() if isinstance(value, str)}
    found = Brakes(**read)
    if found.late is None:
        raise Trouble("late: it is a length of time such as 1h.")
    if not 0 <= found.missing_percent <= 100 or found.missing_least < 1:
        raise Trouble("missing_percent: it is a number from 0 to 100, and missing_least one from 1 on.")
    return found


def _span(name: str, text: str) -> timedelta | None:
    if text.strip() == "off":
        return None
    found = re.fullmatch(r"(\d{1,4})([mhd])", text.strip())
    if found is None or not int(found[1]):
        raise Trouble(f"{name}: {text!r} is no length of time; write it like 90m, 2h, 14d, or off.")
    return timedelta(**{UNITS[found[2]]: int(found[1])})


assert set(KNOWN) == {one.name for one in fields(Brakes)}
