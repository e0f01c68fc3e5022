"""What a seat may not know: for each game, how to change just that and leave the rest as it is (G25).

A twin is the same decision point as it might also be, as far as one seat can tell. A game with nothing hidden has
twins too: what the other seats have ordered is theirs until the turn is resolved. A game with secrets in its state
needs an entry in `TWINS`, made from its rules and not from its views.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from engine import Dice, Move, Seat
from engine.registry import AnyGame
from tests.every_game.playing import Step

SEATS = ("red", "green", "blue")  # of vault


class Twin(NamedTuple):
    """Another state and other moves; `after`: whether even the resolved turn must look the same to the seat."""

    state: Any
    moves: Mapping[Seat, Move]
    after: bool


def twin(game: AnyGame, step: Step, seat: Seat | None, luck: random.Random) -> Twin | None:
    """What else might be the case, or None when there is nothing the seat does not know."""
    return TWINS.get(game.id, open_twin)(game, step, seat, luck)


def open_twin(game: AnyGame, step: Step, seat: Seat | None, luck: random.Random) -> Twin | None:
    """The same state, with other orders of the other seats."""
    moves = dict(step.moves)
    for other in game.pending(step.state):
        if other != seat and other in moves:
            moves[other] = luck.choice(list(islice(game.moves(step.state, other), 200)))
    return None if moves == step.moves else Twin(step.state, moves, after=False)


def vault_twin(game: AnyGame, step: Step, seat: Seat | None, luck: random.Random) -> Twin | None:
    """Other cards in other hands, face down and left over, where the seat learns the same in this turn."""
    learns = _learns(step.state, step.moves, seat)
    for _ in range(50):
        cards = _dealt_anew(step, seat, luck)
        state = _with_cards(step.state, cards)
        moves = {who: type(move)(cards.get(*move, *move)) for who, move in step.moves.items()}
        if state != step.state and _learns(state, moves, seat) == learns:
            return Twin(state, moves, after=True)
    return None


def _dealt_anew(step: Step, seat: Seat | None, luck: random.Random) -> dict[int, int]:
    """Card -> the card in its place: a new deal of all that the seat does not see, but for the bid that is shown."""
    state = step.state
    secret = set(state.deck)
    for name, player in zip(SEATS, state.players, strict=True):
        secret |= set() if name == seat else {*player.hand, *player.discards}
    shown, _ = _ranks(state, step.moves)
    cards = sorted(secret - set(shown))
    return dict(zip(cards, luck.sample(cards, len(cards)), strict=True))


def _learns(state: Any, moves: Mapping[Seat, Any], seat: Seat | None) -> tuple[Any, ...]:
    """VAULT-2.3, 2.5, 3.1: the highest bid, whose came second, and for who passed or has passed the highest spare."""
    told = seat is not None and (state.players[SEATS.index(seat)].told or str(moves.get(seat)) == "pass")
    return (*_ranks(state, moves), max(state.deck) if told else None)


def _with_cards(state: Any, cards: Mapping[int, int]) -> Any:
    def pile(old: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(cards.get(card, card) for card in old))

    players = tuple(replace(one, hand=pile(one.hand), discards=pile(one.discards)) for one in state.players)
    return replace(state, players=players, deck=pile(state.deck))


def _ranks(state: Any, moves: Mapping[Seat, Any]) -> tuple[tuple[Any, ...], Seat | None]:
    """The highest card with its seat, and who came second if he is asked."""
    bids = sorted(((move.card, who) for who, move in moves.items() if hasattr(move, "card")), reverse=True)
    return bids[0] if bids else (), bids[1][1] if len(bids) > 1 and state.disputes else None


def khan_twin(game: AnyGame, step: Step, seat: Seat | None, luck: random.Random) -> Twin | None:
    """Other hands of others, another pile, other standing instructions (KHAN-20)."""
    state = step.state
    others = [number for number, name in enumerate(game.seats(state.options)) if name != seat]
    cards = [*state.draw, *(card for number in others for card in state.hands[number])]
    luck.shuffle(cards)
    hands, standing = list(state.hands), list(state.standing)
    for number in others:
        count = len(hands[number])
        hands[number], cards = tuple(sorted(cards[:count])), cards[count:]
        if number not in state.gone:
            standing[number] = standing[number]._replace(consent=luck.choice(("ask", "always", "never")))
    other = replace(state, hands=tuple(hands), draw=tuple(cards), standing=tuple(standing))
    moves = dict(step.moves)
    for name in set(game.pending(state)) & set(moves) - {seat}:
        moves[name] = luck.choice(list(islice(game.moves(other, name), 200)))
    return None if other == state and moves == step.moves else Twin(other, moves, after=False)


def two_deals(game: AnyGame, options: Any, seat: Seat | None, luck: random.Random) -> tuple[Dice, Dice]:
    """Scripted dice for two set-ups of vault that give this seat the same hand."""
    size = 3 * options.hand + 3
    deal = luck.sample(range(1, size + 1), size)
    first = SEATS.index(seat) * options.hand if seat else size
    own = range(first, first + options.hand)
    others = [at for at in range(size) if at not in own]
    other = list(deal)
    for at, start in zip(others, luck.sample(others, len(others)), strict=True):
        other[at] = deal[start]
    return _dealing(deal), _dealing(other)


def _dealing(target: list[int]) -> Dice:
    """Dice whose shuffle of 1, 2, 3, ... gives these cards in this order."""
    cards, picks = list(range(1, len(target) + 1)), []
    for i in range(len(cards) - 1, 0, -1):
        j = cards.index(target[i], 0, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
        picks.append((i + 1, j))
    return Dice.script(picks)


TWINS: Mapping[str, Callable[[AnyGame, Step, Seat | None, random.Random], Twin | None]] = {
    "vault": vault_twin,
    "khan": khan_twin,
}
TWO_SETUPS: Mapping[str, Callable[[AnyGame, Any, Seat | None, random.Random], tuple[Dice, Dice]]] = {"vault": two_deals}
# A seat's line of a game with nothing hidden may say whose it is; this is what it looks like without.
WHOLE: Mapping[str, Callable[[str], str]] = {"yuan": lambda line: re.sub(";view=[^;]*", "", line, count=1)}
