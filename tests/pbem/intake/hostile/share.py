"""How much of the long runs a usual run does: `PBEM_LONG=1` asks for all of it, `PBEM_LONG=400` for 400 of each."""

from __future__ import annotations

import os

from tests.faults.figures import so_many

LONG = "PBEM_LONG" in os.environ


def share(whole: int, usual: int) -> int:
    """So many of the whole."""
    return so_many(usual, whole)
