"""Maildir: read oldest first, stored, and only then marked as seen or moved (G1, G3, G4, G16, F01)."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from pbem import faults
from pbem.arriving import files, maildir, storing
from pbem.arriving.brought import Brought
from pbem.arriving.message import LARGEST
from tests.pbem.arriving.conftest import LATER, NOON, Store, mail


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("tmp", "new", "cur"):
        (tmp_path / "Maildir" / name).mkdir(parents=True)
    return tmp_path / "Maildir"


@pytest.fixture(autouse=True)
def disarmed() -> object:
    yield
    faults.arm(None)


def deliver(folder: Path, name: str, raw: bytes, *, minutes: float = 0, room: str = "new") -> Path:
    """As a mail server delivers: written elsewhere, then moved."""
    path = folder / room / name
    path.write_bytes(raw)
    then = NOON.timestamp() + 60 * minutes
    os.utime(path, (then, then))
    return path


def gather(store: Store, folder: Path, done: str = "") -> Brought:
    return maildir.gather(store.ledger, folder, done, LATER)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_oldest_first_then_marked_as_seen(store: Store, folder: Path) -> None:
    deliver(folder, "a.late", mail(1), minutes=9)
    deliver(folder, "b.early", mail(2), minutes=3)
    deliver(folder, "c.clock", mail(3), minutes=9999)
    found = gather(store, folder)
    assert (found.new, found.known, found.left, found.reachable, found.warning) == (3, 0, (), True, "")
    waiting = store.waiting()
    assert [one.message_id[1] for one in waiting] == ["2", "1", "3"]
    assert [(one.at - NOON).total_seconds() / 60 for one in waiting] == [3, 9, 360]  # none comes from the time to come
    assert names(folder / "new") == []
    assert names(folder / "cur") == ["a.late:2,S", "b.early:2,S", "c.clock:2,S"]
    assert gather(store, folder).new == 0


def test_moved_to_a_folder_of_its_own(store: Store, folder: Path) -> None:
    deliver(folder, "one", mail(1))
    assert gather(store, folder, ".Taken").new == 1
    assert names(folder / "cur") == []
    assert names(folder / ".Taken" / "cur") == ["one:2,S"]
    assert (folder / ".Taken" / "cur").stat().st_mode & 0o777 == 0o700
    deliver(folder, "two", mail(2))
    assert gather(store, folder, ".Taken").new == 1
    assert names(folder / ".Taken" / "cur") == ["one:2,S", "two:2,S"]


def test_what_another_program_carried_over_unseen_is_read(store: Store, folder: Path) -> None:
    """Dovecot moves new mails to `cur` as soon as somebody opens the mailbox."""
    deliver(folder, "a:2,", mail(1), room="cur")
    deliver(folder, "b:2,FR", mail(2), room="cur")
    deliver(folder, "c:2,S", mail(3), room="cur")
    deliver(folder, "d", mail(4), room="cur")
    deliver(folder, "e:2,S", mail(5))  # in `new` nothing was seen, whatever it is called
    assert gather(store, folder).new == 4
    assert names(folder / "cur") == ["a:2,S", "b:2,FRS", "c:2,S", "d:2,S", "e:2,S"]


def test_the_limit_and_one_past_it(store: Store, folder: Path) -> None:
    fits = mail(1) + b"x" * (LARGEST - len(mail(1)))
    deliver(folder, "fits", fits)
    larger = mail(2) + b"x" * LARGEST
    deliver(folder, "large", larger)
    deliver(folder, "behind", mail(3), minutes=1)
    found = gather(store, folder)
    assert (found.new, found.left, names(folder / "new")) == (3, (), [])
    beginning = b"X-Cut-Short: %d\r\n" % len(larger) + larger[:LARGEST]
    assert store.raws() == Counter([fits, beginning, mail(3)])


def test_only_plain_files_are_opened(store: Store, folder: Path, tmp_path: Path) -> None:  # F01
    (tmp_path / "secret").write_bytes(mail(9))
    (folder / "new" / "link").symlink_to(tmp_path / "secret")
    (folder / "new" / "nowhere").symlink_to(tmp_path / "nowhere")
    (folder / "new" / "folder").mkdir()
    os.mkfifo(folder / "new" / "pipe")
    deliver(folder, ".hidden", mail(8))
    deliver(folder, "one", mail(1))
    found = gather(store, folder)
    assert (found.new, sorted(found.left)) == (1, ["folder", "link", "nowhere", "pipe"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_a_file_that_may_not_be_read_is_named(store: Store, folder: Path) -> None:
    deliver(folder, "barred", mail(1)).chmod(0)
    deliver(folder, "one", mail(2))
    found = gather(store, folder)
    assert (found.new, found.left) == (1, ("barred",))


def test_a_maildir_that_is_not_there_is_said(store: Store, tmp_path: Path) -> None:
    found = gather(store, tmp_path / "nowhere")
    assert found.silent == f"{tmp_path}/nowhere/new: No such file or directory"


class Killed(BaseException):
    """The run ends here."""


@pytest.mark.parametrize("point", ["mails-fetched", "mails-stored", "mails-marked"])
def test_killed_anywhere_and_run_again_each_counts_once(store: Store, folder: Path, point: str) -> None:  # G1
    raws = [mail(number) for number in range(1, 6)]
    for number, raw in enumerate(raws):
        deliver(folder, f"{number}", raw)

    def die(passed: str) -> None:
        if passed == point:
            raise Killed

    faults.arm(die)
    with pytest.raises(Killed):
        gather(store, folder)
    faults.arm(None)
    gather(store, folder)
    assert store.raws() == Counter(raws)
    assert names(folder / "new") == []


def test_taken_away_meanwhile(store: Store, folder: Path) -> None:
    """By its owner, between looking and reading, or between storing and marking."""
    for point in ("mails-fetched", "mails-stored"):
        path = deliver(folder, point, mail(len(point)))
        faults.arm(lambda passed, path=path, point=point: path.unlink(missing_ok=True) if passed == point else None)
        found = gather(store, folder)
        assert (found.new, found.warning) == (1, "")


def test_a_maildir_that_cannot_be_written_is_read_all_the_same(store: Store, folder: Path) -> None:
    deliver(folder, "one", mail(1))
    (folder / "cur").rmdir()
    (folder / "cur").mkdir()
    real = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied", str(self))

    Path.rename = refuse  # type: ignore[method-assign]
    try:
        found = gather(store, folder)
    finally:
        Path.rename = real  # type: ignore[method-assign]
    assert found.new == 1
    assert found.warning.startswith("what was taken cannot be marked (Permission denied)")
    assert gather(store, folder).known == 1


def test_g3_a_build_that_moves_before_it_stores_is_seen(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weakened build loses a mail when it is killed in between."""
    read = maildir._read

    def first_move(*arguments: object) -> object:
        for mail_, message in read(*arguments):  # type: ignore[arg-type]
            put_away(mail_.path, None)
            yield mail_, message

    put_away = maildir._put_away
    monkeypatch.setattr(maildir, "_read", first_move)
    monkeypatch.setattr(maildir, "_put_away", lambda path, away: "")
    deliver(folder, "one", mail(1))

    def die(passed: str) -> None:
        if passed == "mails-fetched":
            raise Killed

    faults.arm(die)
    with pytest.raises(Killed):
        gather(store, folder)
    faults.arm(None)
    gather(store, folder)
    assert not store.raws()


def test_what_changes_after_the_folder_was_looked_at(
    store: Store, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taken away, grown, or become a link by then."""
    for name in ("gone", "grown", "link"):
        deliver(folder, name, mail(1))
    real = maildir._unseen

    def looked(at: Path) -> list[maildir.Delivered]:
        found = list(real(at))
        (folder / "new" / "gone").unlink()
        (folder / "new" / "grown").write_bytes(b"x" * (LARGEST + 1))
        (folder / "new" / "link").unlink()
        (tmp_path / "secret").write_bytes(mail(9))
        (folder / "new" / "link").symlink_to(tmp_path / "secret")
        return found

    monkeypatch.setattr(maildir, "_unseen", looked)
    found = gather(store, folder)
    assert (found.new, sorted(found.left), found.reachable) == (1, ["link"], True)
    assert store.raws() == Counter([b"X-Cut-Short: %d\n" % (LARGEST + 1) + b"x" * LARGEST])


def test_as_many_as_fit_into_one_transaction_and_one_more(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maildir, "AT_A_TIME", 2)
    for number in range(3):
        deliver(folder, str(number), mail(number), minutes=number)
    assert gather(store, folder).new == 3
    assert names(folder / "new") == []


def test_large_mails_are_held_a_few_at_a_time(store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MEMORY", 2 * LARGEST)
    transactions, real = [], storing.store
    monkeypatch.setattr(maildir, "store", lambda *given: transactions.append(len(given[1])) or real(*given))
    for number in range(3):
        deliver(folder, str(number), mail(number), minutes=number)
    assert gather(store, folder).new == 3
    assert transactions == [2, 1]


def test_where_all_has_gone_meanwhile_nothing_is_stored(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver(folder, "one", mail(1))
    unseen = maildir._unseen
    monkeypatch.setattr(maildir, "_unseen", lambda at: [*unseen(at), (folder / "new" / "one").unlink()][:1])
    monkeypatch.setattr(maildir, "store", lambda *given: pytest.fail("an empty transaction"))
    found = gather(store, folder)
    assert (found.new, found.left, found.reachable) == (0, (), True)


def test_what_was_put_away_by_another_program_is_no_trouble(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver(folder, "one", mail(1))
    monkeypatch.setattr(maildir, "store", lambda *given: (folder / "new" / "one").unlink() or storing.store(*given))
    found = gather(store, folder)
    assert (found.new, found.warning) == (1, "")
