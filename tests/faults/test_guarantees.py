"""The table of guarantees is whole and true: every promise is in it, its tests exist, nobody edited it by hand."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.faults import __main__ as runner
from tests.faults.guarantees import ROOT, ROWS, Row, missing
from tests.faults.table import TABLE, _line, _row, known, written

PROMISES = 37


def test_every_promise_is_in_the_table() -> None:
    numbers = [row.number for row in ROWS]
    assert numbers == sorted(set(numbers))
    assert set(range(1, PROMISES + 1)) <= set(numbers)
    page = TABLE.read_text()
    assert all(f"## {row.name}: {row.promise}" in page for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_its_tests_exist(row: Row) -> None:
    assert row.tests, f"{row.name} has no test"
    assert [why for cited in row.cited() if (why := missing(cited))] == []


def test_every_promise_has_a_weakened_build() -> None:
    assert [row.name for row in ROWS if not row.red] == []


def test_a_test_that_is_not_there_is_missed() -> None:
    assert "there is no file" in str(missing("tests/nowhere.py"))
    assert "has no test_nothing" in str(missing("tests/faults/test_guarantees.py::test_nothing"))


def test_the_page_is_what_the_figures_give() -> None:
    assert TABLE.read_text() == written(known()), "run `python -m tests.faults --write`"


@pytest.fixture
def tried(tmp_path: Path) -> Row:
    test = tmp_path / "test_two.py"
    test.write_text("def test_well():\n    print('figure: 12 of 12')\n\ndef test_red():\n    pass\n")
    return Row(99, "twelve are twelve", "12", (f"{test}::test_well",), (f"{test}::test_red",))


def test_a_row_is_run_and_told_in_a_line(tried: Row) -> None:
    found = runner.ran(tried, full=False)
    assert found["well"]
    assert found["figure"] == "2 tests; 12 of 12"
    assert found["red"] == 1
    assert runner.line(tried, found).startswith("G99  well: twelve are twelve [goal: 12] 2 tests; 12 of 12 (")


def test_what_the_tests_of_a_row_counted_is_added_up(tmp_path: Path) -> None:
    test = tmp_path / "test_parts.py"
    test.write_text(
        "import pytest\n\n@pytest.mark.parametrize('n', [3, 4])\ndef test_part(n):\n    print(f'count: {n} seeds')\n"
    )
    assert runner.ran(Row(99, "all", "7", (str(test),), ()), full=False)["figure"] == "2 tests; 7 seeds"


def test_a_row_that_fails_is_told(tried: Row, capsys: pytest.CaptureFixture[str]) -> None:
    file = Path(tried.tests[0].partition("::")[0])
    file.write_text(file.read_text().replace("pass", "assert False"))
    found = runner.ran(tried, full=False)
    assert not found["well"]
    assert found["red"] == 0
    assert "FAILED" in runner.line(tried, found)


def test_a_row_whose_weakened_build_was_not_tried_is_not_well(tried: Row) -> None:
    """Seen red: with the test of its weakened build skipped a row was called well."""
    file = Path(tried.tests[0].partition("::")[0])
    file.write_text(file.read_text().replace("pass", "__import__('pytest').skip()"))
    found = runner.ran(tried, full=False)
    assert (found["well"], found["red"]) == (False, 0)


@pytest.mark.parametrize(("red", "marked"), [(0, 2), (1, 0)])
def test_a_row_of_which_a_weakened_build_was_not_found_is_marked(red: int, marked: int) -> None:
    """In the table and below it, though the run itself went well. Seen red: it read like any other row."""
    row = replace(ROWS[0], red=ROWS[0].red[:1])
    found = {"well": True, "figure": "12 tests", "red": red, "seconds": 1, "on": "2026-11-19"}
    assert "".join([_line(row, found), *_row(row, {"full": found})]).count("**(not all)**") == marked


def test_a_name_that_is_no_promise_is_refused() -> None:
    command = [sys.executable, "-m", "tests.faults", "--only", "G0"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "G0" in done.stderr
