"""A host with its post: mails as players' programs write them come in, and what was written to each address is read."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from itertools import count

import pytest

from pbem import keys
from pbem.arriving.message import arrived_by
from pbem.arriving.storing import store
from pbem.ledger import journal, letters, outbox
from pbem.ledger.journal import JournalRow
from pbem.messages import settle_waiting
from tests.pbem.host.conftest import NOON, Host, make_host

__all__ = ["NOON", "Post", "make_host", "make_post", "post"]


@dataclass
class Post:
    """The host's mail, in and out."""

    host: Host
    number: Iterator[int] = field(default_factory=lambda: count(1))

    def tagged(self, seat: str, turn: int | None = None, name: str = "game", key: str | None = None) -> str:
        """The address that a letter to that seat asks to be answered at."""
        turn = self.host.row(name).turn if turn is None else turn
        return keys.tag(self.host.config.address, key or self.host.key(seat, turn, name), turn, seat, name)

    def mail(
        self,
        body: str,
        *,
        seat: str = "1",
        to: str | None = None,
        sender: str | None = None,
        subject: str = "Re: the game",
        message_id: str | None = None,
        answers: str = "",
        more: str = "",
        turn: int | None = None,
        name: str = "game",
        kind: str = "text/plain; charset=utf-8",
    ) -> bytes:
        """A mail as a player's program writes it, answering the seat's letter unless `to` says otherwise."""
        to = self.tagged(seat, turn, name) if to is None else to
        sender = f"{seat}@players.example" if sender is None else sender
        head = [
            f"Delivered-To: {to}",
            f"From: Player {seat} <{sender}>",
            f"To: {to}",
            f"Subject: {subject}",
            f"Message-ID: {message_id or f'<m{next(self.number)}@players.example>'}",
            "Date: Wed, 18 Nov 2026 12:00:00 +0000",
            "MIME-Version: 1.0",
            f"Content-Type: {kind}",
            "Content-Transfer-Encoding: 8bit",
        ]
        head += [f"In-Reply-To: {answers}", f"References: {answers}"] if answers else []
        text = "\n".join(head) + f"\n{more}\n{body}\n"
        return text.replace("\n", "\r\n").encode()

    def bring(self, *raws: bytes, at: datetime = NOON, route: str = "lmtp") -> dict[str, int]:
        """Let mails come in and be judged; gives how many had which fate."""
        store(self.host.ledger, [arrived_by(raw, at) for raw in raws], route)
        return settle_waiting(self.host.config, self.host.ledger, at)

    def write(self, body: str, at: datetime = NOON, **more: object) -> str:
        """One mail; gives its fate."""
        [(fate, _)] = self.bring(self.mail(body, **more), at=at).items()  # type: ignore[arg-type]
        return fate

    def sent(self, address: str = "", game: str | None = None) -> list[EmailMessage]:
        """All that was ever written, or all to that address, as another parser than ours reads it."""
        with self.host.ledger.read() as tx:
            rows = [row.facts()["message_id"] for row in journal.rows(tx, game, kinds=("mail",))]
            raws = [outbox.raw(tx, message_id) for message_id in rows]
        found = [email.message_from_bytes(raw, policy=email.policy.default) for raw in raws]
        return [mail for mail in found if isinstance(mail, EmailMessage) and address in str(mail["To"])]

    def last(self, seat: str = "1") -> EmailMessage:
        return self.sent(f"{seat}@players.example")[-1]

    def text(self, seat: str = "1") -> str:
        """The words of the last letter to a seat, on one line."""
        return words(self.last(seat))

    def count(self, seat: str = "1") -> int:
        return len(self.sent(f"{seat}@players.example"))

    def rows(self, kind: str, chain: str = "game") -> list[JournalRow]:
        with self.host.ledger.read() as tx:
            return list(journal.rows(tx, chain, kinds=(kind,)))

    def fates(self) -> dict[str, int]:
        with self.host.ledger.read() as tx:
            return letters.counts(tx)


def words(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return " ".join(str(body.get_content()).split())


def quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


@pytest.fixture
def make_post(make_host: Callable[..., Host]) -> Callable[..., Post]:
    return lambda name="host": Post(make_host(name))


@pytest.fixture
def post(make_post: Callable[..., Post]) -> Post:
    """A host with a game of nim that has been begun."""
    found = make_post()
    found.host.start("nim", heaps="3,4,5")
    return found
