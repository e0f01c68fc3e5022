"""`pbem audit diff` and `pbem audit rolls`: where two histories or turns differ, and every draw on a line."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.books import book, history, is_ledger, ledger_in, seen
from pbem.cli.frame import Session, as_json, at_time, game_named, moment, pass_session, whoever, whole
from pbem.cli.output import emit, say, several

if TYPE_CHECKING:
    from pbem.audit.diff import Difference


@click.command()
@click.argument("one")
@click.argument("other", required=False)
@click.option("--turns", nargs=2, type=whole(), metavar="A B", help="Two turns of the game ONE, and no OTHER.")
@click.option("--seat", help="With --turns: as that seat knew them; `all` compares everything. Else what all may know.")
@at_time
@as_json
@pass_session
def diff(
    session: Session,
    one: str,
    other: str | None,
    turns: tuple[int, int] | None,
    seat: str | None,
    now: str | None,
    as_json: bool,
) -> int:
    """Where two histories differ first, or what changed between two turns.

    ONE and OTHER are games of this host, exported files, or ledgers (a backup, say). The exit code is 0 when nothing is
    different and 1 when something is.
    """
    if (other is None) == (turns is None):
        raise click.UsageError("Name an OTHER history, or --turns A B of one.")
    if turns is not None:
        return _turns(session, one, turns, seat, now, as_json)
    if seat is not None:
        raise click.UsageError("--seat goes with --turns.")
    assert other is not None
    if is_ledger(one) and is_ledger(other):
        return _ledgers(one, other, as_json)
    return _histories(session, one, other, as_json)


def _turns(
    session: Session, name: str, turns: tuple[int, int], seat: str | None, now: str | None, as_json: bool
) -> int:
    from pbem.audit import diff as comparing
    from pbem.audit import looks

    if seat is not None and not Path(name).is_file():
        with session.ledger() as ledger:
            whose = "two whole turns" if seat == "all" else f"two turns as seat {seat} knows them"
            looks.note(ledger, name, whose, whoever(), moment(now), turn=turns[1])
    with history(session, name) as found:
        changes = comparing.turns(found, *turns, seat)
    if as_json:
        emit([change._asdict() for change in changes])
    else:
        say(f"{name}, turn {turns[0]} and then turn {turns[1]}: {several(len(changes), 'difference')}.")
        for change in changes:
            say(f"  {change}")
    return 1 if changes else 0


def _histories(session: Session, one: str, other: str, as_json: bool) -> int:
    from pbem.audit import diff as comparing

    with ExitStack() as stack:
        if is_ledger(one):
            yours = stack.enter_context(history(session, other))
            mine = stack.enter_context(history(session, one, yours.game))
        else:
            mine = stack.enter_context(history(session, one))
            yours = stack.enter_context(history(session, other, mine.game))
        found = comparing.books(mine, yours)
    return _told([] if found is None else [found], as_json)


def _ledgers(one: str, other: str, as_json: bool) -> int:
    from pbem.audit import diff as comparing

    with ledger_in(one) as first, ledger_in(other) as second:
        return _told(list(comparing.ledgers(first, second)), as_json)


def _told(found: list[Difference], as_json: bool) -> int:
    if as_json:
        emit([one.to_json() for one in found])
        return 1 if found else 0
    if not found:
        say("They are the same, row by row.")
    for one in found:
        say(f"{one.chain}: {one.says}.")
        for change in one.changes:
            say(f"  {change}")
    return 1 if found else 0


@click.command()
@game_named
@at_time
@as_json
@pass_session
def rolls(session: Session, name: str, now: str | None, as_json: bool) -> None:
    """Print every draw of the game NAME.

    Each with what it was for, its result, and how it comes out of the game's key by HMAC-SHA256. NAME may be an
    exported file, too. While the game runs this is a look at secrets, and written into the ledger.
    """
    from pbem.audit import rolls as listed

    if not Path(name).is_file():
        with book(session, name):
            pass  # there is such a game
        seen(session, name, "every draw", now)
    with history(session, name) as found:
        key, lines = listed.key_of(found), list(listed.rolls(found))
    if as_json:
        emit({"key": key, "rolls": [roll.to_json() for roll in lines]})
        return
    for roll in lines:
        say(listed.line(roll))
    say(f"{several(len(lines), 'draw')}." + (f" The key of the HMAC is {key}." if key else ""))
