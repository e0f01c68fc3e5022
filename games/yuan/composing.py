"""How plans and tiles are put together: a target and levels, their prices after reduction, and what they do."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine import Seat
from engine.composing import Composer, Part, Purse, Said, says
from games.yuan.bits import flood, halo
from games.yuan.box import BASE_COST, CLANS
from games.yuan.costs import cost
from games.yuan.defence import defence, indestructible, mountain_defence
from games.yuan.legal import Planner
from games.yuan.moves import LayTile, Move, Plan, SetCity, TakeCapital
from games.yuan.powers import power_of
from games.yuan.reach import crossers, origins
from games.yuan.state import State

TARGET, NOTHING = says("Target"), says("nothing")
LEVELS = ("", "I", "II", "III")
REDUCED = {"D": says("rice"), "F": says("forest"), "M": says("mines")}
ASKS = {"D": says("Development"), "F": says("Fortification"), "M": says("Militarisation"), "X": says("Crossing")}
NAMED = {
    "colonisation": says("colonisation"),
    "expansion": says("expansion"),
    "temple": says("a temple"),
    "urbanisation": says("urbanisation"),
    "reinforcement": says("reinforcement"),
    "fortification": says("fortification after the attack"),
    "recruitment": says("recruitment"),
    "attack": says("attack"),
}
EFFECTS = {
    ("urbanisation", 1): says("Urbanisation I changes nothing.", "YUAN-8.2"),
    ("urbanisation", 2): says("The village becomes a city.", "YUAN-8.2"),
    ("urbanisation", 3): says("The village becomes a city with a rampart and one more army.", "YUAN-8.2"),
    ("reinforcement", 1): says("The city is doubled.", "YUAN-8.3"),
    ("reinforcement", 2): says("The city is doubled and has a rampart.", "YUAN-8.3"),
    ("reinforcement", 3): says("Two ramparts make the city indestructible; one more army.", "YUAN-8.3"),
    ("recruitment", 1): says("Recruitment I changes nothing.", "YUAN-9.1"),
    ("recruitment", 2): says("One more army.", "YUAN-9.1"),
    ("recruitment", 3): says("Three more armies.", "YUAN-9.1"),
    ("attack", 3): says("If it succeeds, every enemy province beside the target is attacked too.", "YUAN-10.8"),
}
AFTER = says("If the attack fails, what the fortification costs comes back.", "YUAN-11.2")
EARNS = says("Development II brings 2 chao.", "YUAN-7.10")


class Plans(Composer):
    """A plan is a target, then for each action nothing or a level; only an attack by Weyu may cross mountains."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.land, self.planner = state, state.land, Planner(state, seat)
        self.clan, self.power = self.planner.clan, self.planner.power
        self.purse = Purse(says("chao"), self.clan.chao)
        self.target, self.action, self.becomes = cache(self._target), cache(self._action), cache(self._becomes)

    def parts(self, move: Any) -> tuple[Part, ...]:
        if not isinstance(move, Plan):
            income = says("{chao} chao of income.", "YUAN-12.2", chao=self.power.pass_income)
            return (Part(str(move), TARGET, says("pass"), notes=(income,)),)
        kind = self.kind(self.land.number[move.target])
        levels = zip("DFM", move.levels, strict=True)
        actions = [self.action(letter, level, move.target) for letter, level in levels]
        crossing = [Part(" CROSS" * move.cross, ASKS["X"], says("over mountains") if move.cross else NOTHING)]
        return (self.target(move.target), *actions, *(crossing if kind == "enemy" and self.power.crosses else ()))

    def kind(self, target: int) -> str:
        if self.planner.free >> target & 1:
            return "free"
        return "own" if self.clan.lands >> target & 1 else "enemy"

    def _target(self, name: str) -> Part:
        return Part(f"PLAN {name}", TARGET, says("{name}", name=name), notes=self.about(name), places=(name,))

    def about(self, name: str) -> tuple[Said, ...]:
        """What stands on a target, and what could go against it."""
        target = self.land.number[name]
        owner = self.state.owner_of(target)
        if owner is None:
            near = self.planner.reached >> target & 1
            return () if near else (says("Out of your reach: only level III colonises it.", "YUAN-5.5"),)
        if owner is self.clan:
            return ()
        armies = dict(owner.armies).get(target, 0)
        if indestructible(owner, target):
            return (says("{clan}'s; it is indestructible.", "YUAN-8.4", clan=CLANS[owner.id].name),)
        power = power_of(owner.id, self.state.options.powers)
        worth = defence(owner, power, target, self.land) + mountain_defence(owner, power, target, self.land)
        facts = {"clan": CLANS[owner.id].name, "armies": armies, "worth": worth}
        return (says("{clan}'s. Armies on it: {armies}; defence: {worth}.", "YUAN-10.5", **facts), *self.force(target))

    def force(self, target: int) -> tuple[Said, ...]:
        """The armies that an attack would take along, all of them (YUAN-10.2)."""
        said = list[Said]()
        if near := origins(self.clan, self.power, target, self.land):
            count = sum(number for province, number in self.clan.armies if near >> province & 1)
            facts = {"count": count, "places": self.named(near)}
            said.append(says("Your armies that go: {count}, from {places}.", "YUAN-10.2", **facts))
        if far := crossers(self.clan, self.power, target, self.land):
            said.append(says("With a crossing also those from {places}.", "YUAN-16.3", places=self.named(far)))
        return tuple(said)

    def _action(self, letter: str, level: int, name: str) -> Part:
        if not level:
            return Part("", ASKS[letter], NOTHING)
        target, what = self.land.number[name], self.what(letter, level, name)
        due, matching = self.due(letter, level)
        label = says("{level}: {what}", level=LEVELS[level], what=NAMED[what])
        notes = (*self.price(letter, level, due, matching), *self.effect(what, level, target, name))
        return Part(f" {letter}{level}", ASKS[letter], label, due, notes)

    def due(self, letter: str, level: int) -> tuple[int, int]:
        levels = self.planner.levels
        matching = {"D": levels.R, "F": levels.F, "M": levels.M}[letter]
        return cost(level, matching), matching

    def price(self, letter: str, level: int, due: int, matching: int) -> tuple[Said, ...]:
        """YUAN-4.3; level I is free as it is."""
        base, saved = BASE_COST[level - 1], REDUCED[letter]
        if not base or not matching:
            return ()
        facts = {"level": LEVELS[level], "base": base, "matching": matching, "saved": saved, "due": due}
        return (says("Level {level} costs {base} less {matching} ({saved}): {due}.", "YUAN-4.3", **facts),)

    def what(self, letter: str, level: int, name: str) -> str:
        """YUAN-5.4: which action it is follows from the target."""
        target = self.land.number[name]
        kind = self.kind(target)
        if letter == "D":
            return "colonisation" if kind == "free" else "expansion" if level < len(BASE_COST) else "temple"
        if kind == "enemy":
            return "attack" if letter == "M" else "fortification"
        if letter == "M":
            return "recruitment"
        city = self.becomes(name) if kind == "free" else bool(self.clan.cities >> target & 1)
        return "reinforcement" if city else "urbanisation"

    def _becomes(self, name: str) -> bool:
        """YUAN-7.9: whether a colony there would be a city."""
        return self.planner.city_fault(Plan(name, dev=1, mil=1), self.land.number[name]) is None

    def effect(self, what: str, level: int, target: int, name: str) -> tuple[Said, ...]:
        if what in ("colonisation", "expansion"):
            claims = self.claims(what, target, name)
            return (*claims, EARNS) if level == len(BASE_COST) - 1 else claims
        if what == "temple":
            return (says("A temple is built on {name}.", "YUAN-7.5", name=name),)
        if what == "fortification":
            return (AFTER,)
        found = EFFECTS.get((what, level))
        extra = what == "attack" and level > 1 and self.clan.army_stock
        joins = (says("One more army joins the battle.", "YUAN-10.2"),) if extra else ()
        return (*joins, found) if found else joins

    def claims(self, what: str, target: int, name: str) -> tuple[Said, ...]:
        """YUAN-7.2, YUAN-7.3."""
        neighbours, free = self.land.neighbours, self.planner.free
        if what == "colonisation":
            sides = neighbours[target] & free
            if not sides:
                return (says("It claims {name}.", "YUAN-7.2", name=name),)
            return (says("It claims {name}, and {sides}.", "YUAN-7.2", name=name, sides=self.named(sides)),)
        sides = halo(flood(1 << target, self.clan.lands, neighbours), neighbours) & free
        if not sides:
            return (says("It claims nothing: no free province lies beside the group.", "YUAN-7.3"),)
        return (says("It claims {sides}.", "YUAN-7.3", sides=self.named(sides)),)

    def named(self, provinces: int) -> tuple[str, ...]:
        return tuple(self.land.named(provinces))


class Tiles(Composer):
    """A tile of the hand, where it lies, and how it is turned."""

    def parts(self, move: Any) -> tuple[Part, ...]:
        assert isinstance(move, LayTile)
        a, b = move.slot
        return (
            Part(f"TILE {move.tile}", says("Tile"), says("{name}", name=move.tile)),
            Part(f" {a},{b}", says("Slot"), places=(f"{a},{b}",)),
            Part(f" R{move.rot}", says("Sixths turned to the left"), says("{number}", number=move.rot)),
        )


class Named(Composer):
    """A province, or a number of chao: one word after the name of the decision."""

    def parts(self, move: Move) -> tuple[Part, ...]:
        text = str(move)
        return (Part(text, label=says("{name}", name=text.split()[-1]), places=self.places(move)),)

    def places(self, move: Move) -> tuple[str, ...]:
        return (move.province,) if isinstance(move, SetCity | TakeCapital) else ()


def composer(state: State, seat: Seat) -> Composer:
    if state.phase == "plan":
        return Plans(state, seat)
    return Tiles() if state.phase == "tiles" else Named()
