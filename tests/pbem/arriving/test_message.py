"""Messages as they come: the id they bear, the lines set above them, and when two deliveries are one mail."""

from __future__ import annotations

import pytest

from pbem.arriving.message import HEADER, LARGEST, arrived_by, message_id_of, plain, with_envelope, words_of
from pbem.arriving.storing import LMTP, MAIL, store
from tests.pbem.arriving.conftest import NOON, Store, mail


@pytest.mark.parametrize(
    ("header", "id"),
    [
        (b"Message-ID: <a@b.example>", "<a@b.example>"),
        (b"message-id:<a@b.example>", "<a@b.example>"),
        (b"Message-ID:\r\n <a@b.example>", "<a@b.example>"),
        (b"Message-Id: \t<a@b.example> \t", "<a@b.example>"),
        (b"Message-ID: <odd!#$%&'*+/=?^_`{|}~.()@[1.2.3.4]>", "<odd!#$%&'*+/=?^_`{|}~.()@[1.2.3.4]>"),
        (b"Message-ID: <first@b>\r\nMessage-ID: <second@b>", "<first@b>"),
        (b"X-Message-ID: <other@b>\r\nMessage-ID: <a@b>", "<a@b>"),
    ],
)
@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_ids(header: bytes, id: str, end: bytes) -> None:
    raw = b"Subject: x\r\n" + header + b"\r\nFrom: y\r\n\r\nMessage-ID: <body@b>\r\n"
    assert message_id_of(raw.replace(b"\r\n", end)) == id


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"Message-ID: a@b",
        b"Message-ID: <>",
        b"Message-ID: <a b@c>",
        b"Message-ID: <" + b"a" * 251 + b">",
        b"Message-ID: <\xe9@b>",
        b"Message-ID: <a@b\x00>",
        b"Message-ID: <a@b> <c@d>",
        b"Message-ID: <a<b@c>",
        b"X: " + b"y" * HEADER + b"\nMessage-ID: <far@b>",
    ],
)
def test_ids_that_are_none(header: bytes) -> None:
    """What stands for the id is the same however the lines end, and differs for every other mail."""
    raw = header + b"\r\nSubject: x\r\n\r\nMessage-ID: <body@b>\r\n"
    found = message_id_of(raw)
    assert found.startswith("sha256:")
    assert found == message_id_of(raw.replace(b"\r\n", b"\n"))
    assert found != message_id_of(raw + b"!")


def test_an_id_is_sought_so_far_into_a_mail() -> None:
    line = b"Message-ID: <a@b>"
    for beyond, id in ((0, "<a@b>"), (1, "sha256:")):
        above = b"X: ".ljust(65_536 - len(line) - 1 + beyond, b"y") + b"\n"
        assert message_id_of(above + line).startswith(id)
    assert message_id_of(line + b"\n\nwords") == message_id_of(line + b"\r\n\r\nwords") == "<a@b>"


@pytest.mark.parametrize("raw", [b"", b"\n", b"\r\n\r\n", b"\x00" * 9, b"a" * 300_000, b"Message-ID: <" * 20_000])
def test_any_bytes_have_an_id(raw: bytes) -> None:
    assert message_id_of(raw).startswith("sha256:")
    assert len(words_of(raw)) == 32


def test_the_envelope_stands_above_the_mail() -> None:
    raw = mail(1)
    whole = with_envelope(raw, "anna@players.example", ["orders+key@host.example", "orders@host.example"])
    assert whole.splitlines()[:3] == [
        b"Return-Path: <anna@players.example>",
        b"Delivered-To: orders+key@host.example",
        b"Delivered-To: orders@host.example",
    ]
    assert whole.endswith(raw)
    assert with_envelope(raw, None, []) == raw
    assert with_envelope(b"a: b\n\nc\n", "", ["x@y"]) == b"Return-Path: <>\nDelivered-To: x@y\na: b\n\nc\n"


def test_a_line_of_an_old_mailbox_stays_the_first() -> None:
    """Postfix sets it above what it hands to a program."""
    raw = b"From anna@players.example  Wed Nov 18 12:00:00 2026\nSubject: x\n\ny\n"
    assert with_envelope(raw, "a@b", []).splitlines()[:3] == [raw.splitlines()[0], b"Return-Path: <a@b>", b"Subject: x"]


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("<a@b>", "a@b"),
        ("a@b\r\nBcc: x@y", "a@bBcc:x@y"),
        ("a@b\n\n", "a@b"),
        ("a\x00@b\x7f\u2028", "a@b"),
        ("a>@<b", "a@b"),
        ("é@bücher.example", "é@bücher.example"),
        ("\udce9@b", "@b"),
        ("x" * 1000, "x" * 320),
    ],
)
def test_g31_no_address_makes_a_line_of_its_own(address: str, shown: str) -> None:
    assert plain(address) == shown
    whole = with_envelope(b"Subject: x\n\ny\n", address, [address])
    assert whole.count(b"\n") == 5
    assert whole.splitlines()[2:] == [b"Subject: x", b"", b"y"]


def test_g4_one_mail_by_many_ways_counts_once(store_of: Store) -> None:
    raw = mail(1)
    ways = [
        raw,
        raw.replace(b"\r\n", b"\n"),
        with_envelope(raw, "a@b", ["orders@host"]),
        b"Received: from another (queue 7)\r\n" + raw,
        b"From a@b Wed Nov 18 12:00:00 2026\n" + raw.replace(b"\r\n", b"\n") + b"\n",
    ]
    for way in ways * 3:
        store(store_of.ledger, [arrived_by(way, NOON)], MAIL)
    assert sum(store_of.raws().values()) == 1


def test_g4_other_words_under_the_same_id_are_another_mail(store_of: Store) -> None:
    """Else whoever guessed an id could keep a mail out."""
    store(store_of.ledger, [arrived_by(mail(1, "forged"), NOON), arrived_by(mail(1), NOON)], LMTP)
    assert sum(store_of.raws().values()) == 2


def test_g4_a_mail_without_an_id_is_known_again_by_its_bytes(store_of: Store) -> None:
    raw = b"Subject: x\r\n\r\norders\r\n"
    for new in (True, False):
        [arrival] = store(store_of.ledger, [arrived_by(raw, NOON)], MAIL)
        assert arrival.new is new
    assert sum(store_of.raws().values()) == 1


def test_g4_the_same_words_in_a_new_mail_are_a_new_mail(store_of: Store) -> None:
    """A, then B, then A again ends in A; a redelivered first A changes nothing."""
    first, second, again = (
        mail(n).replace(b"%d\r\nend" % n, b"%s\r\nend" % w) for n, w in ((1, b"A"), (2, b"B"), (3, b"A"))
    )
    for raw in (first, second, again, first):
        store(store_of.ledger, [arrived_by(raw, NOON)], MAIL)
    assert [one.message_id[1] for one in store_of.waiting()] == ["1", "2", "3"]


def test_ten_thousand_mails_under_one_id_cost_no_more_than_a_few(store_of: Store) -> None:
    """Anybody can send the same id for ever; only the first few of them are compared."""
    store(store_of.ledger, [arrived_by(mail(1, f"words {n}"), NOON) for n in range(40)], MAIL)
    with store_of.ledger.read() as tx:
        from pbem.ledger.letters import SAME_ID, of_id

        assert len(of_id(tx, "<1@players.example>")) == SAME_ID


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_of_a_mail_that_is_too_large_the_beginning_comes(end: bytes) -> None:
    raw = mail(1).replace(b"\r\n", end).ljust(LARGEST, b"x")
    assert arrived_by(raw, NOON).raw == raw
    for more, size, told in ((b"y", 0, LARGEST + 1), (b"y", LARGEST, LARGEST + 1), (b"yy", 3_000_000, 3_000_000)):
        found = arrived_by(raw + more, NOON, size)
        assert found.raw == b"X-Cut-Short: %d" % told + end + raw
        assert found.message_id == "<1@players.example>"
    agent = b"From a@b Wed Nov 18 12:00:00 2026" + end
    assert arrived_by(agent + raw, NOON).raw.startswith(agent + b"X-Cut-Short: ")
