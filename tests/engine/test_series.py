"""Series: who sits where, when it is over, and who has won it."""

import pytest

from engine import Outcome, load
from engine.series import AGREED_DRAW, BestOf, Result, SumOfScores, Verdict, result_of

ANNA, BERT, CHEN = "1", "2", "3"


def won_by(*winners):
    """Games that only say who won them; None: nobody alone."""
    sides = (ANNA, BERT)
    return [
        Result(((winner,), tuple(side for side in sides if side != winner)), {}, "x")
        if winner
        else Result((sides,), {}, "x")
        for winner in winners
    ]


def scored(*games):
    return [Result(((ANNA, BERT),), {ANNA: one, BERT: other}, "x") for one, other in games]


# --- who sits where -----------------------------------------------------------------------------------------------


def test_all_move_on_by_one_place_each_game():
    three = BestOf(5)
    assert [three.seating(n, ("a", "b", "c"), (("x",), ("y",), ("z",)))["a"] for n in range(1, 6)] == [
        ("x",), ("y",), ("z",), ("x",), ("y",),
    ]  # fmt: skip
    for number in range(1, 6):
        assert sorted(three.seating(number, ("a", "b", "c"), (("x",), ("y",), ("z",))).values()) == [
            ("x",), ("y",), ("z",),
        ]  # fmt: skip


def test_teams_move_together():
    teams = (("orange 1", "orange 2"), ("blue 1", "blue 2"))
    assert BestOf(2).seating(2, ("orange 1", "blue 1"), teams) == {"orange 1": teams[1], "blue 1": teams[0]}


def test_teams_of_different_sizes_stay():
    teams = (("judge",), ("left", "right"))
    assert BestOf(2).seating(2, ("judge", "left"), teams) == {"judge": ("judge",), "left": ("left", "right")}


# --- best of n ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("games", "winners", "over", "leader"), [
    (3, [], False, None),
    (3, [ANNA], False, ANNA),
    (3, [ANNA, ANNA], True, ANNA),  # nobody can catch up: there is no third game
    (3, [ANNA, None], False, ANNA),  # Bert may still draw level
    (3, [ANNA, BERT], False, None),
    (3, [ANNA, BERT, BERT], True, BERT),
    (3, [ANNA, BERT, None], True, None),  # equal wins after the last game: drawn
    (3, [ANNA, None, None], True, ANNA),
    (5, [ANNA, ANNA], False, ANNA),
    (5, [ANNA, ANNA, None, None], True, ANNA),  # 2 wins, and one game left for the other
    (1, [BERT], True, BERT),
    (2, [ANNA, BERT], True, None),
])  # fmt: skip
def test_best_of(games, winners, over, leader):
    verdict = BestOf(games).verdict((ANNA, BERT), won_by(*winners))
    assert (verdict.over, verdict.leader) == (over, leader)
    assert verdict.won == {ANNA: winners.count(ANNA), BERT: winners.count(BERT)}
    assert verdict.rule == f"best of {games}"


def test_best_of_counts_against_the_second_best_of_several():
    three = (ANNA, BERT, CHEN)
    games = [Result(((side,), tuple(other for other in three if other != side)), {}, "x") for side in (ANNA, BERT)]
    assert not BestOf(4).verdict(three, [*games, games[0]]).over, "Bert can still draw level"
    verdict = BestOf(5).verdict(three, [*games, games[0], games[0]])
    assert verdict.over
    assert verdict.places == ((ANNA,), (BERT,), (CHEN,))


def test_a_game_that_was_given_up_counts_as_any_other_in_best_of():
    assert BestOf(3).verdict((ANNA, BERT), won_by(ANNA)).over is False


# --- sums ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("games", "scores", "over", "places"), [
    (2, [], False, ((ANNA, BERT),)),
    (2, [(9, 0)], False, ((ANNA,), (BERT,))),  # all games are played
    (2, [(6, 4), (5, 5)], True, ((ANNA,), (BERT,))),
    (2, [(6, 4), (4, 6)], True, ((ANNA, BERT),)),
])  # fmt: skip
def test_sum_of_scores(games, scores, over, places):
    verdict = SumOfScores(games, "RULE-1").verdict((ANNA, BERT), scored(*scores))
    assert (verdict.over, verdict.places, verdict.rule) == (over, places, "RULE-1")
    assert verdict.points == {ANNA: sum(one for one, _ in scores), BERT: sum(other for _, other in scores)}


def test_whoever_is_ahead_cannot_keep_his_lead_by_giving_up():
    given_up = Result(((BERT,), (ANNA,)), {}, "host: resignation")
    verdict = SumOfScores(4, "RULE-1").verdict((ANNA, BERT), [*scored((9, 0)), given_up])
    assert verdict == Verdict(True, ((BERT,), (ANNA,)), {ANNA: 0, BERT: 1}, {ANNA: 9, BERT: 0}, "host: resignation")


def test_a_game_that_all_agreed_to_draw_keeps_what_was_scored():
    drawn = Result(((ANNA, BERT),), {}, AGREED_DRAW)
    verdict = SumOfScores(3, "RULE-1").verdict((ANNA, BERT), [*scored((9, 0)), drawn])
    assert verdict == Verdict(False, ((ANNA,), (BERT,)), {ANNA: 0, BERT: 0}, {ANNA: 9, BERT: 0}, "RULE-1")
    verdict = SumOfScores(2, "RULE-1").verdict((ANNA, BERT), [*scored((9, 0)), drawn])
    assert (verdict.over, verdict.leader, verdict.rule) == (True, ANNA, "RULE-1")


def test_there_is_no_series_of_no_games():
    for make in (lambda: BestOf(0), lambda: SumOfScores(0, "x")):
        with pytest.raises(ValueError, match="at least one"):
            make()


# --- results ------------------------------------------------------------------------------------------------------


def test_an_outcome_by_sides():
    outcome = Outcome((("y",), ("x",)), {"x": 1, "y": 3}, "RULE-9")
    result = result_of(outcome, {ANNA: ("y",), BERT: ("x",)})
    assert result == Result(((ANNA,), (BERT,)), {ANNA: 3, BERT: 1}, "RULE-9")
    assert result.winner == ANNA


def test_a_team_stands_where_its_best_seat_stands():
    """One of the winners gave up, so the host ranks his seat last; his team has won all the same."""
    outcome = Outcome((("3",), ("2", "4"), ("1",)), {"1": 4, "2": 2, "3": 4, "4": 2}, "RULE-9")
    result = result_of(outcome, {"1": ("1", "3"), "2": ("2", "4")})
    assert result == Result((("1",), ("2",)), {"1": 4, "2": 2}, "RULE-9")


def test_values_there_and_back():
    result = result_of(Outcome((("x",), ("y",)), {"x": 1, "y": 0}, "RULE-9"), {"x": ("x",), "y": ("y",)})
    verdict = BestOf(3).verdict(("x", "y"), [result])
    assert Result.from_json(result.to_json()) == result
    assert Verdict.from_json(verdict.to_json()) == verdict


def test_rules_declare_nothing_unless_they_say_so():
    nim = load("nim")
    assert nim.series(nim.Options()) is None
    assert nim.teams(nim.Options()) == (("1",), ("2",))
