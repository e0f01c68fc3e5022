"""`pbem check` and `pbem submit`: orders from a file, judged or taken."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import Session, as_json, at_time, emit, moment, pass_session, say

if TYPE_CHECKING:
    from pbem.submitting import Settled

file_argument = click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))


@click.command()
@file_argument
@at_time
@as_json
@pass_session
def check(session: Session, file: Path, now: str | None, as_json: bool) -> int:
    """Read FILE (- for standard input) and say what its orders would do. Nothing is stored."""
    from pbem.intake.plain import told
    from pbem.intake.reading import read_bounded
    from pbem.submitting import describe, identify, verdict_on

    name = shown(file)
    reading = read_bounded(contents(file))
    with session.ledger() as ledger, ledger.read() as tx:
        found = identify(tx, session.config, reading)
        if isinstance(found, str):
            lines = describe(reading.problems, name) or [f"{name}: nobody's orders: {found}."]
            if as_json:
                emit({"fate": "unknown", "reason": found, "problems": [p.to_json() for p in reading.problems]})
            else:
                for text in lines:
                    say(text)
            return 1
        verdict = verdict_on(found, reading, moment(now))
    if as_json:
        emit(verdict.to_json())
    else:
        for text in told(verdict, name):
            say(text)
    return 0 if verdict.is_taken else 1


@click.command()
@file_argument
@at_time
@as_json
@pass_session
def submit(session: Session, file: Path, now: str | None, as_json: bool) -> int:
    """Store the orders in FILE (- for standard input), and print the receipt."""
    from pbem.taking import take_file

    with session.ledger(renders=True) as ledger:
        settled = take_file(session.config, ledger, contents(file), shown(file), moment(now))
    if as_json:
        emit(facts(settled))
    else:
        say(words(settled, shown(file)))
    return 0 if settled.fate == "accepted" else 1


def contents(file: Path) -> bytes:
    if str(file) == "-":
        return sys.stdin.buffer.read()
    return file.read_bytes()


def shown(file: Path) -> str:
    return "standard input" if str(file) == "-" else file.name


def words(settled: Settled, name: str) -> str:
    """The receipt, or why there is none."""
    from pbem.reports import text
    from pbem.submitting import describe

    if settled.receipt is not None:
        return text.render(settled.receipt).rstrip("\n")
    problems = describe(settled.reading.problems, name) if settled.reading else []
    return "\n".join([*problems, f"{name}: stored, and set aside: {settled.reason}. Nobody is answered."])


def facts(settled: Settled) -> dict[str, Any]:
    from pbem.reports import json

    receipt = None if settled.receipt is None else json.plain(settled.receipt)
    return {"fate": settled.fate, "reason": settled.reason, "game": settled.game, "receipt": receipt}
