"""What the libraries of a worker have to say, in lines for a person: no tracebacks, and nothing again and again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

from pbem import faultlog
from pbem.ledger.on_postgres import unreached

QUIET = 60.0  # seconds until the same is said again
AWAY = "The server is away for the moment; the worker goes on when it is back."
OF_TASKS = "asyncio"  # it tells of what went wrong in a task, with a traceback

Say = Callable[..., None]


class Lines(logging.Handler):
    """One line for each thing that is worth one."""

    def __init__(self, folder: Path, say: Say) -> None:
        super().__init__(logging.WARNING)
        self._folder, self._say = folder, say
        self._said: dict[str, float] = {}

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        words = " ".join(record.getMessage().split())
        if is_away(record.name, words, error):
            why = unreached(words.partition(": ")[2])
            words = AWAY if not why else f"{AWAY[:-1]} ({why})."
        elif record.name == OF_TASKS:
            if isinstance(error, Exception):
                faultlog.write_down(error, self._folder)
            return
        elif error is not None and str(error) not in words:
            words = f"{words} ({' '.join(str(error).split())})"
        now = time.monotonic()
        if now >= self._said.get(words, 0.0):
            self._said[words] = now + QUIET
            self._say(f"pbem: {words}", err=True)


def is_away(logger: str, words: str, error: BaseException | None) -> bool:
    """Whether that is only because there is no server: Procrastinate calls all of it a database error."""
    return logger.startswith("psycopg") or "Database error" in words or "Database error" in str(error)


def say_plainly(folder: Path, say: Say) -> None:
    """From here on, in this process."""
    lines = Lines(folder, say)
    for name in ("procrastinate", "psycopg", OF_TASKS):
        logger = logging.getLogger(name)
        logger.addHandler(lines)
        logger.propagate = False
