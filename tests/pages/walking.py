"""The choices of a page walked in Python, as its script walks them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

from pbem.pages.choices import END

MOST = 5  # orders in a file
TRIES = 30  # compositions that are thrown away because they do not go with those before


class Edge(NamedTuple):
    """A choice, as the page has it."""

    text: str
    to: int
    places: str = ""
    label: int = -1
    cost: int = 0
    notes: Any = ()
    needs: str = ""
    changes: str = ""
    any_order: int = 0


class Walk:
    """One offer's net of choices."""

    def __init__(self, choices: Any) -> None:
        self.start = choices["start"]
        self.nodes = [[Edge(*edge) for edge in edges] for _, *edges in choices["nodes"]]
        self.count = cache(self._count)

    def _count(self, node: int) -> int:
        """How many ways lead on from here."""
        return 1 if node == END else sum(self.count(edge.to) for edge in self.nodes[node])

    @property
    def size(self) -> int:
        return self.count(self.start)

    def is_sound(self) -> bool:
        """Whether no question has two answers of the same text, so that every text is composed in one way."""
        return all(len({edge.text for edge in edges}) == len(edges) for edges in self.nodes)

    def texts(self) -> Iterator[str]:
        """All that can be composed, in order."""
        yield from self._texts(self.start, "")

    def _texts(self, node: int, before: str) -> Iterator[str]:
        if node == END:
            yield before
            return
        for edge in self.nodes[node]:
            yield from self._texts(edge.to, before + edge.text)

    def any(self, source: Random) -> list[Edge]:
        """Something composed by choosing at random."""
        node, path = self.start, list[Edge]()
        while node != END:
            path.append(source.choice(self.nodes[node]))
            node = path[-1].to
        return path

    def reaches(self, text: str) -> bool:
        """Whether choices lead to this text."""
        return self._reaches(self.start, text)

    def _reaches(self, node: int, text: str) -> bool:
        if node == END:
            return not text
        ways = [edge for edge in self.nodes[node] if text.startswith(edge.text)]
        return any(self._reaches(edge.to, text.removeprefix(edge.text)) for edge in ways)

    def several(self, source: Random, amount: int) -> list[str]:
        """Orders composed one after another, each of those that are still offered behind those before."""
        found, left = list[list[Edge]](), amount
        for _ in range(TRIES):
            path = self.any(source)
            cost = sum(edge.cost for edge in path)
            if len(found) < MOST and cost <= left and not any(self.hinders(path, other) for other in found):
                found.append(path)
                left -= cost
        return ["".join(edge.text for edge in path) for path in found]

    def hinders(self, one: list[Edge], other: list[Edge]) -> bool:
        """Whether one of two orders changes what the other needs."""
        needs, changes = ([{word for edge in path for word in said(edge)} for path in (one, other)]
                          for said in (lambda edge: edge.needs.split(), lambda edge: edge.changes.split()))  # fmt: skip
        return bool(needs[0] & changes[1] or needs[1] & changes[0])
