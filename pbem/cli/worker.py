"""`pbem worker`: this machine takes part in the nights of a host in PostgreSQL."""

from __future__ import annotations

import os

import click

from pbem.cli.frame import Session, pass_session, whole
from pbem.cli.output import say


@click.command()
@click.option("--processes", type=whole(1, 256), default=None, help="So many games at a time; else one a processor.")
@click.option(
    "--every", type=whole(1, 3600), default=60, show_default=True, help="Seconds between two looks for a night."
)
@pass_session
def worker(session: Session, processes: int | None, every: int) -> None:
    """Resolve games for as long as this runs, beside the workers of other machines; until SIGTERM or Ctrl-C.

    The ledger must be in PostgreSQL (`pbem migrate-to`). No cron is needed: one of the workers leads each night. Ways
    in for mail (`pbem listen`, `pbem receive`) may run on as many machines as wanted.
    """
    from pbem.cluster import worker as crew

    crew.run(session.config, processes or len(os.sched_getaffinity(0)), every, say)
