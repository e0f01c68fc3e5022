"""`pbem audit diff`, `rolls` and `page`: where two histories or turns differ, every draw, and all of it to be read."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.books import evidence, heads_known, history, is_file, is_ledger, ledger_in, noted, say_sealed, seen
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
    """Compare two histories, or two turns of one.

    Of two histories the first row that differs is told, of two turns all that has changed.

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
        return _ledgers(session, one, other, now, as_json)
    return _histories(session, one, other, now, as_json)


def _turns(
    session: Session, name: str, turns: tuple[int, int], seat: str | None, now: str | None, as_json: bool
) -> int:
    from pbem.audit import diff as comparing
    from pbem.audit import looks

    if seat is not None and not is_file(name):
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


def _histories(session: Session, one: str, other: str, now: str | None, as_json: bool) -> int:
    from pbem.audit import diff as comparing

    with ExitStack() as stack:
        if is_ledger(one):
            yours = stack.enter_context(history(session, other))
            mine = stack.enter_context(history(session, one, yours.game))
        else:
            mine = stack.enter_context(history(session, one))
            yours = stack.enter_context(history(session, other, mine.game))
        differs = comparing.books(mine, yours)
        ours = [found for name, found in ((one, mine), (other, yours)) if _is_here(session, name)]
        games = [found.game for found in ours if next(found.lines(("created",)), None)]
    if differs is not None and differs.changes:  # what a row says may be secret still
        for name in dict.fromkeys(games):
            noted(session, name, f"row {differs.row}, where two histories differ", now)
    return _told([] if differs is None else [differs], as_json)


def _ledgers(session: Session, one: str, other: str, now: str | None, as_json: bool) -> int:
    from pbem.audit import diff as comparing

    with ledger_in(one) as first, ledger_in(other) as second:
        found = list(comparing.ledgers(first, second))
    if _is_own(session, one) or _is_own(session, other):
        for name, row in _of_games(session, found):
            noted(session, name, f"row {row}, where two ledgers differ", now)
    return _told(found, as_json)


def _is_here(session: Session, name: str) -> bool:
    """Whether that names a history in the ledger of this host, by a game's name or by the ledger's own file."""
    return not is_file(name) or (is_ledger(name) and _is_own(session, name))


def _is_own(session: Session, name: str) -> bool:
    """Whether that file is the ledger of this host, and no copy of it; none is where the ledger is lost."""
    return session.folder() is not None and (own := session.config.place.file).is_file() and own.samefile(name)


def _of_games(session: Session, found: list[Difference]) -> list[tuple[str, int]]:
    """The rows of this host's games that would be told."""
    from pbem.ledger import games

    with session.ledger() as ledger, ledger.read() as tx:
        return [(one.chain, one.row) for one in found if one.changes and games.glance(tx, one.chain) is not None]


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

    seen(session, name, "every draw", now)
    with history(session, name) as found:
        key, lines = listed.key_of(found), list(listed.rolls(found))
        if as_json:
            emit({"key": key, "rolls": [roll.to_json() for roll in lines]})
            return
        for roll in lines:
            say(listed.line(roll))
        say(f"{several(len(lines), 'draw')}." + (f" The key of the HMAC is {key}." if key else ""))
        say_sealed(found)


@click.command()
@game_named
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--referee", is_flag=True, help="Tell what is still secret, too. Not for players while the game runs.")
@click.option("--pictures", is_flag=True, help="A map for every turn, not for the last one alone.")
@heads_known
@at_time
@as_json
@pass_session
def page(
    session: Session,
    name: str,
    target: Path,
    referee: bool,
    pictures: bool,
    heads: tuple[str, ...],
    mails: Path | None,
    keys: tuple[str, ...],
    now: str | None,
    as_json: bool,
) -> int:
    """Write the game NAME as one page to read or print.

    Every turn with orders, draws, events and positions, rulings, mails and their fates, heads, and whether it is true.
    NAME may be an exported file, too. The exit code is 1 when the history is not true; the page then says where.
    """
    from pbem.audit.page import page as made
    from pbem.audit.verify import verify
    from pbem.ledger.troubles import LedgerExists

    if target.exists():
        raise LedgerExists(f"There is a file {target} already; name another one.")
    if referee:
        seen(session, name, "a page with all that is secret", now)
    with history(session, name) as found:
        held = evidence(heads, mails, {*found.signing_keys(), *keys}, found.game)
        text = made(found, referee=referee, witnesses=held.heads, mails=held.mails, pictures=pictures)
        verdict = verify(found, held.heads, held.mails)
    target.touch(0o600 if referee else 0o666)  # before anything stands in it
    target.write_text(text, encoding="utf-8")
    if as_json:
        emit({"file": str(target), "bytes": len(text.encode()), "true": verdict.ok, "fault": verdict.fault})
    else:
        partly = f"; {verdict.unplayed}" if verdict.unplayed else ""
        say(f"{target}: {f'true{partly}' if verdict.ok else f'NOT TRUE. {verdict.fault}'}")
    return 0 if verdict.ok else 1
