"""`pbem referee` at the command line."""

from __future__ import annotations

import pytest

from tests.pbem.cli.conftest import desk, nobody_elses_host, prepared
from tests.pbem.cli.desk import DEADLINE, LATER, NEXT_DAY, Desk

__all__ = ["desk", "nobody_elses_host", "prepared"]

AT = ("--now", LATER)


def test_extend(desk: Desk) -> None:
    said = desk("referee", "extend", "jade-river", "--until", NEXT_DAY, "--reason", "a storm", *AT)
    assert said.out == "jade-river has more time. The next deadline is 2026-11-19T20:00:00Z.\n"
    said = desk.data("referee", "extend", "jade-river", "--by", "2d", "--reason", "a flood", *AT)
    assert said == {"game": "jade-river", "ruling": "extend", "deadline": "2026-11-21T20:00:00Z"}
    log = desk("audit", "log", "jade-river", "--kind", "ruling").out
    assert "extend: a storm" in log
    assert "extend: a flood" in log


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("extend", "jade-river", "--reason", "x"), 2, "--until when, or --by how much"),
        (("extend", "jade-river", "--by", "soon", "--reason", "x"), 2, "36h or 2d"),
        (("extend", "jade-river", "--until", DEADLINE, "--reason", "x"), 3, "name a later one"),
        (("extend", "jade-river", "--by", "1h"), 2, "--reason"),
        (("extend", "jade-river", "--by", "1h", "--reason", "x" * 2001), 2, "2000 at most"),
        (("void", "jade-river", "1", "--reason", "x"), 3, "Nothing stands of seat 1"),
        (("void", "jade-river", "9", "--reason", "x"), 3, "its seats are 1, 2"),
        (("rule", "jade-river", " "), 2, "1 to 2000 letters"),
        (("rule", "jade-river", "fair", "--dispute", "4"), 3, "No dispute 4 of jade-river"),
        (("schedule", "jade-river", "sometimes", "--reason", "x"), 3, "sometimes"),
        (("silence", "jade-river", "gold", "--reason", "x"), 3, "gold"),
        (("disputes", "no-game"), 3, "no game named"),
    ],
)
def test_what_cannot_be_ruled(desk: Desk, args: tuple[str, ...], code: int, says: str) -> None:
    assert says in desk("referee", *args, code=code).err


def test_the_others(desk: Desk) -> None:
    assert "has your ruling" in desk("referee", "rule", "jade-river", "Be kind.", *AT).out
    said = desk("referee", "schedule", "jade-river", "think=48h", "--reason", "holidays", *AT).out
    assert "from the next decision on: nightly 20:00 UTC think=48h" in said
    said = desk("referee", "silence", "jade-river", "stand-in", "--reason", "to get on", *AT).out
    assert "another policy of silence: stand-in" in said
    assert desk("referee", "disputes").out == "No dispute waits for an answer.\n"
    assert desk.data("referee", "disputes", "jade-river") == []
    desk("audit", "verify", "jade-river")


def test_disputes_are_shown_to_the_host(desk: Desk) -> None:
    form = desk.form("1")
    key = next(line for line in form.splitlines() if line.startswith("key:")).split()[1]
    mail = (
        f"To: orders+{key.replace('-', '').lower()}.1.1.jade-river@localhost\r\nFrom: a@example.org\r\n"
        "Message-ID: <a@b>\r\nSubject: Re\r\n\r\ndispute: he cheats\r\n"
    )
    desk("receive", stdin=mail.encode())
    desk("fetch", "--now", LATER)
    assert "he cheats" in desk("referee", "disputes").out
    [one] = desk.data("referee", "disputes")
    assert (one["game"], one["number"], one["seat"], one["text"]) == ("jade-river", 1, "1", "he cheats")
    assert "dispute 1 waits for your answer" in desk("status", "--now", LATER).out
    assert desk.data("status", "--now", LATER)["games"][0]["disputes"] == [1]
    assert "he cheats" not in desk("audit", "log", "jade-river").out
    desk("referee", "rule", "jade-river", "He does not.", "--dispute", "1", *AT)
    assert "rule on dispute 1: He does not." in desk("audit", "log", "jade-river").out
    assert desk("referee", "disputes").out == "No dispute waits for an answer.\n"


def test_a_game_that_waits_for_players(desk: Desk) -> None:
    said = desk("new", "nim", "--name", "hill", "--open", "--seat", "1=Anna", "--min-reliability", "80%", *AT).out
    assert "hill (nim) waits for players, for players who keep 80 % of their deadlines: free 2" in said
    assert "join hill" in said
    assert "hill (nim) waits for players" in desk("status", *AT).out
    [one] = desk.data("opening", "list")
    assert (one["name"], one["free"], one["taken"], one["min_reliability"]) == ("hill", ["2"], {"1": "Anna"}, 80)
    assert desk.data("status", *AT)["openings"] == [one]
    assert "has no seat" in desk("opening", "leave", "hill", "Bruno", *AT, code=3).err
    assert "Seat 1 of hill is free again" in desk("opening", "leave", "hill", "Anna", *AT).out
    assert "free still: 1" in desk("opening", "join", "hill", "Bruno", "--seat", "1", *AT).out
    assert "has begun" in desk("opening", "join", "hill", "Anna", *AT).out
    assert desk("opening", "list").out == "No game waits for players.\n"
    desk("audit", "verify", "--all")


def test_a_game_is_given_up_before_it_begins(desk: Desk) -> None:
    desk("new", "nim", "--name", "hill", "--open", "--until", "2026-12-01T00:00Z", *AT)
    assert "waits for players no longer" in desk("opening", "close", "hill", "--reason", "nobody came", *AT).out
    assert "did you mean" not in desk("opening", "close", "hill", "--reason", "again", *AT, code=3).err
    assert "go with --open" in desk("new", "nim", "--name", "x", "--until", "2026-12-01T00:00Z", code=2).err
    assert "leave --open out" in desk("new", "nim", "--name", "x", "--open", "--nonce", "1=a", code=2).err


def test_substitute_take_back_and_volunteer(desk: Desk) -> None:
    desk("player", "add", "Carla", "carla@example.org", *AT)
    desk("nightly", "--now", DEADLINE)
    said = desk(
        "referee", "take-back", "jade-river", "--to", "1", "--reason", "a slip", "--now", "2026-11-18T21:00Z"
    ).out
    assert "goes back to turn 1 when these have agreed: 1, 2" in said
    for asked in ("status", "show jade-river"):
        assert "; take-back to turn 1 asked, still to agree 1, 2" in desk(*asked.split()).out
    [glance] = desk.data("status")["games"]
    assert glance["asked"] == [{"what": "take-back", "turn": 1, "missing": ["1", "2"]}]
    said = desk(
        "referee", "substitute", "jade-river", "1", "Carla", "--reason", "moved", "--now", "2026-11-18T22:00Z"
    ).out
    assert said.startswith("jade-river has Carla at seat 1 now.")
    assert "substitute, tenure 2: moved" in desk("audit", "log", "jade-river", "--kind", "ruling").out
    assert "would take over a seat in nim" in desk("player", "volunteer", "Anna", "--game", "nim").out
    assert desk.data("player", "volunteer", "Anna", "--no")["volunteers"] is None
    shown = desk("player", "show", "Anna").out
    assert "Reliability: 0 % (0 in time, 1 missed)." in shown
    assert desk.data("player", "show", "Carla")["reliability"]["percent"] is None
