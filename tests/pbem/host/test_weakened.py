"""Weakened builds of the host: what G4, G12, G13 and G16 promise must be seen to fail where its guard is taken away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from pbem import nightly, resolving
from pbem.ledger import letters
from pbem.ledger.tables import INBOX
from pbem.ledger.transaction import Read
from pbem.locks import NIGHT, alone
from pbem.submitting import verdict
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host
from tests.pbem.host.test_night import killed_at
from tests.pbem.host.test_submitting import waits


def test_g12_without_the_lock_two_nights_are_at_work(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def together(*_: Any, **__: Any) -> Iterator[None]:
        yield

    host.start("nim")
    monkeypatch.setattr(nightly, "alone", together)
    with alone(host.config.place, NIGHT):
        assert host.night().turns == 1


def test_g13_without_the_count_a_killer_is_tried_for_ever(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    host.start("nim")
    monkeypatch.setattr(resolving.games, "attempt", lambda tx, names: dict.fromkeys(names, 1))
    for _ in range(5):
        killed_at("attempt-counted", host.night)
    assert host.status() == "open"


def test_g4_by_the_words_alone_a_changed_mind_is_lost(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    fates, came = letters._fates, sa.select(INBOX.c.sha256, INBOX.c.message_id)

    def by_words(tx: Read, messages: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        words = {row.sha256 for row in tx.all(came)}
        return {one: "known" for one in messages if one[0] in words} | fates(tx, messages)

    monkeypatch.setattr(letters, "_fates", by_words)
    host.start("nim", heaps="3,4,5")
    first, second = host.file("1", "b3").encode(), host.file("1", "a1").encode()
    for message_id, raw in (("<1>", first), ("<2>", second), ("<3>", first)):
        with host.ledger.write() as tx:
            letters.arrive(tx, raw, NOON, "drop", message_id)
    assert [message.message_id for message in _waiting(host)] == ["<1>", "<2>"]


def _waiting(host: Host) -> list[letters.Waiting]:
    with host.ledger.read() as tx:
        return letters.waiting(tx)


def test_g16_without_the_law_a_late_order_counts(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict, "_late", lambda found, arrived: [])
    host.start("nim", heaps="3,4,5")
    assert host.order("1", "b3", at=DEADLINE + DAY).fate == "accepted"
    assert waits(host, "1") == ["b3"]
