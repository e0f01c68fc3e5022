"""Time: the one place that asks what time it is, so that a test can stop the clock and a referee can name the hour."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pbem.errors import Trouble

Clock = Callable[[], datetime]
FIRST, LAST = 2000, 2999  # years that are believed; the ends of the calendar leave no room for deadlines


class Ticks(NamedTuple):
    """Seconds since the machine was started, counted while it sleeps, too, and however its clock is set; `boot` names
    the start."""

    boot: str
    seconds: int


def ticks() -> Ticks | None:
    """What nobody can set; None where this system does not tell."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return Ticks(boot, int(time.clock_gettime(time.CLOCK_BOOTTIME)))
    except (OSError, ValueError, AttributeError):
        return None


def system() -> datetime:
    """Now, in UTC, to the second: what is written down can be read again exactly."""
    return datetime.now(UTC).replace(microsecond=0)


def stopped(at: datetime) -> Clock:
    """A clock that stands still."""
    return lambda: at


def read_instant(text: str) -> datetime:
    """An ISO instant such as 2026-11-18T20:00Z; it must say its zone, as a bare time would be anybody's."""
    try:
        instant = datetime.fromisoformat(text.strip())
    except ValueError:
        raise Trouble(f"{text!r} is not a time; write it like 2026-11-18T20:00Z.") from None
    if instant.tzinfo is None:
        raise Trouble(f"{text!r} does not say its zone; write it like {text.strip()}Z or {text.strip()}+01:00.")
    if not FIRST <= instant.year <= LAST:
        raise Trouble(f"{text!r} lies outside the years {FIRST} to {LAST}.")
    return instant.astimezone(UTC).replace(microsecond=0)


def stamp(instant: datetime) -> str:
    """How an instant stands in the ledger and in JSON: 2026-11-18T20:00:00Z."""
    if instant.tzinfo is None:
        raise ValueError("an instant without a zone")
    return _written(instant.astimezone(UTC))


@lru_cache(4096)
def _written(there: datetime) -> str:
    return there.strftime("%Y-%m-%dT%H:%M:%SZ")
