"""Recordings: through which states a program passes, folder and all, and how many lines and calls each stands for.

A state is kept once, however often the program comes to it. It stands for every line that was executed, in any of the
program's processes, while the folder was so, and for every call before which it was so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tests.faults.folder_states import Album, State, differing, size_of
from tests.faults.held import Call


class Beside(Protocol):
    """What lasts beside the folder when the program dies: a mailbox on a server."""

    def taken(self, folder: Path) -> Hashable:
        """How it stands for the run in that folder."""

    def laid_out(self, state: Any, folder: Path) -> None:
        """Make it stand so for a run in that folder."""


class Nothing:
    """Nothing lasts but the folder."""

    def taken(self, folder: Path) -> None:
        return None

    def laid_out(self, state: None, folder: Path) -> None:
        return None


@dataclass
class Span:
    """A state, the number of the first line that finds it (or makes the call before it), and what it stands for."""

    state: State
    aside: Any
    first: int
    lines: int = 0
    calls: int = 0


class Recording:
    """What is seen of a program that works in a folder. `alone`: no two threads of it change the folder at a time."""

    def __init__(self, folder: Path, beside: Beside | None = None, *, alone: bool = True) -> None:
        self.folder, self.beside, self.alone = folder, beside or Nothing(), alone
        self.lines = 0
        self.spans: list[Span] = []
        self._album = Album()
        self._known: dict[Hashable, Span] = {}
        self.callers: dict[int, Counter[int]] = {}  # how often each thread made which call
        self._thread = 0
        self._by_hand: Span | None = None

    def look(self, call: Call, lines: int) -> None:
        """What stands before this call, when so many lines have been executed in all."""
        self.callers.setdefault(call.thread, Counter())[call.number] += 1
        span = self._span(lines, certain=call.thread == self._thread)
        if self._by_hand is not None and (names := differing(self._by_hand.state, span.state)):
            raise AssertionError(f"no call told that {names} would change, at line {lines}")
        span.calls += not call.by_hand
        self._thread, self._by_hand = call.thread, span if call.by_hand else None

    def end(self, lines: int) -> None:
        """The program has ended."""
        self._span(lines, certain=True)

    def lay_out(self, span: Span, folder: Path) -> None:
        """Make an empty folder, and what lasts beside it, what they were then."""
        self._album.laid_out(span.state, folder)
        self.beside.laid_out(span.aside, folder)

    def must_know(self, folder: Path) -> None:
        """A program killed in truth must have left a state of this kind. Not the same bytes: SQLite draws numbers."""
        left = size_of(self._album.taken(folder))
        if all(size_of(span.state) != left for span in self.spans):
            raise AssertionError(f"a kill left what was never seen: {left}")

    def _span(self, lines: int, *, certain: bool) -> Span:
        state, aside = self._album.taken(self.folder), self.beside.taken(self.folder)
        while not certain:  # the call that another thread was let go with may be half done
            before, state = state, self._album.taken(self.folder)
            certain = before == state
        fresh = lines - self.lines
        span = self._known.get(key := (tuple(state.items()), aside))
        if span is None:
            span = self._known[key] = Span(state, aside, self.lines + 1 if fresh else lines)
            self.spans.append(span)
        span.lines += fresh
        self.lines = lines
        return span
