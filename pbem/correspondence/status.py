"""Status: the games of a player as he may know them, and what happened in one of them so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine import Notice, Seat
from pbem.game.history import step_of
from pbem.game.hosting import sitter_of
from pbem.game.sheet import Sheet
from pbem.ledger import games, journal, players, queues
from pbem.ledger.games import GameRow
from pbem.ledger.journal import JournalRow
from pbem.ledger.transaction import Read
from pbem.reports.telling import Who

MOST_GAMES = 50
MOST_TURNS = 40


class Mine(NamedTuple):
    """A game of the player, and where he sits in it."""

    row: GameRow
    seat: Seat


def my_games(tx: Read, player: str) -> list[Mine]:
    """The games of a player that are not over, by name."""
    found = [row for row in games.of_player(tx, player) if row.status != games.OVER]
    return [Mine(row, seat) for row in found[:MOST_GAMES] for seat in sorted(row.seats) if row.seats[seat] == player]


def status_lines(tx: Read, player: str) -> Iterator[Notice]:
    """A line for each game: where it stands, who is waited for, until when, and whether orders of his wait."""
    for mine in my_games(tx, player):
        row, seat = mine
        facts = {"game": row.name, "seat": seat, "turn": row.turn, "status": row.status}
        if row.status != games.OPEN:
            yield Notice("", "game_rests", "{game}, where you are {seat}: it is {status} at decision {turn}.", facts)
            continue
        facts |= {"who": [_named(tx, row, other) for other in row.pending], "until": row.deadline_at or ""}
        text = "{game}, where you are {seat}: decision {turn} waits for {who}, until {until}."
        if row.deadline_at is None:
            text = "{game}, where you are {seat}: decision {turn} waits for {who}."
        yield Notice("", "game_waits", text, facts)
        if queues.of_game(tx, row.name)[seat].body:
            yield Notice("", "orders_wait", "{game}: orders of yours are here.", {"game": row.name})


def _named(tx: Read, row: GameRow, seat: Seat) -> Who:
    return Who(seat, sitter_of(players.get(tx, row.seats[seat])).name)


def history_rows(tx: Read, row: GameRow) -> list[JournalRow]:
    """The last turns of a game as they were written, and the one before them, from which they go on."""
    first = max(0, row.turn - MOST_TURNS - 1)
    return [step for number in range(first, row.turn + 1) for step in journal.steps_of(tx, row.name, number)]


def history_lines(sheet: Sheet, rows: Sequence[JournalRow], seat: Seat) -> list[Notice]:
    """What each decided, as far as that seat may know it. To be asked apart."""
    rules, told, before = sheet.rules, [], None
    for row in rows:
        if before is None:  # the set-up, or the turn before the first that is told
            before = rules.restore(row.facts()["state"])
            continue
        step = step_of(rules, before, row)
        for mover, made in step.moves.items():
            shown = rules.shown(before, mover, made.move, seat)
            facts = {"turn": step.turn, "who": mover, "move": shown or "", "how": HOW.get(made.how, made.how)}
            text = "Decision {turn}: {who}: {move} ({how})." if shown else "Decision {turn}: {who} has decided ({how})."
            told.append(Notice("", "decided", text, facts))
        before = step.state
    return told


HOW = {"given": "as ordered", "standing": "by standing order", "draft": "from a draft", "default": "no orders came"} | {
    "resigned": "the seat has resigned", "stand-in": "by the stand-in"
}  # fmt: skip
