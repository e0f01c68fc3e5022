"""The help: there for every command, quick, and costing no import that is not needed."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from pbem.cli import COMMANDS, pbem
from tests.pbem.cli.desk import Desk

HEAVY = {"sqlmodel", "sqlalchemy", "alembic", "pydantic", "jinja2", "babel", "rich", "yaml", "email", "asyncio"}
MOST = 0.150  # seconds more than Python alone


def commands(group: click.Group = pbem, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command, and every command of a group of commands."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, name
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_every_command_has_help_that_fits_a_screen(bare: Desk, path: tuple[str, ...]) -> None:
    said = bare(*path, "--help").out
    assert said == bare(*path, "-h").out
    assert said.startswith(f"Usage: pbem {' '.join(path)} ")
    lines = said.splitlines()
    assert re.match(r"  [A-Z].*", lines[2]), "a sentence says what it does"
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 80
    cut = [line for line in lines if line.endswith("...") and not line.startswith("Usage:")]
    assert not cut, "no line of help is cut short"


def test_the_list_of_commands_is_whole(bare: Desk) -> None:
    said = bare("--help").out
    for name, (_, _, help) in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(help)}$", said, re.M), name


@pytest.mark.parametrize("args", [["--help"], ["nightly", "--help"], ["--version"], ["audit", "--help"], ["nightl"]])
def test_help_imports_nothing_heavy(args: list[str]) -> None:
    looks = f"import sys; from pbem.cli import run; run({args}); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", looks], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stderr.split())


def seconds(code: str) -> float:
    """The processor time that a child of that code costs; a loaded machine changes it little."""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return usage.ru_utime + usage.ru_stime


def test_help_costs_little_more_than_python_alone() -> None:
    more = []
    for _ in range(7):
        bare = seconds("pass")
        more.append(seconds("from pbem.cli import main; main(['--help'])") - bare)
    assert statistics.median(more) < MOST, more
