"""The night: due games are resolved once, silence is the default, one broken game stops only itself (G10 to G18)."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from engine import load
from engine.canon import Canonical
from pbem import faults
from pbem.config import load as load_config
from pbem.errors import BUSY, Busy
from pbem.game.hosting import sheet_of, standing_of, store
from pbem.game.turning import play
from pbem.ledger import Ledger, journal, letters
from pbem.ledger.dump import canonical_dump
from pbem.locks import NIGHT, alone
from pbem.nightly import night
from tests.faults.figures import counted, so_many, told
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host


def kinds(host: Host, name: str = "game") -> list[str]:
    with host.ledger.read() as tx:
        return [row.kind for row in journal.rows(tx, name)]


def test_a_night_resolves_what_is_due_and_only_that(host: Host) -> None:
    host.start("nim", "due")
    host.start("nim", "later", schedule="nightly 23:00")
    summary = host.night()
    assert (summary.resolved, summary.turns) == (1, 1)
    assert (host.row("due").turn, host.row("later").turn) == (2, 1)


def test_silence_takes_the_default_move(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    rules = load("nim")
    expected = str(rules.default(rules.restore(host.row().state), "1"))
    host.night()
    report = host.mails("2")[-1]
    assert expected in report.text
    assert "no orders came" in report.text


@pytest.mark.parametrize("changed", [False, True])
def test_rows_that_do_not_come_to_the_head_that_mails_name_are_not_written(host: Host, changed: bool) -> None:
    host.start("nim")
    with host.ledger.read() as tx:
        row = host.row()
        sheet, standing = sheet_of(tx, host.config, row), standing_of(tx, row)
    played = play(sheet, standing, DEADLINE)
    assert played is not None
    if changed:
        [first, *rest] = played.rows
        played = replace(
            played, rows=(first._replace(body=Canonical(first.body.replace(b"default", b"standing"))), *rest)
        )
    before = canonical_dump(host.ledger)
    refused = pytest.raises(AssertionError, match="did not come out") if changed else nullcontext()
    with refused, host.ledger.write() as tx:
        store(tx, sheet, played, DEADLINE)
    assert (canonical_dump(host.ledger) == before) is changed


def test_nothing_to_do_writes_nothing(host: Host) -> None:
    host.start("nim")
    host.night(NOON)  # the first reports leave
    before = canonical_dump(host.ledger)
    host.night(NOON + timedelta(minutes=5))
    assert canonical_dump(host.ledger) == before


@pytest.mark.parametrize(
    ("schedule", "at_once", "at_next_run"),
    [("nightly 20:00", False, False), ("all-in 20:00", False, True), ("on-arrival 20:00", True, True)],
)
def test_the_three_schedules(host: Host, schedule: str, at_once: bool, at_next_run: bool) -> None:
    host.start("nim", schedule=schedule, heaps="3,4,5")
    host.order("1", "b3")
    assert (host.row().turn == 2) is at_once
    host.night(NOON + timedelta(hours=1))
    assert (host.row().turn == 2) is at_next_run
    host.night()
    assert host.row().turn >= 2


def test_orders_sent_ahead_are_used_in_one_night(host: Host) -> None:
    host.start("nim", schedule="all-in 20:00", heaps="3,4,5")
    host.order("1", "b3", "a1")
    host.order("2", "c5", "b1")
    summary = host.night(NOON + timedelta(minutes=1))
    assert summary.turns == 4


def test_missed_nights_are_caught_up_once(host: Host) -> None:  # G18
    host.start("nim", heaps="3,4,5")
    host.order("1", "a1")
    summary = host.night(DEADLINE + 3 * DAY)
    assert summary.turns == 1, "what everybody had answered is resolved as it fell due"
    deadline = host.row().deadline_at
    assert deadline is not None
    assert deadline > DEADLINE + 3 * DAY
    again = host.night(DEADLINE + 3 * DAY + timedelta(minutes=5)).turns
    assert again == 0
    counted(summary.turns, "turns made up for in the order they fell due")
    counted(again, "of them resolved twice")


def test_a_game_is_played_to_its_end_and_its_seed_is_revealed(host: Host) -> None:
    host.start("vault")
    for day in range(30):
        host.night(DEADLINE + day * DAY)
    assert host.status() == "over"
    assert kinds(host).count("over") == kinds(host).count("revealed") == 1
    for seat in ("red", "green", "blue"):
        last = [mail for mail in host.mails(seat) if mail.kind == "report"][-1]
        assert "end: orders" not in last.text, "there is nothing more to order"


def test_another_night_at_work_is_left_alone(host: Host) -> None:  # G12
    host.start("nim")
    with alone(host.config.place, NIGHT), pytest.raises(Busy) as busy:
        host.night()
    assert busy.value.exit_code == BUSY
    assert host.night().turns == 1, "a lock that was let go of does not block the next run"


def test_many_nights_at_once_resolve_each_turn_once(host: Host) -> None:  # G12
    for number in range(6):
        host.start("nim", f"game-{number}", heaps="3,4,5")
    folder = host.config.folder
    host.ledger.close()
    context = multiprocessing.get_context("fork")
    with context.Pool(6) as pool:
        results = pool.map(race, [folder] * 6)
    ledger = Ledger.open(folder / "ledger.db")
    host.ledger = ledger
    assert sum(turns for turns in results if turns is not None) == 6
    assert all(row.turn == 2 for row in host.all_games)


def race(folder: Path) -> int | None:
    config = load_config(folder / "pbem.toml")
    ledger = Ledger.open(config.ledger)
    try:
        return night(config, ledger, DEADLINE, jobs=1).turns
    except Busy:
        return None
    finally:
        ledger.close()


class Broken(Exception):
    pass


def breaks(how: str) -> Callable[..., Any]:
    def resolve(self: object, *args: object) -> object:
        if how == "raise":
            raise Broken("a planted fault")
        if how == "loop":
            while True:
                pass
        if how == "memory":
            return bytearray(1 << 40)
        import ctypes

        return ctypes.string_at(0)

    return resolve


SOUND = so_many(5, 49)


@pytest.mark.parametrize("how", ["raise", "loop", "memory", "segfault"])
def test_one_broken_game_stops_only_itself(host: Host, monkeypatch: pytest.MonkeyPatch, how: str) -> None:  # G13
    from dataclasses import replace

    host.config = replace(host.config, seconds=1 if how == "loop" else 10)  # only the loop must run out of it
    for number in range(SOUND):
        host.start("nim", f"sound-{number}", heaps="3,4,5")
    host.start("vault", "broken")
    monkeypatch.setattr(type(load("vault")), "resolve", breaks(how))
    summaries = [host.night(DEADLINE + timedelta(minutes=5 * number)) for number in range(4)]
    assert summaries[0].turns == SOUND
    assert [list(summary.failed) for summary in summaries] == [["broken"]] * 3 + [[]]
    assert [summary.halted for summary in summaries] == [[], [], ["broken"], []], "the host is told once"
    assert host.status("broken") == "halted"
    resolved = sum(host.row(f"sound-{number}").turn == 2 for number in range(SOUND))
    assert resolved == SOUND
    tries = sum("broken" in summary.failed for summary in summaries)
    told(f"{how}: {resolved} of {SOUND + 1} resolved, the broken one halted after {tries} tries")


def test_a_game_that_kills_its_runs_is_halted_untried(host: Host) -> None:  # G13: the attempt is counted before
    host.start("nim")

    def die(point: str) -> None:
        if point == "attempt-counted":
            raise KeyboardInterrupt

    faults.arm(die)
    try:
        for number in range(3):
            with pytest.raises(KeyboardInterrupt):
                host.night(DEADLINE + timedelta(minutes=number))
    finally:
        faults.arm(None)
    summary = host.night(DEADLINE + timedelta(hours=1))
    assert host.status() == "halted"
    assert summary.turns == 0


@pytest.mark.parametrize("point", ["attempt-counted", "before-turns"])
def test_a_machine_that_dies_is_held_against_no_game(host: Host, point: str) -> None:  # G13
    for number in range(4):
        host.start("nim", f"sound-{number}")
    for number in range(5):
        killed_at(point, lambda number=number: host.night(DEADLINE + timedelta(minutes=number)))  # type: ignore[misc]
    summary = host.night(DEADLINE + timedelta(hours=1))
    assert (summary.turns, summary.halted) == (4, [])


def test_a_halted_game_goes_on_when_the_referee_says_so(host: Host) -> None:
    from pbem.rulings.ruling import paused, resumed

    host.start("nim")
    with host.ledger.write() as tx:
        paused(tx, host.config, "game", NOON, "somebody is ill")
    assert host.night().turns == 0
    with host.ledger.write() as tx:
        resumed(tx, host.config, "game", DEADLINE, "he is well again")
    assert host.night(DEADLINE + DAY).turns == 1


POINTS = ("message-read", "message-settled", "attempt-counted", "before-turns", "after-turns", "mails-written",
          "mails-noted", "before-night-done")  # fmt: skip


def killed_at(point: str, run: Callable[[], object]) -> None:
    """Run until that point, and no further."""

    def die(passed: str) -> None:
        if passed == point:
            raise KeyboardInterrupt(point)

    faults.arm(die)
    try:
        with pytest.raises(KeyboardInterrupt, match=point):
            run()
    finally:
        faults.arm(None)


def prepared(host: Host) -> Host:
    """Two games that are due, and a message that waits to be judged."""
    host.start("nim", heaps="3,4,5")
    host.start("vault", "second")
    host.night(NOON)
    with host.ledger.write() as tx:
        letters.arrive(tx, host.file("1", "b3").encode(), NOON, "mail", "<m@x>")
    return host


@pytest.mark.parametrize("point", POINTS)
def test_a_night_killed_anywhere_comes_to_the_same(make_host: Callable[..., Host], point: str) -> None:  # G10
    """Finished by a later run, under the first one's date: the ledger is the same to the byte."""
    plain, killed = prepared(make_host("plain")), prepared(make_host("killed"))
    plain.night(DEADLINE)
    killed_at(point, lambda: killed.night(DEADLINE))
    killed.night(DEADLINE + timedelta(hours=1))
    assert canonical_dump(killed.ledger) == canonical_dump(plain.ledger)
    mails = [sorted(path.name for path in (h.config.outbox / "mail").iterdir()) for h in (plain, killed)]
    assert mails[0] == mails[1], "every mail under one name, none twice"


@pytest.mark.parametrize("point", ["drops-stored", "drops-put-away", "message-settled"])
def test_a_dropped_file_counts_once_wherever_the_run_is_killed(host: Host, point: str) -> None:  # G1
    host.start("nim", heaps="3,4,5")
    (host.config.inbox / "order.yml").write_text(host.file("1", "b3"))
    killed_at(point, lambda: host.night(NOON))
    host.night(NOON + timedelta(hours=1))
    assert [mail.kind for mail in host.mails("1")] == ["report", "receipt-1"]
    host.night()
    assert host.row().turn == 2


def test_deadlines_are_instants_whatever_the_clock_does(host: Host) -> None:  # G17
    host.start("nim", heaps="3,4,5")
    host.night(datetime(2026, 11, 18, 19, 59, 59, tzinfo=UTC))
    assert host.row().turn == 1
    host.night(DEADLINE - 400 * DAY)  # the clock was set back: nothing is due, and time in the ledger does not run back
    assert host.row().turn == 1
    host.night(DEADLINE)
    with host.ledger.read() as tx:
        times = [row.at for row in journal.rows(tx, "game")]
    assert times == sorted(times)
    assert host.row().turn == 2
