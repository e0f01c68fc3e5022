"""G8: backups taken while orders come in without a pause, each restored, verified, played again, and given its night.

The oracle is a twin of the host to which the same orders come in the same order. After each of its transactions it is
what a backup may hold; a backup that is none of these was cut, and one that lacks what had been acknowledged before it
was begun is stale. Then both have the next night, and whatever that leaves behind must be the same to the byte.
"""

from __future__ import annotations

import hashlib
import mmap
import shutil
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count, islice
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from engine import load
from pbem import keys
from pbem.audit.verify import Verdict, verify_ledger
from pbem.game import taking
from pbem.game.taking import take_file
from pbem.ledger import Ledger, backup, games
from pbem.ledger.dump import canonical_dump
from tests.faults import a_host
from tests.faults.figures import counted, so_many
from tests.faults.forking import ended, started

MANY = so_many(3, 200)
MORE = ("bagh-chal", "yut")  # played by nobody before, so that there are turns to be played again
NIGHTS = tuple(a_host.NIGHT + timedelta(days=day) for day in range(3))  # the last one comes after the backups
AFTERNOON = NIGHTS[2] - timedelta(hours=8)
Take = Callable[[Path, Path], object]
Restore = Callable[[Path, Path, Path], None]

pytestmark = [pytest.mark.faults, pytest.mark.timeout(0 if MANY > 3 else 300)]


@dataclass(frozen=True)
class Message:
    """An order as it is brought to the host, and when."""

    raw: bytes
    name: str
    at: datetime


@dataclass(frozen=True)
class Copy:
    """A backup, and how many messages had been answered when it was begun."""

    path: Path
    answered: int


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host with some nights behind it."""
    folder = tmp_path_factory.mktemp("played") / "host"
    a_host.build(folder, MORE)
    for night in NIGHTS[:-1]:
        a_host.night(folder, night)
    return folder


@pytest.fixture
def host(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "host"))


# --- what is written meanwhile ----------------------------------------------------------------------------------------


Asked = tuple[str, str, int, list[str]]  # a game, a seat of it, the turn, and what is open to it


def asked(folder: Path) -> list[Asked]:
    """Everybody who is to move on that host."""
    found = list[Asked]()
    with a_host.opened(folder) as (_, ledger), ledger.read() as tx:
        for name in (*a_host.GAMES, *MORE):
            game = games.get(tx, name)
            rules = load(game.pinned)
            state = rules.restore(game.state)
            open_to = {seat: [str(move) for move in rules.moves(state, seat)] for seat in rules.pending(state)}
            found += [(name, seat, game.turn, moves) for seat, moves in open_to.items()]
    return found


def messages(seats: Sequence[Asked]) -> Iterator[Message]:
    """Orders of all seats by turns, one a second, without an end: most are good and say a word, some are none."""
    for number in count():
        name, seat, turn, moves = seats[number % len(seats)]
        order = "nonsense" if number % 17 == 5 else moves[number * 7 % len(moves)]
        key = keys.key(a_host.secret(f"chain {name}"), seat, turn)
        form = f"game: {name}\nseat: {seat}\nturn: {turn}\nkey: {key}\norders:\n  - {order}\nsay: word {number}\n"
        yield Message(f"{form}end: orders\n".encode(), f"{number}.yaml", AFTERNOON + timedelta(seconds=number))


@contextmanager
def bringing() -> Iterator[Callable[[Any, Ledger, Message], object]]:
    """What `pbem submit` does, with message ids that are the same on both hosts."""
    with pytest.MonkeyPatch.context() as patch:

        def bring(settings: Any, ledger: Ledger, message: Message) -> object:
            steady = SimpleNamespace(token_hex=lambda length: hashlib.sha256(message.name.encode()).hexdigest()[:24])
            patch.setattr(taking, "random_source", steady)
            return take_file(settings, ledger, message.raw, message.name, message.at)

        yield bring


class Writer:
    """A process that brings one message after the other until it is told to stop, and says how many were answered."""

    def __init__(self, folder: Path, seats: Sequence[Asked]) -> None:
        self.folder, self.seats, self.shared = folder, seats, mmap.mmap(-1, mmap.PAGESIZE)

    def __enter__(self) -> Writer:
        self.pid = started(self._write)
        return self

    def __exit__(self, *_: object) -> None:
        self.shared[8] = 1
        self.ended = ended(self.pid)

    def _write(self) -> None:
        with a_host.opened(self.folder) as (settings, ledger), bringing() as bring:
            for number, message in enumerate(messages(self.seats), 1):
                if self.shared[8]:
                    return
                bring(settings, ledger, message)
                self.shared[:8] = number.to_bytes(8, "big")

    @property
    def answered(self) -> int:
        return int.from_bytes(self.shared[:8], "big")

    def goes_on(self, after: int) -> None:
        """Waits until more than so many are answered."""
        until = time.monotonic() + 60
        while self.answered <= after:
            assert time.monotonic() < until, "nothing is written any more"
            time.sleep(0.001)


def taken_meanwhile(host: Path, seats: Sequence[Asked], take: Take, many: int) -> tuple[list[Copy], int]:
    """So many copies, each begun at another moment of the writing, and how many messages were answered in all."""
    luck, copies = Random(8), list[Copy]()
    with Writer(host, seats) as writer:
        for number in range(many):
            writer.goes_on(copies[-1].answered if copies else 0)
            time.sleep(luck.random() * 0.03)
            copies.append(Copy(host.with_name(f"copy-{number}.db"), writer.answered))
            take(host / "ledger.db", copies[-1].path)
    assert writer.ended == 0
    return copies, writer.answered


# --- the twin, and the night after ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moment:
    """The twin between two transactions, with how many messages it had answered."""

    folder: Path
    answered: int


def digest(ledger: Ledger) -> bytes:
    return hashlib.sha256(canonical_dump(ledger)).digest()


def held(copy: Path) -> bytes:
    """What a copy holds, in short."""
    with closing(Ledger.open(copy, readonly=True)) as ledger:
        return digest(ledger)


class Twin:
    """A host to which the same is brought, looked at between its transactions: those that are wanted are set aside."""

    def __init__(self, folder: Path, wanted: Iterable[bytes]) -> None:
        self.folder, self.left, self.answered = folder, set(wanted), 0
        self.met: dict[bytes, Moment] = {}

    def look(self, ledger: Ledger) -> None:
        found = digest(ledger)
        if found in self.left:
            self.left.remove(found)
            aside = self.folder.with_name(f"moment-{len(self.met)}")
            self.met[found] = Moment(aside, self.answered)
            shutil.copytree(self.folder, aside, ignore=shutil.ignore_patterns("*-shm"))
        elif found in self.met:
            self.met[found] = replace(self.met[found], answered=self.answered)

    @contextmanager
    def watched(self) -> Iterator[None]:
        real = Ledger.write

        @contextmanager
        def looked_at(ledger: Ledger) -> Iterator[Any]:
            with real(ledger) as tx:
                yield tx
            self.look(ledger)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Ledger, "write", looked_at)
            yield


def moments(folder: Path, seats: Sequence[Asked], wanted: Iterable[bytes], most: int) -> dict[bytes, Moment]:
    """The host as it stood at each wanted ledger, found while so many messages are answered again."""
    twin = Twin(folder, wanted)
    with a_host.opened(folder) as (settings, ledger), bringing() as bring:
        twin.look(ledger)
        for message in islice(messages(seats), most):
            if not twin.left:
                break
            with twin.watched():
                bring(settings, ledger, message)
            twin.answered += 1
            twin.look(ledger)
    return twin.met


def restored(copy: Path, host: Path, folder: Path) -> None:
    """A host whose ledger was lost, with the backup in its place."""
    shutil.copytree(host, folder, ignore=shutil.ignore_patterns("ledger.db", "ledger.db-*"))
    backup.restore(copy, folder / "ledger.db")


def verdicts(folder: Path) -> list[Verdict]:
    with a_host.opened(folder) as (_, ledger):
        return list(verify_ledger(ledger))


def after_the_night(folder: Path) -> dict[str, bytes]:
    a_host.night(folder, NIGHTS[-1])
    return a_host.remains(folder)


def drill(host: Path, take: Take = backup.backup, restore: Restore = restored, many: int = MANY) -> Counter[str]:
    """Backups during constant writes, each restored, verified, and given the next night beside the twin; the sums."""
    twin, seats = host.with_name("twin"), asked(host)
    shutil.copytree(host, twin)
    copies, answered = taken_meanwhile(host, seats, take, many)
    holds = [held(copy.path) for copy in copies]
    known = moments(twin, seats, holds, answered)
    sums, last, expected = Counter[str](), b"", dict[str, bytes]()
    for copy, hold in zip(copies, holds, strict=True):
        assert hold in known, f"{copy.path.name} is no ledger that the host ever had"
        assert known[hold].answered >= copy.answered, f"{copy.path.name} lacks what had been answered"
        if hold != last:  # a ledger only grows: copies of the same moment follow each other
            last, expected = hold, after_the_night(known[hold].folder)
            shutil.rmtree(known[hold].folder)
        sums += one_drill(copy, host, restore, expected)
    sums["moments"] = len(known)
    return sums


def one_drill(copy: Copy, host: Path, restore: Restore, expected: Mapping[str, bytes]) -> Counter[str]:
    """One backup: restored it verifies, and the night after leaves what is expected."""
    folder = host.with_name("other")
    restore(copy.path, host, folder)
    found, before = verdicts(folder), a_host.remains(folder)
    assert all(verdict.whole for verdict in found), copy.path.name
    after = after_the_night(folder)
    assert after == expected, f"{copy.path.name} has another night"
    shutil.rmtree(folder)
    mails = sum(name.endswith(".eml") for name in after.keys() - before.keys())
    assert mails, "the night told nobody anything"
    turns = sum(verdict.turns for verdict in found)
    return Counter({"backups": 1, "chains": len(found), "turns": turns, "mails": mails})


def test_g8_each_backup_restores_verifies_replays_and_has_the_same_next_night(host: Path) -> None:
    sums = drill(host)
    assert sums["backups"] == MANY
    counted(sums["backups"], "backups while orders came in, each restored, verified, played again and given its night")
    counted(MANY - sums["backups"], "of them with another night")
    counted(sums["moments"], "different moments of the host among them")
    counted(sums["chains"], "chains of restored ledgers verified")
    counted(sums["turns"], "turns in them played again")
    counted(sums["mails"], "mails of those next nights, the same to the byte")


# --- weakened builds --------------------------------------------------------------------------------------------------


def test_g8_weakened_copied_files_lack_what_was_answered(host: Path) -> None:
    """Seen red: what is acknowledged lies in the log beside the file."""
    with pytest.raises(AssertionError, match="lacks what had been answered"):
        drill(host, take=shutil.copyfile, many=1)


def test_g8_weakened_a_restore_that_forgets_what_waits_has_another_night(host: Path) -> None:
    """Seen red: the history is whole and verifies, and the orders of the evening are lost all the same."""

    def forgetful(copy: Path, host: Path, folder: Path) -> None:
        restored(copy, host, folder)
        with closing(sqlite3.connect(folder / "ledger.db")) as ledger, ledger:
            ledger.execute("UPDATE queue SET body = NULL")

    with pytest.raises(AssertionError, match="another night"):
        drill(host, restore=forgetful, many=1)
