"""At hand: what a host has bounded children do is done in this process, so that a thousand seasons take minutes.

The code is the same, and so is what comes out; only nothing bounds it, and there is no painter, so that mails leave
without their pictures, as they do from a host that has none. Seasons with children and pictures are played, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn
from unittest.mock import patch

from pbem import bounded
from pbem.bounded import EXCEPTION, OK, Bounds, TaskDied, Work
from pbem.pictures import painting


class _Here:
    """A worker without a process: its answer is there when its task is begun."""

    def __init__(self, work: Work, bounds: Bounds) -> None:
        self.work = work

    def begin(self, task: bytes) -> None:
        kind, said = bounded._do(self.work, task)
        self.answer = said if kind == OK else TaskDied(EXCEPTION, said.decode(errors="replace"))

    def pump(self) -> bytes | TaskDied:
        return self.answer

    def stop(self) -> None:
        """There is nobody to stop."""


def _no_painter() -> NoReturn:
    raise painting.NotPainted


@contextmanager
def at_hand() -> Iterator[None]:
    """Inside, no child is forked, and nothing painted."""
    with (
        patch.object(bounded, "_Worker", _Here),
        patch.object(bounded, "_wait", lambda workers: None),
        patch.object(painting, "warm", _no_painter),
    ):
        yield
