"""A line to an IMAP server, on which nothing it says or leaves unsaid can hold us for long or fill our memory.

`imaplib` speaks the protocol; what it reads from the net goes through here, where every answer has a time and a size.
Whatever else a rude server makes of it ends in LineDown.
"""

from __future__ import annotations

import imaplib
import re
import socket
import ssl
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, NamedTuple

from pbem.arriving.settings import Imap
from pbem.intake.characters import visible

PATIENCE = 30.0  # seconds for a connection, and for each answer, however slowly it comes
GOODBYE = 5.0  # ... and to say that we leave
ANSWER = 4 << 20  # bytes of one answer; a list of 100,000 messages takes a fifth of it
LINE = 1 << 20  # bytes of one line
PIECE = 64 << 10  # bytes of a mail that are asked for at once
PIECES = 256  # of a mail; one of the largest makes seventeen
CHUNK = 64 << 10


class LineDown(Exception):
    """The server is silent, has gone, or says what no server should; the words are for a person."""


class Refused(Exception):
    """The server answered NO or BAD; the line is still good."""


class About(NamedTuple):
    """What the server says of one message."""

    uid: int
    size: int  # or 0, where it says nothing that could be a size
    at: datetime | None
    flags: frozenset[str]


class Line:
    """A mailbox folder, opened: `with Line(box) as line`."""

    def __init__(self, box: Imap, password: str, patience: float = PATIENCE) -> None:
        self._box = box
        with _down():
            self._client = _Client(box, patience)
        try:
            self._enter(password)
            self.validity = self._select()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Say goodbye, if anybody still listens."""
        with suppress(LineDown), _down():
            self._client.leave()

    # --- asking -------------------------------------------------------------------------------------------------------

    def uids(self) -> list[int]:
        """The messages of the folder that nobody has deleted, oldest first, each once."""
        answer = self._uid("SEARCH", "UNDELETED")
        words = b" ".join(part for part in answer if isinstance(part, bytes)).split()
        return sorted({_number(word) for word in words})

    def about(self, uids: Sequence[int]) -> dict[int, About]:
        """What is known of those that are still there."""
        answer = self._uid("FETCH", ranges(uids), "(UID RFC822.SIZE INTERNALDATE FLAGS)")
        wanted, found = set(uids), dict[int, About]()
        for part in answer:
            text = part[0] if isinstance(part, tuple) else part
            about = _about(text) if isinstance(text, bytes) else None
            if about is not None and about.uid in wanted:
                found.setdefault(about.uid, about)
        return found

    def body(self, uid: int, size: int, most: int) -> bytes | None:
        """The whole mail, a piece at a time, or its beginning, a little more than `most`; None when it has vanished.

        The size that servers give is often a guess, and some give shorter pieces than they were asked for: only an
        empty piece ends a mail for sure, and it is asked for unless the size fits. But where nothing comes of a mail
        that has a size, the server cannot give it now: taken for the mail, that would be marked, and the mail lost.
        """
        raw = b""
        for _ in range(PIECES):
            piece = self._piece(uid, len(raw))
            if piece is None:
                return None
            raw += piece
            if size and not raw:
                raise Refused(f"the server gives none of its {size:,} bytes")
            if not piece or len(raw) > most or (len(raw) == size and len(piece) < PIECE):
                return raw
        raise Refused("it comes in too many pieces")

    def _piece(self, uid: int, start: int) -> bytes | None:
        """The bytes from there on; None when the answer has none of that message."""
        answer = self._uid("FETCH", str(uid), f"(UID BODY.PEEK[]<{start}.{PIECE}>)")
        for number, part in enumerate(answer):
            after = answer[number + 1] if number + 1 < len(answer) else b""
            found = _piece_in(part, after, uid, start)
            if found is not None:
                if len(found) > PIECE:
                    raise LineDown("it sends more than it was asked for")
                return found
        return None

    # --- telling ------------------------------------------------------------------------------------------------------

    def mark(self, uids: Sequence[int]) -> None:
        """Mark them as seen; Refused when the server will not."""
        self._uid("STORE", ranges(uids), "+FLAGS.SILENT", "(\\Seen)")

    def move(self, uids: Sequence[int], folder: str) -> None:
        """Move them to another folder, which is made where it is missing; Refused when the server will not."""
        try:
            self._move(uids, folder)
        except Refused:
            with _down():
                _asked(lambda: self._client.create(_mailbox(folder)))
            self._move(uids, folder)

    def _move(self, uids: Sequence[int], folder: str) -> None:
        if "MOVE" in self._client.capabilities:
            self._uid("MOVE", ranges(uids), _mailbox(folder))
            return
        self._uid("COPY", ranges(uids), _mailbox(folder))
        self._uid("STORE", ranges(uids), "+FLAGS.SILENT", "(\\Deleted \\Seen)")
        if "UIDPLUS" in self._client.capabilities:  # without it, what others have deleted would be expunged as well
            self._uid("EXPUNGE", ranges(uids))

    # --- below --------------------------------------------------------------------------------------------------------

    def _enter(self, password: str) -> None:
        """Log in, in a way that any letter of a password survives where the server offers one."""
        client, user = self._client, self._box.user
        said: tuple[str, Any]
        if client.state == "AUTH":
            return  # it knows us by the way we came
        with _down(), _refusing("does not let us in"):
            if "AUTH=PLAIN" in client.capabilities:
                word = f"\0{user}\0{password}".encode()
                said = client.authenticate("PLAIN", lambda _: word)
            elif "LOGINDISABLED" in client.capabilities:
                raise LineDown("it takes no password on a line without TLS")
            else:
                said = client.login(user, password)
            _well(said)
            client.learn()  # some tell all they can only to those who are in

    def _select(self) -> int:
        with _down(), _refusing(f"does not open the folder {self._box.folder}"):
            _well(self._client.select(_mailbox(self._box.folder)))
            validity = self._client.response("UIDVALIDITY")[1]
        if not validity or not isinstance(validity[-1], bytes):
            raise LineDown("it gives its messages no lasting numbers")
        return _number(validity[-1])

    def _uid(self, command: str, *words: str) -> list[Any]:
        with _down():
            self._client.forget()
            typ, answer = _asked(lambda: self._client.uid(command, *words))
        if typ != "OK":
            raise Refused(_shown(answer))
        return [part for part in answer if part is not None]


def _piece_in(part: Any, after: Any, uid: int, start: int) -> bytes | None:
    """The piece in one part of an answer: a literal (imaplib sets it beside what stands before it), or in quotes.

    A server may tell of other messages meanwhile, so number and place are looked at; the number may come `after`.
    """
    before = part[0] if isinstance(part, tuple) else part
    said = _UID.search(before) or (_UID.search(after) if isinstance(after, bytes) else None)
    if said is None or int(said[1]) != uid:
        return None
    if isinstance(part, tuple):
        found = _LITERAL.search(before)
        return bytes(part[1]) if found and int(found[1] or 0) == start else None
    found = _QUOTED.search(before)
    if found is None or int(found[1] or 0) != start:
        return None
    return re.sub(rb"\\(.)", rb"\1", found[2] or b"")


class _Client(imaplib.IMAP4):
    """imaplib, reading and writing within bounds."""

    def __init__(self, box: Imap, patience: float) -> None:
        self._box, self._patience = box, patience
        self._kept = bytearray()
        self._until, self._left = 0.0, 0
        super().__init__(box.place.host, box.place.port, patience)
        if box.tls == "starttls":
            try:
                self._secure()
            except BaseException:
                self.shutdown()
                raise

    def open(self, host: str = "", port: int = 143, timeout: float | None = None) -> None:
        self.host, self.port = host, port
        self._renew()
        self.sock = socket.create_connection((host, port), self._patience)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # many small questions, each waited for
        if self._box.tls == "tls":
            self.sock = self._wrapped()

    def read(self, size: int) -> bytes:
        """A literal."""
        if size > self._left:
            raise LineDown("it announces more than an answer may hold")
        while len(self._kept) < size:
            self._receive()
        return self._taken(size)

    def readline(self) -> bytes:
        searched = 0
        while (end := self._kept.find(b"\n", searched)) < 0:
            if len(self._kept) > LINE:
                raise LineDown("it sends a line without an end")
            searched = len(self._kept)
            self._receive()
        return self._taken(end + 1)

    def send(self, data: Any) -> None:
        self._renew()
        self.sock.settimeout(self._patience)
        self.sock.sendall(data)

    def shutdown(self) -> None:
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)  # the line ends now, also where a forked child holds it still
        self.sock.close()

    def leave(self) -> None:
        """LOGOUT, waiting no longer than a moment for the answer; then the socket is closed, come what may."""
        self._patience = min(self._patience, GOODBYE)
        try:
            if self.state in ("AUTH", "SELECTED"):
                self.logout()
        finally:
            self.shutdown()

    def forget(self) -> None:
        """What the server has said unasked is no part of the next answer."""
        self.untagged_responses: dict[str, list[Any]] = {}

    def learn(self) -> None:
        """Ask what the server can do."""
        self.forget()
        said = _well(self.capability())
        self.capabilities = tuple(str(said[-1], "ascii", "replace").upper().split())

    def _secure(self) -> None:
        """STARTTLS. What was sent ahead of it in the clear could be anybody's, and is no answer."""
        if "STARTTLS" not in self.capabilities:
            raise LineDown("it does not know STARTTLS")
        _well(self.xatom("STARTTLS"))
        if self._kept:
            raise LineDown("it speaks on in the clear after STARTTLS")
        self.sock = self._wrapped()
        self.learn()

    def _wrapped(self) -> ssl.SSLSocket:
        """TLS with everything checked: who vouches for the server, and its name."""
        context = ssl.create_default_context(cafile=self._box.ca_file)
        return context.wrap_socket(self.sock, server_hostname=self._box.place.host)

    def _renew(self) -> None:
        """A new question: time and room for its answer."""
        self._until, self._left = time.monotonic() + self._patience, ANSWER

    def _receive(self) -> None:
        left = self._until - time.monotonic()
        if left <= 0:
            raise LineDown("it was too slow")
        self.sock.settimeout(left)
        part = self.sock.recv(CHUNK)
        if not part:
            raise LineDown("it hung up")
        self._left -= len(part)
        if self._left < 0:
            raise LineDown("it does not end its answer")
        self._kept += part

    def _taken(self, size: int) -> bytes:
        taken = bytes(memoryview(self._kept)[:size])
        del self._kept[:size]
        return taken


@contextmanager
def _down() -> Iterator[None]:
    """Whatever a server makes of imaplib is the end of the line, said in words."""
    try:
        yield
    except (LineDown, Refused):
        raise
    except TimeoutError:
        raise LineDown("it was silent for too long") from None
    except ssl.SSLCertVerificationError as error:
        raise LineDown(f"its certificate is not good: {error.verify_message.rstrip('.')}") from None
    except ssl.SSLError as error:
        raise LineDown(
            f"it does not speak TLS as it should: {getattr(error, 'reason', '') or 'the line was cut'}"
        ) from None
    except socket.gaierror:
        raise LineDown("there is no machine of that name") from None
    except OSError as error:
        raise LineDown((error.strerror or str(error)).lower()) from None
    except imaplib.IMAP4.error as error:
        raise LineDown(f"it says what no server should: {_clean(str(error))}") from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:  # imaplib on answers that are none
        raise LineDown(f"it says what no server should ({type(error).__name__})") from None


@contextmanager
def _refusing(what: str) -> Iterator[None]:
    """imaplib raises when a login is refused; a refusal by NO or BAD is told in the server's words."""
    try:
        yield
    except Refused as refused:
        raise LineDown(f"it {what}: {refused}") from None
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error as error:
        raise LineDown(f"it {what}: {_clean(str(error))}") from None


def _asked(question: Callable[[], tuple[str, list[Any]]]) -> tuple[str, list[Any]]:
    """BAD is a refusal like NO, and the line is none the worse for it; imaplib raises an error for it."""
    try:
        return question()
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error as bad:
        return "BAD", [str(bad).encode("ascii", "replace")]


def _well(said: tuple[str, Any]) -> Any:
    if said[0] != "OK":
        raise Refused(_shown(said[1]))
    return said[1]


def _shown(answer: Sequence[Any]) -> str:
    return _clean(" ".join(part.decode("ascii", "replace") for part in answer if isinstance(part, bytes)) or "NO")


def _clean(text: str) -> str:
    return visible(text, 120)


# --- what stands in answers -------------------------------------------------------------------------------------------

_UID = re.compile(rb"\bUID (\d{1,10})\b")
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d{1,10})\b")
_FLAGS = re.compile(rb"\bFLAGS \(([^()]*)\)")
_DATE = re.compile(rb'\bINTERNALDATE "([ \d]\d)-([A-Za-z]{3})-(\d{4}) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)"')
_LITERAL = re.compile(rb"\bBODY\[\](?:<(\d{1,9})>)? \{\d+\+?\}$", re.I)
_QUOTED = re.compile(rb'\bBODY\[\](?:<(\d{1,9})>)? (?:NIL|"((?:[^"\\]|\\.)*)")', re.I)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def _about(text: bytes) -> About | None:
    uid, size, flags = _UID.search(text), _SIZE.search(text), _FLAGS.search(text)
    if uid is None:
        return None
    said = frozenset() if flags is None else frozenset(flags[1].decode("ascii", "replace").split())
    return About(int(uid[1]), 0 if size is None else int(size[1]), _instant(_DATE.search(text)), said)


def _instant(found: re.Match[bytes] | None) -> datetime | None:
    """When the server got it; None when it says nothing that could be a time."""
    if found is None:
        return None
    day, month, year, hour, minute, second, sign, hours, minutes = (part.decode() for part in found.groups())
    try:
        zone = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
        date = int(year), MONTHS.index(month.lower()) + 1, int(day)
        return datetime(*date, int(hour), int(minute), min(59, int(second)), tzinfo=timezone(zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _number(word: bytes) -> int:
    if not (word.isdigit() and len(word) <= 10):
        raise LineDown("it numbers its messages with what is no number")
    return int(word)


def ranges(uids: Collection[int]) -> str:
    """Numbers as the protocol writes them, neighbours as a range."""
    found: list[list[int]] = []
    for uid in sorted(uids):
        if found and uid == found[-1][1] + 1:
            found[-1][1] = uid
        else:
            found.append([uid, uid])
    return ",".join(str(first) if first == last else f"{first}:{last}" for first, last in found)


def _mailbox(name: str) -> str:
    """A folder's name, in IMAP's own UTF-7 and in quotes."""
    coded = re.sub("[^ -~]+|&", _shifted, name)
    return '"' + coded.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _shifted(found: re.Match[str]) -> str:
    from base64 import b64encode

    if found[0] == "&":
        return "&-"
    coded = b64encode(found[0].encode("utf-16-be")).rstrip(b"=").replace(b"/", b",")
    return f"&{coded.decode()}-"
