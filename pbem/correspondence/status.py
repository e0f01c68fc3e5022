"""Status: the games of a player as he may know them, and what happened in one of them so far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from engine import Notice, Seat
from engine.registry import load
from pbem.apart import Apart
from pbem.bounded import TaskDied
from pbem.game.hosting import sitter_of
from pbem.game.overview import seen_waiting
from pbem.ledger import games, players, queues
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Read
from pbem.reports.telling import Who
from pbem.rulebook import NoRules, known

MOST_GAMES = 50


class Mine(NamedTuple):
    """A game of the player, and where he sits in it."""

    row: GameRow
    seat: Seat


def my_games(tx: Read, player: str) -> list[Mine]:
    """The games of a player that are not over, by name."""
    found = [row for row in games.of_player(tx, player) if row.status != games.OVER]
    return [Mine(row, seat) for row in found[:MOST_GAMES] for seat in sorted(row.seats) if row.seats[seat] == player]


def status_lines(tx: Read, player: str, apart: Apart) -> Iterator[Notice]:
    """A line for each game: where it stands, who is waited for, until when, and whether orders of his wait."""
    for mine in my_games(tx, player):
        row, seat = mine
        facts = {"game": row.name, "seat": Who(seat, ""), "turn": row.turn, "status": games.SAID[row.status]}
        waits = _waits(tx, apart, row, seat) if row.status == games.OPEN else ()
        if not waits:
            yield Notice("", "game_rests", "{game}, where you are {seat}: it is {status} at decision {turn}.", facts)
            continue
        facts |= {"who": [_named(tx, row, other) for other in waits], "until": row.deadline_at or ""}
        text = "{game}, where you are {seat}: decision {turn} waits for {who}, until {until}."
        if row.deadline_at is None:
            text = "{game}, where you are {seat}: decision {turn} waits for {who}."
        yield Notice("", "game_waits", text, facts)
        if queues.of_game(tx, row.name)[seat].body:
            yield Notice("", "orders_wait", "{game}: orders of yours are here.", {"game": row.name})


def _waits(tx: Read, apart: Apart, row: GameRow, seat: Seat) -> tuple[Seat, ...]:
    """Nobody where the rules cannot be asked: only they know whether it is a secret who is."""
    try:
        if not known(row.pinned).hides:
            return tuple(row.pending)
        whole = games.get(tx, row.name)
        assert whole is not None, "a game that the player sits in"
        return apart.ask(waited_for, row.pinned, whole.state, seat)
    except (NoRules, TaskDied):
        return ()


def waited_for(pinned: str, state: Any, seat: Seat) -> tuple[Seat, ...]:
    """Who is waited for, as far as that seat may know it. To be asked apart."""
    rules = load(pinned)
    return seen_waiting(rules, rules.restore(state), seat)


def _named(tx: Read, row: GameRow, seat: Seat) -> Who:
    return Who(seat, sitter_of(players.get(tx, row.seats[seat])).name)
