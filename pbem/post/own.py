"""Mails of the host's own, which belong to no game: who writes them, under which id, and by what robots know them."""

from __future__ import annotations

import hmac
from datetime import datetime

from pbem.clock import stamp
from pbem.config import Config
from pbem.ledger import chains
from pbem.ledger.chain import HOST
from pbem.ledger.transaction import Read
from pbem.reports.letter import KIND, LOOP, TURN, Address, Envelope


def host_id(tx: Read, config: Config, *what: str) -> str:
    """An id for a mail that belongs to no game, the same however often the run that writes it is begun again."""
    secret = chains.secret_of(tx, HOST).secret
    digits = hmac.digest(secret, "\0".join(("mail", *what)).encode(), "sha256")[:15].hex()
    return f"<{digits}@{config.address.rpartition('@')[2]}>"


def next_id(tx: Read, config: Config, kind: str, now: datetime) -> str:
    """An id for a mail that is the next thing to happen at this host, after all that has happened there."""
    return host_id(tx, config, kind, tx.end(HOST).hash.hex(), stamp(now))


def envelope(
    config: Config,
    kind: str,
    message_id: str,
    now: datetime,
    to: Address,
    subject: str,
    lang: str = "en",
    *,
    reply_to: str = "",
    references: tuple[str, ...] = (),
    unsubscribe: str = "",
) -> Envelope:
    """The envelope of a mail from the host."""
    return Envelope(
        message_id,
        now,
        Address(config.host, config.address),
        to,
        subject,
        lang,
        reply_to=Address(config.host, reply_to) if reply_to else None,
        references=references,
        unsubscribe=unsubscribe,
        more=((KIND, kind), (TURN, "0"), (LOOP, config.address)),
    )
