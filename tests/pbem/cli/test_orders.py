"""check and submit: order files of every kind, from a file, a pipe or no file at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from tests.pbem.cli.desk import DEADLINE, LATER, Desk

WRONG = "nim-like words that are no move"


def queue(desk: Desk) -> bool:
    """Whether seat 1 has answered."""
    [game] = desk.data("status", "--now", LATER)["games"]
    return bool(game["waiting"][0]["answered"])


def test_check_says_what_submit_would_do_and_stores_nothing(desk: Desk) -> None:
    ledger = (desk.folder / "ledger.db").read_bytes()
    said = desk("check", desk.file("b3"), "--now", LATER)
    assert said.out == "orders.yml:6:5: order 1: b3.\norders.yml: It would be taken.\n"
    assert not queue(desk)
    assert (desk.folder / "ledger.db").read_bytes() == ledger


def test_check_as_json(desk: Desk) -> None:
    found = desk.data("check", desk.file("b3"), "--now", LATER)
    assert list(found) == ["fate", "orders", "problems", "notices", "stands", "kept", "told"]
    assert (found["fate"], found["orders"][0]["move"], found["stands"]) == ("accepted", "b3", {"queue": ["b3"]})
    assert found["told"][-1] == "orders.yml: It would be taken."


def test_check_tells_nobody_what_stands_already(desk: Desk) -> None:
    """Seen red: with the key of a seat, orders that lie sealed were read without a look that is written down."""
    desk("submit", desk.file("b3"), "--now", LATER)
    for order, code in (("b3", 0), (WRONG, 1)):
        assert desk.data("check", desk.file(order), "--now", LATER, code=code)["stands"] == {}
    assert desk.data("check", desk.file("c1"), "--now", LATER)["stands"] == {"queue": ["c1"]}


def test_check_and_submit_name_the_limit_that_a_seat_has_reached(desk: Desk) -> None:
    text = (desk.folder / "pbem.toml").read_text()
    assert "submissions = 20 " in text
    (desk.folder / "pbem.toml").write_text(text.replace("submissions = 20 ", "submissions = 2 "))
    for _ in range(2):
        desk("submit", desk.file("b3"), "--now", LATER)
    said = "One seat may send 2 messages while a decision is open, and this seat has."
    assert f"orders.yml: It would not be taken. {said}" in desk("check", desk.file("b3"), "--now", LATER, code=1).out
    found = desk.data("check", desk.file("c1"), "--now", LATER, code=1)
    assert (found["fate"], found["stands"]) == ("refused", {})
    assert f"orders.yml: stored, and refused. {said}" in desk("submit", desk.file("b3"), "--now", LATER, code=1).out
    taken = desk.data("submit", desk.file("b3"), "--now", LATER, code=1)
    assert (taken["fate"], taken["reason"], taken["receipt"]) == ("refused", "too_many", None)


def test_check_of_a_wrong_order(desk: Desk) -> None:
    said = desk("check", desk.file(WRONG), "--now", LATER, code=1)
    assert said.out.startswith("orders.yml:6:5: order 1 of 1,")
    assert "It would not be taken. Nothing stands." in said.out
    found = desk.data("check", desk.file(WRONG), "--now", LATER, code=1)
    assert (found["fate"], len(found["problems"])) == ("refused", 1)


def test_check_and_submit_read_standard_input(desk: Desk) -> None:
    text = desk.file("b3").read_bytes()
    assert "standard input: It would be taken." in desk("check", "-", "--now", LATER, stdin=text).out
    assert "Your orders are taken." in desk("submit", "-", "--now", LATER, stdin=text).out
    assert queue(desk)


def test_a_pipe_is_a_file(desk: Desk) -> None:
    text = desk.file("b3").read_text()
    pipe = desk.folder / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    assert "pipe: It would be taken." in desk("check", pipe, "--now", LATER).out
    writer.join()


def test_submit_stores_and_prints_the_receipt_that_is_mailed(desk: Desk) -> None:
    said = desk("submit", desk.file("b3"), "--now", LATER)
    desk("deliver", "--now", LATER)
    mailed = desk.folder / "outbox" / "jade-river" / "1" / "turn-0001-receipt-1.txt"
    assert said.out == mailed.read_text()
    assert queue(desk)


def test_submit_as_json(desk: Desk) -> None:
    found = desk.data("submit", desk.file("b3"), "--now", LATER)
    assert list(found) == ["fate", "reason", "game", "receipt"]
    assert (found["fate"], found["game"], found["receipt"]["counter"]) == ("accepted", "jade-river", 1)
    found = desk.data("submit", desk.file(WRONG), "--now", LATER, code=1)
    assert (found["fate"], found["receipt"]["counter"]) == ("refused", 2)


def test_too_late_is_said_by_both(desk: Desk) -> None:
    assert "was due at 2026-11-18T20:00:00Z" in desk("check", desk.file("b3"), "--now", DEADLINE, code=1).out
    assert "Your orders are not taken." in desk("submit", desk.file("b3"), "--now", DEADLINE, code=1).out


def test_a_resignation_is_foreseen(desk: Desk) -> None:
    """Where the rules know none, it is the host's matter; both commands must say the same of it."""
    file = desk.file("resign")
    foreseen = desk("check", file, "--now", LATER).out
    assert "It would be taken." in foreseen
    assert "Your orders are taken." in desk("submit", file, "--now", LATER).out


def test_a_game_that_is_held_takes_no_orders(desk: Desk) -> None:
    desk("referee", "pause", "jade-river", "--reason", "ill", "--now", LATER)
    assert "jade-river is paused and takes no orders now." in desk("check", desk.file("b3"), "--now", LATER, code=1).out
    assert "takes no orders now" in desk("submit", desk.file("b3"), "--now", LATER, code=1).out


NOBODYS = {
    "empty": (b"", "No order was found here."),
    "blank": (b" \n\n", "No order was found here."),
    "words": (b"hello\n", "No order"),
    "a list": (b"- a\n- b\n", "No order"),
    "binary": (bytes(range(256)) * 8, "which no order holds"),
    "an image": (b"\x89PNG\r\n\x1a\n" + bytes(64), "which no order holds"),
    "half a form": (b"game: jade-river\n", "The line `seat:` is missing"),
    "broken yaml": (b"game: [jade\n", "is not closed"),
    "another game": (
        b"game: jade-rive\nseat: 1\nturn: 1\nkey: AAAA-AAAA\norders:\n  - b3\nend: orders\n",
        "no such game",
    ),
    "a wrong key": (
        b"game: jade-river\nseat: 1\nturn: 1\nkey: AAAA-AAAA\norders:\n  - b3\nend: orders\n",
        "its key is not",
    ),
    "deep": (b"orders: " + b"[" * 2000, "deep"),
    "an alias bomb": (b"a: &a [x]\norders: [*a]\n", "an anchor, which has no place in orders"),
    "larger than is read": (b"# " + b"x" * 40_000, "at most 32768 are read"),
}


@pytest.mark.parametrize("name", list(NOBODYS))
def test_files_that_are_nobodys(desk: Desk, name: str) -> None:
    """check says what is wrong with them; submit keeps them whole, and answers nobody."""
    raw, says = NOBODYS[name]
    file = desk.folder / "odd.yml"
    file.write_bytes(raw)
    said = desk("check", file, code=1)
    assert said.err == ""
    assert all(line.startswith("odd.yml") for line in said.out.splitlines())
    assert says.lower() in said.out.lower()
    assert desk.data("check", file, code=1)["fate"] in ("nobody's", "refused")
    kept = desk.data("submit", file, "--now", LATER, code=1)
    assert (kept["fate"], kept["receipt"]) == ("quarantined", None)
    assert "stored, and set aside" in desk("submit", file, "--now", LATER, code=1).out


@pytest.mark.parametrize("command", ["check", "submit"])
@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        ((), 2, "Missing argument 'FILE'"),
        (("nowhere.yml",), 2, "does not exist"),
        (("inbox",), 2, "is a directory"),
        (("large.yml",), 1, "large.yml is too large: a message may have 1048576 bytes."),
        (("/dev/zero",), 1, "zero is too large"),
        (("ok.yml", "more.yml"), 2, "Got unexpected extra argument"),
    ],
)
def test_files_that_are_none(desk: Desk, command: str, args: tuple[str, ...], code: int, says: str) -> None:
    (desk.folder / "large.yml").write_bytes(b"x" * (1024 * 1024 + 1))
    (desk.folder / "ok.yml").write_text("game: x\n")
    desk.refused(command, *args, code=code, says=says)


def test_standard_input_that_is_closed_or_endless(desk: Desk) -> None:
    desk.refused("check", "-", code=1, says="standard input is too large", stdin=b"x" * 1_200_000)
    desk.refused("check", "-", code=2, says="Standard input is closed; name a FILE.", stdin=None)


def test_a_name_of_a_file_is_shown_as_letters(desk: Desk) -> None:
    """Neither a terminal nor a receipt is steered by what a file is called (G31)."""
    hostile = desk.folder / "a\x1b[2J\nb\udcff.yml"
    desk.file("b3").rename(hostile)
    for command in ("check", "submit"):
        out = desk(command, hostile, "--now", LATER).out
        assert "\x1b" not in out
        assert "\udcff" not in out
    assert desk.data("check", hostile, "--now", LATER)["told"][-1].startswith("a\\x1b[2J\\x0ab")


def test_reading_that_takes_too_much_is_said(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem import messages
    from pbem.bounded import TaskDied

    def dies(*args: object, **more: object) -> None:
        raise TaskDied("cpu")

    monkeypatch.setattr(messages, "read_for_its_game", dies)
    desk.refused("check", desk.file("b3"), code=1, says="orders.yml: reading it took too much (cpu).")
    assert "reading it took too much" in desk("submit", desk.file("b3"), "--now", LATER, code=1).out


def test_everyone_in_goes_on_at_once_where_the_schedule_says_so(desk: Desk, tmp_path: Path) -> None:
    desk(
        "new",
        "nim",
        "--name",
        "fast",
        "--seat",
        "1=Anna",
        "--seat",
        "2=Bruno",
        "--schedule",
        "on-arrival",
        "--now",
        LATER,
    )
    desk("deliver", "--now", LATER)
    text = desk.form("1", game="fast").replace("orders:", "orders: [b3]", 1)
    file = tmp_path / "fast.yml"
    file.write_text("\n".join(line for line in text.splitlines() if not line.startswith(("#", "  -"))))
    desk("submit", file, "--now", LATER)
    assert {game["name"]: game["turn"] for game in desk.data("status")["games"]} == {"fast": 2, "jade-river": 1}
