"""`pbem quarantine`: messages that were set aside, and why; one of them as it came; and another try."""

from __future__ import annotations

import click

from pbem.cli.frame import Group, Session, as_json, at_time, moment, pass_session, reasoned, whoever, whole
from pbem.cli.output import as_it_came, emit, say, several
from pbem.errors import NO, OK


@click.group(cls=Group)
def quarantine() -> None:
    """Messages that were set aside: list them, look at one, have one tried again, empty the old ones."""


@quarantine.command("list")
@as_json
@pass_session
def listed(session: Session, as_json: bool) -> None:
    """List what was set aside, the newest first, with the reason."""
    from pbem.clock import stamp
    from pbem.ledger import letters

    with session.ledger() as ledger, ledger.read() as tx:
        kept = letters.kept(tx)
    if as_json:
        emit([one._asdict() | {"at": stamp(one.at)} for one in kept])
        return
    for one in kept:
        say(f"{one.sha256[:12]}  {stamp(one.at)}  by {one.route}: {one.reason}")
    if not kept:
        say("Nothing is set aside.")


@quarantine.command("show")
@click.argument("name")
@at_time
@pass_session
def shown(session: Session, name: str, now: str | None) -> None:
    """Show the message NAME (the first digits of the list).

    What could steer a terminal is written out. That somebody looked is written into the ledger: it may hold orders.
    """
    from pbem.care.quarantine import contents, looked, named

    with session.ledger() as ledger:
        with ledger.read() as tx:
            kept = named(tx, name)
            raw = contents(tx, kept)
        with ledger.write() as tx:
            looked(tx, kept, whoever(), moment(now))
    as_it_came(raw)


@quarantine.command("retry")
@click.argument("name", required=False)
@click.option("--all", "everything", is_flag=True, help="All that was set aside.")
@reasoned
@at_time
@as_json
@pass_session
def retry(session: Session, name: str | None, everything: bool, reason: str, now: str | None, as_json: bool) -> None:
    """Have the message NAME, or all, judged again by the next run."""
    from pbem.care.quarantine import again, named
    from pbem.ledger import letters

    if everything == (name is not None):
        raise click.UsageError("Name a message, or say --all.")
    with session.ledger() as ledger, ledger.write() as tx:
        found = letters.kept(tx) if name is None else [named(tx, name)]
        again(tx, found, moment(now), reason)
    if as_json:
        emit({"again": [one.sha256 for one in found]})
    else:
        say(f"{several(len(found), 'message')} to be judged again; `pbem nightly` or `pbem fetch` does it.")


@quarantine.command("purge")
@click.option("--older-than", "days", type=whole(0, 36_500), metavar="DAYS", help="Instead of what pbem.toml says.")
@click.option("--yes", is_flag=True, help="Do it; without this it is only said how many there are.")
@at_time
@as_json
@pass_session
def purge(session: Session, days: int | None, yes: bool, now: str | None, as_json: bool) -> int:
    """Empty old mail that belongs to no game.

    That is what was set aside or ignored, and is no seat's. Every night does so with what is older than
    [people] strangers_mail_days says. The hashes stay, so that such a message is known when it comes again, and every
    history can still be checked. The file is compacted afterwards.
    """
    from pbem.care.quarantine import older, purge_all

    keep, at = session.config.strangers_mail.days if days is None else days, moment(now)
    if days is None and not keep:
        raise click.UsageError("pbem.toml keeps such mail for ever; say --older-than DAYS.")
    with session.ledger() as ledger:
        count = older(ledger, at, keep)
        if count and not yes:
            return _ask(count, keep, as_json)
        purged = purge_all(ledger, at, keep) if count else 0
    if as_json:
        emit({"purged": purged, "older_than_days": keep})
    else:
        say(f"{several(purged, 'message')} emptied; the hashes stay." if purged else "Nothing is so old.")
    return OK


def _ask(count: int, keep: int, as_json: bool) -> int:
    """Say what would be emptied; nobody can undo it."""
    if as_json:
        emit({"purged": 0, "would_purge": count, "older_than_days": keep})
    else:
        say(f"{several(count, 'message')} would be emptied for good; add --yes to do it.")
    return NO
