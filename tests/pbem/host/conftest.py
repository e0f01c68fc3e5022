"""A whole host in a temporary folder, with a stopped clock: what a host, a player and a night do, in one line each."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem import keys
from pbem.attending.silence import Policy
from pbem.care.settling import settle
from pbem.config import Config, load
from pbem.deadlines.schedule import Schedule
from pbem.game.eras import eras_of
from pbem.game.hosting import NewGame, add_player, game_named, new_game
from pbem.game.taking import take_file
from pbem.ledger import Ledger, games, outbox, players
from pbem.ledger.games import GameRow
from pbem.mailparts import Parts, parts
from pbem.nightly import night
from pbem.submitting import Settled
from pbem.summary import Summary

NOON = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
DEADLINE = datetime(2026, 11, 18, 20, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def secret(word: str) -> bytes:
    """32 bytes that are the same in every run."""
    return hashlib.sha256(word.encode()).digest()


@dataclass
class Host:
    """The host under test."""

    config: Config
    ledger: Ledger

    def start(
        self, rules: str, name: str = "game", schedule: str = "nightly 20:00", silence: str = "", **options: str
    ) -> None:
        """A game with a player named after each seat."""
        from engine import load as load_rules

        chosen = load_rules(rules)
        seats = chosen.seats(chosen.Options(**options))
        with self.ledger.write() as tx:
            wanted = NewGame(
                rules=rules,
                name=name,
                seats={seat: f"player-{seat}" for seat in seats},
                options=options,
                schedule=Schedule.read(schedule),
                silence=Policy.read(silence),
                seed=secret(f"seed {name}"),
                secret=secret(f"chain {name}"),
            )
            new_game(tx, self.config, wanted, NOON)

    def speak(self, lang: str) -> None:
        """All players read that language."""
        with self.ledger.write() as tx:
            for player in players.every(tx):
                address, zone = player.address or "", player.zone or "UTC"
                players.change(tx, player, address=address, lang=lang, zone=zone, at=NOON)

    def row(self, name: str = "game") -> GameRow:
        with self.ledger.read() as tx:
            return game_named(tx, name)

    def key(self, seat: str, turn: int | None = None, name: str = "game") -> str:
        row = self.row(name)
        turn = row.turn if turn is None else turn
        return keys.key(secret(f"chain {name}"), seat, turn, str(eras_of(row.attendance).of(seat, turn)))

    def file(self, seat: str, *orders: str, turn: int | None = None, key: str | None = None, name: str = "game") -> str:
        """An order file, as the form in the seat's report would make it."""
        turn = self.row(name).turn if turn is None else turn
        lines = [f"game: {name}", f"seat: {seat}", f"turn: {turn}", f"key: {key or self.key(seat, turn, name)}"]
        return "\n".join([*lines, "orders:", *(f"  - {order}" for order in orders), "end: orders", ""])

    def submit(self, text: str, at: datetime = NOON) -> Settled:
        return take_file(self.config, self.ledger, text.encode(), "orders.yml", at)

    def order(self, seat: str, *orders: str, at: datetime = NOON, name: str = "game") -> Settled:
        return self.submit(self.file(seat, *orders, name=name), at)

    def night(self, at: datetime = DEADLINE) -> Summary:
        return night(self.config, self.ledger, at, jobs=1)

    def mails(self, seat: str, name: str = "game") -> list[Parts]:
        """Everything that was written to that seat, in order."""
        with self.ledger.read() as tx:
            return [parts(outbox.raw(tx, mail.message_id)) for mail in outbox.of_game(tx, name) if mail.seat == seat]

    def status(self, name: str = "game") -> str:
        return self.row(name).status

    @property
    def all_games(self) -> list[GameRow]:
        with self.ledger.read() as tx:
            return list(games.every(tx))


@pytest.fixture
def make_host(tmp_path: Path) -> Iterator[Callable[..., Host]]:
    """Hosts in folders of their own, each the same as the other."""
    made: list[Host] = []

    def make(name: str = "host") -> Host:
        config = settle(tmp_path / name, secret=secret("host"))
        ledger = Ledger.open(config.ledger)
        host = Host(load(config.folder / "pbem.toml"), ledger)
        with ledger.write() as tx:
            for number, seat in enumerate(("1", "2", "3", "4", "red", "green", "blue")):
                zone = ("UTC", "Europe/Paris")[number % 2]
                add_player(tx, f"player-{seat}", f"{seat}@players.example", "en", zone, NOON, secret(seat))
        made.append(host)
        return host

    yield make
    for host in made:
        host.ledger.close()


@pytest.fixture
def host(make_host: Callable[..., Host]) -> Host:
    return make_host()
