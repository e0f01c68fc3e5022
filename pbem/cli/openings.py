"""`pbem opening`: games that wait for their players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import Group, Session, as_json, at_time, moment, pass_session, reasoned
from pbem.cli.output import emit, say

if TYPE_CHECKING:
    from pbem.ledger.openings import Opening
    from pbem.ledger.transaction import Read


@click.group(cls=Group)
def opening() -> None:
    """Games that wait for their players: look at them, seat somebody, close one."""


@opening.command("list")
@as_json
@pass_session
def listed(session: Session, as_json: bool) -> None:
    """List the games that wait for players."""
    from pbem.ledger import openings

    with session.ledger() as ledger, ledger.read() as tx:
        found = [(one, names_of(tx, one)) for one in openings.every(tx)]
    if as_json:
        emit([to_json(one, names) for one, names in found])
        return
    for one, names in found:
        say(words(one, names))
    if not found:
        say("No game waits for players.")


@opening.command()
@click.argument("name")
@click.argument("player")
@click.option("--seat", metavar="SEAT", help="Which seat; else the first that is free.")
@at_time
@as_json
@pass_session
def join(session: Session, name: str, player: str, seat: str | None, now: str | None, as_json: bool) -> None:
    """Give PLAYER a seat in the game NAME. With the last one it begins."""
    from pbem.game.hosting import player_named
    from pbem.people.gathering import joined

    with session.ledger(renders=True) as ledger, ledger.write() as tx:
        found = joined(tx, session.config, name, player_named(tx, player), moment(now), seat)
    if as_json:
        emit({"name": name, "seat": found.seat, "free": found.free, "begun": found.begun})
    elif found.begun:
        say(f"{player} has seat {found.seat}, and {name} has begun. `pbem deliver` sends the first reports.")
    else:
        say(f"{player} has seat {found.seat} of {name}; free still: {found.free}.")


@opening.command()
@click.argument("name")
@click.argument("player")
@at_time
@as_json
@pass_session
def leave(session: Session, name: str, player: str, now: str | None, as_json: bool) -> None:
    """Give the seat of PLAYER in the game NAME back, before it begins."""
    from pbem.errors import Trouble
    from pbem.game.hosting import player_named
    from pbem.people.gathering import left, named

    with session.ledger() as ledger, ledger.write() as tx:
        named(tx, name)
        seat = left(tx, name, player_named(tx, player), moment(now))
        if seat is None:
            raise Trouble(f"{player} has no seat in {name}.")
    if as_json:
        emit({"name": name, "seat": seat})
    else:
        say(f"Seat {seat} of {name} is free again.")


@opening.command()
@click.argument("name")
@reasoned
@at_time
@as_json
@pass_session
def close(session: Session, name: str, reason: str, now: str | None, as_json: bool) -> None:
    """Give the game NAME up before it begins. Who had a seat is told."""
    from pbem.correspondence.joining import closed

    with session.ledger() as ledger, ledger.write() as tx:
        closed(tx, session.config, name, moment(now), reason)
    if as_json:
        emit({"name": name, "closed": True})
    else:
        say(f"{name} waits for players no longer.")


def names_of(tx: Read, one: Opening) -> dict[str, str]:
    """Who sits where so far, by name."""
    from pbem.game.hosting import sitter_of
    from pbem.ledger import players

    return {seat: sitter_of(players.get(tx, who)).name for seat, who in one.seats.items()}


def words(one: Opening, names: Mapping[str, str]) -> str:
    """One game in a line."""
    taken = ", ".join(f"{seat} ({names[seat]})" if names.get(seat) else seat for seat in one.seats) or "none"
    until = f", until {one.until:%Y-%m-%d %H:%M} UTC" if one.until else ""
    least = f", for players who keep {one.wanted['least']} % of their deadlines" if one.wanted["least"] else ""
    return (
        f"{one.name} ({one.wanted['rules']}) waits for players{until}{least}: free {', '.join(one.free)}; taken {taken}"
    )


def to_json(one: Opening, names: Mapping[str, str]) -> dict[str, Any]:
    from pbem.clock import stamp

    return {
        "name": one.name,
        "game": one.wanted["rules"],
        "options": one.wanted["options"],
        "free": list(one.free),
        "taken": {seat: names.get(seat, "") for seat in one.seats},
        "until": None if one.until is None else stamp(one.until),
        "min_reliability": one.wanted["least"],
    }
