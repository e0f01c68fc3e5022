"""Clan powers as data: what a clan may do that others may not (YUAN-16). Rules ask a power, never a clan's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games.yuan.box import ARMY_CAP, PASS_INCOME, THEFT


class Power(NamedTuple):
    """How a clan differs; the defaults are those of a clan without power."""

    counts_provinces: bool = False  # YUAN-16.1: qualifies by provinces, a temple counting twice
    wins_ties: bool = False  # YUAN-16.1
    takes_disputes: bool = False  # YUAN-16.2
    crosses: bool = False  # YUAN-16.3
    short_sails: bool = False  # YUAN-16.4 (a)
    mountain_defence: int = 0  # YUAN-16.4 (b)
    wood_defence: int = 2  # YUAN-8.4, YUAN-16.5
    pass_income: int = PASS_INCOME  # YUAN-12.2, YUAN-16.6
    army_cap: int = ARMY_CAP  # YUAN-13.2, YUAN-16.7
    theft: int = THEFT  # YUAN-7.6, YUAN-16.8


NO_POWER = Power()
POWERS: Mapping[str, Power] = {
    "mu": Power(counts_provinces=True, wins_ties=True),  # YUAN-16.1
    "suhey": Power(takes_disputes=True),  # YUAN-16.2
    "weyu": Power(crosses=True),  # YUAN-16.3
    "xiangi": Power(short_sails=True, mountain_defence=2),  # YUAN-16.4
    "shanyin": Power(wood_defence=3),  # YUAN-16.5
    "jinhe": Power(pass_income=8),  # YUAN-16.6
    "linhai": Power(army_cap=4),  # YUAN-16.7
    "yunmen": Power(theft=3),  # YUAN-16.8
}


def power_of(clan: str, powers_on: bool) -> Power:
    """The clan's power, if the option is on."""
    return POWERS[clan] if powers_on else NO_POWER
