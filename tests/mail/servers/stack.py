"""What a test knows of the running servers: where they listen, whom to trust, and mailboxes of its own."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

DOMAIN = "pbem.test"
BOXES = 500  # mailboxes made in advance; a test takes as many as it wants, each once
NAMES = tuple(f"box{number:03d}" for number in range(BOXES))
POSTFIX, POLITE = "postfix", "aiosmtpd"


@dataclass(frozen=True, slots=True)
class Account:
    """One mailbox: its address, and the password for SMTP and IMAP."""

    name: str

    @property
    def address(self) -> str:
        return f"{self.name}@{DOMAIN}"

    @property
    def password(self) -> str:
        return f"secret of {self.name}"


USERS = {Account(name).address: Account(name).password for name in NAMES}


@dataclass(frozen=True, slots=True)
class Stack:
    """The servers of this session."""

    folder: str
    kind: str  # of the mail server
    smtp: int  # STARTTLS and AUTH; takes mail for its own domain from anybody
    smtps: int  # the same with TLS from the start; 0 where there is none
    imap: int  # STARTTLS
    imaps: int

    host = "localhost"

    @property
    def certificate(self) -> Path:
        return Path(self.folder) / "cert.pem"

    @property
    def key(self) -> Path:
        return Path(self.folder) / "key.pem"

    @property
    def trust(self) -> ssl.SSLContext:
        """TLS that believes in these servers and in nobody else."""
        return ssl.create_default_context(cafile=str(self.certificate))

    @property
    def mail(self) -> Path:
        """The Maildirs, by the names of the accounts."""
        return Path(self.folder) / "mail"

    @property
    def auth_socket(self) -> Path:
        return Path(self.folder) / "dovecot" / "run" / "auth-smtp"

    def account(self) -> Account:
        """A mailbox that no other test has had."""
        return next(self._free_accounts())

    def _free_accounts(self) -> Iterator[Account]:
        taken = Path(self.folder) / "taken"
        for number in count():
            try:
                (taken / NAMES[number]).touch(exist_ok=False)
            except FileExistsError:
                continue
            yield Account(NAMES[number])

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Stack:
        return cls(**json.loads(text))
