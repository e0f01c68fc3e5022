"""A mail server that misbehaves as it is told to: plain sockets, every line kept, what it took kept to the byte."""

from __future__ import annotations

import re
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

NO_BANNER, BUSY_BANNER = "no banner", "421 at the banner"
LATER_RCPT, NEVER_RCPT = "450 at RCPT", "550 at RCPT"
LATER_DOT, NEVER_DOT = "452 at the dot", "554 at the dot"
DROP_IN_DATA, DROP_AFTER_DOT, HANG_AFTER_DOT = "drop in DATA", "drop after the dot", "hang after the dot"
SLOW, TLS_CUT, PARTIAL = "one byte at a time", "TLS cut", "no recipient left at DATA"
FAULTS = (
    *(NO_BANNER, BUSY_BANNER, LATER_RCPT, NEVER_RCPT, LATER_DOT, NEVER_DOT),
    *(DROP_IN_DATA, DROP_AFTER_DOT, HANG_AFTER_DOT, SLOW, TLS_CUT, PARTIAL),
)
UNKNOWN = (DROP_AFTER_DOT, HANG_AFTER_DOT)
NEVER = (NEVER_RCPT, NEVER_DOT, PARTIAL)
OF_CONNECTIONS = (NO_BANNER, BUSY_BANNER, TLS_CUT)

_id = re.compile(rb"^Message-ID: (<[^>]+>)", re.M)


@dataclass(frozen=True)
class Taken:
    """A mail that the server has in its hands, whatever it said of it."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes

    @property
    def message_id(self) -> str:
        found = _id.search(self.raw)
        return found[1].decode() if found else ""


class Gone(Exception):
    """The conversation ends here."""


@dataclass
class Rude:
    """The server. `plan` says what goes wrong with the n-th mail that is tried (or, for faults of connections, with
    the n-th connection), counted from 0; "" for nothing."""

    plan: Callable[[int], str] = lambda number: ""
    on_mail: Callable[[], None] = lambda: None  # called when a mail is begun
    tls: ssl.SSLContext | None = None
    implicit: bool = False  # TLS from the first byte
    taken: list[Taken] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)
    tried: int = 0
    connections: int = 0
    wrong: list[str] = field(default_factory=list)
    stuck: dict[bytes, str] = field(default_factory=dict)

    def __enter__(self) -> Rude:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._open: list[socket.socket] = []
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)
        for one in self._open:
            one.close()

    def _accept(self) -> None:
        while not self._over.is_set():
            try:
                one, _ = self._socket.accept()
            except OSError:
                return
            self._open.append(one)
            thread = threading.Thread(target=self._serve, args=(one,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, one: socket.socket) -> None:
        conversation = _Conversation(self, one, self.connections)
        self.connections += 1
        with suppress(OSError, Gone):
            conversation.talk()
        with suppress(OSError):
            conversation.one.shutdown(socket.SHUT_RDWR)
        conversation.one.close()

    def wait(self, seconds: float) -> None:
        self._over.wait(seconds)


class _Conversation:
    def __init__(self, server: Rude, one: socket.socket, number: int) -> None:
        self.server, self.one = server, one
        fault = server.plan(number)
        self.fault = fault if fault in OF_CONNECTIONS else ""
        self.held = b""
        self.sender, self.recipients, self.slow = "", [], False  # type: ignore[var-annotated]
        self.wrong = ""

    def talk(self) -> None:
        if self.server.implicit:
            self.encrypt()
        if self.fault == NO_BANNER:
            self.server.wait(60)
            raise Gone
        if self.fault == BUSY_BANNER:
            self.say("421 too busy")
            raise Gone
        self.say("220 rude ESMTP")
        while True:
            line = self.line()
            self.server.lines.append(line)
            word = line[:4].upper()
            steps: dict[bytes, Callable[[bytes], None]] = {
                b"EHLO": self.ehlo, b"MAIL": self.mail, b"RCPT": self.rcpt, b"DATA": self.data, b"STAR": self.starttls,
                b"RSET": lambda _: self.say("250 reset"), b"QUIT": self.quit,
            }  # fmt: skip
            if word not in steps:
                self.server.wrong.append(f"no command: {line!r}")
                self.say("500 what?")
                continue
            steps[word](line)

    def ehlo(self, _: bytes) -> None:
        offer = "-STARTTLS" if self.server.tls and not isinstance(self.one, ssl.SSLSocket) else "-PIPELINING"
        self.say(f"250-rude\r\n250{offer}\r\n250 SIZE 1000000")

    def starttls(self, _: bytes) -> None:
        self.say("220 go on")
        if self.fault == TLS_CUT:
            raise Gone
        self.encrypt()

    def encrypt(self) -> None:
        assert self.server.tls is not None
        self.one = self.server.tls.wrap_socket(self.one, server_side=True)
        self.held = b""

    def mail(self, line: bytes) -> None:
        fault = self.server.stuck.get(line) or self.server.plan(self.server.tried)
        self.wrong = "" if fault in OF_CONNECTIONS else fault
        if fault in NEVER:
            self.server.stuck[line] = fault  # such a server says the same of that mail whenever it comes
        self.server.tried += 1
        self.server.on_mail()
        self.sender, self.recipients = _address(line), []
        self.slow = self.wrong == SLOW
        self.say("250 good sender")

    def rcpt(self, line: bytes) -> None:
        answer = {LATER_RCPT: "450 later", NEVER_RCPT: "550 5.1.1 nobody of that name"}.get(self.wrong, "")
        if self.recipients:
            self.server.wrong.append("a second recipient")
        if answer:
            return self.say(answer)
        self.recipients.append(_address(line))
        return self.say("250 good recipient")

    def data(self, _: bytes) -> None:
        if self.wrong == PARTIAL:
            return self.say("554 no valid recipients")
        self.say("354 go on")
        if self.wrong == DROP_IN_DATA:
            self.one.recv(100)
            raise Gone
        while b"\r\n.\r\n" not in self.held:
            self.more()
        raw, _, self.held = self.held.partition(b"\r\n.\r\n")
        raw = re.sub(rb"(?m)^\.\.", b".", raw) + b"\r\n"
        answer = {LATER_DOT: "452 no room", NEVER_DOT: "554 5.7.1 not wanted"}.get(self.wrong, "")
        if answer:
            return self.say(answer)
        self.server.taken.append(Taken(self.sender, tuple(self.recipients), raw))
        if self.wrong == HANG_AFTER_DOT:
            self.server.wait(60)
        if self.wrong in UNKNOWN:
            raise Gone
        return self.say("250 taken")

    def quit(self, _: bytes) -> None:
        self.say("221 bye")
        raise Gone

    # --- lines ---

    def line(self) -> bytes:
        while b"\r\n" not in self.held:
            self.more()
        line, _, self.held = self.held.partition(b"\r\n")
        return line

    def more(self) -> None:
        got = self.one.recv(65536)
        if not got:
            raise Gone
        self.held += got

    def say(self, words: str) -> None:
        data = f"{words}\r\n".encode()
        if not self.slow:
            self.one.sendall(data)
            return
        for byte in data:
            self.one.sendall(bytes([byte]))
            self.server.wait(1)


def _address(line: bytes) -> str:
    return line.partition(b"<")[2].partition(b">")[0].decode()


def count_by_id(taken: list[Taken]) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in taken:
        found[one.message_id] = found.get(one.message_id, 0) + 1
    return found
