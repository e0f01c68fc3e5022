"""Weakened builds of the post: what G14 promises must be seen to fail where its guard is taken away."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import pytest

from pbem import delivering
from pbem.ledger.outbox import BEGUN, REFUSED, SENT
from pbem.post import backoff
from pbem.post.carrier import LATER, Answer, Parcel
from tests.pbem.post.conftest import sender_in
from tests.pbem.post.rude import DROP_AFTER_DOT, LATER_DOT, NEVER_RCPT
from tests.pbem.post.test_faults import one_night


def night(waiting: Path, folder: Path, fault: str, kill: str = "") -> None:
    one_night(sender_in(waiting, folder), fault, 1, kill, {}, None)


@pytest.mark.parametrize(
    ("fault", "kill"), [(DROP_AFTER_DOT, ""), (LATER_DOT, "mail-begun"), (NEVER_RCPT, "mail-answered")]
)
def test_as_it_is_these_nights_are_right(waiting: Path, tmp_path: Path, fault: str, kill: str) -> None:
    night(waiting, tmp_path / "host", fault, kill)


def test_g14_without_the_row_before_the_try(waiting: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = delivering.outbox.fate

    def unless_begun(tx: Any, mail: Any, fate: str, *more: Any, **named: Any) -> Any:
        return mail._replace(tries=mail.tries + 1) if fate == BEGUN else noted(tx, mail, fate, *more, **named)

    monkeypatch.setattr(delivering.outbox, "fate", unless_begun)
    with pytest.raises(AssertionError, match="does not call begun"):
        night(waiting, tmp_path / "host", LATER_DOT)


def test_g14_noted_as_sent_before_the_answer(waiting: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hopeful(run: delivering.Run, batch: Any) -> None:
        for mail, parcel in batch:
            with run.ledger.write() as tx:
                delivering.outbox.fate(tx, mail, BEGUN, run.now, next_try_at=run.now)
                run._note(tx, mail, Answer(SENT))
            delivering.fault("mail-begun")
            run.way.carry([parcel])

    monkeypatch.setattr(delivering.Run, "_one_by_one", hopeful)
    with pytest.raises(AssertionError):
        night(waiting, tmp_path / "host", LATER_DOT, "mail-begun")


def test_g14_a_new_message_id_for_each_try(waiting: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrapped = delivering.parcel_of

    def renamed(*given: Any) -> Any:
        parcel = wrapped(*given)
        assert isinstance(parcel, Parcel)
        name, other = parcel.mail.message_id.encode(), b"<%s@pbem.test>" % secrets.token_hex(15).encode()
        return parcel._replace(raw=parcel.raw.replace(b"\nMessage-ID: " + name, b"\nMessage-ID: " + other, 1))

    monkeypatch.setattr(delivering, "parcel_of", renamed)
    with pytest.raises((AssertionError, KeyError)):
        night(waiting, tmp_path / "host", DROP_AFTER_DOT)


def test_g14_what_was_refused_is_tried_again(waiting: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strict = backoff.fate_of

    def stubborn(mail: Any, answer: Answer, *more: Any) -> Any:
        return strict(mail, answer._replace(fate=LATER) if answer.fate == REFUSED else answer, *more)

    monkeypatch.setattr(delivering, "fate_of", stubborn)
    with pytest.raises(AssertionError, match="times though refused"):
        night(waiting, tmp_path / "host", NEVER_RCPT)


def test_g14_an_unknown_answer_taken_for_a_refusal(
    waiting: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = backoff.fate_of

    def timid(mail: Any, answer: Answer, *more: Any) -> Any:
        return strict(mail, answer if answer.fate == SENT else answer._replace(fate=REFUSED), *more)

    monkeypatch.setattr(delivering, "fate_of", timid)
    with pytest.raises(AssertionError):
        night(waiting, tmp_path / "host", DROP_AFTER_DOT)
