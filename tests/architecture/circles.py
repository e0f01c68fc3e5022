"""Circles of imports: whichever file is imported first, every other one finds what it needs.

What counts is what is imported while a file is loaded; what a function imports when it is called, and what only types
need, may go round in a circle. A package is loaded before its files, so it stands on the way to each of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from tests.architecture.reading import Finding, Source


def round_in_a_circle(sources: Iterable[Source]) -> Iterator[Finding]:
    """The first circle that is found, told file by file."""
    known = {name_of(source): source for source in sources}
    try:
        TopologicalSorter({name: set(_loaded_by(source, known)) for name, source in known.items()}).prepare()
    except CycleError as error:
        circle = error.args[1][::-1]
        yield Finding(known[circle[0]].path.as_posix(), f"imports itself: {' -> '.join(circle)}")


def name_of(source: Source) -> str:
    parts = source.path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _loaded_by(source: Source, known: Mapping[str, Source]) -> Iterator[str]:
    own = name_of(source)
    for wanted in _imported(source.tree.body):
        # Its own packages are being loaded already, and wait for it.
        yield from (name for name in _on_the_way(wanted) if name in known and not f"{own}.".startswith(f"{name}."))


def _imported(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Names that are imported while these lines run; the last part of one may be something in a file."""
    for line in body:
        match line:
            case ast.Import():
                yield from (one.name for one in line.names)
            case ast.ImportFrom():
                yield from (f"{line.module}.{one.name}" for one in line.names)
            case ast.If() if "TYPE_CHECKING" not in ast.unparse(line.test):
                yield from _imported([*line.body, *line.orelse])
            case ast.Try() | ast.With() | ast.ClassDef():
                yield from _imported(line.body)


def _on_the_way(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[: count + 1]) for count in range(len(parts)))
