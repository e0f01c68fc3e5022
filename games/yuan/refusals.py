"""The codes of chapter 5 with their paragraphs and words; what would be legal is found here too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from itertools import islice
from typing import Any

from engine import Refusal, Seat
from games.yuan.box import AUCTION_CHAO, CLANS
from games.yuan.legal import Planner
from games.yuan.moves import PASS, Plan
from games.yuan.state import State

WORDS: Mapping[str, tuple[str, str]] = {
    "Y-PHASE": ("YUAN-5.7", "The game now waits for: {decision}."),
    "Y-SEAT": ("YUAN-5.7", "You have nothing to decide now."),
    "Y-TILE": ("YUAN-3.6", "You do not hold tile {tile}."),
    "Y-SLOT": ("YUAN-3.6", "Slot {a},{b} is not free beside the map (the first tile lies at 0,0)."),
    "Y-ROT": ("YUAN-3.6", "Rotation must be 0 to 5 (0 for the first tile)."),
    "Y-CITY": ("YUAN-3.9", "{name} cannot take a city."),
    "Y-BID": ("YUAN-3.13", f"A bid is a whole number from 0 to {AUCTION_CHAO}."),
    "Y-CAPITAL": ("YUAN-3.13", "{name} is not a capital still to be had."),
    "Y-UNKNOWN": ("YUAN-5.5", "There is no province {name} (did you mean {close}?)."),
    "Y-NOACTION": ("YUAN-5.5", "Name at least one action, or PASS."),
    "Y-FREE-NEEDS-DEV": ("YUAN-5.5", "{name} is free: only a colonisation can start there."),
    "Y-CROSS": ("YUAN-16.3", "CROSS belongs to an attack by Weyu."),
    "Y-NOVILLAGE": ("YUAN-5.5", "You have no village left."),
    "Y-NOREACH": ("YUAN-5.5", "{name} is neither adjacent nor connected to your provinces."),
    "Y-TEMPLE-HERE": ("YUAN-5.5", "{name} already has a temple."),
    "Y-NOTEMPLE": ("YUAN-5.5", "No temple is left."),
    "Y-ENEMY-NODEV": ("YUAN-5.5", "{name} belongs to {clan}: no development there."),
    "Y-ENEMY-NEEDS-MIL": ("YUAN-5.5", "{name} belongs to {clan}: plan an attack or another target."),
    "Y-NOARMY": ("YUAN-5.5", "No army of yours is adjacent or connected to {name}."),
    "Y-NOTCITY": ("YUAN-5.5", "{name} would not be a city when you recruit."),
    "Y-NOCHAO": ("YUAN-5.5", "This plan costs {price}, you have {chao}."),
}
GAME_OVER = "The game is over."
CROSS_IN_ATTACK = "CROSS adds no army to this attack."
SUGGESTIONS = 4


def refused(code: str, legal: Iterable[object] = (), **facts: Any) -> Refusal:
    """The refusal of that code."""
    rule, text = WORDS[code]
    return Refusal(rule, code, text, facts, tuple(str(move) for move in legal))


def game_over() -> Refusal:
    """Y-PHASE when nothing is open."""
    return Refusal("YUAN-14.6", "Y-PHASE", GAME_OVER)


def nearest(name: str, names: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """The known names most like a written one, best first."""
    return tuple(get_close_matches(name, list(names), count, 0.0))


def why_not(state: State, seat: Seat, plan: Plan) -> Refusal | None:
    """The first reason why a plan cannot stand, with its facts and what would be legal; None when it can."""
    planner = Planner(state, seat)
    code = planner.fault(plan)
    if code is None:
        return None
    if code == "Y-UNKNOWN":
        close = nearest(plan.target, state.land.names)
        return refused(code, close, name=plan.target, close=list(close))
    owner = state.owner_of(state.land.number[plan.target])
    facts = {
        "name": plan.target,
        "clan": CLANS[owner.id].name if owner else "",
        "price": planner.price(plan),
        "chao": planner.clan.chao,
    }
    refusal = refused(code, suggestions(planner, plan), **facts)
    if code == "Y-CROSS" and owner and owner.seat != seat:
        return replace(refusal, text=CROSS_IN_ATTACK)
    return refusal


def suggestions(planner: Planner, plan: Plan) -> Iterator[object]:
    """Other actions on the same target, then the same actions elsewhere; a pass when there is nothing."""
    here = list(islice(planner.plans_on(plan.target), SUGGESTIONS))
    elsewhere = (replace(plan, target=name) for name in planner.land.names)
    there = list(islice((other for other in elsewhere if planner.fault(other) is None), SUGGESTIONS))
    yield from here
    yield from there
    if not here and not there:
        yield PASS
