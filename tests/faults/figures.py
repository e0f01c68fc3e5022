"""Figures: how far a run goes, and what a test counted, said so that the table of all guarantees can have it.

`PBEM_LONG=1` asks for the whole figures, `PBEM_LONG=400` for 400 where the whole would be more.
"""

from __future__ import annotations

import os
import sys

MARK, COUNT = "figure: ", "count: "


def told(figure: object) -> None:
    """Say what was counted."""
    sys.stdout.write(f"{MARK}{figure}\n")


def counted(number: int, what: str) -> None:
    """The same of a part: what all tests of a row counted under these words is added up."""
    sys.stdout.write(f"{COUNT}{number:d} {what}\n")


def so_many(usual: int, whole: int) -> int:
    """How many points, cuts, races or seeds: the usual share, the whole, or as many as were asked for."""
    said = int(os.environ.get("PBEM_LONG", "0"))
    return usual if not said else whole if said == 1 else min(whole, said)
