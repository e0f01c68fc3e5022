"""Ledgers for the routes, made once and copied, and mails to put into them."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.ledger.letters import Waiting, get, waiting
from pbem.ledger.store import Ledger
from tests.pbem import hosted

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
LATER = datetime(2026, 11, 18, 18, tzinfo=UTC)


def mail(number: int, words: str = "orders") -> bytes:
    """A small mail."""
    return (
        f"Received: from somewhere\r\nMessage-ID: <{number}@players.example>\r\nFrom: a@players.example\r\n"
        f"Subject: orders\r\n\r\n{words} {number}\r\nend: orders\r\n"
    ).encode()


def mails(count: int) -> dict[int, bytes]:
    """Numbered from 11 on, with a gap now and then."""
    return {10 + number + number // 7: mail(number) for number in range(1, count + 1)}


class Store:
    """A ledger that mails come into, seen from outside."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.ledger = Ledger.open(path)

    @property
    def memory(self) -> Path:
        return self.path.with_suffix(".imap.json")

    def waiting(self) -> list[Waiting]:
        with self.ledger.read() as tx:
            return waiting(tx)

    def raws(self) -> Counter[bytes]:
        """What is stored, and how often it counts."""
        with self.ledger.read() as tx:
            return Counter(get(tx, message.sha256) or b"" for message in waiting(tx))

    def holds(self, raw: bytes) -> bool:
        """Whether a mail is committed, asked over a connection of its own."""
        line = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        try:
            words = raw.split(b"Message-ID: ")[1].split(b"\r\n")[0].decode()
            return bool(line.execute("SELECT count(*) FROM inbox WHERE message_id = ?", (words,)).fetchone()[0])
        finally:
            line.close()


@pytest.fixture(scope="session")
def empty_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("empty") / "ledger.db"
    Ledger.create(path, secret=hosted.key("host")).close()
    return path


@pytest.fixture
def make_store(tmp_path: Path, empty_ledger: Path) -> Iterator[Callable[[], Store]]:
    made: list[Store] = []

    def make() -> Store:
        folder = tmp_path / f"ledger-{len(made)}"
        folder.mkdir()
        made.append(Store(Path(shutil.copy(empty_ledger, folder / "ledger.db"))))
        return made[-1]

    yield make
    for one in made:
        one.ledger.close()


@pytest.fixture
def store(make_store: Callable[[], Store]) -> Store:
    return make_store()


@pytest.fixture
def store_of(store: Store) -> Store:
    """The same under a name that leaves `store` to the function."""
    return store
