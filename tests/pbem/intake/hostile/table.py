"""A host where each hostile input has a game and a player of its own, so that one cannot hide what another did."""

from __future__ import annotations

import email
import email.policy
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import TypeVar

from pbem import keys
from pbem.deadlines.schedule import Schedule
from pbem.game.hosting import NewGame, add_player, new_game
from pbem.ledger import journal, letters, outbox, queues
from pbem.ledger.chain import HOST
from pbem.messages import settle_waiting
from tests.pbem.host.conftest import DAY, NOON, Host, secret

T = TypeVar("T")
EARLIER, LATER = "a1", "b3"


@dataclass
class Table:
    """Games `game0`, `game1`, ... of nim, each with two players nobody else knows. Orders stand for each seat 1."""

    host: Host
    count: int
    arrived: list[str] = field(default_factory=list)  # the names of the bytes that came in later

    def open(self) -> None:
        with self.host.ledger.write() as tx:
            for number in range(self.count):
                for seat in "12":
                    name = f"seat{seat}-{number}"
                    add_player(tx, name, f"{name}@players.example", "en", "UTC", NOON, secret(name))
                seats = {seat: f"seat{seat}-{number}" for seat in "12"}
                game = f"game{number}"
                wanted = NewGame(
                    rules="nim",
                    name=game,
                    seats=seats,
                    options={"heaps": "3,4,5"},
                    schedule=Schedule.read("nightly 20:00"),
                    seed=secret(f"seed {game}"),
                    secret=secret(f"chain {game}"),
                )
                new_game(tx, self.host.config, wanted, NOON)
        for number in range(self.count):
            self.arrive(f"earlier-{number}", self.host.file("1", EARLIER, name=f"game{number}").encode())
        assert self.settle() == {"accepted": self.count}

    def key(self, number: int, seat: str = "1", turn: int = 1) -> str:
        return keys.key(secret(f"chain game{number}"), seat, turn)

    def arrive(self, message_id: str, raw: bytes, route: str = "drop") -> None:
        with self.host.ledger.write() as tx:
            letters.arrive(tx, raw, NOON, route, message_id)

    def settle(self) -> dict[str, int]:
        return settle_waiting(self.host.config, self.host.ledger, NOON)

    def fates(self) -> dict[str, tuple[str, str]]:
        """What became of each message, and the reason that is written down."""
        return {body["message_id"]: (body["fate"], body["reason"]) for body in self._fates()}

    def fates_by_bytes(self) -> dict[str, tuple[str, str]]:
        """The same by the name of the bytes."""
        return {body["sha256"]: (body["fate"], body["reason"]) for body in self._fates()}

    def _fates(self) -> list[dict[str, str]]:
        with self.host.ledger.read() as tx:
            return [json.loads(row.body) for row in journal.rows(tx, HOST, kinds=["letter_fate"])]

    def raw_is_kept(self, raw: bytes) -> bool:
        with self.host.ledger.read() as tx:
            return letters.get(tx, hashlib.sha256(raw).hexdigest()) == raw

    def stands(self, number: int) -> list[str]:
        with self.host.ledger.read() as tx:
            return list((queues.of_game(tx, f"game{number}")["1"].body or {}).get("queue", []))

    def answers(self, number: int) -> list[EmailMessage]:
        """The mails of that game beside the reports and the first receipt, as another parser reads them."""
        with self.host.ledger.read() as tx:
            mails = [outbox.raw(tx, mail.message_id) for mail in outbox.of_game(tx, f"game{number}")]
        read = [email.message_from_bytes(raw, policy=email.policy.default) for raw in mails if raw is not None]
        return [mail for mail in read if mail["X-Pbem-Kind"] not in ("report", "receipt-1")]

    def receipts(self, number: int, seat: str) -> int:
        """How many receipts that seat of the game was sent."""
        with self.host.ledger.read() as tx:
            found = [mail for mail in outbox.of_game(tx, f"game{number}") if mail.seat == seat]
            return sum(b"X-Pbem-Kind: receipt" in outbox.raw(tx, mail.message_id) for mail in found)

    def mails_out(self) -> int:
        with self.host.ledger.read() as tx:
            return len(outbox.due(tx, NOON + DAY))


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def chunks(cases: Sequence[T], size: int) -> list[Sequence[T]]:
    return [cases[first : first + size] for first in range(0, len(cases), size)]
