"""Forgers: a clerk who edits a history, and a host who writes one that is sound by its hashes and yet false."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.canon import canonical
from pbem.ledger.chain import START, Content, leaf_of, link, text_of
from pbem.ledger.outbox import QUEUED, OutMail
from pbem.ledger.packing import pack, unpack
from pbem.ledger.signing import Signer
from pbem.ledger.times import moment
from pbem.ledger.triggers import sqlite_triggers
from pbem.post.signing import signed
from pbem.reports import letter
from pbem.signature import KEY
from pbem.signature import text_of as encoded

_SECRET = Ed25519PrivateKey.from_private_bytes(b"forging!" * 4)
SIGNER = Signer(KEY + encoded(_SECRET.public_key().public_bytes_raw()), _SECRET.sign)
AT = datetime(2026, 11, 18, 12, tzinfo=UTC)


def mail_with(game, head, at=AT, message_id="<0123@host.example>"):
    """A mail with a head in it, as a host writes it."""
    envelope = letter.Envelope(
        message_id, at, letter.Address("pbem", "o@host.example"), letter.Address("", "a@x.example"), f"[{game}] x"
    )
    return letter.write(envelope, f"Ledger head: {head}\n")


def signed_mail(game, head, signer=SIGNER, at=AT, message_id="<0123@host.example>"):
    """The same with the host's signature."""
    raw = mail_with(game, head, at, message_id)
    return signed(signer, OutMail(message_id, game, None, QUEUED, 0, at), raw, raw)


def edit(path, *statements):
    """Somebody who owns the file takes the triggers off, edits, and puts them back."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for name in sqlite_triggers():
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            assert connection.execute(statement).rowcount, statement
        for statement in sqlite_triggers().values():
            connection.execute(statement)


def rewrite(path, chain, change):
    """The whole chain again with `change(facts, seq, kind)` applied to each body, hashed anew, heads and all."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for name in sqlite_triggers():
            connection.execute(f"DROP TRIGGER {name}")
        head = START
        query = "SELECT id, seq, kind, at, turn, seat, body, salt FROM journal WHERE chain = ? ORDER BY seq"
        for id, seq, kind, at, turn, seat, body, salt in connection.execute(query, (chain,)).fetchall():
            facts = json.loads(unpack(body))
            changed = canonical(change(facts, seq, kind) or facts)
            content = Content(chain, seq, kind, moment(at), turn, seat, changed)
            prev, head = head, link(head, leaf_of(salt, text_of(content)))
            values = (pack(changed), prev, head, id)
            connection.execute("UPDATE journal SET body = ?, prev = ?, hash = ? WHERE id = ?", values)
        connection.execute("UPDATE head SET hash = ? WHERE chain = ?", (head, chain))
        for statement in sqlite_triggers().values():
            connection.execute(statement)
    return head.hex()
