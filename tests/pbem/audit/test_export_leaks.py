"""Leaks planted in the export of a running game, one each: two games that differ in secrets alone must tell them (G25).

A sealed file is allowed its salted hashes, which differ between any two games; all else must be the same to the byte.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine import Dice, load
from engine.canon import canonical
from engine.dice import mix
from pbem.audit import book as books
from pbem.audit import export as exporter
from pbem.audit.book import Book
from pbem.ledger import queues
from pbem.ledger.chain import text_of
from pbem.ledger.store import Ledger
from tests.faults.figures import counted
from tests.pbem import hosted
from tests.pbem.hosted import NIGHT, START

HOUR = timedelta(hours=1)

HASH = re.compile(rb'"(prev|hash|leaf|head|seed_commitment)":"[0-9a-f]{64}"')
HEAD = re.compile(rb'(\[[0-9]+,"(?:turn|taken_back)",)"[0-9a-f]{64}"\]')  # of a turn, as its reports print it
# The first row is opened: its salt follows from the chain's secret, and its body commits to the seed.
SALT = re.compile(rb'"salt":"[0-9a-f]+"')


@dataclass(frozen=True)
class Running:
    """A vault that is still running, and what its host knows of it."""

    ledger: Ledger
    folder: Path

    def exported(self) -> dict[str, bytes]:
        """The parts of the file, by name."""
        target = self.folder / "coral.pbem"
        target.unlink(missing_ok=True)
        with books.of_ledger(self.ledger, "coral") as book:
            exporter.export(book, target)
        with zipfile.ZipFile(target) as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    def size(self) -> int:
        """The size of the file, to the byte."""
        self.exported()
        return (self.folder / "coral.pbem").stat().st_size

    def rows(self) -> list[bytes]:
        """What the rows of the game say."""
        with books.of_ledger(self.ledger, "coral") as book:
            return [text_of(line.opened) for line in book.lines()]


def begin(folder: Path, word: str, waiting: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, busy: int = 0) -> Running:
    """The same game with a seed and salts of its own, so many words and orders of red before the last turn, and orders
    of these seats since."""
    folder.mkdir()
    ledger = Ledger.create(folder / "ledger.db", secret=hosted.key("host"))
    with monkeypatch.context() as patch, ledger.write() as tx:
        key = hosted.key
        patch.setattr(hosted, "key", lambda said: key(said + word if said.startswith(("seed", "secret")) else said))
        hosted.begin(tx, "coral", "vault")
        for number in range(busy):
            body = {"to": ["blue"], "text": f"word {number}", "letter": ""}
            tx.append("coral", "press", START + HOUR, body, 1, "red")
            hosted.order(tx, "coral", "red", "pass", START + HOUR)
        hosted.resolve(tx, "coral", {}, START + NIGHT)
        for seat in waiting:
            hosted.order(tx, "coral", seat, "pass", START + NIGHT)
    return Running(ledger, folder)


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Another deal, other orders that wait, more words and orders: what nobody may see while the game runs."""
    one = begin(tmp_path / "one", " a", ("red",), monkeypatch)
    other = begin(tmp_path / "other", " b", ("red", "blue"), monkeypatch, busy=3)
    yield one, other
    for running in (one, other):
        running.ledger.close()


def tells_nothing(one: Running, other: Running) -> None:
    """What every exporter must satisfy."""
    assert one.size() == other.size(), "the file tells what may not be known: it has another size"
    told, also = ({name: _without_hashes(data) for name, data in each.exported().items()} for each in (one, other))
    assert told == also, "the file tells what may not be known"
    for each in (one, other):
        history = each.exported()[exporter.HISTORY].decode()
        unsalted = [row for row in each.rows() if hashlib.sha256(row).hexdigest() in history]
        assert not unsalted, "the file tells what may not be known: a leaf without salt gives in to trying"


def _without_hashes(data: bytes) -> bytes:
    return SALT.sub(b"salt", HEAD.sub(rb"\1]", HASH.sub(rb"\1", data)))


def test_two_running_games_that_differ_in_secrets_give_files_that_say_the_same(pair: tuple[Running, Running]) -> None:
    one, other = (running.rows() for running in pair)
    assert len(one) < len(other)
    dealt = {row for row in one if b'"deck"' in row}
    assert dealt
    assert dealt.isdisjoint(other)
    tells_nothing(*pair)


# --- the weakened exporters -------------------------------------------------------------------------------------------

Weakened = dict[str, Callable[..., Any]]
"""Functions of the exporter, by name, as a careless hand might have written them."""


def _facts(book: Book) -> dict[str, Any]:
    """The last turn as the host knows it."""
    return list(book.lines(("turn",)))[-1].facts()


def header_with(more: Callable[[Book], Any]) -> Weakened:
    header = exporter._header

    def leaky(book: Book, *rest: Any) -> dict[str, Any]:
        return {**header(book, *rest), "more": more(book)}

    return {"_header": leaky}


def who_has_answered() -> Weakened:
    """Rows after the last turn are in the file, sealed as they are."""
    row = exporter._row

    def rows(book: Any, **how: Any) -> Any:
        return (row(line if line.seq == 1 else sealed(line)) for line in book.lines())

    return {"_rows": rows}


def how_many_rows_there_are() -> Weakened:
    """Rows up to the last turn are in the file, sealed as they are: how it was once."""
    row = exporter._row

    def rows(book: Any, **how: Any) -> Any:
        last = [line.seq for line in book.lines(("turn",))][-1]
        return (row(line if line.seq == 1 else sealed(line)) for line in book.lines() if line.seq <= last)

    return {"_rows": rows}


def places_of_turns() -> Weakened:
    """The heads of turns come with the numbers of their rows."""
    return header_with(lambda book: [line.seq for line in book.lines(("turn",))])


def sealed(line: Any) -> Any:
    return line._replace(content=None, salt=None, sealed=line.leaf)


def what_waits() -> Weakened:
    """The queues of all seats."""

    def waiting(book: Any) -> Any:
        return {seat: queue.body for seat, queue in queues.of_game(book.tx, book.game).items()}

    return header_with(waiting)


def the_next_draw() -> Weakened:
    """What the dice will give in the turn to come."""

    def ahead(book: Any) -> int:
        nonces = next(iter(book.lines(("created",)))).facts()["nonces"]
        return Dice(mix(book.seed(), nonces), "coral").at("2").pick(6, "tie")

    return header_with(ahead)


def the_seed() -> Weakened:
    return header_with(lambda book: (book.seed() or b"").hex())


def seed_in_the_readme() -> Weakened:
    readme, header = exporter._readme, exporter._header
    seeds: list[str] = []

    def leaky(book: Book, *rest: Any) -> dict[str, Any]:
        seeds.append((book.seed() or b"").hex())
        return header(book, *rest)

    return {"_header": leaky, "_readme": lambda game, state: readme(game, state) + seeds[-1]}


def a_hand() -> Weakened:
    return header_with(lambda book: _facts(book)["state"]["players"][0]["hand"])


def the_sum_of_a_hand() -> Weakened:
    return header_with(lambda book: sum(_facts(book)["state"]["players"][0]["hand"]))


def whole_line() -> Weakened:
    """The position as the referee sees it."""
    rules = load("vault")
    return header_with(lambda book: rules.position(rules.restore(_facts(book)["state"])))


def turns_are_opened() -> Weakened:
    row = exporter._row
    return {
        "_rows": lambda book, **how: (row(line) for line in book.lines() if line.opened.kind in ("created", "turn"))
    }


def lengths() -> Weakened:
    """Nothing is said outright, but how long the rows are."""
    return header_with(lambda book: [len(line.opened.body) for line in book.lines(("submission",))])


def salts() -> Weakened:
    """With its salt a leaf can be tried."""
    return header_with(lambda book: [line.salt.hex() for line in book.lines(("turn",))])


def leaves_without_salt() -> Weakened:
    return header_with(lambda book: [hashlib.sha256(text_of(line.opened)).hexdigest() for line in book.lines()])


def digest_of_the_state() -> Weakened:
    return header_with(lambda book: hashlib.sha256(canonical(_facts(book)["state"])).hexdigest())


PLANTED = (
    *(
        who_has_answered,
        how_many_rows_there_are,
        places_of_turns,
        what_waits,
        the_next_draw,
        the_seed,
        seed_in_the_readme,
        a_hand,
        the_sum_of_a_hand,
    ),
    *(whole_line, turns_are_opened, lengths, salts, leaves_without_salt, digest_of_the_state),
)


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.__name__)
def test_a_leak_of_the_exporter_is_found(
    planted: Callable[[], Weakened], pair: tuple[Running, Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, leaky in planted().items():
        monkeypatch.setattr(exporter, name, leaky)
    with pytest.raises(AssertionError, match="tells what may not be known"):
        tells_nothing(*pair)
    counted(1, "leaks planted in an export, found")
