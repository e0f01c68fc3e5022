"""Rulings: each is a row of the journal with its reason, a notice to all at once, and a line of the next report."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from pbem.attending.attendance import Attendance
from pbem.clock import stamp
from pbem.errors import Trouble
from pbem.game.hosting import NewGame, new_game
from pbem.ledger import queues
from pbem.ledger.rebuild import rebuild
from pbem.rulings import ruling
from tests.pbem.correspondence.conftest import NOON, Post, words
from tests.pbem.host.conftest import DAY, DEADLINE, secret
from tests.pbem.host.seating import some_order

HOUR = timedelta(hours=1)


def rule(post: Post, do, *args, **more):
    with post.host.ledger.write() as tx:
        return do(tx, post.host.config, "game", *args, **more)


def both(post: Post) -> tuple[str, str]:
    return post.text("1"), post.text("2")


def test_a_deadline_is_moved_and_all_are_told_twice(post: Post) -> None:
    assert rule(post, ruling.extended, NOON, "a storm", until=DEADLINE + DAY) == "2026-11-19T20:00:00Z"
    assert post.host.row().deadline_at == DEADLINE + DAY
    for text in both(post):
        assert "The deadline has been moved" in text
        assert "The referee has moved the deadline to Thursday 19 November 2026" in text
        assert "a storm" in text
    assert post.host.night().turns == 0, "the old deadline is none any more"
    assert post.host.night(DEADLINE + DAY).turns == 1
    assert all("The referee has moved the deadline to" in text for text in both(post))
    [row] = post.rows("ruling")
    assert (row.facts()["act"], row.facts()["reason"]) == ("extend", "a storm")


@pytest.mark.parametrize("until", [DEADLINE, DEADLINE - HOUR])
def test_an_announced_deadline_is_never_made_earlier(post: Post, until) -> None:
    with pytest.raises(Trouble, match="name a later one"):
        rule(post, ruling.extended, NOON, "haste", until=until)
    assert post.host.row().deadline_at == DEADLINE


def test_a_pause_costs_nobody_the_time_that_was_announced(post: Post) -> None:
    post.write("absent 2026-11-25 wait", seat="1", at=NOON)
    waits = post.host.row().deadline_at
    assert waits is not None
    assert waits > DEADLINE + DAY
    rule(post, ruling.paused, NOON + HOUR, "somebody is ill")
    assert rule(post, ruling.resumed, NOON + 2 * HOUR, "he is well again") == stamp(waits)
    assert post.host.row().deadline_at == waits
    rule(post, ruling.paused, NOON + 3 * HOUR, "he is ill again")
    later = rule(post, ruling.resumed, waits + HOUR, "he is well again")
    assert later == stamp(waits + DAY), "the schedule's, where the other has passed"


def test_a_run_that_waits_for_nobody_does_not_wait_for_the_new_deadline(post: Post) -> None:
    post.host.start("nim", "quick", schedule="all-in 20:00", heaps="3,4,5")
    post.host.order("1", "a1", name="quick")
    with post.host.ledger.write() as tx:
        ruling.extended(tx, post.host.config, "quick", NOON, "a storm", by=DAY)
    assert post.host.night(NOON + HOUR).turns == 1


def test_void_strikes_what_stands_and_says_what_stands_instead(post: Post) -> None:
    post.host.order("1", "b3")
    rule(post, ruling.voided, "1", NOON, "sent by a friend")
    with post.host.ledger.read() as tx:
        assert queues.of_game(tx, "game")["1"].body is None
    assert "declared orders of seat 1 (player-1) void: sent by a friend" in post.text("1")
    assert "If you send nothing" in post.text("1")
    assert "ORDER FORM" in post.text("1")
    assert "declared orders of seat 1 (player-1) void" in post.text("2")
    assert "b3" not in post.text("2").split()
    post.host.night()
    [turn] = [row for row in post.rows("turn") if row.turn == 1]
    assert turn.facts()["moves"]["1"]["how"] == "default"


def test_void_waits_again_for_the_seat(post: Post) -> None:
    post.host.start("nim", "quick", schedule="all-in 20:00", heaps="3,4,5")
    post.host.order("1", "a1", name="quick")
    with post.host.ledger.write() as tx:
        ruling.voided(tx, post.host.config, "quick", "1", NOON, "a slip")
    assert post.host.night(NOON + HOUR).turns == 0


def test_void_after_the_deadline_gives_a_new_one(post: Post) -> None:
    """In a game that was held meanwhile. Seen red by the season of seed 21803: a player who had answered in time was
    on record as silent."""
    post.host.order("1", "b3")
    rule(post, ruling.voided, "1", DEADLINE + HOUR, "sent by a friend")
    assert post.host.row().deadline_at == DEADLINE + DAY
    for text in both(post):
        assert "declared orders of seat 1 (player-1) void" in text
        assert "The referee has moved the deadline to Thursday 19 November 2026" in text
    assert post.host.night(DEADLINE + 2 * HOUR).turns == 0
    post.host.order("1", "a1", at=DEADLINE + 3 * HOUR)
    assert post.host.night(DEADLINE + DAY).turns == 1
    assert Attendance.from_json(post.host.row().attendance).of("1").on_time == 1


@pytest.mark.parametrize("at", [NOON, DEADLINE + HOUR])
def test_void_waits_for_who_is_away(post: Post, at: datetime) -> None:
    """While his orders stood there was nothing to wait for."""
    post.host.order("1", "b3")
    post.write("absent 2026-11-18 2026-11-25", seat="1")
    assert post.host.row().deadline_at == DEADLINE
    rule(post, ruling.voided, "1", at, "sent by a friend")
    assert post.host.row().deadline_at == DEADLINE + 8 * DAY, "the first deadline after the last day away"
    for text in both(post):
        assert "The referee has moved the deadline to Thursday 26 November 2026" in text
    assert Attendance.from_json(post.host.row().attendance).of("1").used == {NOON: 192}.get(at, 168)


def test_void_does_not_put_off_what_is_due_anyway(post: Post) -> None:
    """A program is asked by the next run, whatever becomes of the orders of others."""
    host = post.host
    with host.ledger.write() as tx:
        seats = {"red": "player-red", "green": "player-green", "blue": "bot: greedy"}
        new_game(tx, host.config, NewGame(rules="vault", name="bids", seats=seats, secret=secret("chain bids")), NOON)
    assert host.order("red", some_order(host, "bids", "red"), name="bids").fate == "accepted"
    with host.ledger.write() as tx:
        ruling.voided(tx, host.config, "bids", "red", NOON + HOUR, "a slip")
    assert host.row("bids").due_at == NOON + HOUR


@pytest.mark.parametrize(("seat", "says"), [("1", "Nothing stands"), ("7", "has no seat '7'")])
def test_void_of_nothing(post: Post, seat: str, says: str) -> None:
    with pytest.raises(Trouble, match=says):
        rule(post, ruling.voided, seat, NOON, "a slip")


def held_for_an_hour(post: Post) -> None:
    rule(post, ruling.paused, NOON, "a storm")
    rule(post, ruling.resumed, NOON + HOUR, "it is over")


@pytest.mark.parametrize("by", ["extension", "schedule", "absence"])
def test_a_pause_makes_no_deadline_earlier_that_was_announced(post: Post, by: str) -> None:
    """G17. Where the game had waited for a player who is away, he would have lost his turn."""
    if by == "extension":
        rule(post, ruling.extended, NOON, "a storm", by=9 * DAY)
    elif by == "schedule":
        rule(post, ruling.rescheduled, "16:00 think=2h", NOON, "haste")
    else:
        assert post.write("absent 2026-11-30", seat="1") == "accepted"
    before = post.host.row().deadline_at
    held_for_an_hour(post)
    assert post.host.row().deadline_at == before


def test_a_game_that_goes_on_waits_for_who_is_away_by_then(post: Post) -> None:
    post.write("absent 2026-11-20 2026-11-22", seat="1")
    rule(post, ruling.paused, NOON, "a storm")
    rule(post, ruling.resumed, NOON + 3 * DAY, "it is over")
    assert post.host.row().deadline_at == DEADLINE + 5 * DAY, "the first deadline after the last day away"
    assert "Deadline: Monday 23 November 2026, 20:00" in post.text("1")
    assert Attendance.from_json(post.host.row().attendance).of("1").used == 48


@pytest.mark.parametrize("status", ["over", "answered"])
def test_what_waits_for_nobody_is_resolved_as_soon_as_the_game_goes_on(post: Post, status: str) -> None:
    post.host.start("nim", "quick", schedule="all-in 20:00", heaps="3,4,5")
    post.host.order("1", "a1", name="quick")
    if status == "over":
        for seat in "12":
            post.write("draw", seat=seat, name="quick")
    with post.host.ledger.write() as tx:
        ruling.paused(tx, post.host.config, "quick", NOON, "a storm")
        ruling.resumed(tx, post.host.config, "quick", NOON, "it is over")
    post.host.night(NOON + HOUR)
    assert (post.host.row("quick").turn, post.host.status("quick")) == {"over": (1, "over"), "answered": (2, "open")}[
        status
    ]


def test_a_halted_game_whose_rules_do_not_get_through_can_be_resumed(post: Post, monkeypatch) -> None:
    from pbem.rulings import resuming

    def raises(*given: object) -> None:
        raise LookupError("the state means nothing")

    monkeypatch.setattr(resuming, "standing_of", raises)
    held_for_an_hour(post)
    assert (post.host.status(), post.host.row().deadline_at, post.host.row().due_at) == ("open", DEADLINE, DEADLINE)


def test_the_schedule_changes_from_the_next_decision_on(post: Post) -> None:
    rule(post, ruling.rescheduled, "think=72h", NOON, "holidays")
    assert post.host.row().deadline_at == DEADLINE, "what was announced stays"
    assert all("The referee has changed the schedule" in text and "think=72h" in text for text in both(post))
    post.host.night()
    assert post.host.row().deadline_at == DEADLINE + 3 * DAY
    assert all("The referee has changed the schedule" in text for text in both(post))


def test_silence_is_ruled_about(post: Post) -> None:
    rule(post, ruling.silence_ruled, "stand-in drop=3", NOON, "to get on")
    assert str(Attendance.from_json(post.host.row().attendance).policy) == "stand-in drop=3"
    assert all("what silence means" in text and "stand-in drop=3" in text for text in both(post))
    post.host.night()
    [turn] = [row for row in post.rows("turn") if row.turn == 1]
    assert turn.facts()["moves"]["1"]["how"] == "stand-in"


def test_a_word_of_the_referee(post: Post) -> None:
    rule(post, ruling.ruled, NOON, "Heaps are counted from the left.")
    for text in both(post):
        assert "The referee has ruled. - The referee has ruled: Heaps are counted from the left." in text
    post.host.night()
    assert all("The referee has ruled: Heaps are counted from the left." in text for text in both(post))


@pytest.mark.parametrize(
    "words_", ["dispute: seat 2 looked at my cards", "CONTESTER : seat 2 looked", "Ricorso\nseat 2 looked"]
)
def test_a_dispute_is_raised_by_mail_and_settled_by_a_ruling(post: Post, words_: str) -> None:
    before = post.count("2")
    assert post.write(words_) == "accepted"
    assert "Your appeal is dispute 1." in post.text("1")
    assert "seat 2 looked" in post.text("1")
    assert post.count("2") == before, "the others read of it in their report"
    [row] = post.rows("dispute")
    assert row.seat == "1"
    assert row.facts()["text"].startswith("seat 2 looked")
    post.host.night()
    for text in both(post):
        assert "Seat 1 (player-1) has appealed to the referee (dispute 1)." in text
    assert "looked" not in post.text("2")
    rule(post, ruling.ruled, DEADLINE + HOUR, "Nobody has cards.", 1)
    for text in both(post):
        assert "The referee has ruled on dispute 1, raised by seat 1 (player-1): Nobody has cards." in text
    with pytest.raises(Trouble, match="those that do: none"):
        rule(post, ruling.ruled, DEADLINE + HOUR, "Once more.", 1)


def test_an_appeal_takes_the_key(post: Post) -> None:
    assert post.write("dispute: I am another", to=post.tagged("1", key="00000000")) == "quarantined"
    assert post.rows("dispute") == []


def test_the_referee_is_told_where_the_host_says_who_he_is(post: Post) -> None:
    from dataclasses import replace

    post.host.config = replace(post.host.config, referee="judge@example.org")
    post.write("dispute: look at turn 1")
    [mail] = post.sent("judge@example.org", "@host")
    assert mail["Subject"] == "[pbem] game: dispute 1"
    assert 'pbem referee rule game "..." --dispute 1' in words(mail)


def test_a_sentence_that_begins_like_it_is_no_appeal(post: Post) -> None:
    assert post.write("dispute over nothing, as ever") == "refused"
    assert post.rows("dispute") == []


def test_rulings_stand_after_a_rebuild(post: Post) -> None:
    from pbem.ledger.dump import canonical_dump

    post.host.order("1", "b3")
    rule(post, ruling.extended, NOON, "a storm", by=DAY)
    rule(post, ruling.voided, "1", NOON, "a slip")
    rule(post, ruling.rescheduled, "think=48h", NOON, "holidays")
    rule(post, ruling.silence_ruled, "drop=2", NOON, "to get on")
    post.write("dispute: why?")
    before = canonical_dump(post.host.ledger)
    rebuild(post.host.ledger)
    assert canonical_dump(post.host.ledger) == before


def test_a_game_that_is_over_is_ruled_about_in_words_only(post: Post) -> None:
    post.host.start("nim", "short", heaps="1")
    post.host.night()
    with post.host.ledger.write() as tx:
        for do, what in ((ruling.rescheduled, "think=9h"), (ruling.silence_ruled, "drop=2"), (ruling.voided, "1")):
            with pytest.raises(Trouble, match="over"):
                do(tx, post.host.config, "short", what, DEADLINE, "why not")
        ruling.ruled(tx, post.host.config, "short", DEADLINE, "It was a fair game.")
