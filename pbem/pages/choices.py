"""Choices: the legal moves of a decision as a net of choices, which a page walks from its start to an end.

Each node is a question, each choice leads to the next. Moves that go on alike from some choice on share what follows,
so thousands of moves take hardly more room than their different choices. The net is made of the moves themselves: it
holds each of them once, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from engine.composing import Part, Said

END = -1  # where a move is complete
Net = dict[Part, Any]  # the choices of a question, each with the questions after it; none: the move is complete


class Choices(NamedTuple):
    """The net: its nodes, the number of the one it starts at, and all that is said in it, each text once."""

    start: int
    nodes: list[list[Any]]
    says: list[list[str]]

    @property
    def has_places(self) -> bool:
        """Whether any choice can be made on the map."""
        return any(edge[2] for _, *edges in self.nodes for edge in edges if len(edge) > 2)

    def to_json(self) -> dict[str, Any]:
        """Return the net as plain JSON, which the page's script reads.

        A node is the number of its question (-1: none) and its choices. A choice is a list: its text, the node it leads
        to, its places (ids with blanks between them), label, cost, notes, what it needs, what it changes, and 1 if its
        places may be tapped in any order. Labels and notes are numbers of `says`. Defaults at the end are left out.
        """
        return {"start": self.start, "nodes": self.nodes, "says": self.says}


def choices(moves: Iterable[tuple[Part, ...]], told: Callable[[Said], str]) -> Choices:
    """The net of these moves; `told` makes a text of a message."""
    root: Net = {}
    for parts in moves:
        net = root
        for part in parts:
            net = net.setdefault(part, {})
    made = _Making(told)
    return Choices(made.node(root), made.nodes, made.says)


class _Making:
    """Gives equal nodes one number, the last ones first, and equal texts one."""

    def __init__(self, told: Callable[[Said], str]) -> None:
        self.told = told
        self.nodes: list[list[Any]] = []
        self.says: list[list[str]] = []
        self._nodes: dict[Any, int] = {}
        self._said: dict[Said, int] = {}

    def node(self, net: Mapping[Part, Any]) -> int:
        if not net:
            return END
        edges = tuple((part, self.node(after)) for part, after in net.items())
        if edges not in self._nodes:
            self._nodes[edges] = len(self.nodes)
            asks = self.number(edges[0][0].asks)
            self.nodes.append([asks, *(self.edge(part, after) for part, after in edges)])
        return self._nodes[edges]

    def edge(self, part: Part, after: int) -> list[Any]:
        """Return the choice as a list, without the defaults at its end."""
        notes = [self.number(note) for note in part.notes]
        places, needs, changes = map(" ".join, (part.places, part.needs, part.changes))
        label, any_order = self.number(part.label), int(part.any_order)
        found = [part.text, after, places, label, part.cost, notes, needs, changes, any_order]
        while found[-1] in (-1, 0, [], "") and len(found) > 2:
            found.pop()
        return found

    def number(self, said: Said | None) -> int:
        if said is None:
            return -1
        if said not in self._said:
            self._said[said] = len(self.says)
            self.says.append([self.told(said), said.rule])
        return self._said[said]
