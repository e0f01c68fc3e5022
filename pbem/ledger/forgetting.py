"""Forgetting: the bytes of letters and mails that name a person are emptied. The journal says which and when, and their
hashes stay where they are, so the chains that stand on them do, too."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import sqlalchemy as sa

from pbem.ledger import journal
from pbem.ledger.chain import HOST
from pbem.ledger.tables import FORGOTTEN, LETTER, MAIL
from pbem.ledger.transaction import Read, Write

BATCH = 400
_SEQ = sa.select(FORGOTTEN.c.seq).where(FORGOTTEN.c.sha256 == sa.bindparam("sha256"))


def empty(tx: Write, player: str, letters: Collection[str], mails: Collection[str], at: datetime) -> None:
    """Leave of these letters and mails, named by their hashes, nothing but the hashes."""
    tx.append(HOST, "forgotten", at, {"player": player, "letters": sorted(letters), "mails": sorted(mails)})
    for table, hashes in ((LETTER, sorted(letters)), (MAIL, sorted(mails))):
        for first in range(0, len(hashes), BATCH):
            some = hashes[first : first + BATCH]
            tx.run(sa.update(table).where(table.c.sha256.in_(some)).values(raw=b""))


def says(tx: Read, sha256: str) -> bool:
    """Whether the host's chain says so of that hash. The projection only tells where to look."""
    found = tx.one(_SEQ, {"sha256": sha256})
    row = None if found is None else journal.at(tx, HOST, found.seq)
    if row is None or row.kind not in ("forgotten", "purged"):
        return False
    facts = row.facts()
    return sha256 in facts["letters"] or sha256 in facts.get("mails", ())
