"""A host restored from an older copy: what it mails from then on is nothing that has left, and nobody was silent."""

from __future__ import annotations

from pathlib import Path

from pbem.attending.attendance import Attendance
from pbem.care import keeping
from pbem.ledger import Ledger, backup, outbox
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host


def mails(host: Host) -> dict[str, bytes]:
    with host.ledger.read() as tx:
        return {mail.message_id: outbox.raw(tx, mail.message_id) for mail in outbox.of_game(tx, "game")}


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
    assert len(now) == len(left)
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
