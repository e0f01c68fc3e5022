"""After a run: its figures and its line of JSON are left where the host wants them. Nothing of a night hangs on it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from pbem.config import Config
from pbem.ledger import Ledger
from pbem.ledger.figures import figures
from pbem.summary import Summary
from pbem.watching import metrics


def note(config: Config, ledger: Ledger, summary: Summary, took: float) -> Iterator[str]:
    """Leave what [watch] asks for; gives a sentence for each that could not be left."""
    if config.watch.metrics is not None:
        yield from _tried(config.watch.metrics, lambda path: _metrics(path, config, ledger, summary, took))
    if config.watch.nights is not None and summary.did_something:
        yield from _tried(config.watch.nights, lambda path: _night(path, summary, took))


def _metrics(path: Path, config: Config, ledger: Ledger, summary: Summary, took: float) -> None:
    with ledger.read() as tx:
        found, sizes = figures(tx, summary.now), ledger.home.sizes(tx.connection)
    now = summary.now.timestamp()
    metrics.write(path, [*metrics.of_night(summary, took), *metrics.of_ledger(found, now, sizes)])


def _night(path: Path, summary: Summary, took: float) -> None:
    line = json.dumps(summary.to_json() | {"seconds": round(took, 3)}, ensure_ascii=False)
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def _tried(path: Path, leave: Callable[[Path], None]) -> Iterator[str]:
    try:
        leave(path)
    except OSError as error:
        yield f"{path} could not be written ({error.strerror}); the night itself is done."
