"""`pbem fetch`, `pbem receive` and `pbem listen`: messages come in."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from pbem.cli.frame import Session, as_json, at_time, moment, pass_session
from pbem.cli.output import emit, listed, say
from pbem.errors import NO, OK, NotStored

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.ledger import Ledger

REFUSED_FOR_GOOD = 69  # for mail servers: it will never be taken, so its sender is told


@click.command()
@at_time
@as_json
@pass_session
def fetch(session: Session, now: str | None, as_json: bool) -> int:
    """Collect what has come: order files in the inbox, mails in a Maildir or on an IMAP server; and answer it."""
    from pbem.arriving.brought import told
    from pbem.arriving.fetching import collect

    with session.ledger(renders=True) as ledger:
        found = collect(session.config, ledger, moment(now))
    if as_json:
        emit(found.to_json())
    else:
        say(listed(found.counts) or "Nothing came.")
        for line in told(found.routes):
            say(line)
    return OK if found.well else NO


@click.command()
@click.option("--sender", metavar="ADDRESS", help="The envelope's sender, as the mail server knows it.")
@click.option(
    "--recipient",
    "recipients",
    metavar="ADDRESS",
    multiple=True,
    help="An address of ours it came to; may be given again.",
)
@pass_session
def receive(session: Session, sender: str | None, recipients: tuple[str, ...]) -> int:
    """Take one mail on standard input, as a mail server hands it to a program.

    Exit codes: 0 the mail is stored, whatever is in it; 69 it is too large and never will be; 75 it is not stored,
    for any other reason there is: the mail server keeps it and offers it again.
    """
    from pbem.arriving.message import arrived_by, with_envelope

    if sys.stdin is None:
        raise NotStored("Standard input is closed, and a mail was to be read from it.")
    most = session.config.limits.message_bytes
    raw = sys.stdin.buffer.read(most + 1)
    if len(raw) > most:
        while sys.stdin.buffer.read(most):
            pass  # a mail server that cannot hand over the rest would not look at what we answer
        say(
            f"This mail is too large: {most} bytes are taken. Send your orders as text, without attachments.",
            err=True,
        )
        return REFUSED_FOR_GOOD
    at = moment(None)
    with session.ledger() as ledger:
        from pbem.arriving.storing import MAIL, store

        whole = with_envelope(raw, sender, recipients)
        store(ledger, [arrived_by(whole, at, most=len(whole))], MAIL)
        if session.config.mail.at_once:
            _judged(session, ledger, at)
    return OK


def _judged(session: Session, ledger: Ledger, at: datetime) -> None:
    """Judge it at once. Whatever comes of that: the mail is stored, and the mail server must not offer it again."""
    try:
        from pbem.arriving.judging import judge_at_once

        judge_at_once(session.config, ledger, at)
    except BaseException as ours:
        from pbem.faultlog import write_down

        write_down(ours, session.config.folder)


@click.command()
@click.option("--on", "place", metavar="PLACE", help="A path for a socket, or 127.0.0.1:PORT; else as pbem.toml says.")
@pass_session
def listen(session: Session, place: str | None) -> int:
    """Take mails by LMTP from a mail server on this machine, until SIGTERM. Needs the extra pbem[mail].

    A mail is answered 250 when it is on the disk, 451 when it could not be stored and 552 when it is too large. After a
    failed write it stops with exit code 75, to be started again by whoever keeps it.
    """
    from pbem.arriving.listening import listen as take
    from pbem.arriving.settings import read_listen

    config = session.config
    where = config.mail.listen if place is None else read_listen(config.folder, place)
    if where is None:
        raise click.UsageError("Name a place with --on, or `listen` in the section [mail] of pbem.toml.")
    return take(config, where, lambda line: say(line))
