"""A mailbox as its owner has it: read over IMAP with TLS, and nothing else known of the world."""

from __future__ import annotations

import imaplib
import re
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message

from tests.mail.servers.stack import Account, Stack
from tests.mail.servers.waiting import until


@dataclass(slots=True)
class Mailbox:
    """The inbox of an account; a line to it stays open until `close`."""

    stack: Stack
    account: Account
    read: int = 0  # how many mails of it were read
    _line: imaplib.IMAP4_SSL | None = field(default=None, repr=False)

    @property
    def line(self) -> imaplib.IMAP4_SSL:
        if self._line is None:
            line = imaplib.IMAP4_SSL(self.stack.host, self.stack.imaps, ssl_context=self.stack.trust, timeout=30)
            line.login(self.account.address, self.account.password)
            line.select("INBOX")
            self._line = line
        return self._line

    @property
    def size(self) -> int:
        """How many mails lie there now."""
        self.line.noop()
        answer = self.line.untagged_responses.get("EXISTS") or [b"0"]
        return int(answer[-1])

    def raw(self) -> list[bytes]:
        """The mails that were not read before, as they came."""
        size, first = self.size, self.read + 1
        if size < first:
            return []
        status, answer = self.line.fetch(f"{first}:{size}", "(RFC822)")
        assert status == "OK", answer
        self.read = size
        return [part[1] for part in answer if isinstance(part, tuple)]

    def new(self) -> list[Message]:
        """The mails that were not read before."""
        return [message_from_bytes(raw) for raw in self.raw()]

    def wait_for(self, number: int, seconds: float = 60.0) -> list[Message]:
        """So many new mails, as soon as they are there, or more."""
        until(lambda: self.size >= self.read + number, f"mail {self.read + number} to {self.account.name}", seconds)
        return self.new()

    def forget(self) -> None:
        """Close the line; the next question opens another."""
        line, self._line = self._line, None
        if line is not None:
            line.logout()


def words(mail: Message) -> str:
    """The plain text of a mail."""
    for part in mail.walk():
        if part.get_content_type() == "text/plain" and part.get_content_disposition() != "attachment":
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            return payload.decode(part.get_content_charset() or "utf-8").replace("\r\n", "\n")
    return ""


def attached(mail: Message, name: str) -> bytes:
    """The file of that name in a mail."""
    for part in mail.walk():
        if part.get_filename() == name:
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            return payload
    raise LookupError(f"no {name} in {mail['Subject']!r}")


def unfolded(value: str) -> str:
    """A header on one line."""
    return re.sub(r"\r?\n[ \t]+", " ", value)


def page(mail: Message) -> str:
    """The HTML of a mail."""
    for part in mail.walk():
        if part.get_content_type() == "text/html" and part.get_content_disposition() != "attachment":
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            return payload.decode(part.get_content_charset() or "utf-8").replace("\r\n", "\n")
    return ""
