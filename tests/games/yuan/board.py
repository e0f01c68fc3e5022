"""Positions on the small board of the vectors, played with short orders: `play(drawn("S4: DD=c"), "S DD D1")`."""

from __future__ import annotations

from typing import Any

from engine import Dice, Event, Refusal
from games.yuan import GAME
from games.yuan.notation import pieces_text
from games.yuan.state import State
from tests.games.yuan.vectors import LETTERS, seat_of, state_of


def drawn(before: str, **facts: Any) -> State:
    """A planning position; `facts` are the keys of the turn vectors (terrain, options, temples, turn, need ...)."""
    return state_of({"before": before, **facts})


def read(state: State, order: str) -> Any:
    """The move or refusal of `S DD D1`: clan letter, then the order."""
    letter, text = order.split(maxsplit=1)
    return GAME.read(state, seat_of(state, letter), text)


def code(state: State, order: str) -> str | None:
    """The code of the refusal, None for a legal order."""
    answer = read(state, order)
    return answer.code if isinstance(answer, Refusal) else None


def play(state: State, *orders: str) -> tuple[State, tuple[Event, ...]]:
    """One turn; clans without an order pass in so many words."""
    moves = {clan.seat: GAME.read(state, clan.seat, "PASS") for clan in state.clans}
    for order in orders:
        move = read(state, order)
        assert not isinstance(move, Refusal), f"{order}: {move}"
        moves[seat_of(state, order[0])] = move
    state, events = GAME.resolve(state, moves, Dice.script([]))
    GAME.check(state)
    return state, events


def holding(state: State, letter: str) -> str:
    """What a clan holds, written as in the vectors: `4: DB=c DD=v+1`."""
    clan = next(clan for clan in state.clans if clan.id == LETTERS[letter])
    armies = dict(clan.armies)
    parts = [
        f"{name}={pieces_text(clan, state.land.number[name], armies.get(state.land.number[name], 0))}"
        for name in state.land.named(clan.lands)
    ]
    return " ".join([f"{clan.chao}:", *parts])


def told(events: tuple[Event, ...], kind: str) -> list[dict[str, Any]]:
    """The facts of all events of a kind, in order."""
    return [dict(event.facts) for event in events if event.kind == kind]


def kinds(events: tuple[Event, ...]) -> list[str]:
    """The kinds of all events after the payment, without income and levels."""
    dull = ("plan_revealed", "paid", "income_pass", "income_dev", "levels", "turn_started")
    return [event.kind for event in events if event.kind not in dull]
