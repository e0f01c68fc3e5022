"""Production, levels and prices (YUAN-4)."""

import pytest

from games.yuan.costs import Levels, cost, levels, price
from tests.games.yuan.board import code, drawn


def level_of(before: str, **facts) -> Levels:
    state = drawn(before, **facts)
    return levels(state.clans[0], state.land, state.temples, state.options.volcanoes)


@pytest.mark.parametrize(
    ("before", "terrain", "options", "made"),
    [
        ("S0: AA=v AB=c", "AA=R AB=R", [], 2),
        ("S0: AA=v AB=cc", "AA=R AB=R", [], 3),  # a doubled city: 2
        ("S0: AA=v AB=cc", "", [], 0),  # hills produce 0
        ("S0: AA=v AB=cc", "AA=R AB=R BA=V", ["volcanoes"], 4),  # BA touches AA only: 2 and 2
        ("S0: AA=v AB=cc", "AA=R AB=R BB=V", ["volcanoes"], 6),  # BB touches both: 2 and 4
        ("S0: AA=v AB=cc", "AA=R AB=R BB=V BA=V", ["volcanoes"], 6),  # two volcanoes beside AA: once
        ("S0: AA=v AB=cc", "AA=R AB=R BB=V", [], 3),
    ],
)
def test_production(before, terrain, options, made):  # YUAN-4.1
    assert made == level_of(before, terrain=terrain, options=options).R


def test_levels_are_sums_over_the_provinces():  # YUAN-4.2
    found = level_of("S0: AA=v AB=c BA=v BB=v", terrain="AA=R AB=M BA=F BB=F", temples="AA BB DD")
    assert found == Levels(T=2, R=1, F=2, M=1)


@pytest.mark.parametrize(
    ("level", "matching", "due"),
    [(1, 0, 0), (1, 3, 0), (2, 0, 4), (2, 2, 2), (2, 9, 0), (3, 0, 7), (3, 5, 2), (3, 8, 0)],
)
def test_cost(level, matching, due):  # YUAN-4.3
    assert cost(level, matching) == due


def test_each_action_is_reduced_by_its_own_level():  # YUAN-4.3, YUAN-4.4
    assert price((2, 3, 1), Levels(T=5, R=1, F=2, M=9)) == 3 + 5 + 0
    assert price((2, 0, 0), Levels(T=0, R=0, F=9, M=9)) == 4  # what is not planned costs nothing


def test_a_plan_must_be_paid_for_with_what_is_there():  # YUAN-4.4
    state = drawn("S6: DD=c")
    assert code(state, "S DD D2") is None
    assert code(state, "S DD D2 F2") == "Y-NOCHAO"
