"""Forgers: a clerk who edits a history, and a host who writes one that is sound by its hashes and yet false."""

import json
import sqlite3
from contextlib import closing

from engine.canon import canonical
from pbem.ledger.chain import START, Content, leaf_of, link, text_of
from pbem.ledger.packing import pack, unpack
from pbem.ledger.times import moment
from pbem.ledger.triggers import sqlite_triggers


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
