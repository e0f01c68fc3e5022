"""Brakes and outages: where something is odd a run holds; nobody's silence counts for what the host did (G17, G18)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from pbem.arriving.brought import Brought
from pbem.attending.attendance import Attendance, Record
from pbem.brakes import braking, heartbeat, holding, outages, trips
from pbem.brakes.heartbeat import Beat
from pbem.brakes.releasing import released
from pbem.brakes.settings import Brakes, read_section
from pbem.clock import Ticks
from pbem.errors import Trouble
from pbem.ledger import Ledger, journal, outbox
from pbem.ledger.chain import HOST
from pbem.ledger.home import home_of
from pbem.ledger.rebuild import rebuild
from pbem.ledger.tables import BRAKE, JOURNAL
from pbem.mailparts import parts
from pbem.nightly import night
from pbem.summary import Summary
from tests.faults.figures import counted, told
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host
from tests.pbem.host.test_night import killed_at

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
BOOT = datetime(2026, 11, 1, tzinfo=UTC)


def record(host: Host, seat: str = "1", name: str = "game") -> Record:
    return Attendance.from_json(host.row(name).attendance).of(seat)


def letters_to_host(host: Host) -> list[str]:
    with host.ledger.read() as tx:
        rows = [row.facts() for row in journal.rows(tx, HOST, kinds=("mail",))]
        raws = [outbox.raw(tx, row["message_id"]) for row in rows]
    return [parts(raw).text for raw in raws if b"held:" in raw.partition(b"\n\n")[0].replace(b"\r", b"")]


def names(host: Host) -> list[str]:
    with host.ledger.read() as tx:
        return [held.name for held in holding.on_record(tx) if not held.released]


def let_go(host: Host, brake: str, at: datetime, *, move: bool = False) -> list[str]:
    return released(host.config, host.ledger, brake, at, "looked at it", move=move)[1]


def nightly_rhythm(host: Host, days: int = 5) -> None:
    """The host is known to be at work each evening up to the one before the deadline."""
    for day in range(days, 0, -1):
        host.night(DEADLINE - day * DAY + 5 * MINUTE)


# --- outages ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nights", [1, 3, 10])
def test_a_deadline_in_an_outage_is_moved_and_nobody_was_silent(host: Host, nights: int) -> None:
    nightly_rhythm(host)
    host.start("nim", heaps="3,4,5")
    back = DEADLINE + nights * DAY + 2 * HOUR
    summary = host.night(back)
    assert (summary.moved, summary.turns) == (["game"], 0)
    assert record(host) == Record()
    told(f"{nights} nights off: {len(summary.moved)} game moved, {record(host).silent} turns lost by silence")
    due = host.row().deadline_at
    assert due == DEADLINE + (nights + 1) * DAY
    for seat in ("1", "2"):
        assert "The host was not at work when the deadline came, so it was moved." in " ".join(
            host.mails(seat)[-1].text.split()
        )
    host.night(due)
    assert (host.row().turn, record(host)) == (2, Record(silent=1, row=1)), (
        "from then on it is a deadline like any other"
    )


@pytest.mark.parametrize("nights", [1, 3, 10])
def test_what_everyone_has_answered_is_resolved_as_it_fell_due(host: Host, nights: int) -> None:
    nightly_rhythm(host)
    host.start("nim", heaps="3,4,5")
    host.order("1", "b3")
    summary = host.night(DEADLINE + nights * DAY + 2 * HOUR)
    assert (summary.moved, summary.turns, host.row().turn) == ([], 1, 2)
    assert record(host) == Record(on_time=1)


def test_missed_nights_are_made_up_for_the_oldest_first_and_once(host: Host) -> None:
    nightly_rhythm(host)
    for number, clock in enumerate(("22:00", "20:00", "21:00")):
        host.start("nim", f"g{number}", schedule=f"nightly {clock}", heaps="3,4,5")
        host.order("1", "b3", name=f"g{number}")
    host.night(DEADLINE + 3 * DAY)
    with host.ledger.read() as tx:
        rows = [row.chain for row in journal.rows(tx, kinds=("turn",)) if row.turn == 1]
    assert rows == ["g1", "g2", "g0"]
    counted(len(rows), "turns made up for in the order they fell due")
    counted(len(rows) - len(set(rows)), "of them resolved twice")
    assert [host.row(f"g{number}").turn for number in range(3)] == [2, 2, 2]


def test_thirty_nights_are_asked_about_and_then_made_up_for(host: Host) -> None:
    nightly_rhythm(host)
    for name in ("answered", "silent"):
        host.start("nim", name, heaps="3,4,5")
    host.order("1", "b3", name="answered")
    back = DEADLINE + 30 * DAY
    summary = host.night(back)
    assert not summary.well
    assert "nothing has run here since 2026-11-17 20:05 UTC, for 30 days" in summary.held[0]
    assert [host.row(name).turn for name in ("answered", "silent")] == [1, 1]
    let_go(host, "outage", back + HOUR)
    summary = host.night(back + 2 * HOUR)
    assert (summary.moved, summary.turns) == (["silent"], 1)
    assert record(host, "1", "silent") == Record()
    assert names(host) == []


def test_a_run_soon_after_a_deadline_is_in_time_whatever_was_before(host: Host) -> None:
    nightly_rhythm(host)
    host.start("nim", schedule="nightly 20:00 think=80h", heaps="3,4,5")
    due = host.row().deadline_at
    assert due is not None
    assert host.night(due + 30 * MINUTE).moved == []
    assert record(host) == Record(silent=1, row=1)


@pytest.mark.parametrize(
    ("gaps", "off", "is_outage"),
    [
        ([5 * MINUTE] * 10, 2 * HOUR, False),
        ([5 * MINUTE] * 10, 3 * HOUR, True),
        ([5 * MINUTE] * 9, 3 * HOUR, False),  # somebody tries his new host out
        ([2 * HOUR, 22 * HOUR] * 5, DAY, False),
        ([DAY] * 9, 36 * HOUR, False),
        ([DAY] * 9, 2 * DAY, True),
        ([DAY] * 4 + [3 * DAY] + [DAY] * 4 + [3 * DAY], 3 * DAY, False),  # nobody works on Saturdays and Sundays
        ([DAY] * 4 + [3 * DAY] + [DAY] * 4, 3 * DAY, True),  # ... but once is no habit
        ([4 * DAY, 3 * DAY], 30 * HOUR, False),  # too little is known: as if each night
        ([4 * DAY, 3 * DAY], 2 * DAY, True),
        ([4 * DAY, 3 * DAY, 4 * DAY], 4 * DAY, False),  # by hand, every few days
    ],
)
def test_what_is_out_of_the_rhythm(gaps: list[timedelta], off: timedelta, is_outage: bool) -> None:
    beat = Beat(NOON, None, tuple(gaps))
    assert (beat.off_since(NOON + off) == NOON) is is_outage


def test_nights_by_hand_every_three_days_do_not_move_a_game_for_ever(host: Host) -> None:
    host.start("nim", heaps="13,14,15")
    turns = []
    for run in range(8):
        host.night(DEADLINE + 3 * run * DAY + 3 * HOUR)
        turns.append(host.row().turn)
    assert turns[-1] >= 5, turns


@pytest.mark.parametrize("point", ["deadline-moved", "attempt-counted", "before-night-done"])
def test_a_run_killed_while_it_moves_deadlines_moves_the_others(host: Host, point: str) -> None:
    nightly_rhythm(host)
    for number in range(3):
        host.start("nim", f"g{number}", heaps="3,4,5")
    host.start("nim", "answered", heaps="3,4,5")
    host.order("1", "b3", name="answered")
    back = DEADLINE + 3 * DAY
    killed_at(point, lambda: host.night(back))
    host.night(back + 5 * MINUTE)
    for number in range(3):
        assert record(host, "1", f"g{number}") == Record()
        assert host.row(f"g{number}").deadline_at == DEADLINE + 4 * DAY
        with host.ledger.read() as tx:
            assert len(list(journal.rows(tx, f"g{number}", kinds=("outage",)))) == 1
    assert host.row("answered").turn == 2


def test_g18_weakened_without_the_heartbeat_silence_counts(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    nightly_rhythm(host)
    host.start("nim", heaps="3,4,5")
    monkeypatch.setattr(Beat, "off_since", lambda self, now: None)
    host.night(DEADLINE + 3 * DAY)
    assert record(host) == Record(silent=1, row=1)


def test_g18_weakened_by_the_run_alone_one_that_was_killed_forgets_the_outage(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: the heartbeat noted as a run begins, and the outage not written down with it."""
    nightly_rhythm(host)
    host.start("nim", heaps="3,4,5")
    back = DEADLINE + 3 * DAY
    monkeypatch.setattr(outages, "move", lambda *_: [])
    killed_at("attempt-counted", lambda: host.night(back))
    monkeypatch.undo()
    heartbeat.keep(host.config, Beat(back))
    with host.ledger.write() as tx:
        tx.append(HOST, "night_done", back, {"begun": tx.end(HOST).seq})
    host.night(back + 5 * MINUTE)
    assert record(host) == Record(silent=1, row=1)


# --- the clock --------------------------------------------------------------------------------------------------------


@pytest.fixture
def by_clock(host: Host, monkeypatch: pytest.MonkeyPatch) -> Iterator:
    """A run by a clock that a test sets; `up` is how long the machine has been running."""

    def run(at: datetime, up: timedelta, boot: str = "one") -> Summary:
        monkeypatch.setattr("pbem.clock.ticks", lambda: Ticks(boot, int(up.total_seconds())))
        return night(host.config, host.ledger, at, jobs=1, by_clock=True)

    return run


@pytest.mark.parametrize("jump", [-400 * DAY, -3 * DAY, -3 * HOUR, 3 * HOUR, 3 * DAY, 400 * DAY, 26_000 * DAY])
def test_a_clock_that_jumps_holds_everything_until_it_is_right_again(host: Host, by_clock, jump: timedelta) -> None:
    host.start("nim", heaps="3,4,5")
    for minutes in range(0, 30, 5):
        by_clock(NOON + minutes * MINUTE, DAY + minutes * MINUTE)
    before = host.row()
    for minutes in range(30, 40, 5):
        summary = by_clock(NOON + jump + minutes * MINUTE, DAY + minutes * MINUTE)
        assert not summary.well
        assert "held: the clock shows" in summary.held[0]
    assert host.row() == before
    assert names(host) == ["clock"]
    assert by_clock(NOON + 45 * MINUTE, DAY + 45 * MINUTE).well, "set right again it goes on by itself"
    assert names(host) == []
    by_clock(DEADLINE, DAY + 8 * HOUR)
    assert host.row().turn == 2


@pytest.mark.parametrize("jump", [-HOUR, -110 * MINUTE, 110 * MINUTE])
def test_a_clock_that_is_set_a_little_is_let_be(host: Host, by_clock, jump: timedelta) -> None:
    host.start("nim", heaps="3,4,5")
    by_clock(NOON, DAY)
    assert by_clock(NOON + jump, DAY + 5 * MINUTE).well


def test_the_host_is_told_once_and_releases_it_by_a_ruling(host: Host, by_clock, monkeypatch) -> None:
    object.__setattr__(host.config, "referee", "me@host.example")
    host.start("nim", heaps="3,4,5")
    by_clock(NOON, DAY)
    for minutes in range(5, 60, 5):
        by_clock(NOON + 3 * DAY + minutes * MINUTE, DAY + minutes * MINUTE)
    [told] = letters_to_host(host)
    words = " ".join(told.split())
    assert "it was set forward by 72 h 0 min. To go on: pbem referee release clock --reason" in words
    let_go(host, "clock", NOON + 3 * DAY + HOUR)
    summary = by_clock(NOON + 3 * DAY + HOUR + 5 * MINUTE, DAY + HOUR + 5 * MINUTE)
    assert summary.well
    assert summary.moved == ["game"], "what fell into the jump is moved"
    assert record(host) == Record()
    with host.ledger.read() as tx:
        [ruling] = journal.rows(tx, HOST, kinds=("brake_released",))
    assert ruling.facts() == {"brake": "clock", "reason": "looked at it"}
    by_clock(NOON + 3 * DAY + HOUR + 10 * MINUTE, DAY + HOUR + 10 * MINUTE)
    with host.ledger.read() as tx:
        assert holding.on_record(tx) == []
    assert len(letters_to_host(host)) == 1


def test_a_machine_that_was_started_anew_with_an_old_clock(host: Host, by_clock) -> None:
    host.start("nim", heaps="3,4,5")
    by_clock(NOON, DAY)
    assert "the ledger was written to at" in by_clock(datetime(2000, 1, 1, tzinfo=UTC), MINUTE, "two").held[0]
    assert by_clock(NOON + HOUR, HOUR, "two").well


def test_a_time_that_somebody_names_is_no_jump(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    host.night(NOON)
    for jump in (3 * HOUR, -3 * HOUR):
        assert night(host.config, host.ledger, NOON + jump, jobs=1).well


def test_g17_weakened_without_the_look_a_jump_plays_the_turn(host: Host, by_clock, monkeypatch) -> None:
    host.start("nim", heaps="3,4,5")
    by_clock(NOON, DAY)
    monkeypatch.setattr(trips, "of_time", lambda *_: iter(()))
    monkeypatch.setattr(Beat, "off_since", lambda self, now: None)
    by_clock(NOON + 3 * DAY, DAY + 5 * MINUTE)
    assert host.row().turn == 2


# --- the ways in ------------------------------------------------------------------------------------------------------


def unreachable(monkeypatch: pytest.MonkeyPatch, silent: str) -> None:
    route = Brought("imap", "imap.example.org:993", silent=silent)
    monkeypatch.setattr("pbem.nightly.fetching.gather", lambda *_: (route,))


def test_a_mailbox_that_cannot_be_read_holds_what_is_due(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    host.start("nim", heaps="3,4,5")
    unreachable(monkeypatch, "no answer within 30 s")
    assert host.night(NOON).held == [], "nothing is due, so nothing is at stake"
    summary = host.night(DEADLINE)
    assert "orders may lie where they could not be fetched (imap.example.org:993: no answer" in summary.held[0]
    assert host.row().turn == 1
    unreachable(monkeypatch, "")
    assert host.night(DEADLINE + 5 * MINUTE).turns == 1, "it goes on by itself"
    assert names(host) == []


def test_released_it_goes_on_and_trips_again_the_next_time(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    host.start("nim", heaps="13,14,15")
    unreachable(monkeypatch, "no answer")
    host.night(DEADLINE)
    let_go(host, "inbox", DEADLINE + MINUTE)
    assert host.night(DEADLINE + 5 * MINUTE).turns == 1
    host.night(DEADLINE + 10 * MINUTE)  # nothing is due any more, so it is over
    host.night(DEADLINE + DAY)
    assert names(host) == ["inbox"]


def test_what_does_not_hold_cannot_be_released(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Trouble, match="nothing holds"):
        let_go(host, "inbox", NOON)
    host.start("nim", heaps="3,4,5")
    unreachable(monkeypatch, "no answer")
    host.night(DEADLINE)
    with pytest.raises(Trouble, match="runs hold for inbox"):
        let_go(host, "clock", NOON)


# --- far too many missing ---------------------------------------------------------------------------------------------


def many_games(host: Host, count: int) -> None:
    for number in range(count):
        host.start("nim", f"g{number}", heaps="13,14,15")


def test_far_too_many_seats_without_orders_hold_the_run(host: Host) -> None:
    many_games(host, 12)
    for day in range(2):
        for number in range(12):
            for seat in host.row(f"g{number}").pending:
                host.order(seat, "c1", at=DEADLINE + (day - 1) * DAY + HOUR if day else NOON, name=f"g{number}")
        assert host.night(DEADLINE + day * DAY).turns == 12
    summary = host.night(DEADLINE + 2 * DAY)
    assert "nothing has come from 12 of 12 seats, where 0 % are usual" in summary.held[0]
    assert summary.turns == 0
    moved = let_go(host, "missing", DEADLINE + 2 * DAY + HOUR, move=True)
    assert len(moved) == 12
    assert host.night(DEADLINE + 2 * DAY + 2 * HOUR).well
    assert {record(host, "1", f"g{number}").silent for number in range(12)} == {0}
    host.night(DEADLINE + 3 * DAY)
    assert names(host) == ["missing"]
    let_go(host, "missing", DEADLINE + 3 * DAY + HOUR)
    assert host.night(DEADLINE + 3 * DAY + 2 * HOUR).turns == 12


@pytest.mark.parametrize("case", ["few", "half", "usual", "unknown", "off"])
def test_when_it_is_nothing_unusual(host: Host, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 6 if case == "few" else 12
    if case == "off":
        object.__setattr__(host.config, "brakes", Brakes(missing_percent=0))
    many_games(host, count)
    if case != "unknown":
        for day in range(4 if case == "few" else 2):
            for number in range(count):
                answers = case != "usual" or number % 3 == 0
                for seat in host.row(f"g{number}").pending if answers else ():
                    host.order(seat, "c1", at=DEADLINE + (day - 1) * DAY + HOUR if day else NOON, name=f"g{number}")
            host.night(DEADLINE + day * DAY)
    at = DEADLINE + (0 if case == "unknown" else 4 if case == "few" else 2) * DAY
    if case == "half":
        for number in range(6):
            for seat in host.row(f"g{number}").pending:
                host.order(seat, "c1", at=at - HOUR, name=f"g{number}")
    assert host.night(at).well


# --- the ledger, the rules --------------------------------------------------------------------------------------------


def harm(host: Host, chain: str) -> None:
    """The newest row but one of a chain is changed, by somebody who has the file, or the server."""
    newest = sa.select(sa.func.max(JOURNAL.c.seq)).where(JOURNAL.c.chain == chain).scalar_subquery()
    with host.ledger.write() as tx:
        tx.run(sa.text("DROP TRIGGER journal_no_update" + (" ON journal" if host.config.place.url else "")))
        harmed = sa.update(JOURNAL).where(JOURNAL.c.chain == chain, JOURNAL.c.seq == newest - 1)
        tx.run(harmed.values(hash=bytes(32)))


def test_a_game_whose_newest_rows_are_not_what_they_were_is_held_and_no_other(host: Host) -> None:
    host.start("nim", "harmed", heaps="3,4,5")
    host.start("nim", "sound", heaps="3,4,5")
    harm(host, "harmed")
    summary = host.night(DEADLINE)
    assert "harmed is held: the history of harmed is not what it was: row" in summary.held[0]
    assert (host.row("harmed").turn, host.row("sound").turn) == (1, 2)
    let_go(host, "ledger/harmed", DEADLINE + HOUR)
    assert host.night(DEADLINE + 2 * HOUR).turns == 1


def test_a_host_whose_newest_rows_are_not_what_they_were_holds_all(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    with host.ledger.write() as tx:
        for _ in range(2):
            tx.append(HOST, "note", NOON, {})
    harm(host, HOST)
    summary = host.night(DEADLINE)
    assert "all games are held: the ledger is not what it was: row" in summary.held[0]
    assert host.row().turn == 1


def test_a_game_of_another_version_is_held_until_its_rules_are_here(host: Host, monkeypatch) -> None:
    from pbem.rulebook import NoRules

    host.start("nim", heaps="3,4,5")
    real = trips.known

    def gone(name: str):
        raise NoRules(f"Version 1 of {name} is needed and version 2 is installed.")

    monkeypatch.setattr(trips, "known", gone)
    summary = host.night(DEADLINE)
    assert "game is held: game cannot go on: Version 1 of nim" in summary.held[0]
    assert (summary.failed, host.row().attempts, host.row().turn) == ({}, 0, 1)
    monkeypatch.setattr(trips, "known", real)
    summary = host.night(DEADLINE + 2 * HOUR)
    assert (summary.moved, summary.turns) == (["game"], 0)
    assert (names(host), record(host)) == ([], Record())


# --- what is written down ---------------------------------------------------------------------------------------------


def test_a_ledger_made_anew_holds_the_same(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    host.start("nim", heaps="3,4,5")
    unreachable(monkeypatch, "no answer")
    host.night(DEADLINE)
    with host.ledger.read() as tx:
        before = holding.on_record(tx)
    rebuild(host.ledger)
    with host.ledger.read() as tx:
        assert holding.on_record(tx) == before
        assert [column.name for column in BRAKE.columns] == ["name", "game", "says", "since", "released"]


def test_a_heartbeat_is_kept_and_comes_back(host: Host) -> None:
    beat = Beat(NOON, Ticks("one", 77), (5 * MINUTE, DAY))
    heartbeat.keep(host.config, beat)
    assert heartbeat.recall(host.config, None) == beat
    home_of(host.config.place).keep(heartbeat.SUFFIX, b"{")
    assert heartbeat.recall(host.config, NOON) == Beat(NOON)
    assert heartbeat.recall(host.config, None) is None


def test_a_quiet_host_writes_no_rows(host: Host) -> None:
    host.night(NOON)
    with host.ledger.read() as tx:
        before = tx.end(HOST).seq
    for minutes in range(5, 200, 5):
        host.night(NOON + minutes * MINUTE)
    with host.ledger.read() as tx:
        assert tx.end(HOST).seq == before
    assert braking.look_at_time(host.config, host.ledger, NOON + 200 * MINUTE, None, False).held == []


def test_a_look_that_finds_nothing_odd_reads_the_ledger_once(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    host.night(NOON)
    reads, read = [], Ledger.read
    monkeypatch.setattr(Ledger, "read", lambda ledger, **how: reads.append(how) or read(ledger, **how))
    braking.look_at_time(host.config, host.ledger, NOON + MINUTE, None, False)
    braking.look_at_routes(host.config, host.ledger, NOON + MINUTE, ())
    assert len(reads) == 2


@pytest.mark.parametrize(
    ("said", "hint"),
    [({"clock": "soon"}, "90m, 2h, 14d"), ({"late": "off"}, "late"), ({"missing_percent": 101}, "0 to 100")],
)
def test_settings_that_cannot_be(said: dict, hint: str) -> None:
    with pytest.raises(Trouble, match=hint):
        read_section(said)


def test_settings() -> None:
    assert read_section({}) == Brakes()
    assert read_section({"clock": "off", "outage": "3d", "inbox": False}) == Brakes(
        clock=None, outage=3 * DAY, inbox=False
    )
