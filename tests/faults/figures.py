"""Figures: what a test counted, said so that the run of all guarantees can put it into its table."""

from __future__ import annotations

import sys

MARK = "figure: "


def told(figure: object) -> None:
    """Say what was counted."""
    sys.stdout.write(f"{MARK}{figure}\n")
