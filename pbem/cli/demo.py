"""`pbem demo`: whole games through the real path, and where to look."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.frame import as_json
from pbem.cli.output import emit, say

if TYPE_CHECKING:
    from pbem.demo import Tell


@click.command()
@click.argument("folder", default="demo", type=click.Path(file_okay=False, path_type=Path))
@as_json
def demo(folder: Path, as_json: bool) -> int:
    """Play every game of the showcase in FOLDER, and verify the history it leaves."""
    from pbem.audit.verify import verify_ledger
    from pbem.cli.audit import words
    from pbem.demo import demonstrate
    from pbem.ledger import Ledger

    begun = time.monotonic()
    with bar() as tell:
        outcome = demonstrate(folder, tell)
    ledger = Ledger.open(outcome.config.ledger)
    try:
        verdicts = list(verify_ledger(ledger))
    finally:
        ledger.close()
    sound = all(verdict.ok for verdict in verdicts) and not outcome.unfinished
    if as_json:
        shown = [{"name": one.name, "game": one.rules, "options": one.options} for one in outcome.shown]
        facts = {"folder": str(folder), "games": shown, "nights": outcome.nights, "turns": outcome.turns}
        emit(facts | {"files": outcome.files, "unfinished": outcome.unfinished, "verified": sound})
        return 0 if sound else 1
    took = time.monotonic() - begun
    say(f"{len(outcome.shown)} games, {outcome.turns} turns in {outcome.nights} nights, {outcome.files} order files")
    say(f"through the inbox: {took:.0f} seconds. Each game was played to its end by robots; now and then one was")
    say("silent or made a slip. Look at:")
    for one in outcome.shown:
        options = ", ".join(f"{name}={value}" for name, value in one.options.items())
        say(f"  {outcome.config.outbox / one.name}/  {one.rules}{f' ({options})' if options else ''}")
    say("    each seat's reports as .txt and .html, receipts beside them; the same as .eml in mail/")
    say(f"  pbem --config {folder} status --all          all games")
    say(f"  pbem --config {folder} show {outcome.shown[0].name}")
    say(f"  pbem --config {folder} audit log {outcome.shown[0].name}")
    for verdict in verdicts:
        for said in words(verdict):
            say(f"audit verify: {said}")
    return 0 if sound else 1


@contextmanager
def bar() -> Iterator[Tell | None]:
    """A progress bar on standard error, when somebody is there to see it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as progress:
        task = progress.add_task("playing", total=None)

        def tell(nights: int, over: int, of: int) -> None:
            progress.update(task, completed=over, total=of, description=f"night {nights}")
            progress.refresh()

        yield tell
