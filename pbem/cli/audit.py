"""`pbem audit`: the referee's tools, on a ledger or on an exported file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.books import book, evidence, heads_known, history, is_file, key_known, noted, say_sealed, seen
from pbem.cli.comparing import diff, page, rolls
from pbem.cli.completing import hosted_games
from pbem.cli.frame import Group, Session, as_json, at_time, game_named, moment, pass_session, whoever, whole
from pbem.cli.output import emit, say, several
from pbem.errors import NO, OK, PARTLY
from pbem.intake.characters import visible

if TYPE_CHECKING:
    from pbem.audit.show import Shown
    from pbem.audit.verify import Verdict

# What is said of a mail before the reason.
SPOKEN = {
    "genuine": "genuine.",
    "altered": "ALTERED.",
    "not_ours": "not of this host.",
    "unsigned": "not signed.",
    "host_fault": "THE HOST'S FAULT.",
}


@click.group(cls=Group)
def audit() -> None:
    """The referee's tools: what happened, whether it is true, and why.

    A NAME is a game of this host, or an exported file. All take --json. Exit codes: 0, it is so, or was shown; 1, it is
    not true, or not the same; 2, the command line was wrong; 3, there is no such game, turn, seat or file, or it cannot
    be read; 5, what could be checked is true, and the first line says what could not: the rules of a game are not here,
    or the key of its sealed orders, or a file is older than mails that it is held against.
    """


@audit.command()
@game_named
@click.option("--kind", "kinds", multiple=True, help="Only rows of this kind (turn, submission, mail, ...).")
@click.option("--seat", help="Only rows of this seat.")
@click.option("--turn", type=whole(), help="Only rows of this turn.")
@click.option("--since-turn", type=whole(), help="Only rows since this turn was opened.")
@click.option("--since", metavar="ISO", help="Only rows written at that instant or later.")
@click.option("--until", metavar="ISO", help="Only rows written before that instant.")
@as_json
@pass_session
def log(
    session: Session,
    name: str,
    kinds: tuple[str, ...],
    seat: str | None,
    turn: int | None,
    since_turn: int | None,
    since: str | None,
    until: str | None,
    as_json: bool,
) -> None:
    """What happened in the game NAME, row by row.

    @host names the rows that belong to no game. No secret is told.
    """
    from pbem.audit import log as logs
    from pbem.audit.book import is_game, known_seat

    with history(session, name) as found:
        if seat is not None and is_game(found):
            known_seat(found, seat)
        entries = list(
            logs.log(
                found,
                kinds=kinds,
                seat=seat,
                turn=turn,
                since=moment(since) if since else None,
                until=moment(until) if until else None,
                after=logs.opened(found, since_turn) if since_turn else 0,
            )
        )
        there = sorted({line.content.kind for line in found.lines() if line.content is not None}) if kinds else []
    if as_json:
        emit([entry.to_json() for entry in entries])
        return
    if not entries:
        say("No rows fit." + (f" There are rows of the kinds {', '.join(there)}." if there else ""))
    wheres = [
        " ".join(filter(None, [f"turn {one.turn}" if one.turn is not None else "", one.seat or ""])) for one in entries
    ]
    kind_wide, wide = max((len(one.kind) for one in entries), default=0), max(map(len, wheres), default=0)
    for entry, where in zip(entries, wheres, strict=True):
        at = f"{entry.at:%Y-%m-%d %H:%M:%SZ}"
        say(f"{entry.seq:>6}  {at}  {entry.kind:<{kind_wide}}  {where:<{wide}}  {entry.gist}".rstrip())


@audit.command()
@game_named
@click.argument("turn", type=whole(), required=False)
@click.option("--seat", help="As that seat knew it; `all` shows everything. Without it: what everybody may know.")
@click.option("--sealed", is_flag=True, help="Instead of a TURN: the orders that wait, of all seats or of --seat.")
@at_time
@as_json
@pass_session
def show(
    session: Session, name: str, turn: int | None, seat: str | None, sealed: bool, now: str | None, as_json: bool
) -> None:
    """Show TURN of the game NAME, or the orders that wait.

    While the game runs, a look at what is secret is itself written into the ledger, before anything is shown; where
    the game was begun with --tell-looks, the next report tells its players.
    """
    from pbem.audit import looks
    from pbem.audit.show import ALL, look
    from pbem.audit.show import show as shown

    if sealed == (turn is not None):
        raise click.UsageError("Name one TURN, or --sealed for the orders that wait.")
    if turn is not None and is_file(name):
        with history(session, name) as found:
            return tell_steps(shown(found, turn, seat), as_json)
    with session.ledger() as ledger:
        if turn is None:
            waits = looks.ahead(ledger, name, None if seat == ALL else seat, whoever(), moment(now))
            return emit(waits) if as_json else tell_waiting(waits)
        return tell_steps(look(ledger, name, turn, seat, whoever(), moment(now)), as_json)


def tell_steps(steps: list[Shown], as_json: bool) -> None:
    if as_json:
        emit([step.to_json() for step in steps])
        return
    for step in steps:
        say(f"{step.game}, turn {step.turn}")
        for mover, made in step.moves.items():
            say(f"  {mover}: {made['move'] or 'a move that this reader may not know'} ({made['how']})")
        for number, event in enumerate(step.events, start=1):
            say(f"  event {number}: {event['kind']} {facts(event['facts'])} [{event['rule']}]")
            for told in told_apart(event):
                say(f"    {told}")
        for said in drawn(step.draws or []):
            say(f"  {said}")
        say(f"  position: {step.position}")


def tell_waiting(waits: dict[str, Any]) -> None:
    for seat, held in waits.items():
        say(f"{seat}: {json.dumps(held, ensure_ascii=False) if held else 'nothing waits'}")


def drawn(draws: list[Any]) -> Iterator[str]:
    """The draws, those of one purpose together: each result with the possible ones."""
    for why, group in groupby(draws, key=lambda draw: draw[0]):
        yield f"drawn for {why}: " + ", ".join(f"{value} of 0 to {n - 1}" for _, n, value in group)


def told_apart(event: dict[str, Any]) -> Iterator[str]:
    """What an event tells to single seats, where it is shown whole; who alone learns of it at all."""
    for seat, found in event.get("hidden", {}).items():
        yield f"to {seat} alone: {facts(found)}"
    if "audience" in event:
        yield f"learned of by {', '.join(event['audience']) or 'nobody'} alone"


def facts(found: dict[str, Any]) -> str:
    return " ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in found.items())


@audit.command()
@click.argument("name", required=False, shell_complete=hosted_games)
@click.option("--all", "everything", is_flag=True, help="Every game, and the host's own chain.")
@heads_known
@as_json
@pass_session
def verify(
    session: Session,
    name: str | None,
    everything: bool,
    heads: tuple[str, ...],
    mails: Path | None,
    keys: tuple[str, ...],
    as_json: bool,
) -> int:
    """Recompute the game NAME, or all; name the first bad row.

    Chain, salts, dice, states, outcome and mails are made again from the orders and compared. A head that was mailed,
    given by --head or --mails, must be the hash of a row: then everything before it is what it was at that time.

    With --mails each mail is held against the ledger: genuine, altered, not of this host, or signed by the host and
    missing or different here, which is the host's fault (exit code 1). A mail that the host did not sign as it is
    proves nothing, and accuses nobody (exit code 5).
    """
    from pbem.audit.verify import verify as one
    from pbem.audit.verify import verify_ledger

    if (name is None) != everything:
        raise click.UsageError("Name a game, or --all.")
    if name is not None:
        with history(session, name) as found:
            held = evidence(heads, mails, {*found.signing_keys(), *keys}, found.game)
            verdicts = [one(found, held.heads, held.mails)]
    else:
        from pbem.audit.book import ledger_keys

        with session.ledger() as ledger:
            with ledger.read() as tx:
                known = ledger_keys(tx)
            held = evidence(heads, mails, {*known, *keys})
            verdicts = list(verify_ledger(ledger, held.heads, held.mails))
    return tell_verdicts(verdicts, as_json)


def tell_verdicts(verdicts: list[Verdict], as_json: bool) -> int:
    """Every verdict on a line; the exit code."""
    if as_json:
        emit([verdict.to_json() for verdict in verdicts])
    else:
        for verdict in verdicts:
            for said in words(verdict):
                say(said)
    return exit_code(verdicts)


def exit_code(verdicts: list[Verdict]) -> int:
    if not all(verdict.ok for verdict in verdicts):
        return NO
    return OK if all(verdict.whole for verdict in verdicts) else PARTLY


def words(verdict: Verdict) -> Iterator[str]:
    chain = verdict.chain or "the file"
    if verdict.fault is not None:
        yield f"{chain}: NOT TRUE. {verdict.fault}"
    elif not verdict.chain:
        yield f"the mails: {verdict.unplayed}." if verdict.unplayed or verdict.kept else f"{chain}: sound."
    else:
        counted = (verdict.rows, "row"), (verdict.turns, "turn"), (verdict.draws, "draw"), (verdict.mails, "mail")
        counts = ", ".join(several(count, what) for count, what in counted)
        sealed = f"; {several(verdict.sealed, 'row')} sealed" if verdict.sealed else ""
        unplayed = f"; {verdict.unplayed}" if verdict.unplayed else ""
        played = verdict.turns and not unplayed  # the rest of the rows is no part of a public history
        true = f"{'true' if played or not sealed + unplayed else 'chain true'}{sealed}{unplayed}"
        yield f"{chain}: {true}. {counts}; head {verdict.head}"
    yield from (f"  {note}" for note in verdict.notes)


@audit.command()
@game_named
@click.option("--turn", type=whole(), help="Only up to this turn.")
@at_time
@as_json
@pass_session
def replay(session: Session, name: str, turn: int | None, now: str | None, as_json: bool) -> None:
    """Play the game NAME again from orders and dice.

    Step by step; the first difference ends it. With --turn, only up to that turn.
    """
    from pbem.audit.recompute import replay as again

    with history(session, name) as found:
        steps = list(again(found, turn))
        stands = {line.seq for number in {step.turn for step in steps} for line in found.steps(number)}
    seen(session, name, "every position, played again", now, turn)
    if as_json:
        emit([
            {"turn": s.turn, "events": s.events, "draws": s.draws, "position": s.position,
             "taken_back": s.line.seq not in stands}
            for s in steps
        ])  # fmt: skip
        return
    for step in steps:
        say(f"turn {step.turn}: {step.position}{'' if step.line.seq in stands else '  (taken back later)'}")
    same = ", each the same to the byte as it was written" if steps else ": nothing was played again"
    say(f"{several(len(steps), 'step')}{same}.")
    with history(session, name) as found:
        say_sealed(found)


@audit.command()
@game_named
@click.argument("turn", type=whole())
@click.argument("event", type=whole(1))
@click.option("--lang", default="en", metavar="LANG", help="The language of the rules quoted (en, fr, it).")
@at_time
@as_json
@pass_session
def why(session: Session, name: str, turn: int, event: int, lang: str, now: str | None, as_json: bool) -> None:
    """Why EVENT of TURN happened: orders, draws, rule.

    EVENT is its number in that turn, counted from 1.
    """
    from pbem.audit.why import as_written
    from pbem.audit.why import why as reason

    with history(session, name) as found:
        told = reason(found, turn, event, lang)
    seen(session, name, f"what event {event} came from", now, turn)
    if as_json:
        emit(told.to_json())
        return
    say(f"{told.game}, turn {told.turn}, event {told.number} of {told.of}: {told.event['kind']}")
    say(f"  facts: {facts(told.event['facts'])}")
    for secret in told_apart(told.event):
        say(f"    {secret}")
    say(f"  rule {told.rule}: {told.paragraph or 'see `pbem rules`'}")
    for order in told.orders:
        source = f"submission in row {order.row} of {order.at}" if order.row else "no order of its own"
        say(f"  {order.seat} moved {order.move} ({order.how}; {source})")
        if order.orders:
            say(f"    ordered there: {'; '.join(map(as_written, order.orders))}")
    for said in drawn(told.draws):
        say(f"  {said}")
    if told.earlier:
        lots = ", ".join(f"{why} ({times})" for why, times in Counter(why for why, _, _ in told.earlier.draws).items())
        say(f"  drew nothing; drawn last before it, in turn {told.earlier.turn} (row {told.earlier.row}): {lots}")
    say(f"  row {told.row}, hash {told.hash}")


@audit.command()
@game_named
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--referee", is_flag=True, help="Open rows that are still secret. Not for players while the game runs.")
@click.option("--mails", is_flag=True, help="With --referee: add the mails as they were sent.")
@click.option("--seat", help="Once the game is over: open the rows of that seat whole, for its player alone.")
@at_time
@as_json
@pass_session
def export(
    session: Session,
    name: str,
    target: Path,
    referee: bool,
    mails: bool,
    seat: str | None,
    now: str | None,
    as_json: bool,
) -> None:
    """Write the game NAME into one portable file.

    The file checks itself, with nothing but Python: `python3 TARGET` checks chain, seed and draws; once the game is
    over, `python3 TARGET 9 red` plays it again by the rules inside, and shows turn 9 as seat red saw it.
    """
    from pbem.audit.export import export as write

    if mails and not referee:
        raise click.UsageError("--mails goes with --referee: mails hold what only their reader may know.")
    if seat is not None and referee:
        raise click.UsageError("--referee opens every seat's rows; leave --seat out.")
    if referee:
        noted(session, name, "an export with every row opened", now)
    with book(session, name) as found:
        rows = write(found, target, referee=referee, mails=mails, seat=seat)
    if as_json:
        emit({"file": str(target), "rows": rows})
    else:
        say(f"{several(rows, 'row')} in {target}, which verifies itself anywhere: `python3 {target}`.")
        say(f"`pbem audit check {target}` plays the game again, too.")


@audit.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@heads_known
@as_json
def check(file: Path, heads: tuple[str, ...], mails: Path | None, keys: tuple[str, ...], as_json: bool) -> int:
    """Verify an exported FILE, with no ledger at hand."""
    from pbem.audit.exported import ExportBook
    from pbem.audit.verify import verify as one

    found = ExportBook(file)
    held = evidence(heads, mails, {*found.signing_keys(), *keys}, found.game)
    return tell_verdicts([one(found, held.heads, held.mails)], as_json)


@audit.command("check-mail")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--export", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Ask this exported file of a game."
)
@key_known
@as_json
@pass_session
def check_mail(session: Session, file: Path, export: Path | None, keys: tuple[str, ...], as_json: bool) -> int:
    """Tell whether the host sent the mail in FILE.

    Without options the ledger of this host is asked. With --key alone nothing else is needed: the signature is held
    against that key. With --export also the history in that file.

    Exit codes: 0, it is as the host signed it, and the history does not say otherwise; 1, it was altered, is not of
    this host, or contradicts the history (the host's fault); 5, it has no signature, so it proves nothing.
    """
    from pbem.audit.mails import judged_file
    from pbem.signature import GENUINE, UNSIGNED

    if export is not None:
        from pbem.audit.exported import ExportBook

        found = judged_file(file, keys, ExportBook(export), visible(export.name))
    elif keys:
        found = judged_file(file, keys)
    else:
        with session.ledger() as ledger, ledger.read() as tx:
            found = judged_file(file, keys, tx, "this ledger")
    if as_json:
        emit(found.to_json())
    else:
        say(f"{found.file}: {SPOKEN[found.verdict]} {found.says}")
    return {GENUINE: OK, UNSIGNED: PARTLY}.get(found.verdict, NO)


audit.add_command(diff)
audit.add_command(rolls)
audit.add_command(page)
