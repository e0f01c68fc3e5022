"""The map as the rules see it: provinces by number, and for each the sets it touches, sails to and crosses to.

A land is any set of cells with terrain, names and rivers; tiles are only one way to make one. What follows from the
cells is found out once, when first asked, and kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.boards.hexes import RING, Hex, neighbours
from games.yuan.bits import members

Pair = tuple[Hex, Hex]
River = tuple[Pair, ...]
Node = Hex | int  # a cell, or a river by its number: it is one more water node outside the grid (YUAN-17.4)

RICE, MINE, FOREST, HILLS, LAKE, MOUNTAIN, VOLCANO = "RMFHLXV"
PROVINCE_TERRAIN = frozenset((RICE, MINE, FOREST, HILLS))  # YUAN-1.3
MOUNTAINS = frozenset((MOUNTAIN, VOLCANO))  # YUAN-1.3: a volcano is a mountain for every rule
TERRAIN_WORDS = dict(zip("RMFHLXV", ("rice", "mine", "forest", "hills", "lake", "mountain", "volcano"), strict=True))
XIANGI_SAILS = 2  # YUAN-16.4
CROSSING_WATERS = 2  # YUAN-16.3
NOWHERE = (0,) * len(RING)  # the provinces around a cell, each as a set, where there are none


class Cell(NamedTuple):
    """One hexagon: where, of what terrain, and its province's name ("" for water and mountains)."""

    place: Hex
    terrain: str
    name: str


@dataclass(frozen=True, eq=False)
class Land:
    """Equal when the cells and rivers are; sets of provinces are numbers (`bits`)."""

    cells: tuple[Cell, ...]
    rivers: tuple[River, ...]

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Land) and self.cells == other.cells and self.rivers == other.rivers)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.cells, self.rivers))

    # --- provinces and their numbers ------------------------------------------------------------------------------

    @cached_property
    def provinces(self) -> tuple[Cell, ...]:
        """The province cells, alphabetical (YUAN-1.10); a province's number is its place here."""
        return tuple(sorted((cell for cell in self.cells if cell.terrain in PROVINCE_TERRAIN), key=lambda c: c.name))

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(cell.name for cell in self.provinces)

    @cached_property
    def number(self) -> Mapping[str, int]:
        """A province's number by its name."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def all(self) -> int:
        return (1 << len(self.provinces)) - 1

    @cached_property
    def terrain(self) -> Mapping[Hex, str]:
        return {cell.place: cell.terrain for cell in self.cells}

    @cached_property
    def rice(self) -> int:
        return self._of(RICE)

    @cached_property
    def mines(self) -> int:
        return self._of(MINE)

    @cached_property
    def forests(self) -> int:
        return self._of(FOREST)

    @cached_property
    def hills(self) -> int:
        return self._of(HILLS)

    def _of(self, terrain: str) -> int:
        return sum(1 << i for i, cell in enumerate(self.provinces) if cell.terrain == terrain)

    # --- what touches what ----------------------------------------------------------------------------------------

    @cached_property
    def _bit(self) -> Mapping[Hex, int]:
        """The province of a cell, as a set of one."""
        return {cell.place: 1 << i for i, cell in enumerate(self.provinces)}

    @cached_property
    def touching(self) -> Mapping[Hex, int]:
        """For each cell the set of provinces whose cells touch it."""
        bit = self._bit.get  # YUAN-1.1: nothing wraps, coordinates without a cell are void
        return {cell.place: sum(map(bit, neighbours(cell.place), NOWHERE)) for cell in self.cells}

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        """For each province the set of provinces adjacent to it (YUAN-1.4)."""
        bit, beyond = self._bit, dict.fromkeys(self._bit, 0)
        for one, other in (way for river in self.rivers for pair in river for way in (pair, pair[::-1])):
            if one in bit and other in bit:
                beyond[one] |= bit[other]  # YUAN-17.5
        return tuple([self.touching[place] & ~over_river for place, over_river in beyond.items()])

    @cached_property
    def beside_volcano(self) -> int:
        """Provinces whose cell touches one or more volcanoes (YUAN-15.1)."""
        return sum_of(self.touching[cell.place] for cell in self.cells if cell.terrain == VOLCANO)

    @cached_property
    def between_mountains(self) -> int:
        """Provinces whose cell touches at least two mountain cells (YUAN-16.4)."""
        once = twice = 0
        for mountain in self.mountains:
            twice |= once & self.touching[mountain]
            once |= self.touching[mountain]
        return twice

    @cached_property
    def mountains(self) -> tuple[Hex, ...]:
        return tuple([cell.place for cell in self.cells if cell.terrain in MOUNTAINS])

    # --- water ----------------------------------------------------------------------------------------------------

    @cached_property
    def waters(self) -> Mapping[Node, tuple[Node, ...]]:
        """Each lake cell and each river with the waters it joins."""
        joined: dict[Node, list[Node]] = {
            cell.place: [near for near in neighbours(cell.place) if self.terrain.get(near) == LAKE]
            for cell in self.cells
            if cell.terrain == LAKE
        }
        for i, banks in enumerate(self._banks):
            joined[i] = [bank for bank in banks if self.terrain[bank] == LAKE]  # YUAN-17.4: the same water
            for lake in joined[i]:
                joined[lake].append(i)
        return {node: tuple(others) for node, others in joined.items()}

    @cached_property
    def _banks(self) -> tuple[tuple[Hex, ...], ...]:
        """For each river the province and lake cells named in its pairs (YUAN-17.4)."""
        dry = MOUNTAINS | {None}
        return tuple(
            tuple(sorted({cell for pair in river for cell in pair if self.terrain.get(cell) not in dry}))
            for river in self.rivers
        )

    @cached_property
    def shore_of(self) -> Mapping[Node, int]:
        """For each water the set of provinces that touch it."""
        lapped: dict[Node, int] = {node: self.touching[node] for node in self.waters if isinstance(node, Hex)}
        for i, banks in enumerate(self._banks):
            lapped[i] = sum([self._bit.get(bank, 0) for bank in banks])
        return lapped

    def water_distances(self, province: int) -> dict[int, int]:
        """Every connected province with its water distance (YUAN-1.5)."""
        found: dict[int, int] = {}
        for length, waters in enumerate(self._voyage(province), 1):
            for other in members(sum_of(self.shore_of[water] for water in waters) & ~(1 << province)):
                found.setdefault(other, length)
        return found

    def _voyage(self, province: int) -> Iterator[list[Node]]:
        """The waters reached after 1, 2, 3 ... water cells."""
        edge = [water for water, shore in self.shore_of.items() if shore >> province & 1]
        seen = set(edge)
        while edge:
            yield edge
            edge = list(dict.fromkeys(on for water in edge for on in self.waters[water] if on not in seen))
            seen.update(edge)

    @cached_property
    def overseas(self) -> tuple[int, ...]:
        """For each province the set of provinces connected with it, however far (YUAN-1.5)."""
        return self._joined((shore, shore) for shore in self._coasts())

    def _coasts(self) -> Iterator[int]:
        """For each of the waters that hang together the set of provinces that touch them."""
        seen: set[Node] = set()
        for water in self.waters:
            if water not in seen:
                basin = self._basin(water)
                seen |= basin
                yield sum_of(self.shore_of[part] for part in basin)

    def _basin(self, water: Node) -> set[Node]:
        whole, edge = {water}, [water]
        while edge:
            edge = [on for part in edge for on in self.waters[part] if on not in whole]
            whole.update(edge)
        return whole

    @cached_property
    def near_overseas(self) -> tuple[int, ...]:
        """The same within water distance 2, as far as Xiangi sails (YUAN-16.4)."""
        assert XIANGI_SAILS == 2
        shores = self.shore_of
        return self._joined(
            (shores[water], shores[water] | sum_of(shores[on] for on in joined))
            for water, joined in self.waters.items()
        )

    def _joined(self, ways: Iterable[tuple[int, int]]) -> tuple[int, ...]:
        """For each province the others that a way leads to; a way leads from all of one set to all of another."""
        found = [0] * len(self.provinces)
        for starts, ends in ways:
            for province in members(starts):
                found[province] |= ends
        return tuple([ends & ~(1 << province) for province, ends in enumerate(found)])

    # --- reach ----------------------------------------------------------------------------------------------------

    @cached_property
    def reach(self) -> tuple[int, ...]:
        """For each province the set in reach of it: adjacent or connected (YUAN-1.6)."""
        return tuple(near | far for near, far in zip(self.neighbours, self.overseas, strict=True))

    @cached_property
    def near_reach(self) -> tuple[int, ...]:
        """The same for Xiangi, who sails no further than two waters (YUAN-16.4)."""
        return tuple(near | far for near, far in zip(self.neighbours, self.near_overseas, strict=True))

    @cached_property
    def crossings(self) -> tuple[int, ...]:
        """For each province the set joined to it over one mountain and at most two waters (YUAN-16.3)."""
        return self._joined(way for mountain in self.mountains for way in self._over(mountain))

    def _over(self, mountain: Hex) -> Iterator[tuple[int, int]]:
        """The ways over a mountain: two waters at most on both sides of it together, no water twice."""
        assert CROSSING_WATERS == 2
        shores, foot = self.shore_of, self.touching[mountain]
        lakes = [near for near in neighbours(mountain) if near in self.waters]
        further = sum_of(shores[on] for lake in lakes for on in self.waters[lake])  # a river counts as one
        yield foot, foot | further | sum_of(shores[lake] for lake in lakes)
        yield further, foot
        for lake in lakes:
            yield shores[lake], foot | sum_of(shores[other] for other in lakes if other != lake)

    # --- names ----------------------------------------------------------------------------------------------------

    def named(self, provinces: int) -> list[str]:
        """The names of a set, alphabetical."""
        names, found = self.names, []
        while provinces:  # as `bits.members`, written out: a view names hundreds of sets
            lowest = provinces & -provinces
            found.append(names[lowest.bit_length() - 1])
            provinces ^= lowest
        return found

    def numbered(self, names: Iterator[str] | tuple[str, ...] | list[str]) -> int:
        """The set of these names."""
        return sum_of(1 << self.number[name] for name in names)


def sum_of(sets: Iterator[int]) -> int:
    """The union of sets of provinces."""
    union = 0
    for provinces in sets:
        union |= provinces
    return union
