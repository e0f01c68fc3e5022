"""Figures in the text form that Prometheus' textfile collector reads, written anew by each run and swapped in whole."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pbem.ledger.figures import Figures
from pbem.summary import Summary

GAUGE, COUNTER = "gauge", "counter"
Value = int | float


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure, or one for each value of a label."""

    name: str
    kind: str
    help: str
    values: Mapping[tuple[tuple[str, str], ...], Value]

    def lines(self) -> Iterator[str]:
        yield f"# HELP pbem_{self.name} {self.help}"
        yield f"# TYPE pbem_{self.name} {self.kind}"
        for labels, value in self.values.items():
            inside = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels)
            yield f"pbem_{self.name}{{{inside}}} {value}" if inside else f"pbem_{self.name} {value}"


def of_night(summary: Summary, took: float) -> Iterator[Metric]:
    """What the run just ended came to. An alarm for a night that did not come watches the first of them."""
    yield _one("night_timestamp_seconds", "The instant that the last run worked at.", int(summary.now.timestamp()))
    yield _one("night_duration_seconds", "How long the last run took.", round(took, 3))
    yield _one("night_well", "1 if nothing failed and every way in could be reached.", int(summary.well))
    yield _one("night_turns", "Turns that the last run resolved.", summary.turns)
    games = {
        "resolved": summary.resolved,
        "over": len(summary.over),
        "waiting": summary.asked,
        "failed": len(summary.failed),
        "halted": len(summary.halted),
    }
    yield _each("night_games", "Games of the last run, by what became of them.", "became", games)
    yield _each("night_messages", "Messages that the last run judged, by their fate.", "fate", summary.collected)
    yield _each("night_mails", "Mails that the last run carried, by their fate.", "fate", summary.mails)
    reached: dict[str, Value] = {}
    for route in summary.routes:
        reached[route.route] = min(reached.get(route.route, 1), int(route.reachable))
    yield _each("route_reachable", "1 if that way in could be read to its end.", "route", reached)


def of_ledger(figures: Figures, now: float, sizes: Mapping[str, Value]) -> Iterator[Metric]:
    """What stands in the ledger after it."""
    yield _one("journal_rows_total", "Rows of the journal.", figures.journal, COUNTER)
    yield _one("messages_total", "Messages that ever came in.", figures.letters, COUNTER)
    yield _one("mails_total", "Mails that were ever written.", figures.mails, COUNTER)
    yield _one("games_due", "Games that a run should look at now.", figures.games_due)
    late = 0.0 if figures.longest_due is None else now - figures.longest_due.timestamp()
    yield _one("games_due_longest_seconds", "How long the first of them has been due.", int(late))
    yield _one("messages_waiting", "Messages that wait to be judged.", figures.letters_waiting)
    yield _one("mails_waiting", "Mails that wait to leave, or to be tried again.", figures.mails_waiting)
    yield _one("mails_lost", "Mails that were refused or given up.", figures.mails_lost)
    yield _each("ledger_bytes", "Size of the ledger: of its files, or of its tables in a server.", "file", sizes)


def write(path: Path, metrics: Iterable[Metric]) -> None:
    """All of them as one file. The collector may look at any moment, so it finds the old file or the new one."""
    text = "".join(f"{line}\n" for metric in metrics if metric.values for line in metric.lines())
    made = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        made.write_text(text, encoding="utf-8")
        made.chmod(0o644)  # the collector is another user; there is nothing in it that is anybody's secret
        made.replace(path)
    finally:
        made.unlink(missing_ok=True)


def _one(name: str, help: str, value: Value, kind: str = GAUGE) -> Metric:
    return Metric(name, kind, help, {(): value})


def _each(name: str, help: str, label: str, values: Mapping[str, Value]) -> Metric:
    return Metric(name, GAUGE, help, {((label, one),): value for one, value in sorted(values.items())})


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
