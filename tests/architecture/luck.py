"""What must not decide anything in `engine` and `games`: clock, luck, environment, floats, the order of a set."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.reading import Finding, Source

OUTSIDE = {
    *("random", "secrets", "uuid", "time", "datetime", "calendar", "zoneinfo", "locale", "gettext"),
    *("os", "platform", "getpass", "socket", "subprocess", "multiprocessing", "threading", "asyncio", "signal"),
    *("tempfile", "shutil", "glob", "io", "logging", "sqlite3", "pickle", "urllib", "http", "ctypes"),
}
CALLS = {"open", "print", "input", "eval", "exec", "hash", "id", "float", "complex", "vars", "globals", "breakpoint"}


def reaching_outside(source: Source) -> Iterator[Finding]:
    for line, module in source.imports():
        if module.partition(".")[0] in OUTSIDE:
            yield source.finding(line, f"imports {module}")
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            if not _in_hash_method(source, node):
                yield source.finding(node.lineno, f"calls {node.func.id}()")
        elif isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv"):
            yield source.finding(node.lineno, f"reads {node.attr}")


def counting_in_fractions(source: Source) -> Iterator[Finding]:
    """Float literals, and divisions that make floats of whole numbers (`/` between paths is no division)."""
    likeness = {part for call in ast.walk(source.tree) if _asks_for_near_words(call) for part in ast.walk(call)}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex) and node not in likeness:
            yield source.finding(node.lineno, f"the float {node.value}")
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div) and not _joins_paths(node):
            yield source.finding(node.lineno, "a division that makes a float")


def changing_values(source: Source) -> Iterator[Finding]:
    """Dataclasses that are not frozen, but for private ones that live inside one call."""
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
            continue
        for decorator in node.decorator_list:
            if "dataclass" in ast.unparse(decorator) and "frozen=True" not in ast.unparse(decorator):
                yield source.finding(node.lineno, f"{node.name} is a dataclass that is not frozen")


def _joins_paths(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return _joins_paths(node.left) or _joins_paths(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _in_hash_method(source: Source, call: ast.Call) -> bool:
    """A `__hash__` of one's own, or the property it keeps, may ask for the hash of what it consists of."""
    functions = (node for node in ast.walk(source.tree) if isinstance(node, ast.FunctionDef))
    methods = (node for node in functions if node.name in ("__hash__", "_hash"))
    return any(method.lineno <= call.lineno <= (method.end_lineno or 0) for method in methods)


def _asks_for_near_words(node: ast.AST) -> bool:
    """How alike two words must be is a fraction; it chooses a hint, never a result."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("get_close_matches")
