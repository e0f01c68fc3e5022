"""A game that waits for its dice, at the command line: every command says what it can do with it, and none falls."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pbem.cli.conftest import bare, desk, dropped_in_time, nobody_elses_host, prepared
from tests.pbem.cli.desk import BEGINS, DEADLINE, LATER, NEXT_DAY, Desk
from tests.pbem.seeding.conftest import VALUE

__all__ = ["bare", "desk", "dropped_in_time", "nobody_elses_host", "prepared"]

NEW = ("new", "yut", "--name", "wood", "--seat", "blue=Anna", "--seat", "orange=Bruno", "--now", BEGINS)
BEACON = ("--beacon", "drand quicknet, round 12345678", "--beacon-at", NEXT_DAY)
WAITING = (
    ("status",),
    ("status", "--all"),
    ("show", "wood"),
    ("forecast",),
    ("forecast", "wood"),
    ("site", "site"),
    ("report", "wood", "--seat", "blue"),
    ("report", "wood"),
    ("report", "wood", "--format", "page"),
    ("report", "wood", "--seat", "blue", "--format", "page"),
    ("nightly", "--now", LATER),
    ("deliver", "--now", LATER),
    ("remind", "--now", LATER),
    ("doctor",),
    ("doctor", "--rebuild"),
    ("doctor", "--new-key", "--reason", "x"),
    ("backup", "copy.zip"),
    ("audit", "verify", "--all"),
    ("audit", "verify", "wood"),
    ("audit", "log", "wood"),
    ("audit", "show", "wood", "--sealed"),
    ("audit", "show", "wood", "1"),
    ("audit", "why", "wood", "1", "1"),
    ("audit", "rolls", "wood"),
    ("audit", "replay", "wood"),
    ("audit", "page", "wood", "page.html"),
    ("audit", "export", "wood", "wood.pbem"),
    ("audit", "export", "wood", "wood.pbem", "--referee"),
    ("referee", "pause", "wood", "--reason", "x"),
    ("referee", "resume", "wood", "--reason", "x"),
    ("referee", "extend", "wood", "--by", "2d", "--reason", "x"),
    ("referee", "void", "wood", "blue", "--reason", "x"),
    ("referee", "rule", "wood", "so be it"),
    ("referee", "schedule", "wood", "think=48h", "--reason", "x"),
    ("referee", "silence", "wood", "stand-in", "--reason", "x"),
    ("referee", "substitute", "wood", "blue", "Carla", "--reason", "x"),
    ("referee", "take-back", "wood", "--to", "1", "--reason", "x"),
    ("referee", "disputes", "wood"),
    ("player", "show", "Anna"),
    ("player", "forget", "Anna"),
    ("player", "forget", "Anna", "--anyway"),
    ("new", "yut", "--name", "wood", "--seat", "blue=Anna", "--seat", "orange=Bruno"),
)


@pytest.mark.parametrize("how", [("--dice", "players"), BEACON], ids=["players", "beacon"])
@pytest.mark.parametrize("command", WAITING, ids=lambda command: " ".join(command[:3]))
def test_no_command_falls_over_a_game_that_waits(desk: Desk, how: tuple[str, ...], command: tuple[str, ...]) -> None:
    from pbem.cli import run

    desk(*NEW, *how)
    desk("deliver", "--now", BEGINS)
    assert run(["player", "add", "Carla", "carla@example.org"]) == 0
    code = run(list(command))
    assert code not in (2, 70), (command, code)
    assert run(["audit", "verify", "--all"]) == 0
    assert run(["nightly", "--now", "2026-11-30T20:00Z"]) in (0, 1)
    assert run(["audit", "verify", "--all"]) == 0


def test_a_game_waits_for_a_public_value(desk: Desk, tmp_path: Path) -> None:
    begun = desk.data(*NEW, *BEACON)
    assert begun["waits_for_dice"] is True
    desk.refused(
        "referee", "beacon", "wood", VALUE, "--source", "api.drand.sh", "--now", DEADLINE, code=3, says="known"
    )
    desk.refused("referee", "beacon", "wood", "12", "--source", "x", "--now", NEXT_DAY, code=3, says="no public value")
    desk("deliver", "--now", BEGINS)
    letters = list((desk.folder / "outbox" / "wood").rglob("*.txt"))
    assert letters
    assert all("drand quicknet, round 12345678" in " ".join(one.read_text().split()) for one in letters)
    told = desk("referee", "beacon", "wood", VALUE.upper(), "--source", "api.drand.sh", "--now", NEXT_DAY).out
    assert VALUE in told
    desk("deliver", "--now", NEXT_DAY)
    assert VALUE in desk("report", "wood", "--seat", "blue").out.replace("\n", " ")
    desk.refused("referee", "beacon", "wood", VALUE, "--source", "x", "--now", NEXT_DAY, code=3, says="does not wait")
    assert desk("audit", "verify", "wood").out
