"""What a host may choose for a game of Hasami Shogi (section 3 of the rules document)."""

from __future__ import annotations

from dataclasses import dataclass

from engine import OptionSet, choice, whole
from games.hasami_shogi.variants import VARIANTS


@dataclass(frozen=True)
class Options(OptionSet):
    variant: str = choice(*VARIANTS, help="five in a row with 18 pieces each (base), or the war game with 9 (war)")
    shogun: str = choice(
        "none", "front", "back", help="the mini extension: a Shogun each, in the middle of the front or the back row"
    )
    green: str = choice("random", "1", "2", help="the seat that has green, and begins")
    quiet_limit: int = whole(100, 20, 400, help="turns without progress after which the game is drawn")
