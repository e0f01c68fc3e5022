"""The tables on a terminal, and in a document between two marks, with the machine and the versions of the run."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from tests.bench.peers.comparing import Table

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def plain(table: Table) -> str:
    """For a terminal: columns of even width."""
    rows = [tuple(cell.replace("`", "").replace("**", "*") for cell in row) for row in (table.head, *table.rows)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(table.head))]
    lines = [
        "  ".join(_aside(cell, width, place) for place, (cell, width) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    ]
    return "\n".join(["", table.title.replace("`", ""), *(line.rstrip() for line in lines)])


def _aside(cell: str, width: int, place: int) -> str:
    return cell.rjust(width) if place else cell.ljust(width)


def markdown(table: Table) -> str:
    """For the document."""
    ruler = ("---", *["---:"] * (len(table.head) - 1))
    lines = [f"| {' | '.join(row)} |" for row in (table.head, ruler, *table.rows)]
    return "\n".join([f"### {table.title}", "", *lines, *(["", table.note] if table.note else [])])


def machine() -> str:
    """What this machine is."""
    cpu = "unknown processor"
    if (about := Path("/proc/cpuinfo")).exists():
        named = re.search(r"^model name\s*:\s*(.+)$", about.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
        cpu = named[1] if named else platform.machine()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{cpu}, {os.cpu_count()} cores, {platform.system()}, {python}"


def measured(
    tables: Sequence[Table], versions: Mapping[str, str], absent: Mapping[str, str], rounds: int, now: datetime
) -> str:
    """All that one run came to, as it stands in the document."""
    stand = ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
    missed = [one for table in tables for one in table.missed]
    lines = [
        f"Measured {now:%Y-%m-%d} in one run, medians of {rounds} rounds, on {machine()}; {stand}.",
        *(f"Left out: {name} ({why})." for name, why in absent.items()),
        f"Goals missed: {'; '.join(missed)}." if missed else "Every goal is met.",
    ]
    return "\n\n".join(["\n".join(lines), *map(markdown, tables)])


def written(document: str, part: str) -> str:
    """The document with that part between its marks; all else stays as it is."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the document has no place between {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{part}\n\n{END}{after}"
