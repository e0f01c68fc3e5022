"""Reminders: before a deadline, at the time that each player wishes; one mail for all his games, and never twice."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from pbem import nightly
from pbem.agreed.consenting import agreed
from pbem.brakes import trips
from pbem.brakes.trips import Trip
from pbem.deadlines import reminding
from pbem.game.hosting import game_named
from pbem.ledger import Ledger, games, journal, outbox, players
from pbem.ledger.chain import HOST
from pbem.mailparts import Parts, parts
from pbem.rulings.ruling import paused
from tests.pbem.correspondence.conftest import Post, make_post, post
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, make_host
from tests.pbem.host.test_night import killed_at

__all__ = ["make_host", "make_post", "post"]

HOUR = timedelta(hours=1)


def wish(host: Host, seat: str, hours: int, at=NOON) -> None:
    with host.ledger.write() as tx:
        player = players.by_name(tx, f"player-{seat}")
        assert player is not None
        reminding.wish(tx, host.config, player, hours, at)


def remind(host: Host, at) -> int:
    return reminding.remind(host.config, host.ledger, at)


def reminders(ledger: Ledger) -> list[Parts]:
    with ledger.read() as tx:
        mails = [row.facts() for row in journal.rows(tx, HOST, kinds=("mail",))]
        raws = [outbox.raw(tx, facts["message_id"]) for facts in mails if facts["kind"] == reminding.REMINDER]
    return [parts(raw) for raw in raws]


def words(found: Parts) -> str:
    return " ".join(found.text.split())


def test_a_player_is_told_in_time_and_once(host: Host) -> None:
    wish(host, "1", 2)
    host.start("nim", heaps="3,4,5")
    assert remind(host, DEADLINE - 3 * HOUR) == 0
    assert remind(host, DEADLINE - 2 * HOUR) == 1
    for minutes in range(0, 120, 10):
        assert remind(host, DEADLINE - 2 * HOUR + timedelta(minutes=minutes)) == 0
    [told] = reminders(host.ledger)
    assert "game, seat 1, decision 1: until Wednesday 18 November 2026, 20:00 (UTC" in words(told)
    assert "You are reminded 2 h ahead" in words(told)


def test_the_night_reminds_too(host: Host) -> None:
    wish(host, "1", 2)
    host.start("nim", heaps="3,4,5")
    assert host.night(DEADLINE - 2 * HOUR).reminded == 1
    assert host.night(DEADLINE - HOUR).reminded == 0
    assert len(reminders(host.ledger)) == 1


def reminded_of_the_third(host: Host) -> None:
    """A game whose third decision waits for seat 1, an hour before its deadline."""
    wish(host, "1", 2)
    host.start("nim", heaps="3,4,5")
    host.order("1", "a1")
    host.night(DEADLINE)
    host.order("2", "b1")
    host.night(DEADLINE + DAY)
    assert remind(host, DEADLINE + 2 * DAY - HOUR) == 1


def take_back(host: Host, turn: int, at: datetime) -> None:
    for seat in ("1", "2"):
        with host.ledger.write() as tx:
            agreed(tx, host.config, game_named(tx, "game"), seat, "take-back", turn, at, {})


def test_a_decision_that_is_open_again_is_reminded_of_again(host: Host) -> None:
    """Found by a season: two reminders under one Message-ID would have stopped every night after a take-back."""
    reminded_of_the_third(host)
    host.order("1", "c1", at=DEADLINE + 2 * DAY - HOUR)
    host.night(DEADLINE + 2 * DAY)
    take_back(host, 3, DEADLINE + 2 * DAY)
    assert host.row().turn == 3
    assert remind(host, DEADLINE + 3 * DAY - HOUR) == 1
    assert len(reminders(host.ledger)) == 2


def test_who_was_reminded_of_what_is_taken_back_is_reminded_of_what_is_open_again(host: Host) -> None:
    reminded_of_the_third(host)
    take_back(host, 1, DEADLINE + 2 * DAY - HOUR)
    assert (host.row().turn, host.row().deadline_at) == (1, DEADLINE + 3 * DAY)
    assert remind(host, DEADLINE + 3 * DAY - HOUR) == 1


def test_nobody_is_reminded_of_a_deadline_that_is_past(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of a game that a brake holds: his orders may lie where they could not be fetched, and others would be late.
    Once it is moved he is reminded of the new one."""
    wish(host, "1", 2)
    host.start("nim", heaps="3,4,5")
    host.night(DEADLINE - 3 * HOUR)
    with monkeypatch.context() as held:
        held.setattr(trips, "of_rules", lambda tx, due: iter([Trip("rules/game", "they are gone", "game")] * bool(due)))
        summary = host.night(DEADLINE + 2 * HOUR)
        assert (len(summary.held), summary.reminded) == (1, 0)
    assert host.night(DEADLINE + 3 * HOUR).moved == ["game"]
    assert host.row().deadline_at == DEADLINE + DAY
    assert [host.night(DEADLINE + DAY - hours * HOUR).reminded for hours in (3, 2, 1)] == [0, 1, 0]


def test_who_does_not_wish_it_is_not_reminded(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    assert remind(host, DEADLINE - HOUR) == 0
    assert host.row().remind_at is None


@pytest.mark.parametrize("reason", ["answered", "nothing", "not asked", "one move", "away", "resigned", "paused"])
def test_who_has_nothing_to_do_is_not_reminded(post: Post, reason: str) -> None:
    host = post.host
    wish(host, "1", 4)
    wish(host, "2", 4)
    seat = "1"
    if reason == "one move":
        host.start("nim", "forced", heaps="1")
        host.order("1", "a1")
        assert remind(host, DEADLINE - HOUR) == 0
        return
    if reason == "answered":
        host.order("1", "a1")
    elif reason == "nothing":
        host.submit(host.file("1", "x").replace("orders:\n  - x", "orders: []"))
    elif reason == "not asked":
        host.order("1", "a1")
        seat = "2"
    elif reason == "away":
        post.write("absent 2026-12-01 standing")
    elif reason == "resigned":
        post.write("resign game")
    elif reason == "paused":
        with host.ledger.write() as tx:
            paused(tx, host.config, "game", NOON, "a storm")
    assert remind(host, DEADLINE - HOUR) == 0, seat


def test_a_draft_is_spoken_of(host: Host) -> None:
    wish(host, "1", 2)
    host.start("nim", heaps="3,4,5")
    host.submit(host.file("1", "b2").replace("orders:", "draft: true\norders:"))
    assert remind(host, DEADLINE - HOUR) == 1
    assert "A draft of yours is here" in words(reminders(host.ledger)[0])


def test_one_mail_for_all_games_of_a_player(host: Host) -> None:
    wish(host, "1", 2)
    for number, at in enumerate(("20:00", "21:30", "23:00")):
        host.start("nim", f"game-{number}", schedule=f"nightly {at}", heaps="3,4,5")
    host.start("nim", "far", schedule="nightly 20:00 think=48h", heaps="3,4,5")
    assert remind(host, DEADLINE - 2 * HOUR) == 1
    [told] = reminders(host.ledger)
    assert [f"game-{number}, seat 1" in words(told) for number in range(3)] == [True, True, True]
    assert "far" not in words(told)
    assert remind(host, DEADLINE) == 0, "all that was soon due was told already"


def test_each_player_has_a_mail_and_a_time_of_his_own(host: Host) -> None:
    for seat, hours in (("red", 5), ("green", 2), ("blue", 0)):
        wish(host, seat, hours)
    host.start("vault")
    assert [remind(host, DEADLINE - hours * HOUR) for hours in (6, 5, 4, 3, 2, 1)] == [0, 0, 1, 0, 1, 0]
    told = [words(mail) for mail in reminders(host.ledger)]
    assert ["seat red" in told[0], "seat green" in told[1], len(told)] == [True, True, 2]


def test_the_letter_that_asks_is_reminder_enough_for_half_the_time(host: Host) -> None:
    wish(host, "1", 48)
    host.start("nim", heaps="3,4,5")
    assert remind(host, NOON + HOUR) == 0
    assert remind(host, NOON + 4 * HOUR) == 1, "half of the eight hours"


def test_the_next_decision_is_another_one(host: Host) -> None:
    wish(host, "1", 2)
    wish(host, "2", 2)
    host.start("nim", heaps="13,14,15")
    for day in range(4):
        assert remind(host, DEADLINE + day * DAY - 2 * HOUR) == 1
        host.night(DEADLINE + day * DAY)


def test_a_wish_holds_for_what_is_open(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    wish(host, "1", 2)
    assert remind(host, DEADLINE - HOUR) == 1
    wish(host, "1", 0)
    host.night(DEADLINE)
    host.order("2", "c1", at=DEADLINE + HOUR)
    host.night(DEADLINE + DAY)
    assert remind(host, DEADLINE + 2 * DAY - HOUR) == 0


def test_a_deadline_that_moved_is_reminded_of_when_it_comes(post: Post) -> None:
    wish(post.host, "1", 2)
    post.write("absent 2026-11-19")
    assert remind(post.host, DEADLINE - HOUR) == 0
    due = post.host.row().deadline_at
    assert due is not None
    assert due > DEADLINE
    assert remind(post.host, due - HOUR) == 1


@pytest.mark.parametrize("point", ["reminded", "attempt-counted", "mails-written"])
def test_a_killed_run_reminds_the_others_and_nobody_twice(host: Host, point: str) -> None:
    for seat in ("red", "green", "blue"):
        wish(host, seat, 2)
    host.start("vault", "bids")
    host.start("nim", "early", schedule="nightly 19:00", heaps="3,4,5")
    killed_at(point, lambda: host.night(DEADLINE - HOUR))
    host.night(DEADLINE - HOUR + timedelta(minutes=5))
    told = reminders(host.ledger)
    assert len(told) == 3
    with host.ledger.read() as tx:
        assert outbox.waiting(tx) == 0


def test_no_game_is_looked_at_in_which_nobody_is_due(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    wish(host, "1", 2)
    host.start("nim", "near", heaps="3,4,5")
    for number in range(5):
        host.start("nim", f"idle-{number}", schedule="nightly 20:00 think=72h", heaps="3,4,5")
    looked: list[str] = []
    known = games.get
    monkeypatch.setattr(reminding.games, "get", lambda tx, name: (looked.append(name), known(tx, name))[1])
    remind(host, DEADLINE - HOUR)
    assert looked == ["near"]
    remind(host, DEADLINE - HOUR)
    assert looked == ["near"], "nor again"


@pytest.mark.parametrize(
    ("said", "hours"), [("remind 24h", 24), ("rappel 2 jours", 48), ("promemoria 6 ore", 6), ("remind off", 0)]
)
def test_asked_for_by_mail(post: Post, said: str, hours: int) -> None:
    assert post.write(said) == "accepted"
    with post.host.ledger.read() as tx:
        player = players.by_name(tx, "player-1")
    assert player is not None
    assert player.remind == hours
    assert ("h before a deadline" in post.text()) == bool(hours)


def test_weakened_without_the_row_everybody_is_reminded_again(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """What keeps a reminder from being sent twice is the row beside it."""
    wish(host, "1", 2)
    host.start("nim", heaps="3,4,5")
    monkeypatch.setattr(reminding, "_note", lambda *_, **__: None)
    monkeypatch.setattr(reminding, "host_id", lambda tx, config, *what: f"<{tx.end('game').seq}-{tx.end(HOST).seq}@x>")
    assert [remind(host, DEADLINE - HOUR) for _ in range(2)] == [1, 1]


def test_a_night_that_has_only_reminders_is_a_night(host: Host) -> None:
    wish(host, "1", 2)
    host.start("nim", heaps="3,4,5")
    host.night(NOON)
    with host.ledger.read() as tx:
        before = len(list(journal.rows(tx, HOST, kinds=("night_begun",))))
    host.night(NOON + HOUR)
    assert nightly._begin(host.config, host.ledger, DEADLINE - 2 * HOUR) is not None
    with host.ledger.read() as tx:
        assert len(list(journal.rows(tx, HOST, kinds=("night_begun",)))) == before + 1
