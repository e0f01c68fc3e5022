"""The long run goes on where it was, its notes stay short, and what breaks is told with what repeats it."""

import json
import shlex

import pytest

from engine import games, load
from engine.game import BrokenInvariant
from tests.every_game import __main__ as by_hand
from tests.every_game import campaign
from tests.every_game.campaign import Part
from tests.every_game.long_run import GREEDY, WHOLE
from tests.every_game.option_sets import option_sets, told, words

USUAL = words(option_sets("nim")[0])


@pytest.fixture
def notes(tmp_path):
    return tmp_path / "played.jsonl"


def played(notes, **more):
    return list(campaign.go_on(["nim"], notes=notes, **more))


def test_it_goes_on_where_it_was(notes):
    assert sum(len(part.seeds) for part in played(notes, games=3)) == 3 * len(option_sets("nim"))
    assert {tuple(part.seeds) for part in played(notes, games=5)} == {(3, 4)}
    assert played(notes, games=5) == []
    assert campaign.reached("nim", notes) == f"nim: 5 games of each of {len(option_sets('nim'))} option sets, 0 broke"


def test_some_option_sets_alone(notes):
    assert [part.options for part in played(notes, games=1, only=[2])] == [words(option_sets("nim")[2])]
    assert campaign.reached("nim", notes).startswith("nim: 0 to 1 games")


def test_it_is_stopped_after_the_game_in_hand(notes):
    said = iter([False, False, True, True])
    assert [part.seeds for part in played(notes, games=9, stop=lambda: next(said))] == [[0, 1]]
    assert next(part.seeds for part in played(notes, games=9)) == [2, 3, 4, 5, 6, 7, 8]


def test_notes_are_short_however_many_were_played(notes):
    for seeds in ([1, 2], [5], [3, 4], [9]):
        campaign.note(Part("nim", USUAL, seeds, decisions=10, longest=seeds[0], worked=0.5), notes)
    [line] = map(json.loads, notes.read_text().splitlines())
    assert line["seeds"] == [[1, 5], [9, 9]]
    assert (line["decisions"], line["longest"], line["seconds"]) == (40, 9, 2.0)


def test_a_game_that_broke_is_told_and_played_again(notes, monkeypatch, capsys):
    """What another build has played does not count."""
    heard = []

    def broken(state):
        raise BrokenInvariant("one heap too many")

    with monkeypatch.context() as weakened:
        weakened.setattr(load("nim"), "check", broken)
        played(notes, games=1, tell=heard.append)
    assert campaign.done("nim", notes)[USUAL].broken == {0: "BrokenInvariant: one heap too many"}
    assert f"repeat it: python -m tests.every_game ask nim {USUAL} --seed 0" in "\n".join(heard)
    by_hand.main(shlex.split(campaign.repeats("nim", USUAL, 0))[3:])
    assert "all is well" in capsys.readouterr().out
    played(notes, games=1)
    assert campaign.done("nim", notes)[USUAL].held == {0}
    assert not campaign.done("nim", notes)[USUAL].broken
    monkeypatch.setattr(campaign, "build", lambda game: "another")
    assert campaign.done("nim", notes)[USUAL].games == 0


@pytest.mark.parametrize("game", games())
def test_an_option_set_is_said_in_words_that_mean_it(game):
    for options in option_sets(game):
        assert told(game, shlex.split(words(options))) == options


def test_a_build_is_the_engine_and_the_folder_of_the_game():
    names = {game: campaign.build(game) for game in games()}
    assert len(set(names.values())) == len(names)


def test_games_of_every_kind_are_asked_about_all_their_states():
    whole = range(0, campaign.GOAL, WHOLE)
    assert {seed % 50 for seed in whole} >= {GREEDY, 49, 4, 0}
