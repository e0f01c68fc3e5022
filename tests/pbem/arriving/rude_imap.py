"""An IMAP server on plain sockets, as rude as a script says; it looks whether a mark came before the commit.

with served(box, Manners(cut_after=700)) as server: gather(ledger, server.imap, ...)
"""

from __future__ import annotations

import copy
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from pbem.arriving.settings import Imap
from pbem.settings import Place

EVERY = 1 << 30


@dataclass
class Box:
    """A mailbox: what lies in it, and what was done to it."""

    mails: dict[int, bytes]
    validity: int = 7
    flags: dict[int, set[str]] = field(default_factory=dict)
    dates: dict[int, str] = field(default_factory=dict)
    moved: dict[str, list[bytes]] = field(default_factory=dict)
    folders: set[str] = field(default_factory=lambda: {"INBOX"})

    def flags_of(self, uid: int) -> set[str]:
        return self.flags.setdefault(uid, set())


@dataclass
class Manners:
    """How rude the server is. What holds for a command is named by its word: FETCH, STORE, LOGIN, ..."""

    greeting: bytes | None = b"* OK [CAPABILITY IMAP4rev1] a rude server\r\n"
    capabilities: str = "IMAP4rev1 AUTH=PLAIN UIDPLUS MOVE"
    answers: dict[str, str] = field(default_factory=dict)  # command -> NO or BAD (and why)
    cut_after: int = EVERY  # bytes on a line, then it is cut
    cuts: int = 1  # on so many lines
    hang_at: str = ""  # the command that is never answered
    slow: float = 0.0  # seconds before each byte
    lie: int = 0  # how much larger a literal says it is
    size_lie: int = 0  # how much larger RFC822.SIZE says a mail is
    cut_at_uid: int = 0  # the message at which every line is cut
    vanished: frozenset[int] = frozenset()  # listed, and gone when they are fetched
    twice: bool = False  # every number is listed twice, every mail given twice
    unasked: bool = False  # tells of other things in the middle of an answer
    in_fetch: Callable[[Box], None] | None = None  # what happens before a mail has come whole
    after_fetch: Callable[[Box], None] | None = None  # what somebody else does to the mailbox meanwhile
    noise: bytes = b""  # said before each answer
    starttls_tail: bytes = b""  # sent in the clear after STARTTLS
    short: int = EVERY  # no piece is larger
    empty: bool = False  # gives nothing of any mail, and says so as if it were all
    generous: int = 0  # pieces are so much larger than they were asked for


class Cut(Exception):
    """The line is cut here."""


class Rude:
    """The server. `committed` says whether a mail is in the ledger; marks that came too early are kept in `early`."""

    def __init__(
        self,
        box: Box,
        manners: Manners,
        committed: Callable[[bytes], bool],
        context: ssl.SSLContext | None = None,
        tls: str = "none",
    ) -> None:
        self.box, self.manners, self.committed, self.context, self.tls = box, manners, committed, context, tls
        self.said: list[str] = []  # every command, in order
        self.early: list[int] = []
        self.lines = self.bytes = 0
        self.user = ""
        self.boxes: dict[str, Box] | None = None  # a copy of the mailbox for each user, once this is a dict
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(0.05)
        self.port = self._listening.getsockname()[1]
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    @property
    def imap(self) -> Imap:
        return Imap(Place("127.0.0.1", self.port), self.tls, "orders")

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()
        self._listening.close()

    def _work(self) -> None:
        while not self._stop.is_set():
            with suppress(TimeoutError):
                line, _ = self._listening.accept()
                self.lines += 1
                with suppress(OSError, Cut):
                    _Talk(self, line).run()


class _Talk:
    """One connection."""

    def __init__(self, server: Rude, line: socket.socket) -> None:
        self.server, self.box, self.manners = server, server.box, server.manners
        line.settimeout(20)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.line, self.sent, self.kept = line, 0, b""
        if server.tls == "tls":
            assert server.context
            self.line = server.context.wrap_socket(line, server_side=True)

    def run(self) -> None:
        try:
            if self.manners.greeting is None:
                self._until_gone()
                return
            self.say(self.manners.greeting)
            while (command := self.hear()) is not None:
                self.answer(command)
        finally:
            self.line.close()

    def _until_gone(self) -> None:
        with suppress(OSError):
            while self.line.recv(1000):
                pass

    def say(self, data: bytes) -> None:
        manners = self.manners
        left = manners.cut_after - self.sent if manners.cuts > 0 else EVERY
        self.sent += min(len(data), left)
        self.server.bytes += min(len(data), left)
        if manners.slow:
            for number in range(len(data)):
                time.sleep(manners.slow)
                self.line.sendall(data[number : number + 1])
        else:
            self.line.sendall(data[:left])
        if len(data) > left:
            manners.cuts -= 1
            raise Cut

    def hear(self) -> str | None:
        while b"\r\n" not in self.kept:
            if not (part := self.line.recv(4096)):
                return None
            self.kept += part
        said, _, self.kept = self.kept.partition(b"\r\n")
        return said.decode()

    def answer(self, said: str) -> None:
        tag, _, rest = said.partition(" ")
        words = rest.split(" ")
        name = words[0].upper()
        if name == "UID":
            name, words = words[1].upper(), words[1:]
        self.server.said.append(rest)
        if self.manners.hang_at == name:
            self._until_gone()
            raise Cut
        if self.manners.noise:
            self.say(self.manners.noise)
        if name in self.manners.answers:
            self.say(f"{tag} {self.manners.answers[name]}\r\n".encode())
            return
        getattr(self, f"_{name.lower()}")(tag, words)

    def ok(self, tag: str) -> None:
        self.say(f"{tag} OK done\r\n".encode())

    def _capability(self, tag: str, words: list[str]) -> None:
        self.say(f"* CAPABILITY {self.manners.capabilities}\r\n".encode())
        self.ok(tag)

    def _starttls(self, tag: str, words: list[str]) -> None:
        assert self.server.context
        self.say(f"{tag} OK go ahead\r\n".encode() + self.manners.starttls_tail)
        self.line = self.server.context.wrap_socket(self.line, server_side=True)

    def _authenticate(self, tag: str, words: list[str]) -> None:
        import base64

        self.say(b"+ \r\n")
        if (answer := self.hear()) is None:
            raise Cut  # the client was killed meanwhile
        said = base64.b64decode(answer).decode().split("\0")
        self._is(said[1])
        self.say(f"{tag} {'OK in' if said[2] == PASSWORD else 'NO wrong password'}\r\n".encode())

    def _login(self, tag: str, words: list[str]) -> None:
        self._is(words[1].strip('"'))
        self.say(f"{tag} {'OK in' if words[2] == f'{chr(34)}{PASSWORD}{chr(34)}' else 'NO wrong'}\r\n".encode())

    def _is(self, user: str) -> None:
        self.server.user = user
        if self.server.boxes is not None:
            self.box = self.server.boxes.setdefault(user, copy.deepcopy(self.server.box))

    def _select(self, tag: str, words: list[str]) -> None:
        if words[1].strip('"') not in self.box.folders:
            self.say(f"{tag} NO there is no such folder\r\n".encode())
            return
        text = f"* {len(self.box.mails)} EXISTS\r\n* OK [UIDVALIDITY {self.box.validity}] lasting\r\n"
        self.say(f"{text}{tag} OK [READ-WRITE] selected\r\n".encode())

    def _search(self, tag: str, words: list[str]) -> None:
        there = [uid for uid in self.box.mails if "\\Deleted" not in self.box.flags_of(uid)]
        if self.manners.twice:
            there = there * 2
        self.say(f"* SEARCH {' '.join(map(str, there))}".rstrip().encode() + b"\r\n")
        self.ok(tag)

    def _fetch(self, tag: str, words: list[str]) -> None:
        asked = _numbers(words[1])
        piece = re.search(r"BODY\.PEEK\[\]<(\d+)\.(\d+)>", " ".join(words))
        for uid in [*asked, *asked] if self.manners.twice else asked:
            if uid in self.box.mails:
                if piece:
                    self._piece(uid, int(piece[1]), int(piece[2]))
                else:
                    self._about(uid)
        if piece and self.manners.in_fetch:
            self.manners.in_fetch(self.box)
        self.ok(tag)
        if piece and self.manners.after_fetch:
            self.manners.after_fetch(self.box)

    def _about(self, uid: int) -> None:
        size = len(self.box.mails[uid]) + self.manners.size_lie
        date = self.box.dates.get(uid, "18-Nov-2026 12:00:00 +0000")
        flags = " ".join(sorted(self.box.flags_of(uid)))
        text = f'* {uid} FETCH (UID {uid} RFC822.SIZE {size} INTERNALDATE "{date}" FLAGS ({flags}))\r\n'
        self.say(text.encode())

    def _piece(self, uid: int, start: int, most: int) -> None:
        if uid in self.manners.vanished:
            return
        if self.manners.unasked:
            self.say(b"* 99 EXISTS\r\n* 3 FETCH (FLAGS (\\Seen))\r\n* 9 FETCH (UID 9999 BODY[]<0> {5}\r\nother)\r\n")
        if self.manners.empty:
            self.say(f"* {uid} FETCH (UID {uid} BODY[]<{start}> NIL)\r\n".encode())
            return
        part = self.box.mails[uid][start : start + min(most, self.manners.short) + self.manners.generous]
        if uid == self.manners.cut_at_uid:
            self.say(f"* {uid} FETCH (UID {uid} BODY[]<{start}> {{{len(part)}}}\r\n".encode() + part[: len(part) // 2])
            raise Cut
        told = len(part) + self.manners.lie
        self.say(f"* {uid} FETCH (UID {uid} BODY[]<{start}> {{{told}}}\r\n".encode() + part + b")\r\n")

    def _store(self, tag: str, words: list[str]) -> None:
        for uid in _numbers(words[1]):
            self._check(uid)
            self.box.flags_of(uid).update(re.findall(r"\\\w+", " ".join(words[3:])))
        self.ok(tag)

    def _copy(self, tag: str, words: list[str]) -> None:
        self._carry(tag, words, away=False)

    def _move(self, tag: str, words: list[str]) -> None:
        self._carry(tag, words, away=True)

    def _carry(self, tag: str, words: list[str], away: bool) -> None:
        folder = words[2].strip('"')
        if folder not in self.box.folders:
            self.say(f"{tag} NO [TRYCREATE] there is no such folder\r\n".encode())
            return
        for uid in _numbers(words[1]):
            if uid in self.box.mails:
                self._check(uid)
                self.box.moved.setdefault(folder, []).append(self.box.mails[uid])
                if away:
                    del self.box.mails[uid]
        self.ok(tag)

    def _expunge(self, tag: str, words: list[str]) -> None:
        for uid in _numbers(words[1]):
            if "\\Deleted" in self.box.flags_of(uid):
                self.box.mails.pop(uid, None)
        self.ok(tag)

    def _create(self, tag: str, words: list[str]) -> None:
        self.box.folders.add(words[1].strip('"'))
        self.ok(tag)

    def _logout(self, tag: str, words: list[str]) -> None:
        self.say(f"* BYE\r\n{tag} OK\r\n".encode())
        raise Cut

    def _check(self, uid: int) -> None:
        if uid in self.box.mails and not self.server.committed(self.box.mails[uid]):
            self.server.early.append(uid)


PASSWORD = "geheim"


def _numbers(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition(":")
        found += range(int(first), int(last or first) + 1)
    return found


@contextmanager
def served(
    box: Box,
    manners: Manners | None = None,
    committed: Callable[[bytes], bool] = lambda raw: True,
    context: ssl.SSLContext | None = None,
    tls: str = "none",
) -> Iterator[Rude]:
    """The server, on a free port of this machine, while the block runs. No mark may come before the commit."""
    server = Rude(box, manners or Manners(), committed, context, tls)
    try:
        yield server
    finally:
        server.stop()
    assert server.early == [], "marked before it was committed"
