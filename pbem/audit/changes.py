"""Changes: where two values of plain JSON are not the same, each place by its path."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

LONG = 80  # letters of a value that are shown


class Change(NamedTuple):
    """Something that is one thing here and another there. `None` stands for what is missing, too."""

    path: str
    one: Any
    other: Any

    def __str__(self) -> str:
        return f"{self.path or 'all of it'}: {short(self.one)} and then {short(self.other)}"


def changes(one: Any, other: Any, path: str = "") -> Iterator[Change]:
    """Where two values of plain JSON differ, in their own order."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in [*one, *(name for name in other if name not in one)]:
            yield from changes(one.get(name), other.get(name), f"{path}.{name}" if path else str(name))
    elif isinstance(one, list) and isinstance(other, list):
        for number, (mine, yours) in enumerate(zip_longest(one, other), start=1):
            yield from changes(mine, yours, f"{path}[{number}]")
    elif one != other:
        yield Change(path, one, other)


def short(value: Any) -> str:
    """A value as a sentence can hold it."""
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"
