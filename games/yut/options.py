"""What a host may choose for a game of Yut (section 3 of the rules document)."""

from __future__ import annotations

from dataclasses import dataclass

from engine import BadOption, OptionSet, flag, text, whole
from games.yut.board import CORNERS, DATA, PLACE, Space
from games.yut.state import Terms
from games.yut.wild import STARTS

OFF, DEFAULT, CHOOSE = "off", "default", "choose"
WORDS = {OFF: OFF, "false": OFF, "no": OFF, DEFAULT: DEFAULT, "true": DEFAULT, "yes": DEFAULT, "on": DEFAULT}
WORDS[CHOOSE] = CHOOSE
DEFAULT_HURDLES: tuple[Space, ...] = tuple(DATA["hurdles"]["default"])


@dataclass(frozen=True)
class Options(OptionSet):
    players: int = whole(2, 2, 4, help="orange, blue and green; four play in two teams, orange and blue")
    favourite: bool = flag(
        help="the favourite variant: opposite posts, an exact 5 for the first shortcut, piles of two"
    )
    wild: bool = flag(help="the wild horse runs against everybody, and its second circle ends the game")
    hurdles: str = text(
        OFF, values="off | default | choose", help="r8 and r18, chosen in play, or two spaces named as r4+c1"
    )
    game: int = whole(1, 1, 2, help="with favourite and wild: which game of the match of two this is")
    first: int = whole(1, 1, 4, help="the number of the seat that begins")

    def check(self) -> None:
        if self.favourite and self.players == 3:
            raise BadOption("favourite", self.favourite, "it is for two players or two teams (YUT-10.5)")
        if self.game != 1 and not (self.favourite and self.wild):
            raise BadOption("game", self.game, "only favourite with wild has a second game (YUT-11.7)")
        if self.first > self.players:
            raise BadOption("first", self.first, f"choose a seat from 1 to {self.players} (YUT-1.5)")
        object.__setattr__(self, "hurdles", self._hurdles())

    def _hurdles(self) -> str:
        """YUT-12.1: two different spaces, neither of them the start of the wild horse; in canonical order."""
        said = str(self.hurdles).strip().lower()
        if said in WORDS:
            return WORDS[said]
        names = [CORNERS.get(name.strip(), name.strip()) for name in said.split("+")]
        if len(names) != 2 or any(name not in PLACE for name in names):
            raise BadOption("hurdles", self.hurdles, "choose off, default, choose, or two spaces such as r4+c1")
        if names[0] == names[1]:
            raise BadOption("hurdles", self.hurdles, "the two spaces must be different (YUT-12.1)")
        if self.terms.wild_start in names:
            reason = f"the wild horse starts on {self.terms.wild_start} (YUT-12.1)"
            raise BadOption("hurdles", self.hurdles, reason)
        return "+".join(sorted(names, key=PLACE.__getitem__))

    @property
    def terms(self) -> Terms:
        start = STARTS[self.favourite, self.game] if self.wild else ""  # YUT-11.1
        return Terms(self.players, self.favourite, start)

    @property
    def spaces_of_hurdles(self) -> tuple[Space, ...]:
        """Where hurdles stand from the beginning."""
        if self.hurdles in (OFF, CHOOSE):
            return ()
        return DEFAULT_HURDLES if self.hurdles == DEFAULT else tuple(self.hurdles.split("+"))
