"""G31: no text of a player makes a header, a recipient, a part, a line of SMTP, or an escape of a terminal.

Every letter the host writes, with the text in every place that a player can fill; what comes out is taken apart by the
standard library's parser, which did not write it. The long run puts in 10,000 texts.
"""

from __future__ import annotations

import smtplib
from collections import Counter
from typing import Any

import pytest

from pbem.reports import letter as mail_bytes
from pbem.reports import plain
from tests.faults.figures import counted, told
from tests.pbem.intake.hostile.leaving import faults, mailed, shape
from tests.pbem.intake.hostile.share import share
from tests.pbem.reports.hostile import NASTY, generated
from tests.pbem.reports.letters import EVERY, HARMLESS

TEXTS = [*NASTY, *generated(share(10_000, 60), seed=31)]
INJECTED = ("x\r\nBcc: everybody@evil.example", "x\nBcc: everybody@evil.example", "x\r\n\r\nbody")


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", EVERY)
def test_a_mail_has_the_shape_of_a_harmless_one(kind: str) -> None:
    expected, found = shape(mailed(kind, HARMLESS)), Counter[str]()
    for hostile in TEXTS:
        raw = mailed(kind, hostile)
        found["another shape"] += shape(raw) != expected
        found.update(faults(raw))
        assert not found.total(), ascii(hostile)
    counted(len(TEXTS), "letters with a player's text in every place")
    counted(found.total(), "headers, recipients, parts or escapes of theirs")
    told(f"{len(TEXTS):,} texts in each of {len(EVERY)} kinds of letters")


@pytest.mark.parametrize("kind", EVERY)
def test_its_end_is_ours_alone(kind: str) -> None:
    """What a server is given: a lone dot ends a mail, and only the last line is one, however the body was written."""
    for hostile in [*NASTY, *TEXTS[:60], "a\n.\nRCPT TO:<everybody@evil.example>", "a\r\n.\r\nQUIT"]:
        data = smtplib._quote_periods(mailed(kind, hostile))  # type: ignore[attr-defined]
        assert b"\r\n.\r\n" not in data, ascii(hostile)


def weakened(raw_of: Any) -> bool:
    """Whether the tests above find something wrong with letters made that way."""
    for hostile in INJECTED:
        raw = raw_of(hostile)
        if faults(raw) or shape(raw) != shape(mailed("report", HARMLESS)):
            return True
    return False


def test_headers_that_are_not_cleaned_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not weakened(lambda text: mailed("report", text))

    def as_it_is(header: str, mailbox: mail_bytes.Address) -> str:
        return f"{header}: {mailbox.name} <{mailbox.address}>"

    monkeypatch.setattr(mail_bytes, "_mailbox", as_it_is)
    assert weakened(lambda text: mailed("report", text))


def test_signs_that_are_not_taken_out_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "clean", lambda text: text)
    monkeypatch.setattr(plain, "lines", lambda text, limit=4000: text.split("\n"))
    monkeypatch.setattr(plain, "one_line", lambda text, limit=200: text.replace("\n", " ").replace("\r", " "))
    assert faults(mailed("notice", "\x1b]0;owned\x07"))
