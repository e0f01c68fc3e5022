"""Memory: a night of many games takes no more of it than one of few. Counted by Python itself, in small nights.

Weakened build, seen to fail: one that takes all due mails out of the ledger at once.
"""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import pytest

from pbem import bench, delivering, resolving

FEW, MANY = 10, 40
AT_MOST = 1.5  # of the smaller night


def peak(count: int) -> int:
    """The most bytes that a night of so many games held at one time."""
    with bench.host(2) as (config, ledger):
        config = replace(config, post=replace(config.post, page=False))
        bench.start_games(config, ledger, "nim", {"heaps": "3-5"}, count)
        tracemalloc.start()
        try:
            summary, _ = bench.one_night(config, ledger, 1, jobs=1)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
            assert summary.turns == count


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a small night has many of them, too; and all modules are loaded before anything is counted."""
    monkeypatch.setattr(resolving, "AT_A_TIME", 4)
    monkeypatch.setattr(delivering, "AT_A_TIME", 4)
    peak(1)


def test_many_games_take_no_more_memory_than_few() -> None:
    assert peak(MANY) <= AT_MOST * peak(FEW)


def test_weakened_all_mails_at_once_take_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivering, "AT_A_TIME", 10**6)
    assert peak(MANY) > AT_MOST * peak(FEW)
