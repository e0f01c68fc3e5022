"""Reading behind a wall: forms are read in a child process, so that no file can harm the one that holds the ledger."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from pbem.bounded import Bounded
from pbem.intake.fields import read_form
from pbem.intake.form import Reading
from pbem.intake.limits import USUAL, Limits


class BoundedReader(Bounded):
    """Reads forms, one after the other, each within the limits; TaskDied tells of a file that went beyond them.

    Such a file is to be kept whole and set aside. Nothing comes back from the child but JSON.
    """

    def __init__(self, limits: Limits = USUAL) -> None:
        super().__init__(_work, limits.cpu_seconds, limits.wall_seconds, limits.memory_bytes, limits.files)
        self._limits = asdict(limits)

    def read(
        self, raw: bytes, *, body: bool = False, game_keys: Collection[str] = (), conditions: Collection[str] = ()
    ) -> Reading:
        """As `read_form` reads it."""
        words = {"game_keys": sorted(game_keys), "conditions": sorted(conditions)}
        asked = {"body": body, **words, "limits": self._limits}
        return Reading.from_json(json.loads(self(json.dumps(asked).encode() + b"\n" + raw)))


def read_bounded(
    raw: bytes,
    *,
    body: bool = False,
    game_keys: Collection[str] = (),
    conditions: Collection[str] = (),
    limits: Limits = USUAL,
) -> Reading:
    """One form, read in a child of its own."""
    with BoundedReader(limits) as reader:
        return reader.read(raw, body=body, game_keys=game_keys, conditions=conditions)


def _work(task: bytes) -> bytes:
    head, _, raw = task.partition(b"\n")
    asked: dict[str, Any] = json.loads(head)
    return json.dumps(read_form(raw, **{**asked, "limits": Limits(**asked["limits"])}).to_json()).encode()
