"""Robots, loops and floods: automatic mail is never answered, nobody is answered without end (G30, M- and I-cases)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.arriving.message import with_envelope
from pbem.correspondence import opening
from pbem.intake.limits import USUAL
from pbem.ledger import contacts, outbox, players
from pbem.submitting import budgets
from tests.faults.figures import counted, told
from tests.pbem.correspondence.conftest import NOON, Post, quoted, words
from tests.pbem.host.conftest import DAY, DEADLINE
from tests.pbem.host.test_submitting import waits

ORDER = "orders:\n  - b3\nend: orders"

ROBOTS = {
    "auto-replied": "Auto-Submitted: auto-replied\n",
    "auto-generated": "Auto-Submitted: auto-generated\n",
    "auto-reply": "Precedence: auto_reply\n",
    "vacation": "X-Vacation: yes\n",
    "null sender": "Return-Path: <>\n",
    "loop": "X-Loop: orders@localhost\n",
}


@pytest.mark.parametrize("robot", ROBOTS)
def test_a_robot_is_never_answered(post: Post, robot: str) -> None:  # M18
    before = len(post.sent())
    assert post.write(ORDER, more=ROBOTS[robot]) == "ignored"
    assert len(post.sent()) == before
    assert waits(post.host, "1") == []
    counted(1, "kinds of robots that write to a host")
    counted(len(post.sent()) - before, "answers to them")


def test_an_out_of_office_that_quotes_our_report_orders_nothing(post: Post) -> None:  # M18
    report = str(post.last().get_body(("plain",)))
    assert post.write(f"I am away until Monday.\n\n{quoted(report)}", more=ROBOTS["auto-replied"]) == "ignored"
    assert waits(post.host, "1") == []


AWAY = "I am on holiday until Monday.\n\nOn 18/11/2026, pbem <orders@localhost> wrote:\n\n"


def test_who_says_that_he_is_away_and_has_filled_our_form_in_is_a_person(post: Post) -> None:
    report = post.last()
    text = str(report.get_body(("plain",)).get_content()).replace("\r\n", "\n")  # type: ignore[union-attr]
    assert "  - a1\n" in text
    answers, before = str(report["Message-ID"]), post.count()
    assert post.write(AWAY + quoted(text), answers=answers) == "ignored", "as programs quote it"
    for cut in ("  - a1\n", "orders:\n"):
        assert post.write(AWAY + quoted(text[: text.index(cut)]), answers=answers) == "ignored", "some cut it short"
    assert post.count() == before
    assert post.write(AWAY + quoted(text.replace("  - a1\n", "  - b3\n")), answers=answers) == "accepted"
    assert waits(post.host, "1") == ["b3"]


def test_g30_weakened_robots_that_count_as_persons_are_answered(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    read = opening._read_mail
    monkeypatch.setattr(opening, "_read_mail", lambda *given: replace(read(*given), automatic=""))
    before = len(post.sent())
    post.write(ORDER, more=ROBOTS["auto-replied"])
    assert len(post.sent()) == before + 1


def bounce(post: Post, of: str, *, action: str = "failed", status: str = "5.1.1") -> bytes:
    """A delivery status notification as Postfix writes it, with our headers inside."""
    body = f"""This is the mail system at host mx.players.example.

--b
Content-Type: text/plain

<1@players.example>: user unknown

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.players.example

Final-Recipient: rfc822; 1@players.example
Action: {action}
Status: {status}

--b
Content-Type: text/rfc822-headers

Message-ID: {of}
From: pbem <orders@localhost>
To: 1@players.example

--b--
"""
    return post.mail(
        body,
        to="orders@localhost",
        sender="MAILER-DAEMON@mx.players.example",
        subject="Undelivered Mail Returned to Sender",
        kind='multipart/report; report-type=delivery-status; boundary="b"',
        more="Auto-Submitted: auto-replied\n",
    )


def bounces(post: Post, name: str = "player-1") -> contacts.Contact:
    with post.host.ledger.read() as tx:
        player = players.by_name(tx, name)
        assert player is not None
        return contacts.get(tx, player.commitment)


def test_a_bounce_is_counted_and_never_answered(post: Post) -> None:  # M19
    before, report = len(post.sent()), str(post.last()["Message-ID"])
    for _ in range(contacts.FAILING):
        assert not bounces(post).failing
        assert post.bring(bounce(post, report)) == {"ignored": 1}
    assert len(post.sent()) == before
    assert bounces(post).bounces == contacts.FAILING
    assert bounces(post).failing
    assert [row.facts()["status"] for row in post.rows("bounce", "@host")] == ["5.1.1"] * contacts.FAILING


def test_the_player_is_told_when_mail_reaches_him_again(post: Post) -> None:
    post.bring(bounce(post, str(post.last()["Message-ID"])))
    post.write(ORDER)
    assert "A mail to you came back to us" in post.text()
    assert bounces(post).bounces == 0
    post.write(ORDER)
    assert "came back to us" not in post.text()


@pytest.mark.parametrize("asked", ["status", "help", "digest on", "withdraw", "report 99"])
def test_whatever_he_asked_for(post: Post, asked: str) -> None:
    """Seen red: the count began anew with a command as well, and he was never told."""
    post.bring(bounce(post, str(post.last()["Message-ID"])))
    post.write("report")
    assert bounces(post).bounces == 1, "a report that comes again has no room for it"
    post.write(asked)
    told = asked != "report 99"
    assert ("A mail to you came back to us" in post.text()) is told
    assert bounces(post).bounces == (0 if told else 1)


def test_a_word_that_nobody_is_sent_waits_for_the_next_day(post: Post) -> None:
    for _ in range(USUAL.answers):
        post.write("status")
    post.bring(bounce(post, str(post.last()["Message-ID"])))
    post.write("status")
    assert bounces(post).bounces == 1
    post.write("status", at=NOON + DAY)
    assert "A mail to you came back to us" in post.text()


def test_a_command_from_elsewhere_is_told_of_as_orders_are(post: Post) -> None:  # I02
    """Seen red: whoever had found a key could take orders back by it, and the player was told of no other address."""
    assert post.write("withdraw", sender="mallory@elsewhere.example") == "accepted"
    assert "This came from mallory@elsewhere.example" in post.text()
    assert not post.sent("mallory@elsewhere.example")


def test_a_bounce_by_the_address_that_names_the_mail(post: Post) -> None:
    from pbem.post.returns import sender_for

    report = str(post.last()["Message-ID"])
    raw = bounce(post, "<of-nothing@known.example>")
    back = sender_for(report, post.host.config.address)
    post.bring(with_envelope(raw.replace(b"Delivered-To: orders@localhost\r\n", b""), "", [back]))
    assert bounces(post).bounces == 1


@pytest.mark.parametrize("of", ["<made-up@localhost>", "", "<00000000@localhost>"])
def test_a_bounce_of_no_mail_of_ours_counts_for_nothing(post: Post, of: str) -> None:
    assert post.bring(bounce(post, of)) == {"ignored": 1}
    assert bounces(post).bounces == 0


def test_a_mail_to_an_address_that_was_left_says_nothing_of_the_new_one(post: Post) -> None:
    report = str(post.last()["Message-ID"])
    with post.host.ledger.write() as tx:
        player = players.by_name(tx, "player-1")
        assert player is not None
        players.change(tx, player, address="new@players.example", lang=player.lang, zone=player.zone, at=NOON)
    assert post.bring(bounce(post, report)) == {"ignored": 1}
    assert bounces(post).bounces == 0


def test_a_mail_that_is_only_late_counts_for_nothing(post: Post) -> None:
    post.bring(bounce(post, str(post.last()["Message-ID"]), action="delayed", status="4.4.1"))
    assert bounces(post).bounces == 0


# --- the same again ---------------------------------------------------------------------------------------------------


def test_the_same_mail_by_other_ways_is_answered_once_more_at_most(post: Post) -> None:  # I05
    raw = post.mail(ORDER, message_id="<same@players.example>")
    other = "Received: from relay.example by mx.localhost; Wed, 18 Nov 2026 12:00:01 +0000\r\n"
    assert post.bring(raw) == {"accepted": 1}
    before = post.count()
    for number in range(4):
        # Another way of writing the same words, as gateways have it: the bytes below the header differ, too.
        again = raw.replace(b"Content-Transfer-Encoding: 8bit", b"Content-Transfer-Encoding: quoted-printable")
        again = other.replace("relay", f"relay{number}").encode() + again.replace(b"b3", b"=62" + b"3")
        post.bring(again + b"\r\n" * number)
    assert post.count() == before + 1
    assert "This mail has come before" in post.text()
    assert waits(post.host, "1") == ["b3"]
    assert len(post.rows("submission")) == 1


def test_the_same_mail_twice_is_one(post: Post) -> None:  # I05, G4
    raw = post.mail(ORDER, message_id="<same@players.example>")
    post.bring(raw)
    before = post.count()
    for route in ("lmtp", "imap", "maildir", "mail"):
        post.bring(with_envelope(raw, "x@relay.example", ["orders@localhost"]), route=route)
    assert post.count() == before


def test_another_mail_under_the_same_id_is_not_lost(post: Post) -> None:
    post.bring(post.mail(ORDER, message_id="<same@players.example>"))
    post.bring(post.mail(ORDER.replace("b3", "a1"), message_id="<same@players.example>"))
    assert waits(post.host, "1") == ["a1"]


def test_the_last_arrival_stands_whatever_its_date_says(post: Post) -> None:  # I11
    first = post.mail(ORDER).replace(b"12:00:00", b"12:00:01")
    second = post.mail(ORDER.replace("b3", "a1")).replace(b"12:00:00", b"11:59:00")
    post.bring(first)
    post.bring(second, at=NOON + timedelta(seconds=1))
    assert waits(post.host, "1") == ["a1"]
    assert "This replaces: 1. b3" in post.text()


# --- floods -----------------------------------------------------------------------------------------------------------


def test_the_twenty_first_of_a_turn_is_kept_and_answered_once(post: Post) -> None:
    orders = ["b3", "a1", "c1"]
    for number in range(USUAL.submissions):
        assert post.write(ORDER.replace("b3", orders[number % 3])) == "accepted"
    stood, before = waits(post.host, "1"), post.count()
    assert post.write(ORDER.replace("b3", "c5")) == "refused"
    assert post.count() == before + 1
    assert "One seat may send 20 messages while a decision is open" in post.text()
    for text in (ORDER, "withdraw", "help"):
        assert post.write(text) == "refused"
    assert post.count() == before + 1
    assert waits(post.host, "1") == stood
    assert post.write(ORDER, seat="2") == "accepted", "the other seat has a count of its own"
    post.host.night()
    assert post.write("status", at=DEADLINE + timedelta(hours=1)) == "accepted", "a new turn, a new count"


def test_a_player_is_sent_twenty_answers_a_day(post: Post) -> None:
    before = post.count()
    asked = USUAL.answers + 5
    for _ in range(asked):
        assert post.write("status") == "accepted"
    assert post.count() == before + USUAL.answers
    told(f"{asked} questions of one address on one day had {post.count() - before} answers")
    assert post.write(ORDER) == "accepted"
    assert waits(post.host, "1") == ["b3"]
    assert post.count() == before + USUAL.answers + 1, "its receipt has a budget of its own"
    post.write("status", at=NOON + DAY)
    assert post.count() == before + USUAL.answers + 2


def test_the_last_answer_of_a_day_says_that_it_is(post: Post) -> None:
    """Who hears nothing of a slip would take it for consent."""
    for _ in range(USUAL.answers - 1):
        post.write("status")
        assert LAST not in post.text("1")
    post.write("status")
    assert LAST in post.text("1")
    post.write("status", at=NOON + DAY)
    assert LAST not in post.text("1")


LAST = "This is the last of 20 answers to commands that you are sent on one day."


def test_weakened_without_the_limit_answers_go_on(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "left", lambda *_: 9)
    before = post.count()
    for _ in range(USUAL.answers + 1):
        post.write("status")
    assert post.count() > before + USUAL.answers


def test_press_comes_to_its_end_too(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    before = post.count("2")
    for number in range(USUAL.submissions + 5):
        post.write(f"say all: {number}")
    assert post.count("2") == before + USUAL.submissions


# --- two hosts --------------------------------------------------------------------------------------------------------

ROUNDS = 4  # of carrying to and fro, once everything has been carried


def carry(source: Post, target: Post, sent: int) -> int:
    """Carry what the one host has written, from that number on, to the other; gives how much there is now."""
    with source.host.ledger.read() as tx:
        from pbem.ledger import journal

        ids = [row.facts()["message_id"] for row in journal.rows(tx, kinds=("mail",))]
        raws = [outbox.raw(tx, message_id) for message_id in ids[sent:]]
    if raws:
        target.bring(*(with_envelope(raw, "orders@localhost", ["orders@localhost"]) for raw in raws))
    return len(ids)


def test_two_hosts_that_write_to_each_other_stop(make_post: Callable[..., Post], tmp_path: Path) -> None:  # G30
    """Each host's player has the other host's address; files are carried back and forth until nothing moves."""
    one, other = make_post("one"), make_post("other")
    for post in (one, other):
        with post.host.ledger.write() as tx:
            player = players.by_name(tx, "player-1")
            assert player is not None
            players.change(tx, player, address="orders@localhost", lang="en", zone="UTC", at=NOON)
        post.host.start("nim", heaps="3,4,5")
    # A real order comes in by mail at one of them; its receipt is the first mail that could begin a loop.
    one.write(ORDER)
    carried = first = [carry(one, other, 0), carry(other, one, 0)]
    for _ in range(ROUNDS):
        carried = [carry(one, other, carried[0]), carry(other, one, carried[1])]
    assert carried == [3, 2], "two reports each, and the one receipt: nothing was answered"
    told(f"two hosts: {sum(first)} mails carried, {sum(carried) - sum(first)} more in {ROUNDS} rounds")
    assert other.fates() == {"ignored": 3}


def test_weakened_two_hosts_that_answer_robots_do_not_stop(
    make_post: Callable[..., Post], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = opening._read_mail
    monkeypatch.setattr(opening, "_read_mail", lambda *given: replace(read(*given), automatic="", tags=TAGS))
    monkeypatch.setattr(budgets, "left", lambda *_: 9)
    one, other = make_post("one"), make_post("other")
    for post in (one, other):
        post.host.config = replace(post.host.config, limits=replace(USUAL, submissions=1000))
        post.host.start("nim", heaps="3,4,5")
    key = one.host.key("1").replace("-", "").lower()
    TAGS[:] = (f"{key}.1.1.game",)
    one.write(ORDER)
    carried, before = [0, 0], 0
    for _ in range(4):
        carried = [carry(one, other, carried[0]), carry(other, one, carried[1])]
        assert sum(carried) > before
        before = sum(carried)


TAGS: list[str] = []


def test_messages_in_are_accounted_for(post: Post) -> None:  # G3
    post.bring(
        post.mail(ORDER),
        post.mail(ORDER.replace("b3", "b9")),
        post.mail(ORDER, more=ROBOTS["vacation"]),
        post.mail(ORDER, to="orders@localhost"),
        b"\x00\xff nothing like a mail",
        b"",
    )
    assert post.fates() == {"accepted": 1, "refused": 1, "ignored": 1, "quarantined": 3}
    assert words(post.last())


# --- what is too large ------------------------------------------------------------------------------------------------


def large(post: Post, key: str | None = None, to: str | None = None) -> bytes:
    """Good orders, and a photograph of three megabytes below them."""
    body = f"--b\nContent-Type: text/plain\n\n{post.host.file('1', 'b1', key=key)}\n"
    body += f"--b\nContent-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\n{'iVBORw0K' * 375_000}\n--b--"
    return post.mail(body, to=to, kind="multipart/mixed; boundary=b")


@pytest.mark.parametrize("route", ["maildir", "imap"])
def test_a_mail_that_is_far_too_large_is_refused_to_whom_it_is_of(post: Post, route: str) -> None:
    """Seen red: it was left where it lay, and its player never heard of it."""
    assert post.write(post.host.file("1", "b3")) == "accepted"
    raw = large(post)
    assert post.bring(raw, route=route) == {"refused": 1}
    assert f"The mail has {len(raw)} bytes; at most 262144 are read." in post.text("1")
    assert waits(post.host, "1") == ["b3"], "what stood stands"
    assert post.bring(raw, route=route) == {}, "it is the same mail when it is met again"


def test_a_mail_of_nobody_that_is_far_too_large_is_kept_without_an_answer(post: Post) -> None:
    before = len(post.sent())
    raw = large(post, key="0000-0000", to=post.host.config.address)
    assert post.bring(raw, route="imap") == {"quarantined": 1}
    assert len(post.sent()) == before
