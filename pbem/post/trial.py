"""A mail to oneself: sent the way all mails go, and looked for where mails come in; says at which station it stayed.

Two are sent. One goes to the plain address, one to an address with something behind a `+`, as the answers of players
do: so a server that does not know such addresses is told apart from one that delivers nothing.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from time import monotonic, sleep

from pbem.arriving import fetching, message
from pbem.care.doctor import Finding
from pbem.config import Config
from pbem.ledger import Ledger, letters
from pbem.ledger.letters import Waiting
from pbem.ledger.outbox import QUEUED, SENT, OutMail
from pbem.post.carrier import Parcel
from pbem.post.own import envelope
from pbem.post.returns import sender_for
from pbem.post.settings import FILES
from pbem.post.ways import way_of
from pbem.reports import letter

PLAIN, TAGGED = "the plain address", "an address with a key in it"
OFTEN, SELDOM = 0.1, 2.0  # seconds between two looks, at first and later
AWRY = timedelta(minutes=5)
_received = re.compile(rb"^Received:((?:[^\n]|\n[ \t]){1,2000})", re.M | re.I)


def try_mail(config: Config, ledger: Ledger, now: datetime, wait: float, *, real_time: bool) -> Iterator[Finding]:
    """Send, and look; one finding for each station."""
    if config.post.by == FILES:
        yield Finding("mail out", True, "mails stay here as files, so none was sent; see [post] in pbem.toml")
        return
    sent: dict[str, str] = {}
    for which, parcel in _parcels(config, now):
        with closing(way_of(config)) as way:
            [answer] = way.carry([parcel])
        handed = answer.fate == SENT
        says = f"{config.post.by} took a mail to {which}" if handed else f"{config.post.by} did not take it"
        yield Finding(f"mail out to {which}", handed, f"{says}: {answer.detail}" if answer.detail else says)
        if handed:
            sent[which] = parcel.mail.message_id
    came: dict[str, Waiting] = {}
    silent: list[str] = []
    if sent:
        came, silent = _looked_for(config, ledger, now, sent, wait)
    for words in silent:
        yield Finding("mail in", False, words)
    yield from _back(sent, came, wait)
    if real_time and came:
        yield from _clock(ledger, next(iter(came.values())), now)


def _parcels(config: Config, now: datetime) -> Iterator[tuple[str, Parcel]]:
    local, _, host = config.address.rpartition("@")
    wanted = {PLAIN: config.address} | ({TAGGED: f"{local}+trial@{host}"} if config.post.tags else {})
    for which, address in wanted.items():
        message_id = f"<{secrets.token_hex(15)}@{host}>"
        to, subject = letter.Address("", address), f"[{config.host}] A mail to ourselves"
        text = "This is a mail by which `pbem doctor` tries the way out and in."
        raw = letter.write(envelope(config, "trial", message_id, now, to, subject), text)
        mail = OutMail(message_id, "@host", None, QUEUED, 0, now)
        sender = sender_for(message_id, config.address) if config.post.tags else config.address
        yield which, Parcel(mail, sender, address, raw, raw)


def _looked_for(
    config: Config, ledger: Ledger, now: datetime, sent: Mapping[str, str], wait: float
) -> tuple[dict[str, Waiting], list[str]]:
    """What has come back within that time, and what the routes that could not be asked say."""
    until, pause = monotonic() + wait, OFTEN
    while True:
        silent = [f"{one.place}: {one.silent}" for one in fetching.gather(config, ledger, now) if not one.reachable]
        with ledger.read() as tx:
            found = {which: one for which, message_id in sent.items() if (one := letters.came(tx, message_id))}
        if len(found) == len(sent) or monotonic() + pause >= until:
            return found, silent
        sleep(pause)
        pause = min(SELDOM, 2 * pause)


def _back(sent: Mapping[str, str], came: Mapping[str, Waiting], wait: float) -> Iterator[Finding]:
    for which in sent:
        if which in came:
            says = f"it came back by {came[which].route}"
        elif which == TAGGED and PLAIN in came:
            says = "it did not come back: the server does not know such addresses; write tags = false into [post]"
        else:
            says = f"it did not come back within {wait:g} seconds; is [mail], or an alias with `pbem receive`, set up?"
        yield Finding(f"mail in from {which}", which in came, says)


def _clock(ledger: Ledger, one: Waiting, now: datetime) -> Iterator[Finding]:
    """Whether the server's clock and ours agree, by the line it put above the mail."""
    with ledger.read() as tx:
        raw = letters.get(tx, one.sha256) or b""
    found = _received.search(message.header_of(raw))
    if found is None:
        return
    try:
        stamped = parsedate_to_datetime(found[1].rpartition(b";")[2].decode("ascii", "replace").strip())
        apart = abs(stamped - now)
    except (ValueError, TypeError, IndexError, OverflowError):
        return
    says = "the mail server's and ours agree" if apart < AWRY else f"the mail server's says {stamped:%Y-%m-%d %H:%M %z}"
    yield Finding("clock", apart < AWRY, says)
