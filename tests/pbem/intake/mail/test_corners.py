"""Corners of mails: receipts, bounces that name nobody, odd heads, files without orders, signatures without a key."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from pbem.intake.limits import USUAL
from pbem.intake.mail import evidence
from pbem.intake.mail.forms import forms
from pbem.intake.mail.headers import headers, split
from pbem.intake.mail.html_text import text_of
from pbem.intake.mail.quoting import lines_of
from pbem.intake.mail.reading import Block, Bounce, Check, Command, MailReading
from pbem.intake.mail.walk import read_mail
from tests.pbem.intake.mail.corpus import BY_NAME, NEW, OURS
from tests.pbem.intake.mail.programs import Original, attachment, encoded, multipart
from tests.pbem.intake.mail.programs import headers as head

TOP = head("en", Original(""))
WORDS = encoded("Hi\n", "text/plain; charset=utf-8", BY_NAME["mutt"])


def read(raw: bytes) -> MailReading:
    return read_mail(raw, ours=OURS)


def test_a_receipt_for_reading_is_no_answer() -> None:
    note = b"Content-Type: message/disposition-notification\r\n\r\nDisposition: manual-action; displayed\r\n"
    assert read(TOP + multipart("mixed", WORDS, note)).automatic == "read-receipt"
    assert read(TOP + multipart("report; report-type=disposition-notification", WORDS, note)).automatic == (
        "read-receipt"
    )


def test_a_bounce_that_names_nobody() -> None:
    status = b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\nAction: failed\r\n"
    returned = b"Content-Type: text/rfc822-headers\r\n\r\nSubject: no id\r\n"
    whole = b"Content-Type: message/rfc822\r\n\r\nMessage-ID: <r.7@pbem.test>\r\nFrom: a@b\r\n\r\nwords\r\n"
    for parts, name in (((status, returned, whole), "<r.7@pbem.test>"), ((status,), "<r.2.2@pbem.test>")):
        mail = read(TOP + multipart("report; report-type=delivery-status", WORDS, *parts))
        assert mail.automatic == "bounce"
        assert mail.bounce == Bounce(message_id=name)


def test_heads_as_old_and_broken_programs_write_them() -> None:
    found, body = split(b"From: a@b\rSubject: x\r\rwords", USUAL)
    assert (found.rows, body) == ((("from", "a@b"), ("subject", "x")), b"words")
    rows = headers(b" further in\r\nSubject: x\r\nno header at all\r\n and on\r\nTo: y", USUAL)
    assert rows.rows == (("subject", "x"), ("to", "y"))
    assert headers(b"Subject: a\r\n b", USUAL).get("subject") == "a b"
    assert "subject" in rows
    assert "from" not in rows


def test_tags_that_hold_nothing_open_nothing() -> None:
    assert text_of("<blockquote>a<img src='x'>b<input>c<wbr>d</blockquote>e<hr>f") == "> abcd\ne\nf"


def test_a_command_goes_to_the_ledger_and_back() -> None:
    mail = read(TOP + encoded("say red: hello\n", "text/plain; charset=utf-8", BY_NAME["mutt"]))
    assert mail.command == Command("say", "hello", "red")
    assert json.loads(json.dumps(mail.to_json()))["command"] == {"word": "say", "argument": "hello", "to": "red"}
    assert MailReading.from_json(json.loads(json.dumps(mail.to_json()))) == mail


def test_a_command_stands_in_the_text_or_is_the_subject() -> None:
    words = encoded("status\n", "text/plain; charset=utf-8", BY_NAME["mutt"])
    in_text = read(TOP + words)
    assert (in_text.command, in_text.commanded) == (Command("status"), True)
    by_subject = read(TOP.replace(b"Subject: ", b"Subject: status\r\nX-Was: ") + WORDS)
    assert (by_subject.command, by_subject.commanded) == (Command("status"), False)


@pytest.mark.parametrize(
    "text",
    [
        *("{}", "<html>", "[1]", '{"game": "jade"}', "just words\n"),
        *(f"{{\n{NEW}\n}}", f"[x]\n{NEW}"),  # what only shows a form
    ],
)
def test_files_that_are_no_order_files(text: str) -> None:
    mail = read(TOP + multipart("mixed", WORDS, attachment(text, "orders.yml")))
    assert (mail.blocks, mail.trouble) == ((), None)


def test_a_picture_that_was_forwarded_holds_no_form() -> None:
    inner = b"Content-Type: message/rfc822\r\n\r\nFrom: a@b\r\nContent-Type: image/png\r\n\r\n" + NEW.encode()
    mail = read(TOP + multipart("mixed", WORDS, inner))
    assert (mail.blocks, mail.trouble) == ((), None)


def test_a_block_is_framed_only_where_that_is_said() -> None:
    [block] = read(TOP + encoded(NEW + "\n", "text/plain; charset=utf-8", BY_NAME["mutt"])).blocks
    bare = Block(block.found, block.depth, block.text, block.reading)
    assert (bare.framed, bare.whole) == (False, False)


def test_no_key_stands_in_a_form_twice() -> None:
    """A key above `game:` that comes again below belongs to what stood above."""
    text = "seat: blue\ngame: jade\nseat: red\norders:\n  - a1\nend: orders\n"
    [form] = forms(lines_of(text), ())
    assert form.text == text.removeprefix("seat: blue\n")


class Strange:
    """What the library may do."""

    class ValidationError(Exception):
        pass

    class DKIMException(Exception):
        pass

    def __init__(self, does: Any) -> None:
        self.does = does

    def verify(self, number: int) -> bool:
        if isinstance(self.does, bool):
            return self.does
        raise self.does


@pytest.mark.parametrize(
    ("does", "result"),
    [
        (True, "pass"),
        (False, "fail"),
        (Strange.ValidationError(), "fail"),
        (Strange.DKIMException(), "permerror"),
        (OSError("no name server"), "temperror"),
    ],
)
def test_what_a_signature_comes_to(does: Any, result: str) -> None:
    assert evidence._verdict(Strange(does), Strange(does), 0, None) == result


def test_without_the_library_nothing_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dkim", None)
    found = headers(b"DKIM-Signature: v=1; d=a.test", USUAL)
    assert evidence.own_dkim(b"", found) == (Check("dkim", "unchecked"),)
