"""match new, show and list: a match begun, watched and won at the command line."""

from __future__ import annotations

import pytest

from engine import load
from engine.series import SumOfScores
from tests.pbem.cli.desk import BEGINS, DEADLINE, NEXT_DAY, Desk

NEW = ("match", "new", "nim", "--name", "duel", "--seat", "1=Anna", "--seat", "2=Bruno", "--now", BEGINS)
SHORT = (*NEW, "--option", "heaps=1", "--best-of", "3")
LAST_DAY = "2026-11-20T20:00Z"


def test_a_match_from_beginning_to_end(desk: Desk) -> None:
    begun = desk(*SHORT).out
    assert "duel has begun: Nim, best of 3;" in begun
    assert "duel-1, its first game: 1 Anna, 2 Bruno." in begun
    assert desk("match", "list").out == "duel (nim, best of 3): game 1 is being played; level\n"
    assert "Begun as the next game of a match: duel-2." in desk("nightly", "--now", DEADLINE).out
    assert desk("match", "list").out == "duel (nim, best of 3): game 2 is being played; Anna in the lead\n"
    assert "duel-2 (nim, game 2 of duel): turn 1," in desk("status", "--now", DEADLINE).out
    assert "Match: game 2 of duel; `pbem match show duel`" in desk("show", "duel-2").out
    assert desk("nightly", "--now", NEXT_DAY).code == 0
    assert desk("nightly", "--now", LAST_DAY).code == 0
    assert desk("match", "list").out == "duel (nim, best of 3): over after 3 games, won by Anna [best of 3]\n"
    shown = desk("match", "show", "duel").out.splitlines()
    assert shown[1:3] == ["Place 1: Anna, 2 games won", "Place 2: Bruno, 1 game won"]
    assert shown[3].startswith("duel-1 (nim, game 1 of duel): over at turn 2; won by Anna [NIM-")
    assert shown[4].endswith("won by Bruno [NIM-3.1]")
    assert desk("audit", "verify", "duel").out.startswith("duel: true. 5 rows")
    assert desk("audit", "verify", "--all").code == 0
    assert "match_over" in desk("audit", "log", "duel").out


def test_the_same_as_json(desk: Desk) -> None:
    begun = desk.data(*SHORT)
    assert (begun["name"], begun["game"], begun["status"], begun["number"]) == ("duel", "nim", "open", 1)
    assert [game["name"] for game in begun["played"]] == ["duel-1"]
    desk.data("nightly", "--now", DEADLINE)
    [listed] = desk.data("match", "list")
    assert [(side["players"], side["won"], side["place"]) for side in listed["sides"]] == [
        (["Anna"], 1, 1),
        (["Bruno"], 0, 2),
    ]
    shown = desk.data("match", "show", "duel")
    assert shown["played"][0]["over"] == {"winner": "Anna", "rule": "NIM-3.1"}
    assert (shown["played"][1]["status"], shown["played"][1]["over"]) == ("open", None)
    [waiting] = [one for one in desk.data("status")["games"] if one["name"] == "duel-2"]
    assert waiting["match"] == {"name": "duel", "number": 2}
    assert [one["match"] for one in desk.data("status")["games"] if one["name"] == "jade-river"] == [None]


def test_no_matches_yet(desk: Desk) -> None:
    assert "No matches yet; `pbem match new" in desk("match", "list").out
    assert desk.data("match", "list") == []


@pytest.mark.parametrize(("words", "code", "says"), [
    (NEW, 3, "say --best-of N"),
    ((*NEW, "--best-of", "1"), 2, "from 2 to 99"),
    ((*NEW, "--best-of", "3", "--option", "heap=1"), 3, "did you mean heaps?"),
    ((*NEW[:3], "--name", "jade-river", *NEW[5:], "--best-of", "3"), 3, "There is a game named jade-river already."),
    (("match", "show", "dual"), 3, "There is no match named 'dual'; `pbem match list` lists them."),
    (("match", "lst"), 2, "did you mean"),
])  # fmt: skip
def test_slips(desk: Desk, words: tuple[str, ...], code: int, says: str) -> None:
    desk.refused(*words, code=code, says=says)


def test_the_nearest_match_is_named(desk: Desk) -> None:
    desk(*SHORT)
    desk.refused("match", "show", "dual", code=3, says="did you mean duel?")
    desk.refused("audit", "replay", "duel", code=3, says="duel is a match; name one of its games, such as duel-1.")


def test_a_shell_completes_the_names_of_matches(desk: Desk) -> None:
    import click

    from pbem.cli.completing import hosted_matches
    from pbem.cli.matches import show

    desk(*SHORT)
    assert hosted_matches(click.Context(show), show.params[0], "du") == ["duel"]
    assert hosted_matches(click.Context(show), show.params[0], "x") == []


def test_a_demonstration_plays_the_series_that_rules_declare(bare: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    nim = load("nim")
    monkeypatch.setattr(type(nim), "series", lambda self, options: SumOfScores(2, "NIM-9.9"))
    monkeypatch.setattr(type(nim), "showcase", ({"heaps": "2-3"},))
    said = bare("demo", "shown", "--only", "nim").out
    assert f"  {bare.folder / 'shown' / 'outbox' / 'nim-1-1'}/  nim (heaps=2-3); a match" in said
    assert "match list" in said
    [match] = bare.data("--config", "shown", "match", "list")
    assert (match["status"], match["number"], match["rule"]) == ("over", 2, "NIM-9.9")


def test_whoever_starts_one_game_is_told_of_the_series(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    new = ("new", "nim", "--seat", "1=Anna", "--seat", "2=Bruno", "--now", BEGINS)
    assert "match" not in desk(*new, "--name", "alone").out
    monkeypatch.setattr(type(load("nim")), "series", lambda self, options: SumOfScores(2, "NIM-9.9"))
    assert "`pbem match new` plays a match of 2." in desk(*new, "--name", "other").out
