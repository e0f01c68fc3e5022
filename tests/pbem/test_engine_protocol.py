"""The protocol for programs: whole games over it, and every wrong request answered."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from engine import load
from pbem.engine_protocol import LONGEST, Session


def ask(session: Session, **request: Any) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(session.answer(json.dumps(request)))
    return said


def begun(game: str, **options: str) -> Session:
    session = Session(load(game), options)
    assert ask(session, do="new", seed="00ff")["ok"]
    return session


@pytest.mark.parametrize("game", ["nim", "vault", "bagh-chal", "yuan"])
def test_a_whole_game(game: str) -> None:
    """Every seat is asked its menu, then a bot of ours, as a program would do."""
    session = begun(game)
    said = ask(session, do="position")
    for _ in range(300):
        if not said["pending"]:
            break
        moves = {}
        for seat in said["pending"]:
            menu = ask(session, do="moves", seat=seat)
            moves[seat] = ask(session, do="choose", seat=seat, bot="greedy")["move"]
            assert not menu["complete"] or moves[seat] in menu["moves"]
            assert ask(session, do="default", seat=seat)["move"]
        said = ask(session, do="play", moves=moves)
        assert said["ok"]
        assert said["moves"] == moves
    assert said["outcome"]["places"]
    assert ask(session, do="position") == {k: v for k, v in said.items() if k not in ("moves", "events", "draws")}


def test_the_same_seed_is_the_same_game() -> None:
    one, other = (ask(begun("vault"), do="position")["position"] for _ in range(2))
    assert one == other
    session = begun("vault")
    assert ask(session, do="new", seed="01")["position"] != one


def test_a_position_is_taken_and_told() -> None:
    session = Session(load("nim"), {})
    assert ask(session, do="position", line="nim1 0-1-0 2 normal 0 -")["pending"] == ["2"]
    assert ask(session, do="moves")["moves"] == ["b1"]  # one seat is asked, so it need not be named
    assert ask(session, do="play", moves={"2": {"do": "take", "heap": "b", "count": 1}})["outcome"]["scores"] == {
        "1": 0,
        "2": 1,
    }


def test_a_view_is_that_of_its_seat() -> None:
    session = begun("vault")
    assert ask(session, do="view", seat="red")["view"]["hand"]
    assert ask(session, do="view")["view"]["hand"] is None


def test_a_move_at_once_may_stand_alone() -> None:
    session = begun("vault")
    assert ask(session, do="play", moves={"blue": "resign"})["pending"] == ["red", "green"]


def test_options_for_every_new_game() -> None:
    assert begun("nim", heaps="5").rules.position(begun("nim", heaps="5").state).startswith("nim1 5 ")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "not_json"),
        ("{", "not_json"),
        ("[" * 100_000, "not_json"),
        ("7", "not_an_object"),
        ('{"do": "dance"}', "unknown_request"),
        ('{"do": ["moves"]}', "unknown_request"),
        ('{"do": "new", "options": {"heap": "3"}}', "bad_option"),
        ('{"do": "new", "options": []}', "bad_value"),
        ('{"do": "new", "seed": "xyz"}', "bad_seed"),
        ('{"do": "new", "seed": 5}', "bad_seed"),
        ('{"do": "position", "line": "nonsense"}', "bad_position"),
        ('{"do": "moves", "seat": "9"}', "no_seat"),
        ('{"do": "moves", "seat": "2"}', "not_asked"),
        ('{"do": "moves", "most": "many"}', "bad_number"),
        ('{"do": "choose", "bot": "./mine"}', "unknown_bot"),
        ('{"do": "read", "order": 5}', "bad_order"),
        ('{"do": "read", "order": "z9"}', "refused"),
        ('{"do": "play", "moves": {}}', "not_all"),
        ('{"do": "play", "moves": {"1": "a9"}}', "refused"),
        ('{"do": "moves", "x": "' + "y" * LONGEST + '"}', "too_long"),
    ],
)
def test_what_is_wrong_is_an_answer(line: str, code: str) -> None:
    session = begun("nim")
    said = json.loads(session.answer(line))
    assert (said["ok"], said["error"]["code"]) == (False, code)
    assert said["error"]["text"]
    assert ask(session, do="position")["ok"]  # and the session goes on


def test_there_is_no_game_before_new() -> None:
    said = ask(Session(load("nim"), {}), do="moves", id=[1])
    assert (said["error"]["code"], said["id"]) == ("no_game", [1])


def test_the_command_line() -> None:
    requests = '{"do": "new"}\n\n\xff\n{"do": "moves", "most": 1, "id": "m"}\n{"do": "quit"}\n{"do": "moves"}\n'
    command = [sys.executable, "-c", "from pbem.cli import main; main()", "engine", "nim", "--option", "heaps=2"]
    done = subprocess.run(command, input=requests.encode("latin-1"), capture_output=True, check=True, timeout=60)
    first, bad, moves, bye = map(json.loads, done.stdout.decode().splitlines())
    assert first["position"] == "nim1 2 1 normal 0 -"
    assert bad["error"]["code"] == "not_json"
    assert moves == {"complete": False, "id": "m", "moves": ["a1"], "ok": True}
    assert bye == {"ok": True}
