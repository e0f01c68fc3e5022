"""`pbem worker`: this machine takes part in the nights of a host in PostgreSQL."""

from __future__ import annotations

import os

import click

from pbem.cli.frame import Session, pass_session, whole
from pbem.cli.output import say

EVERY = ("1", "2", "5", "10", "15", "20", "30", "60", "120", "300", "600", "900", "1200", "1800", "3600")  # even parts


@click.command()
@click.option("--processes", type=whole(1, 256), default=None, help="So many games at a time; else one a processor.")
@click.option(
    "--carriers", type=whole(0, 64), default=1, show_default=True, help="So many processes that carry mails; 0: none."
)
@click.option(
    "--every",
    type=click.Choice(EVERY),
    default="60",
    show_default=True,
    metavar="SECONDS",
    help=f"Seconds between two looks for a night: {', '.join(EVERY)}.",
)
@pass_session
def worker(session: Session, processes: int | None, carriers: int, every: str) -> None:
    """Resolve games and carry mails for as long as this runs, beside the workers of other machines; until SIGTERM or
    Ctrl-C.

    The ledger must be in PostgreSQL (`pbem migrate-to`). No cron is needed: one of the workers leads each night, and
    the carriers of all of them help it with its mails, where mails leave by SMTP or a mail command. Ways in for mail
    (`pbem listen`, `pbem receive`) may run on as many machines as wanted.
    """
    from pbem.cluster import worker as crew

    crew.run(session.config, processes or len(os.sched_getaffinity(0)), carriers, int(every), say)
