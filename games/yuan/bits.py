"""Sets of provinces as whole numbers: province i is bit i, so a set costs one number and a union one instruction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def members(provinces: int) -> Iterator[int]:
    """The provinces of a set, in alphabetical order (bit order is name order, YUAN-1.10)."""
    while provinces:
        lowest = provinces & -provinces
        yield lowest.bit_length() - 1
        provinces ^= lowest


def flood(start: int, within: int, neighbours: Sequence[int]) -> int:
    """All provinces of `within` that hang together with the set `start` by adjacency."""
    reached, edge = 0, start & within
    while edge:
        reached |= edge
        wider = 0
        while edge:
            lowest = edge & -edge
            wider |= neighbours[lowest.bit_length() - 1]
            edge ^= lowest
        edge = wider & within & ~reached
    return reached


def halo(provinces: int, neighbours: Sequence[int]) -> int:
    """Every province adjacent to a member of the set (members themselves may be among them)."""
    around = 0
    while provinces:
        lowest = provinces & -provinces
        around |= neighbours[lowest.bit_length() - 1]
        provinces ^= lowest
    return around


def parts(provinces: int, neighbours: Sequence[int]) -> Iterator[int]:
    """The maximal sets joined by adjacency (the groups of YUAN-1.8), the one with the first province first."""
    while provinces:
        part = flood(provinces & -provinces, provinces, neighbours)
        yield part
        provinces &= ~part
