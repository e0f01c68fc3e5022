"""Appending: the one place that writes the journal. A row is hashed onto the last one; the projections follow it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from engine.canon import Canonical
from pbem.ledger import chain_secrets
from pbem.ledger.chain import Content, leaf_of, link, salt_of, text_of
from pbem.ledger.project import project
from pbem.ledger.public import SPLIT, merged, split
from pbem.ledger.tables import JOURNAL
from pbem.ledger.transaction import Row, Write


def append(
    tx: Write,
    chain: str,
    kind: str,
    at: datetime,
    body: Mapping[str, Any] | Canonical,
    turn: int | None,
    seat: str | None,
) -> Row:
    """Add one row to the end of its chain. What is hashed is what is stored, and what the projections are made of."""
    end = tx.end(chain)
    if end.at is not None and at < end.at:
        at = end.at  # a clock that was set back does not make history run backwards
    secret, seq = chain_secrets.opened(tx.keys, chain, chain_secrets.SALTING, end.stored), end.seq + 1
    content = Content(chain, seq, kind, at, turn, seat, split(chain, kind, body, secret, seq))
    salt = salt_of(secret, seq)
    hash = link(end.hash, leaf_of(salt, text_of(content)))
    tx.add(JOURNAL, {**content._asdict(), "salt": salt, "prev": end.hash, "hash": hash})
    tx.moved(chain, end._replace(seq=content.seq, hash=hash, at=at))
    plain = json.loads(content.body) if kind in SPLIT or isinstance(body, Canonical) else body
    project(tx, content, merged(plain))
    return Row(content.seq, hash, hash.hex(), at)
