"""Vault's pieces: the options, the position with every secret in it, and the moves (VAULT-1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine import OptionSet, choice, flag, whole
from engine.game import BrokenInvariant

SEATS = ("red", "green", "blue")
SPARE = 3  # VAULT-1.2: so many cards are dealt to nobody


@dataclass(frozen=True)
class Choices(OptionSet):
    """How long, with how many cards, and whether the second bidder may dispute."""

    rounds: int = whole(3, 1, 5, help="how many vaults are opened")
    hand: int = whole(4, 3, 6, help="cards dealt to each seat")
    disputes: bool = flag(True, help="the second bidder may dispute the loot")
    die: str = choice("six", "four", help="the die that fills the vault")


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """What lies before one seat."""

    hand: tuple[int, ...]
    discards: tuple[int, ...] = ()
    points: int = 0
    told: bool = False
    left: bool = False


@dataclass(frozen=True, slots=True)
class Contest:
    """A loot that is not settled: who holds it with which card, what it is worth, and who is asked about it."""

    holder: str
    card: int
    loot: int
    asked: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The whole table, secrets included."""

    rounds: int
    round: int
    faces: int
    disputes: bool
    players: tuple[Player, ...]
    deck: tuple[int, ...]
    shown: tuple[int, ...] = ()
    contest: Contest | None = None

    def player(self, seat: str) -> Player:
        return self.players[SEATS.index(seat)]

    @property
    def active(self) -> tuple[str, ...]:
        return tuple(seat for seat in SEATS if not self.player(seat).left)

    @property
    def over(self) -> bool:
        if len(self.active) < 2 or self.round > self.rounds:
            return True  # VAULT-5.3, VAULT-4.1
        return self.contest is None and not any(self.player(seat).hand for seat in self.active)  # VAULT-4.1


class Bid(NamedTuple):
    card: int

    def __str__(self) -> str:
        return f"bid {self.card}"


class Say(NamedTuple):
    """A move of one word: pass, challenge, yield or resign."""

    word: str

    def __str__(self) -> str:
        return self.word


PASS, CHALLENGE, YIELD, RESIGN = (Say(word) for word in ("pass", "challenge", "yield", "resign"))
WORDS = {say.word: say for say in (PASS, CHALLENGE, YIELD, RESIGN)}
Move = Bid | Say


def check(state: Position) -> None:
    """Every card is in one place, and nobody has more than the vaults held."""
    piles = [*(player.hand + player.discards for player in state.players), state.deck, state.shown]
    cards = sorted(card for pile in piles for card in pile)
    if cards != list(range(1, len(cards) + 1)):
        raise BrokenInvariant(f"cards {cards}")
    points = [player.points for player in state.players]
    if min(points) < 0 or sum(points) > state.faces * (state.round - 1):
        raise BrokenInvariant(f"points {points} after {state.round - 1} rounds")
    if not 1 <= state.round <= state.rounds + 1:
        raise BrokenInvariant(f"round {state.round} of {state.rounds}")
    if state.contest is not None:
        _check_contest(state, state.contest)


def _check_contest(state: Position, contest: Contest) -> None:
    both = {contest.holder, contest.asked}
    if len(both) != 2 or not both <= set(state.active) or contest.card not in state.shown:
        raise BrokenInvariant(f"contest {contest}")
    if not 1 <= contest.loot <= state.faces or not state.disputes or state.round > state.rounds:
        raise BrokenInvariant(f"contest {contest}")
