"""A mail server for machines where we are not root: aiosmtpd before the same Maildirs, with STARTTLS and AUTH.

It delivers as Postfix does (Return-Path, X-Original-To, Delivered-To above the mail) and knows the same mailboxes; it
sends no bounces.
"""

from __future__ import annotations

import os
import secrets
import socket
import ssl
import time
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, Session

from tests.mail.servers.places import User


class Deliverer:
    """What it does with a mail: refuse whom it does not know, else put it into the Maildir."""

    def __init__(self, mail: Path, domain: str, users: dict[str, str], me: User) -> None:
        self.mail, self.domain, self.users, self.me = mail, domain, users, me

    async def handle_RCPT(
        self, server: Any, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        name, _, domain = address.lower().rpartition("@")
        if domain != self.domain and not session.authenticated:
            return "554 5.7.1 Relay access denied"
        if domain != self.domain or f"{name.partition('+')[0]}@{domain}" not in self.users:
            return "550 5.1.1 User unknown in virtual mailbox table"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    async def handle_DATA(self, server: Any, session: Session, envelope: Envelope) -> str:
        body = envelope.content
        assert isinstance(body, bytes)
        for address in envelope.rcpt_tos:
            above = f"Return-Path: <{envelope.mail_from}>\nX-Original-To: {address}\nDelivered-To: {address}\n"
            self.deliver(address.lower().partition("@")[0].partition("+")[0], above.encode() + body.replace(b"\r", b""))
        return "250 2.0.0 Ok: delivered"

    def deliver(self, name: str, raw: bytes) -> None:
        """The Maildir way: whole under `tmp`, then renamed into `new`."""
        box = self.mail / name
        for part in ("tmp", "new", "cur"):
            (box / part).mkdir(parents=True, exist_ok=True)
        unique = f"{time.time_ns()}.{secrets.token_hex(4)}.{socket.gethostname()}"
        (box / "tmp" / unique).write_bytes(raw)
        if os.geteuid() == 0:
            self.me.owns(box)
        (box / "tmp" / unique).rename(box / "new" / unique)

    def authenticate(self, server: Any, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
        right = self.users.get(data.login.decode()) == data.password.decode()
        return AuthResult(success=right, handled=False)


def start(port: int, tls: tuple[Path, Path], mail: Path, domain: str, users: dict[str, str], me: User) -> Controller:
    """The server on that port, up and answering."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*tls)
    deliverer = Deliverer(mail, domain, users, me)
    controller = Controller(
        deliverer,
        hostname="127.0.0.1",
        port=port,
        tls_context=context,
        authenticator=deliverer.authenticate,
        auth_required=False,
        auth_require_tls=True,
        decode_data=False,
    )
    controller.start()
    return controller
