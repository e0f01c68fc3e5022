"""What a host may choose when he sets Conquest up, and which choices go together (section 3 of the rules)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import BadOption, OptionSet, choice, text, whole
from games.conquest.geography import COLOURS, DATA

MODES = ("free", "alliance")
TOGETHER = "mode free is for 4 players; mode alliance is for 4, 3 or 2; alliance_win land only with mode alliance"


@dataclass(frozen=True)
class Choices(OptionSet):
    """How many play, for themselves or two against two, and the readings of the rule book a table may choose."""

    mode: str = text("", values="free | alliance", help="every colour for itself, or two against two")
    players: int = whole(4, 2, 4, help="seats; with 3 or 2 some seats play two colours, in alliance")
    first: str = choice("lot", *COLOURS, help="who starts: drawn by lot, or a colour")
    empty_ship: str = choice(
        "exchange", "quiet", help="taking an empty ship: as a capture, or without answer and refund"
    )
    alliance_win: str = choice("all", "land", help="which pieces of one enemy must fall")
    opening_limit: int = whole(12, 1, 99, help="rounds without any elimination from the start, then points decide")

    def check(self) -> None:
        mode: Any = str(self.mode).strip().lower() or ("free" if self.players == 4 else "alliance")
        object.__setattr__(self, "mode", mode)
        if mode not in MODES:
            raise BadOption("mode", mode, f"choose one of {', '.join(MODES)}")
        if mode == "free" and self.players != 4:
            raise BadOption("players", self.players, TOGETHER)  # CONQ-15.3
        if mode == "free" and self.alliance_win != "all":
            raise BadOption("alliance_win", self.alliance_win, TOGETHER)  # CONQ-14.5


def seats(players: int) -> dict[str, tuple[int, ...]]:
    """Each seat with the colours it plays (CONQ-3.1, CONQ-15.1, CONQ-15.2)."""
    return {
        seat: tuple(COLOURS.index(colour) for colour in colours) for seat, colours in DATA["seats"][players].items()
    }
