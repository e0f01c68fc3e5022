"""Named points at which the fault tests kill the program. In production they do nothing at all."""

from __future__ import annotations

from collections.abc import Callable

_armed: Callable[[str], None] | None = None


def fault(point: str) -> None:
    """Pass a named point."""
    if _armed is not None:
        _armed(point)


def arm(at: Callable[[str], None] | None) -> None:
    """Let tests act at the points; None disarms."""
    global _armed
    _armed = at
