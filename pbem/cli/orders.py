"""`pbem check` and `pbem submit`: orders from a file, judged or taken."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import Session, as_json, at_time, moment, pass_session
from pbem.cli.output import emit, say_lines
from pbem.errors import NO, Trouble

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.config import Config
    from pbem.intake.judge import Verdict
    from pbem.ledger.transaction import Read
    from pbem.submitting import Settled
    from pbem.submitting.identity import Proven

A_FILE = click.Path(exists=True, dir_okay=False, readable=False, allow_dash=True, path_type=Path)
file_argument = click.argument("file", type=A_FILE)


@click.command()
@file_argument
@at_time
@as_json
@pass_session
def check(session: Session, file: Path, now: str | None, as_json: bool) -> int:
    """Read FILE (- for standard input) and say what its orders would do. Nothing is stored."""
    from pbem.bounded import TaskDied
    from pbem.intake.plain import told
    from pbem.messages import Clerk, read_for_its_game
    from pbem.submitting import describe, foreseen, identify

    name, raw, at = shown(file), contents(file, session.config.limits.message_bytes), moment(now)
    with session.ledger() as ledger, Clerk(session.config.limits) as clerk:
        try:
            reading = read_for_its_game(ledger, clerk.reader, raw)
        except TaskDied as died:
            raise Trouble(f"{name}: reading it took too much ({died.kind}).", NO) from None
        with ledger.read() as tx:
            found = identify(tx, session.config, reading)
            over = None if isinstance(found, str) else past_limit(tx, session.config, found, at)
        try:
            verdict = None if isinstance(found, str) else clerk.apart.ask(foreseen, found, reading, at)
        except TaskDied as died:
            raise Trouble(f"{name}: the rules did not get through with it ({died.kind}).", NO) from None
    if verdict is None or isinstance(found, str):
        lines = describe(reading.problems, name) or [f"{name}: nobody's orders: {found}."]
        answer = NOBODYS | {"problems": [problem.to_json() for problem in reading.problems]}
    else:
        lines, answer = list(told(verdict, name)), verdict.to_json() | {"stands": anew(verdict, found)}
        if over:
            lines, answer = [f"{name}: It would not be taken. {over}"], answer | {"fate": "refused", "stands": {}}
    emit(answer | {"told": lines}) if as_json else say_lines("\n".join(lines))
    return 0 if verdict is not None and verdict.is_taken and not over else NO


def past_limit(tx: Read, config: Config, found: Proven, now: datetime) -> str:
    """Why nothing more is taken from that seat for now; "" where it may send more."""
    from pbem.submitting import budgets

    game, turn = found.sheet.name, found.recorded.turn
    over = budgets.exceeded(tx, config.limits, game, found.form.seat, turn, now, old_key=not found.is_current)
    return "" if over is None else str(over)


def anew(verdict: Verdict, found: Proven) -> dict[str, Any]:
    """What would stand that does not stand already. That is told to nobody here: it is sealed until it is played, and
    whoever looks at it is written down (`pbem audit show --sealed`)."""
    before = found.recorded.standing().orders_of(found.form.seat).to_json()
    return {name: stands for name, stands in verdict.stands.to_json().items() if stands != before.get(name)}


NOBODYS: dict[str, Any] = {"fate": "nobody's", "orders": [], "problems": [], "notices": [], "stands": {}, "kept": 0}


@click.command()
@file_argument
@at_time
@as_json
@pass_session
def submit(session: Session, file: Path, now: str | None, as_json: bool) -> int:
    """Store the orders in FILE (- for standard input), and print the receipt."""
    from pbem.game.taking import take_file

    with session.ledger(renders=True) as ledger:
        settled = take_file(
            session.config, ledger, contents(file, session.config.limits.message_bytes), shown(file), moment(now)
        )
    if as_json:
        emit(facts(settled))
    else:
        say_lines(words(settled, shown(file)))
    return 0 if settled.fate == "accepted" else 1


def contents(file: Path, most: int) -> bytes:
    """All of the file; of one that is too large (or has no end) no more than shows that it is."""
    if str(file) != "-":
        with file.open("rb") as opened:
            raw = opened.read(most + 1)
    elif sys.stdin is not None:
        raw = sys.stdin.buffer.read(most + 1)
    else:
        raise click.UsageError("Standard input is closed; name a FILE.")
    if len(raw) > most:
        raise Trouble(f"{shown(file)} is too large: a message may have {most} bytes.", NO)
    return raw


def shown(file: Path) -> str:
    """The file's name as it can be shown, whatever stands in it."""
    from pbem.intake.characters import visible

    return "standard input" if str(file) == "-" else visible(file.name, 80)


def words(settled: Settled, name: str) -> str:
    """The receipt, or why there is none."""
    from pbem.reports import text
    from pbem.submitting import describe

    if settled.receipt is not None:
        return text.render(settled.receipt).rstrip("\n")
    if settled.words:
        return f"{name}: stored, and refused. {settled.words}"
    if settled.told:
        return f"{name}: {settled.told}"
    problems = describe(settled.reading.problems, name) if settled.reading else []
    return "\n".join([*problems, f"{name}: stored, and set aside: {settled.reason}. Nobody is answered."])


def facts(settled: Settled) -> dict[str, Any]:
    from pbem.reports import json

    receipt = None if settled.receipt is None else json.plain(settled.receipt)
    return {"fate": settled.fate, "reason": settled.reason, "game": settled.game, "receipt": receipt}
