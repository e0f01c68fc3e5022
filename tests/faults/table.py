"""The table for referees: which promise, which test, and what it last came to. Written by the run, never by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import fill
from typing import Any

from tests.faults.guarantees import ROOT, ROWS, Row

FIGURES = Path(__file__).with_name("figures.json")
TABLE = ROOT / "docs" / "guarantees.md"
WIDTH = 120  # columns of the text below the table
CELL = 110  # letters of a figure in the table
Figures = dict[str, dict[str, dict[str, Any]]]

OPENING = """\
# What is promised, and how it is shown

Each row is a promise to players, hosts and referees, with the tests that keep it. Beside them stand the tests that run
a *weakened build* (no salt, no lock, synced less often, ...) and must find it wanting: a test that was never seen red
is not counted. `make test` does a share of each in every run; `make faults` does the whole and writes this page. The
figures are those of the last run of each kind, on the day that is named: in the table what the whole came to, in short;
below it, by the row's name, all of it, with the tests.

| row | promise | goal | last figure in full | weakened builds found | on |
| --- | --- | --- | --- | --- | --- |\
"""


def known() -> Figures:
    """The figures of the last runs."""
    found: Figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    return found


def written(figures: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """The whole page: a line for each promise, then each with all there is to say of it."""
    reached = [(row, figures.get(row.name, {})) for row in ROWS]
    table = "\n".join(_line(row, found.get("full")) for row, found in reached)
    return "\n".join([f"{OPENING}\n{table}\n", *(text for row, found in reached for text in _row(row, found))])


def _line(row: Row, found: Mapping[str, Any] | None) -> str:
    cells = [f"[{row.name}](#{row.name.lower()})", row.promise, row.goal]
    if found is None:
        cells += ["not run yet", "", ""]
    else:
        red = f"{found['red']} of {len(row.red)}{_fewer(row, found)}" if row.red else ""
        cells += [("" if found["well"] else "**not kept**: ") + _short(found["figure"]), red, found["on"]]
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _fewer(row: Row, found: Mapping[str, Any]) -> str:
    """A mark where that run did not find every weakened build that is named now: some were not tried, or are newer."""
    return "" if found["red"] >= len(row.red) else " **(not all)**"


def _short(figure: str) -> str:
    """As much of a figure as fits into a cell, without the count of tests where more is known; all of it stands below
    the table."""
    parts = [part.strip() for part in figure.split(";")]
    kept, *rest = parts[1:] if len(parts) > 1 and " tests" in parts[0] else parts
    while rest and len(kept) + len(rest[0]) < CELL:
        kept += f"; {rest.pop(0)}"
    return f"{kept}; ..." if rest else kept


def _row(row: Row, reached: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield f'<a id="{row.name.lower()}"></a>\n'
    yield f"## {row.name}: {row.promise}\n"
    yield f"- goal: {row.goal}"
    for kind, words in (("share", "in every run"), ("full", "in full")):
        yield _wrapped(f"- {words}: {_reached(row, reached.get(kind))}")
    if row.also:
        yield f"- further: `{row.also}`"
    yield _wrapped(f"- tests: {_cited(row.tests)}")
    yield _wrapped(f"- weakened builds that are found: {_cited(row.red)}") + "\n"


def _wrapped(text: str) -> str:
    return fill(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _reached(row: Row, found: Mapping[str, Any] | None) -> str:
    if found is None:
        return "not run yet"
    how = "" if found["well"] else "**not kept**: "
    red = f", {found['red']} of {len(row.red)} weakened builds found{_fewer(row, found)}" if row.red else ""
    took = f"{found['worked']} s of processors" if "worked" in found else f"{found['seconds']} s"
    return f"{how}{found['figure']} ({took}{red}; {found['on']})"


def _cited(tests: tuple[str, ...]) -> str:
    return ", ".join(f"`{test}`" for test in tests) or "none yet"
