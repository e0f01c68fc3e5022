"""The deadline travels with the report as calendar programs take it, and an answer that carries it back is an answer.

Another reader than ours takes the mails apart. Weakened build: an intake for which every calendar with a method is an
invitation; it would ignore a player whose mail program sends our own file back.
"""

from __future__ import annotations

import pytest

from pbem.game.outgoing import DATE_FILE
from pbem.intake.mail import automatic
from tests.pbem.correspondence.conftest import Post
from tests.pbem.host.conftest import DEADLINE, Host
from tests.pbem.host.test_submitting import waits
from tests.pbem.test_icalendar import read

ORDER = "orders:\n  - b3\nend: orders"


@pytest.fixture
def post(host: Host) -> Post:
    """A host with a game of nim that has been begun."""
    host.start("nim", heaps="3,4,5")
    return Post(host)


def sent_back(post: Post, method: str = "PUBLISH") -> bytes:
    """An answer whose mail program attached the calendar of our letter again."""
    dated = next(part for part in post.last().iter_attachments() if part.get_filename() == DATE_FILE)
    body = "\n".join(
        (
            "--cut",
            "Content-Type: text/plain; charset=utf-8",
            "",
            ORDER,
            "--cut",
            f'Content-Type: text/calendar; charset=utf-8; method={method}; name="{DATE_FILE}"',
            f'Content-Disposition: attachment; filename="{DATE_FILE}"',
            "",
            dated.get_content().replace("\r\n", "\n"),
            "--cut--",
        )
    )
    return post.mail(body, kind='multipart/mixed; boundary="cut"')


def test_a_report_brings_its_deadline(post: Post) -> None:
    dated = [part for part in post.last().iter_attachments() if part.get_filename() == DATE_FILE]
    assert [part.get_content_type() for part in dated] == ["text/calendar"]
    assert dated[0].get_param("method") == "PUBLISH"
    [event] = read(dated[0].get_payload(decode=True).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    assert event["DTSTART"] == f"{DEADLINE:%Y%m%dT%H%M%SZ}"
    assert event["UID"] == "1.game@localhost"
    assert event["SUMMARY"] == "game, decision 1"


def test_who_is_not_asked_gets_no_date(post: Post) -> None:
    assert DATE_FILE not in [part.get_filename() for part in post.last("2").iter_attachments()]


def test_a_later_word_moves_the_same_event(host: Host) -> None:
    """A seat that is asked again gets the next deadline under the next name."""
    host.start("nim", heaps="3,4,5")
    host.night(DEADLINE)
    dates = [read(mail.files[DATE_FILE].replace(b"\n", b"\r\n")) for mail in host.mails("2") if DATE_FILE in mail.files]
    assert [event["UID"] for [event] in dates] == ["2.game@localhost"]


def test_an_answer_that_carries_our_calendar_is_understood(post: Post) -> None:
    assert post.bring(sent_back(post)) == {"accepted": 1}
    assert waits(post.host, "1") == ["b3"]


def test_an_answer_to_an_invitation_is_still_ignored(post: Post) -> None:
    before = post.count("1")
    assert post.bring(sent_back(post, "REPLY")) == {"ignored": 1}
    assert waits(post.host, "1") == []
    assert post.count("1") == before


def test_weakened_any_method_is_an_invitation(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automatic, "PUBLISHED", "nothing at all")
    assert post.bring(sent_back(post)) == {"ignored": 1}
