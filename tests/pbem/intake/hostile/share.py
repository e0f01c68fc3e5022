"""How much of the long runs a usual run does: `PBEM_LONG=1` asks for all of it."""

from __future__ import annotations

import os

LONG = "PBEM_LONG" in os.environ


def share(whole: int, usual: int) -> int:
    """So many of the whole."""
    return whole if LONG else usual
