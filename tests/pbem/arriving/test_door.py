"""The door of the drop folder: a flood of one seat leaves a bounded ledger, and every file is accounted for."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from typing import NoReturn

import pytest

from pbem import faults
from pbem.arriving import door, drop
from pbem.arriving.fetching import collect
from pbem.game.taking import take_file
from pbem.intake.limits import USUAL
from pbem.ledger import journal, letters, rebuild
from pbem.ledger.chain import HOST
from pbem.submitting import taken
from tests.faults.figures import so_many, told
from tests.pbem.correspondence.conftest import Post, words
from tests.pbem.host.conftest import NOON, Host, host, make_host
from tests.pbem.host.test_submitting import waits

__all__ = ["host", "make_host"]

FLOOD = so_many(300, 10_000)
MOVES = ("b3", "a1", "c1")


class Killed(BaseException):
    """The process dies here."""


@pytest.fixture
def game(host: Host) -> Host:
    host.start("nim", heaps="3,4,5")
    return host


@pytest.fixture(autouse=True)
def disarmed() -> object:
    yield
    faults.arm(None)


def flood(host: Host, files: int, seat: str = "1", first: int = 0, **more: str) -> None:
    for number in range(first, first + files):
        text = f"# {number}\n" + host.file(seat, MOVES[number % 3], **more)  # type: ignore[arg-type]
        (host.config.inbox / f"flood-{number:05}.yml").write_text(text)


def rows(host: Host) -> Counter[str]:
    with host.ledger.read() as tx:
        return Counter(row.kind for row in journal.rows(tx))


def counts(host: Host) -> dict[str, int]:
    with host.ledger.read() as tx:
        return letters.counts(tx)


def size(host: Host) -> int:
    return sum(path.stat().st_size for path in host.config.folder.glob("ledger.db*"))


def mails(host: Host, seat: str) -> list[str]:
    return [words(mail) for mail in Post(host).sent(f"{seat}@players.example")]


def test_a_flood_of_one_seat_is_bounded_and_told_of_once(game: Host) -> None:
    """Seen red: 10,000 files made 10,000 submissions, 10,000 receipts and a ledger of 67 MB."""
    before, begun = size(game), time.monotonic()
    flood(game, FLOOD)
    theirs = game.config.inbox / "flood-00150-of-another.yml"
    theirs.write_text(game.file("2", "a1"))
    found = collect(game.config, game.ledger, NOON)
    took = time.monotonic() - begun
    kinds = rows(game)
    assert kinds["submission"] == USUAL.submissions + 1, "and one of the other seat"
    assert kinds["letter"] == USUAL.submissions + 2
    assert kinds["too_many"] == 1
    answers = mails(game, "1")[1:]
    assert len(answers) == USUAL.submissions + 1
    assert "One seat may send 20 messages while a decision is open, and this seat has." in answers[-1]
    assert sum("Your orders are taken" in text for text in answers) == USUAL.submissions
    assert "Your orders are taken" in mails(game, "2")[-1]
    assert waits(game, "2") == ["a1"]
    fates = {"accepted": USUAL.submissions + 1, "refused": FLOOD - USUAL.submissions}
    assert counts(game) == fates == {fate: count for fate, count in found.counts.items() if count}
    assert [path.name for path in game.config.inbox.iterdir()] == [drop.TAKEN]
    assert len(list((game.config.inbox / drop.TAKEN).iterdir())) == FLOOD + 1, "nothing of it is lost"
    grown = size(game) - before
    assert grown < (2 << 20) + FLOOD * 200
    told(f"{FLOOD} files of one seat: {kinds['submission'] - 1} submissions, {len(answers)} receipts, "
         f"{grown / 1e6:.1f} MB more of ledger, {took:.0f} s")  # fmt: skip


def test_the_next_report_counts_them_and_the_next_run_takes_no_more(game: Host) -> None:
    flood(game, 60)
    collect(game.config, game.ledger, NOON)
    flood(game, 60, first=60)
    collect(game.config, game.ledger, NOON)
    assert rows(game)["submission"] == USUAL.submissions
    assert rows(game)["too_many"] == 1
    assert counts(game) == {"accepted": 20, "refused": 100}
    game.order("2", "a1")
    game.night()
    assert "99 messages of yours had no answer" in mails(game, "1")[-1], "one of the hundred had"
    assert game.order("1", "b1").fate == "accepted", "a new decision, a new limit"


def test_by_hand_the_same_limit_holds_and_is_told_on_the_terminal(game: Host) -> None:
    from pbem.cli.orders import words as shown

    flood(game, 25)
    collect(game.config, game.ledger, NOON)
    settled = take_file(game.config, game.ledger, game.file("1", "b3").encode(), "orders.yml", NOON)
    assert (settled.fate, settled.reason) == ("refused", "too_many")
    assert "orders.yml: stored, and refused. One seat may send 20 messages" in shown(settled, "orders.yml")
    assert rows(game)["submission"] == USUAL.submissions


def test_files_in_the_name_of_a_seat_without_its_key_use_up_nothing(game: Host) -> None:
    flood(game, 60, key="0000-0000")
    (game.config.inbox / "mine.yml").write_text(game.file("1", "b3"))
    collect(game.config, game.ledger, NOON)
    assert counts(game) == {"accepted": 1, "quarantined": 60}
    assert waits(game, "1") == ["b3"]


def test_files_with_an_old_key_keep_no_new_ones_out(game: Host) -> None:
    old = game.file("1", "b3")
    game.order("1", "b3")
    game.order("2", "a1")
    game.night()
    for number in range(60):
        (game.config.inbox / f"old-{number}.yml").write_text(f"# {number}\n{old}")
    (game.config.inbox / "new.yml").write_text(game.file("1", "b1"))
    collect(game.config, game.ledger, NOON)
    assert waits(game, "1") == ["b1"]
    assert rows(game)["submission"] <= USUAL.submissions + 4


@pytest.mark.parametrize("point", ["drops-stored", "drops-put-away"])
def test_killed_in_between_each_file_is_still_counted_once(game: Host, point: str) -> None:
    flood(game, 260)
    left = [2]

    def kill(at: str) -> None:
        left[0] -= at == point
        if left[0] == 0 and at == point:
            die()

    def die() -> NoReturn:
        raise Killed

    faults.arm(kill)
    with pytest.raises(Killed):
        collect(game.config, game.ledger, NOON)
    faults.arm(None)
    collect(game.config, game.ledger, NOON)
    assert counts(game) == {"accepted": 20, "refused": 240}
    rebuild.rebuild(game.ledger)
    assert counts(game) == {"accepted": 20, "refused": 240}


def test_each_file_that_was_refused_unread_is_named_and_lies_there(game: Host) -> None:
    flood(game, 60)
    collect(game.config, game.ledger, NOON)
    with game.ledger.read() as tx:
        said = [row.facts() for row in journal.rows(tx, HOST, kinds=("turned_away",))]
    names = [name for one in said for name in one["files"]]
    assert len(names) == len(set(names)) == 60 - USUAL.submissions - 1
    assert {(one["game"], one["seat"], one["reason"], one["route"]) for one in said} == {
        ("game", "1", "too_many", "drop")
    }
    lie = {path.stem for path in (game.config.inbox / drop.TAKEN).iterdir()}
    assert set(names) < lie


def test_a_folder_with_few_files_is_not_looked_through(game: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door.Door, "_owner", lambda *_: pytest.fail("read at the door"))
    flood(game, USUAL.submissions)
    assert collect(game.config, game.ledger, NOON).counts == {"accepted": USUAL.submissions}


def test_weakened_without_the_limit_where_submissions_are_recorded_all_are_taken(
    game: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taken.budgets, "exceeded", lambda *_, **__: None)
    for number in range(USUAL.submissions + 3):
        game.order("1", MOVES[number % 3])
    assert rows(game)["submission"] > USUAL.submissions


def test_weakened_without_the_door_each_file_is_a_row_of_its_own(game: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door.Door, "turned_away", lambda *_: {})
    flood(game, 60)
    collect(game.config, game.ledger, NOON)
    assert rows(game)["letter"] == 60


def test_the_bytes_of_a_day_are_bounded(game: Host) -> None:
    game.config = replace(game.config, limits=replace(USUAL, daily_bytes=64 << 10))
    for number in range(8):
        game.submit(f"# {'x' * 20_000}{number}\n" + game.file("1", "b3"))
    assert rows(game)["submission"] == 4
    assert "may have 64 kilobytes on one day" in mails(game, "1")[-1]


def test_the_messages_of_a_day_are_bounded(game: Host) -> None:
    game.config = replace(game.config, limits=replace(USUAL, daily=5))
    for number in range(8):
        game.order("1", MOVES[number % 3])
    assert rows(game)["submission"] == 5
    assert "One seat may send 5 messages on one day (UTC)" in mails(game, "1")[-1]
