"""Vault's position line: the whole table, or what one seat may know of it."""

from __future__ import annotations

import re
from collections.abc import Callable

from engine import BadPosition
from engine.game import BrokenInvariant
from sample_games.vault.state import SEATS, Contest, Player, Position, check

CARDS = r"(-|\d{1,2}(?:,\d{1,2})*)"
PLAYER = rf"{CARDS}/{CARDS}/(0|[1-9]\d?)/(t?)(x?)"
CONTEST = r"(-|(?:red|green|blue):\d{1,2}:\d:(?:red|green|blue))"
HEAD, TAIL = r"vault1 ([1-5]) ([1-6]) d([46])(!?)", rf"deck={CARDS} shown={CARDS} {CONTEST}"
LINE = re.compile(f"{HEAD} {PLAYER} {PLAYER} {PLAYER} {TAIL}")

Pile = Callable[[str, tuple[int, ...]], str]


def write(state: Position, pile: Pile | None = None) -> str:
    """The line; `pile` writes a pile of cards for its owner ("" for the deck), all of them open when absent."""
    pile = pile or (lambda owner, cards: _open(cards))
    players = (_player(seat, state.player(seat), pile) for seat in SEATS)
    head = f"vault1 {state.rounds} {state.round} d{state.faces}{'!' if state.disputes else ''}"
    tail = f"deck={pile('', state.deck)} shown={_open(state.shown)} {_contest(state.contest)}"
    return " ".join((head, *players, tail))


def known_to(seat: str | None) -> Pile:
    """How that seat sees a pile: its own open, the others as a number of backs."""
    return lambda owner, cards: _open(cards) if owner == seat else f"?{len(cards)}"


def parse(line: str) -> Position:
    """The table of a whole line, which must be written exactly as `write` does."""
    found = LINE.fullmatch(line)
    if found is None:
        raise BadPosition(f"not a position of vault: {line[:80]!r}")
    rounds, now, faces, disputes, *parts = found.groups()
    deck, shown, contest = parts[15:]
    state = Position(
        rounds=int(rounds),
        round=int(now),
        faces=int(faces),
        disputes=bool(disputes),
        players=tuple(_read_player(parts[i : i + 5]) for i in (0, 5, 10)),
        deck=_cards(deck),
        shown=_cards(shown),
        contest=_read_contest(contest),
    )
    try:
        check(state)
    except BrokenInvariant as wrong:
        raise BadPosition(f"impossible in vault: {wrong}") from None
    if write(state) != line:
        raise BadPosition("cards stand in rising order, shown cards in the order they were shown")
    return state


def _open(cards: tuple[int, ...]) -> str:
    return ",".join(map(str, cards)) or "-"


def _player(seat: str, player: Player, pile: Pile) -> str:
    marks = ("t" if player.told else "") + ("x" if player.left else "")
    return f"{pile(seat, player.hand)}/{pile(seat, player.discards)}/{player.points}/{marks}"


def _contest(contest: Contest | None) -> str:
    return "-" if contest is None else f"{contest.holder}:{contest.card}:{contest.loot}:{contest.asked}"


def _cards(text: str) -> tuple[int, ...]:
    return () if text == "-" else tuple(int(card) for card in text.split(","))


def _read_player(parts: list[str]) -> Player:
    hand, discards, points, told, left = parts
    if list(_cards(hand)) != sorted(_cards(hand)) or list(_cards(discards)) != sorted(_cards(discards)):
        raise BadPosition("the cards of a seat stand in rising order")
    return Player(hand=_cards(hand), discards=_cards(discards), points=int(points), told=bool(told), left=bool(left))


def _read_contest(text: str) -> Contest | None:
    if text == "-":
        return None
    holder, card, loot, asked = text.split(":")
    return Contest(holder, int(card), int(loot), asked)
