"""Runs at the same time, odd orders, wrong clocks: nothing is lost, and nothing counts twice."""

from __future__ import annotations

import os
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from engine import load
from pbem import clock, faults, resolving
from pbem.arriving.fetching import collect
from pbem.intake.limits import USUAL
from pbem.ledger import journal, letters, outbox, rebuild
from pbem.ledger.opening import facts_of
from pbem.messages import Clerk, settle, settle_waiting
from pbem.rulings.ruling import resumed
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host
from tests.pbem.host.test_night import killed_at, kinds

HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def disarmed() -> object:
    yield
    faults.arm(None)


def rows(host: Host, kind: str, name: str = "game") -> list[dict[str, object]]:
    with host.ledger.read() as tx:
        return [facts_of(tx, row.facts()) for row in journal.rows(tx, name, kinds=(kind,))]


def once(point: str, act: object) -> None:
    """Act when that point is passed for the first time."""
    waiting = [act]

    def pass_by(passed: str) -> None:
        if passed == point and waiting:
            waiting.pop()()  # type: ignore[operator]

    faults.arm(pass_by)


# --- messages ---------------------------------------------------------------------------------------------------------


def test_a_message_that_two_runs_judge_is_one_submission(host: Host) -> None:  # G4
    host.start("nim", heaps="3,4,5")
    with host.ledger.write() as tx:
        letters.arrive(tx, host.file("1", "b3").encode(), NOON, "drop", "<m@x>")
    with host.ledger.read() as tx:
        [message] = letters.waiting(tx)
    with Clerk(USUAL) as clerk:
        fates = [settle(host.config, host.ledger, message, NOON, clerk).fate for _ in range(2)]
    assert fates == ["accepted", "accepted"]
    assert [mail.kind for mail in host.mails("1")] == ["report", "receipt-1"]
    assert len(rows(host, "submission")) == 1


def test_a_submission_that_a_night_comes_upon_is_answered_once(host: Host) -> None:  # G4
    host.start("nim", heaps="3,4,5")
    runs: list[threading.Thread] = []

    def night_meanwhile() -> None:
        run = threading.Thread(target=lambda: settle_waiting(host.config, host.ledger, NOON))
        runs.append(run)
        run.start()
        run.join(0.5)

    once("message-read", night_meanwhile)
    settled = host.order("1", "b3")
    runs[0].join()
    assert settled.receipt is not None, "whoever submits is shown his receipt"
    assert len(rows(host, "submission")) == 1


def test_a_message_that_trips_a_fault_of_ours_holds_up_no_other(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:  # G13
    host.start("nim", heaps="3,4,5")
    host.start("vault", "broken")
    messages = {"<1@x>": host.file("red", "pass", name="broken"), "<2@x>": host.file("1", "b3")}
    with host.ledger.write() as tx:
        for message_id, text in messages.items():
            letters.arrive(tx, text.encode(), NOON, "drop", message_id)

    def read(*args: object) -> object:
        raise KeyError("a planted fault")

    monkeypatch.setattr(type(load("vault")), "read", read)
    summary = host.night(NOON)
    assert summary.collected == {"accepted": 1, "waiting": 1}
    assert (host.config.folder / "pbem-fault.log").exists()
    monkeypatch.undo()
    assert host.night(NOON + HOUR).collected.get("waiting") is None, "it is judged once the fault is mended"


# --- dropped files ----------------------------------------------------------------------------------------------------


def drop(host: Host, name: str, text: str) -> Path:
    path = host.config.inbox / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("how", ["replaced", "rewritten"])
def test_a_file_that_changes_while_it_is_taken_is_not_lost(host: Host, how: str) -> None:  # G1
    host.start("nim", heaps="3,4,5")
    path = drop(host, "order.yml", host.file("1", "b3"))

    def save_again() -> None:
        if how == "rewritten":
            path.write_text(host.file("1", "a1"))
        else:
            drop(host, "new", host.file("1", "a1")).replace(path)

    once("drops-stored", save_again)
    later = NOON + timedelta(days=3650)
    collect(host.config, host.ledger, later)
    collect(host.config, host.ledger, later)
    with host.ledger.read() as tx:
        assert sum(letters.counts(tx).values()) == 2
    assert [path.name for path in host.config.inbox.iterdir()] == ["taken"]


def test_a_file_that_somebody_takes_back_stops_nothing(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    path = drop(host, "order.yml", host.file("1", "b3"))
    once("drops-stored", path.unlink)
    assert collect(host.config, host.ledger, NOON).counts == {"accepted": 1}


def test_dropped_files_count_in_the_order_they_were_dropped(host: Host) -> None:  # G16
    host.start("nim", heaps="3,4,5")
    drop(host, "b-first.yml", host.file("1", "b3"))
    drop(host, "a-second.yml", host.file("1", "a1"))
    collect(host.config, host.ledger, NOON)
    assert [body["orders"] for body in rows(host, "submission")] == [["b3"], ["a1"]]


def test_a_file_without_an_end_is_taken_even_when_the_clock_was_set_back(host: Host) -> None:  # G17
    path = drop(host, "order.yml", "nonsense")
    ahead = path.stat().st_mtime + 86_400
    os.utime(path, (ahead, ahead))
    assert collect(host.config, host.ledger, NOON).counts == {"quarantined": 1}


def test_what_comes_after_a_night_was_broken_off_is_left_to_the_next(host: Host) -> None:  # G16
    """Else a file dropped after the deadline would be taken as if it had come before the broken night began."""
    host.start("nim", heaps="3,4,5")
    began = clock.system() - HOUR  # files are dated by this machine's own clock
    with host.ledger.write() as tx:
        tx.append("@host", "night_begun", began, {"now": clock.stamp(began)})
    drop(host, "order.yml", host.file("1", "b3"))
    host.night(began + 2 * HOUR)
    [letter] = rows(host, "letter", "@host")
    assert str(letter["arrived"]) > clock.stamp(began)


# --- the clock --------------------------------------------------------------------------------------------------------


def test_a_night_under_a_wrong_clock_leaves_the_later_ones_right(host: Host) -> None:  # G17
    host.start("nim", heaps="3,4,5")
    with host.ledger.write() as tx:  # somebody tried `pbem nightly --now`, or the clock was a year ahead
        ahead = tx.append("@host", "night_begun", NOON + 365 * DAY, {"now": "2027-11-18T12:00:00Z"})
        tx.append("@host", "night_done", NOON + 365 * DAY, {"begun": ahead.seq})
    killed_at("before-night-done", lambda: host.night(NOON))
    host.night(NOON + HOUR)
    assert host.row().turn == 1, "the broken night is finished under its own date, not under that of the wrong clock"


def test_mails_leave_even_when_time_was_ahead_once(host: Host) -> None:  # G17
    host.start("nim", heaps="3,4,5")
    with host.ledger.write() as tx:
        tx.append("game", "look", NOON + 365 * DAY, {"who": "host", "what": "nothing"})
    host.order("1", "b3", at=NOON)
    with host.ledger.read() as tx:
        assert len(outbox.due(tx, NOON)) == 3


# --- attempts ---------------------------------------------------------------------------------------------------------


def test_a_game_that_is_written_to_again_and_again_is_not_halted(host: Host) -> None:
    """An attempt that came too late is no failed one."""
    host.start("nim", heaps="3,4,5")
    left = list(range(5))

    def write_meanwhile(point: str) -> None:
        if point == "before-turns" and left:
            left.pop()
            with host.ledger.write() as tx:
                tx.append("game", "look", DEADLINE, {"who": "host", "what": "nothing"})

    faults.arm(write_meanwhile)
    summary = host.night()
    assert (host.status(), summary.turns) == ("open", 1)


def test_a_resumed_game_stays_so_when_the_projections_are_made_anew(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    with host.ledger.write() as tx:
        for number in (1, 2, 3):
            tx.append("game", "failed", NOON, {"attempt": number, "reason": "a fault"})
        tx.append("game", "halted", NOON, {"attempts": 3, "reason": "a fault"})
        resumed(tx, host.config, "game", NOON, "mended")
    before = host.row()
    rebuild.rebuild(host.ledger)
    assert host.row() == before
    assert host.night().turns == 1


def test_on_arrival_waits_for_the_night_at_work(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:  # G12
    """Two runs at one game would count each other's attempts."""
    from pbem.game import taking
    from pbem.locks import NIGHT, alone

    host.start("nim", heaps="3,4,5", schedule="on-arrival 20:00")
    monkeypatch.setattr(taking, "PATIENCE", 0.1)
    with alone(host.config.place, NIGHT):
        assert host.order("1", "b3").fate == "accepted"
        assert (host.row().turn, host.row().attempts) == (1, 0), "the night at work, or the next one, finds it due"
    assert host.night(NOON).turns == 1


def test_a_night_lets_go_of_games_it_has_written(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    import gc

    monkeypatch.setattr(resolving, "AT_A_TIME", 2)
    for number in range(12):
        host.start("nim", f"game-{number}", heaps="3,4,5")
    most = 0

    def look(point: str) -> None:
        nonlocal most
        if point == "after-turns":
            most = max(most, sum(isinstance(one, resolving.Task) for one in gc.get_objects()))

    faults.arm(look)
    assert host.night().turns == 12
    assert 0 < most < 8


def test_what_a_fault_says_of_hidden_things_stays_out_of_the_journal(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:  # G35
    def resolve(*args: object) -> object:
        raise KeyError("red holds the crown")

    host.start("vault")
    monkeypatch.setattr(type(load("vault")), "resolve", resolve)
    summary = host.night()
    assert "KeyError" in summary.failed["game"]
    assert "crown" not in str(summary.to_json())
    assert "crown" not in str(rows(host, "failed"))


# --- where orders came from -------------------------------------------------------------------------------------------


def test_a_move_names_the_submission_it_came_by(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    host.order("1", "b3")
    words = host.file("1").replace("orders:\n", "").replace("end: orders", "say:\n  all: Hello\nend: orders")
    assert host.submit(words).fate == "accepted"
    host.night()
    with host.ledger.read() as tx:
        [given, _] = [row.seq for row in journal.rows(tx, "game", kinds=("submission",))]
        row = journal.turn(tx, "game", 1)
    assert row is not None
    assert row.facts()["moves"]["1"]["submission"] == given


def test_a_move_at_once_names_its_submission(host: Host) -> None:
    host.start("vault")
    host.order("red", "resign")
    with host.ledger.read() as tx:
        [given] = [row.seq for row in journal.rows(tx, "game", kinds=("submission",))]
    [body] = rows(host, "at_once")
    assert body["moves"]["red"]["submission"] == given  # type: ignore[index]
    assert kinds(host).count("at_once") == 1


def test_a_move_at_once_that_comes_twice_is_made_once(host: Host) -> None:
    host.start("vault")
    host.order("red", "resign", "resign")
    assert kinds(host).count("at_once") == 1


def test_a_game_whose_options_the_rules_no_longer_know_stops_only_itself(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:  # G13
    from engine import BadOption

    def refuse(*args: object, **choices: object) -> object:
        raise BadOption("rounds", "3", "it is gone")

    host.start("nim", "sound", heaps="3,4,5")
    host.start("vault", "old")
    monkeypatch.setattr(type(load("vault")), "Options", refuse)
    summary = host.night()
    assert summary.turns == 1
    assert list(summary.failed) == ["old"]


def test_nobody_loses_a_turn_because_a_broken_night_was_finished_days_later(host: Host) -> None:  # G18
    host.start("nim", heaps="3,4,5")
    killed_at("attempt-counted", lambda: host.night(DEADLINE))
    host.night(DEADLINE + 3 * DAY)
    row = host.row()
    assert row.turn == 2, "the report leaves only now, so its turn cannot be due yet"
    assert row.deadline_at == DEADLINE + 4 * DAY
