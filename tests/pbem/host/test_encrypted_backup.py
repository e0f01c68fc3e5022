"""Encrypted backups: in the format of age, opened by pbem and by the `age` tool, and no clear copy is left behind."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pbem.care import encrypting, keeping
from pbem.care.encrypting import Locks, Opener, private_room
from pbem.care.keeping import back_up, dated, put_back
from pbem.errors import Trouble
from pbem.ledger import Ledger, backup, games
from pbem.ledger.dump import canonical_dump
from pbem.ledger.troubles import DamagedLedger, LedgerExists
from tests.pbem.host.conftest import DAY, NOON, Host

pyrage: Any = pytest.importorskip("pyrage")


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, Path]:
    """A public key, and the file of the secret one as `age-keygen` writes it."""
    identity = pyrage.x25519.Identity.generate()
    public, file = str(identity.to_public()), tmp_path / "age.key"
    file.write_text(f"# public key: {public}\n{identity}\n")
    return public, file


def passphrase(folder: Path, words: str = "correct horse battery") -> Path:
    file = folder / "passphrase"
    file.write_text(f"{words}\n")
    file.chmod(0o600)
    return file


def begun(host: Host) -> bytes:
    host.start("nim", heaps="20-20-20")
    host.order("1", "b13")
    return canonical_dump(host.ledger)


def rooms(folder: Path) -> list[str]:
    """What is left in that folder of rooms, parts and clear copies."""
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


def test_to_a_public_key_and_back(host: Host, tmp_path: Path, pair: tuple[str, Path]) -> None:
    before, (public, secret) = begun(host), pair
    copy = back_up(host.config, tmp_path / "copy.db.age", Locks([public]))
    raw = copy.read_bytes()
    assert raw.startswith(encrypting.MAGIC)
    assert copy.stat().st_mode & 0o777 == 0o600
    assert not any(word in raw for word in (b"SQLite", b"players.example", b"player-1", b"nim"))
    assert rooms(tmp_path) == []
    host.night()
    host.ledger.close()
    put_back(host.config, copy, Opener(secret))
    host.ledger = Ledger.open(host.config.place)
    assert canonical_dump(host.ledger) == before
    assert [name for name in rooms(host.config.folder) if "backup" in name] == []


def test_to_several_keys_in_a_file(host: Host, tmp_path: Path, pair: tuple[str, Path]) -> None:
    begun(host)
    other = pyrage.x25519.Identity.generate()
    file = tmp_path / "recipients"
    file.write_text(f"# the club's two keepers\n{pair[0]}\n\n{other.to_public()}\n")
    copy = back_up(host.config, tmp_path / "copy.age", Locks([str(file)]))
    with Opener(pair[1]).opened(copy, tmp_path) as clear:
        assert clear.read_bytes().startswith(b"SQLite format 3")
        assert clear.parent.stat().st_mode & 0o777 == 0o700
    assert rooms(tmp_path) == []


def test_with_a_passphrase_and_back(host: Host, tmp_path: Path) -> None:
    begun(host)
    words = passphrase(tmp_path)
    copy = back_up(host.config, tmp_path / "copy.age", Locks(passphrase=words))
    with Opener(passphrase=words).opened(copy, tmp_path) as clear:
        assert clear.read_bytes().startswith(b"SQLite format 3")
    words.write_text("another horse battery\n")
    with pytest.raises(Trouble, match="for another key, or damaged"), Opener(passphrase=words).opened(copy, tmp_path):
        pass
    assert rooms(tmp_path) == []


@pytest.mark.skipif(shutil.which("age") is None, reason="the tool `age` is not installed")
def test_the_tool_of_age_opens_it_without_us(host: Host, tmp_path: Path, pair: tuple[str, Path]) -> None:
    begun(host)
    copy = back_up(host.config, tmp_path / "copy.age", Locks([pair[0]]))
    clear = tmp_path / "clear.db"
    subprocess.run(["age", "-d", "-i", str(pair[1]), "-o", str(clear), str(copy)], check=True)
    with closing(Ledger.open(clear, readonly=True)) as ledger, ledger.read() as tx:
        assert [row.name for row in games.every(tx)] == ["game"]


def test_another_key_and_a_damaged_copy_are_refused(host: Host, tmp_path: Path, pair: tuple[str, Path]) -> None:
    before = begun(host)
    copy = back_up(host.config, tmp_path / "copy.age", Locks([pair[0]]))
    other = tmp_path / "other.key"
    other.write_text(f"{pyrage.x25519.Identity.generate()}\n")
    host.ledger.close()
    with pytest.raises(Trouble, match="another key"):
        put_back(host.config, copy, Opener(other))
    with pytest.raises(Trouble, match="is encrypted; name the file of its key with --identity"):
        put_back(host.config, copy)
    raw = bytearray(copy.read_bytes())
    raw[len(raw) // 2] ^= 1
    copy.write_bytes(raw)
    with pytest.raises(Trouble, match="damaged"):
        put_back(host.config, copy, Opener(pair[1]))
    host.ledger = Ledger.open(host.config.place)
    assert canonical_dump(host.ledger) == before
    assert [name for name in rooms(host.config.folder) if "backup" in name] == []


@pytest.mark.parametrize("step", ["_write", "encrypt"])
def test_no_clear_copy_is_left_when_it_fails(
    host: Host, tmp_path: Path, pair: tuple[str, Path], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    begun(host)
    monkeypatch.setattr(Locks, step, fails)
    with pytest.raises((Trouble, OSError)):
        back_up(host.config, tmp_path / "copy.age", Locks([pair[0]]))
    assert rooms(tmp_path) == []
    assert not (tmp_path / "copy.age").exists()


def test_what_a_killed_backup_left_is_removed_by_the_next(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        with private_room(tmp_path) as room:
            (room / "ledger.db").write_text("clear")
            os._exit(0)
    os.waitpid(child, 0)
    assert len(rooms(tmp_path)) == 1
    with private_room(tmp_path) as mine, private_room(tmp_path) as other:
        assert sorted(rooms(tmp_path)) == sorted([mine.name, other.name])  # those at work are left alone
    assert rooms(tmp_path) == []


def test_dated_copies_of_both_kinds_are_counted_together(host: Host, tmp_path: Path, pair: tuple[str, Path]) -> None:
    begun(host)
    dated(host.config, tmp_path / "copies", 2, NOON)
    for day in (1, 2):
        dated(host.config, tmp_path / "copies", 2, NOON + day * DAY, Locks([pair[0]]))
    assert sorted(path.name for path in (tmp_path / "copies").iterdir()) == [
        "ledger-20261119T120000Z.db.age",
        "ledger-20261120T120000Z.db.age",
    ]


def test_nothing_is_written_over(host: Host, tmp_path: Path, pair: tuple[str, Path]) -> None:
    begun(host)
    (tmp_path / "copy.age").write_text("mine")
    with pytest.raises(LedgerExists):
        back_up(host.config, tmp_path / "copy.age", Locks([pair[0]]))
    assert (tmp_path / "copy.age").read_text() == "mine"


def test_keys_that_are_none_are_told_in_one_sentence(tmp_path: Path, pair: tuple[str, Path]) -> None:
    (tmp_path / "empty").write_text("# nothing\n")
    for recipients, words, says in (
        (["age1zzz"], None, "is no public key of age"),
        ([str(tmp_path / "none")], None, "cannot be read for public keys"),
        ([str(tmp_path / "empty")], None, "holds no line"),
        ([pair[0]], passphrase(tmp_path), "not both"),
        ([], passphrase(tmp_path, "short"), "fewer than 8"),
    ):
        with pytest.raises(Trouble, match=says):
            Locks(recipients, words)
    words = passphrase(tmp_path)
    words.chmod(0o644)
    with pytest.raises(Trouble, match="Others may read"):
        Locks([], words)


def test_a_copy_that_is_not_encrypted_is_restored_as_ever(host: Host, tmp_path: Path) -> None:
    begun(host)
    copy = back_up(host.config, tmp_path / "copy.db")
    host.ledger.close()
    put_back(host.config, copy, Opener())
    copy.write_bytes(b"nothing of ours")
    with pytest.raises(DamagedLedger):
        put_back(host.config, copy, Opener())
    host.ledger = Ledger.open(host.config.place)


def test_weakened_a_backup_beside_its_target_leaves_what_it_held(
    host: Host, tmp_path: Path, pair: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: without a room of its own the clear copy stays when encrypting fails."""

    def beside(config: Any, target: Path, locks: Locks) -> Path:
        return locks.encrypt(backup.backup(config.place, target.with_name(".clear.db")), target)

    begun(host)
    monkeypatch.setattr(keeping, "back_up", beside)
    monkeypatch.setattr(Locks, "_write", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        keeping.back_up(host.config, tmp_path / "copy.age", Locks([pair[0]]))
    assert rooms(tmp_path) == [".clear.db"]
