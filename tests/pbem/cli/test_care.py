"""doctor, backup and restore: a host that is well, one that is ill, and the way back."""

from __future__ import annotations

import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.audit import verify
from pbem.ledger.seals import Keys
from pbem.ledger.signing import signer
from tests.pbem.audit.forging import signed_mail
from tests.pbem.cli.desk import DEADLINE, LATER, NEXT_DAY, Desk
from tests.pbem.cli.without import without_rules


def test_a_host_that_is_well(desk: Desk) -> None:
    found = desk.data("doctor", "--now", LATER)
    assert found["rebuilt_from"] is None
    assert [one for one in found["findings"] if not one["well"]] == []
    assert all(line.startswith("well  ") for line in desk("doctor", "--now", LATER).out.splitlines())


def test_what_follows_from_the_journal_is_made_anew(desk: Desk) -> None:
    before = desk.data("show", "jade-river")
    rows = desk.data("doctor", "--rebuild", "--now", LATER)["rebuilt_from"]
    assert rows == sum(len(desk.data("audit", "log", chain)) for chain in ("@host", "jade-river"))
    said = desk("doctor", "--rebuild", "--now", LATER).out
    assert said.startswith(f"Everything that follows from the journal was made anew from its {rows} rows.\n")
    assert desk.data("show", "jade-river") == before


def ill(desk: Desk, *args: str) -> dict[str, str]:
    """What the doctor finds wrong."""
    found = desk.data("doctor", *args, "--now", LATER, code=1)["findings"]
    return {one["what"]: one["says"] for one in found if not one["well"]}


def test_what_is_wrong_is_named(desk: Desk) -> None:
    (desk.folder / "inbox" / "not-a-file").mkdir()
    shutil.rmtree(desk.folder / "outbox")
    (desk.folder / "pbem-fault.log").write_text("...\n")
    found = ill(desk)
    assert list(found) == ["outbox", "inbox", "faults of pbem"]
    assert "not-a-file cannot be taken" in found["inbox"]
    assert found["outbox"].endswith("outbox cannot be used; make it")
    assert "report them" in found["faults of pbem"]


def test_with_the_key_of_another_host_nothing_is_done(desk: Desk) -> None:
    (desk.folder / "ledger.key").write_text("5a" * 32 + "\n")
    mail = b"From: anna@example.org\nSubject: help\n\nhelp\n"
    says = "ledger.key is not the key of this ledger, which is "
    for words in (["nightly", "--now", DEADLINE], ["deliver", "--now", LATER], ["fetch", "--now", LATER]):
        desk.refused(*words, code=3, says=says)
    desk.refused("receive", code=75, says=says, stdin=mail)
    assert says in ill(desk)["seal"]
    reason = ("--reason", "the disk died", "--now", LATER)
    assert "jade-river" in desk("doctor", "--new-key", *reason).out
    desk("nightly", "--now", DEADLINE)


def test_work_that_was_left_undone_is_named(desk: Desk) -> None:
    desk("new", "nim", "--name", "other", "--seat", "1=Anna", "--seat", "2=Bruno", "--now", LATER)
    found = desk.data("doctor", "--now", NEXT_DAY, code=1)["findings"]
    [mails] = [one for one in found if one["what"] == "mails"]
    assert mails["says"] == "2 wait for more than 3 hours; `pbem deliver` tries again"


def test_a_clock_that_calls_no_run_is_named(desk: Desk) -> None:
    """Nothing waits in the ledger to be judged or sent, and yet nobody resolves what is due."""
    desk("nightly", "--now", LATER)
    assert desk("doctor", "--now", NEXT_DAY).code == 0, "a night may be late"
    found = desk.data("doctor", "--now", "2026-11-22T20:00Z", code=1)["findings"]
    assert {one["what"]: one["says"] for one in found if not one["well"]} == {
        "nights": "none has come since 2026-11-18 14:00 UTC; see cron/ for what calls `pbem nightly`"
    }
    desk("referee", "pause", "jade-river", "--reason", "ill", "--now", LATER)
    desk("deliver", "--now", LATER)
    assert desk("doctor", "--now", "2026-11-22T20:00Z").code == 0, "no game goes on"


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\0" * 5000, b"SQLite format 3\0" + b"x" * 5000])
def test_a_ledger_that_cannot_be_opened_is_a_finding(desk: Desk, content: bytes) -> None:
    (desk.folder / "ledger.db").write_bytes(content)
    assert list(ill(desk)) == ["ledger"]
    assert desk.refused("doctor", "--rebuild", code=3)


def test_a_file_that_can_be_read_and_not_written_is_damaged(desk: Desk) -> None:
    """Seen red: the doctor called it well, and the first order was told to make room."""
    with (desk.folder / "ledger.db").open("r+b") as file:
        file.seek(18)  # where SQLite says who may write to it
        file.write(b"\3")
    says = "ledger.db is damaged (its header says that only a newer SQLite may write to it); restore a backup"
    assert says in ill(desk)["writing"]
    desk.refused("nightly", "--now", DEADLINE, code=3, says=says)
    desk.refused("backup", desk.folder / "copy.db", code=3, says="ledger.db is damaged and was not copied")


def test_an_upgrade_of_a_ledger_that_needs_none_changes_nothing(desk: Desk) -> None:
    before = desk.data("show", "jade-river")
    desk("doctor", "--upgrade", "--now", LATER)
    assert desk.data("show", "jade-river") == before


def test_a_newer_ledger_is_refused_by_every_door(desk: Desk) -> None:  # G9
    with sqlite3.connect(desk.folder / "ledger.db") as ledger:
        ledger.execute("UPDATE alembic_version SET version_num = '9999'")
    says = "has version 9999, which is newer than this program"
    for args in (("status",), ("nightly",), ("backup", "x.db"), ("submit", "-"), ("doctor", "--upgrade")):
        desk.refused(*args, code=3, says=says)
    assert says in ill(desk)["ledger"]
    assert not list(desk.folder.glob("*x.db*"))


# --- backup -----------------------------------------------------------------------------------------------------------


def test_a_backup_is_a_whole_ledger(desk: Desk, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    made = desk.data("backup", target)
    assert made == {"backup": str(target), "bytes": target.stat().st_size, "encrypted": False}
    assert target.stat().st_mode & 0o077 == 0, "it holds seeds and keys"
    assert "and the copy is sound." in desk("backup", tmp_path / "again.db").out
    desk.refused("backup", target, code=3, says="already; name another one")


def test_dated_backups_are_kept_so_many(desk: Desk) -> None:
    (desk.folder / "kept").mkdir()
    (desk.folder / "kept" / "ledger-of-mine.db").write_text("mine")
    for hour in range(10, 15):
        made = desk.data("backup", "--into", "kept", "--keep", "2", "--now", f"2026-11-18T{hour}:00Z")
        assert made["backup"] == f"kept/ledger-20261118T{hour}0000Z.db"
    assert sorted(path.name for path in (desk.folder / "kept").iterdir()) == [
        "ledger-20261118T130000Z.db",
        "ledger-20261118T140000Z.db",
        "ledger-of-mine.db",
    ]
    desk("backup", "--into", "new/folder")


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        ((), 2, "Name one TARGET, or a folder with --into."),
        (("a.db", "--into", "b"), 2, "Name one TARGET, or a folder with --into."),
        (("--keep", "3"), 2, "--keep goes with --into."),
        (("--into", "b", "--keep", "0"), 2, "'0' is not a whole number from 1"),
        (("--into", "pbem.toml"), 3, "pbem.toml is a file; --into names a folder."),
        (("inbox",), 3, "inbox is a folder; name a file, or use --into."),
        (("no/where.db",), 3, "There is no folder no; make it first."),
    ],
)
def test_backup_refuses(desk: Desk, args: tuple[str, ...], code: int, says: str) -> None:
    before = sorted(desk.folder.iterdir())
    desk.refused("backup", *args, code=code, says=says)
    assert [path for path in sorted(desk.folder.iterdir()) if path not in before and "ledger" not in path.name] == []


def test_a_damaged_ledger_is_not_copied(desk: Desk) -> None:
    raw = bytearray((desk.folder / "ledger.db").read_bytes())
    raw[-4096 * 3 :] = bytes(4096 * 3)
    (desk.folder / "ledger.db").write_bytes(raw)
    desk.refused("backup", "copy.db", code=3, says="damaged")
    assert not [path.name for path in desk.folder.iterdir() if "copy" in path.name]


# --- restore ----------------------------------------------------------------------------------------------------------


def test_a_backup_is_put_back_and_what_stood_there_is_kept(desk: Desk) -> None:
    desk("backup", "copy.db")
    desk("player", "add", "Chiara", "c@example.org")
    assert "What stood there is kept as" in desk("restore", "copy.db").out
    assert len(desk.data("player", "list")) == 2
    [kept] = desk.folder.glob("ledger.db.replaced-*")
    found = desk.data("restore", kept)
    assert (found["restored"], found["older_than_mailed"]) == (str(kept), [])
    assert len(desk.data("player", "list")) == 3


def test_a_backup_saves_what_was_damaged(desk: Desk) -> None:
    desk("backup", "copy.db")
    for content in (b"", b"nonsense\n" * 1000, None):
        (desk.folder / "ledger.db").unlink(missing_ok=True)
        if content is not None:
            (desk.folder / "ledger.db").write_bytes(content)
        desk("restore", "copy.db")
        assert len(desk.data("player", "list")) == 2


def test_a_copy_older_than_what_was_mailed_sends_nothing_until_the_referee_agrees(desk: Desk) -> None:  # G8
    desk("backup", "copy.db")
    desk("nightly", "--now", DEADLINE, "--jobs", "1")
    said = desk("restore", "copy.db").out
    assert "It is older than mails that have left (of jade-river): nothing is sent until you agree" in said
    for command in ("nightly", "deliver"):
        desk.refused(command, "--now", NEXT_DAY, code=3, says="until the referee agrees")
    assert "jade-river" in ill(desk)["what was mailed"]
    assert desk.data("restore", "--agree", "--reason", "the disk died", "--now", NEXT_DAY) == {"agreed": ["jade-river"]}
    assert desk.data("nightly", "--now", NEXT_DAY, "--jobs", "1")["resolved"] == 0  # its deadline is another one
    assert desk.data("nightly", "--now", "2026-11-20T20:00Z", "--jobs", "1")["resolved"] == 1
    [ruling] = desk.data("audit", "log", "@host", "--kind", "ruling")
    assert ruling["gist"] == "agree-restore: the disk died"


def test_a_copy_on_a_new_disk_says_what_nobody_can_know(desk: Desk) -> None:
    desk("backup", "early.db")
    assert "Nothing here tells" not in desk("restore", "early.db").out, "no mail had left then"
    desk("deliver", "--now", LATER)
    desk("backup", "copy.db")
    assert "Nothing here tells" not in desk("restore", "copy.db").out
    (desk.folder / "heads.jsonl").unlink()
    assert "Nothing here tells which mails have left since it was made." in desk("restore", "copy.db").out
    assert desk.data("restore", "--agree", "--reason", "fire", "--now", LATER) == {"agreed": ["jade-river"]}
    assert "2 sent" in desk("deliver", "--now", LATER).out


def test_a_game_that_rests_needs_its_rules_too(desk: Desk) -> None:
    desk("referee", "pause", "jade-river", "--reason", "a walk", "--now", LATER)
    with without_rules("nim"):
        assert "jade-river cannot go on: There is no game 'nim'." in ill(desk)["rules"] + "."
    with without_rules("vault"):
        assert desk("doctor", "--now", LATER).code == 0


def test_the_doctor_does_not_know_what_nothing_tells(desk: Desk) -> None:
    """The same folder, asked later: that nothing is missed is no news where nothing says what has left."""
    desk("deliver", "--now", LATER)
    assert desk("doctor", "--now", LATER).code == 0
    (desk.folder / "heads.jsonl").unlink()
    assert "heads.jsonl is not here" in ill(desk)["what was mailed"]


def kept(desk: Desk, name: str) -> str:
    """All mails that have left so far, in a folder of their own."""
    shutil.copytree(desk.folder / "outbox" / "mail", desk.folder.parent / name)
    return str(desk.folder.parent / name)


def of_another_time(desk: Desk, head: str) -> str:
    """A folder with a mail that the host signed and whose ledger knows nothing of it, dated after all that was lost."""
    forged = desk.folder.parent / "forged"
    forged.mkdir()
    key = signer(Keys(desk.folder / "ledger.key"))
    assert key is not None
    (forged / "x.eml").write_bytes(signed_mail("jade-river", head, key, datetime(2026, 12, 1, 12, tzinfo=UTC)))
    return str(forged)


def test_weakened_a_lost_time_without_an_end_excuses_what_was_forged_later(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = verify.lost_times
    monkeypatch.setattr(verify, "lost_times", lambda book, lost: real(book, [one._replace(at=None) for one in lost]))
    desk("backup", "copy.db")
    desk("nightly", "--now", DEADLINE, "--jobs", "1")
    desk("restore", "copy.db")
    desk("restore", "--agree", "--reason", "the disk died", "--now", NEXT_DAY)
    forged = of_another_time(desk, "ab" * 32)
    said = desk("audit", "verify", "jade-river", "--mails", forged, code=1).out
    assert "1 of the 1 heads that do not fit left in the time between, which is lost." in said


def test_mails_of_a_lost_time_are_told_from_a_history_that_was_rewritten(desk: Desk) -> None:
    desk("deliver", "--now", LATER)
    desk("backup", "copy.db")
    before = kept(desk, "before")
    desk("new", "nim", "--name", "young-river", "--seat", "1=Anna", "--seat", "2=Bruno", "--now", LATER)
    desk("nightly", "--now", DEADLINE, "--jobs", "1")
    desk("restore", "copy.db")
    lost = kept(desk, "lost")
    for verdict in desk.data("audit", "verify", "jade-river", "--mails", lost, code=1):
        assert (verdict["ok"], [note for note in verdict["notes"] if "agreed" in note]) == (False, [])
    desk("restore", "--agree", "--reason", "the disk died", "--now", NEXT_DAY)
    said = desk("audit", "verify", "jade-river", "--mails", lost, code=1).out
    assert said.startswith("jade-river: NOT TRUE. The head ")
    agreed = "On 2026-11-19 20:00 UTC it was agreed (the disk died) to go on with an older copy, which "
    assert f"{agreed}knew jade-river up to 2026-11-18 " in said
    assert "1 of the 1 heads that do not fit left in the time between, which is lost." in said
    assert "agreed" not in desk("audit", "verify", "jade-river", "--mails", before).out
    said = desk("audit", "verify", "--all", "--mails", lost, code=1).out
    assert f"{agreed}does not know young-river, though mails of it had left." in said
    head = "ab" * 32
    said = desk("audit", "verify", "jade-river", "--head", head, code=1).out
    assert "left in the time between" in said, "a head alone has no time"
    said = desk("audit", "verify", "jade-river", "--mails", of_another_time(desk, head), code=1).out
    assert "NOT TRUE" in said
    assert "agreed" not in said, "it is of another time"
    desk("audit", "export", "jade-river", "jade.zip", "--referee", "--now", NEXT_DAY)
    said = desk("audit", "check", "jade.zip", "--mails", lost, code=1).out  # signed mails accuse, the ruling explains
    assert "left in the time between" in said


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        ((), 2, "Name the COPY to restore, or --agree"),
        (("copy.db", "--agree", "--reason", "x"), 2, "Name the COPY to restore, or --agree"),
        (("--agree",), 2, "--agree needs a --reason"),
        (("--agree", "--reason", " "), 2, "--agree needs a --reason"),
        (("copy.db", "--reason", "x"), 2, "--reason goes with --agree."),
        (("--agree", "--reason", "x"), 1, "There is nothing to agree to"),
        (("nowhere.db",), 2, "does not exist"),
        (("inbox",), 2, "is a directory"),
        (("pbem.toml",), 3, "pbem.toml is damaged, or no ledger of pbem, and was not restored."),
        (("empty",), 3, "There is no ledger at empty"),
        (("other.db",), 3, "other.db is not a ledger of pbem."),
    ],
)
def test_restore_refuses(desk: Desk, args: tuple[str, ...], code: int, says: str) -> None:
    desk("backup", "copy.db")
    (desk.folder / "empty").touch()
    with sqlite3.connect(desk.folder / "other.db") as other:
        other.execute("CREATE TABLE a (b)")
    before = desk.data("show", "jade-river")
    desk.refused("restore", *args, code=code, says=says)
    assert desk.data("show", "jade-river") == before


# --- shadow runs and lost keys ----------------------------------------------------------------------------------------


def test_a_shadow_run_says_what_it_played(desk: Desk) -> None:
    found = desk.data("doctor", "--shadow", "--now", LATER)["findings"]
    [shadowed] = [one for one in found if one["what"] == "shadow of jade-river"]
    assert (shadowed["well"], shadowed["says"]) == (True, "its only step comes out as it stands")
    desk("referee", "pause", "jade-river", "--reason", "a walk", "--now", LATER)
    assert (
        "it is held, and `pbem referee resume jade-river` lets it go on"
        in desk("doctor", "--shadow", "--now", LATER).out
    )


def test_rules_that_changed_hold_the_game(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine import load

    nim = type(load("nim"))
    setup = nim.setup
    monkeypatch.setattr(nim, "setup", lambda self, options, dice: setup(self, options, dice)._replace(events=()))
    assert "held. Row 2 of jade-river (turn 0): the events" in ill(desk, "--shadow")["shadow of jade-river"]
    assert desk.data("show", "jade-river")["status"] == "held"


def test_a_lost_key_and_a_new_one(desk: Desk) -> None:
    desk("submit", desk.file("b3"), "--now", LATER)
    assert "Nothing is lost" in desk("doctor", "--new-key", "--reason", "x", "--now", LATER, code=1).err
    for half in (("--new-key",), ("--reason", "x"), ("--new-key", "--reason", " ")):
        desk("doctor", *half, code=2)
    (desk.folder / "ledger.key").unlink()
    assert ill(desk)["seal"].startswith("the key that opens the orders of jade-river is not in ")
    assert "--new-key" in desk("audit", "show", "jade-river", "--sealed", "--now", LATER, code=3).err
    said = desk("doctor", "--new-key", "--reason", "the disk died", "--now", LATER, code=1).out  # a receipt is lost
    assert said.startswith(
        "Sealed orders of jade-river were struck; the players get new keys and are asked to order again.\n"
    )
    assert desk.data("audit", "show", "jade-river", "--sealed", "--now", LATER) == {"1": None, "2": None}
    rulings = [row["gist"] for row in desk.data("audit", "log", "jade-river", "--kind", "ruling")]
    assert rulings == ["new-key: the disk died"]


def test_strangers_mail_is_emptied_by_command_once_it_is_confirmed(desk: Desk) -> None:  # G48
    mail = b"From: eve@elsewhere.example\r\nMessage-ID: <1@elsewhere.example>\r\n\r\nbuy this\r\n"
    desk("receive", stdin=mail)
    desk("fetch")
    assert [one["message_id"] for one in desk.data("quarantine", "list")] == ["<1@elsewhere.example>"]
    assert "Nothing is so old" in desk("quarantine", "purge", "--now", LATER).out
    older = ("quarantine", "purge", "--older-than", "0", "--now", "2099-01-01T00:00Z")
    assert "1 message would be emptied for good; add --yes" in desk(*older, code=1).out
    assert desk.data(*older, code=1) == {"purged": 0, "would_purge": 1, "older_than_days": 0}
    assert len(desk.data("quarantine", "list")) == 1
    assert "1 message emptied" in desk(*older, "--yes").out
    assert desk.data("quarantine", "list") == []
    assert desk.data(*older, "--yes") == {"purged": 0, "older_than_days": 0}
    assert all(one["ok"] for one in desk.data("audit", "verify", "--all"))
