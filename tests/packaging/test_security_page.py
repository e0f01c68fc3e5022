"""docs/security.md: two pages, and every test that it names exists."""

from __future__ import annotations

import re

import pytest

from tests.architecture.reading import ROOT
from tests.faults.guarantees import ROWS, missing

PAGE = ROOT / "docs" / "security.md"
CITED = re.compile(r"`(tests/[\w/]+\.py(?:::\w+)?)`")
TWO_PAGES = 1300  # words


def named(text: str) -> list[str]:
    return CITED.findall(text)


def test_every_test_that_is_named_exists() -> None:
    found = named(PAGE.read_text(encoding="utf-8"))
    assert len(found) > 15
    assert [why for cited in found if (why := missing(cited))] == []


def test_every_row_that_is_named_exists() -> None:
    found = {int(number) for number in re.findall(r"\[G(\d+)\]", PAGE.read_text(encoding="utf-8"))}
    assert found
    assert found <= {row.number for row in ROWS}


def test_it_is_two_pages_and_the_short_one_leads_there() -> None:
    assert len(PAGE.read_text(encoding="utf-8").split()) <= TWO_PAGES
    assert "docs/security.md" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("cited", ["`tests/nowhere.py`", "`tests/packaging/test_security_page.py::test_nothing`"])
def test_weakened_a_test_that_is_not_there_is_found(cited: str) -> None:
    assert [why for one in named(cited) if (why := missing(one))]
