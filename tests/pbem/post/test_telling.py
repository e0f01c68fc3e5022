"""Who is told: the player of a refusal where his other mails pass; the host of what is lost or waits too long, once."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from email import policy
from email.parser import BytesParser

import pytest

from pbem.care.doctor import examine
from pbem.ledger import Ledger, outbox
from pbem.ledger.outbox import QUEUED, REFUSED, SENT
from pbem.mailparts import parts
from pbem.post.telling import troubled
from pbem.rulebook import NoRules
from tests.pbem.post.conftest import NOON, Sender, by_smtp
from tests.pbem.post.rude import NEVER_DOT, NEVER_RCPT, Rude
from tests.pbem.post.test_digest import again, taken_by

REFEREE = "referee@pbem.test"
HOUR = timedelta(hours=1)


def with_referee(sender: Sender) -> Sender:
    return Sender(replace(sender.config, referee=REFEREE))


def test_a_player_is_told_of_a_refusal_where_his_other_mails_pass(sender: Sender) -> None:
    with Rude() as server:
        sender.deliver(NOON, **by_smtp(server.port))
    again(sender)  # of these the first is refused: too long, or taken for something it is not
    with Rude(plan=lambda n: NEVER_DOT if n == 0 else "") as server:
        counts = sender.deliver(NOON + HOUR, **by_smtp(server.port))
    assert counts == {REFUSED: 1, SENT: 1}, "a notice that is refused begets no notice"


def test_the_notice_names_what_was_refused_and_how_to_have_it_again(sender: Sender) -> None:
    with Rude() as server:
        sender.deliver(NOON, **by_smtp(server.port))
    with closing(Ledger.open(sender.config.ledger)) as ledger, ledger.write() as tx:
        report = next(mail for mail in outbox.of_game(tx, "heaps") if mail.seat == "1")
        notice = again_to(tx, sender, "1")  # another mail that passes, behind it
        outbox.fate(tx, report, QUEUED, NOON, next_try_at=NOON)
        outbox.fate(tx, notice, SENT, NOON)
    with Rude(plan=lambda n: NEVER_DOT if n == 0 else "") as server:
        assert sender.deliver(NOON + HOUR, **by_smtp(server.port)) == {REFUSED: 1, SENT: 1}
    [told] = taken_by(server, "1@players.example")
    text = " ".join(parts(told.raw).text.split())
    assert "did not reach you" in text
    assert "554 5.7.1 not wanted" in text
    assert "the one word REPORT" in text


def test_mails_leave_though_one_is_refused_whose_game_has_no_rules_here(
    sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: the run ended at it, and so did every one after it, before any mail behind it."""
    with Rude() as server:
        sender.deliver(NOON, **by_smtp(server.port))
    with closing(Ledger.open(sender.config.ledger)) as ledger, ledger.write() as tx:
        for mail in outbox.of_game(tx, "heaps"):
            outbox.fate(tx, mail, QUEUED, NOON, next_try_at=NOON)
        outbox.fate(tx, again_to(tx, sender, "1"), SENT, NOON)

    def gone(name: str) -> object:
        raise NoRules("Its rules are not here.")

    monkeypatch.setattr("pbem.game.hosting.known", gone)
    with Rude(plan=lambda n: NEVER_DOT if n == 0 else "") as server:
        assert sender.deliver(NOON + HOUR, **by_smtp(server.port)) == {REFUSED: 1, SENT: 1}


def again_to(tx: outbox.Write, sender: Sender, seat: str) -> outbox.OutMail:
    from pbem.game.hosting import game_named, sheet_of
    from pbem.game.outgoing import written
    from pbem.reports.report import Notice

    sheet = sheet_of(tx, sender.config, game_named(tx, "heaps"))
    said = Notice(
        kind="message", game="heaps", rules=sheet.rules, seat=seat, reader=sheet.sitters[seat].reader, turn=1, text="x"
    )
    name = sheet.message_id("another", seat)
    outbox.post(tx, "heaps", seat, "notice", name, written(sheet, said, name, NOON), NOON, NOON, 1)
    found = outbox.get(tx, name)
    assert found is not None
    return found


def test_nobody_writes_to_an_address_that_never_worked(sender: Sender) -> None:
    with Rude(plan=lambda n: NEVER_RCPT) as server:
        assert sender.deliver(NOON, **by_smtp(server.port)) == {REFUSED: 5}
        assert server.tried == 5
        assert sender.deliver(NOON + HOUR, **by_smtp(server.port)) == {}


def test_the_host_is_told_once_of_what_was_refused(sender: Sender) -> None:
    host = with_referee(sender)
    with Rude(plan=lambda n: NEVER_RCPT if n < 2 else "") as server:
        assert host.deliver(NOON, **by_smtp(server.port)) == {REFUSED: 2, SENT: 4}
        host.deliver(NOON + HOUR, **by_smtp(server.port))
    [told] = taken_by(server, REFEREE)
    message = BytesParser(policy=policy.default).parsebytes(told.raw)
    assert message["Subject"] == "[pbem] 2 mails have not got through"
    assert message["Auto-Submitted"] == "auto-generated"
    text = parts(told.raw).text
    assert text.count("lost: report of heaps, seat") == 2
    assert "550 5.1.1 nobody of that name" in text


def test_the_host_is_told_after_three_hours_of_what_waits_and_again_when_it_is_lost(sender: Sender) -> None:
    host = with_referee(sender)
    with Rude(plan=lambda n: "450 at RCPT") as server:
        post = by_smtp(server.port)
        for hours in (0, 1, 2, 3):
            host.deliver(NOON + hours * HOUR, **post)
        assert not [mail for mail in host.mails() if mail.game == "@host"]
        host.deliver(NOON + 3 * HOUR + timedelta(minutes=1), **post)
        assert len([mail for mail in host.mails() if mail.game == "@host"]) == 1
        host.deliver(NOON + 5 * HOUR, **post)
        assert len([mail for mail in host.mails() if mail.game == "@host"]) == 1
        assert server.taken == []
        host.deliver(NOON + timedelta(days=5, hours=1), **post)
    lost = [mail for mail in host.mails() if mail.next_try_at is None]
    assert len(lost) >= 5
    assert all(mail.detail.startswith("given up after 5 days: 450") for mail in lost)
    assert len([mail for mail in host.mails() if mail.game == "@host"]) == 2


def test_without_a_referee_the_ledger_the_summary_and_the_doctor_say_it(sender: Sender) -> None:
    with Rude(plan=lambda n: {0: NEVER_RCPT, 1: "452 at the dot"}.get(n, "")) as server:
        sender.deliver(NOON, **by_smtp(server.port))
    assert not [mail for mail in sender.mails() if mail.game == "@host"]
    with sender.reading() as tx:
        assert troubled(tx, NOON) == troubled(tx, NOON + HOUR)
        lost, waiting = troubled(tx, NOON + HOUR)
        assert [mail.told for mail in outbox.lost(tx)] == [True]
    assert (len(lost), len(waiting)) == (1, 1)
    assert lost[0].endswith(": 550 5.1.1 nobody of that name")
    found = {one.what: one for one in examine(sender.config, NOON + HOUR)}
    assert not found["mails refused"].well
    assert found["mails"].well
    late = {one.what: one for one in examine(sender.config, NOON + 4 * HOUR)}
    assert late["mails"].says == "1 wait for more than 3 hours; `pbem deliver` tries again"


def test_what_was_refused_is_sent_when_the_host_asks_for_it(sender: Sender) -> None:
    with Rude(plan=lambda n: NEVER_RCPT) as server:
        sender.deliver(NOON, **by_smtp(server.port))
    with closing(Ledger.open(sender.config.ledger)) as ledger, ledger.write() as tx:
        assert outbox.again(tx, NOON + timedelta(days=9)) == 5
    with Rude(plan=lambda n: "450 at RCPT" if n == 0 else "") as server:
        assert sender.deliver(NOON + timedelta(days=9), **by_smtp(server.port)) == {"later": 1, SENT: 4}
    assert sorted(one.raw for one in server.taken) == sorted(
        raw for name, raw in sender.raws().items() if name in {one.message_id for one in server.taken}
    )
