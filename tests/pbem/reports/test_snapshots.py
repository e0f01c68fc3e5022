"""One whole report of each game, kept as it is read: a change of words shows up as a difference a person can judge.

After a change that is meant: `PBEM_SNAPSHOTS=update .venv/bin/python -m pytest tests/pbem/reports/test_snapshots.py`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.reports import html, text
from tests.pbem.reports import letters
from tests.pbem.reports.played import play, report

FOLDER = Path(__file__).parent / "snapshots"
UPDATE = os.environ.get("PBEM_SNAPSHOTS") == "update"


def made():
    bagh_chal = play("bagh-chal", 31, heroes="true")
    yuan = play("yuan", 22, players=4)
    return {
        "bagh-chal": report(bagh_chal, "1"),
        "yuan": report(yuan, "1", last=1),
        "receipt": letters.receipt("take two from b"),
        "notice": letters.notice("Please send your orders."),
    }


@pytest.fixture(scope="module")
def reports():
    return made()


@pytest.mark.parametrize("name", ["bagh-chal", "yuan", "receipt", "notice"])
@pytest.mark.parametrize(("ending", "render"), [("txt", text.render), ("html", html.render)])
def test_a_report_reads_as_it_did(reports, name, ending, render):
    file, rendered = FOLDER / f"{name}.{ending}", render(reports[name])
    if UPDATE:
        file.parent.mkdir(exist_ok=True)
        file.write_text(rendered, "utf-8")
    assert rendered == file.read_text("utf-8")
