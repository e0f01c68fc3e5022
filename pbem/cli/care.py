"""`pbem doctor`, `pbem backup` and `pbem restore`: keeping a host well."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.frame import Session, as_json, at_time, moment, pass_session, whole
from pbem.cli.output import emit, say, say_lines, several

if TYPE_CHECKING:
    from pbem.care.doctor import Finding


@click.command()
@click.option("--rebuild", is_flag=True, help="Make every projection anew from the journal.")
@click.option(
    "--upgrade", is_flag=True, help="First bring a ledger of an older pbem up to this one; back it up before."
)
@click.option(
    "--shadow", is_flag=True, help="Play every game that goes on again by the rules installed now; hold what differs."
)
@click.option("--new-key", is_flag=True, help="The key of sealed orders is lost: go on with a new one, and a --reason.")
@click.option("--reason", default="", help="With --new-key: why; it goes into the journal.")
@click.option("--mail", is_flag=True, help="Send a mail to the host itself, and look for it where mails come in.")
@click.option("--wait", type=whole(1, 3600), default=60, show_default=True, help="With --mail: seconds to look for it.")
@at_time
@as_json
@pass_session
def doctor(
    session: Session,
    rebuild: bool,
    upgrade: bool,
    shadow: bool,
    new_key: bool,
    reason: str,
    mail: bool,
    wait: int,
    now: str | None,
    as_json: bool,
) -> int:
    """Check the host: folders, ledger settings, the chain of every game, what is halted, what waits too long.

    The exit code is 1 when anything is ill. Run it with --shadow after a new version is installed, before the next
    night: games that the new rules would have resolved otherwise are held, and their players told.

    Orders that wait, and the secrets that keys and dice are made of, are sealed. Their key is in a file beside the
    ledger (ledger.key), which no backup holds: keep a copy of it somewhere else. Without it nothing is written to the
    ledger. Where it is lost for good, --new-key strikes orders that wait, gives every game new keys and a new seed, and
    asks the players to order again; everything that was played stays as it is.
    """
    from pbem.care import sealing
    from pbem.care.doctor import rebuilt, upgraded

    config, at = session.config, moment(now)
    if new_key != bool(reason.strip()):
        raise click.UsageError("--new-key and --reason go together: it is a ruling.")
    if upgrade:
        upgraded(config)
    struck = sealing.new_key(config, at, reason.strip()) if new_key else []
    rows = rebuilt(config) if rebuild else None
    findings = _examined(session, at, shadow=shadow)
    if mail:
        findings += _tried_mail(session, at, wait, real_time=now is None)
    if as_json:
        emit({"rebuilt_from": rows, "new_key_for": struck, "findings": [finding._asdict() for finding in findings]})
    else:
        _say_all(rows, struck, findings, new_key=new_key)
    return 0 if all(finding.well for finding in findings) else 1


def _examined(session: Session, at: datetime, *, shadow: bool) -> list[Finding]:
    from pbem.care.doctor import examine, shadowed

    return [*examine(session.config, at), *(shadowed(session.config, at) if shadow else ())]


def _tried_mail(session: Session, at: datetime, wait: int, *, real_time: bool) -> list[Finding]:
    from pbem.post.trial import try_mail

    with session.ledger() as ledger:
        return [*try_mail(session.config, ledger, at, wait, real_time=real_time)]


def _say_all(rows: int | None, struck: Sequence[str], findings: Sequence[Finding], *, new_key: bool) -> None:
    if rows is not None:
        say(f"Everything that follows from the journal was made anew from its {several(rows, 'row')}.")
    if struck:
        say(f"Sealed orders of {', '.join(struck)} were struck; the players get new keys and are asked to order again.")
    elif new_key:
        say(
            "No order that waits was lost. Letters and mails under the lost key stay shut; a new one seals from now on."
        )
    for finding in findings:
        say(f"{'well' if finding.well else 'ILL '}  {finding.what}: {finding.says}")


@click.command()
@click.argument("target", required=False, type=click.Path(path_type=Path))
@click.option("--into", type=click.Path(path_type=Path), help="A folder for dated backups.")
@click.option("--keep", type=whole(1), help="With --into: keep only the newest so many.")
@click.option(
    "--encrypt",
    "recipients",
    multiple=True,
    metavar="KEY",
    help="Encrypt it to this public key of age, or a file of them.",
)
@click.option("--passphrase", type=click.Path(path_type=Path), help="Encrypt it with the first line of this file.")
@at_time
@as_json
@pass_session
def backup(
    session: Session,
    target: Path | None,
    into: Path | None,
    keep: int | None,
    recipients: tuple[str, ...],
    passphrase: Path | None,
    now: str | None,
    as_json: bool,
) -> None:
    """Copy the ledger to TARGET, whole and checked, while everything goes on.

    The key of the ledger (ledger.key) is not in the copy: nobody reads orders that wait there, or makes a seat's key of
    it. Keep a copy of the key elsewhere. What else a copy tells stands in docs/backups.md; --encrypt hides all of it,
    in the format of age.
    """
    from pbem.care.encrypting import Locks
    from pbem.care.keeping import back_up, dated

    if keep is not None and into is None:
        raise click.UsageError("--keep goes with --into.")
    if (target is None) == (into is None):
        raise click.UsageError("Name one TARGET, or a folder with --into.")
    locks = Locks(recipients, passphrase) if recipients or passphrase is not None else None
    if target:
        path = back_up(session.config, target, locks)
    else:
        path = dated(session.config, into or Path(), keep, moment(now), locks)
    if as_json:
        emit({"backup": str(path), "bytes": path.stat().st_size, "encrypted": locks is not None})
    else:
        how = "and the copy is sound" if locks is None else "sound, and encrypted: `pbem restore` or `age -d` opens it"
        say(f"The ledger is copied to {path} ({path.stat().st_size:,} bytes) {how}.")


@click.command()
@click.argument("copy", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--identity", type=click.Path(path_type=Path), help="The file of the secret key of age that opens COPY.")
@click.option("--passphrase", type=click.Path(path_type=Path), help="The file of the passphrase that opens COPY.")
@click.option("--agree", is_flag=True, help="Go on with a restored ledger that is older than mails that have left.")
@click.option("--reason", default="", help="With --agree: why; it goes into the journal.")
@at_time
@as_json
@pass_session
def restore(
    session: Session,
    copy: Path | None,
    identity: Path | None,
    passphrase: Path | None,
    agree: bool,
    reason: str,
    now: str | None,
    as_json: bool,
) -> None:
    """Put the backup COPY in the ledger's place. What stood there is kept beside it."""
    from pbem.care.encrypting import Opener
    from pbem.care.keeping import agreed, put_back

    if (copy is None) == (not agree):
        raise click.UsageError("Name the COPY to restore, or --agree to one that was restored.")
    if reason and not agree:
        raise click.UsageError("--reason goes with --agree.")
    if agree:
        if not reason.strip():
            raise click.UsageError("--agree needs a --reason: it is a ruling.")
        lost = agreed(session.config, moment(now), reason)
        names = sorted({mailed.chain for mailed in lost})
        words = f"Agreed: mails of {', '.join(names)} know more than the ledger does, or may."
        told = "Their players are asked to send again what they have sent since; `pbem deliver` carries that."
        emit({"agreed": names}) if as_json else say_lines(f"{words}\n{told}")
        return
    assert copy is not None
    kept, lost, unnoted = put_back(session.config, copy, Opener(identity, passphrase))
    names = sorted({mailed.chain for mailed in lost})
    if as_json:
        emit({"restored": str(copy), "kept": kept and str(kept), "older_than_mailed": names, "unnoted": unnoted})
        return
    say(f"The ledger is what {copy} holds." + (f" What stood there is kept as {kept}." if kept else ""))
    if names:
        say(f"It is older than mails that have left (of {', '.join(names)}): nothing is sent until you agree with")
        say("`pbem restore --agree --reason ...`.")
    elif unnoted:
        say("Nothing here tells which mails have left since it was made. If some have, let no run come before")
        say("`pbem restore --agree --reason ...`: it moves deadlines that have passed, and all players are told.")
