"""Budgets: what one kind of mail uses up is taken from no other, and what had no answer stands in the next report."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.game.hosting import NewGame
from pbem.intake.limits import USUAL
from pbem.ledger import rebuild
from pbem.people import gathering
from pbem.submitting import budgets
from tests.faults.figures import counted, told
from tests.pbem.correspondence.conftest import NOON, Post, words
from tests.pbem.host.conftest import DAY, DEADLINE
from tests.pbem.host.test_submitting import waits

GOOD, BAD = "orders:\n  - b3\nend: orders", "orders:\n  - b9\nend: orders"
FORGED = 22
ANNA = "1@players.example"


def forged(post: Post, number: int, subject: str = "join x-{}", **more: str) -> str:
    """A mail without a key whose From is a player's address; gives its fate."""
    message_id = f"<see-http-evil-example-{number}@evil.example>"
    given = {"subject": subject.format(number), "to": post.host.config.address, "message_id": message_id, **more}
    return post.write(f"visit http://evil.example/{number}", **given)


def opened(post: Post, name: str = "tiger-hill") -> None:
    """A game that waits for players."""
    with post.host.ledger.write() as tx:
        wanted = NewGame(rules="nim", name=name, seats={}, options={"heaps": "3,4,5"})
        gathering.opened(tx, post.host.config, wanted, None, None, NOON)


# --- a forged From ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("waiting", [True, False], ids=["games are open", "no game is open"])
def test_a_forged_from_silences_nobody(post: Post, waiting: bool) -> None:
    """Seen red: 20 mails with the forger's subjects, and then no receipt for the player's own orders, good or bad."""
    if waiting:
        opened(post)
    before = post.count()
    fates = [forged(post, number) for number in range(1, FORGED + 1)]
    answers = post.sent(ANNA)[before:]
    assert len(answers) == (1 if waiting else 0)
    assert set(fates) <= {"refused", "quarantined"}
    for answer in answers:
        assert "x-" not in str(answer["Subject"])
        assert "evil" not in answer.as_string()
        assert (answer["In-Reply-To"], answer["Auto-Submitted"]) == (None, "auto-generated")
        assert "tiger-hill" in words(answer)
    assert post.write(GOOD) == "accepted"
    assert "Your orders are taken" in post.text()
    assert waits(post.host, "1") == ["b3"]
    assert post.write(BAD) == "refused"
    assert "Your orders are not taken" in post.text()
    assert post.count() == before + len(answers) + 2
    counted(FORGED, "mails with a forged From")
    counted(post.count() - before - 2, "answers to them")


def test_whatever_a_forged_mail_asks_for_is_answered_once_a_day_in_all(post: Post) -> None:
    opened(post)
    before = post.count()
    asked = ["join tiger-hill", "join x", "status", "b3", "Re: your mail", "resign game"]
    for number, subject in enumerate(asked * 3):
        forged(post, number, subject)
    assert post.count() == before + 1
    assert "asks for a seat in the game tiger-hill" in post.text()
    forged(post, 99, "hello", at=NOON + DAY)  # type: ignore[arg-type]
    assert post.count() == before + 2
    assert "without a valid key" in post.text()
    assert post.write("status") == "accepted"
    assert "These are your games" in post.text(), "it uses up no answer to a command"


def test_what_is_answered_to_a_mail_without_a_key_is_always_the_same(post: Post) -> None:
    """Nothing of the mail stands in it: two mails that have nothing in common are answered alike."""
    texts = set()
    for number, (subject, more) in enumerate((("buy this", "X-Evil: 1\n"), ("=?utf-8?q?=C3=A9vil?=", ""))):
        forged(post, number, subject, more=more, at=NOON + number * DAY)  # type: ignore[arg-type]
        answer = post.last()
        texts.add((str(answer["Subject"]), words(answer), answer["In-Reply-To"], answer["References"]))
    assert len(texts) == 1


def test_strangers_hear_nothing_of_a_mail_without_a_key(post: Post) -> None:
    before = len(post.sent())
    assert forged(post, 1, "hello", sender="eve@elsewhere.example") == "quarantined"
    assert forged(post, 2, sender="eve@elsewhere.example") == "quarantined"
    assert len(post.sent()) == before


def test_a_stranger_has_one_mailbox_whatever_stands_behind_its_plus(post: Post) -> None:
    opened(post)
    post.host.config = replace(post.host.config, open_to_strangers=True)
    before = len(post.sent())
    for number in range(5):
        forged(post, number, "join tiger-hill", sender=f"eve+{number}@elsewhere.example")
    assert len(post.sent()) == before + 1
    assert "eve" not in words(post.sent()[-1]), "not even a name is made of it"


def test_weakened_when_all_answers_have_one_budget_a_forger_uses_up_the_receipts(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = post.count()
    monkeypatch.setattr(budgets, "left", lambda *_: USUAL.answers - (post.count() - start))
    for number in range(FORGED):
        forged(post, number, "hello")
    before = post.count()
    post.write(BAD)
    assert post.count() == before


# --- budgets of their own ---------------------------------------------------------------------------------------------


def test_an_old_key_uses_up_neither_receipts_nor_what_a_seat_may_send(post: Post) -> None:
    old = post.host.file("1", "b3")
    post.write(GOOD)
    post.write(GOOD, seat="2")
    post.host.night()
    late = DEADLINE + DAY / 24
    for number in range(USUAL.receipts + 5):
        assert post.write(f"# {number}\n{old}", at=late, to=post.host.config.address) == "refused"
    assert post.write("orders:\n  - a1\nend: orders", at=late) == "accepted"
    assert "Your orders are taken" in post.text()


def test_commands_use_up_no_receipts_and_what_had_no_answer_is_listed(post: Post) -> None:
    for _ in range(USUAL.answers + 2):
        post.write("status")
    assert post.write("help") == "accepted"
    assert post.write(GOOD) == "accepted"
    assert "Your orders are taken" in post.text()
    post.host.night()
    report = post.text()
    assert "3 messages of yours had no answer" in report
    assert report.count("status, done") == 2
    assert report.count("help, done") == 1
    post.write("orders:\n  - a1\nend: orders", at=DEADLINE + DAY / 24)
    post.host.night(DEADLINE + DAY)
    assert "had no answer" not in post.text(), "it is told once"


def test_the_last_receipt_says_so_and_the_report_lists_the_rest(post: Post) -> None:
    post.host.config = replace(post.host.config, limits=replace(USUAL, receipts=3))
    for number in range(3):
        assert LAST not in post.text()
        post.write(GOOD if number % 2 else BAD)
    assert LAST in post.text()
    before = post.count()
    assert post.write(GOOD) == "accepted"
    assert post.write(BAD) == "refused"
    assert post.count() == before
    assert waits(post.host, "1") == ["b3"], "it counts all the same"
    post.host.night()
    report = post.text()
    assert "2 messages of yours had no answer, as the limit of that day was reached" in report
    assert "18 November 2026, 12:00 (UTC): orders, taken" in report
    assert "18 November 2026, 12:00 (UTC): not taken" in report
    told("receipts past the last one of a day: 2 of 2 listed in the next report")


LAST = "This is the last of 3 receipts that this seat is sent on one day."


def test_a_long_list_is_told_by_its_length(post: Post) -> None:
    post.host.config = replace(post.host.config, limits=replace(USUAL, answers=1))
    for _ in range(16):
        post.write("status")
    post.host.night()
    assert "15 messages of yours had no answer" in post.text()
    assert "and 5 more" in post.text()


def test_what_is_counted_is_the_same_after_a_rebuild(post: Post) -> None:
    post.host.config = replace(post.host.config, limits=replace(USUAL, receipts=2, answers=2))
    for text in (GOOD, BAD, GOOD, "status", "help", "status", "say 2: hello"):
        post.write(text)
    forged(post, 1, "hello")

    def rows() -> list[object]:
        with post.host.ledger.read() as tx:
            names = ("budget", "queue", "inbox", "contact", "turned_away")
            return [tx.connection.exec_driver_sql(f"SELECT * FROM {name} ORDER BY 1, 2").all() for name in names[:3]]

    before = rows()
    rebuild.rebuild(post.host.ledger)
    assert [sorted(map(str, one)) for one in rows()] == [sorted(map(str, one)) for one in before]


def test_whoever_answers_a_question_again_and_again_is_not_written_to_without_end(post: Post) -> None:
    opened(post)
    forged(post, 1, "join tiger-hill")
    code = str(post.last()["Reply-To"]).rpartition("<")[2].rstrip(">")
    before = post.count()
    for _ in range(20):
        post.write("yes", to=code)
    assert before < post.count() <= before + 5
