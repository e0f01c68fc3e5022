"""What a night leaves for those who watch: figures that Prometheus' own parser reads, and lines of JSON."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pbem.config import load
from pbem.ledger import Ledger, outbox
from pbem.ledger.figures import figures as of_ledger
from tests.pbem.cli.desk import DEADLINE, LATER, NEXT_DAY, Desk


def watch(desk: Desk, *lines: str) -> None:
    """The section [watch], which `pbem init` leaves empty, with these lines."""
    file = desk.folder / "pbem.toml"
    file.write_text(file.read_text().replace("[watch]", "\n".join(["[watch]", *lines, "#"]), 1))


@pytest.fixture
def watched(desk: Desk) -> Desk:
    """A host that leaves both, with an order in its inbox."""
    watch(desk, 'metrics = "pbem.prom"', 'nights = "nights.jsonl"')
    file_ = desk.file("b3", "1", 1, "order.yml")
    shutil.move(file_, desk.folder / "inbox" / file_.name)
    return desk


def figures(folder: Path) -> dict[str, float]:
    text = (folder / "pbem.prom").read_text()
    lines = [line.rpartition(" ")[0] for line in text.splitlines() if not line.startswith("#")]
    told = [line.split()[2] for line in text.splitlines() if line.startswith("# TYPE ")]
    assert text.endswith("\n")
    assert len(set(lines)) == len(lines), "the collector drops a file that says a thing twice"
    assert len(set(told)) == len(told)
    found = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation
        assert family.type in ("gauge", "counter")
        for sample in family.samples:
            found[" ".join([sample.name, *sample.labels.values()])] = sample.value
    return found


def test_the_figures_of_a_night(watched: Desk) -> None:
    watched("nightly", "--now", DEADLINE, "--jobs", "1")
    first = figures(watched.folder)
    assert first["pbem_night_timestamp_seconds"] == 1795032000.0  # 2026-11-18T20:00Z
    assert first["pbem_night_well"] == 1
    assert first["pbem_night_turns"] == 1
    assert first["pbem_night_games resolved"] == 1
    assert first["pbem_night_messages accepted"] == 1
    assert first["pbem_night_mails sent"] > 0
    assert first["pbem_messages_total"] == 1
    assert first["pbem_mails_waiting"] == first["pbem_mails_lost"] == first["pbem_games_due"] == 0
    assert first["pbem_ledger_bytes ledger"] + first["pbem_ledger_bytes wal"] > 100_000
    watched("nightly", "--now", NEXT_DAY, "--jobs", "1")
    second = figures(watched.folder)
    assert second["pbem_journal_rows_total"] > first["pbem_journal_rows_total"]
    assert second["pbem_night_timestamp_seconds"] == first["pbem_night_timestamp_seconds"] + 86400
    assert [path.name for path in watched.folder.iterdir() if "prom" in path.name] == ["pbem.prom"]


def test_what_is_late_and_what_was_lost_is_counted(watched: Desk) -> None:
    watched("fetch", "--now", LATER)
    ledger = Ledger.open(load(watched.folder / "pbem.toml").ledger)
    with ledger.read() as tx:
        assert of_ledger(tx, datetime(2026, 11, 18, 19, tzinfo=UTC)).mails_waiting == 1  # the receipt
    with ledger.write() as tx:
        (mail, *_) = outbox.due(tx, datetime(2026, 11, 19, tzinfo=UTC))
        outbox.fate(tx, mail, outbox.REFUSED, datetime(2026, 11, 18, 15, tzinfo=UTC), "550 nobody")
    with ledger.read() as tx:
        found = of_ledger(tx, datetime(2026, 11, 18, 21, tzinfo=UTC))
    ledger.close()
    assert (found.games_due, found.longest_due) == (1, datetime(2026, 11, 18, 20, tzinfo=UTC))
    assert (found.mails, found.mails_waiting, found.mails_lost) == (3, 0, 1)


def test_a_line_for_each_night_that_did_something(watched: Desk) -> None:
    for at in (DEADLINE, DEADLINE, NEXT_DAY):
        watched("nightly", "--now", at, "--jobs", "1")
    lines = [json.loads(line) for line in (watched.folder / "nights.jsonl").read_text().splitlines()]
    assert [line["now"] for line in lines] == ["2026-11-18T20:00:00Z", "2026-11-19T20:00:00Z"]
    assert lines[0]["resolved"] == 1
    assert lines[0]["seconds"] >= 0


def test_a_file_that_cannot_be_written_stops_no_night(watched: Desk) -> None:
    (watched.folder / "pbem.prom").mkdir()
    said = watched("nightly", "--now", DEADLINE, "--jobs", "1")
    assert said.err.startswith(f"pbem: {watched.folder}/pbem.prom could not be written (Is a directory)")
    assert "Games resolved: 1" in said.out
    assert not [path for path in watched.folder.iterdir() if path.name.startswith(".pbem.prom")]


def test_a_name_that_the_collector_would_not_read_is_refused(desk: Desk) -> None:
    watch(desk, 'metrics = "pbem.txt"')
    desk.refused("status", code=3, says="pbem.txt must end in .prom")
