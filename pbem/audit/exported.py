"""Reading an export: a book that needs no ledger."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.canon import canonical
from pbem.audit.book import STEPS, Book, Extent, Line, OddRow, standing
from pbem.audit.export import FORMAT, HISTORY, MAILS, PUBLISHED, last_turn
from pbem.audit.shapes import Misshapen, check_body, check_header, check_row
from pbem.errors import Trouble
from pbem.ledger.chain import START, Content, link, text_of
from pbem.ledger.opening import SEALED_WORDS
from pbem.ledger.public import PRIVATE
from pbem.ledger.seals import MARK, apart, shown
from pbem.ledger.sound import Fault
from pbem.ledger.times import moment
from pbem.signature import is_key

# What a file that is no export, or was changed, can make of reading it.
BROKEN = (
    *(OSError, EOFError, KeyError, ValueError, TypeError, AttributeError, RecursionError),
    *(zipfile.BadZipFile, zlib.error, RuntimeError),  # the last: compressed in a way not known here
)
# Measured on games of 150 turns: 80 to 700 kB of history, packed to a quarter; the longest row had 5 kB.
LARGEST, LONGEST = 1 << 27, 1 << 22  # bytes of a history, and of one row of it
SMALL, TIGHTEST = 1 << 20, 100  # a history of more bytes than this may be packed so many times smaller, not more
LARGEST_MAIL = 1 << 25  # bytes of one mail
MOST_FILES = 100_000  # names in the file


class ExportBook:
    """A game's history in a file."""

    has_letters = False

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with zipfile.ZipFile(path) as archive:
                if len(archive.filelist) > MOST_FILES:
                    raise ValueError(f"it has more than {MOST_FILES:,} files")
                self._mails = {Path(name).stem for name in archive.namelist() if name.startswith(f"{MAILS}/")}
                header, self._lines = _history(archive)
            self.game: str = header["game"]
            self._head, self._count = header["head"], header["rows"]
            self._seal: dict[str, str] = header.get("seal", {})
            first = self._lines[0].facts() if self._lines and self._lines[0].content is not None else {}
            named = [*header.get("signing_keys", ()), first.get("signing_key", "")]
            self._signing_keys = {key for key in map(str, named) if is_key(key)}
            self._forgotten = frozenset(header.get("forgotten", ()))
            self.published: Mapping[str, int] = {str(head): int(turn) for turn, _, head in header.get(PUBLISHED, ())}
            self.last_turn = max(self.published.values()) if self.published else self._ends_at(header)
            self.until = moment(header["until"]) if "until" in header and self.last_turn is not None else None
        except (Misshapen, *BROKEN) as error:
            raise Trouble(f"{path} is not an export of pbem, or is damaged: {_in_words(error)}.") from None
        self.has_mails = bool(self._mails)
        self._sha256 = {line.facts()["message_id"]: line.facts()["sha256"] for line in self.lines(("mail",))}

    def _ends_at(self, header: Mapping[str, Any]) -> int | None:
        """The last turn of a file that was made while its game ran. What its rows say of that counts more than what
        the file says of itself: else nobody's mails could prove anything against one that says it ends at turn 0."""
        if "last_turn" not in header or self.last(("over",)) is not None:
            return None
        return max(int(header["last_turn"]), last_turn(self) or 0)

    def lines(self, kinds: Collection[str] = (), after: int = 0) -> Iterator[Line]:
        for line in self._lines[after:]:
            if not kinds or (line.content is not None and line.content.kind in kinds):
                yield line

    def last(self, kinds: Collection[str]) -> Line | None:
        return next((line for line in reversed(self._lines) if line.content and line.content.kind in kinds), None)

    def steps(self, turn: int) -> list[Line]:
        return standing(self, turn, (line for line in self.lines(STEPS) if line.opened.turn == turn))

    def line(self, seq: int) -> Line | None:
        return self._lines[seq - 1] if 0 < seq <= len(self._lines) else None

    def told(self, line: Line) -> dict[str, Any]:
        facts = line.facts()
        if MARK not in facts:
            return facts
        key = self.key(apart(facts[MARK]).id)
        if key is None:
            raise Trouble(f"What row {line.seq} says is sealed, and its key is not in this file.")
        words = facts.pop(SEALED_WORDS, None)
        try:
            opened = shown(facts, key) | ({} if words is None else apart(words).opened(key))
            return check_body(line.opened.kind, opened)
        except Misshapen as wrong:
            raise OddRow(self.game, line.seq, wrong) from None

    def seal(self) -> dict[str, str]:
        revealed = next(self.lines(("revealed",)), None)
        found: dict[str, str] = self._seal if revealed is None else revealed.facts().get("seal", {})
        return found

    def key(self, id: str) -> bytes | None:
        said = {one["id"]: one["key"] for one in (self._seal, self.seal()) if one}
        return bytes.fromhex(said[id]) if id in said else None

    def chain_fault(self) -> Fault | None:
        head, last = START, None
        for seq, line in enumerate(self._lines, 1):
            reason = self._fault_of(line, seq, head, last)
            if reason is not None:
                return Fault(self.game, seq, f"row {seq} of {self.game}: {reason}")
            head = line.hash
            last = last if line.content is None else line.content.at
        if (head.hex(), len(self._lines)) != (self._head, self._count):
            return Fault(self.game, len(self._lines) + 1, f"rows of {self.game} are missing at the end of the file")
        over = self.last(("over",))
        if over is not None and self.last(("revealed",)) is None:  # no draw of it could be told from a false one
            return Fault(self.game, over.seq, f"row {over.seq} of {self.game} ends the game, and none reveals its seed")
        return None

    def extent(self) -> Extent:
        sealed = sum(line.content is None for line in self._lines)
        return Extent(len(self._lines), sealed, self._lines[-1].hash if self._lines else b"")

    def _fault_of(self, line: Line, seq: int, head: bytes, last: datetime | None) -> str | None:
        content = line.content
        if line.seq != seq or (content is not None and (content.chain, content.seq) != (self.game, seq)):
            return "it is missing or out of its place"
        if line.prev != head:
            return "it does not stand on the row before it"
        if line.hash != link(head, line.leaf):
            return "its hash does not fit what it says"
        if content is not None and last is not None and content.at < last:
            return "it is older than the row before it"
        return None

    def seed(self) -> bytes | None:
        revealed = next(self.lines(("revealed",)), None)
        return None if revealed is None else bytes.fromhex(revealed.facts()["seed"])

    def is_locked(self) -> bool:
        return False

    def mail(self, message_id: str) -> bytes | None:
        sha256 = self._sha256.get(message_id)
        if sha256 not in self._mails:
            return b"" if sha256 in self._forgotten else None
        try:
            with zipfile.ZipFile(self.path) as archive:
                name = f"{MAILS}/{sha256}.eml"
                return archive.read(name) if archive.getinfo(name).file_size <= LARGEST_MAIL else b""
        except BROKEN:
            return b""  # bytes that fit no hash: whoever compares them finds the mail changed

    def picture(self, name: str) -> bytes | None:
        return None

    def signing_keys(self) -> set[str]:
        return set(self._signing_keys)

    def letter(self, sha256: str) -> bytes | None:
        return None

    def forgot(self, sha256: str) -> bool:
        return sha256 in self._forgotten

    def sister(self, chain: str) -> Book | None:
        return None  # an export is of one game


def _history(archive: zipfile.ZipFile) -> tuple[dict[str, Any], list[Line]]:
    """Return what the file says of itself, and its rows. It is read row by row, and no further than to the first that
    is none: a small file may unpack to any length."""
    _check_size(archive.getinfo(HISTORY))
    with archive.open(HISTORY) as history:
        header = json.loads(history.readline(LONGEST).decode())
        if header["pbem_export"] != FORMAT:
            raise ValueError(f"its format is {header['pbem_export']!r:.20}, and this program reads {FORMAT}")
        header = check_header(header)
        lines = []
        for place, text in enumerate(iter(lambda: history.readline(LONGEST), b""), 1):
            try:
                lines.append(_line(text))
            except (Misshapen, KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
                says = error if isinstance(error, _NoRow) else "is not written as rows are"
                says = f"{says} ({error})" if isinstance(error, Misshapen) else says
                raise ValueError(f"row {place} {says}") from None
    return dict(header), lines


def _check_size(history: zipfile.ZipInfo) -> None:
    size, packed = history.file_size, max(1, history.compress_size)
    if size > LARGEST:
        raise ValueError(f"its history has {size:,} bytes, and {LARGEST:,} are the most a check reads")
    if size > SMALL and size > TIGHTEST * packed:
        raise ValueError(f"its history has {size:,} bytes packed into {packed:,}, which no game's history can be")


class _NoRow(ValueError):
    """The end of a sentence about a row."""


def _in_words(error: Exception) -> str:
    """What is the matter with the file, for somebody who may just have downloaded half of it."""
    match error:
        case zipfile.BadZipFile() | zlib.error() | EOFError():
            return f"it was cut or changed on its way ({error})"
        case KeyError():
            return f"something is not in it ({error.args[0]})"
        case json.JSONDecodeError() | TypeError() | AttributeError() | RecursionError():
            return "it does not begin as exports do"
    return str(error)


def _line(text: bytes) -> Line:
    if len(text) == LONGEST:
        raise _NoRow(f"is longer than the {LONGEST:,} bytes that a row may have")
    row = json.loads(text.decode())
    check_row(row)
    prev, hash = bytes.fromhex(row["prev"]), bytes.fromhex(row["hash"])
    if "row" not in row:
        return Line(row["seq"], prev, hash, None, None, bytes.fromhex(row["leaf"]))
    said, salt = row["row"], bytes.fromhex(row["salt"])
    body = canonical({**said["body"], PRIVATE: row[PRIVATE]} if PRIVATE in row else said["body"])
    content = Content(said["chain"], said["seq"], said["kind"], moment(said["at"]), said["turn"], said["seat"], body)
    if text_of(content) != canonical(said):
        raise _NoRow("says more than a row does")
    return Line(row["seq"], prev, hash, salt, content)
