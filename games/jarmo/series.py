"""A series of games, as the rules declare it (JARMO-7). Playing them one after another is the host's business."""

from __future__ import annotations

from engine.series import Series, SumOfScores
from games.jarmo.options import Options


def series(options: Options) -> Series | None:
    """JARMO-7.1: all games are played, sides change each time. JARMO-7.2: the scores are added up."""
    return SumOfScores(options.series, "JARMO-7.2") if options.series > 1 else None
