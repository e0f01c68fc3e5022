"""`pbem player`: who plays here, and how mail reaches him."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.completing import zones
from pbem.cli.frame import Group, Session, as_json, at_time, moment, pass_session
from pbem.cli.output import emit, say, several

if TYPE_CHECKING:
    from pbem.ledger.contacts import NewAddress

_REMIND = "So long before a deadline a reminder is sent, where orders are missing: 24h, 2d or off."


def reminded_words(hours: int) -> str:
    return f"A reminder leaves {several(hours, 'hour')} before a deadline, where orders are missing."


def waits_words(new: NewAddress) -> str:
    """Return what a change of address waits for."""
    from pbem.clock import stamp

    if new.confirmed_at is None or new.holds_from is None:
        return f"A change to {new.address} waits to be confirmed."
    return f"A change to {new.address} is confirmed; it takes effect at {stamp(new.holds_from)}, unless it is stopped."


@click.group(cls=Group)
def player() -> None:
    """Register players, look at them, change or forget them."""


@player.command("add")
@click.argument("name")
@click.argument("address")
@click.option("--lang", default="en", metavar="LANG", help="The language of the reports: en, fr, it.")
@click.option("--zone", metavar="ZONE", shell_complete=zones, help="The player's time zone; else the host's.")
@click.option("--digest", is_flag=True, help="All mails of one run come as one.")
@click.option("--remind", metavar="TIME", help=_REMIND)
@at_time
@as_json
@pass_session
def add(
    session: Session,
    name: str,
    address: str,
    lang: str,
    zone: str | None,
    digest: bool,
    remind: str | None,
    now: str | None,
    as_json: bool,
) -> None:
    """Register NAME, whose reports go to ADDRESS."""
    from pbem.game.hosting import add_player
    from pbem.ledger import players
    from pbem.people.person import lead

    at = moment(now)
    with session.ledger() as ledger, ledger.write() as tx:
        added = add_player(tx, name, address, lang, session.config.zone if zone is None else zone, at)
        if digest:
            added = players.wish(tx, added, digest=True, at=at)
        if remind is not None:
            added = players.wish(tx, added, remind=lead(remind), at=at)
    if as_json:
        names = ("name", "address", "lang", "zone", "digest", "remind")
        emit({name: getattr(added, name) for name in names})
    else:
        say(f"{added.name} <{added.address}> is registered: reports in {added.lang}, times in {added.zone}.")
        if digest:
            say("All mails of one run come as one.")
        if added.remind:
            say(reminded_words(added.remind))


@player.command("digest")
@click.argument("name")
@click.argument("wish", type=click.Choice(("on", "off")))
@at_time
@as_json
@pass_session
def in_digests(session: Session, name: str, wish: str, now: str | None, as_json: bool) -> None:
    """Say whether NAME wishes one mail a run.

    on: all mails of one run come as one; off: each comes by itself.
    """
    from pbem.game.hosting import player_named
    from pbem.ledger import players

    with session.ledger() as ledger, ledger.write() as tx:
        players.wish(tx, player_named(tx, name), digest=wish == "on", at=moment(now))
    if as_json:
        emit({"name": name, "digest": wish == "on"})
    else:
        say(f"All mails of one run come to {name} as one." if wish == "on" else f"Each mail comes to {name} by itself.")


@player.command("volunteer")
@click.argument("name")
@click.option("--game", "wanted", multiple=True, metavar="GAME", help="Only in these games; else in any.")
@click.option("--no", "none", is_flag=True, help="In none any more.")
@at_time
@as_json
@pass_session
def volunteer(session: Session, name: str, wanted: tuple[str, ...], none: bool, now: str | None, as_json: bool) -> None:
    """Note that NAME would take over a seat.

    One that is not waited for any more, in games whose policy of silence says `substitute`.
    """
    from pbem.agreed.taking_back import here
    from pbem.game.hosting import player_named
    from pbem.people.substituting import ALL_GAMES, volunteered
    from pbem.rulebook import known

    games = None if none else [known(game).id for game in wanted] or [ALL_GAMES]
    with session.ledger(renders=True) as ledger, ledger.write() as tx:
        volunteered(tx, session.config, player_named(tx, name), games, moment(now), here)
    if as_json:
        emit({"name": name, "volunteers": games})
    else:
        said = "in no game" if games is None else "in any game" if ALL_GAMES in games else f"in {', '.join(games)}"
        say(f"{name} would take over a seat {said}.")


@player.command("list")
@as_json
@pass_session
def listed(session: Session, as_json: bool) -> None:
    """List all players."""
    from pbem.ledger import players

    with session.ledger() as ledger, ledger.read() as tx:
        rows = [row for row in players.every(tx) if row.name is not None]
    if as_json:
        names = ("name", "address", "lang", "zone", "digest", "remind")
        emit([{name: getattr(row, name) for name in names} for row in rows])
        return
    for row in rows:
        say(f"{row.name} <{row.address}>  {row.lang}  {row.zone}{'  in digests' if row.digest else ''}")
    if not rows:
        say("No players yet; `pbem player add NAME ADDRESS` registers one.")


@player.command("show")
@click.argument("name")
@as_json
@pass_session
def shown(session: Session, name: str, as_json: bool) -> None:
    """Show NAME: address, games, and whether mail gets through."""
    from pbem.people.person import about

    with session.ledger() as ledger, ledger.read() as tx:
        person = about(tx, name)
    if as_json:
        emit(person.to_json())
        return
    row = person.row
    say(f"{row.name} <{row.address}>: reports in {row.lang}, times in {row.zone}.")
    if row.remind:
        say(reminded_words(row.remind))
    for game, seat, status in person.seats:
        say(f"{game}: seat {seat}, {status}")
    say(f"Reliability: {person.reliability}.")
    for tenure in person.reliability.tenures:
        say(f"  {tenure}")
    if row.volunteers:
        say(f"Would take over a seat in: {', '.join('any game' if game == '*' else game for game in row.volunteers)}.")
    if person.contact.bounces:
        failing = "; the address is taken for one that does not work" if person.contact.failing else ""
        say(f"{several(person.contact.bounces, 'mail')} came back{failing}.")
    if person.waits is not None:
        say(waits_words(person.waits))


@player.command("change")
@click.argument("name")
@click.option("--address", metavar="ADDRESS", help="A new address; it holds once it is confirmed from there.")
@click.option("--at-once", is_flag=True, help="The new address holds now; nobody is asked. The old one is told.")
@click.option("--lang", metavar="LANG", help="The language of the reports: en, fr, it.")
@click.option("--zone", metavar="ZONE", shell_complete=zones, help="The player's time zone.")
@click.option("--remind", metavar="TIME", help=_REMIND)
@at_time
@as_json
@pass_session
def change(
    session: Session,
    name: str,
    address: str | None,
    at_once: bool,
    lang: str | None,
    zone: str | None,
    remind: str | None,
    now: str | None,
    as_json: bool,
) -> None:
    """Change NAME.

    A new address is asked by mail whether it is his, and holds once it has confirmed. The old one is told, and can stop
    it. With --at-once it holds now: for a player whom you know, and whose mail does not arrive any more.
    """
    from pbem.people.person import about, changed

    if address is None and lang is None and zone is None and remind is None:
        raise click.UsageError("Say what to change: --address, --lang, --zone or --remind.")
    if at_once and address is None:
        raise click.UsageError("--at-once goes with --address.")
    said = {"address": address, "lang": lang, "zone": zone, "remind": remind}
    with session.ledger() as ledger, ledger.write() as tx:
        code = changed(tx, session.config, name, moment(now), **said, at_once=at_once)
        person = about(tx, name)
    if as_json:
        emit(person.to_json() | {"code": code or None})
        return
    row = person.row
    say(f"{row.name} <{row.address}>: reports in {row.lang}, times in {row.zone}.")
    if remind is not None:
        say(reminded_words(row.remind) if row.remind else "No reminder is sent any more.")
    if code:
        say(f"A mail to {address} asks whether it is his; any answer to it confirms, and so does")
        say(f"  pbem player confirm {code}")


@player.command("confirm")
@click.argument("code")
@at_time
@as_json
@pass_session
def confirm(session: Session, code: str, now: str | None, as_json: bool) -> None:
    """Confirm a change of address, by its CODE.

    The CODE was sent to the new address. What a mail has asked for still waits for the old one; see
    `pbem player change --at-once`.
    """
    from pbem.people.person import about, confirmed

    with session.ledger() as ledger, ledger.write() as tx:
        changed = confirmed(tx, session.config, code, moment(now))
        person = about(tx, changed.name or "")
    if as_json:
        emit(person.to_json())
    elif person.waits is not None:
        say(waits_words(person.waits))
    else:
        say(f"Letters to {changed.name} go to {changed.address} from now on.")


@player.command("veto")
@click.argument("name")
@at_time
@as_json
@pass_session
def veto(session: Session, name: str, now: str | None, as_json: bool) -> None:
    """Stop the change of NAME's address that waits.

    For some days (`people.address_days`) no other can be asked for by mail; `pbem player change` still can.
    """
    from pbem.people.person import about, stopped

    with session.ledger() as ledger, ledger.write() as tx:
        stopped(tx, session.config, name, moment(now))
        person = about(tx, name)
    if as_json:
        emit(person.to_json())
    else:
        say(f"The change is stopped. Letters to {person.row.name} go to {person.row.address}, as before.")


@player.command("forget")
@click.argument("name")
@click.option("--anyway", is_flag=True, help="Though he still plays: his seats get no more mail, and silence decides.")
@at_time
@as_json
@pass_session
def forget(session: Session, name: str, anyway: bool, now: str | None, as_json: bool) -> None:
    """Forget who NAME was, and empty his letters.

    That is every letter and mail in which his address stands. Their hashes stay, so every history can still be checked;
    it says that they were forgotten. Reports that others were sent stay, and call him by his name.
    """
    from pbem.people.forgetting import forget as forgotten

    with session.ledger() as ledger:
        with ledger.write() as tx:
            found = forgotten(tx, session.config, name, moment(now), anyway=anyway)
        ledger.compact()
    if as_json:
        told = {"letters": found.letters, "mails": found.mails, "stopped": found.stopped, "rows": found.rows}
        emit({"name": name, "forgotten": True, **told})
        return
    say(f"{name} is forgotten: who he was is struck out, and the history knows him only as a number.")
    say(f"Emptied: {several(found.letters, 'letter')} and {several(found.mails, 'mail')}. Their hashes stay.")
    if found.rows:
        say(f"Not emptied: {several(found.rows, 'row')} of the history in which his address was written.")
    say("Not touched: reports that others were sent, which call him by his name, in the ledger as well as with them;")
    say("and backups, exports, logs, mailboxes, and the files of the inbox and the outbox.")
