"""`python -m tests.faults [--full] [--only G12]`: every guarantee's tests, one line each, and the table of the figures.

Without `--full` each test does the share that `make test` does. What was reached is kept in `figures.json`, from which
`docs/guarantees.md` is written; a run of some rows leaves the figures of the others as they are.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.faults.figures import COUNT, MARK
from tests.faults.guarantees import ROOT, ROWS, Row
from tests.faults.table import FIGURES, TABLE, known, written

SHARE, FULL = "share", "full"
SPREAD = ("--dist", "loadgroup")  # as `make test` does


def main(arguments: Sequence[str] | None = None) -> int:
    given = _arguments(arguments)
    rows = [row for row in ROWS if not given.only or row.name in given.only]
    bad = 0
    if given.write:
        TABLE.write_text(written(known()))
        return 0
    for row in rows:
        found = ran(row, full=given.full, jobs=given.jobs, most=given.most)
        bad += not found["well"]
        keep(row.name, FULL if given.full else SHARE, found)
        sys.stdout.write(f"{line(row, found)}\n")
        sys.stdout.flush()
    return 1 if bad else 0


def keep(name: str, kind: str, found: dict[str, Any]) -> None:
    """Add what a run came to to the figures as they are now: other runs may have added theirs since this one began."""
    figures = known()
    figures.setdefault(name, {})[kind] = found
    FIGURES.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n")
    TABLE.write_text(written(figures))


def line(row: Row, found: dict[str, Any]) -> str:
    """A row in words: number, how it went, promise, goal, figure, seconds, weakened builds seen red."""
    how = "well" if found["well"] else "FAILED"
    red = f"weakened builds seen red: {found['red']} of {len(row.red)}"
    reached = f"{found['figure']} ({found['seconds']} s; {red}; {', '.join(row.tests)})"
    return f"{row.name:4} {how}: {row.promise} [goal: {row.goal}] {reached}"


def ran(row: Row, *, full: bool, jobs: str = "0", most: int = 0) -> dict[str, Any]:
    """The tests of a row, run once; what they came to."""
    cited = list(dict.fromkeys(row.cited()))
    if not cited:
        return _came_to(False, "no test yet", 0, 0.0, 0.0)
    environment = {**os.environ, **({"PBEM_LONG": str(most or row.long)} if full else {})}
    if not full:
        environment.pop("PBEM_LONG", None)
    begun, used = time.monotonic(), _used()
    with tempfile.TemporaryDirectory(prefix="pbem-guarantees-") as folder:
        report = Path(folder) / "report.xml"
        options = [
            f"--junitxml={report}",
            "-o",
            "junit_logging=system-out",
            "-p",
            "no:cacheprovider",
            "-n",
            jobs,
            *SPREAD,
        ]
        command = [sys.executable, "-m", "pytest", "-q", *options, *cited]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        seconds, worked = time.monotonic() - begun, _used() - used
        if not report.exists():
            return _came_to(False, done.stdout.strip().splitlines()[-1:] or "no report", 0, seconds, worked)
        suite = ElementTree.parse(report).getroot()
    if done.returncode:
        sys.stdout.write(done.stdout[-4000:])
    red = _seen_red(row, suite)
    # A promise whose weakened build was not found this time (its test was skipped, say) is not kept: it was not tried.
    return _came_to(not done.returncode and red == len(row.red), _figure(suite), red, seconds, worked)


def _used() -> float:
    """Seconds that processors have worked for us: by the clock a run takes as long as others leave it time."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def _came_to(well: bool, figure: object, red: int, seconds: float, worked: float) -> dict[str, Any]:
    today = f"{datetime.now(UTC):%F}"
    return {
        "well": well,
        "figure": str(figure),
        "red": red,
        "seconds": round(seconds),
        "worked": round(worked),
        "on": today,
    }


def _figure(suite: ElementTree.Element) -> str:
    """How many tests, how many of them were skipped, what they counted, and what they told."""
    cases = list(suite.iter("testcase"))
    skipped = sum(case.find("skipped") is not None for case in cases)
    said = [text for case in cases for out in case.iter("system-out") for text in (out.text or "").splitlines()]
    told = [text.removeprefix(MARK) for text in said if text.startswith(MARK)]
    counts = [f"{len(cases) - skipped} tests" + (f", {skipped} skipped" if skipped else ""), *_added_up(said)]
    return "; ".join([*counts, *dict.fromkeys(told)])


def _added_up(said: Sequence[str]) -> list[str]:
    sums = Counter[str]()
    for text in said:
        if text.startswith(COUNT):
            number, _, what = text.removeprefix(COUNT).partition(" ")
            sums[what] += int(number)
    return [f"{number} {what}" for what, number in sums.items()]


def _seen_red(row: Row, suite: ElementTree.Element) -> int:
    """How many of the row's weakened builds were found: their tests ran and passed."""
    passed = set()
    for case in suite.iter("testcase"):
        if all(case.find(fate) is None for fate in ("skipped", "failure", "error")):
            file = case.get("classname", "").replace(".", "/") + ".py"
            passed |= {file, f"{file}::{case.get('name', '').partition('[')[0]}"}
    return sum(any(cited.endswith(one) for one in passed) for cited in row.red)


def _arguments(arguments: Sequence[str] | None) -> Any:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--only", action="append", metavar="G12", choices=[row.name for row in ROWS])
    parser.add_argument("--full", action="store_true", help="the whole figures; hours, not minutes")
    parser.add_argument("--most", type=int, default=0, help="with --full: no more points of each kind")
    parser.add_argument("--write", action="store_true", help="only write the page anew, from the figures that are kept")
    parser.add_argument("--jobs", default="0", help="processes of pytest (0: in one; auto: one a core)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
