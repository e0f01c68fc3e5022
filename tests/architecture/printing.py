"""Who may print: the command line's one writer, which escapes; and `say` of the programs that exports carry."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.reading import Finding, Source

WRITER = "pbem/cli/output.py"
ALONE = (
    "pbem/audit/checker.py",
    "pbem/audit/seen.py",
    "pbem/audit/running.py",
    "pbem/signature.py",
)  # run without pbem
CLICK = {"echo", "secho", "style", "echo_via_pager", "clear", "prompt", "confirm", "progressbar", "pause", "edit"}
STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}
MODULES = {"rich", "pprint", "curses", "readline", "tty"}
LOGGING = {"StreamHandler", "basicConfig", "lastResort"}
TRACEBACK = {"print_exc", "print_exception", "print_stack", "print_tb", "print_last"}


def printing_elsewhere(source: Source) -> Iterator[Finding]:
    """Every way past the writer."""
    place = source.path.as_posix()
    if place == WRITER:
        return
    inside_say = _lines_of_say(source) if place in ALONE else set[int]()
    for line, module in source.imports(parts=True):
        if module.partition(".")[0] in MODULES or module in {f"sys.{name}" for name in STREAMS}:
            yield source.finding(line, f"imports {module}")
        if module in {f"click.{name}" for name in CLICK}:
            yield source.finding(line, f"imports {module}")
    for node in ast.walk(source.tree):
        if (way := _way(node)) and node.lineno not in inside_say:  # type: ignore[attr-defined]
            yield source.finding(node.lineno, way)  # type: ignore[attr-defined]


def _way(node: ast.AST) -> str:
    """How a node writes to a stream; empty when it does not."""
    if isinstance(node, ast.Name) and node.id in ("print", "input", "breakpoint"):
        return f"uses {node.id}"
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return _exit(node)
    said = f"{node.value.id}.{node.attr}"
    wrong = (
        (node.value.id == "click" and node.attr in CLICK)
        or (node.value.id == "sys" and node.attr in STREAMS)
        or (node.value.id == "logging" and node.attr in LOGGING)
        or (node.value.id == "traceback" and node.attr in TRACEBACK)
    )
    return f"uses {said}" if wrong else ""


def _exit(node: ast.AST) -> str:
    """`sys.exit` with words prints them; with `safe(...)` they are escaped."""
    if not isinstance(node, ast.Call) or ast.unparse(node.func) not in ("sys.exit", "exit", "SystemExit"):
        return ""
    words = [one for one in node.args if isinstance(one, ast.JoinedStr)]
    return "exits with words that are not escaped" if words else ""


def _lines_of_say(source: Source) -> set[int]:
    """The lines of the functions `say` and `safe` of a program that stands alone."""
    found = set[int]()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef) and node.name in ("say", "safe"):
            found |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found
