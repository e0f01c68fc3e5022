"""A series of games, as the rules declare it and the host keeps it."""

import pytest

from engine import BadOption
from engine.series import result_of
from games.jarmo import GAME
from tests.games.jarmo.table import at

SIDES = ("green", "blue")  # a side of the match is known by its seat in game 1
TEAMS = (("green",), ("blue",))


def series(games):
    return GAME.series(GAME.Options(series=games))


def test_the_players_change_sides():  # JARMO-7.1
    seats = [series(6).seating(game, SIDES, TEAMS)["green"] for game in range(1, 7)]
    assert seats == [("green",), ("blue",)] * 3
    assert [series(games).games for games in (2, "4", 6)] == [2, 4, 6]
    assert series(1) is None
    for games in (0, 3, True, "two"):
        with pytest.raises(BadOption, match="choose one of 1, 2, 4, 6"):
            series(games)


def results(*lines):
    outcomes = [GAME.outcome(at(line)) for line in lines]
    match = series(2)
    return [result_of(outcome, match.seating(game, SIDES, TEAMS)) for game, outcome in enumerate(outcomes, 1)]


SIX_FOUR = "base aAAaA/5/5/5/2a2 b 2.0 2.0 - 31 - camp:g"
FIVE_FIVE = "base aaaaa/5/5/5/AAAAA g 0.0 0.0 - 8 - repeat:="


def test_the_higher_sum_wins_the_match():  # JARMO-7.2: the example of section 9
    verdict = series(2).verdict(SIDES, results(SIX_FOUR, FIVE_FIVE))
    assert (verdict.over, verdict.points, verdict.leader) == (True, {"green": 11, "blue": 9}, "green")
    assert verdict.rule == "JARMO-7.2"


def test_equal_sums_draw_the_match():  # JARMO-7.2
    verdict = series(2).verdict(SIDES, results(SIX_FOUR, SIX_FOUR))
    assert (verdict.over, verdict.points, verdict.leader) == (True, {"green": 10, "blue": 10}, None)


def test_all_games_are_played():  # JARMO-7.1
    assert not series(2).verdict(SIDES, results(SIX_FOUR)).over


def test_what_a_game_adds_in_the_variants():  # JARMO-7.2
    assert GAME.outcome(at("jasyr 1A3/5/A4/a4/2a2 g 0.0 0.0 - 32 pass,pass blocked:=")).scores == {
        "green": 0,
        "blue": 0,
    }
    assert GAME.outcome(at("jasyr A3A/G4/3G1/5/2aa1 b 0.0 0.0 - 31 - capture:g")).scores == {"green": 1, "blue": 0}
