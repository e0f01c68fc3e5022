"""Games whose dice are still to be settled, and what their players send."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

import pytest

from engine import load as load_rules
from pbem.deadlines.schedule import Schedule
from pbem.game.hosting import NewGame, add_player, new_game
from pbem.ledger import journal, players
from pbem.seeding.protocol import BEACON, PLAYERS, Wish
from pbem.submitting import Settled
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, make_host, secret

__all__ = ["make_host"]

BY_PLAYERS = Wish(PLAYERS)
KNOWN_AT = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)
BY_BEACON = Wish(BEACON, "drand quicknet, round 12345678", "2026-11-19T20:00:00Z")
VALUE = "5af1c0ffee" + "0123456789abcdef" * 3
SECOND, THIRD = DEADLINE + DAY, DEADLINE + 2 * DAY


def text_of(seat: str, round: int = 1) -> str:
    return f"secret-text-{round}-of-{seat}"


def hash_of(seat: str, round: int = 1) -> str:
    return hashlib.sha256(text_of(seat, round).encode()).hexdigest()


class Seeded:
    """A host with one game whose dice are to be settled in that way."""

    def __init__(self, host: Host, wish: Wish | None, rules: str = "yut", seed: bytes = b"", **more: Any) -> None:
        self.host = host
        chosen = load_rules(rules)
        self.seats = chosen.seats(chosen.Options(**more))
        with host.ledger.write() as tx:
            for seat in self.seats:
                if players.by_name(tx, f"player-{seat}") is None:
                    address = f"{seat}@players.example"
                    add_player(tx, f"player-{seat}", address, "en", "UTC", NOON, secret(f"p{seat}"))
            wanted = NewGame(
                rules=rules,
                name="game",
                seats={seat: f"player-{seat}" for seat in self.seats},
                options=more,
                schedule=Schedule.read("nightly 20:00"),
                seed=seed or secret("seed game"),
                secret=secret("chain game"),
                dice=wish,
            )
            self.sheet = new_game(tx, host.config, wanted, NOON)

    def send(self, seat: str, nonce: str, at: datetime = NOON) -> Settled:
        key = self.host.key(seat, 0)
        return self.host.submit(f"game: game\nseat: {seat}\nturn: 0\nkey: {key}\nnonce: {nonce}\nend: orders\n", at)

    def commit(self, *seats: str, round: int = 1, at: datetime = NOON) -> None:
        for seat in seats or self.seats:
            done = self.send(seat, hash_of(seat, round), at)
            assert done.fate == "accepted", done

    def reveal(self, *seats: str, round: int = 1, at: datetime = NOON) -> None:
        for seat in seats or self.seats:
            done = self.send(seat, text_of(seat, round), at)
            assert done.fate == "accepted", done

    def rows(self, *kinds: str) -> list[dict[str, Any]]:
        with self.host.ledger.read() as tx:
            return [row.facts() | {"kind": row.kind} for row in journal.rows(tx, "game", kinds=kinds)]

    @property
    def acts(self) -> list[str]:
        return [row["act"] for row in self.rows("dice")]

    @property
    def status(self) -> str:
        return self.host.status()

    def told(self, seat: str) -> str:
        """The last letter to that seat, on one line."""
        return " ".join(self.host.mails(seat)[-1].text.split())


@pytest.fixture
def host(make_host) -> Host:
    return make_host()
