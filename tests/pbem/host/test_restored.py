"""A host restored from an older copy: what it mails from then on is nothing that has left, and nobody was silent."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pbem.attending.attendance import Attendance
from pbem.audit.verify import verify_ledger
from pbem.care import keeping
from pbem.correspondence import restored
from pbem.errors import Trouble
from pbem.game import taking
from pbem.ledger import Ledger, backup, journal, mailed, outbox
from pbem.ledger.journal import JournalRow
from pbem.submitting import Settled
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host
from tests.pbem.host.test_submitting import waits

HOUR = timedelta(hours=1)

pytestmark = pytest.mark.sqlite  # a copy is a file


def mails(host: Host) -> dict[str, bytes]:
    with host.ledger.read() as tx:
        return {mail.message_id: outbox.raw(tx, mail.message_id) for mail in outbox.of_game(tx, "game")}


def rows(host: Host, kind: str, name: str = "game") -> list[JournalRow]:
    with host.ledger.read() as tx:
        return list(journal.rows(tx, name, kinds=(kind,)))


def put_back(host: Host, copy: Path) -> None:
    host.ledger.close()
    keeping.put_back(host.config, copy)
    host.ledger = Ledger.open(host.config.ledger)


def test_another_mail_goes_under_another_id(host: Host, tmp_path: Path) -> None:  # G8
    """Else the reader's server, which knows the id, throws away what now holds. The turn and its place are the same."""
    host.start("bagh-chal")
    host.night(NOON)
    copy = backup.backup(host.config.place, tmp_path / "copy.db")
    host.order("2", "place c3")
    host.night(DEADLINE)
    left = mails(host)
    put_back(host, copy)
    host.order("2", "place b5")
    keeping.agreed(host.config, NOON, "the disk died")
    host.night(DEADLINE)
    now = mails(host)
    assert len(now) == len(left) + 2  # what the players are told of the copy
    assert all(now[name] == left[name] for name in now.keys() & left.keys())
    assert len(now.keys() & left.keys()) == 2  # the first reports, which the copy has, too


def test_who_had_answered_is_not_silent(host: Host, tmp_path: Path) -> None:  # G8, G17
    """His order is lost with the disk, and was acknowledged: a deadline that has passed is moved first."""
    host.start("bagh-chal")
    host.night(NOON)
    copy = backup.backup(host.config.place, tmp_path / "copy.db")
    host.order("2", "place c3")
    host.night(DEADLINE)
    put_back(host, copy)
    keeping.agreed(host.config, DEADLINE + DAY / 24, "the disk died")
    host.night(DEADLINE + DAY / 12)
    row = host.row()
    assert (row.turn, row.deadline_at) == (1, DEADLINE + DAY)
    assert not Attendance.from_json(row.attendance).of("2").silent


def test_an_order_that_is_being_judged_is_judged_before_a_copy_is_put_back(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: its message was stored, and then there was none to judge, which was told as a fault of pbem."""
    host.start("bagh-chal")
    host.night(NOON)
    copy = backup.backup(host.config.place, tmp_path / "copy.db")
    thread, real = Thread(target=keeping.put_back, args=(host.config, copy)), taking.settle

    def settle(*given: Any) -> Settled:
        thread.start()
        thread.join(0.5)
        return real(*given)

    monkeypatch.setattr(taking, "settle", settle)
    assert host.order("2", "place c3").fate == "accepted"
    thread.join()
    [kept] = host.config.folder.glob("*.replaced-1")
    host.ledger.close()
    for path, orders in ((kept, 1), (host.config.ledger, 0)):
        host.ledger = Ledger.open(path)
        assert len(rows(host, "submission")) == orders


# --- what players are told (G8) ---------------------------------------------------------------------------------------


def told(host: Host, seat: str, name: str = "game") -> list[str]:
    """The letters to a seat that tell of a loss, each on one line."""
    texts = (" ".join(mail.text.split()) for mail in host.mails(seat, name))
    return [text for text in texts if "What you have sent after that is gone" in text]


def lost_an_order(host: Host, tmp_path: Path) -> None:
    """Both games have a decision open until the deadline; an order of one was acknowledged, and is gone."""
    host.start("nim", heaps="3-4-5")
    host.start("nim", "quiet", heaps="3-4-5")
    host.night(NOON)
    host.order("2", "a1")
    copy = backup.backup(host.config.place, tmp_path / "copy.db")
    host.order("1", "c1", at=NOON + HOUR)
    host.night(NOON + HOUR)  # the receipt leaves
    put_back(host, copy)


def test_who_had_an_order_acknowledged_is_told_that_it_is_gone(host: Host, tmp_path: Path) -> None:
    lost_an_order(host, tmp_path)
    keeping.agreed(host.config, NOON + 2 * HOUR, "the disk died")
    [first], [second] = told(host, "1"), told(host, "2")
    assert "The last that this copy knows of the game is of Wednesday 18 November 2026, 12:00" in first
    assert "Wednesday 18 November 2026, 13:00 (Europe/Paris" in second
    assert "| the disk died" in first
    assert "Nothing is held from you." in first
    assert "We hold from you: 1. a1" in second
    assert "Nothing is held from you." not in second
    assert f"key: {host.key('1')}" in first, "and can be answered with the order"
    assert "Deadline: Wednesday 18 November 2026, 20:00" in first
    assert told(host, "1", "quiet") == [], "nothing that has left of it is unknown"
    assert waits(host, "1") == []
    sent = host.night(NOON + 2 * HOUR).mails
    assert sent.get("sent") == 3, "with the receipt of a1, which waited when the copy was made"
    [row] = rows(host, "ruling")
    assert row.facts()["since"] == "2026-11-18T12:00:00Z"
    assert all(verdict.ok for verdict in verify_ledger(host.ledger))


def test_it_is_told_once(host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the agreement is broken off after the letters were written."""
    lost_an_order(host, tmp_path)

    def killed(*_: object) -> None:
        raise InterruptedError

    with monkeypatch.context() as patch:
        patch.setattr(keeping.mailed, "agree", killed)
        with pytest.raises(InterruptedError):
            keeping.agreed(host.config, NOON + 2 * HOUR, "the disk died")
    keeping.agreed(host.config, NOON + 2 * HOUR, "the disk died")
    assert (len(told(host, "1")), len(told(host, "2"))) == (1, 1)


def test_weakened_without_a_row_of_it_it_is_told_twice(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restored, "_is_told", lambda *_: False)
    with pytest.raises(AssertionError, match=r"\(2, 2\)"):
        test_it_is_told_once(host, tmp_path, monkeypatch)


def test_weakened_an_agreement_of_which_nobody_is_told(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """He who had an order acknowledged is mailed his next report, and never learns that it is gone."""
    monkeypatch.setattr(restored, "tell_all", lambda *_: None)
    lost_an_order(host, tmp_path)
    keeping.agreed(host.config, NOON + 2 * HOUR, "the disk died")
    assert told(host, "1") == []
    assert waits(host, "1") == []


def test_on_a_new_disk_all_are_told(host: Host, tmp_path: Path) -> None:
    """The folder is gone with its note of what was mailed, so nobody knows of which games something had left."""
    lost_an_order(host, tmp_path)
    mailed.heads_file(host.ledger).unlink()
    assert len(keeping.agreed(host.config, NOON + 2 * HOUR, "the disk died")) == 2
    assert [len(told(host, seat, name)) for seat in "12" for name in ("game", "quiet")] == [1, 1, 1, 1]
    with pytest.raises(Trouble, match="nothing to agree to"):
        keeping.agreed(host.config, NOON + 2 * HOUR, "again")


def test_of_a_game_that_is_over_or_not_there_nobody_is_told(host: Host, tmp_path: Path) -> None:
    host.start("nim", heaps="1")
    host.night(DEADLINE)
    assert host.status() == "over"
    copy = backup.backup(host.config.place, tmp_path / "copy.db")
    host.start("nim", "later", heaps="3-4-5")
    host.night(DEADLINE)
    with host.ledger.write() as tx:
        tx.append("game", "look", DEADLINE, {"who": "x", "what": "x"})
    mailed.note(host.ledger, ["game", "later"])
    put_back(host, copy)
    lost = keeping.agreed(host.config, DEADLINE + HOUR, "the disk died")
    assert {one.chain for one in lost} == {"game", "later"}
    assert told(host, "1") == []


def test_where_its_rules_do_not_get_through_it_is_told_without_a_form(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost_an_order(host, tmp_path)
    monkeypatch.setattr(restored, "offered", falls)
    keeping.agreed(host.config, NOON + 2 * HOUR, "the disk died")
    [text] = told(host, "1")
    assert "Nothing is held" not in text


def falls(*_: object) -> None:
    raise MemoryError
