"""The parameters of a game, and which clans and boxes they put in play (YUAN-3.1 to 3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from engine import BadOption, OptionSet, Seat, choice, flag, text, whole
from games.yuan.box import BOXES, CLANS, SCENARIOS, WHEEL, tiles_in_play

FREE = "free"
ONE_BOX = 4  # YUAN-3.2: up to four players use one box


@dataclass(frozen=True)
class Options(OptionSet):
    """YUAN-3.1. Anything else is refused with the code Y-PARAM, and no game is made."""

    players: int = whole(4, 2, 8, help="number of seats")
    scenario: str = choice(FREE, *SCENARIOS, help="an imposed map, or tiles laid by the players or dealt")
    auction: bool = flag(help="bid for the capitals")
    powers: bool = flag(help="clan powers")
    volcanoes: bool = flag(help="volcanoes double what they touch, and explode")
    rivers: bool = flag(help="rivers divide and connect (China tiles)")
    base_box: str = choice(*BOXES, help="the box used first")
    clans: tuple[str, ...] = text((), "clan,clan,... or empty", help="clans in play; drawn when empty")  # type: ignore[arg-type]
    tile_setup: str = choice("players", "dealt", help="who lays the tiles of a free map")

    def __new__(cls, **choices: Any) -> Self:
        try:
            return super().__new__(cls, **choices)
        except BadOption as bad:
            raise coded(bad) from None

    def __post_init__(self) -> None:
        object.__setattr__(self, "clans", listed(self.clans))
        try:
            super().__post_init__()
        except BadOption as bad:
            raise coded(bad) from None

    def check(self) -> None:
        self._check_scenario()
        self._check_clans()

    def _check_scenario(self) -> None:
        if self.scenario == FREE:
            return
        wanted = SCENARIOS[self.scenario].players
        if self.players != wanted:
            raise BadOption("players", self.players, f"the scenario {self.scenario} is for {wanted}")
        if self.scenario == "crossing" and not self.auction:
            raise BadOption("auction", "false", "the scenario crossing needs the auction")
        if self.base_box != BOXES[0]:
            raise BadOption("base_box", self.base_box, "imposed scenarios start from the box mongolia")
        if self.tile_setup != "players":
            raise BadOption("tile_setup", self.tile_setup, "the tiles of an imposed scenario are given")

    def _check_clans(self) -> None:
        if not self.clans:
            return
        open_to = ", ".join(clans_of(self.boxes))
        for clan in self.clans:
            if clan not in clans_of(self.boxes):  # YUAN-3.3
                raise BadOption("clans", clan, f"choose from {open_to}")
        if len(set(self.clans)) != self.players or len(self.clans) != self.players:
            raise BadOption("clans", ",".join(self.clans), f"name {self.players} different clans of {open_to}")

    @property
    def seats(self) -> tuple[Seat, ...]:
        return SEATS[: self.players]  # YUAN-3.1: numbered from 1

    @property
    def boxes(self) -> tuple[str, ...]:
        """The boxes in play (YUAN-3.2)."""
        return (self.base_box,) if self.players <= ONE_BOX else BOXES

    @property
    def free(self) -> bool:
        return self.scenario == FREE

    @property
    def dealt(self) -> bool:
        return self.tile_setup == "dealt"

    @property
    def tiles(self) -> tuple[str, ...]:
        """The tiles in play, by id (YUAN-3.2)."""
        return tiles_in_play(self.players, self.base_box)

    @property
    def wheel(self) -> tuple[int, ...]:
        """Temples needed in turn 1, 2, ... (YUAN-5.2)."""
        return WHEEL[self.players]


SEATS: tuple[Seat, ...] = tuple("12345678")


def clans_of(boxes: tuple[str, ...]) -> tuple[str, ...]:
    """The clans of some boxes, in canonical order (YUAN-1.10)."""
    return tuple(card.id for card in CLANS.values() if card.box in boxes)


def canonical(clans: tuple[str, ...]) -> tuple[str, ...]:
    """The same clans in canonical order (YUAN-1.10)."""
    return tuple(sorted(clans, key=list(CLANS).index))


def listed(value: Any) -> tuple[str, ...]:
    """Clan names as a command line ("mu,weyu") or a list gives them; known ones in canonical order."""
    words = value.replace(",", " ").split() if isinstance(value, str) else list(value)
    names = tuple(str(word).strip().lower() for word in words)
    return canonical(names) if all(name in CLANS for name in names) else names


def coded(bad: BadOption) -> BadOption:
    """The same refusal under the code the rules give it."""
    return BadOption(bad.option, bad.value, bad.reason, "Y-PARAM")  # YUAN-3.1
