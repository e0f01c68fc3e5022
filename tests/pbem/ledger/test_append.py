"""Adding rows: each stands on the last, the same night gives the same bytes, and time never runs backwards."""

from datetime import timedelta

import pytest

from engine.canon import Canonical, canonical
from pbem.ledger import chains, journal, sound
from pbem.ledger.chain import HOST, START, Content, leaf_of, link, text_of
from pbem.ledger.dump import canonical_dump
from pbem.ledger.store import Ledger
from tests.pbem import hosted


def test_each_row_stands_on_the_last(ledger):
    with ledger.write() as tx:
        first = tx.append(HOST, "night_begun", hosted.START, {"now": "2026-11-18T20:00:00Z"})
        second = tx.append(HOST, "look", hosted.START, {"who": "x"})
    with ledger.read() as tx:
        one, two = journal.rows(tx, HOST)
        assert chains.head_of(tx, HOST) == second.head == two.hash.hex()
    assert (one.prev, one.hash, two.prev) == (START, first.hash, first.hash)
    content = Content(HOST, 2, "look", hosted.START, None, None, b'{"who":"x"}')
    assert two.hash == link(one.hash, leaf_of(two.salt, text_of(content)))


def test_chains_know_nothing_of_each_other(ledger):
    with ledger.write() as tx:
        for chain in ("jade", "coral"):
            chains.begin(tx, chain, hosted.key(chain))
            for _ in range(2):
                tx.append(chain, "look", hosted.START, {"who": "referee"})
    with ledger.read() as tx:
        jade, coral = (list(journal.rows(tx, chain)) for chain in ("jade", "coral"))
    assert [row.seq for row in jade] == [row.seq for row in coral] == [1, 2]
    assert {row.hash for row in jade}.isdisjoint(row.hash for row in coral)


def test_an_unknown_chain_is_a_fault_of_ours(ledger):
    with pytest.raises(LookupError, match="jade"), ledger.write() as tx:
        tx.append("jade", "look", hosted.START, {})


def test_the_same_night_gives_the_same_bytes(tmp_path):
    dumps = []
    for copy in ("one", "two"):
        ledger = Ledger.create(tmp_path / copy, secret=hosted.key("host"))
        hosted.play(ledger, "jade", "vault")
        dumps.append(canonical_dump(ledger))
    assert dumps[0] == dumps[1]
    assert dumps[0].count(b'"table":"journal"') > 30


def test_a_body_that_is_canonical_already_is_stored_and_projected_alike(tmp_path):
    dumps = []
    for made in (dict, lambda body: Canonical(canonical(body))):
        ledger = Ledger.create(tmp_path / str(len(dumps)), secret=hosted.key("host"))
        with ledger.write() as tx:
            tx.append(HOST, "night_begun", hosted.START, made({"now": "2026-11-18T20:00:00Z", "é": [1, None]}))
        with ledger.read() as tx:
            assert list(sound.all_faults(tx)) == []
        dumps.append(canonical_dump(ledger))
    assert dumps[0] == dumps[1]
    assert b'"table":"night"' in dumps[0]


def test_time_never_runs_backwards(ledger):
    with ledger.write() as tx:
        tx.append(HOST, "ruling", hosted.START, {"act": "a"})
        late = tx.append(HOST, "ruling", hosted.START - timedelta(hours=3), {"act": "b"})
    assert late.at == hosted.START
    with ledger.read() as tx:
        assert [row.at for row in journal.rows(tx, HOST)] == [hosted.START, hosted.START]
        assert list(sound.all_faults(tx)) == []


def test_a_long_transaction_is_written_in_parts(ledger):
    with ledger.write() as tx:
        for number in range(1300):
            tx.append(HOST, "ruling", hosted.START, {"number": number})
    with ledger.read() as tx:
        assert [row.facts()["number"] for row in journal.rows(tx, HOST)] == list(range(1300))
        assert list(sound.all_faults(tx)) == []


def test_reading_the_journal(ledger):
    hosted.play(ledger, "jade", "nim")
    with ledger.read() as tx:
        rows = list(journal.rows(tx, "jade"))
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        assert list(journal.rows(tx, "jade", newest_first=True)) == rows[::-1]
        assert list(journal.rows(tx, "jade", after=5)) == rows[5:]
        assert [row.kind for row in journal.rows(tx, "jade", kinds=["over", "created"])] == ["created", "over"]
        assert journal.turn(tx, "jade", 2) == next(row for row in rows if row.kind == "turn" and row.turn == 2)
        assert journal.turn(tx, "jade", 99) is None
        assert journal.at(tx, "jade", 3) == rows[2]
        everything = list(journal.rows(tx))
    assert [row.id for row in everything] == list(range(1, len(everything) + 1))
