"""The plan: its page is what its figures make, and the play of the queue comes to the formula where there is one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench.scale import plan
from tests.bench.scale.queueing import Costs, Setting, bound, play

PAGE = Path(__file__).parents[3] / "docs" / "scale.md"
EVEN = Costs(play=0.03, write=0.0, ready=0.1, note=0.0)


def test_the_page_is_what_the_figures_make() -> None:
    assert plan.renewed(PAGE.read_text()) == PAGE.read_text(), "python -m tests.bench.scale --write"


@pytest.mark.parametrize("workers", [1, 2, 8, 50])
def test_with_nothing_to_write_it_is_the_formula(workers: int) -> None:
    ended = play(4000, EVEN, Setting(workers, workers, every=0.0))
    assert ended.resolved == pytest.approx(4000 * 0.03 / workers, rel=0.03)
    assert ended.left - ended.resolved == pytest.approx(16000 * 0.1 / workers, rel=0.08)
    assert ended.prompt == ended.left


@pytest.mark.parametrize("workers", [1, 4, 16, 64])
def test_it_is_never_quicker_than_the_bound_and_comes_near_to_it(workers: int) -> None:
    costs = replace(EVEN, write=0.004)
    ended = play(4000, costs, Setting(workers, workers, every=0.0))
    least = bound(4000, costs, workers)
    assert 0.97 * least <= ended.resolved <= 1.15 * least


def test_the_writers_place_is_full_however_many_work() -> None:
    costs = replace(EVEN, write=0.01)
    assert play(2000, costs, Setting(100, 1, every=0.0)).resolved >= 2000 * 0.01


def test_the_same_seed_plays_the_same_and_another_does_not() -> None:
    setting = Setting(4, 4, kills=1.0, put_off=0.02)
    assert play(500, EVEN, setting, seed=3) == play(500, EVEN, setting, seed=3)
    assert play(500, EVEN, setting, seed=3) != play(500, EVEN, setting, seed=4)


def test_who_is_killed_costs_time_and_loses_no_game() -> None:
    calm, wild = (play(2000, EVEN, Setting(4, 4, kills=kills)) for kills in (0.0, 1.0))
    assert wild.killed > 10
    assert wild.resolved > calm.resolved


def test_what_is_put_off_comes_later() -> None:
    ended = play(500, EVEN, Setting(8, 8, put_off=0.02))
    assert ended.left >= ended.resolved + 300 > ended.prompt


def test_many_played_as_one_come_to_the_same() -> None:
    fine, coarse = (play(20_000, EVEN, Setting(8, 8, every=0.0), grain=grain) for grain in (1, 10))
    assert coarse.left == pytest.approx(fine.left, rel=0.03)


def test_the_play_comes_near_to_real_workers() -> None:
    """As it was measured; `python -m tests.bench.scale --check --write` measures it anew."""
    for one in json.loads(plan.FIGURES.read_text())["check"]:
        assert one["played"] == pytest.approx(one["measured"], rel=0.5)
