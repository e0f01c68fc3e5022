"""M at the reader: each mail is read as the table says, by a child that lives, within its bounds."""

from __future__ import annotations

import base64
import binascii
import time
from collections.abc import Iterator

import pytest

from engine.entries import plain
from pbem.intake.mail import html_text, parts
from pbem.intake.mail.reading import SUSPECTED, MailReading
from pbem.intake.mail.walk import read_mail
from pbem.intake.reading import BoundedReader
from tests.faults.figures import counted
from tests.pbem.intake.hostile import mails as builders
from tests.pbem.intake.hostile.case import KEEP, REFUSE
from tests.pbem.intake.hostile.mail_table import MAILS
from tests.pbem.intake.hostile.mails import IGNORE, ORDERS, OURS, Mail

QUICK = 1.5  # seconds of processor time, of two that are allowed
SHOWN = 200


@pytest.fixture(scope="module")
def reader() -> Iterator[BoundedReader]:
    with BoundedReader() as reader:
        yield reader


def code(read: MailReading) -> str:
    if read.trouble is not None:
        return read.trouble.code
    problems = [problem for block in read.blocks for problem in block.reading.problems]
    return problems[0].why.code if problems else ""


def orders(read: MailReading) -> list[str]:
    forms = [block.reading.form for block in read.blocks]
    return [str(plain(order)) for form in forms if form is not None for order in form.orders or ()]


def as_said(mail: Mail, read: MailReading) -> bool:
    """Whether the reading is the one in the table."""
    if mail.fate == IGNORE:
        unread = not read.blocks and read.command is None
        return read.automatic == mail.automatic and (unread or mail.automatic in SUSPECTED)
    if read.automatic:
        return False
    if mail.fate == KEEP:
        return read.reading is None or read.reading.form is None or not read.reading.form.key
    if mail.fate == REFUSE:
        why = read.trouble or read.blocks[0].reading.problems[0].why
        return code(read) == mail.code and mail.says in str(why)
    return not code(read) and orders(read) == [mail.orders] and read.found == mail.found


def test_there_are_enough_and_each_has_its_name() -> None:
    assert len(MAILS) >= 230
    assert len({mail.id for mail in MAILS}) == len(MAILS)


@pytest.mark.parametrize("mail", MAILS, ids=lambda mail: mail.id)
def test_what_is_read(mail: Mail, reader: BoundedReader) -> None:
    raw = mail.raw()
    begun = time.process_time()
    read = read_mail(raw, ours=[OURS])
    assert time.process_time() - begun < QUICK
    assert as_said(mail, read), (read.automatic, code(read), orders(read), read.found)
    assert len(read.shown) <= SHOWN
    assert read.shown.isprintable()
    assert reader.read_mail(raw, ours=[OURS]) == read, "the child reads it as we would, and lives"
    counted(1, "hostile mails of the corpus read as their row says")


TWO = ORDERS.replace("  - b3\n", "  - b3\n  - a2\n")
WHOLE = {
    "body": lambda: builders.mail(TWO),
    "line feeds": lambda: builders.mail(TWO, end="\n"),
    "base64": lambda: builders.mail(base64.encodebytes(TWO.encode()), encoding="base64"),
    "quoted-printable": lambda: builders.mail(binascii.b2a_qp(TWO.encode()), encoding="quoted-printable"),
    "html": lambda: builders.mail(f"<div>{builders.in_html(TWO)}</div>", kind="text/html; charset=utf-8"),
    "attachment": lambda: builders.multipart(builders.part("Hi"), builders.attached(TWO)),
    "both": lambda: builders.multipart(builders.part(TWO), builders.attached(TWO)),
    "alternative": lambda: builders.multipart(
        builders.part(TWO), builders.html(builders.in_html(TWO)), subtype="alternative"
    ),
    "fence": lambda: builders.mail(f"Hi\n```yaml\n{TWO}```\nBye\n"),
}


@pytest.mark.parametrize("way", WHOLE)
def test_a_mail_cut_anywhere_is_never_a_shorter_order(way: str) -> None:
    """M24: at each byte of it, in each form it comes in: all orders, or none."""
    raw = WHOLE[way]()
    taken = 0
    for length in range(len(raw) + 1):
        read = read_mail(raw[:length], ours=[OURS])
        if read.reading is not None and not code(read) and not read.automatic:
            assert orders(read) == ["b3", "a2"], length
            taken += 1
    assert taken > 0
    assert taken < len(raw)


# --- weakened builds --------------------------------------------------------------------------------------------------


def fails(*family: str) -> bool:
    for mail in MAILS:
        if mail.id.startswith(family):
            try:
                if not as_said(mail, read_mail(mail.raw(), ours=[OURS])):
                    return True
            except Exception:
                return True
    return False


def test_g30_a_reader_that_knows_no_robots_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    for family in ("M18", "M19", "M20", "M22", "M23"):
        assert not fails(family)
    monkeypatch.setattr("pbem.intake.mail.walk.why_automatic", lambda *_: "")
    for family in ("M18", "M19", "M20", "M22", "M23"):
        assert fails(family)


def test_g30_without_the_loop_check_our_own_letters_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.intake.mail.walk.addresses.is_one_of", lambda *_: False)
    assert fails("M23-from-us")


def test_hidden_text_that_counts_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = html_text._opened

    def seen(*given):  # type: ignore[no-untyped-def]
        new = real(*given)
        new.hidden = False
        return new

    monkeypatch.setattr(html_text, "_opened", seen)
    assert fails("M12-hidden", "M12-only-hidden")


def test_forwarded_orders_that_count_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = parts._leaf
    monkeypatch.setattr(parts, "_leaf", lambda *given: real(*given[:3], False, *given[4:]))
    assert fails("M10", "M04-digest")
