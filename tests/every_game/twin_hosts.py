"""Twin hosts: two whole hosts whose games differ only in what one reader must not know, and all that he gets of them.

In one of them the other players write more: private words, orders that are changed and changed back, orders that are
refused, mails without a key. What is resolved is the same. Then everything that leaves a host is compared to the byte:
the site with its calendars and exports, the audit page, and every mail to the reader with its headers and its size.
Only values that are random to everybody are masked: hashes of 64 digits, and Message-IDs, which keep their length.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from engine import Seat, load
from pbem.audit import book as books
from pbem.audit.export import export
from pbem.audit.page import page
from pbem.ledger import outbox
from pbem.mailparts import parts
from pbem.pages.site import site
from tests.pbem.correspondence.conftest import NOON, Post
from tests.pbem.host.conftest import DEADLINE

HEX = re.compile(rb"\b[0-9a-f]{64}\b")
MESSAGE_ID = re.compile(rb"<[0-9a-f]{30}@")
BOUNDARY = re.compile(rb'"=_[0-9a-f]{30,64}"')  # between parts: a hash of what they say, the head included
Told = dict[str, bytes]  # by its name, all that a reader got


@dataclass(frozen=True)
class World:
    """A host with a game, and who plays it."""

    post: Post
    folder: Path

    def moves(self, seat: Seat) -> list[str]:
        """Two moves that are legal for a seat now, or one."""
        host = self.post.host
        row = host.row()
        rules = load(row.rules)
        return [str(move) for move in islice(rules.moves(rules.restore(row.state), seat), 2)]

    def is_busy(self, writers: tuple[Seat, ...], to: Seat | None) -> None:
        """These seats write a lot, and in the end have ordered nothing that they had not ordered before."""
        for number, seat in enumerate(writers):
            if to is not None and to != seat:
                self.post.write(f"say {to}: meet me at dawn", seat=seat)  # refused where the rules forbid it
            self.post.write("what is this?", seat=seat, to=self.post.host.config.address)  # no key
            assert self.post.host.order(seat, "no such order").fate == "refused"
            for move in self.moves(seat) if seat in self.post.host.row().pending else ():
                assert self.post.host.order(seat, move).fate == "accepted"
            if number == 0:
                assert self.post.write("withdraw", seat=seat) == "accepted"

    def orders(self) -> None:
        """Every seat that is asked orders its first move."""
        for seat in self.post.host.row().pending:
            assert self.post.host.order(seat, self.moves(seat)[0]).fate == "accepted"

    def told(self, reader: Seat | None) -> Told:
        """All that a reader gets, or everybody."""
        return {name: masked(data) for name, data in (*self._published(), *self._mails(reader))}

    def _published(self) -> Iterator[tuple[str, bytes]]:
        host, folder = self.post.host, self.folder / "site"
        site(host.ledger, host.config, folder, DEADLINE)
        for path in sorted(folder.rglob("*")):
            yield from members(f"site/{path.name}", path)
        target = self.folder / "export.pbem"
        target.unlink(missing_ok=True)
        with books.of_ledger(host.ledger, "game") as book:
            export(book, target)
            yield "audit page", page(book).encode()
        yield from members("export", target)

    def _mails(self, reader: Seat | None) -> Iterator[tuple[str, bytes]]:
        if reader is None:
            return
        with self.post.host.ledger.read() as tx:
            raws = [outbox.raw(tx, mail.message_id) for mail in outbox.of_game(tx, "game") if mail.seat == reader]
        for number, raw in enumerate(raws):
            assert raw is not None
            yield f"mail {number}, headers", raw.partition(b"\r\n\r\n")[0]
            yield f"mail {number}, size", str(len(raw)).encode()
            found = parts(raw)
            yield from ((f"mail {number}, text", found.text.encode()), (f"mail {number}, HTML", found.html.encode()))
            yield from ((f"mail {number}, {file}", content) for file, content in found.files.items())


def members(name: str, path: Path) -> Iterator[tuple[str, bytes]]:
    """A file, or what an export consists of, with its size."""
    if path.suffix != ".pbem":
        yield name, path.read_bytes()
        return
    yield f"size of {name}", str(path.stat().st_size).encode()
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            yield f"{name}/{entry.filename}", archive.read(entry) + str(entry.date_time).encode()


def masked(data: bytes) -> bytes:
    return BOUNDARY.sub(b"boundary", MESSAGE_ID.sub(b"<" + b"0" * 30 + b"@", HEX.sub(b"0" * 64, data)))


def differences(one: Told, other: Told) -> list[str]:
    """What is not the same in both, by name."""
    found = [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)]
    return [f"{name}: {_first(one.get(name, b''), other.get(name, b''))}" for name in found]


def _first(one: bytes, other: bytes) -> str:
    """The first place where two texts differ."""
    place = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return " / ".join(repr(text[max(0, place - 30) : place + 30]) for text in (one, other))


def played(quiet: World, busy: World, writers: tuple[Seat, ...], to: Seat | None, reader: Seat | None) -> list[str]:
    """Both games from the first report over two turns; what the reader could tell them apart by, at each moment."""
    found = []
    for turn in range(2):
        busy.is_busy(writers, to)
        found += [f"turn {turn}, open: {name}" for name in differences(quiet.told(reader), busy.told(reader))]
        for world in (quiet, busy):
            world.orders()
        found += [f"turn {turn}, ordered: {name}" for name in differences(quiet.told(reader), busy.told(reader))]
        for world in (quiet, busy):
            world.post.host.night(DEADLINE.replace(day=DEADLINE.day + turn))
        found += [f"turn {turn}, told: {name}" for name in differences(quiet.told(reader), busy.told(reader))]
        if quiet.post.host.status() != "open":
            break
    return found


__all__ = ["NOON", "World", "differences", "played"]
