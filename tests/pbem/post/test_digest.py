"""Digests: all mails of a run in one, the single ones kept; the same again after a kill; forms that are understood.

Weakened: where the single mails are not noted as left, they leave beside their digest.
"""

from __future__ import annotations

from contextlib import closing, suppress
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from typing import Any

import pytest

from pbem import faults
from pbem.intake.reading import BoundedReader
from pbem.ledger import Ledger, outbox, players
from pbem.ledger.outbox import SENT
from pbem.mailparts import parts
from pbem.post import digest, telling
from tests.pbem.post.conftest import NOON, Sender, by_smtp
from tests.pbem.post.rude import Rude, Taken
from tests.pbem.post.test_faults import Killed, killed_at

PAIR = "both@players.example"  # one person at a seat of each game


def wishing(sender: Sender) -> Sender:
    """The players of seat 1 and of red become one who wishes digests."""
    with closing(Ledger.open(sender.config.ledger)) as ledger, ledger.write() as tx:
        for name in ("player-1", "player-2"):
            player = players.by_name(tx, name)
            assert player is not None
            players.wish(tx, player, digest=True, at=NOON)
    return sender


def again(sender: Sender) -> Sender:
    """A second mail to everybody in the game of heaps: a notice."""
    from pbem.game.hosting import game_named, sheet_of
    from pbem.game.outgoing import written
    from pbem.reports.report import Notice

    with closing(Ledger.open(sender.config.ledger)) as ledger, ledger.write() as tx:
        row = game_named(tx, "heaps")
        sheet = sheet_of(tx, sender.config, row)
        for seat, sitter in sheet.sitters.items():
            said = Notice(
                kind="message",
                game="heaps",
                rules=sheet.rules,
                seat=seat,
                reader=sitter.reader,
                turn=1,
                text="Well met: café.",
            )
            name = sheet.message_id("notice", seat)
            outbox.post(tx, "heaps", seat, "notice", name, written(sheet, said, name, NOON), NOON, NOON, 1)
    return sender


def taken_by(server: Rude, address: str) -> list[Taken]:
    return [one for one in server.taken if one.recipients == (address,)]


def test_a_player_who_wishes_gets_one_mail_for_all(sender: Sender) -> None:
    wishing(again(sender))
    with Rude() as server:
        assert sender.deliver(NOON, **by_smtp(server.port)) == {SENT: 5}
    [one] = taken_by(server, "1@players.example")
    message: EmailMessage = BytesParser(policy=policy.default).parsebytes(one.raw)
    singles = [mail for mail in sender.mails() if mail.seat == "1"]
    assert [mail.detail for mail in singles] == [f"in the digest {message['Message-ID']}"] * 2
    body = message.get_body(preferencelist=("plain",))
    assert body is not None
    text = body.get_content().replace("\r\n", "\n")
    with sender.reading() as tx:
        for mail in singles:
            single = parts(outbox.raw(tx, mail.message_id))
            assert single.text.strip() in text
    names = [part.get_filename() for part in message.iter_attachments()]
    assert {"01-heaps-orders.yml", "01-heaps-report.json", "01-heaps-report.html", "02-heaps-notice.html"} <= {*names}
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Loop"] == "orders@pbem.test"
    assert one.sender == f"orders+bounce.{one.message_id[1:31]}@pbem.test"
    assert [len(taken_by(server, f"{seat}@players.example")) for seat in ("2", "red")] == [1, 1]


def test_a_form_out_of_a_digest_is_understood(sender: Sender) -> None:
    """What is attached and what stands in the text are the forms of the single mails, with game, seat and key."""
    wishing(again(sender))
    with Rude() as server:
        sender.deliver(NOON, **by_smtp(server.port))
    [one] = taken_by(server, "1@players.example")
    form = parts(one.raw).files["01-heaps-orders.yml"]
    with BoundedReader() as reader:
        reading = reader.read(form)
    assert reading.form is not None
    assert (reading.form.game, reading.form.seat, reading.form.turn) == ("heaps", "1", 1)
    assert reading.form.key
    assert reading.form.key in parts(one.raw).text


def test_one_mail_alone_is_no_digest(sender: Sender) -> None:
    wishing(sender)
    with Rude() as server:
        assert sender.deliver(NOON, **by_smtp(server.port)) == {SENT: 5}
    assert {mail.detail for mail in sender.mails()} <= {"250 taken"}


def test_what_was_tried_by_itself_stays_by_itself(sender: Sender) -> None:
    again(sender)
    with Rude(plan=lambda n: "450 at RCPT" if n == 0 else "") as server:
        sender.deliver(NOON, **by_smtp(server.port))
    wishing(sender)
    with Rude() as server:
        sender.until_all_is_said(NOON, **by_smtp(server.port))
        assert len(server.taken) == 1
    assert not any("digest" in mail.detail for mail in sender.mails())


@pytest.mark.parametrize("point", ["mail-begun", "mail-answered", "mails-noted"])
@pytest.mark.parametrize("number", [0, 1, 4])
def test_a_digest_is_the_same_after_a_kill(sender: Sender, point: str, number: int) -> None:
    killed_anywhere(sender, point, number)


def killed_anywhere(sender: Sender, point: str, number: int) -> None:
    wishing(again(sender))
    with Rude() as server:
        post = by_smtp(server.port)
        faults.arm(killed_at(point, number))
        with suppress(Killed):
            sender.deliver(NOON, **post)
        faults.arm(None)
        sender.deliver(NOON, **post)
    for seat in ("1", "2"):
        came = {one.raw for one in taken_by(server, f"{seat}@players.example")}
        assert len(came) == 1, "a digest is there twice"
    assert len(taken_by(server, "red@players.example")) in (1, 2)


def test_weakened_singles_that_are_not_noted_leave_too(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = outbox.fate

    def forgetful(tx: Any, mail: Any, fate: str, at: Any, detail: str = "", next_try_at: Any = None) -> Any:
        return mail if detail.startswith("in the digest") else noted(tx, mail, fate, at, detail, next_try_at)

    monkeypatch.setattr(digest.outbox, "fate", forgetful)
    with pytest.raises(AssertionError, match="there twice"):
        killed_anywhere(sender, "mail-begun", 9)


def test_a_digest_that_came_back_names_its_player(sender: Sender) -> None:
    wishing(again(sender))
    with Rude() as server:
        sender.deliver(NOON, **by_smtp(server.port))
    [one] = taken_by(server, "1@players.example")
    with sender.reading() as tx:
        player = players.by_name(tx, "player-1")
        assert player is not None
        assert digest.player_of(tx, one.message_id) == player.commitment
        assert telling.header(one.raw, "X-Pbem-Kind") == "digest"
