"""The match of two games, as the rules declare it and the host keeps it (YUT-11.7)."""

import pytest

from engine.series import Result, result_of
from games.yut import GAME
from games.yut.options import Options
from tests.games.yut.table import at

SIDES, TEAMS = ("orange", "blue"), (("orange",), ("blue",))
ORANGE, BLUE, SHARED = (("orange",), ("blue",)), (("blue",), ("orange",)), (("orange", "blue"),)


def match(**choices):
    return GAME.series(Options(favourite=True, wild=True, **choices))


def game(places, orange, blue):
    return Result(places, {"orange": orange, "blue": blue}, "YUT-11.6")


def test_stables_count_besides_wins():  # YUT-11.7
    assert match().scored
    assert match().merit(1, 4) > match().merit(1, 3) > match().merit(0, 9)


def test_the_match_of_the_rules_document():  # YUT-11.7: game 1 1>2 with stables 2:1, game 2 2>1 with 0:3
    verdict = match().verdict(SIDES, [game(ORANGE, 2, 1), game(BLUE, 0, 3)])
    assert (verdict.over, verdict.leader, verdict.rule) == (True, "blue", "YUT-11.7")
    assert verdict.won == {"orange": 1, "blue": 1}
    assert verdict.points == {"orange": 2, "blue": 4}


@pytest.mark.parametrize(
    ("games", "leader"),
    [
        ([game(ORANGE, 2, 1), game(ORANGE, 0, 4)], "orange"),  # more wins
        ([game(ORANGE, 2, 1), game(SHARED, 1, 1)], "orange"),  # a shared first is no win
        ([game(ORANGE, 1, 0), game(SHARED, 1, 1)], "orange"),
        ([game(SHARED, 1, 1), game(SHARED, 1, 1)], None),
        ([game(ORANGE, 2, 1), game(BLUE, 1, 2)], None),  # equal wins, equal stables
    ],
)
def test_who_takes_a_match(games, leader):  # YUT-11.7
    assert match().verdict(SIDES, games).leader == leader


def test_both_games_are_played():  # YUT-11.7
    assert not match().verdict(SIDES, [game(ORANGE, 4, 0)]).over


def test_the_second_game_is_begun_by_the_other_side_at_the_same_posts():  # YUT-11.7
    first = Options(players=4, favourite=True, wild=True, first=4, hurdles="choose")
    series = GAME.series(first)
    assert series.options(1, first) == first
    second = series.options(2, first)
    assert (second.game, second.first, second.players, second.hurdles) == (2, 1, 4, "choose")
    assert second.terms.wild_start == "r15"
    teams = GAME.teams(first)
    assert series.seating(2, ("orange", "blue"), teams) == dict(zip(("orange", "blue"), teams, strict=True))


def test_every_other_game_is_a_match_of_one():  # YUT-11.7
    for choices in ({}, {"wild": True}, {"favourite": True}, {"favourite": True, "wild": True, "game": 2}):
        assert GAME.series(Options(**choices)) is None


def test_the_seats_of_a_team_are_one_side():  # YUT-9.2
    assert GAME.teams(Options()) == TEAMS
    assert len(GAME.teams(Options(players=3))) == 3
    seats = GAME.seats(Options(players=4))
    assert GAME.teams(Options(players=4)) == ((seats[0], seats[2]), (seats[1], seats[3]))


def test_what_a_game_adds():  # YUT-11.7
    over = at("2f 2 - 0 1/1/r3,r4;3/0/r14 r5/r5/2 - 40 wild:1>2")
    result = result_of(GAME.outcome(over), match().seating(1, SIDES, TEAMS))
    assert result == Result(ORANGE, {"orange": 1, "blue": 0}, "YUT-11.6")
