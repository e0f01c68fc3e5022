"""`pbem nightly` and `pbem deliver`: the work that a clock starts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from time import monotonic
from typing import TYPE_CHECKING

import click

from pbem.cli.frame import Session, as_json, at_time, moment, pass_session, whole
from pbem.cli.output import emit, listed, progress_bar, say, several

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.ledger import Ledger
    from pbem.summary import Summary


@click.command()
@click.option("--jobs", type=whole(0, 256), default=0, help="Worker processes; 0: as pbem.toml says.")
@click.option("--dry-run", is_flag=True, help="Say what is due, and change nothing.")
@at_time
@as_json
@pass_session
def nightly(session: Session, jobs: int, dry_run: bool, now: str | None, as_json: bool) -> int:
    """Collect orders, resolve what is due, write the reports and deliver them. May be called as often as you like."""
    from pbem.clock import stamp
    from pbem.ledger import games
    from pbem.nightly import night
    from pbem.watching.noting import note

    at = moment(now)
    with session.ledger(renders=True) as ledger:
        if dry_run:
            with ledger.read() as tx:
                due = games.due(tx, at)
            emit({"now": stamp(at), "due": due}) if as_json else say(due_words(due))
            return 0
        begun = monotonic()
        with nullcontext() if as_json else progress_bar() as tell:
            summary = night(session.config, ledger, at, jobs=jobs, tell=tell, by_clock=now is None)
        for trouble in note(session.config, ledger, summary, monotonic() - begun):
            say(f"pbem: {trouble}", err=True)
        lost, waiting = troubles(ledger, at)
    if as_json:
        emit(summary.to_json() | {"mails_lost": lost, "mails_tried_again": waiting})
    else:
        for line in [*words(summary), *trouble_words(lost, waiting)]:
            say(line)
    return 0 if summary.well else 1


def due_words(due: list[str]) -> str:
    if not due:
        return "No game is due."
    return f"{several(len(due), 'game is', 'games are')} due: {', '.join(due)}."


def words(summary: Summary) -> Iterator[str]:
    """The night in a few sentences."""
    from pbem.arriving.brought import told

    yield f"Night of {summary.now:%Y-%m-%d %H:%M} UTC. Messages: {listed(summary.collected) or 'none'}."
    yield f"Games resolved: {summary.resolved}, turns: {summary.turns}; due, but waiting for somebody: {summary.asked}."
    yield from summary.held
    if summary.moved:
        yield f"Moved, as the deadline came while nothing ran here: {', '.join(summary.moved)}."
    if summary.over:
        yield f"Over: {', '.join(summary.over)}."
    if summary.begun:
        yield f"Begun as the next game of a match: {', '.join(summary.begun)}."
    for name, reason in sorted(summary.failed.items()):
        yield f"{name} FAILED ({reason})" + (" and is halted." if name in summary.halted else "; it is tried again.")
    if summary.reminded:
        yield f"Reminded: {several(summary.reminded, 'player')}."
    yield f"Mails: {listed(summary.mails) or 'none'}."
    yield from told(summary.routes)


def troubles(ledger: Ledger, now: datetime) -> tuple[list[str], list[str]]:
    """The mails that are lost, and those that did not get through and are tried again."""
    from pbem.post.telling import troubled

    with ledger.read() as tx:
        return troubled(tx, now)


def trouble_words(lost: list[str], waiting: list[str]) -> Iterator[str]:
    """What a host must know of his post."""
    for line in waiting:
        yield f"Tried again later: {line}."
    for line in lost:
        yield f"NOT SENT: {line}."
    if lost:
        yield "When the cause is mended, `pbem deliver --refused` sends these again."


@click.command()
@click.option("--refused", is_flag=True, help="Try once more what was refused or given up.")
@at_time
@as_json
@pass_session
def deliver(session: Session, refused: bool, now: str | None, as_json: bool) -> None:
    """Send what waits in the outbox; show what could not be sent, and why."""
    from pbem.delivering import deliver as carry
    from pbem.ledger import outbox
    from pbem.locks import NIGHT, alone

    config, at = session.config, moment(now)
    with session.ledger() as ledger, alone(config.place, NIGHT):
        if refused:
            with ledger.write() as tx:
                outbox.again(tx, at)
        counts = carry(config, ledger, at)
        lost, waiting = troubles(ledger, at)
    if as_json:
        emit(counts | {"mails_lost": lost, "mails_tried_again": waiting})
        return
    for line in [listed(counts) or "Nothing waits to be sent.", *trouble_words(lost, waiting)]:
        say(line)


@click.command()
@at_time
@as_json
@pass_session
def remind(session: Session, now: str | None, as_json: bool) -> None:
    """Remind players who wish it and have not answered, by one mail each; `pbem nightly` does the same.

    It resolves nothing, so it may run as often as reminders are to be on time. It looks at no game in which nobody is
    due.
    """
    from pbem.deadlines.reminding import remind as write
    from pbem.delivering import deliver as carry
    from pbem.locks import NIGHT, alone

    at, counts = moment(now), {}
    with session.ledger() as ledger, alone(session.config.place, NIGHT):
        if count := write(session.config, ledger, at):
            counts = carry(session.config, ledger, at)
    if as_json:
        emit({"reminded": count, "mails": counts})
    else:
        say(f"Reminded: {several(count, 'player')}." if count else "Nobody is to be reminded.")
