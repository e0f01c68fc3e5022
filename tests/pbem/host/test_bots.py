"""Bots at seats: ours and other people's, their orders on the ordinary way, and what becomes of their silence."""

from __future__ import annotations

import stat
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from pbem import faults
from pbem.audit.verify import verify_ledger
from pbem.bots import asking
from pbem.bots.programs import NoOrders, built_in, read_answer
from pbem.deadlines.schedule import Schedule
from pbem.errors import Trouble
from pbem.game.hosting import NewGame, add_player, new_game
from pbem.ledger import journal
from pbem.ledger.opening import facts_of
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, secret

SHELL = """#!/bin/sh
read question
echo "$question" | sed 's/.*"default": "\\([^"]*\\)".*/\\1/'
"""
PYTHON = f"""#!{sys.executable}
import json, sys
question = json.loads(input())
sys.stderr.write("thinking")
print(json.dumps({{"orders": [question["moves"][-1]]}}))
"""


def seat(
    host: Host,
    rules: str,
    seats: Mapping[str, str],
    name: str = "game",
    schedule: str = "nightly 20:00",
    **options: str,
) -> None:
    """A game with these players and bots."""
    with host.ledger.write() as tx:
        wanted = NewGame(
            rules=rules,
            name=name,
            seats=seats,
            options=options,
            schedule=Schedule.read(schedule),
            seed=secret(f"seed {name}"),
            secret=secret(f"chain {name}"),
        )
        new_game(tx, host.config, wanted, NOON)


def program(host: Host, name: str, text: str) -> str:
    path = host.config.folder / name
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return f"bot: ./{name}"


def rows(host: Host, kind: str, name: str = "game") -> list[dict[str, Any]]:
    with host.ledger.read() as tx:
        return [facts_of(tx, row.facts()) for row in journal.rows(tx, name) if row.kind == kind]


def moves(host: Host, name: str = "game") -> list[dict[str, dict[str, Any]]]:
    return [facts["moves"] for facts in rows(host, "turn", name)][1:]


def test_a_game_between_bots_is_played_to_its_end_in_one_night(host: Host) -> None:
    seat(host, "nim", {"1": "bot: greedy", "2": "bot: random"})
    summary = host.night(NOON)
    assert host.status() == "over"
    assert summary.over == ["game"]
    assert summary.runs > 1, "the bots take it further and further"
    assert (summary.resolved, summary.turns) == (1, len(moves(host))), "and it is one game all the same"
    assert all(made["how"] == "given" for turn in moves(host) for made in turn.values())
    assert all(said["route"] == "bot" and said["fate"] == "accepted" for said in rows(host, "submission"))
    assert rows(host, "mail") == []  # nobody reads them
    assert all(verdict.ok for verdict in verify_ledger(host.ledger))


def test_a_bot_answers_a_person_in_the_same_night_and_the_person_is_asked_next(host: Host) -> None:
    seat(host, "nim", {"1": "player-1", "2": "bot: greedy"}, heaps="3-4-5")
    host.night(NOON)
    assert host.row().turn == 1  # nothing to ask a bot yet
    host.order("1", "b1")
    host.night(DEADLINE)
    assert [list(turn) for turn in moves(host)] == [["1"], ["2"]]
    assert host.row().pending == ["1"]
    assert host.row().deadline_at == DEADLINE + DAY
    assert host.row().due_at == DEADLINE + DAY


def test_a_bot_answers_on_arrival(host: Host) -> None:
    seat(host, "nim", {"1": "player-1", "2": "bot: greedy"}, schedule="on-arrival 20:00", heaps="3-4-5")
    host.order("1", "b1")
    assert [list(turn) for turn in moves(host)] == [["1"], ["2"]]


def test_bots_among_persons_in_a_game_with_secrets_and_questions(host: Host) -> None:
    seat(host, "vault", {"red": "bot: monte-carlo 60", "green": "player-green", "blue": "bot: greedy"})
    for day in range(12):
        if host.status() != "open":
            break
        host.night(NOON + day * DAY)
        host.night(DEADLINE + day * DAY)
    assert host.status() == "over"
    hows = {(who, made["how"]) for turn in moves(host) for who, made in turn.items()}
    assert {("red", "given"), ("blue", "given"), ("green", "default")} <= hows
    assert ("red", "default") not in hows
    assert {mail["kind"] for mail in rows(host, "mail")} == {"report"}


def test_a_night_begun_again_asks_the_same_and_writes_nothing_twice(make_host: Any) -> None:
    """A bot of ours has luck of its own that the chain's secret fixes."""
    heads = []
    for name in ("one", "other"):
        host = make_host(name)
        seat(host, "nim", {"1": "bot: random", "2": "bot: monte-carlo 40"}, heaps="3-4-5")
        host.night(NOON)
        heads.append(moves(host))
    assert heads[0] == heads[1]


@pytest.mark.parametrize("point", ["bot-answered", "message-read", "message-settled", "after-turns"])
def test_a_night_that_is_killed_while_a_bot_plays_comes_to_the_same(make_host: Any, point: str) -> None:
    class Killed(BaseException):
        """The power went."""

    def die(passed: str) -> None:
        if passed == point:
            raise Killed

    ends = []
    for name in ("whole", "killed"):
        host = make_host(name)
        seat(host, "nim", {"1": "bot: random", "2": "bot: greedy"}, heaps="3-4")
        if name == "killed":
            faults.arm(die)
            try:
                with pytest.raises(Killed):
                    host.night(NOON)
            finally:
                faults.arm(None)
        host.night(NOON)
        assert host.status() == "over"
        ends.append(([row["fate"] for row in rows(host, "submission")], moves(host)))
    assert ends[0] == ends[1]


@pytest.mark.parametrize(("name", "text"), [("shell-bot", SHELL), ("python-bot", PYTHON)])
def test_a_program_in_any_language_plays(host: Host, name: str, text: str) -> None:
    seat(host, "nim", {"1": program(host, name, text), "2": "bot: greedy"}, heaps="2-2")
    host.night(NOON)
    assert host.status() == "over"
    assert {said["fate"] for said in rows(host, "submission")} == {"accepted"}


FAILING = {
    "ends": ("#!/bin/sh\nexit 3\n", "code 3"),
    "sleeps": ("#!/bin/sh\nsleep 60\n", ""),
    "mute": ("#!/bin/sh\nread question\n", "nothing that could be an order"),
    "illegal": ("#!/bin/sh\necho z9\n", "not taken"),
    "spins": ("#!/bin/sh\nwhile :; do :; done\n", ""),
    "shouts": ("#!/bin/sh\nyes 'a1 b2 c3'\n", ""),
}


@pytest.mark.parametrize("fault", FAILING)
def test_a_bot_that_fails_is_silent_and_that_is_written_down(
    host: Host, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "SECONDS", 1)
    text, told = FAILING[fault]
    seat(host, "nim", {"1": program(host, fault, text), "2": "player-2"}, heaps="2-2")
    host.night(NOON)
    (silent,) = rows(host, "bot_silent")
    assert told in silent["why"]
    assert host.row().turn == 1
    assert host.row().due_at == DEADLINE  # it is not asked again and again
    host.night(NOON)
    assert len(rows(host, "bot_silent")) == 1
    host.night(DEADLINE)
    assert moves(host)[0]["1"]["how"] == "default"
    assert all(verdict.ok for verdict in verify_ledger(host.ledger))


def test_a_program_is_told_what_its_seat_may_know_and_no_more(host: Host) -> None:
    teller = f"""#!{sys.executable}
import json
question = json.loads(input())
facts = question["view"]
hidden = [seat for seat in facts["seats"] if "hand" in seat]
print("pass" if question["seat"] == "red" and facts["hand"] and not hidden and "?" in question["position"] else "no")
"""
    others = {"green": "player-green", "blue": "player-blue"}
    seat(host, "vault", {"red": program(host, "teller", teller), **others})
    host.night(NOON)
    (said,) = rows(host, "submission")
    assert said["understood"] == ["pass"]


def test_a_program_may_write_no_file(host: Host) -> None:
    writer = f"""#!{sys.executable}
from pathlib import Path
try:
    Path("stolen").write_text("x")
    print("b1")
except OSError:
    print("a1")
"""
    seat(host, "nim", {"1": program(host, "writer", writer), "2": "player-2"}, heaps="2-2")
    host.night(NOON)
    assert rows(host, "submission")[0]["understood"] == ["a1"]


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ("bot: clever", "Ours are random, greedy, monte-carlo"),
        ("bot: ./missing", "no program that can be run"),
        ("bot:", "There is no bot"),
    ],
)
def test_a_bot_there_is_not_is_refused_when_the_game_is_begun(host: Host, bot: str, told: str) -> None:
    with pytest.raises(Trouble, match=told):
        seat(host, "nim", {"1": bot, "2": "player-2"})


def test_no_person_is_named_like_a_bot(host: Host) -> None:
    with pytest.raises(Trouble, match="those of bots"), host.ledger.write() as tx:
        add_player(tx, "bot: greedy", "a@players.example", "en", "UTC", NOON)


@pytest.mark.parametrize(
    ("said", "orders"),
    [
        ('{"move": "a1"}\n', ["a1"]),
        ('{"orders": ["a1", "b2"]}', ["a1", "b2"]),
        ("a1\n\n  b2  \n", ["a1", "b2"]),
    ],
)
def test_what_a_program_may_say(said: str, orders: list[str]) -> None:
    assert read_answer(said) == orders


@pytest.mark.parametrize(
    "said", ["", "{}", '{"orders": []}', '{"orders": "a1"}', '{"move": 3}', "a\x001", "a1\n" * 201]
)
def test_what_a_program_may_not_say(said: str) -> None:
    with pytest.raises(NoOrders):
        read_answer(said)


def test_our_bots_by_name() -> None:
    assert built_in("greedy") is not None
    assert built_in("monte-carlo 500").budget == 500  # type: ignore[union-attr]
    assert built_in("./greedy") is None
    assert built_in("greedy 500") is None
