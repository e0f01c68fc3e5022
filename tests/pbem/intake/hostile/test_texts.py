"""Y at the reader: each text is read, or refused at its place in words a person can act on, well within its bounds."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest

from pbem.intake import yaml_events
from pbem.intake.fields import read_form
from pbem.intake.form import Reading
from pbem.intake.plain import line
from pbem.intake.reading import BoundedReader
from tests.faults.figures import counted
from tests.pbem.intake.hostile.case import Case
from tests.pbem.intake.hostile.yaml_texts import YAML_TEXTS

QUOTED = 200  # characters of an input that an answer may show
QUICK = 0.5  # seconds of processor time; a fourth of what is allowed


@pytest.fixture(scope="module")
def reader() -> Iterator[BoundedReader]:
    with BoundedReader() as reader:
        yield reader


def first(reading: Reading) -> tuple[str, int, int]:
    if not reading.problems:
        return "", 0, 0
    problem = reading.problems[0]
    assert problem.mark is not None
    return problem.why.code, problem.mark.line, problem.mark.column


def test_there_are_enough_and_each_has_its_name() -> None:
    assert len(YAML_TEXTS) >= 220
    assert len({case.id for case in YAML_TEXTS}) == len(YAML_TEXTS)


@pytest.mark.parametrize("case", YAML_TEXTS, ids=lambda case: case.id)
def test_what_is_said_of_it(case: Case, reader: BoundedReader) -> None:
    begun = time.process_time()
    alone = read_form(case.raw())
    assert time.process_time() - begun < QUICK
    assert first(alone) == (case.code, case.line, case.column)
    assert case.says in (str(alone.problems[0].why) if alone.problems else "")
    assert reader.read(case.raw()) == alone, "the child reads it as we would, and lives"
    in_a_body = read_form(case.raw(), body=True)
    assert len(in_a_body.problems) >= len(alone.problems), "a mail's body is never read less strictly"
    counted(1, "hostile texts of the corpus read as their row says")


@pytest.mark.parametrize("case", YAML_TEXTS, ids=lambda case: case.id)
def test_little_of_it_is_quoted(case: Case) -> None:
    for problem in read_form(case.raw()).problems:
        told = line(problem, "orders.yml")
        assert told.isprintable()
        assert not re.search(r"(.)\1{100}", told)
        assert _longest_quoted(told, case.raw().decode("utf-8", "replace")) <= QUOTED


def _longest_quoted(told: str, written: str) -> int:
    """How long the longest stretch of the answer is that stands in the input, too."""
    longest = 0
    for start in range(len(told)):
        while told[start : start + longest + 1] in written and start + longest < len(told):
            longest += 1
    return longest


# --- weakened builds: each must be seen to fail the tests above -------------------------------------------------------


def fails(*family: str) -> bool:
    """Whether some case of the families is not answered as it must be."""
    for case in YAML_TEXTS:
        if case.id.startswith(family):
            try:
                found = first(read_form(case.raw()))
            except Exception:
                return True
            if found != (case.code, case.line, case.column):
                return True
    return False


def test_none_of_them_fails_as_it_is() -> None:
    assert not fails("Y")


@pytest.mark.parametrize(
    ("family", "gone"),
    [
        (("Y01", "Y02", "Y06"), "_check"),
        (("Y10", "Y14"), "_settled"),
    ],
)
def test_a_builder_that_checks_nothing_is_found(
    family: tuple[str, ...], gone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = yaml_events._Builder
    weakened = (lambda self, event: None) if gone == "_check" else (lambda self, text, event: text)
    monkeypatch.setattr(builder, gone, weakened)
    assert fails(*family)


def test_text_below_the_end_that_is_read_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_events, "text_of", yaml_events.decode)
    assert fails("Y11", "Y19")


def test_doubles_that_are_overlooked_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = yaml_events._Builder._key

    def last_wins(self, key, event):  # type: ignore[no-untyped-def]
        self.stack[-1].box.pop(key, None)
        real(self, key, event)

    monkeypatch.setattr(yaml_events._Builder, "_key", last_wins)
    assert fails("Y07")


def test_signs_that_are_let_through_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_events, "forbidden", lambda text: None)
    assert fails("Y14")
