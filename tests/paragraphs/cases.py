"""Numbered cases: how many vectors, tests and rows of tests cite a paragraph, for each paragraph of a game (G20).

A case is one entry of a vector file with its `rules`; one test that cites a paragraph; or, where the rows of a test are
written out, each row that cites one, or every row where the test itself does. Rows that are made by a program (seeds,
entries of a vector file) count as one case, so that the number is rather too small.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

Rows = list[str]  # of a test, each as it is written


@dataclass(frozen=True)
class Cases:
    """One game: how many cases there are, and how many of them cite each paragraph."""

    vectors: int
    tests: int
    each: Mapping[str, int]

    @property
    def all(self) -> int:
        return self.vectors + self.tests


def cases(prefix: str, folder: Path) -> Cases:
    """The cases in the tests of a game whose paragraphs begin with those letters."""
    cited = re.compile(rf"\b{prefix}-\d+\.\d+(?!\d)")
    vectors = [found for file in sorted(folder.rglob("*.yaml")) for found in _of_vectors(file, cited)]
    tests = [found for file in sorted(folder.rglob("test_*.py")) for found in _of_tests(file, cited)]
    return Cases(len(vectors), len(tests), Counter(one for found in (*vectors, *tests) for one in found))


def _of_vectors(file: Path, cited: re.Pattern[str]) -> Iterator[set[str]]:
    """The paragraphs of each entry that has `rules`."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for rules in _rules_in(yaml.load(file.read_text(encoding="utf-8"), loader)):
        if found := set(cited.findall(str(rules))):
            yield found


def _rules_in(part: Any) -> Iterator[Any]:
    if isinstance(part, dict) and "rules" in part:
        yield part["rules"]
    elif isinstance(part, dict | list):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from _rules_in(inner)


def _of_tests(file: Path, cited: re.Pattern[str]) -> Iterator[set[str]]:
    """The paragraphs of each test, or of each of its rows."""
    text = file.read_text(encoding="utf-8")
    module, lines = ast.parse(text), text.split("\n")
    tables = dict(_assigned(module))
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            own = set(cited.findall("\n".join(lines[node.lineno - 1 : node.end_lineno])))
            own |= set(cited.findall(_comment_above(node, lines)))
            yield from _cases_of(own, _rows(node, tables, lines), cited)


def _cases_of(own: set[str], rows: Rows, cited: re.Pattern[str]) -> Iterator[set[str]]:
    found = [own | set(cited.findall(row)) for row in rows] or [own]
    yield from (one for one in found if one)


def _assigned(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The names that the module gives to what it writes out."""
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value


def _rows(test: ast.FunctionDef, tables: Mapping[str, ast.expr], lines: Sequence[str]) -> Rows:
    """The rows of the longest table that is written out for a test."""
    found: list[Rows] = [[]]
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute) and mark.func.attr == "parametrize":
            table = mark.args[1] if len(mark.args) > 1 else None
            table = tables.get(table.id) if isinstance(table, ast.Name) else table
            found.append(_written(table, lines))
    return max(found, key=len)


def _written(table: ast.expr | None, lines: Sequence[str]) -> Rows:
    match table:
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            return [_text(element, lines) for element in elements if not isinstance(element, ast.Starred)]
        case ast.Dict(keys=keys, values=values):
            return [_text(value, lines, key) for key, value in zip(keys, values, strict=True) if key is not None]
    return []


def _text(element: ast.expr, lines: Sequence[str], key: ast.expr | None = None) -> str:
    """A row as it is written, with the comment behind it where it is the last in its line."""
    first, last = (key or element), lines[(element.end_lineno or element.lineno) - 1]
    rest = last[element.end_col_offset or 0 :].lstrip(" ,)]}")
    inside = "\n".join(ast.unparse(part) for part in (first, element))
    between = lines[first.lineno : (element.end_lineno or element.lineno) - 1]
    return "\n".join([inside, *between, rest if rest.startswith("#") else ""])


def _comment_above(test: ast.FunctionDef, lines: Sequence[str]) -> str:
    """The comment that stands right above a test and its marks."""
    at = min([test.lineno, *(mark.lineno for mark in test.decorator_list)]) - 2
    found = []
    while at >= 0 and lines[at].lstrip().startswith("#"):
        found.append(lines[at])
        at -= 1
    return "\n".join(found)
