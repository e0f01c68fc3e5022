"""Levels, and what actions cost (YUAN-4)."""

from __future__ import annotations

from typing import NamedTuple

from games.yuan.box import BASE_COST
from games.yuan.land import Land
from games.yuan.pieces import Clan


class Levels(NamedTuple):
    """A clan's four levels, read from the position (YUAN-4.2)."""

    T: int
    R: int
    F: int
    M: int


def produce(clan: Clan, terrain: int, doubling: int) -> int:
    """What the clan's provinces of one terrain produce; `doubling` are those beside a volcano, or none."""
    fields = clan.lands & terrain
    twice = fields & clan.doubled  # YUAN-4.1: a doubled city counts 2
    made = fields.bit_count() + twice.bit_count()
    if doubling:
        made += (fields & doubling).bit_count() + (twice & doubling).bit_count()  # YUAN-15.1: once, however many
    return made


def levels(clan: Clan, land: Land, temples: int, volcanoes: bool) -> Levels:
    doubling = land.beside_volcano if volcanoes else 0  # YUAN-15.2: without the option it is just a mountain
    return Levels(
        (clan.lands & temples).bit_count(),
        produce(clan, land.rice, doubling),
        produce(clan, land.forests, doubling),
        produce(clan, land.mines, doubling),
    )  # YUAN-4.2; hills produce nothing (YUAN-4.1)


def cost(level: int, matching: int) -> int:
    """What an action of level 1, 2 or 3 costs, each reduced by the full matching level."""
    return max(0, BASE_COST[level - 1] - matching)  # YUAN-4.3


def parts(actions: tuple[int, int, int], levels: Levels) -> tuple[int, int, int]:
    """The costs of development, fortification and militarisation; 0 for what is not planned (YUAN-4.3)."""
    dev, fort, mil = actions
    return (
        cost(dev, levels.R) if dev else 0,
        cost(fort, levels.F) if fort else 0,
        cost(mil, levels.M) if mil else 0,
    )


def price(actions: tuple[int, int, int], levels: Levels) -> int:
    """The price of a plan: the sum of its actions."""
    return sum(parts(actions, levels))  # YUAN-4.4
