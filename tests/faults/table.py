"""The table for referees: which promise, which test, and what it last came to. Written by the run, never by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.faults.guarantees import ROOT, ROWS, Row

FIGURES = Path(__file__).with_name("figures.json")
TABLE = ROOT / "docs" / "guarantees.md"
Figures = dict[str, dict[str, dict[str, Any]]]

OPENING = """\
# What is promised, and how it is shown

Each row is a promise to players, hosts and referees, with the tests that keep it. Beside them stand the tests that run
a *weakened build* (no salt, no lock, synced less often, ...) and must find it wanting: a test that was never seen red
is not counted. `make test` does a share of each in every run; `make faults` does the whole and writes this page. The
figures are those of the last run of each kind, on the day that is named.
"""


def known() -> Figures:
    """The figures of the last runs."""
    found: Figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    return found


def written(figures: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """The whole page."""
    return "\n".join([OPENING, *(text for row in ROWS for text in _row(row, figures.get(row.name, {})))])


def _row(row: Row, reached: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield f"## {row.name}: {row.promise}\n"
    yield f"- goal: {row.goal}"
    for kind, words in (("share", "in every run"), ("full", "in full")):
        yield f"- {words}: {_reached(row, reached.get(kind))}"
    if row.also:
        yield f"- further: `{row.also}`"
    yield f"- tests: {_cited(row.tests)}"
    yield f"- weakened builds that are found: {_cited(row.red)}\n"


def _reached(row: Row, found: Mapping[str, Any] | None) -> str:
    if found is None:
        return "not run yet"
    how = "" if found["well"] else "**not kept**: "
    red = f", {found['red']} of {len(row.red)} weakened builds found" if row.red else ""
    took = f"{found['worked']} s of processors" if "worked" in found else f"{found['seconds']} s"
    return f"{how}{found['figure']} ({took}{red}; {found['on']})"


def _cited(tests: tuple[str, ...]) -> str:
    return ", ".join(f"`{test}`" for test in tests) or "none yet"
