"""fetch, nightly and deliver: what a clock starts, and what it says."""

from __future__ import annotations

import os
import shutil

import pytest

from pbem.lock import alone
from tests.pbem.cli.desk import BEGINS, DEADLINE, LATER, NEXT_DAY, Desk


def drop(desk: Desk, order: str, seat: str = "1", turn: int = 1) -> None:
    """The order file of a seat, in the inbox."""
    file = desk.file(order, seat, turn, f"from-{seat}-{turn}.yml")
    shutil.move(file, desk.folder / "inbox" / file.name)


def test_fetch_takes_what_was_dropped(desk: Desk) -> None:
    drop(desk, "b3")
    assert desk("fetch", "--now", LATER).out == "1 accepted\n"
    assert desk("fetch", "--now", LATER).out == "Nothing came.\n"
    assert [path.name for path in (desk.folder / "inbox").iterdir()] == ["taken"]
    assert desk.data("deliver", "--now", LATER) == {"sent": 1, "mails_lost": [], "mails_tried_again": []}
    assert desk("deliver", "--now", LATER).out == "Nothing waits to be sent.\n"


def test_fetch_tells_every_fate(desk: Desk) -> None:
    drop(desk, "b3")
    inbox = desk.folder / "inbox"
    (inbox / "wrong.yml").write_text(desk.file("b9").read_text())
    (inbox / "nobodys.yml").write_text("end: orders\n")
    (inbox / "folder").mkdir()
    (inbox / "link.yml").symlink_to(desk.folder / "pbem.toml")
    os.mkfifo(inbox / "pipe.yml")
    (inbox / "large.yml").write_bytes(b"x" * 1_200_000)
    (inbox / ".hidden.yml").write_text("end: orders\n")
    assert desk.data("fetch", "--now", LATER) == {"kept": 4, "accepted": 1, "refused": 1, "quarantined": 1}
    said = desk("fetch", "--now", LATER).out
    assert said == "4 not opened (no plain file, or too large)\n"
    desk("deliver", "--now", LATER)
    rows = len(desk.data("audit", "log", "@host"))
    assert "Messages: none." in desk("nightly", "--now", LATER).out, "what cannot be taken starts no run"
    assert len(desk.data("audit", "log", "@host")) == rows


def test_a_night_in_words(desk: Desk) -> None:
    drop(desk, "b3")
    said = desk("nightly", "--now", DEADLINE, "--jobs", "1").out.splitlines()
    assert said == [
        "Night of 2026-11-18 20:00 UTC. Messages: 1 accepted.",
        "Games resolved: 1, turns: 1; due, but waiting for somebody: 0.",
        "Mails: 3 sent.",
    ]


def test_a_night_as_json(desk: Desk) -> None:
    night = desk.data("nightly", "--now", DEADLINE, "--jobs", "2")
    assert night == {
        "now": "2026-11-18T20:00:00Z",
        "collected": {},
        "resolved": 1,
        "turns": 1,
        "over": [],
        "begun": [],
        "asked": 0,
        "failed": {},
        "halted": [],
        "reminded": 0,
        "moved": [],
        "held": [],
        "mails": {"sent": 2},
        "routes": [],
        "mails_lost": [],
        "mails_tried_again": [],
    }
    again = desk.data("nightly", "--now", DEADLINE)
    assert (again["resolved"], again["mails"]) == (0, {})


def test_a_dry_run_changes_nothing(desk: Desk) -> None:
    assert desk("nightly", "--dry-run", "--now", LATER).out == "No game is due.\n"
    before = (desk.folder / "ledger.db").read_bytes()
    assert desk("nightly", "--dry-run", "--now", DEADLINE).out == "1 game is due: jade-river.\n"
    found = desk.data("nightly", "--dry-run", "--now", DEADLINE)
    assert found == {"now": "2026-11-18T20:00:00Z", "due": ["jade-river"]}
    assert (desk.folder / "ledger.db").read_bytes() == before


def test_a_whole_game_by_silence(desk: Desk) -> None:
    days = iter(range(19, 31))  # twelve things lie there, and silence takes one
    while "Over: jade-river." not in (
        said := desk("nightly", "--now", f"2026-11-{next(days)}T21:00Z", "--jobs", "1").out
    ):
        assert "Games resolved: 1, turns: 1;" in said
    assert desk("status", "--now", LATER).out.startswith("No games are being played.")
    assert desk("status", "--all").out.startswith("jade-river (nim): over at turn")
    assert "Outcome: 1. " in desk("show", "jade-river").out


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("nightly", "--jobs", "many"), 2, "'many' is not a whole number from 0 to 256."),
        (("nightly", "--jobs", "-1"), 2, "'-1' is not a whole number from 0 to 256."),
        (("nightly", "--jobs", "100000"), 2, "from 0 to 256"),
        (("nightly", "tonight"), 2, "unexpected extra argument"),
        (("nightly", "--now", "20:00"), 3, "write it like 2026-11-18T20:00Z"),
        (("fetch", "--now", "x"), 3, "write it like"),
        (("deliver", "--now", "x"), 3, "write it like"),
    ],
)
def test_refused(desk: Desk, args: tuple[str, ...], code: int, says: str) -> None:
    desk.refused(*args, code=code, says=says)


@pytest.mark.parametrize(
    "args", [("nightly",), ("deliver",), ("doctor", "--rebuild"), ("doctor", "--upgrade"), ("restore", "copy.db")]
)
def test_another_run_at_work_has_a_code_of_its_own(desk: Desk, args: tuple[str, ...]) -> None:
    desk("backup", "copy.db")
    with alone(desk.folder / "ledger.lock", "night"):
        desk.refused(*args, code=4, says="Another night is at work")
    desk(*args, "--now", LATER)


def test_a_ledger_held_by_another_program(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlite3

    from pbem.ledger import connect

    monkeypatch.setitem(connect.SETTINGS, "busy_timeout", ("50", 50))
    holder = sqlite3.connect(desk.folder / "ledger.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    desk.refused("player", "add", "Chiara", "c@example.org", code=4, says="is held by another run; try again")
    holder.close()
    desk("player", "add", "Chiara", "c@example.org")


def test_a_missing_inbox_or_outbox_is_named(desk: Desk) -> None:
    """The night does not go on without its inbox: what lies there could be somebody's order."""
    (desk.folder / "inbox").rmdir()
    for command in ("fetch", "nightly"):
        desk.refused(command, "--now", DEADLINE, code=3, says="inbox cannot be used (No such file or directory).")
    assert desk.data("status")["games"][0]["turn"] == 1
    (desk.folder / "inbox").mkdir()
    shutil.rmtree(desk.folder / "outbox")
    (desk.folder / "outbox").write_text("a file\n")
    desk.refused("nightly", "--now", DEADLINE, "--jobs", "1", code=3, says="outbox")
    (desk.folder / "outbox").unlink()
    assert desk.data("nightly", "--now", NEXT_DAY, "--jobs", "1")["mails"] == {"sent": 4}


def test_a_game_whose_rules_are_gone_stops_only_itself(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """G13: a package that was removed, or that cannot be loaded any more."""
    from engine import registry
    from tests.pbem.cli.without import without_rules

    seats = ("--seat", "red=Anna", "--seat", "green=Bruno", "--seat", "blue=Anna", "--same-person")
    desk("new", "vault", "--name", "high-vault", *seats, "--now", BEGINS)
    with without_rules("vault"):
        assert registry.games()
        night = desk.data("nightly", "--now", DEADLINE, "--jobs", "1", code=1)
        assert (night["resolved"], night["failed"], len(night["held"])) == (1, {}, 1)
        assert "high-vault is held: high-vault cannot go on: There is no game 'vault'" in night["held"][0]
        held, *lines = desk("status", "--now", DEADLINE).out.splitlines()
        assert held == night["held"][0]
        assert lines[0].startswith("high-vault: open at turn 1, and cannot go on here. There is no game 'vault'.")
        assert lines[1].startswith("jade-river (nim): turn 2")
        assert desk.data("status")["games"][0]["trouble"].startswith("There is no game 'vault'")
        assert "ILL   rules: high-vault cannot go on: There is no game 'vault'." in desk("doctor", code=1).out
        desk.refused("show", "high-vault", code=3, says="There is no game 'vault'.")
        words = desk("nightly", "--now", NEXT_DAY, "--jobs", "1", code=1).out
        assert "high-vault is held: high-vault cannot go on: There is no game 'vault'." in words
        assert desk.data("nightly", "--now", NEXT_DAY, "--jobs", "1", code=1)["halted"] == []
    found = desk.data("nightly", "--now", "2026-11-20T20:00Z", "--jobs", "1")
    assert (found["held"], found["moved"]) == ([], ["high-vault"]), "installed again, and nobody was silent"


def test_what_holds_is_released_by_a_ruling(desk: Desk) -> None:
    from tests.pbem.cli.without import without_rules

    desk.refused("referee", "release", "clock", "--reason", "x", code=3, says="nothing holds")
    with without_rules("nim"):
        desk.data("nightly", "--now", DEADLINE, "--jobs", "1", code=1)
        assert "ILL   brakes: jade-river cannot go on" in desk("doctor", code=1).out
        assert desk.data("status")["held"][0]["brake"] == "rules/jade-river"
        desk.refused("referee", "release", "clock", "--reason", "x", code=3, says="runs hold for rules/jade-river")
        out = desk("referee", "release", "rules/jade-river", "--reason", "let it fail", "--now", NEXT_DAY).out
        assert "Nothing is held by rules/jade-river any more" in out
        night = desk.data("nightly", "--now", NEXT_DAY, "--jobs", "1", code=1)
        assert list(night["failed"]) == ["jade-river"]


def test_reminders_by_the_command_line(desk: Desk) -> None:
    desk.refused("player", "change", "Anna", "--remind", "soon", code=3, says="write it like 24h")
    assert "2 hours before a deadline" in desk("player", "change", "Anna", "--remind", "2h", "--now", BEGINS).out
    assert desk.data("player", "show", "Anna")["remind"] == 2
    assert desk("remind", "--now", BEGINS).out == "Nobody is to be reminded.\n"
    assert desk("remind", "--now", "2026-11-18T18:30Z").out == "Reminded: 1 player.\n"
    assert desk.data("remind", "--now", "2026-11-18T18:35Z")["reminded"] == 0


def test_orders_wait_while_the_rules_of_their_game_are_gone(desk: Desk) -> None:
    from tests.pbem.cli.without import without_rules

    drop(desk, "b3")
    with without_rules("nim"):
        assert desk.data("fetch", "--now", LATER) == {"waiting": 1}
        says = "again.yml is stored and waits. There is no game 'nim'"
        desk.refused("submit", desk.file("a1", name="again.yml"), "--now", LATER, code=1, says=says)
    assert desk.data("fetch", "--now", LATER) == {"accepted": 2}


def test_what_a_broken_off_night_did_is_told_by_the_one_that_finishes_it(desk: Desk) -> None:
    from pbem import faults

    def stop(point: str) -> None:
        if point == "attempt-counted":
            raise KeyboardInterrupt

    faults.arm(stop)
    try:
        said = desk("nightly", "--now", DEADLINE, "--jobs", "1", code=130)
        assert said.err == "pbem: stopped.\n"
    finally:
        faults.arm(None)
    night = desk.data("nightly", "--now", NEXT_DAY, "--jobs", "1")
    assert (night["now"], night["resolved"], night["turns"]) == ("2026-11-19T20:00:00Z", 1, 1)
