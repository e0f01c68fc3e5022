"""Shipping: the rules of one game as source, so that an export can be played again where nothing but Python is.

What goes along is found by following imports from the game's module through its own package and the engine. Tables that
a game reads with PyYAML go as Python literals, and a `yaml` that reads those: the same values, with nothing to install.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import yaml

from engine.registry import AnyGame, origin

ENGINE = "engine"
TABLES = (".yaml", ".yml")
READER = b'''"""Reads tables that were written as Python literals when this file was made; they were YAML before."""

from ast import literal_eval


class SafeLoader:
    pass


def load(text, loader=None):
    text = text.read() if hasattr(text, "read") else text
    return literal_eval(text.decode() if isinstance(text, bytes) else text)


safe_load = load
'''


def sources(rules: AnyGame) -> Iterator[tuple[str, bytes]]:
    """The files that the rules need, by their names below a folder that is put on the path; in the order of names."""
    module = origin(rules).partition(":")[0]
    files: dict[str, bytes] = {}
    for name, path in _reached(module, {ENGINE, module.partition(".")[0]}):
        place = Path(*name.split("."))
        if path.name == "__init__.py":
            files[str(place / path.name)] = path.read_bytes()
            files |= dict(_tables(path.parent, place))
        else:
            files[f"{place}.py"] = path.read_bytes()
    files["yaml.py"] = READER
    yield from sorted(files.items())


def _reached(start: str, packages: set[str]) -> Iterator[tuple[str, Path]]:
    """Every module of these packages that is imported from there on, with its file; packages above them, too."""
    seen: set[str] = set()
    waits = [start, ENGINE]
    while waits:
        name = waits.pop()
        if name in seen or name.partition(".")[0] not in packages:
            continue
        seen.add(name)
        spec = _found(name)
        if spec is None:
            continue  # a name out of a module, not a module
        yield name, spec
        waits += [name.rpartition(".")[0], *_imported(name, spec)]


def _found(name: str) -> Path | None:
    try:
        spec = find_spec(name) if name else None
    except ModuleNotFoundError:
        return None
    return None if spec is None or spec.origin is None else Path(spec.origin)


def _imported(name: str, path: Path) -> Iterator[str]:
    """What a module imports, wherever it does so."""
    inside = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = inside.split(".")[: len(inside.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _tables(folder: Path, place: Path) -> Iterator[tuple[str, bytes]]:
    """The data of a package, its own folders of data included."""
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder)
        if not path.is_file() or path.suffix in (".py", ".pyc", ".md") or _is_package(folder, inner):
            continue
        content = path.read_bytes()
        if path.suffix in TABLES:
            content = repr(yaml.safe_load(content)).encode()
        yield str(place / inner), content


def _is_package(folder: Path, inner: Path) -> bool:
    """Whether that lies in another package below this one."""
    return any((folder / above / "__init__.py").is_file() for above in inner.parents if str(above) != ".")
