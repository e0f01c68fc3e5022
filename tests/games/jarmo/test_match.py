"""A series of games, as far as the rules say; the host keeps it."""

import pytest

from engine import BadOption
from games.jarmo import GAME
from games.jarmo.match import first_players_seat, match_winner, totals
from tests.games.jarmo.table import at


def test_the_players_change_sides():  # JARMO-7.1
    assert [first_players_seat(game) for game in range(1, 7)] == ["green", "blue"] * 3
    assert [GAME.Options(series=games).series for games in (1, 2, "4", 6)] == [1, 2, 4, 6]
    for games in (0, 3, True, "two"):
        with pytest.raises(BadOption, match="choose one of 1, 2, 4, 6"):
            GAME.Options(series=games)


def test_the_higher_sum_wins_the_match():  # JARMO-7.2: the example of section 9
    games = [{"green": 6, "blue": 4}, {"green": 5, "blue": 5}]
    assert totals(games) == (11, 9)
    assert match_winner(games) == 1
    assert match_winner([{"green": 4, "blue": 6}, {"green": 5, "blue": 5}]) == 2
    assert match_winner([{"green": 6, "blue": 4}, {"green": 6, "blue": 4}]) is None


def test_what_a_game_adds():  # JARMO-7.2
    base = GAME.outcome(at("base aAAaA/5/5/5/2a2 b 2.0 2.0 - 31 - camp:g"))
    jasyr = GAME.outcome(at("jasyr 1A3/5/A4/a4/2a2 g 0.0 0.0 - 32 pass,pass blocked:="))
    assert base.scores == {"green": 6, "blue": 4}
    assert jasyr.scores == {"green": 0, "blue": 0}
