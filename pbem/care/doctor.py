"""The doctor: is the host well? Each finding is one line, and says what to do when it is not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem import faultlog
from pbem.arriving import drop
from pbem.brakes import heartbeat
from pbem.brakes.holding import on_record
from pbem.care import sealing
from pbem.config import Config
from pbem.errors import Busy, Trouble
from pbem.intake.characters import visible
from pbem.ledger import (
    Ledger,
    chain_secrets,
    chains,
    games,
    letters,
    mailed,
    nights,
    outbox,
    own_key,
    purging,
    rebuild,
    sound,
)
from pbem.ledger.seals import SUFFIX, key_file
from pbem.ledger.signing import public_key
from pbem.ledger.transaction import Read
from pbem.ledger.troubles import LedgerTrouble
from pbem.locks import NIGHT, alone
from pbem.people.person import in_trouble
from pbem.pictures import finishing, painting
from pbem.post.settings import MAILDIR, SENDMAIL, SMTP
from pbem.rulebook import NoRules, known
from pbem.sharing import open_to_others

LEAST_FREE = 200 << 20
AHEAD = timedelta(minutes=5)


class Finding(NamedTuple):
    """One thing that was looked at."""

    what: str
    well: bool
    says: str


def rebuilt(config: Config) -> int:
    """Make the projections anew, while no night is at work; gives the number of rows they came from."""
    with alone(config.place, NIGHT), closing(Ledger.open(config.place)) as ledger:
        return rebuild.rebuild(ledger)


def upgraded(config: Config) -> None:
    """Bring a ledger of an older pbem up to this one, while no night is at work."""
    with alone(config.place, NIGHT):
        with closing(Ledger.upgrade(config.place)) as ledger:
            rebuild.rebuild(ledger)  # the older one's projections lack what this one's say
            with ledger.read() as tx:
                lost = own_key.seals(tx).missing  # another key would be taken for the one that is lost
        if not (path := config.place.beside(SUFFIX)).exists() and not lost:
            key_file(path)  # games that are begun from now on are sealed, and so are all mail and all secrets
        with closing(Ledger.open(config.place)) as ledger:
            sealing.seal_secrets(ledger)
            ledger.compact()  # a run that was broken off may have left what it sealed in free pages


def shadowed(config: Config, now: datetime) -> list[Finding]:
    """What the shadow run found, game by game; those that differ are held by now."""
    from pbem.care.shadow import shadow

    found = []
    for one in shadow(config, now):
        on = f"`pbem referee resume {one.game}` lets it go on"
        if one.same:
            held = "" if one.status == games.OPEN else f"; it is {one.status}, and {on}"
            says = f"{_as_it_stands(one.steps)}{held}"
        else:
            says = f"held. {one.difference.rstrip('.')}. When a shadow run finds it well again, {on}"
        found.append(Finding(f"shadow of {one.game}", one.same, says))
    return found or [Finding("shadow", True, "no game goes on")]


def _as_it_stands(steps: int) -> str:
    return "its only step comes out as it stands" if steps == 1 else f"its {steps} steps come out as they stand"


def examine(config: Config, now: datetime) -> list[Finding]:
    """Everything that can be looked at; a ledger that cannot be opened is a finding, too."""
    findings = [*_folders(config), *_faults(config), *_post(config)]
    try:
        with closing(Ledger.open(config.place)) as ledger:
            return [
                *findings,
                *_sealed(ledger),
                *_ledger(ledger),
                *_work(config, ledger, now),
                *_pictures(ledger),
            ]
    except LedgerTrouble as trouble:
        return [*findings, Finding("ledger", False, str(trouble).rstrip("."))]


def _folders(config: Config) -> Iterator[Finding]:
    for name, folder in (("inbox", config.inbox), ("outbox", config.outbox)):
        usable = folder.is_dir() and os.access(folder, os.R_OK | os.W_OK | os.X_OK)
        yield Finding(name, usable, f"{folder} can be used" if usable else f"{folder} cannot be used; make it")
    if config.inbox.is_dir() and (names := drop.strange(config)):
        says = f"{', '.join(map(visible, names))} cannot be taken (no plain file of ours, or too large); remove it"
        yield Finding("inbox", False, says)
    free = shutil.disk_usage(config.folder).free
    says = f"{free >> 20} MiB are free" + ("" if free >= LEAST_FREE else "; make room before the next night")
    yield Finding("disk", free >= LEAST_FREE, says)


def _post(config: Config) -> Iterator[Finding]:
    """What can be seen of the way out without sending anything; `pbem doctor --mail` sends."""
    post = config.post
    if post.by == SENDMAIL:
        found = shutil.which(post.sendmail[0]) is not None
        yield Finding("sendmail", found, f"{post.sendmail[0]} {'is there' if found else 'is not there; install it'}")
    if post.by == MAILDIR and post.maildir is not None:
        usable = os.access(post.maildir if post.maildir.exists() else post.maildir.parent, os.W_OK | os.X_OK)
        yield Finding("maildir", usable, f"{post.maildir} {'can' if usable else 'cannot'} be used")
    if post.by == SMTP and post.smtp is not None and post.smtp.user:
        try:
            post.smtp.password()
            yield Finding("smtp password", True, "it is there, and only its owner can read it")
        except Trouble as trouble:
            yield Finding("smtp password", False, str(trouble).rstrip("."))
    if post.by in (SMTP, SENDMAIL):
        domain = config.address.rpartition("@")[2]
        known = "." in domain or domain == "localhost"
        says = f"answers go to {config.address}"
        yield Finding("address", known, says if known else f"{says}, which no mail server can find; see [host]")


def _faults(config: Config) -> Iterator[Finding]:
    log = config.folder / faultlog.NAME
    says = f"some are written down in {log}; report them, then remove the file" if log.exists() else "none was logged"
    yield Finding("faults of pbem", not log.exists(), says)


def _ledger(ledger: Ledger) -> Iterator[Finding]:
    yield Finding("settings", True, f"{ledger.home.settings} are in force")  # else it would not be open
    yield _writable(ledger)
    with ledger.read() as tx:
        fault = next(sound.all_faults(tx), None)
        path = mailed.heads_file(ledger)
        lost, unnoted = mailed.lost(tx, path), mailed.unnoted(tx, path)
    says = "every row is what it was when it was written" if fault is None else f"{fault.text}; restore a backup"
    yield Finding("history", fault is None, says)
    names = ", ".join(sorted({one.chain for one in lost}))
    says = "all of it is known"
    if lost:
        says = f"mails of {names} hold heads that the ledger has not: it was rewritten, or is an older copy"
        says += "; see `pbem restore --help`"
    elif unnoted:
        says = f"{path.name} is not here, so nothing tells which mails have left since this copy was made"
        says += "; if it is one, see `pbem restore --help` before the next run"
    yield Finding("what was mailed", not (lost or unnoted), says)


def _writable(ledger: Ledger) -> Finding:
    """A file may be read without fault and take no order."""
    try:
        ledger.try_to_write()
    except Busy:
        return Finding("writing", True, "another run is writing just now")
    except Trouble as trouble:
        return Finding("writing", False, str(trouble).rstrip("."))
    return Finding("writing", True, "orders can be stored")


def _sealed(ledger: Ledger) -> Iterator[Finding]:
    """Whether the key is there that opens what lies sealed, and whether others can read it."""
    path = ledger.keys.path
    try:
        with ledger.read() as tx:
            lost, seals, clear = sorted(sealing.locked(tx)), own_key.seals(tx), chain_secrets.count_clear(tx)
    except Trouble as trouble:
        yield Finding("seal", False, str(trouble).rstrip("."))
        return
    if lost or seals.missing:
        yield Finding("seal", False, _not_its_key(ledger, lost, seals))
    elif path is None or not path.exists():
        says = "there is no key, so orders lie open in the ledger; `pbem doctor --upgrade` makes one"
        yield Finding("seal", True, says)
    elif clear:
        says = f"{clear} chains have secrets that are not sealed; run `pbem doctor --upgrade`"
        yield Finding("seal", False, says)
    else:
        open_to = open_to_others(path)
        says = f"others may read {path}; `chmod 600` it" if open_to else f"orders are sealed; keep a copy of {path}"
        yield Finding("seal", not open_to, says)
    key = public_key(ledger.keys)
    says = f"mails are signed with {key}" if key else "mails leave unsigned; `pbem doctor --upgrade` makes a key"
    yield Finding("signature", True, says)


def _not_its_key(ledger: Ledger, lost: Sequence[str], seals: own_key.Seals) -> str:
    """What the file beside the ledger lacks: another host's may lie in its place."""
    path, under = ledger.keys.path, ", ".join(seals.missing)
    what = f"the orders of {', '.join(lost)}" if lost else "letters and mails"
    if ledger.keys.names and seals.missing and not seals.here:
        says = f"{path} is not the key of this ledger, which is {under} and opens {what}"
    else:
        says = f"the key that opens {what} is not in {path}"
    return f"{says}; put it back, or see --new-key"


def _work(config: Config, ledger: Ledger, now: datetime) -> Iterator[Finding]:
    long = config.post.tell
    with ledger.read() as tx:
        halted = [row.name for row in games.every(tx, games.HALTED)]
        missing = dict(_without_rules(tx))
        begun, off_since = nights.unfinished(tx), _off_since(tx, config, now)
        holds = [held for held in on_record(tx) if not held.released]
        counts, strangers = letters.counts(tx), purging.held(tx)
        newest = chains.newest(tx)
        failing = [name for name, contact in in_trouble(tx) if contact.failing]
        old, lost = outbox.open_since(tx, now - long), len(outbox.lost(tx))
    yield Finding(
        "games", not halted, f"halted: {', '.join(halted)}; see `pbem audit log`" if halted else "none halted"
    )
    says = "; ".join(f"{name} cannot go on: {why}" for name, why in missing.items()) or "all that are needed are here"
    yield Finding("rules", not missing, says)
    says = "the last one came to its end"
    if begun is not None:
        says = f"the one of {begun.at:%Y-%m-%d %H:%M} UTC was broken off; `pbem nightly` finishes it"
    elif off_since is not None:
        says = f"none has come since {off_since:%Y-%m-%d %H:%M} UTC; see cron/ for what calls `pbem nightly`"
    yield Finding("nights", begun is None and off_since is None, says)
    says = "; ".join(held.says for held in holds) + "; see `pbem status`" if holds else "nothing is held"
    yield Finding("brakes", not holds, says)
    kept = counts.get(letters.QUARANTINED, 0)
    yield Finding("messages", True, f"{sum(counts.values())} came, {kept} of them are kept aside")
    yield _strangers(config, strangers)
    ahead = newest is not None and newest - now > AHEAD
    says = f"the ledger was written to at {newest:%Y-%m-%d %H:%M} UTC, which is yet to come" if ahead else "it goes on"
    yield Finding("time", not ahead, says)
    says = f"{len(old)} wait for more than {_hours(long)}; `pbem deliver` tries again" if old else "none waits too long"
    yield Finding("mails", not old, says)
    says = f"{lost} could not be sent; `pbem deliver` shows why" if lost else "none was refused or given up"
    yield Finding("mails refused", not lost, says)
    says = ", ".join(failing) + ": mail comes back; see `pbem player show`" if failing else "none is known to fail"
    yield Finding("addresses", not failing, says)


def _strangers(config: Config, held: purging.Held) -> Finding:
    """How much mail of nobody's game is kept."""
    days = config.strangers_mail.days
    until = f"each is emptied after {days} days" if days else "none is ever emptied; see [people] strangers_mail_days"
    since = "" if held.oldest is None else f", {held.bytes:,} bytes, the oldest of {held.oldest:%Y-%m-%d}"
    return Finding("strangers' mail", True, f"{held.messages} messages belong to no game{since}; {until}")


def _off_since(tx: Read, config: Config, now: datetime) -> datetime | None:
    """Since when no run has come, where games go on and that is out of the host's rhythm."""
    beat = heartbeat.recall(config, nights.at_work(tx))
    goes_on = next(games.every(tx, games.OPEN), None) is not None
    return beat.off_since(now) if beat is not None and goes_on else None


def _hours(long: timedelta) -> str:
    hours = long // timedelta(hours=1)
    return f"{hours} hours" if hours > 1 else "an hour"


def _pictures(ledger: Ledger) -> Iterator[Finding]:
    """Whether maps are painted. A host may do without: the words of a mail say all that its map would show."""
    with ledger.read() as tx:
        bare = finishing.left_bare(tx)
    says = (
        "maps leave as PNG"
        if painting.able()
        else "mails leave without their maps; `pip install pbem[png]` paints them"
    )
    yield Finding("maps", True, f"{says}; {bare} mails have left without" if bare else says)


def _without_rules(tx: Read) -> Iterator[tuple[str, str]]:
    """The games that are not over and whose rules are not installed any more, each with what is the matter."""
    for row in games.every(tx):
        try:
            if row.status != games.OVER:
                known(row.pinned)
        except NoRules as trouble:
            yield row.name, str(trouble).rstrip(".")
