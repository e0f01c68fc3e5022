"""The drop folder: stored oldest first, and out of the way only then; what changes or goes meanwhile harms nothing."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem import faults
from pbem.arriving import drop, files
from pbem.arriving.message import LARGEST
from pbem.ledger import letters
from tests.pbem.host.conftest import Host, host, make_host

__all__ = ["host", "make_host"]

SOON = datetime.now(UTC) + timedelta(days=1)


@pytest.fixture(autouse=True)
def disarmed() -> object:
    yield
    faults.arm(None)


def dropped(host: Host, name: str, words: str = "orders") -> Path:
    path = host.config.inbox / name
    path.write_text(f"{words}\nend: orders\n")
    return path


def gather(host: Host, now: datetime = SOON) -> tuple[int, int, tuple[str, ...]]:
    found = drop.gather(host.config, host.ledger, now)
    return found.new, found.known, found.left


def stored(host: Host) -> list[letters.Waiting]:
    with host.ledger.read() as tx:
        return letters.waiting(tx)


def taken(host: Host) -> list[Path]:
    folder = host.config.inbox / drop.TAKEN
    return sorted(folder.iterdir()) if folder.exists() else []


def test_what_is_dropped_is_stored_oldest_first_and_put_where_only_we_look(host: Host) -> None:
    raws = []
    for number, name in enumerate(("c.yml", "a.yml", "b.yml")):
        path = dropped(host, name, f"orders {number}")
        raws.append(path.read_bytes())
        while dropped_at(dropped(host, ".later")) <= dropped_at(path):  # until the clock of the disk has gone on
            time.sleep(0.001)
    (host.config.inbox / ".later").unlink()
    assert gather(host) == (3, 0, ())
    with host.ledger.read() as tx:
        assert [letters.get(tx, one.sha256) for one in letters.waiting(tx)] == raws
    assert len(taken(host)) == 3
    assert (host.config.inbox / drop.TAKEN).stat().st_mode & 0o777 == 0o700
    assert gather(host) == (0, 0, ())


def dropped_at(path: Path) -> int:
    return path.stat().st_ctime_ns


def test_a_file_counts_as_come_when_it_was_dropped_and_never_later_than_now(host: Host) -> None:
    path = dropped(host, "x.yml")
    os.utime(path, (0, 0))
    came = datetime.fromtimestamp(path.stat().st_ctime, UTC).replace(microsecond=0)
    gather(host)
    dropped(host, "y.yml", "others")
    early = datetime(2026, 1, 1, tzinfo=UTC)
    gather(host, early)
    assert {one.at for one in stored(host)} == {came, early}


@pytest.mark.parametrize("point", ["drops-stored", "drops-put-away"])
def test_killed_in_between_a_file_counts_once(host: Host, point: str) -> None:  # G1
    class Killed(BaseException):
        pass

    def kill(at: str) -> None:
        if at == point:
            raise Killed

    for number in range(3):
        dropped(host, f"{number}.yml", f"orders {number}")
    faults.arm(kill)
    with pytest.raises(Killed):
        gather(host)
    faults.arm(None)
    assert gather(host) == ((0, 3, ()) if point == "drops-stored" else (0, 0, ()))
    assert len(stored(host)) == 3
    assert len(taken(host)) == 3


def test_more_than_fit_into_one_transaction_are_all_taken(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drop, "AT_A_TIME", 2)
    for number in range(5):
        dropped(host, f"{number}.yml", f"orders {number}")
    assert gather(host) == (5, 0, ())
    assert len(stored(host)) == len(taken(host)) == 5


def test_large_messages_are_held_a_few_at_a_time(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a host allows 16 MB for a message, a hundred of them would be more than many a machine has."""
    monkeypatch.setattr(files, "MEMORY", 3 * host.config.limits.message_bytes - 1)
    transactions, real = [], letters.arrive_all
    monkeypatch.setattr(letters, "arrive_all", lambda tx, found: transactions.append(len(found)) or real(tx, found))
    for number in range(5):
        dropped(host, f"{number}.yml", f"orders {number}")
    assert gather(host) == (5, 0, ())
    assert transactions == [2, 2, 1]


def test_a_message_larger_than_what_is_held_at_once_is_taken_by_itself() -> None:
    assert files.held(files.MEMORY + 1) == 1


def test_a_file_without_its_end_rests_before_it_is_taken(host: Host) -> None:
    path = host.config.inbox / "x.yml"
    path.write_text("orders: [b3]\n")
    now = time.time()
    for ago, new in ((0.0, 0), (1.0, 0), (drop.QUIET + 5, 1)):
        os.utime(path, (now - ago, now - ago))
        assert gather(host)[0] == new
    path.write_text("orders: [a1]\n")
    os.utime(path, (now + 3600, now + 3600))  # from the time to come: nobody can wait for it to rest
    assert gather(host)[0] == 1


def test_the_largest_file_that_is_taken_and_one_byte_more(host: Host) -> None:
    text = "x" * (LARGEST - len("\nend: orders\n"))
    dropped(host, "fits.yml", text)
    dropped(host, "large.yml", text + "x")
    assert gather(host) == (1, 0, ("large.yml",))
    assert drop.strange(host.config) == ["large.yml"]


def test_what_is_taken_away_meanwhile_is_nobodys(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between looking at the folder and reading, and between reading and putting it away."""
    gone, read = dropped(host, "gone.yml"), dropped(host, "read.yml", "others")
    real = drop._oldest_first

    def looked(folder: Path, most: int) -> tuple[list[Path], list[str]]:
        found = real(folder, most)
        gone.unlink()
        return found

    monkeypatch.setattr(drop, "_oldest_first", looked)
    faults.arm(lambda at: read.unlink() if at == "drops-stored" else None)
    assert gather(host) == (1, 0, ())
    assert taken(host) == []
    monkeypatch.setattr(drop, "_oldest_first", lambda *_: ([gone], []))
    assert gather(host) == (0, 0, ())
    assert drop.strange(host.config) == []


def test_a_name_that_vanishes_while_the_folder_is_looked_at(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drop, "_names", lambda folder: iter(["gone.yml"]))
    assert gather(host) == (0, 0, ())
    assert drop.strange(host.config) == []


def test_what_is_swapped_for_a_link_after_it_was_looked_at_is_not_read(host: Host, tmp_path: Path) -> None:
    """F01: `lstat` saw a file; what is opened is a link by then."""
    secret = tmp_path / "secret"
    secret.write_text("end: secret\n")
    link = host.config.inbox / "x.yml"
    link.symlink_to(secret)
    assert drop._read(link, SOON, LARGEST) is None
    assert drop._change_time(link) is None


def test_what_becomes_a_pipe_after_it_was_looked_at_is_not_waited_for(host: Host) -> None:
    pipe = host.config.inbox / "x.yml"
    os.mkfifo(pipe)
    assert drop._read(pipe, SOON, LARGEST) is None


def test_what_is_saved_anew_meanwhile_is_another_message(host: Host) -> None:
    path = dropped(host, "x.yml")
    faults.arm(lambda at: path.write_text("orders: [c2]\nend: orders\n") and None if at == "drops-stored" else None)
    assert gather(host) == (1, 0, ())
    faults.arm(None)
    assert path.exists()
    assert gather(host) == (1, 0, ())
    assert len(stored(host)) == 2


def test_what_is_saved_anew_while_it_is_put_away_comes_back(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    path = dropped(host, "x.yml")
    real, asked = drop._version, []

    def version(of: Path) -> tuple[int, int]:
        asked.append(of)
        found = real(of)
        if len(asked) == 1:  # somebody saves it between the look and the move
            path.write_text("orders: [c2]\nend: orders\n")
        return found

    monkeypatch.setattr(drop, "_version", version)
    assert gather(host) == (1, 0, ())
    assert taken(host) == []
    assert gather(host) == (1, 0, ())
    assert len(stored(host)) == 2


def test_a_file_is_read_up_to_a_bound(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"0123456789" * 100)
    for size in (0, 1, 999, 1000, 5000):  # what it was said to hold may be wrong
        with files.opened(path) as handle:
            assert handle is not None
            assert files.whole(handle, size, 1000) == path.read_bytes()
    with files.opened(path) as handle:
        assert handle is not None
        assert os.get_inheritable(handle) is False
        assert len(files.whole(handle, 9, 50)) == 60
    with pytest.raises(FileNotFoundError), files.opened(tmp_path / "gone"):
        pass
    path.unlink()
    path.symlink_to(tmp_path / "secret")
    with files.opened(path) as handle:
        assert handle is None
