"""Mails through a server: one connection for many, a new one after trouble, and for each mail what the server said.

smtplib speaks the lines; the order of them is ours, because it must be known how far a mail had come when something
broke: until the server has asked for its text nobody can have it, from then on nobody knows.
"""

from __future__ import annotations

import smtplib
import ssl
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from pbem.errors import Trouble
from pbem.ledger.outbox import REFUSED, SENT, UNKNOWN
from pbem.post.bounds import Plain, Tls, connected, tls_context
from pbem.post.carrier import LATER, Answer, Parcel
from pbem.post.settings import Smtp
from pbem.post.words import said_by

GOODBYE = 5.0  # seconds for a polite end
OURS = frozenset({530, 534, 535, 538})  # the server wants something of us that no mail is to blame for
Reply = tuple[int, bytes]


class NotReached(Exception):
    """There is no conversation with the server; the words say why."""


class Client(smtplib.SMTP):
    """A conversation that keeps a time as a whole."""

    def __init__(self, settings: Smtp, until: float, greeting: str) -> None:
        self._settings, self._until = settings, until
        self._tls = None if settings.tls == "none" else tls_context(settings.ca_file)
        super().__init__(local_hostname=greeting)
        self._host = settings.place.host  # whose certificate it must be

    def _get_socket(self, host: str, port: int, timeout: float) -> Any:
        plain = connected(host, port, self._until)
        return self._wrapped(plain) if self._settings.tls == "tls" else plain

    def _wrapped(self, plain: Plain) -> Any:
        assert self._tls is not None
        try:
            wrapped = self._tls.wrap_socket(plain, server_hostname=self._host)
        except OSError:
            plain.close()
            raise
        assert isinstance(wrapped, Tls)
        wrapped.bound(self._until)
        return wrapped

    def bound(self, until: float) -> None:
        """All that follows must be over by then."""
        self._until = until
        if isinstance(self.sock, (Plain, Tls)):
            self.sock.bound(until)

    def open(self) -> None:
        """Reach the server, and be let in."""
        place = self._settings.place
        self._expect(self.connect(place.host, place.port), 220)
        self.ehlo_or_helo_if_needed()
        if self._settings.tls == "starttls":
            if not self.has_extn("starttls"):
                raise NotReached("it offers no STARTTLS, and nothing is sent in the clear")
            self.starttls(context=self._tls)
            self.bound(self._until)
            self.ehlo_or_helo_if_needed()
        if self._settings.user:
            self._log_in(self._settings.user)

    def _log_in(self, user: str) -> None:
        password = self._settings.password()
        try:
            if f"{user}{password}".isascii():
                self.login(user, password)
            else:
                self._log_in_plain(user, password)
        except smtplib.SMTPAuthenticationError as refused:
            # Not in the server's words: they may hold the password, and are written down for good.
            raise NotReached(f"it does not let {user} in with that password ({refused.smtp_code})") from None

    def _log_in_plain(self, user: str, password: str) -> None:
        """smtplib writes no letter beyond ASCII; of the ways to log in, PLAIN says how it is written (RFC 4616)."""
        if "PLAIN" not in self.esmtp_features.get("auth", "").upper().split():
            raise NotReached("it offers no way to log in by a password with letters beyond ASCII")
        word = b64encode(f"\0{user}\0{password}".encode()).decode()
        reply = self.docmd("AUTH", f"PLAIN {word}")
        if reply[0] != 235:
            raise smtplib.SMTPAuthenticationError(*reply)

    def _expect(self, reply: Reply, code: int) -> None:
        if reply[0] != code:
            raise NotReached(_told(reply))

    def hand_over(self, raw: bytes) -> Reply:
        """The text of a mail, after the server has asked for it. A dot that begins a line is doubled."""
        self.send(_dotted(raw) + (b".\r\n" if raw.endswith(b"\r\n") else b"\r\n.\r\n"))
        return self.getreply()


def _dotted(raw: bytes) -> bytes:
    """The text with every dot doubled that begins a line; a pattern takes four times as long to find them."""
    dotted = raw.replace(b"\n.", b"\n..")
    return b"." + dotted if raw.startswith(b".") else dotted


class SmtpCarrier:
    """The way out through a server."""

    at_a_time = 1
    repeatable = False

    def __init__(self, settings: Smtp, connect_seconds: float, mail_seconds: float, greeting: str) -> None:
        self.settings = settings
        self.connect_seconds, self.mail_seconds = connect_seconds, mail_seconds
        self.greeting = greeting
        self._client: Client | None = None
        self._answered = 0  # mails on the open conversation

    def carry(self, parcels: Sequence[Parcel]) -> list[Answer]:
        return [self._one(parcel) for parcel in parcels]

    def _one(self, parcel: Parcel) -> Answer:
        """Some servers take so many mails on a connection, then they hang up or say 421. That is said of the connection
        and of no mail, so the next one goes over a new connection at once; what is said there holds."""
        until, had_answered = monotonic() + self.mail_seconds, self._answered
        answer = self._tried(parcel)
        if had_answered and answer.trouble and answer.fate == LATER and monotonic() < until:
            answer = self._tried(parcel)
        return answer

    def _tried(self, parcel: Parcel) -> Answer:
        try:
            client = self._reached()
        except NotReached as trouble:
            return Answer(LATER, f"{self.settings.place}: {trouble}", trouble=True)
        client.bound(monotonic() + self.mail_seconds)
        asked = False
        try:
            for command, argument in _envelope(client, parcel):
                reply = client.docmd(command, argument)
                if reply[0] // 100 != (3 if command == "DATA" else 2):
                    return self._not_taken(reply)
            asked = True
            reply = client.hand_over(parcel.raw)
        except (OSError, smtplib.SMTPException, ValueError) as error:
            self._drop()
            words = f"{self.settings.place}: {_why(error)}"
            return Answer(UNKNOWN if asked else LATER, words, trouble=True)
        if reply[0] // 100 == 2:
            self._answered += 1
            return Answer(SENT, _told(reply))
        return self._not_taken(reply, UNKNOWN)

    def _reached(self) -> Client:
        """The open conversation, or a new one."""
        if self._client is None:
            client = None
            try:
                client = Client(self.settings, monotonic() + self.connect_seconds, self.greeting)
                client.open()
            except (OSError, smtplib.SMTPException, ValueError, NotReached, Trouble) as error:
                if client is not None:
                    client.close()
                raise NotReached(_why(error)) from error
            self._client = client
        return self._client

    def _not_taken(self, reply: Reply, odd: str = LATER) -> Answer:
        """What a server means that does not say yes."""
        code, told = reply[0], _told(reply)
        if code == 421 or code in OURS or code // 100 not in (4, 5):
            self._drop()  # it has had enough, or wants something of us, or is not to be understood
            return Answer(LATER if code // 100 in (4, 5) else odd, f"{self.settings.place}: {told}", trouble=True)
        assert self._client is not None
        self._answered += 1
        try:
            if self._client.rset()[0] != 250:
                self._drop()
        except (OSError, smtplib.SMTPException):
            self._drop()
        return Answer(REFUSED if code // 100 == 5 else LATER, told)

    def _drop(self) -> None:
        self._answered = 0
        if self._client is not None:
            self._client.close()
            self._client = None

    def close(self) -> None:
        if self._client is not None:
            self._client.bound(monotonic() + GOODBYE)
            with suppress(OSError, smtplib.SMTPException):
                self._client.quit()
            self._drop()


def _envelope(client: Client, parcel: Parcel) -> list[tuple[str, str]]:
    """The commands before the text of a mail."""
    size = f" SIZE={len(parcel.raw)}" if client.has_extn("size") else ""
    return [("MAIL", f"FROM:<{parcel.sender}>{size}"), ("RCPT", f"TO:<{parcel.recipient}>"), ("DATA", "")]


def _told(reply: Reply) -> str:
    return f"{reply[0]} {said_by(reply[1])}" if reply[0] != -1 else f"it said {said_by(reply[1])!r}"


def _why(error: Exception) -> str:
    """An error in a few words of its own."""
    if isinstance(error, smtplib.SMTPResponseException):
        words = error.smtp_error if isinstance(error.smtp_error, bytes) else str(error.smtp_error).encode()
        return _told((error.smtp_code, words))
    if isinstance(error, ssl.SSLError):
        reason = getattr(error, "verify_message", "") or getattr(error, "reason", "") or str(error)
        return f"TLS failed: {said_by(reason)}"
    if isinstance(error, TimeoutError):
        return "it took too long"
    if isinstance(error, OSError) and error.strerror:
        return said_by(error.strerror)
    return said_by(str(error)) or type(error).__name__
