"""report, status, show, games and rules: what is printed again, at a glance, and about what can be played."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from engine import games
from tests.pbem.cli.desk import BEGINS, DEADLINE, LATER, NEXT_DAY, Desk
from tests.pbem.cli.without import broken_rules

FORMATS = {"text": "txt", "html": "html", "json": "json"}


@pytest.mark.parametrize("form", list(FORMATS))
def test_a_seats_report_is_printed_to_the_byte(desk: Desk, form: str) -> None:
    desk("nightly", "--now", DEADLINE, "--jobs", "1")
    for seat in ("1", "2"):
        for turn in (1, 2):
            mailed = desk.folder / "outbox" / "jade-river" / seat / f"turn-{turn:04d}-report.{FORMATS[form]}"
            said = desk("report", "jade-river", "--seat", seat, "--turn", turn, "--format", form)
            assert said.out.encode() == mailed.read_bytes()


def test_the_last_report_is_meant_unless_a_turn_is_named(desk: Desk) -> None:
    desk("nightly", "--now", DEADLINE, "--jobs", "1")
    last = desk("report", "jade-river", "--turn", "2").out
    assert desk("report", "jade-river").out == last != desk("report", "jade-river", "--turn", "1").out
    assert last.startswith("jade-river, decision 2\nNim. Public report.\n")


def test_json_is_a_format_and_an_option(desk: Desk) -> None:
    public = desk.data("report", "jade-river")
    assert (public["letter"], public["seat"], public["key"]) == ("report", None, "")
    assert public == json.loads(desk("report", "jade-river", "--format", "json").out)


def test_the_public_report_holds_no_key(desk: Desk) -> None:
    [key] = [line for line in desk.form("1").splitlines() if line.startswith("key: ")]
    for form in FORMATS:
        assert key.removeprefix("key: ") not in desk("report", "jade-river", "--format", form).out


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("jade-rivr",), 3, "did you mean jade-river?"),
        (("JADE-RIVER",), 3, "did you mean jade-river?"),
        (("nothing-like-it",), 3, "`pbem status --all` lists them"),
        (("\udcff",), 2, "is not UTF-8 text."),
        (("jade-river", "--seat", "3"), 3, "jade-river has no seat '3'; its seats are 1, 2."),
        (("jade-river", "--seat", ""), 3, "its seats are 1, 2."),
        (("jade-river", "--turn", "2"), 3, "jade-river is at turn 1; name a turn from 1 to 1."),
        (("jade-river", "--seat", "1", "--turn", "9"), 3, "name a turn from 1 to 1."),
        (("jade-river", "--turn", "0"), 2, "'0' is not a whole number from 1"),
        (("jade-river", "--turn", "-1"), 2, "'-1' is not a whole number from 1"),
        (("jade-river", "--turn", "first"), 2, "'first' is not a whole number from 1"),
        (("jade-river", "--turn", "9" * 30), 2, "is not a whole number"),
        (("jade-river", "--format", "pdf"), 2, "'text', 'html', 'json'"),
        ((), 2, "Missing argument 'NAME'"),
    ],
)
def test_report_refuses(desk: Desk, args: tuple[str, ...], code: int, says: str) -> None:
    desk.refused("report", *args, code=code, says=says)


# --- status and show --------------------------------------------------------------------------------------------------


def test_status_says_who_is_waited_for(desk: Desk) -> None:
    assert desk("status", "--now", LATER).out.splitlines() == [
        "jade-river (nim): turn 1, move, until 2026-11-18 20:00 UTC; waits for 1 (Anna)",
        "Mails waiting to be sent: 0. Messages waiting to be read: 0.",
    ]
    desk("submit", desk.file("b3"), "--now", LATER)
    said = desk("status", "--now", DEADLINE).out.splitlines()
    assert said[0].endswith("waits for 1 (Anna, answered); the deadline is past, `pbem nightly` resolves it")
    assert said[1] == "Mails waiting to be sent: 1. Messages waiting to be read: 0."


def test_many_games_are_listed_by_number_and_counted(desk: Desk) -> None:
    for number in (10, 9, *range(11, 30)):
        desk("new", "nim", "--name", f"hill-{number}", "--seat", "1=Anna", "--seat", "2=Bruno", "--now", LATER)
    lines = desk("status", "--now", LATER).out.splitlines()
    assert [line.partition(" ")[0] for line in lines[:3]] == ["hill-9", "hill-10", "hill-11"]
    assert lines[-2] == "22 games: 22 open; the deadline of 0 is past."


def test_deadlines_are_told_on_the_hosts_own_clock(desk: Desk) -> None:
    (desk.folder / "pbem.toml").write_text('[host]\nzone = "Asia/Kathmandu"\n')
    assert "move, until 2026-11-19 01:45 Asia/Kathmandu; waits" in desk("status", "--now", LATER).out
    assert "move, until 2026-11-19 01:45 Asia/Kathmandu; waits" in desk("show", "jade-river", "--now", LATER).out


def test_status_as_json(desk: Desk) -> None:
    assert desk.data("status", "--now", DEADLINE) == {
        "games": [
            {
                "name": "jade-river",
                "game": "nim",
                "status": "open",
                "turn": 1,
                "decision": "move",
                "deadline": "2026-11-18T20:00:00Z",
                "waiting": [{"seat": "1", "player": "Anna", "answered": False, "silent": 0}],
                "attempts": 0,
                "match": None,
                "disputes": [],
                "asked": [],
                "trouble": None,
                "late": True,
                "dice": "",
            }
        ],
        "mails_waiting": 0,
        "mails_lost": 0,
        "letters_waiting": 0,
        "bounces": [],
        "held": [],
        "openings": [],
    }


def test_a_held_game_is_shown_as_such(desk: Desk) -> None:
    desk("referee", "pause", "jade-river", "--reason", "ill", "--now", LATER)
    assert desk("status", "--now", DEADLINE).out.startswith("jade-river (nim): held at turn 1\n")
    assert desk.data("status", "--now", DEADLINE)["games"][0]["late"] is False


def test_show_tells_one_game_and_no_sealed_order(desk: Desk) -> None:
    desk("submit", desk.file("b3"), "--now", LATER)
    said = desk("show", "jade-river", "--now", LATER).out
    assert "Players: 1 Anna, 2 Bruno\nOptions: heaps=3-4-5, misere=false, most=0\n" in said
    assert not re.search(r"\bb3\b", said)
    found = desk.data("show", "jade-river", "--now", LATER)
    assert (found["players"], found["outcome"], found["schedule"]) == (
        {"1": "Anna", "2": "Bruno"},
        None,
        "nightly 20:00 UTC think=6h",
    )
    assert f"Ledger head: {found['head']}" in said


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("show", "jade-rver"), 3, "did you mean jade-river?"),
        (("show",), 2, "Missing argument 'NAME'"),
        (("show", "jade-river", "--now", "2026-13-01T00:00Z"), 3, "is not a time"),
        (("status", "jade-river"), 2, "unexpected extra argument"),
    ],
)
def test_show_and_status_refuse(desk: Desk, args: tuple[str, ...], code: int, says: str) -> None:
    desk.refused(*args, code=code, says=says)


# --- games and rules --------------------------------------------------------------------------------------------------


def test_all_installed_games_are_listed_with_their_options(bare: Desk) -> None:
    found = bare.data("games")
    assert [one["id"] for one in found] == list(games())
    assert list(found[0]) == ["id", "version", "title", "seats", "options"]
    words = bare("games").out
    assert "nim  Nim  (2 seats: 1, 2)\n    heaps: heap sizes" in words
    assert "[()]" not in words
    assert "    misere: true | false  [false]\n        who takes the last object loses\n" in bare("games", "nim").out
    assert bare.data("games", "nim")[0]["options"]["most"]["values"] == "0 to 9"


def test_a_broken_package_does_not_hide_the_others(bare: Desk) -> None:
    with broken_rules("wreck"):
        said = bare("games", "--json")
        assert [one["id"] for one in said.json] == list(
            games() if "wreck" not in games() else sorted({*games()} - {"wreck"})
        )
        assert (
            said.err == "pbem: The rules 'wreck' are installed but cannot be loaded (RuntimeError: half installed).\n"
        )
        bare.refused("games", "wreck", code=3, says="cannot be loaded (RuntimeError: half installed)")


@pytest.mark.parametrize("game", games())
def test_every_game_brings_its_rules(bare: Desk, game: str) -> None:
    said = bare("rules", game)
    assert said.out.startswith("# ")
    assert said.err == ""
    assert bare.data("rules", game) == {"game": game, "lang": "en", "text": said.out.rstrip("\n") + "\n"}


def test_rules_in_a_language_that_is_not_written(bare: Desk) -> None:
    said = bare("rules", "nim", "--lang", "tlh")
    assert said.out == bare("rules", "nim").out
    assert said.err == "pbem: These rules are not written in 'tlh' yet; here they are in 'en'.\n"
    assert bare.data("rules", "nim", "--lang", "tlh")["lang"] == "en"


@pytest.mark.parametrize("args", [("games", "nimm"), ("rules", "nimm"), ("rules", "NIMM")])
def test_an_unknown_game_has_a_near_name(bare: Desk, args: tuple[str, ...]) -> None:
    bare.refused(*args, code=3, says="Did you mean nim?")


@pytest.mark.parametrize("lang", ["../../etc/passwd", "en/../en", "\0"])
def test_a_language_is_no_path(bare: Desk, lang: str) -> None:
    assert bare("rules", "nim", "--lang", lang).out == bare("rules", "nim").out


def test_two_games_are_shown_by_name(desk: Desk) -> None:
    seats = ("--seat", "1=Bruno", "--seat", "2=Anna")
    desk("new", "nim", "--name", "amber-hill", *seats, "--now", BEGINS)
    assert [one["name"] for one in desk.data("status")["games"]] == ["amber-hill", "jade-river"]
    shutil.rmtree(desk.folder / "outbox")
    assert desk("status", "--now", NEXT_DAY).out.count("waits for") == 2
