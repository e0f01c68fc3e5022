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
