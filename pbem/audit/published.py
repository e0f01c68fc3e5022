"""The published book: a history as a public file may tell it. Whatever is made for the public reads through this.

Rows that are not public (`pbem.ledger.public`) have only their commitment to show, and the others no private facts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from pbem.audit.book import Book, Extent, Line, is_over
from pbem.ledger.public import TOLD_AT_ONCE, is_public, published
from pbem.ledger.sound import Fault


class PublishedBook:
    """Another book without what is not public; while the game runs, without what is not told at once either."""

    has_mails = has_letters = False
    last_turn: int | None = None
    until: datetime | None = None

    def __init__(self, book: Book) -> None:
        self._book, self._over = book, is_over(book)
        self.game: str = book.game
        self.published: Mapping[str, int] = {}

    def lines(self, kinds: Collection[str] = (), after: int = 0) -> Iterator[Line]:
        for line in map(self._shown, self._book.lines(kinds, after)):
            if line.content is not None or not kinds:
                yield line

    def last(self, kinds: Collection[str]) -> Line | None:
        return next(iter([*self.lines(kinds)][::-1]), None)

    def steps(self, turn: int) -> list[Line]:
        return [*map(self._shown, self._book.steps(turn))]

    def line(self, seq: int) -> Line | None:
        line = self._book.line(seq)
        return None if line is None else self._shown(line)

    def told(self, line: Line) -> dict[str, Any]:
        return self._book.told(line)

    def chain_fault(self) -> Fault | None:
        return self._book.chain_fault()

    def extent(self) -> Extent:
        sealed = sum(line.content is None for line in self.lines())
        return self._book.extent()._replace(sealed=sealed)

    def seed(self) -> bytes | None:
        return self._book.seed() if self._over else None

    def is_locked(self) -> bool:
        return self._book.is_locked()

    def seal(self) -> dict[str, str]:
        return self._book.seal() if self._over else {}

    def key(self, id: str) -> bytes | None:
        return self._book.key(id) if self._over else None

    def mail(self, message_id: str) -> bytes | None:
        return None

    def picture(self, name: str) -> bytes | None:
        return None

    def signing_keys(self) -> set[str]:
        return self._book.signing_keys()

    def letter(self, sha256: str) -> bytes | None:
        return None

    def forgot(self, sha256: str) -> bool:
        return self._book.forgot(sha256)

    def sister(self, chain: str) -> Book | None:
        return None

    def _shown(self, line: Line) -> Line:
        """Return a row as the public may know it."""
        row = line.content
        if row is None:
            return line
        if not is_public(row.kind, row.body) or not (self._over or row.kind in TOLD_AT_ONCE):
            return Line(line.seq, line.prev, line.hash, None, None, line.leaf)
        return line._replace(content=row._replace(body=published(row.body)))
