"""The project's own source, read once: a file with its text and its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
ROOMS = ("engine", "games", "pbem")


class Finding(NamedTuple):
    """Something that must not stand there."""

    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


class Source:
    """One file of a room. `path` is relative to the project, so that its first part is the room."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text = path, text

    @property
    def room(self) -> str:
        return self.path.parts[0]

    @property
    def game(self) -> str | None:
        """The folder of the game it belongs to, if it belongs to one."""
        return self.path.parts[1] if self.room == "games" and len(self.path.parts) > 2 else None

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    def finding(self, line: int, what: str) -> Finding:
        return Finding(f"{self.path.as_posix()}:{line}", what)

    def imports(self, *, parts: bool = False) -> Iterator[tuple[int, str]]:
        """Line and full name of every imported module, wherever in the file it is imported; and, with `parts`, of all
        that is taken out of one, which may be modules, too."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((node.lineno, name.name) for name in node.names)
            elif isinstance(node, ast.ImportFrom):
                module = self._absolute(node)
                yield node.lineno, module
                if parts:
                    yield from ((node.lineno, f"{module}.{name.name}") for name in node.names)

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        package = self.path.with_suffix("").parts[: -node.level]
        return ".".join((*package, *filter(None, (node.module,))))


def sources(*rooms: str) -> list[Source]:
    """All Python files of these rooms."""
    files = sorted(path for room in rooms or ROOMS for path in (ROOT / room).rglob("*.py"))
    return [Source(path.relative_to(ROOT), path.read_text(encoding="utf-8")) for path in files]


def lines_of(*rooms: str) -> Iterator[tuple[str, int, str]]:
    """Every line of every text file of these rooms, as place, number and text."""
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*")):
            if (
                path.is_file()
                and "__pycache__" not in path.parts
                and path.suffix not in (".pyc", ".mo", ".png", ".ttf")
            ):
                text = path.read_text(encoding="utf-8")
                yield from (
                    (path.relative_to(ROOT).as_posix(), number, line)
                    for number, line in enumerate(text.splitlines(), 1)
                )
