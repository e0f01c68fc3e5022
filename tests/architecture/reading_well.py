"""What makes a file readable and can be counted: a first line that tells its idea, functions of a screen at most."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.architecture.reading import Finding, Source

LONGEST = 60
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError)\b")


def without_first_line(source: Source) -> Iterator[Finding]:
    first = (ast.get_docstring(source.tree) or "").partition("\n")[0]
    if len(first.split()) < 3:
        yield source.finding(1, "no first line that says what one learns here")


def lengths(source: Source) -> Iterator[tuple[int, str]]:
    """Lines of every function, docstring included, with its place."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (node.end_lineno or 0) - node.lineno + 1, f"{source.path.as_posix()}:{node.lineno} {node.name}"


def too_long(source: Source) -> Iterator[Finding]:
    for length, place in lengths(source):
        if length > LONGEST:
            yield Finding(place, f"{length} lines")


def unfinished(source: Source) -> Iterator[Finding]:
    for number, line in enumerate(source.text.splitlines(), 1):
        if found := UNFINISHED.search(line):
            yield source.finding(number, found[0])
