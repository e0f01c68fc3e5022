"""Days away, from the mail that says so to the letters that the others get: deadlines move later, and never earlier."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from pbem.attending.attendance import Attendance, Record
from pbem.correspondence.commands import days
from pbem.intake.form import Absence
from pbem.intake.limits import Limits
from pbem.intake.mail.commands import from_text
from tests.pbem.correspondence.conftest import Post, words
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host

HOUR = timedelta(hours=1)


def record(host: Host, seat: str) -> Record:
    return Attendance.from_json(host.row().attendance).of(seat)


def begun(make_post, silence: str = "", schedule: str = "nightly 20:00") -> Post:
    post: Post = make_post()
    post.host.start("nim", heaps="3,4,5", silence=silence, schedule=schedule)
    return post


def form(post: Post, seat: str, absent: str) -> str:
    text = post.host.file(seat)
    return text.replace("orders:\n", "").replace("end:", f"absent: {absent}\nend:")


# --- wait -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["mail", "form"])
def test_the_open_deadline_waits_for_who_says_he_is_away(make_post, way: str) -> None:
    post = begun(make_post)
    said = (
        "absent 2026-11-18 2026-11-20" if way == "mail" else form(post, "1", "{since: 2026-11-18, until: 2026-11-20}")
    )
    assert post.write(said) == "accepted"
    back = datetime(2026, 11, 21, 20, tzinfo=UTC)
    assert post.host.row().deadline_at == back, "the first deadline after the last day away"
    assert record(post.host, "1").used == 72
    mine, theirs = post.text("1"), post.text("2")
    assert "The open decision waits until Saturday 21 November 2026, 20:00" in mine
    assert "may still wait for you: 432." in mine
    assert "Seat 1 (player-1) will be away from Wednesday 18 November 2026, 13:00 (Europe/Paris" in theirs
    assert "Deadlines wait meanwhile" in theirs
    assert "Deadline: Saturday 21 November 2026, 21:00 (Europe/Paris" in theirs
    post.host.night(DEADLINE)
    assert post.host.row().turn == 1, "nothing fell due"
    assert post.write(post.host.file("1", "b3"), at=back - HOUR) == "accepted"
    post.host.night(back)
    assert post.host.row().turn == 2
    assert record(post.host, "1").on_time == 1


def test_a_deadline_that_an_outage_moves_waits_for_who_is_away(make_post) -> None:
    """G18: nobody loses a turn because we were off, nor who is away by then."""
    post = begun(make_post)
    post.host.night(NOON)
    post.write("absent 2026-11-20 2026-11-22")
    assert post.host.night(DEADLINE + 2 * DAY).moved == ["game"]
    back = datetime(2026, 11, 23, 20, tzinfo=UTC)
    assert post.host.row().deadline_at == back, "the first deadline after the last day away"
    assert "Deadline: Monday 23 November 2026, 20:00" in post.text("1")
    assert record(post.host, "1").used == 48
    post.host.night(back - DAY)
    assert post.host.row().turn == 1


def test_a_game_waits_as_long_as_it_allows_and_no_longer(make_post) -> None:
    post = begun(make_post, silence="away=2d")
    post.write("absent 2026-11-18 2026-12-31")
    assert post.host.row().deadline_at == DEADLINE + 2 * DAY
    assert "may still wait for you: 0." in post.text("1")
    post.host.night(DEADLINE + 2 * DAY)
    assert post.host.row().turn == 2
    assert record(post.host, "1") == Record(absent=1, used=48), "he said so: it is no silence"
    assert post.host.order("2", "c1", at=DEADLINE + 2 * DAY + HOUR).fate == "accepted"
    post.host.night(DEADLINE + 3 * DAY)
    assert post.host.row().pending == ["2"], "and nobody waits for seat 1 any more, while it is away"
    assert post.write("absent 2026-11-25", at=DEADLINE + 3 * DAY + HOUR) == "refused"
    assert "waits for an absent player for 48 hours in all, and 48 of them are used up" in post.text("1")
    assert post.write(form(post, "1", "2026-11-25"), at=DEADLINE + 3 * DAY + HOUR) == "refused"
    assert "mode: stand-in}" in post.text("1")


def test_a_game_may_wait_for_nobody(make_post) -> None:
    post = begun(make_post, silence="away=0")
    assert post.write("absent 2026-12-31") == "refused"
    assert post.host.row().deadline_at == DEADLINE
    assert post.write("absent 2026-12-31 standing") == "accepted"
    assert post.host.row().deadline_at == DEADLINE


def test_who_has_answered_is_not_waited_for(make_post) -> None:
    post = begun(make_post)
    post.host.order("1", "b3")
    before = post.count("2")
    post.write("absent 2026-11-30")
    assert post.host.row().deadline_at == DEADLINE
    assert post.count("2") == before, "told with the next report"
    post.host.night()
    assert "Seat 1 (player-1) will be away" in post.text("2")


def test_who_is_not_asked_holds_nothing_up_until_he_is(make_post) -> None:
    post = begun(make_post)
    post.write("absent 2026-11-25", seat="2")
    assert post.host.row().deadline_at == DEADLINE
    post.host.order("1", "b3")
    post.host.night()
    assert post.host.row().pending == ["2"]
    assert post.host.row().deadline_at == datetime(2026, 11, 26, 20, tzinfo=UTC)


def test_a_longer_absence_moves_it_again_and_a_shorter_one_does_not(make_post) -> None:
    post = begun(make_post)
    for last, due in ((20, 21), (24, 25), (19, 25)):
        post.write(f"absent 2026-11-{last}")
        assert post.host.row().deadline_at == datetime(2026, 11, due, 20, tzinfo=UTC)
    post.write("absent no")
    assert post.host.row().deadline_at == datetime(2026, 11, 25, 20, tzinfo=UTC), "it was announced to all"


def test_back_again_is_told_with_the_next_report(make_post) -> None:
    post = begun(make_post)
    post.write("absent 2026-11-25 standing")
    post.write("absent no")
    post.host.night()
    assert "Seat 1 (player-1) is not away any more." in post.text("2")
    assert "will be away" not in post.text("2")
    assert record(post.host, "1").silent == 1, "he took his word back"


def test_an_absence_without_end_uses_up_what_there_is(make_post) -> None:
    post = begun(make_post)
    post.write("absent")
    assert post.host.row().deadline_at == DEADLINE + 21 * DAY
    assert "will be away from Wednesday 18 November 2026, 13:00 (Europe/Paris, UTC+01:00) on." in post.text("2")


def test_a_ledger_made_anew_says_the_same(make_post) -> None:
    from pbem.ledger.rebuild import rebuild

    post = begun(make_post)
    post.write("absent 2026-11-25 stand-in")
    before = post.host.row()
    rebuild(post.host.ledger)
    assert post.host.row() == before


# --- stand-in, standing orders ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "how", "told"),
    [
        ("stand-in", "stand-in", "A stand-in plays meanwhile"),
        ("standing", "default", "Standing orders count meanwhile"),
    ],
)
def test_others_need_not_wait_for_who_leaves_somebody_in_his_place(make_post, word: str, how: str, told: str) -> None:
    post = begun(make_post, schedule="all-in 20:00")
    assert post.write(f"absent 2026-11-25 {word}") == "accepted"
    assert post.host.row().due_at == NOON, "nobody else is asked, so the next run goes on"
    post.host.night(NOON + HOUR)
    [turn] = [row for row in post.rows("turn") if row.turn == 1]
    assert turn.facts()["moves"]["1"]["how"] == how
    assert record(post.host, "1") == Record(absent=1)
    assert told in post.text("2")
    assert post.host.row().pending == ["2"]


def test_orders_sent_from_afar_count(make_post) -> None:
    post = begun(make_post)
    post.write("absent 2026-11-25 stand-in")
    post.host.order("1", "b3")
    post.host.night()
    [turn] = [row for row in post.rows("turn") if row.turn == 1]
    assert turn.facts()["moves"]["1"] == {
        "move": "b3",
        "how": "given",
        "submission": turn.facts()["moves"]["1"]["submission"],
    }
    assert record(post.host, "1") == Record(on_time=1)


def test_a_game_in_which_all_are_away_goes_a_decision_a_night(make_post) -> None:
    post = begun(make_post, schedule="all-in 20:00")
    for seat in ("1", "2"):
        post.write("absent 2026-12-25 standing", seat=seat)
    for night in range(3):
        post.host.night(DEADLINE + night * DAY)
    assert post.host.status() == "open"
    assert post.host.row().turn <= 1 + 2 * 3
    assert record(post.host, "1").silent == 0


def test_one_away_is_never_taken_for_gone(make_post) -> None:
    post = begun(make_post, silence="drop=1")
    post.write("absent 2026-12-25 standing")
    post.host.night()
    assert not record(post.host, "1").gone


# --- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "mode"),
    [
        ("absent 2026-12-31 stand-in", "stand-in"),
        ("absent 2026-12-31 remplaçant", "stand-in"),
        ("assente 2026-12-31 sostituto", "stand-in"),
        ("absent 2026-12-31 standing orders", "standing"),
        ("absent 2026-12-31 ordres permanents", "standing"),
        ("assente 2026-12-31 ordini permanenti", "standing"),
        ("absent 2026-12-31 attendre", "wait"),
        ("assente fino al 31/12/2026 aspettare", "wait"),
        ("absent wait", "wait"),
    ],
)
def test_the_modes_in_three_languages(written: str, mode: str) -> None:
    command = from_text([written], Limits())
    assert command is not None
    read = days(command.argument)
    assert read is not None
    assert read.mode == mode
    assert read.until in (date(2026, 12, 31), None)


@pytest.mark.parametrize("written", ["absent 2026-12-31 stand-in wait", "absent 2026-12-31 maybe"])
def test_two_modes_or_another_word_are_no_command(written: str) -> None:
    assert from_text([written], Limits()) is None


@pytest.mark.parametrize(
    ("written", "mode"),
    [("stand-in", "stand-in"), ("standing orders", "standing"), ("Remplaçant", "stand-in"), ("attesa", "wait")],
)
def test_the_modes_in_the_form(make_post, written: str, mode: str) -> None:
    post = begun(make_post)
    assert post.write(form(post, "1", f"{{until: 2026-12-31, mode: {written}}}")) == "accepted"
    assert post.rows("absence")[0].facts()["mode"] == mode


def test_a_mode_that_there_is_not_is_named_with_those_there_are(make_post) -> None:
    post = begun(make_post)
    assert post.write(form(post, "1", "{until: 2026-12-31, mode: sleep}")) == "refused"
    assert "where the mode is one of wait, stand-in, standing" in post.text("1")


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("fr", "La décision ouverte attend jusqu’au samedi 21 novembre"),
        ("it", "La decisione aperta aspetta fino a sabato 21"),
    ],
)
def test_in_the_players_language(make_post, lang: str, said: str) -> None:
    post = make_post()
    post.host.speak(lang)
    post.host.start("bagh-chal")
    [seat] = post.host.row().pending
    post.write("absent 2026-11-20", seat=seat)
    assert said in words(post.last(seat))


def test_an_absence_goes_to_json_and_back() -> None:
    said = Absence(True, date(2026, 12, 20), date(2026, 12, 31), "stand-in")
    assert Absence.from_json(said.to_json()) == said
