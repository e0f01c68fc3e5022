"""Projections are dropped and rebuilt from the journal, and come out equal whatever happened."""

import hashlib
import json
import tempfile
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.ledger import games, letters, outbox
from pbem.ledger.chain import HOST
from pbem.ledger.dump import INCIDENTAL, NAMED_BY, canonical_dump
from pbem.ledger.rebuild import rebuild
from pbem.ledger.store import Ledger
from pbem.ledger.tables import GAME, PICTURE, PROJECTIONS, TABLES
from pbem.ledger.times import stamp
from tests.pbem import hosted
from tests.pbem.hosted import NIGHT, START


def all_projections(ledger):
    """Every column of every projection, row numbers and tries included."""
    with ledger.read() as tx:
        return {table.name: sorted(map(repr, tx.all(sa.select(table)))) for table in PROJECTIONS}


def act(tx, names, step):
    """One thing that can happen to a host."""
    what, which, number = step
    name, at = names[which % len(names)], START + number * NIGHT
    game = games.get(tx, name)
    if what == "turn" and game.status == games.OPEN:
        hosted.resolve(tx, name, {}, at)
    elif what == "order" and game.status == games.OPEN and game.pending:
        hosted.order(tx, name, game.pending[number % len(game.pending)], "pass", at)
    elif what == "fail":
        tx.append(name, "failed", at, {"attempt": number, "reason": "x"}, game.turn)
    elif what == "halt":
        tx.append(name, "halted", at, {"reason": "x"}, game.turn)
    elif what == "rule":
        tx.append(name, "ruling", at, {"act": "x", "reason": "x", "status": "open", "due_at": stamp(at)})
    elif what == "letter":
        letters.arrive(tx, b"%d" % number, at, "drop", str(which))
    elif what == "settle" and letters.waiting(tx):
        first = letters.waiting(tx)[0]
        letters.settle(tx, first.sha256, first.message_id, "refused", at, {"reason": "x"})
    elif what == "post":
        for mail in outbox.due(tx, at, limit=number % 3 + 1):
            begun = outbox.fate(tx, mail, outbox.BEGUN, at, next_try_at=at)
            outbox.fate(tx, begun, *((outbox.SENT, at) if number % 2 else (outbox.UNKNOWN, at, "cut", at + NIGHT)))
    elif what == "night":
        begun = tx.append(HOST, "night_begun", at, {"now": stamp(at)})
        if number % 2:
            tx.append(HOST, "night_done", at, {"begun": begun.seq, "summary": {}})


KINDS = ["turn", "turn", "order", "fail", "halt", "rule", "letter", "settle", "post", "night"]
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 3), st.integers(0, 9)), max_size=25)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS, together=st.booleans())
def test_rebuilt_projections_are_equal(steps, together):
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger.create(Path(folder) / "ledger.db", secret=hosted.key("host"))
        with ledger.write() as tx:
            hosted.begin(tx, "jade", "vault")
            hosted.begin(tx, "coral", "nim")
            for step in steps if together else ():
                act(tx, ["jade", "coral"], step)
        for step in () if together else steps:
            with ledger.write() as tx:
                act(tx, ["jade", "coral"], step)
        grown, dumped = all_projections(ledger), canonical_dump(ledger)
        rebuild(ledger)
        assert all_projections(ledger) == grown
        assert canonical_dump(ledger) == dumped
        ledger.close()


def test_rebuilding_mends_what_was_changed(ledger):
    hosted.play(ledger, "jade", "vault")
    before = canonical_dump(ledger)
    with ledger.write() as tx:
        tx.run(sa.delete(GAME))
    assert canonical_dump(ledger) != before
    assert rebuild(ledger) == before.count(b'"table":"journal"')
    assert canonical_dump(ledger) == before


def test_the_dump_holds_every_table():
    """A new table is dumped by its primary key, or must say what names its rows."""
    for table in TABLES.tables.values():
        key = NAMED_BY.get(table.name) or [column.name for column in table.primary_key]
        assert not INCIDENTAL & set(key), table.name


@pytest.mark.parametrize("change", [
    lambda tx: hosted.order(tx, "jade", "1", "a1", START),
    lambda tx: outbox.fate(tx, outbox.due(tx, START)[0], "sent", START),
    lambda tx: tx.append(HOST, "ruling", START, {"act": "x"}),
])  # fmt: skip
def test_the_dump_tells_ledgers_apart(ledger, change):
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
    before = canonical_dump(ledger)
    with ledger.write() as tx:
        change(tx)
    assert canonical_dump(ledger) != before


def test_what_a_row_says_stands_in_the_dump_in_full(ledger):
    said = {"act": "extend", "reason": "snow", "hours": [1, None]}
    with ledger.write() as tx:
        tx.append(HOST, "ruling", START, said)
    [row] = (json.loads(line) for line in canonical_dump(ledger).splitlines() if b'"table":"journal"' in line)
    assert (row["body"], row["at"], row["kind"]) == (said, stamp(START), "ruling")


def test_long_bytes_stand_in_the_dump_by_their_hash_and_length(ledger):
    with ledger.write() as tx:
        name = letters.arrive(tx, b"words", START, "drop", "1").sha256
        outbox.post(tx, HOST, None, "notice", "<1@host>", b"more words", START, START)
        tx.add(PICTURE, {"sha256": "00", "png": b"a picture"})
    lines = [json.loads(line) for line in canonical_dump(ledger).splitlines()]
    [letter], [mail], [picture] = (
        [line for line in lines if line["table"] == one] for one in ("letter", "mail", "picture")
    )
    assert letter == {"table": "letter", "sha256": name, "raw": {"sha256": name, "size": 5}}
    assert mail["raw"] == {"sha256": hashlib.sha256(b"more words").hexdigest(), "size": 10}
    assert picture["png"] == {"sha256": hashlib.sha256(b"a picture").hexdigest(), "size": 9}


def test_the_dump_is_the_same_however_the_rows_came(tmp_path):
    """G10: two games in one transaction or in two, in either order."""
    dumps = set()
    for order, together in ((("a", "b"), True), (("b", "a"), True), (("a", "b"), False), (("b", "a"), False)):
        ledger = Ledger.create(tmp_path / f"{order[0]}{together}", secret=hosted.key("host"))
        if together:
            with ledger.write() as tx:
                for name in order:
                    hosted.begin(tx, name, "nim")
        else:
            for name in order:
                with ledger.write() as tx:
                    hosted.begin(tx, name, "nim")
        dumps.add(canonical_dump(ledger))
    assert len(dumps) == 1
