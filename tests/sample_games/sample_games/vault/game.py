"""Vault as the host asks for it: every answer of the Game interface, with secrets, luck and a question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine import Dice, Event, Game, Notice, Outcome, Refusal, Turned, View
from sample_games.vault import imagining, line, orders, resolving
from sample_games.vault.state import RESIGN, SEATS, Bid, Choices, Move, Position, check


class Vault(Game[Position, Move]):
    id = "vault"
    version = "1"
    title = {"en": "Vault"}
    Options = Choices
    State = Position

    def seats(self, options: Choices) -> tuple[str, ...]:
        return SEATS

    def setup(self, options: Choices, dice: Dice) -> Turned:
        return resolving.setup(options, dice)

    def pending(self, state: Position) -> tuple[str, ...]:
        return orders.pending(state)

    def decision(self, state: Position) -> str:
        return "over" if state.over else "bid" if state.contest is None else "challenge"

    def moves(self, state: Position, seat: str) -> Iterator[Move]:
        return orders.moves(state, seat)

    def read(self, state: Position, seat: str, order: str | Mapping[str, Any]) -> Move | Refusal:
        return orders.read(state, seat, order)

    def default(self, state: Position, seat: str) -> Move:
        return orders.default(state)

    def at_once(self, state: Position, seat: str, move: Move) -> bool:
        return move == RESIGN and seat in state.active and not state.over  # VAULT-5.1

    def resignation(self, state: Position, seat: str) -> Move | None:
        return RESIGN if self.at_once(state, seat, RESIGN) else None

    def answer(self, state: Position, seat: str, standing: Mapping[str, Any]) -> Move | None:
        return orders.answer(state, seat, standing)

    def why_not_standing(self, state: Position, seat: str, standing: Mapping[str, Any]) -> Refusal | None:
        return orders.why_not_standing(standing)

    def interrupts(self, state: Position, seat: str) -> bool:
        return state.contest is not None and state.contest.asked == seat  # VAULT-3.1

    def resolve(self, state: Position, moves: Mapping[str, Move], dice: Dice) -> Turned:
        return resolving.resolve(state, moves, dice)

    def view(self, state: Position, seat: str | None) -> View:
        own = None if seat is None else state.player(seat)
        facts: dict[str, Any] = {"round": state.round, "rounds": state.rounds, "faces": state.faces}
        facts |= {"seats": [_public(state, name) for name in SEATS], "shown": list(state.shown)}
        facts |= {"hand": None if own is None else list(own.hand), "over": state.over}
        facts |= {"discards": None if own is None else list(own.discards), "contest": _contest(state)}
        facts["highest_spare"] = max(state.deck) if own is not None and own.told else None  # VAULT-2.5
        known = line.write(state, line.known_to(seat))
        return View(seat, self.pending(state), self.decision(state), known, facts)

    def outcome(self, state: Position) -> Outcome | None:
        if not state.over:
            return None
        scores = {seat: state.player(seat).points for seat in SEATS}
        order = sorted({(not state.player(seat).left, scores[seat]) for seat in SEATS}, reverse=True)
        places = tuple(tuple(s for s in SEATS if (not state.player(s).left, scores[s]) == rank) for rank in order)
        alone = len(state.active) < 2
        return Outcome(places, scores, "VAULT-5.3" if alone else "VAULT-4.2", "one seat left" if alone else "points")

    def position(self, state: Position) -> str:
        return line.write(state)

    def from_position(self, text: str) -> Position:
        return line.parse(text)

    def notices(self, state: Position, seat: str, move: Move) -> tuple[Notice, ...]:
        if isinstance(move, Bid) and len(state.player(seat).hand) == 1 and state.round < state.rounds:
            return (Notice("VAULT-2.1", "last_card", "{card} is your last card.", {"card": move.card}),)
        return ()

    def preview(self, state: Position, seat: str, move: Move) -> tuple[Event, ...]:
        if isinstance(move, Bid):
            left = len(state.player(seat).hand) - 1
            return (Event("bids", "VAULT-2.1", {"seat": seat, "card": move.card, "left": left}),)
        kinds = {"pass": ("passed", "VAULT-2.4"), "challenge": ("challenges", "VAULT-3.2")}
        kinds |= {"yield": ("yielded", "VAULT-3.3"), "resign": ("resigned", "VAULT-5.1")}
        kind, rule = kinds[move.word]
        return (Event(kind, rule, {"seat": seat}),)

    def shown(self, state: Position, seat: str, move: Move, reader: str | None) -> str | None:
        return None if isinstance(move, Bid) and reader != seat else str(move)  # VAULT-2.1, VAULT-2.3

    def imagine(self, state: Position, seat: str, dice: Dice) -> Position:
        return imagining.imagine(state, seat, dice)

    def appraise(self, state: Position, seat: str) -> int:
        """Points ahead of the best other seat; a card in hand is worth a little, a high one more."""
        own, others = state.player(seat), [state.player(other) for other in SEATS if other != seat]
        return 20 * (own.points - max(other.points for other in others)) + sum(own.hand)

    def check(self, state: Position) -> None:
        check(state)


def _public(state: Position, seat: str) -> dict[str, Any]:
    """What everybody sees of a seat."""
    player = state.player(seat)
    facts = {"seat": seat, "points": player.points, "cards": len(player.hand), "left": player.left}
    return facts | {"discarded": len(player.discards), "told": player.told}


def _contest(state: Position) -> dict[str, Any] | None:
    contest = state.contest
    if contest is None:
        return None
    return {"holder": contest.holder, "card": contest.card, "loot": contest.loot, "asked": contest.asked}
