"""The map as the rules see it: provinces by number, and for each the sets it touches, sails to and crosses to.

A land is any set of cells with terrain, names and rivers; tiles are only one way to make one. What follows from the
cells is found out once, when first asked, and kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.boards.hexes import Hex, neighbours
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
    def neighbours(self) -> tuple[int, ...]:
        """For each province the set of provinces adjacent to it (YUAN-1.4)."""
        bit = {cell.place: 1 << i for i, cell in enumerate(self.provinces)}
        divided = {way for river in self.rivers for one, other in river for way in ((one, other), (other, one))}
        found = []
        for cell in self.provinces:
            # YUAN-1.1: nothing wraps, coordinates without a cell are void
            near = [place for place in neighbours(cell.place) if place in bit]
            if divided:
                near = [place for place in near if (cell.place, place) not in divided]  # YUAN-17.5
            found.append(sum([bit[place] for place in near]))
        return tuple(found)

    @cached_property
    def beside_volcano(self) -> int:
        """Provinces whose cell touches one or more volcanoes (YUAN-15.1)."""
        return self._touching(frozenset((VOLCANO,)), 1)

    @cached_property
    def between_mountains(self) -> int:
        """Provinces whose cell touches at least two mountain cells (YUAN-16.4)."""
        return self._touching(MOUNTAINS, 2)

    def _touching(self, terrain: frozenset[str], least: int) -> int:
        such = {cell.place for cell in self.cells if cell.terrain in terrain}
        return sum(
            1 << i for i, cell in enumerate(self.provinces) if len(such.intersection(neighbours(cell.place))) >= least
        )

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
    def shores(self) -> tuple[tuple[Node, ...], ...]:
        """For each province the lake cells and rivers its cell touches."""
        lakes = {cell.place for cell in self.cells if cell.terrain == LAKE}
        return tuple(
            (
                *[near for near in neighbours(cell.place) if near in lakes],
                *[i for i, banks in enumerate(self._banks) if cell.place in banks],
            )
            for cell in self.provinces
        )

    @cached_property
    def shore_of(self) -> Mapping[Node, int]:
        """For each water the set of provinces that touch it."""
        lapped: dict[Node, int] = dict.fromkeys(self.waters, 0)
        for i, shore in enumerate(self.shores):
            for water in shore:
                lapped[water] |= 1 << i
        return lapped

    def water_distances(self, province: int) -> dict[int, int]:
        """Every connected province with its water distance (YUAN-1.5)."""
        found: dict[int, int] = {}
        for length, waters in enumerate(self._voyage(province), 1):
            for water in waters:
                for other, shore in enumerate(self.shores):
                    if water in shore and other != province:
                        found.setdefault(other, length)
        return found

    def _voyage(self, province: int) -> Iterator[list[Node]]:
        """The waters reached after 1, 2, 3 ... water cells."""
        seen = set(self.shores[province])
        edge = list(self.shores[province])
        while edge:
            yield edge
            edge = list(dict.fromkeys(on for water in edge for on in self.waters[water] if on not in seen))
            seen.update(edge)

    @cached_property
    def overseas(self) -> tuple[int, ...]:
        """For each province the set of provinces connected with it, however far (YUAN-1.5)."""
        basin: dict[Node, int] = {}
        for water in self.waters:
            if water not in basin:
                whole = self._basin(water)
                lapped = 0
                for part in whole:
                    lapped |= self.shore_of[part]
                basin.update(dict.fromkeys(whole, lapped))
        return self._sailing(basin)

    def _basin(self, water: Node) -> set[Node]:
        whole, edge = {water}, [water]
        while edge:
            edge = [on for part in edge for on in self.waters[part] if on not in whole]
            whole.update(edge)
        return whole

    @cached_property
    def near_overseas(self) -> tuple[int, ...]:
        """The same within water distance 2, as far as Xiangi sails (YUAN-16.4)."""
        lapped = self.shore_of
        assert XIANGI_SAILS == 2
        around = {water: lapped[water] | sum_of(lapped[on] for on in joined) for water, joined in self.waters.items()}
        return self._sailing(around)

    def _sailing(self, lapped: Mapping[Node, int]) -> tuple[int, ...]:
        return tuple(sum_of(lapped[water] for water in shore) & ~(1 << i) for i, shore in enumerate(self.shores))

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
        number = {cell.place: i for i, cell in enumerate(self.provinces)}
        found = []
        for i, cell in enumerate(self.provinces):
            ends = {number[end] for end in self._treks((cell.place,), 0, 0) if end in number}
            found.append(sum(1 << end for end in ends if end != i))
        return tuple(found)

    def _treks(self, chain: tuple[Node, ...], mountains: int, waters: int) -> Iterator[Hex]:
        """The ends of all simple chains with exactly one mountain, at most two waters and nothing else between."""
        for near in self._touched(chain[-1]):
            if near in chain:
                continue
            terrain = LAKE if isinstance(near, int) else self.terrain[near]
            if terrain in PROVINCE_TERRAIN:
                if mountains == 1 and not isinstance(near, int):
                    yield near
            elif terrain == LAKE and waters < CROSSING_WATERS:  # a river counts as one
                yield from self._treks((*chain, near), mountains, waters + 1)
            elif terrain in MOUNTAINS and mountains == 0:
                yield from self._treks((*chain, near), 1, waters)

    def _touched(self, node: Node) -> Iterator[Node]:
        if isinstance(node, int):
            yield from self._banks[node]
            return
        yield from (near for near in neighbours(node) if near in self.terrain)
        yield from (i for i, banks in enumerate(self._banks) if node in banks)

    # --- names ----------------------------------------------------------------------------------------------------

    def named(self, provinces: int) -> list[str]:
        """The names of a set, alphabetical."""
        return list(map(self.names.__getitem__, members(provinces)))

    def numbered(self, names: Iterator[str] | tuple[str, ...] | list[str]) -> int:
        """The set of these names."""
        return sum_of(1 << self.number[name] for name in names)


def sum_of(sets: Iterator[int]) -> int:
    """The union of sets of provinces."""
    union = 0
    for provinces in sets:
        union |= provinces
    return union
