"""Rounds, medians and ratios: how the same work is measured beside each other on a machine that does other things, too.

A round goes through all that is compared there and back again, so that whoever stands anywhere in it has the same
middle: a machine that grows slower or faster hurts all alike. A ratio is taken within a round; the median counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from tests.bench.peers.talking import Did, Lost, Talker

ROUNDS = 5


class Work(NamedTuple):
    """A work, and whose it is."""

    room: str
    name: str


class Measured(NamedTuple):
    """The rate of each work in each round, and the last words of those that were lost on the way."""

    rates: dict[Work, list[float]]
    lost: dict[Work, str]


Rates = Mapping[Work, Sequence[float]]
Ask = Callable[[Work, int, float], Did]


def there_and_back(works: Sequence[Work]) -> list[Work]:
    return [*works, *reversed(works)]


def rounds(works: Sequence[Work], ask: Ask, seconds: float, many: int = ROUNDS) -> Measured:
    """So many rounds, after one that does not count."""
    rates: dict[Work, list[float]] = {work: [] for work in works}
    lost: dict[Work, str] = {}
    for number in range(-1, many):
        done = dict.fromkeys(works, Did(0, 0))
        for place, work in enumerate(works if number < 0 else there_and_back(works)):
            if work not in lost:
                try:
                    done[work] += ask(work, 2 * number + (place >= len(works)), seconds)
                except Lost as why:
                    lost[work] = str(why)
        for work in works:
            if number >= 0 and work not in lost:
                rates[work].append(done[work].rate)
    return Measured({work: found for work, found in rates.items() if work not in lost}, lost)


def asking(talkers: Mapping[str, Talker]) -> Ask:
    return lambda work, seed, seconds: talkers[work.room].round(work.name, seed, seconds)


def known(talkers: Mapping[str, Talker], works: Iterable[Work]) -> list[Work]:
    """Those that somebody here can do."""
    return [work for work in works if work.room in talkers and work.name in talkers[work.room].works]


def ratio(rates: Rates, ours: Work, theirs: Work) -> float | None:
    """How many times as many a second: the median of the rounds. None where one of them is not here."""
    if not rates.get(ours) or not rates.get(theirs):
        return None
    return median(own / other for own, other in zip(rates[ours], rates[theirs], strict=True))
