"""What a host may choose for a game of Bagh Chal (section 3 of the rules document)."""

from __future__ import annotations

from dataclasses import dataclass

from engine import BadOption, OptionSet, choice, flag, text, whole
from games.bagh_chal.state import Terms
from games.bagh_chal.variants import VARIANTS


@dataclass(frozen=True)
class Options(OptionSet):
    variant: str = choice(*VARIANTS, help="the valley (classic) or the mountain (pulijudam) side of the cloth")
    heroes: bool = flag(help="the mini extension: Alpha tiger and Bouc")
    alpha: str = text(
        values="; ".join(f"{' | '.join(variant.tigers)} on {key}" for key, variant in VARIANTS.items()),
        help="where the Alpha starts; only with heroes: true",
    )
    match: str = choice("single", "three", help="one game, or the match in three games")
    tigers: str = choice("random", "1", "2", help="the seat that has the tigers in game 1")
    quiet_limit: int = whole(100, 20, 400, help="turns without progress after which a game is drawn")

    def check(self) -> None:
        """BAGH-9.1: the Alpha takes the place of one tiger, so its point is a start point of a tiger."""
        variant = VARIANTS[self.variant]
        alpha = str(self.alpha).strip().lower()
        if alpha and not self.heroes:
            raise BadOption("alpha", self.alpha, "only a game with heroes: true has an Alpha")
        if alpha and alpha not in variant.tigers:
            raise BadOption("alpha", self.alpha, f"choose one of {', '.join(variant.tigers)}")
        # The default is written out, so that the record of a game says where its Alpha starts.
        object.__setattr__(self, "alpha", alpha or (variant.alpha_default if self.heroes else ""))

    @property
    def terms(self) -> Terms:
        """What holds for every game of the match."""
        return Terms(self.variant, self.heroes, self.alpha, self.match, self.quiet_limit)
