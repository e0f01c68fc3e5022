"""A page in a mail stays under what mail programs show; what it leaves out is in an attached page, and pointed to.

Weakened: with `LONGEST` at a million bytes the mail of the longest game has a page of more than 100 kB.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

import pytest

from engine import games
from pbem.reports import html, letter, shorter
from pbem.reports.report import Report
from pbem.reports.words import Memo
from tests.pbem.reports.played import play, report

SHOWN = 102_000  # bytes; Gmail hides the rest


def longest(game: str, turns: int) -> Report:
    """A report that tells as many decisions as a whole game of random moves has, or so many."""
    played = play(game, turns)
    return report(played, played.rules.seats(played.options)[0], turns)


@pytest.mark.parametrize("game", games())
def test_every_page_of_every_game_fits(game: str) -> None:
    said = longest(game, 400)
    page, drawn, whole = shorter.page_of(said, Memo())
    assert shorter.size(page) <= shorter.LONGEST
    assert bool(whole) == (shorter.size(html.mailed(said)[0]) > shorter.LONGEST)
    if drawn is not None:
        assert drawn.cid in page
    if whole and page:
        assert "the attached page report.html" in page
        told, all_of_them = (re.findall("<h3>.*?</h3>", text) for text in (page, whole))
        assert told == all_of_them[-len(told) :]  # the last ones, without a gap
        assert 0 < len(told) < len(all_of_them)


def test_the_longest_game_in_a_mail() -> None:
    name = max(games(), key=lambda game: shorter.size(html.mailed(longest(game, 400))[0]))
    said = longest(name, 400)
    page, drawn, whole = shorter.page_of(said, Memo())
    assert whole, f"no game is long enough: {name} has {shorter.size(page)} bytes"
    envelope = letter.Envelope(
        "<1@pbem.test>",
        datetime(2026, 11, 18, tzinfo=UTC),
        letter.Address("", "a@b.test"),
        letter.Address("", "c@d.e"),
        "x",
    )
    shown = letter.Shown(drawn.cid, drawn.svg) if drawn else None
    raw = letter.write(envelope, "text", page, (letter.File("report.html", "text/html", whole.encode()),), shown)
    message: EmailMessage = BytesParser(policy=policy.default).parsebytes(raw)
    body = message.get_body(preferencelist=("html",))
    assert body is not None
    assert len(body.as_bytes()) <= SHOWN
    [attached] = [part for part in message.iter_attachments() if part.get_filename() == "report.html"]
    assert attached.get_content().replace("\r\n", "\n").strip() == whole.strip()


def test_one_decision_that_is_too_long_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be left out the words alone say everything, and the page is attached."""
    monkeypatch.setattr(shorter, "LONGEST", 2000)
    said = longest(games()[0], 3)
    assert shorter.page_of(said, Memo()) == ("", None, html.render(said))
