"""`pbem nightly`, `pbem fetch` and `pbem deliver`: the work that a clock starts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from pbem.cli.frame import Session, as_json, at_time, emit, moment, pass_session, say

if TYPE_CHECKING:
    from pbem.nightly import Summary, Tell


@click.command()
@click.option("--jobs", type=click.IntRange(0), default=0, help="Worker processes; 0: as pbem.toml says.")
@click.option("--dry-run", is_flag=True, help="Say what is due, and change nothing.")
@at_time
@as_json
@pass_session
def nightly(session: Session, jobs: int, dry_run: bool, now: str | None, as_json: bool) -> int:
    """Collect orders, resolve what is due, write the reports and deliver them. May be called as often as you like."""
    from pbem.ledger import games
    from pbem.nightly import night

    at = moment(now)
    with session.ledger(renders=True) as ledger:
        if dry_run:
            with ledger.read() as tx:
                due = games.due(tx, at)
            emit({"now": str(at), "due": due}) if as_json else say(f"{len(due)} games are due: {', '.join(due) or '-'}")
            return 0
        with progress(as_json) as tell:
            summary = night(session.config, ledger, at, jobs=jobs, tell=tell)
    if as_json:
        emit(summary.to_json())
    else:
        for line in words(summary):
            say(line)
    return 0 if summary.well else 1


def words(summary: Summary) -> Iterator[str]:
    """The night in a few sentences."""
    collected = ", ".join(f"{count} {fate}" for fate, count in sorted(summary.collected.items())) or "none"
    yield f"Night of {summary.now:%Y-%m-%d %H:%M} UTC. Messages: {collected}."
    yield f"Games resolved: {summary.resolved}, turns: {summary.turns}; still waiting for somebody: {summary.asked}."
    if summary.over:
        yield f"Over: {', '.join(summary.over)}."
    for name, reason in sorted(summary.failed.items()):
        yield f"{name} FAILED ({reason})" + (" and is halted." if name in summary.halted else "; it is tried again.")
    sent = ", ".join(f"{count} {fate}" for fate, count in sorted(summary.mails.items())) or "none"
    yield f"Mails: {sent}."


@click.command()
@at_time
@as_json
@pass_session
def fetch(session: Session, now: str | None, as_json: bool) -> None:
    """Collect the order files that were dropped in the inbox, and answer them."""
    from pbem.inbox import collect

    with session.ledger(renders=True) as ledger:
        counts = collect(session.config, ledger, moment(now))
    if as_json:
        emit(counts)
    else:
        say(", ".join(f"{count} {fate}" for fate, count in sorted(counts.items())) or "Nothing came.")


@click.command()
@at_time
@as_json
@pass_session
def deliver(session: Session, now: str | None, as_json: bool) -> None:
    """Send what waits in the outbox."""
    from pbem.delivering import deliver as carry
    from pbem.lock import alone

    config = session.config
    with session.ledger() as ledger, alone(config.ledger.with_suffix(".lock"), "night"):
        counts = carry(config, ledger, moment(now))
    if as_json:
        emit(counts)
    else:
        say(", ".join(f"{count} {fate}" for fate, count in sorted(counts.items())) or "Nothing waits to be sent.")


@contextmanager
def progress(quiet: bool) -> Iterator[Tell | None]:
    """A progress bar on standard error, when somebody is there to see it."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, TaskID

    # Drawn by us, not by a thread: worker processes are forked, and a fork copies one thread only.
    with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as shown:
        tasks: dict[str, TaskID] = {}

        def tell(what: str, done: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = shown.add_task(what, total=of)
            shown.update(tasks[what], completed=done, total=of)
            shown.refresh()

        yield tell
