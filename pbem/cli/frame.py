"""What all commands share: the session with its host, JSON or words on standard output, and faults put in a log."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from pbem.config import Config
    from pbem.ledger import Ledger

F = TypeVar("F", bound=Callable[..., Any])


def as_json(command: F) -> F:
    """The option `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of words.")(command)


def at_time(command: F) -> F:
    """The option `--now`, for referees, tests and demonstrations."""
    help = "Take this instant for the present, such as 2026-11-18T20:00Z."
    return click.option("--now", metavar="ISO", help=help)(command)


class Session:
    """One call of the program: which host it is for."""

    def __init__(self, config: str | None) -> None:
        self.given = config

    @cached_property
    def config(self) -> Config:
        from pbem.config import find, load

        return load(find(self.given))

    @contextmanager
    def ledger(self, *, renders: bool = False) -> Iterator[Ledger]:
        """The host's ledger, checked as it is opened. A command that `renders` keeps its templates compiled."""
        from pbem.ledger import Ledger

        if renders:
            from pbem.reports.environment import keep_bytecode

            keep_bytecode(self.config.folder / ".templates")
        ledger = Ledger.open(self.config.ledger)
        try:
            yield ledger
        finally:
            ledger.close()


pass_session = click.make_pass_decorator(Session)


def moment(now: str | None) -> datetime:
    """The instant a command works at: the one named, else the clock's."""
    from pbem import clock

    return clock.read_instant(now) if now else clock.system()


def say(words: str = "", *, err: bool = False) -> None:
    click.echo(words, err=err)


def emit(data: Any) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2, default=str))


def report_fault(fault: BaseException) -> None:
    """A fault of ours: the traceback goes into a log, the user hears one sentence."""
    folder = Path(os.environ.get("PBEM_LOG_FOLDER", "."))
    log = folder / "pbem-fault.log"
    kept = "".join(traceback.format_exception(fault))
    try:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"--- {datetime.now(UTC).isoformat()}\n{kept}")
        where = f"The details are in {log.resolve()}."
    except OSError:
        where = "The details could not be written down."
    click.echo(f"pbem: this is a fault of pbem, not of yours ({type(fault).__name__}). {where}", err=True)
