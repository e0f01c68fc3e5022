"""`pbem referee`: rulings. Each is a row of the journal with its reason, told to all players at once."""

from __future__ import annotations

import re
from typing import Any

import click

from pbem.cli.frame import Group, Session, as_json, at_time, game_named, moment, pass_session, reasoned, whole
from pbem.cli.output import emit, say


@click.group(cls=Group)
def referee() -> None:
    """Rulings, all of them journalled with their reason."""


@referee.command()
@game_named
@reasoned
@at_time
@as_json
@pass_session
def resume(session: Session, name: str, reason: str, now: str | None, as_json: bool) -> None:
    """Let the game NAME go on after it was halted or paused. Its players get a new deadline, never earlier than the
    one that was announced, and your reason."""
    from pbem.rulings.ruling import resumed

    with session.ledger() as ledger, ledger.write() as tx:
        deadline = resumed(tx, session.config, name, moment(now), reason)
    told(name, "resume", "goes on", deadline, as_json)


@referee.command()
@game_named
@reasoned
@at_time
@as_json
@pass_session
def pause(session: Session, name: str, reason: str, now: str | None, as_json: bool) -> None:
    """Hold the game NAME: nothing falls due until it is resumed. Its players are told, with your reason."""
    from pbem.rulings.ruling import paused

    with session.ledger() as ledger, ledger.write() as tx:
        paused(tx, session.config, name, moment(now), reason)
    told(name, "pause", "is held; `pbem referee resume` lets it go on", "", as_json)


@referee.command()
@game_named
@click.option("--until", metavar="ISO", help="The new deadline, such as 2026-11-20T20:00Z.")
@click.option("--by", metavar="TIME", help="So much later than the old one, such as 36h or 2d.")
@reasoned
@at_time
@as_json
@pass_session
def extend(
    session: Session, name: str, until: str | None, by: str | None, reason: str, now: str | None, as_json: bool
) -> None:
    """Give the open decision of the game NAME more time.

    A deadline that was announced is never made earlier.
    """
    from datetime import timedelta

    from pbem.clock import read_instant
    from pbem.rulings.ruling import extended

    if (until is None) == (by is None):
        raise click.UsageError("Say --until when, or --by how much, and not both.")
    more = None if by is None else timedelta(hours=hours(by))
    with session.ledger(renders=True) as ledger, ledger.write() as tx:
        at = None if until is None else read_instant(until)
        deadline = extended(tx, session.config, name, moment(now), reason, until=at, by=more)
    told(name, "extend", "has more time", deadline, as_json)


def hours(text: str) -> int:
    """A length of time such as 36h or 2d, in hours."""
    found = re.fullmatch(r"([1-9]\d{0,3})([hd])", text.strip().lower())
    if found is None:
        raise click.UsageError(f"--by {text!r} is no length of time; write it like 36h or 2d.")
    return int(found[1]) * (24 if found[2] == "d" else 1)


@referee.command()
@game_named
@click.argument("seat")
@reasoned
@at_time
@as_json
@pass_session
def void(session: Session, name: str, seat: str, reason: str, now: str | None, as_json: bool) -> None:
    """Strike the orders that stand of SEAT in the game NAME.

    Its player is told, and what stands instead; where the deadline has passed, there is a new one.
    """
    from pbem.rulings.ruling import voided

    with session.ledger(renders=True) as ledger, ledger.write() as tx:
        voided(tx, session.config, name, seat, moment(now), reason)
    told(name, "void", f"holds nothing of seat {seat} any more", "", as_json)


@referee.command()
@game_named
@click.argument("words")
@click.option("--dispute", type=whole(1), metavar="N", help="The dispute that this settles.")
@at_time
@as_json
@pass_session
def rule(session: Session, name: str, words: str, dispute: int | None, now: str | None, as_json: bool) -> None:
    """Give your ruling, in WORDS, on a matter of the game NAME. All its players read it."""
    from pbem.cli.frame import LONGEST_REASON
    from pbem.rulings.ruling import ruled

    if not words.strip() or len(words) > LONGEST_REASON:
        raise click.UsageError(f"A ruling has 1 to {LONGEST_REASON} letters.")
    with session.ledger(renders=True) as ledger, ledger.write() as tx:
        ruled(tx, session.config, name, moment(now), words.strip(), dispute)
    told(name, "rule", "has your ruling", "", as_json)


@referee.command()
@game_named
@click.argument("words")
@reasoned
@at_time
@as_json
@pass_session
def schedule(session: Session, name: str, words: str, reason: str, now: str | None, as_json: bool) -> None:
    """Change the schedule of the game NAME to WORDS.

    They are as for `pbem new`, such as 'all-in think=48h'. What is not said stays. The deadline that was announced
    stays, too: the schedule holds from the next decision on.
    """
    from pbem.rulings.ruling import rescheduled

    with session.ledger(renders=True) as ledger, ledger.write() as tx:
        changed = rescheduled(tx, session.config, name, words, moment(now), reason)
    told(name, "schedule", f"has another schedule from the next decision on: {changed}", "", as_json)


@referee.command()
@game_named
@click.argument("words")
@reasoned
@at_time
@as_json
@pass_session
def silence(session: Session, name: str, words: str, reason: str, now: str | None, as_json: bool) -> None:
    """Change what silence means in the game NAME.

    The WORDS are as for `pbem new`, such as 'stand-in drop=3'. What is not said stays.
    """
    from pbem.rulings.ruling import silence_ruled

    with session.ledger(renders=True) as ledger, ledger.write() as tx:
        policy = silence_ruled(tx, session.config, name, words, moment(now), reason)
    told(name, "silence", f"has another policy of silence: {policy}", "", as_json)


@referee.command()
@game_named
@click.argument("seat")
@click.argument("player")
@reasoned
@at_time
@as_json
@pass_session
def substitute(
    session: Session, name: str, seat: str, player: str, reason: str, now: str | None, as_json: bool
) -> None:
    """Let PLAYER take over SEAT in the game NAME.

    He gets a briefing, time to think, and keys of his own; the old ones are worth nothing any more.
    """
    from pbem.people.substituting import substituted

    with session.ledger(renders=True) as ledger, ledger.write() as tx:
        deadline = substituted(tx, session.config, name, seat, player, moment(now), reason)
    told(name, "substitute", f"has {player} at seat {seat} now", deadline, as_json)


@referee.command("take-back")
@game_named
@click.option(
    "--to", "turn", required=True, type=whole(1), metavar="TURN", help="The decision that is to be open again."
)
@reasoned
@at_time
@as_json
@pass_session
def take_back(session: Session, name: str, turn: int, reason: str, now: str | None, as_json: bool) -> None:
    """Ask all players whether the game NAME is to go back.

    It does at once, when the last of them has agreed by mail. Nobody else can decide it, not even you.
    """
    from pbem.agreed.consenting import asked_by_referee

    with session.ledger(renders=True) as ledger, ledger.write() as tx:
        wanted = asked_by_referee(tx, session.config, name, turn, moment(now), reason)
    what = (
        f"goes back to turn {turn} when these have agreed: {', '.join(wanted)}"
        if wanted
        else f"is at turn {turn} again"
    )
    told(name, "take-back", what, "", as_json, turn=turn, asked=list(wanted))


@referee.command()
@game_named
@click.argument("value", required=False)
@click.option("--source", metavar="WORDS", help="Where anybody can look the value up.")
@click.option("--none", "without", is_flag=True, help="Begin without the value; takes a --reason.")
@click.option("--reason", metavar="WORDS", help="With --none: why there is no value.")
@at_time
@as_json
@pass_session
def beacon(
    session: Session,
    name: str,
    value: str | None,
    source: str | None,
    without: bool,
    reason: str | None,
    now: str | None,
    as_json: bool,
) -> None:
    """Enter the public VALUE that the dice of a game wait for.

    The game NAME begins then.

    Hexadecimal digits are written without blanks between them; of numbers, such as a lottery draw, the order does not
    matter. Without the value (--none) the reports say that the host alone chose the seed.
    """
    from pbem.cli.frame import LONGEST_REASON
    from pbem.seeding.settling import enter_value

    if without != (value is None) or without != (reason is not None) or without != (source is None):
        raise click.UsageError("Say the VALUE and its --source, or --none and a --reason.")
    for words in (source or reason or "",):
        if not words.strip() or len(words) > LONGEST_REASON or not words.isprintable():
            raise click.UsageError(f"--source and --reason have 1 to {LONGEST_REASON} letters on one line.")
    with session.ledger(renders=True) as ledger, ledger.write() as tx:
        entered = enter_value(tx, session.config, name, value or "", source or "", moment(now), reason or "")
    if as_json:
        emit({"game": name, **entered})
    elif without:
        say(f"{name} has begun without a public value; its reports say that you alone chose the seed.")
    else:
        say(f"{name} has begun; {entered['value']} is mixed into its dice. `pbem deliver` sends the first reports.")


@referee.command()
@click.argument("name", required=False)
@as_json
@pass_session
def disputes(session: Session, name: str | None, as_json: bool) -> None:
    """Show the disputes that wait for you.

    Those of all games, or of the game NAME, in the players' own words.
    """
    from pbem.rulings.disputed import waiting

    with session.ledger() as ledger, ledger.read() as tx:
        found = waiting(tx, name)
    if as_json:
        emit([one.to_json() for one in found])
        return
    for one in found:
        say(f"{one.game}, dispute {one.number}, seat {one.seat} at turn {one.turn}, {one.at:%Y-%m-%d %H:%M} UTC:")
        for line in one.text.splitlines():
            say(f"  {line}")
    if not found:
        say("No dispute waits for an answer.")


@referee.command()
@click.argument("brake")
@click.option("--move", is_flag=True, help="Move the deadlines that have passed, so that silence counts for nobody.")
@reasoned
@at_time
@as_json
@pass_session
def release(session: Session, brake: str, move: bool, reason: str, now: str | None, as_json: bool) -> None:
    """Let runs go on that hold for something odd.

    BRAKE is what `pbem status` and the mail to you call it: clock, outage, inbox, missing, ledger, or rules/GAME.
    """
    from pbem.brakes.releasing import released

    with session.ledger(renders=True) as ledger:
        held, moved = released(session.config, ledger, brake, moment(now), reason, move=move)
    if as_json:
        emit({"brake": held.name, "game": held.game, "says": held.says, "moved": moved})
        return
    say(f"Nothing is held by {held.name} any more; the next run goes on.")
    if moved:
        say(f"Moved: {', '.join(moved)}.")


def told(name: str, act: str, what: str, deadline: str, as_json: bool, **more: Any) -> None:
    if as_json:
        emit({"game": name, "ruling": act, "deadline": deadline or None, **more})
    else:
        say(f"{name} {what}." + (f" The next deadline is {deadline}." if deadline else ""))
