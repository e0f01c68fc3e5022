"""G31 on the wire: nothing that a player wrote becomes a command, a recipient, a header or the end of a mail.

What left is read again by another reader: the server's own lines here, the standard library's parser for the headers.
Weakened builds: without the doubled dots a mail ends early; with an unchecked `To:` a second recipient gets it.
"""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace
from email import policy
from email.parser import BytesParser
from random import Random
from typing import Any

import pytest

from pbem.ledger import Ledger, outbox
from pbem.ledger.chain import HOST
from pbem.ledger.outbox import QUEUED, REFUSED, SENT, OutMail
from pbem.people.addresses import NOBODY
from pbem.post import smtp
from pbem.post.carrier import Answer, Parcel
from pbem.post.headers import header, words
from pbem.post.parcels import parcel_of, recipient_of
from pbem.post.returns import returned, sender_for
from pbem.post.words import said_by
from pbem.reports import letter
from tests.faults.figures import counted
from tests.pbem.post.conftest import NOON, Sender, by_smtp
from tests.pbem.post.rude import Rude

NASTY = (
    *(".", "..", ".\r\n", "\r\n.\r\n", "\n.\n", "\r.\r", "\r\n.\r\nMAIL FROM:<x@y.z>\r\nRCPT TO:<all@y.z>\r\nDATA\r\n"),
    *(
        "From ",
        "\nFrom me\n",
        "QUIT\r\n",
        "RSET",
        "\x00",
        "\x1b[2J",
        "\x85.\x85",
        "\u2028.\u2028",
        "é" * 700,
        "x" * 2000,
    ),
    *("Bcc: all@y.z", "\r\nBcc: all@y.z\r\n\r\n", "--=_boundary", "=?utf-8?q?=0D=0ABcc:_x?=", "\udc0a.\udc0a", "\t.\t"),
)
COUNT = 10_000
MARK = re.compile(r"^Message-ID: (<[^>]+>)", re.M)


def mail_of(message_id: str, name: str, text: str, subject: str) -> bytes:
    envelope = letter.Envelope(
        message_id,
        NOON,
        letter.Address("pbem", "orders@pbem.test"),
        letter.Address(name, "anna@players.example"),
        subject,
        more=(("X-Pbem-Kind", "notice"), ("X-Pbem-Turn", "1")),
    )
    return letter.write(
        envelope, text, f"<p>{text.replace('<', '')}</p>", (letter.File("x.json", "application/json", b"{}"),)
    )


def unsigned(raw: bytes) -> bytes:
    """A mail that left, as it was written."""
    return raw[raw.index(b"Message-ID: ") :]


def strings(seed: int) -> str:
    chance = Random(seed)
    return "".join(chance.choice(NASTY) if chance.random() < 0.7 else chance.choice("ab. \r\n") for _ in range(6))


def post_all(sender: Sender, texts: list[tuple[str, str, str]]) -> list[bytes]:
    """These mails, and no others, wait to be sent; as many strings in each as it has room for."""
    raws = []
    with closing(Ledger.open(sender.config.ledger)) as ledger, ledger.write() as tx:
        for mail in outbox.due(tx, NOON):
            outbox.fate(tx, mail, SENT, NOON)
        for number, (name, text, subject) in enumerate(texts):
            message_id = f"<{number:030x}@pbem.test>"
            raws.append(mail_of(message_id, name, text, subject))
            outbox.post(tx, HOST, None, "notice", message_id, raws[-1], NOON, NOON)
    return raws


def test_g31_ten_thousand_strings_on_the_wire(sender: Sender) -> None:
    texts = [
        (strings(n), "\n".join(strings(n * 100 + k) for k in range(60)), strings(-n)) for n in range(1, COUNT // 62 + 2)
    ]
    raws = post_all(sender, texts)
    with Rude() as server:
        assert sender.deliver(NOON, **by_smtp(server.port)) == {SENT: len(raws)}
    assert not server.wrong
    assert sorted(unsigned(one.raw) for one in server.taken) == sorted(raws)
    counted(62 * len(texts), "texts in mails that a server was given")
    commands = [line.partition(b" ")[0].upper() for line in server.lines]
    assert {*commands} == {b"EHLO", b"MAIL", b"RCPT", b"DATA", b"QUIT"}
    assert commands.count(b"RCPT") == commands.count(b"DATA") == len(raws)
    counted(commands.count(b"RCPT") - len(raws), "recipients that a text named")
    assert {one.recipients for one in server.taken} == {("anna@players.example",)}
    for one in server.taken:
        message = BytesParser(policy=policy.compat32).parsebytes(one.raw)
        assert not message.defects
        assert message.keys() == [
            *(
                "X-Pbem-Signature",
                "Message-ID",
                "Date",
                "From",
                "To",
                "Subject",
                "Auto-Submitted",
                "X-Auto-Response-Suppress",
            ),
            *("Content-Language", "X-Pbem-Kind", "X-Pbem-Turn", "MIME-Version", "Content-Type"),
        ]


def test_g31_weakened_without_doubled_dots(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "_dotted", bytes)
    raws = post_all(sender, [("Anna", "Before.\n.\nQUIT\n..two\n", "x")])
    with Rude() as server:
        sender.deliver(NOON, **by_smtp(server.port))
    assert [unsigned(one.raw) for one in server.taken] != raws


@pytest.mark.parametrize(
    "to",
    [
        "a@b.test c@d.test", "-oQ/tmp@b.test", "a@b.test\x00", "a b@c.test", "", "<>", "@b.test",
        "a@b.test> SIZE=1", '"a"@b.test', "a@[127.0.0.1]", NOBODY, "é@b.test",
    ],
)  # fmt: skip
def test_an_address_that_says_more_is_never_written_to(sender: Sender, to: str) -> None:
    raw = b"Message-ID: <1@pbem.test>\r\nTo: x <" + to.encode() + b">\r\n\r\ntext\r\n"
    mail = OutMail("<1@pbem.test>", HOST, None, QUEUED, 0, NOON)
    assert isinstance(parcel_of(sender.config, mail, raw, raw, None), Answer)


@pytest.mark.parametrize("text", [b"a\nb\r\n", b"a\rb\r\n", b"a\r\n.\n\r\n", b"x" * 999 + b"\r\n"])
def test_a_mail_whose_lines_are_not_whole_is_never_sent(sender: Sender, text: bytes) -> None:
    """A bare line feed before a dot is where one server ends a mail and another does not."""
    raw = b"Message-ID: <1@pbem.test>\r\nTo: a@b.test\r\n\r\n" + text
    mail = OutMail("<1@pbem.test>", HOST, None, QUEUED, 0, NOON)
    found = parcel_of(sender.config, mail, raw, raw, None)
    assert isinstance(found, Answer)
    assert found.fate == REFUSED
    assert isinstance(parcel_of(sender.config, mail, raw, raw[: raw.index(b"\r\n\r\n") + 4] + b"a\r\n", None), Parcel)


@pytest.mark.parametrize(
    "to", ["Anna <a@b.test>", "a@b.test", '"<x@y.z>, \\"" <a@b.test>', "=?utf-8?b?w6k=?=\r\n <a@b.test>"]
)
def test_the_address_stands_at_the_end_of_its_line(to: str) -> None:
    assert recipient_of(b"Subject: To: z@z.z\r\nTo: " + to.encode() + b"\r\n\r\nTo: y@y.y\r\n") == "a@b.test"


def test_a_line_may_have_998_letters(sender: Sender) -> None:
    raw = b"To: a@b.test\r\n\r\n" + b"x" * 998 + b"\r\n"
    mail = OutMail("<1@pbem.test>", HOST, None, QUEUED, 0, NOON)
    assert isinstance(parcel_of(sender.config, mail, raw, raw, None), Parcel)


def test_what_a_server_says_is_shown_as_harmless_words() -> None:
    said = said_by(b"no\x1b[31m\r\n550 \xff\x00 \xe2\x80\xaeevil " + b"x" * 5000)
    assert said.isprintable()
    assert len(said) <= 200
    assert "\x1b" not in said


def test_a_subject_is_read_back_as_it_was_written() -> None:
    for subject in ("[x] Plain", "[x] Café " * 12, "=?utf-8?b?x?=", "汉" * 60):
        raw = mail_of("<1@pbem.test>", "Anna", "text", subject)
        assert words(header(raw, "Subject")) == subject.strip()


def test_a_bounce_names_its_mail() -> None:
    message_id = f"<{'0a' * 15}@pbem.test>"
    sender = sender_for(message_id, "orders@pbem.test")
    assert sender == f"orders+bounce.{'0a' * 15}@pbem.test"
    tag = sender.partition("+")[2].partition("@")[0]
    assert returned(tag.upper(), "orders@pbem.test") == message_id
    assert sender_for("<strange@pbem.test>", "orders@pbem.test") == "orders@pbem.test"
    assert sender_for(message_id, "x" * 40 + "@pbem.test") == "x" * 40 + "@pbem.test"


@pytest.mark.parametrize(
    "tag", ["", "bounce.", "bounce." + "g" * 30, "bounce." + "0" * 29, "x.bounce." + "0" * 30, "k7q29fxm.1.red.x"]
)
def test_other_tags_are_no_bounces(tag: str) -> None:
    assert returned(tag, "orders@pbem.test") is None


def test_without_tags_everything_comes_back_to_the_plain_address(sender: Sender) -> None:
    with Rude() as server:
        sender.deliver(NOON, **by_smtp(server.port) | {"tags": False})
    assert {one.sender for one in server.taken} == {"orders@pbem.test"}
    plain: Any = replace(sender.config.post, tags=False)
    assert plain.tags is False
