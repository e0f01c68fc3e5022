"""The chain in numbers: what is hashed, and that each part of a row counts."""

import hashlib
import hmac
import json
from datetime import UTC, datetime

import pytest
import rfc8785

from engine.canon import canonical
from pbem.ledger.chain import START, Content, leaf_of, link, salt_of, text_of

AT = datetime(2026, 11, 18, 20, tzinfo=UTC)
BODY = {"orders": ["a1 b2", "Größe"], "counter": 3, "say": None}
ROW = Content("jade-river", 7, "submission", AT, 12, "red", canonical(BODY))


def test_a_row_is_hashed_as_its_canonical_json():
    facts = {"chain": "jade-river", "seq": 7, "kind": "submission", "at": "2026-11-18T20:00:00Z", "turn": 12}
    assert text_of(ROW) == rfc8785.dumps({**facts, "seat": "red", "body": BODY})


@pytest.mark.parametrize("odd", [
    ROW._replace(chain='a "b"\\c'), ROW._replace(seat="Größe\n"), ROW._replace(seat=None, turn=None),
    ROW._replace(turn=0), ROW._replace(turn=1), ROW._replace(turn=True), ROW._replace(seat="1"),
])  # fmt: skip
def test_names_that_need_care_are_written_as_canonical_json(odd):
    facts = {**odd._asdict(), "at": "2026-11-18T20:00:00Z", "body": BODY}
    assert text_of(odd) == rfc8785.dumps(facts)


def test_the_hash_by_hand():
    salt = hmac.new(b"s" * 32, b"salt7", hashlib.sha256).digest()
    assert salt_of(b"s" * 32, 7) == salt
    leaf = hashlib.sha256(salt + text_of(ROW)).digest()
    assert leaf_of(salt, text_of(ROW)) == leaf
    assert link(START, leaf) == hashlib.sha256(bytes(32) + leaf).digest()
    # Frozen: a ledger written today must verify for ever.
    assert link(START, leaf).hex() == "ccf79bb0c4c2bfc325a4f8f40e4c381f5fd3068f74b8ddc4f4cf02bf8ed2d3e6"


@pytest.mark.parametrize("other", [
    ROW._replace(chain="jade-rivers"), ROW._replace(seq=8), ROW._replace(kind="draft"), ROW._replace(turn=None),
    ROW._replace(at=datetime(2026, 11, 18, 20, 0, 1, tzinfo=UTC)), ROW._replace(seat=None), ROW._replace(body=b"{}"),
])  # fmt: skip
def test_every_part_of_a_row_counts(other):
    assert text_of(other) != text_of(ROW)
    assert json.loads(text_of(other)) != json.loads(text_of(ROW))
