"""The choices of a page walked in Python, as its script walks them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from pbem.pages.choices import END


class Walk:
    """One offer's net of choices."""

    def __init__(self, choices: Any) -> None:
        self.start, self.nodes = choices["start"], choices["nodes"]
        self.count = cache(self._count)

    def edges(self, node: int) -> list[tuple[str, int]]:
        return [(text, after) for text, after, *_ in self.nodes[node][1:]]

    def _count(self, node: int) -> int:
        """How many ways lead on from here."""
        return 1 if node == END else sum(self.count(after) for _, after in self.edges(node))

    @property
    def size(self) -> int:
        return self.count(self.start)

    def texts(self) -> Iterator[str]:
        """All that can be composed, in order."""
        yield from self._texts(self.start, "")

    def _texts(self, node: int, before: str) -> Iterator[str]:
        if node == END:
            yield before
            return
        for text, after in self.edges(node):
            yield from self._texts(after, before + text)

    def any(self, source: Random) -> str:
        """Something composed by choosing at random."""
        node, text = self.start, ""
        while node != END:
            more, node = source.choice(self.edges(node))
            text += more
        return text

    def reaches(self, text: str) -> bool:
        """Whether choices lead to this text."""
        return self._reaches(self.start, text)

    def _reaches(self, node: int, text: str) -> bool:
        if node == END:
            return not text
        ways = [(more, after) for more, after in self.edges(node) if text.startswith(more)]
        return any(self._reaches(after, text.removeprefix(more)) for more, after in ways)
