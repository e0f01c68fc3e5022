"""What must hold between turns, whatever was played (chapter 7). A breach halts the game rather than guess on."""

from __future__ import annotations

from itertools import pairwise

from engine.game import BrokenInvariant
from games.yuan.pieces import Clan
from games.yuan.position_checks import short
from games.yuan.powers import power_of
from games.yuan.state import State


def check(state: State) -> None:
    """Raise BrokenInvariant when pieces or money do not add up."""
    held = 0
    for clan in state.clans:
        if clan.lands & held:
            raise BrokenInvariant(f"{clan.id} holds a province that has an owner already")
        held |= clan.lands
        check_clan(state, clan)
    if held & ~state.land.all or state.temples & ~state.land.all:
        raise BrokenInvariant("a piece stands where no province is")
    if state.temple_stock < 0:
        raise BrokenInvariant("there are more temples than in the boxes")


def check_clan(state: State, clan: Clan) -> None:
    if short(clan):
        raise BrokenInvariant(f"{clan.id} has a negative stock")  # YUAN-2.1
    if clan.chao < 0:
        raise BrokenInvariant(f"{clan.id} has negative chao")  # YUAN-2.8
    nested = (clan.stone, clan.walled, clan.cities, clan.lands)
    if any(inner & ~outer for inner, outer in pairwise(nested)) or clan.doubled & ~clan.cities:
        raise BrokenInvariant(f"{clan.id} has a wall or doubling that is not on a city of its own")  # YUAN-1.9
    cap = power_of(clan.id, state.options.powers).army_cap
    if clan.camps & ~clan.lands or any(not 0 < count <= cap for _, count in clan.armies):
        raise BrokenInvariant(f"{clan.id} has armies abroad, or more than {cap} on a province")  # YUAN-13.2
