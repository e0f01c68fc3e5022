"""audit and referee: what happened, whether it is true, why, and rulings."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from pbem.audit.verify import Verdict
from tests.pbem.cli.desk import BEGINS, DEADLINE, LATER, NEXT_DAY, Desk
from tests.pbem.cli.without import broken_rules, without_rules

Gone = Callable[[str], AbstractContextManager[None]]


@pytest.fixture
def played(desk: Desk) -> Desk:
    """One night has passed, with an order of seat 1."""
    desk("submit", desk.file("b3"), "--now", LATER)
    desk("nightly", "--now", DEADLINE, "--jobs", "1")
    return desk


def test_the_log_row_by_row(played: Desk) -> None:
    rows = played.data("audit", "log", "jade-river")
    assert list(rows[0]) == ["seq", "at", "kind", "turn", "seat", "gist", "hash"]
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    lines = played("audit", "log", "jade-river").out.splitlines()
    assert len(lines) == len(rows)
    assert lines[0].split()[:4] == ["1", "2026-11-18", "12:00:00Z", "created"]
    assert [row["kind"] for row in played.data("audit", "log", "@host")][:2] == ["player", "player"]


def test_the_log_is_filtered(played: Desk) -> None:
    def kinds(*args: str) -> set[str]:
        return {row["kind"] for row in played.data("audit", "log", "jade-river", *args)}

    assert kinds("--kind", "turn", "--kind", "created") == {"turn", "created"}
    assert kinds("--seat", "1", "--turn", "1") == {"submission", "mail"}
    assert kinds("--since", DEADLINE) == {"turn", "mail", "mail_fate"}
    assert kinds("--until", "2026-11-18T12:00:01Z") >= {"created", "turn", "mail"}
    none = played("audit", "log", "jade-river", "--kind", "tern").out
    assert none == "No rows fit. There are rows of the kinds created, mail, mail_fate, submission, turn.\n"
    assert played("audit", "log", "jade-river", "--turn", "9").out == "No rows fit.\n"
    assert played.data("audit", "log", "@host", "--seat", "9") == []


def test_an_exported_file_is_read_as_the_ledger_is(played: Desk, tmp_path: Path) -> None:
    """Whoever holds a file needs no host: every tool says of it what it says of the game; and no look is written."""
    target = str(tmp_path / "game.zip")
    played("audit", "export", "jade-river", target, "--referee", "--now", NEXT_DAY)
    asked = ("log",), ("show", "1"), ("show", "1", "--seat", "1"), ("replay",), ("why", "1", "1")
    for tool, *more in asked:
        assert played.data("audit", tool, target, *more), tool
    assert played.data("audit", "verify", target) == played.data("audit", "check", target)
    assert len(played.data("audit", "log", "jade-river", "--kind", "look")) == 1  # of the export itself
    in_file = played.data("audit", "log", target)
    assert in_file == played.data("audit", "log", "jade-river")[: len(in_file)]
    assert "is a ledger, which holds many games" in played("audit", "log", "ledger.db", code=3).err


def test_verify_says_true_and_names_the_first_bad_row(played: Desk) -> None:
    head = played.data("show", "jade-river")["head"]
    [verdict] = played.data("audit", "verify", "jade-river", "--head", head.upper())
    assert (verdict["ok"], verdict["chain"], verdict["head"]) == (True, "jade-river", head)
    assert (
        f"jade-river: true. {verdict['rows']} rows, 2 turns, 0 draws, " in played("audit", "verify", "jade-river").out
    )
    assert all(one["ok"] for one in played.data("audit", "verify", "--all"))
    assert "NOT TRUE. The head" in played("audit", "verify", "jade-river", "--head", "ab" * 32, code=1).out
    with sqlite3.connect(played.folder / "ledger.db") as ledger:
        names = [row[0] for row in ledger.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
        kept = [ledger.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0] for name in names]
        for name in names:
            ledger.execute(f"DROP TRIGGER {name}")
        ledger.execute("UPDATE journal SET at = '2026-11-18 12:00:09' WHERE chain = 'jade-river' AND seq = 3")
        for text in kept:
            ledger.execute(text)
    assert "jade-river: NOT TRUE. Row 3 of jade-river" in played("audit", "verify", "jade-river", code=1).out
    assert "ill   history: row 3 of jade-river" in played("doctor", code=1).out.lower()


@pytest.mark.parametrize("lost", [without_rules, broken_rules])
def test_a_game_whose_rules_are_gone_is_not_said_to_be_true(played: Desk, lost: Gone, tmp_path: Path) -> None:
    target = str(tmp_path / "game.zip")
    played("audit", "export", "jade-river", target)
    with lost("nim"):
        says = "; states and outcome not played again: the rules of nim, version 1, are not here. "
        for asked in (("verify", "jade-river"), ("verify", "--all"), ("check", target)):
            said = played("audit", *asked, code=5).out
            assert "jade-river: chain true; " in said
            assert says in said
            assert "jade-river: true" not in said
            assert "  jade-river cannot be played again here: The" in said
        [verdict] = played.data("audit", "verify", "jade-river", code=5)
        assert (verdict["ok"], verdict["whole"], verdict["turns"]) == (True, False, 0)
        assert "NOT TRUE" in played("audit", "verify", "jade-river", "--head", "ab" * 32, code=1).out
    assert played.data("audit", "verify", "jade-river")[0]["whole"]


def test_weakened_what_could_not_be_checked_counts_as_true(played: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Verdict, "whole", Verdict.ok)
    with without_rules("nim"):
        assert played.data("audit", "verify", "jade-river", code=0)[0]["turns"] == 0, "and nothing was played again"


def test_show_replay_and_why(played: Desk) -> None:
    [step] = played.data("audit", "show", "jade-river", "1")
    assert step["moves"] == {"1": {"move": "b3", "how": "given"}}
    words = played("audit", "show", "jade-river", "1").out
    assert "jade-river, turn 1\n  1: b3 (given)\n  event 1: took " in words
    assert played("audit", "replay", "jade-river").out.endswith(
        "2 steps, each the same to the byte as it was written.\n"
    )
    assert [one["turn"] for one in played.data("audit", "replay", "jade-river", "--turn", "0")] == [0]
    played.refused("audit", "replay", "jade-river", "--turn", "99", code=3, says="no turn 99 that was resolved")
    told = played.data("audit", "why", "jade-river", "1", "1")
    assert (told["rule"], told["orders"][0]["move"]) == (step["events"][0]["rule"], "b3")
    words = played("audit", "why", "jade-river", "1", "1").out
    assert re.search(r"\n  1 moved b3 \(given; submission in row \d+ of .*\)\n    ordered there: b3", words), words


def test_why_of_a_card_that_is_turned_up_leads_to_its_shuffle(desk: Desk) -> None:
    """Which was drawn turns before. Seen red: nothing was said of any draw."""
    desk("new", "khan", "--name", "steppe", "--seat", "red=Anna", "--seat", "yellow=Bruno", "--now", BEGINS)
    for day in range(18, 26):
        desk("nightly", "--now", f"2026-11-{day}T20:00Z", "--jobs", "1")
    [step] = desk.data("audit", "show", "steppe", "8")
    flip = next(number for number, event in enumerate(step["events"], 1) if event["kind"] == "flip")
    said = desk("audit", "why", "steppe", "8", str(flip)).out
    assert re.search(r"\n  drew nothing; drawn last before it, in turn 6 \(row \d+\): shuffle \(71\)", said), said


def test_who_is_shown_all_is_shown_what_single_seats_were_told(desk: Desk) -> None:
    """Seen red: what red drew stood in the turn as red knew it, and not in the whole of it, nor behind the event."""
    desk("new", "khan", "--name", "steppe", "--seat", "red=Anna", "--seat", "yellow=Bruno", "--now", BEGINS)
    for day in range(18, 24):
        desk("nightly", "--now", f"2026-11-{day}T20:00Z", "--jobs", "1")
    [step] = desk.data("audit", "show", "steppe", "6", "--seat", "all")
    number, dealt = next((at, event) for at, event in enumerate(step["events"], 1) if event["kind"] == "deal")
    [(seat, own)] = dealt["hidden"].items()
    for args in (("show", "steppe", "6", "--seat", "all"), ("why", "steppe", "6", str(number))):
        assert f"    to {seat} alone: cards={json.dumps(own['cards'])}\n" in desk("audit", *args).out
    assert "alone:" not in desk("audit", "show", "steppe", "6", "--seat", "red").out


def test_a_look_at_secrets_is_written_down_with_whose_it_was(played: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: with LOGNAME=Anna it was written down, and told to the players, that Anna had looked."""
    import pwd

    def nobody(number: int) -> None:
        raise KeyError("no such user")

    me = pwd.getpwuid(os.getuid()).pw_name
    for name in "LOGNAME", "USER", "LNAME", "USERNAME":
        monkeypatch.setenv(name, "Anna")
    played("audit", "show", "jade-river", "1", "--seat", "1", "--now", NEXT_DAY)
    monkeypatch.setattr(pwd, "getpwuid", nobody)  # a container may run as a number without a name
    played("audit", "show", "jade-river", "1", "--seat", "all", "--now", NEXT_DAY)
    looks = played.data("audit", "log", "jade-river", "--kind", "look")
    assert [look["gist"].partition(": ")[0] for look in looks] == [me, f"user {os.getuid()}"]


def changed(copy: str) -> None:
    """The second row of each chain says another thing, and the guards stand as they stood."""
    with sqlite3.connect(copy) as ledger:
        guards = ledger.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            ledger.execute(f"DROP TRIGGER {name}")
        ledger.execute("UPDATE journal SET at = '2026-11-18T12:00:01Z', hash = zeroblob(32) WHERE seq = 2")
        for _, text in guards:
            ledger.execute(text)
    ledger.close()


def test_a_row_that_differs_is_shown_after_the_look_is_written(played: Desk, tmp_path: Path) -> None:
    """Seen red: a copy whose turn was emptied had the whole state of a running game told, and no look was written."""
    copy = str(tmp_path / "copy.db")
    played("backup", copy)
    changed(copy)
    for chain in "jade-river", "@host":  # the host's own rows are no game's
        assert "row 2" in played("audit", "diff", chain, copy, "--now", NEXT_DAY, code=1).out
    assert len(played.data("audit", "log", "jade-river", "--kind", "look")) == 1
    for chain in "jade-river", "@host":
        played("audit", "diff", chain, str(played.folder / "ledger.db"))  # nothing differs, nothing is told
    assert len(played.data("audit", "log", "jade-river", "--kind", "look")) == 1


def test_a_copy_beside_the_own_ledger_is_a_look_as_well(played: Desk, tmp_path: Path) -> None:
    """Seen red: as two files they were told row by row, and no look was written."""
    copy, own = str(tmp_path / "copy.db"), str(played.folder / "ledger.db")
    played("backup", copy)
    played("backup", copy + "2")
    changed(copy)
    assert "jade-river: row 2" in played("audit", "diff", own, copy, "--now", NEXT_DAY, code=1).out
    [look] = played.data("audit", "log", "jade-river", "--kind", "look")
    assert look["gist"].endswith("row 2, where two ledgers differ")
    played("audit", "diff", copy, copy + "2", "--now", NEXT_DAY, code=1)  # whose files these are nobody can know
    assert len(played.data("audit", "log", "jade-river", "--kind", "look")) == 1


def test_the_own_ledger_beside_an_export_is_a_look_as_well(played: Desk, tmp_path: Path) -> None:
    """Seen red: an export with a row of no sense in it had the row of the ledger told, and no look was written."""
    own, target = str(played.folder / "ledger.db"), tmp_path / "game.zip"
    played("audit", "export", "jade-river", target, "--referee", "--now", NEXT_DAY)
    with zipfile.ZipFile(target) as file:
        header, *rows = map(json.loads, file.read("history.jsonl").splitlines())
    said = {"at": "2026-11-18T12:00:00Z", "chain": header["game"], "kind": "turn", "seq": 2}
    rows[1] |= {"hash": "00" * 32, "salt": "00" * 32, "row": said | {"body": {}, "seat": None, "turn": 0}}
    with zipfile.ZipFile(tmp_path / "odd.zip", "w") as file:
        file.writestr("history.jsonl", "\n".join(map(json.dumps, [header, *rows])))
    for number, args in enumerate(((own, tmp_path / "odd.zip"), (tmp_path / "odd.zip", own)), 1):
        assert "body.state" in played("audit", "diff", *args, "--now", NEXT_DAY, code=1).out
        looks = played.data("audit", "log", "jade-river", "--kind", "look")
        gists = [look["gist"].partition(": ")[2] for look in looks]
        assert gists == ["an export with every row opened", *["row 2, where two histories differ"] * number]


def test_two_backups_are_compared_where_the_ledger_is_lost(played: Desk, tmp_path: Path) -> None:
    """Seen red: "ledger.db cannot be used", at the very time when backups are all there is."""
    copy = str(tmp_path / "copy.db")
    played("backup", copy)
    (played.folder / "ledger.db").unlink()
    assert played("audit", "diff", copy, copy).out == "They are the same, row by row.\n"


def test_an_opened_export_is_a_look_whatever_files_lie_here(played: Desk, tmp_path: Path) -> None:
    """Seen red: beside an empty file of the game's name every row was opened, and no look was written."""
    (played.folder / "jade-river").touch()
    played("audit", "export", "jade-river", tmp_path / "game.zip", "--referee", "--now", NEXT_DAY)
    (played.folder / "jade-river").unlink()
    [look] = played.data("audit", "log", "jade-river", "--kind", "look")
    assert look["gist"].endswith("an export with every row opened")


def test_a_page_with_secrets_is_its_owners_before_they_stand_in_it(
    played: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: everybody could read it until it was whole."""
    modes, write = [], Path.write_text

    def watched(path: Path, *text: str, **how: str) -> int:
        modes.append(path.stat().st_mode & 0o077 if path.exists() else None)
        return write(path, *text, **how)

    monkeypatch.setattr(Path, "write_text", watched)
    played("audit", "page", "jade-river", tmp_path / "game.html", "--referee", "--now", NEXT_DAY)
    assert modes == [0]


def test_what_a_file_keeps_sealed_is_not_told_as_none(played: Desk, tmp_path: Path) -> None:
    """Seen red: of a file with every turn sealed, "0 draws." and "0 steps, each the same to the byte" were said."""
    target = str(tmp_path / "game.zip")
    played("audit", "export", "jade-river", target)
    with zipfile.ZipFile(target) as file:
        _, *rows = map(json.loads, file.read("history.jsonl").splitlines())
    assert len(rows) == 1
    told = "jade-river goes on: of its rows only the first is in this file.\n"
    assert played("audit", "rolls", target).out.endswith(told)
    assert played("audit", "replay", target).out == f"0 steps: nothing was played again.\n{told}"
    assert "goes on" not in played("audit", "replay", "jade-river").out


def test_an_export_is_one_file_that_checks_itself(played: Desk, tmp_path: Path) -> None:
    target = tmp_path / "game.zip"
    assert played.data("audit", "export", "jade-river", target) == {"file": str(target), "rows": 1}
    assert played.data("audit", "check", target)[0]["ok"] is True
    said = played("audit", "check", target).out
    assert said.startswith("jade-river: true. 1 row, ")
    assert "this file holds its first row and the heads of 2 turns" in said
    alone = subprocess.run([sys.executable, "-I", target], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert alone.returncode == 0, alone
    played.refused("audit", "export", "jade-river", target, code=3, says="already")
    raw = bytearray(target.read_bytes())
    raw[zipfile.ZipFile(target).getinfo("history.jsonl").header_offset + 80] ^= 1
    target.write_bytes(raw)
    played.refused("audit", "check", target, code=3, says="or is damaged")


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("log", "jade-rive"), 3, "did you mean jade-river?"),
        (("log", "jade-river", "--since", "noon"), 3, "write it like"),
        (("log", "jade-river", "--turn", "x"), 2, "'x' is not a whole number"),
        (("log",), 2, "Missing argument 'NAME'"),
        (("show", "jade-river", "7"), 3, "has no turn 7 that was resolved"),
        (("show", "jade-river", "x"), 2, "'x' is not a whole number"),
        (("show", "jade-river", "1", "--seat", "9"), 3, "its seats are 1, 2"),
        (("verify",), 2, "Name a game, or --all."),
        (("verify", "jade-river", "--all"), 2, "Name a game, or --all."),
        (("verify", "lake"), 3, "has no history of 'lake'."),
        (("verify", "jade-river", "--head", "xyz"), 2, "'xyz' is not made of 64 hexadecimal digits."),
        (("replay", "jade-rver"), 3, "did you mean jade-river?"),
        (("why", "jade-river", "1", "99"), 3, "its events are numbered 1 to"),
        (("why", "jade-river", "1", "1", "--lang", "xx"), 3, "not a language of the rules; choose one of en, fr, it."),
        (("why", "jade-river", "9", "1"), 3, "has no turn 9 that was resolved; its turns are 0 to 1."),
        (("replay", "jade-river", "--turn", "9"), 3, "has no turn 9 that was resolved; its turns are 0 to 1."),
        (("log", "jade-river", "--seat", "9"), 3, "its seats are 1, 2"),
        (("show", "@host", "1"), 3, "is no game"),
        (("export", "@host", "x.zip"), 3, "is no game"),
        (("why", "jade-river", "1", "0"), 2, "'0' is not a whole number from 1"),
        (("export", "jade-river", "inbox"), 2, "is a directory"),
        (("export", "jade-river", "no/where.zip"), 3, "There is no folder no; make it first."),
        (("export", "jade-river", "x.zip", "--mails"), 2, "--mails goes with --referee"),
        (("export", "jade-rver", "x.zip"), 3, "did you mean jade-river?"),
        (("check", "nowhere.zip"), 2, "does not exist"),
        (("check", "pbem.toml"), 3, "is not an export of pbem"),
        (("check", "ledger.db"), 3, "is not an export of pbem"),
        (("verfy", "jade-river"), 2, "did you mean 'verify'?"),
        (("x",), 2, "there are check, check-mail, diff, export, log"),
    ],
)
def test_audit_refuses(played: Desk, args: tuple[str, ...], code: int, says: str) -> None:
    played.refused("audit", *args, code=code, says=says)


# --- referee ----------------------------------------------------------------------------------------------------------


def test_a_game_is_held_and_goes_on(desk: Desk) -> None:
    held = desk.data("referee", "pause", "jade-river", "--reason", "Anna is ill", "--now", LATER)
    assert held == {"game": "jade-river", "ruling": "pause", "deadline": None}
    assert desk.data("nightly", "--now", DEADLINE)["resolved"] == 0
    on = desk("referee", "resume", "jade-river", "--reason", "she is well", "--now", NEXT_DAY).out
    assert on == "jade-river goes on. The next deadline is 2026-11-20T20:00:00Z.\n"
    gists = [row["gist"] for row in desk.data("audit", "log", "jade-river", "--kind", "ruling")]
    assert gists == ["pause: Anna is ill", "resume: she is well"]


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("pause", "jade-river"), 2, "Missing option '--reason'"),
        (("pause", "jade-river", "--reason", " "), 2, "--reason must say something"),
        (("pause", "jade-rver", "--reason", "x"), 3, "did you mean jade-river?"),
        (("resume", "jade-river", "--reason", "x"), 3, "only a game that was halted or paused can be resumed"),
        (("puase", "jade-river"), 2, "did you mean 'pause'?"),
    ],
)
def test_referee_refuses(desk: Desk, args: tuple[str, ...], code: int, says: str) -> None:
    desk.refused("referee", *args, code=code, says=says)


def test_what_is_held_is_not_held_twice(desk: Desk) -> None:
    desk("referee", "pause", "jade-river", "--reason", "x", "--now", BEGINS)
    desk.refused("referee", "pause", "jade-river", "--reason", "x", code=3, says="only an open game can be paused")


# --- comparing --------------------------------------------------------------------------------------------------------


def test_two_turns_and_two_histories_compared(played: Desk, tmp_path: Path) -> None:
    words = played("audit", "diff", "jade-river", "--turns", "0", "1", code=1).out
    assert words.startswith("jade-river, turn 0 and then turn 1: ")
    assert "\n  position: " in words
    assert played.data("audit", "diff", "jade-river", "--turns", "1", "1") == []
    copy, export = str(tmp_path / "copy.db"), str(tmp_path / "jade.pbem")
    played("backup", copy)
    played("audit", "export", "jade-river", export, "--referee", "--now", NEXT_DAY)
    assert played("audit", "diff", "jade-river", copy, code=1).out.startswith("jade-river: the second ends at row ")
    played("backup", copy + "2")
    assert played("audit", "diff", copy + "2", "jade-river").out == "They are the same, row by row.\n"
    assert [one["chain"] for one in played.data("audit", "diff", copy, copy + "2", code=1)] == ["jade-river"]
    assert played.data("audit", "diff", export, copy + "2") == []
    for wrong in (("jade-river",), ("jade-river", copy, "--turns", "0", "1"), ("jade-river", copy, "--seat", "1")):
        played("audit", "diff", *wrong, code=2)
    assert "no history of 'jade'" in played("audit", "diff", "jade", copy, code=3).err
    (tmp_path / "no.db").write_bytes(b"SQLite format 3\0 and no more")
    assert played("audit", "diff", str(tmp_path / "no.db"), copy, code=3).err


def test_a_comparison_that_shows_secrets_is_a_look(played: Desk) -> None:
    played("audit", "diff", "jade-river", "--turns", "0", "1", "--seat", "all", "--now", NEXT_DAY, code=1)
    played("audit", "rolls", "jade-river", "--now", NEXT_DAY)
    looks = [row["gist"].partition(": ")[2] for row in played.data("audit", "log", "jade-river", "--kind", "look")]
    assert looks == ["two whole turns", "every draw"]


def test_the_log_since_a_turn(played: Desk) -> None:
    rows = played.data("audit", "log", "jade-river")
    opened = next(row["seq"] for row in rows if (row["kind"], row["turn"]) == ("turn", 0))
    assert [row["seq"] for row in played.data("audit", "log", "jade-river", "--since-turn", "1")] == [
        row["seq"] for row in rows if row["seq"] > opened
    ]
    assert (
        "Turn 9 of jade-river is not opened yet"
        in played("audit", "log", "jade-river", "--since-turn", "9", code=3).err
    )


def test_orders_that_wait_are_shown_and_the_look_is_written_down(played: Desk) -> None:
    played("submit", played.file("c1", seat="2", turn=2), "--now", "2026-11-19T12:00Z")
    assert "2: {" in played("audit", "show", "jade-river", "--sealed", "--now", NEXT_DAY).out
    assert played.data("audit", "show", "jade-river", "--sealed", "--seat", "1", "--now", NEXT_DAY) == {"1": None}
    rows = played.data("audit", "log", "jade-river", "--kind", "look")
    assert [(row["seat"], row["gist"].partition(": ")[2]) for row in rows] == [
        (None, "orders that wait"), ("1", "orders that wait"),
    ]  # fmt: skip
    played("audit", "show", "jade-river", code=2)
    played("audit", "show", "jade-river", "1", "--sealed", code=2)


def test_verified_by_the_mails_that_were_kept(played: Desk, tmp_path: Path) -> None:
    played("deliver")
    mails = str(played.folder / "outbox")
    assert played("audit", "verify", "jade-river", "--mails", mails).out.startswith("jade-river: true.")
    assert played.data("audit", "verify", "--all", "--mails", mails)[0]["ok"]
    export = str(tmp_path / "jade.pbem")
    played("audit", "export", "jade-river", export)
    said = played("audit", "check", export, "--mails", mails, code=5).out
    assert (
        "1 mailed heads not compared: a file of a running game holds the heads of its turns only" in said
    )  # a receipt
    assert "2 mailed heads are those of turns in this file." in said
    stranger = tmp_path / "kept"
    stranger.mkdir()
    assert "No mail in" in played("audit", "verify", "jade-river", "--mails", str(stranger), code=3).err
    (stranger / "x.eml").write_text(f"Subject: [jade-river] x\n\nLedger head: {'ab' * 32}\n")
    said = played("audit", "verify", "jade-river", "--mails", str(stranger), code=5).out
    assert said.startswith(f"jade-river: chain true; {'ab' * 32} of x.eml, in a mail that the host did not sign"), said
    assert "1 of 1 kept mails prove nothing" in said
    assert "NOT TRUE" not in played("audit", "verify", "--all", "--mails", str(stranger), code=5).out


def test_a_report_to_a_seat_and_a_message_set_aside_are_looks(played: Desk) -> None:
    played("report", "jade-river", "--now", NEXT_DAY)
    played("report", "jade-river", "--seat", "1", "--now", NEXT_DAY)
    looks = [
        (row["seat"], row["gist"].partition(": ")[2])
        for row in played.data("audit", "log", "jade-river", "--kind", "look")
    ]
    assert looks == [("1", "a report to seat 1")]
    played("submit", played.file("b3", turn=1), "--now", NEXT_DAY, code=1)
    text = played.file("b1", turn=2).read_text().replace("key: ", "key: A")
    (played.folder / "orders.yml").write_text(text)
    played("submit", played.folder / "orders.yml", "--now", NEXT_DAY, code=1)
    [kept] = played.data("quarantine", "list")
    played("quarantine", "show", kept["sha256"][:8], "--now", NEXT_DAY)
    [row] = played.data("audit", "log", "@host", "--kind", "look")
    assert row["gist"].endswith(f"message {kept['sha256'][:12]}, which was set aside")


def test_a_game_that_was_begun_so_tells_of_looks(desk: Desk) -> None:
    desk("new", "nim", "--name", "open-house", "--seat", "1=Anna", "--seat", "2=Bruno", "--tell-looks", "--now", LATER)
    desk("audit", "show", "open-house", "--sealed", "--now", LATER)
    desk("audit", "show", "jade-river", "--sealed", "--now", LATER)
    desk("nightly", "--now", NEXT_DAY, "--jobs", "1")
    told = "has looked at what is still secret in this game"
    assert told in " ".join(desk("report", "open-house", "--seat", "1", "--now", NEXT_DAY).out.split())
    assert told not in " ".join(desk("report", "jade-river", "--seat", "1", "--now", NEXT_DAY).out.split())
