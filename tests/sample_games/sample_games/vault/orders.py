"""What an order means in vault, by what its own seat may know (VAULT-2, VAULT-3, VAULT-5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine import Refusal
from sample_games.vault.state import CHALLENGE, PASS, RESIGN, WORDS, YIELD, Bid, Move, Position, Say

BID = re.compile(r"(?:bid )?(\d{1,3})", re.ASCII)


def pending(state: Position) -> tuple[str, ...]:
    """Who has to decide now."""
    if state.over:
        return ()
    if state.contest is not None:
        return (state.contest.asked,)  # VAULT-3.1
    return tuple(seat for seat in state.active if state.player(seat).hand)  # VAULT-2.1


def moves(state: Position, seat: str) -> Iterator[Move]:
    if state.contest is not None:
        yield from (CHALLENGE, YIELD)  # VAULT-3.1
        return
    yield from (Bid(card) for card in state.player(seat).hand)  # VAULT-2.1
    yield PASS  # VAULT-2.4


def default(state: Position) -> Move:
    return PASS if state.contest is None else YIELD  # VAULT-2.4, VAULT-3.3


def read(state: Position, seat: str, order: str | Mapping[str, Any]) -> Move | Refusal:
    text = _flat(order) if isinstance(order, Mapping) else order
    words = " ".join(text.lower().split())
    if found := BID.fullmatch(words):
        return _why_not(state, seat, Bid(int(found[1]))) or Bid(int(found[1]))
    if words in WORDS:
        return _why_not(state, seat, WORDS[words]) or WORDS[words]
    return Refusal("VAULT-2.1", "unreadable", "{order} is not a move of vault.", {"order": text}, _menu(state, seat))


def answer(state: Position, seat: str, standing: Mapping[str, Any]) -> Move | None:
    """VAULT-3.4: what the standing answer says to the loot in question, when it says anything."""
    contest, wish = state.contest, standing.get("challenge", "ask")
    if contest is None or contest.asked != seat or wish == "ask":
        return None
    if isinstance(wish, Mapping):
        return CHALLENGE if contest.loot >= int(wish["from"]) else YIELD
    return CHALLENGE if wish == "always" else YIELD


def why_not_standing(standing: Mapping[str, Any]) -> Refusal | None:
    legal = ("challenge: always", "challenge: never", "challenge: ask", "challenge: {from: 4}")
    unknown = sorted(key for key in standing if key != "challenge")
    if unknown:
        text = "There is no standing answer {names}; there is challenge."
        return Refusal("VAULT-3.4", "no_such_standing", text, {"names": unknown}, legal)
    wish = standing.get("challenge", "ask")
    if wish in ("always", "never", "ask"):
        return None
    if isinstance(wish, Mapping) and set(wish) == {"from"} and re.fullmatch("[1-6]", str(wish["from"]), re.ASCII):
        return None
    return Refusal("VAULT-3.4", "bad_standing", "{wish} answers no challenge.", {"wish": str(wish)}, legal)


def _flat(order: Mapping[str, Any]) -> str:
    """The mapping form as words: {do: bid, card: 7} is `bid 7`."""
    kind = str(order.get("do", order.get("action", "bid")))
    return f"{kind} {order.get('card', '')}" if "card" in order else kind


def _menu(state: Position, seat: str) -> tuple[str, ...]:
    return tuple(str(move) for move in moves(state, seat)) if seat in pending(state) else ()


def _why_not(state: Position, seat: str, move: Move) -> Refusal | None:
    if state.over:
        return Refusal("VAULT-4.1", "over", "The game is over.")
    if seat not in state.active:
        return Refusal("VAULT-5.1", "left", "Seat {seat} has resigned.", {"seat": seat})
    if move == RESIGN:
        return None  # VAULT-5.1: at any time
    if state.contest is not None:
        return _why_not_answer(state, seat, move)
    return _why_not_bid(state, seat, move)


def _why_not_answer(state: Position, seat: str, move: Move) -> Refusal | None:
    assert state.contest is not None
    if seat != state.contest.asked:
        facts = {"asked": state.contest.asked}
        return Refusal("VAULT-3.1", "not_asked", "Seat {asked} is asked now, nobody else.", facts)
    if move not in (CHALLENGE, YIELD):
        return Refusal("VAULT-3.1", "answer_first", "Challenge or yield first.", {}, ("challenge", "yield"))
    return None


def _why_not_bid(state: Position, seat: str, move: Move) -> Refusal | None:
    hand = state.player(seat).hand
    if not hand:
        return Refusal("VAULT-2.1", "no_cards", "Seat {seat} has no card left.", {"seat": seat})
    if isinstance(move, Say):
        ok = move == PASS
        return None if ok else Refusal("VAULT-3.1", "no_question", "Nothing is asked now.", {}, _menu(state, seat))
    if move.card not in hand:
        facts = {"card": move.card, "hand": hand}
        return Refusal("VAULT-2.1", "not_held", "You do not hold {card}; you hold {hand}.", facts, _menu(state, seat))
    return None
