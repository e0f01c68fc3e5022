"""`pbem match`: several games of the same players, one after another, and how they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.completing import hosted_matches
from pbem.cli.frame import Group, Session, as_json, at_time, moment, pass_session, whole
from pbem.cli.hosting import beginning, pairs, spoken_seats
from pbem.cli.output import emit, say, several
from pbem.cli.status import line

if TYPE_CHECKING:
    from pbem.matches.standings import Standings


@click.group(cls=Group)
def match() -> None:
    """Matches and series: several games of the same players, one after another."""


@match.command()
@beginning
@click.option("--best-of", type=whole(2, 99), metavar="N", help="Most wins in N games; else as the rules declare.")
@at_time
@as_json
@pass_session
def new(
    session: Session,
    game: str,
    name: str,
    seats: tuple[str, ...],
    options: tuple[str, ...],
    schedule: str | None,
    silence: str | None,
    nonces: tuple[str, ...],
    seed: str | None,
    same_person: bool,
    best_of: int | None,
    now: str | None,
    as_json: bool,
) -> None:
    """Start a match of GAME. Its games are NAME-1, NAME-2 and so on, and begin by themselves.

    The seats are those of the first game; the players change places from game to game, unless the rules say otherwise.
    """
    from pbem.attending.silence import Policy
    from pbem.deadlines.schedule import Schedule
    from pbem.matches.matching import NewMatch, new_match
    from pbem.matches.standings import match_details

    config = session.config
    wanted = NewMatch(
        rules=game,
        name=name,
        seats=pairs("--seat", "SEAT=PLAYER", seats),
        best_of=best_of,
        options=pairs("--option", "NAME=VALUE", options),
        schedule=Schedule.read(schedule or "", config.schedule),
        silence=Policy.read(silence or "", config.silence),
        nonces=pairs("--nonce", "SEAT=TEXT", nonces),
        same_person=same_person,
        seed=None if seed is None else bytes.fromhex(seed),
    )
    with session.ledger(renders=True) as ledger, ledger.write() as tx:
        sheet = new_match(tx, config, wanted, moment(now))
        found = match_details(tx, config, name)
    if as_json:
        emit(found.to_json())
        return
    say(f"{name} has begun: {sheet.rules.title['en']}, {kind(found.standings)}; {sheet.schedule}.")
    say(f"{sheet.name}, its first game: {spoken_seats(sheet.players)}.")
    say("`pbem deliver` sends the first reports.")


@match.command()
@click.argument("name", shell_complete=hosted_matches)
@at_time
@as_json
@pass_session
def show(session: Session, name: str, now: str | None, as_json: bool) -> None:
    """Show the match NAME: how it stands, and its games."""
    from pbem.matches.standings import match_details

    with session.ledger() as ledger, ledger.read() as tx:
        found = match_details(tx, session.config, name)
    if as_json:
        emit(found.to_json())
        return
    at = moment(now)
    say(glance(found.standings))
    for score in found.standings.scores:
        points = f", {several(score.points, 'point')}" if found.standings.scored else ""
        say(f"Place {score.place}: {score.who}, {several(score.won, 'game')} won{points}")
    for game in found.games:
        ended = f"; won by {game.winner}" if game.winner else "; won by nobody" if game.rule else ""
        say(line(game.glance, at, session.config.zone) + ended + (f" [{game.rule}]" if game.rule else ""))
    say(f"Ledger head: {found.head}")


@match.command("list")
@as_json
@pass_session
def listed(session: Session, as_json: bool) -> None:
    """List all matches."""
    from pbem.matches.standings import all_standings

    with session.ledger() as ledger, ledger.read() as tx:
        found = list(all_standings(tx))
    if as_json:
        emit([one.to_json() for one in found])
        return
    for one in found:
        say(glance(one))
    if not found:
        say("No matches yet; `pbem match new GAME --name NAME --seat SEAT=PLAYER ... --best-of N` starts one.")


def kind(one: Standings) -> str:
    """What sort of match it is."""
    if one.row.best_of is not None:
        return f"best of {one.row.best_of}"
    return f"{several(one.row.games, 'game')}" + (f" [{one.rule}]" if one.rule else "")


def glance(one: Standings) -> str:
    """One match in one line."""
    row, first = one.row, " and ".join(score.who for score in one.first)
    begun = f"{row.name} ({row.rules}, {kind(one)})"
    if not first:
        return f"{begun}: {row.status} after {several(len(row.results), 'game')}"
    if row.status == "over":
        ended = f"won by {first}" if len(one.first) == 1 else "drawn"
        return f"{begun}: over after {several(len(row.results), 'game')}, {ended} [{one.rule}]"
    stands = f"{first} in the lead" if len(one.first) == 1 else "level"
    return f"{begun}: game {row.number} is being played; {stands}"
