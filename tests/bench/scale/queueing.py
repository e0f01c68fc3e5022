"""The queue, played: when does the last report leave, by so many workers, some of them killed, some mails put off?

Discrete events, with a seed. Games fall due together at 20:00 of a zone. A run that leads looks every so many seconds,
and sends what is due. Each process takes a game, plays it on its own processor, and then waits for the writers' place,
of which there is one. When all are resolved the carriers take the mails, lot by lot; each mail is made ready and spoken
to a mail server beside the others, and its notes go through the writers' place. A process that is killed is found after
a while, and what it had in hand is done anew; a mail that is put off comes again later.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from pbem.cluster.worker import AGAIN, SILENT

FIND = 3.0  # seconds between two looks for jobs that nobody does any more
START = 1.5  # seconds that a new process takes until it asks for work
LOT = 25  # mails that are carried between two looks of the play
ASKS, WRITES = 0, 1


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds each."""

    play: float  # of a game, beside the others
    write: float  # of a game, one after another
    ready: float  # of a mail, beside the others: its picture, its page, its talk with the mail server
    note: float  # of a mail, one after another
    mails: int = 4  # of a game


@dataclass(frozen=True, slots=True)
class Setting:
    """Who works, and what goes wrong."""

    workers: int
    carriers: int
    every: float = 60.0
    kills: float = 0.0  # a second, of one of all
    put_off: float = 0.0  # share of the mails that are not taken at the first try
    again: float = 300.0  # seconds until they are tried again


class Ended(NamedTuple):
    """Seconds after the deadline."""

    resolved: float
    left: float  # the last mail, those put off with them
    prompt: float  # the last of those that were taken at once
    killed: int


class Writers:
    """The one place; who comes waits until those before him are done."""

    def __init__(self) -> None:
        self.free = 0.0

    def take(self, at: float, seconds: float) -> float:
        self.free = max(self.free, at) + seconds
        return self.free


def play(games: int, costs: Costs, setting: Setting, seed: int = 1, grain: int = 1) -> Ended:
    """One zone's evening. `grain`: so many games are played as one, so that a million takes no longer."""
    luck, writers = Random(seed), Writers()
    begin = luck.uniform(0, setting.every)
    lots = -(-games // grain)
    spread = lambda mean: mean * grain * luck.uniform(0.6, 1.4)  # noqa: E731
    one = Crowd(setting.workers, setting, luck, writers)
    resolved = one.work(begin, lots, lambda: spread(costs.play), costs.write * grain, costs.play)
    mails = games * costs.mails
    packs = -(-mails // (LOT * grain))
    two = Crowd(setting.carriers, setting, luck, writers)
    lot = costs.ready * LOT, costs.note * LOT * grain, costs.ready
    prompt = two.work(resolved, packs, lambda: spread(lot[0]), *lot[1:])
    late = round(mails * setting.put_off)
    left = prompt
    if late:
        before = max(prompt, resolved + setting.again)
        three = Crowd(setting.carriers, setting, luck, writers)
        packs = -(-late // (LOT * grain))
        left = three.work(before, packs, lambda: spread(lot[0]), *lot[1:])
    return Ended(resolved, left, prompt, one.killed + two.killed)


class Crowd:
    """So many processes at one kind of work."""

    def __init__(self, count: int, setting: Setting, luck: Random, writers: Writers) -> None:
        self.count, self.setting, self.luck, self.writers = count, setting, luck, writers
        self.killed = 0

    def work(self, begin: float, jobs: int, seconds: Callable[[], float], write: float, unit: float) -> float:
        """When the last of the jobs is done. A job is of many units, of which a death loses the one in hand."""
        waiting = [seconds() for _ in range(jobs)]
        done, end = 0, begin
        events: list[tuple[float, int, int]] = [(begin, number, ASKS) for number in range(self.count)]
        lost: list[tuple[float, float]] = []
        idle: list[int] = []
        while done < jobs:
            while lost and (not events or lost[0][0] <= events[0][0]):  # what a dead one had is given to another
                at, left = heapq.heappop(lost)
                waiting.append(left)
                if idle:
                    heapq.heappush(events, (at, idle.pop(), ASKS))
            at, number, what = heapq.heappop(events)
            if what == WRITES:
                at = self.writers.take(at, write)
                done, end = done + 1, max(end, at)
                heapq.heappush(events, (at, number, ASKS))
            elif not waiting:
                idle.append(number)
            elif (death := at + self._life()) < at + waiting[-1]:
                self.killed += 1
                left = at + waiting.pop() - death + min(death - at, unit)
                heapq.heappush(lost, (death + SILENT + self.luck.uniform(0, FIND), left))
                heapq.heappush(events, (death + AGAIN + START, number, ASKS))
            else:
                heapq.heappush(events, (at + waiting.pop(), number, WRITES))
        return end

    def _life(self) -> float:
        """How long one of them goes on, from any moment on."""
        return self.luck.expovariate(self.setting.kills / self.count) if self.setting.kills else float("inf")


def bound(games: int, costs: Costs, workers: int) -> float:
    """The least the resolving part can take: all that is done beside each other, or all that is done in turn."""
    return max(games * (costs.play + costs.write) / workers, games * costs.write)


def enough(games: int, costs: Costs, within: float, choices: Sequence[int], **more: float) -> int | None:
    """The least number of processes by which the last report has left in that time; None where none of them is."""
    for count in choices:
        setting = Setting(count, count, **more)
        if play(games, costs, setting, grain=max(1, games // 4000)).prompt <= within:
            return count
    return None
