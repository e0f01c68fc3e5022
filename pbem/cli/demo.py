"""`pbem demo`: whole games through the real path, and where to look."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.completing import installed_games
from pbem.cli.frame import as_json
from pbem.cli.output import emit, progress_bar, say, several

if TYPE_CHECKING:
    from pbem.demo import Outcome


@click.command()
@click.argument("folder", default="demo", type=click.Path(path_type=Path))
@click.option("--only", multiple=True, metavar="GAME", shell_complete=installed_games, help="Only of these rules.")
@as_json
def demo(folder: Path, only: tuple[str, ...], as_json: bool) -> int:
    """Play every game of the showcase in FOLDER, and verify the history it leaves."""
    from pbem.audit.verify import verify_ledger
    from pbem.cli.audit import words
    from pbem.demo import demonstrate
    from pbem.ledger import Ledger

    begun = time.monotonic()
    with progress_bar() as bar:
        outcome = demonstrate(folder, only, bar and (lambda nights, over, of: bar("playing", over, of)))
    with closing(Ledger.open(outcome.config.place)) as ledger:
        verdicts = list(verify_ledger(ledger))
    sound = all(verdict.ok for verdict in verdicts) and not outcome.unfinished
    if as_json:
        games = [{"name": one.name, "game": one.rules, "options": one.options} for one in outcome.shown]
        facts = {"nights": outcome.nights, "turns": outcome.turns, "files": outcome.files}
        emit({"folder": str(folder), "games": games, **facts, "unfinished": outcome.unfinished, "verified": sound})
        return 0 if sound else 1
    counted = (len(outcome.shown), "game"), (outcome.turns, "turn"), (outcome.nights, "night")
    counts = ", ".join(several(count, what) for count, what in counted)
    took = time.monotonic() - begun
    say(f"{counts}; {several(outcome.files, 'order file')} came through the inbox: {took:.0f} seconds.")
    for text in where_to_look(outcome, folder):
        say(text)
    for verdict in verdicts:
        for said in words(verdict):
            say(f"audit verify: {said}")
    if outcome.unfinished:
        say(f"Not played to the end: {', '.join(outcome.unfinished)}.")
    return 0 if sound else 1


def where_to_look(outcome: Outcome, folder: Path) -> Iterator[str]:
    yield "Each game was played to its end by robots; now and then one was silent or made a slip. Look at:"
    for one in outcome.shown:
        options = ", ".join(f"{name}={value}" for name, value in one.options.items())
        match = "; a match, its next games beside it" if one.match else ""
        yield f"  {outcome.config.outbox / one.first_game}/  {one.rules}{f' ({options})' if options else ''}{match}"
    yield "    each seat's reports as .txt and .html, receipts beside them; the same as .eml in mail/"
    pbem = f"{called()} --config {shlex.quote(str(folder))}"
    yield f"  {pbem} status --all          all games"
    yield f"  {pbem} show {outcome.shown[0].first_game}"
    yield f"  {pbem} audit log {outcome.shown[0].first_game}"
    if any(one.match for one in outcome.shown):
        yield f"  {pbem} match list            all matches"


def called() -> str:
    """How to call this program from here: by its name alone only where a shell would find it by that."""
    found = shutil.which("pbem")
    here = Path(sys.argv[0])
    if here.name != "pbem" or (found and os.path.realpath(found) == os.path.realpath(here)):
        return "pbem"
    return shlex.quote(str(here))
