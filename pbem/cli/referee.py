"""`pbem referee`: rulings. Each is a row of the journal with its reason."""

from __future__ import annotations

import click

from pbem.cli.frame import Group, Session, as_json, at_time, game_named, moment, pass_session, reasoned
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
    """Let the game NAME go on after it was halted or paused. Its players get a fresh deadline, and your reason."""
    from pbem.ruling import resumed

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
    from pbem.ruling import paused

    with session.ledger() as ledger, ledger.write() as tx:
        paused(tx, session.config, name, moment(now), reason)
    told(name, "pause", "is held; `pbem referee resume` lets it go on", "", as_json)


def told(name: str, act: str, what: str, deadline: str, as_json: bool) -> None:
    if as_json:
        emit({"game": name, "ruling": act, "deadline": deadline or None})
    else:
        say(f"{name} {what}." + (f" The next deadline is {deadline}." if deadline else ""))
