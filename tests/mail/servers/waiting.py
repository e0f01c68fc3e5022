"""Waiting for a thing instead of for a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PAUSE = 0.02


class NeverCame(AssertionError):
    """What was waited for did not happen."""


def until(happened: Callable[[], T], what: str, seconds: float = 60.0, pause: float = PAUSE) -> T:
    """The first answer that says yes. A test fails by name when there is none in time."""
    last = time.monotonic() + seconds
    while not (answer := happened()):
        if time.monotonic() > last:
            raise NeverCame(f"{what} did not happen within {seconds:g} seconds")
        time.sleep(pause)
    return answer
