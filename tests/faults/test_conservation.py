"""G3 and G4: what came in is accounted for to the last message, however often and by whatever route it came."""

from __future__ import annotations

import os
import random
from collections import Counter, defaultdict
from collections.abc import Callable

import pytest

from pbem import faults, messages
from pbem.arriving.message import arrived_by
from pbem.arriving.storing import store
from pbem.ledger import Ledger, journal, letters
from pbem.ledger.chain import HOST
from pbem.messages import settle_waiting
from tests.faults.figures import told
from tests.pbem.correspondence.conftest import Post, make_host, make_post, post
from tests.pbem.host.conftest import NOON

__all__ = ["make_host", "make_post", "post"]
LONG = "PBEM_LONG" in os.environ
ROUTES = ("mail", "maildir", "imap", "lmtp", "drop", "submit")
TIMES = range(2, 51) if LONG else (2, 3, 5, 8, 13, 21, 34, 50)
FATES = (letters.ACCEPTED, letters.REFUSED, letters.IGNORED, letters.QUARANTINED)
POINTS = ("message-read", "message-settled")


def batch(post: Post) -> list[bytes]:
    """One mail of each kind there is: good, wrong, from a robot, without a key, garbled, nobody's."""
    host = post.host
    good, wrong = host.file("1", "b3"), host.file("1", "zz")
    return [
        post.mail(good),
        post.mail(wrong),
        post.mail(good, more="Auto-Submitted: auto-replied"),
        post.mail(good.replace(host.key("1"), "AAAA-AAAA"), to="orders@localhost"),
        post.mail("status"),
        post.mail("\x00\x01 nothing"),
        b"",
        b"\xff\xfe no mail at all",
    ]


def accounted(ledger: Ledger) -> tuple[int, Counter[str]]:
    """How many messages came, by the journal, and how many had which fate."""
    with ledger.read() as tx:
        came = {(row.facts()["message_id"], row.facts()["sha256"]) for row in journal.rows(tx, HOST, kinds=("letter",))}
        return len(came), Counter(letters.counts(tx))


def balances(ledger: Ledger) -> bool:
    came, fates = accounted(ledger)
    return came == sum(fates[fate] for fate in FATES) == sum(fates.values())


def bring(post: Post, raws: list[bytes], route: str) -> None:
    store(post.host.ledger, [arrived_by(raw, NOON) for raw in raws], route)


def judge(post: Post) -> None:
    settle_waiting(post.host.config, post.host.ledger, NOON)


def test_g3_what_came_in_has_a_fate(post: Post) -> None:
    raws = batch(post)
    bring(post, raws, "lmtp")
    judge(post)
    came, fates = accounted(post.host.ledger)
    assert came == len(raws)
    assert {fate for fate in FATES if fates[fate]} == set(FATES)  # all four kinds are among them
    assert balances(post.host.ledger)


@pytest.mark.parametrize("point", POINTS)
def test_g3_it_balances_whenever_the_run_dies(post: Post, point: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed at the n-th passing of a point, for every n, and run again; two messages are judged at a time."""
    monkeypatch.setattr(messages, "TOGETHER", 2)
    raws = batch(post)
    bring(post, raws, "lmtp")
    kills = 0
    while True:
        try:
            with dying(point, kills + 1):
                judge(post)
            break
        except KeyboardInterrupt:
            kills += 1
        came, fates = accounted(post.host.ledger)
        assert came == sum(fates.values()) == len(raws)
    assert balances(post.host.ledger)
    assert kills >= 3
    told(f"{kills} kills at {point}, all {len(raws)} messages accounted for")


class dying:
    """The run dies at that passing of the point."""

    def __init__(self, point: str, passing: int) -> None:
        self.point, self.left = point, passing

    def __enter__(self) -> None:
        faults.arm(self._pass)

    def __exit__(self, *_: object) -> None:
        faults.arm(None)

    def _pass(self, point: str) -> None:
        self.left -= point == self.point
        if not self.left:
            raise KeyboardInterrupt(point)


@pytest.mark.timeout(0 if LONG else 300)
def test_g4_the_same_message_so_many_times_by_any_route_is_one(make_post: Callable[..., Post]) -> None:
    luck, deliveries = random.Random(4), 0
    posts = defaultdict[int, Post](lambda: make_post(f"host-{len(posts)}"))
    for number, count in enumerate(TIMES):
        game, post = f"so-often-{count}", posts[number // 10]  # who writes more on a day gets no answers
        post.host.start("nim", game, heaps="3,4,5")
        before = receipts(post)
        raw = post.mail(post.host.file("1", "b3", name=game), message_id=f"<{count}@players.example>", name=game)
        for _ in range(count):
            bring(post, [raw] * luck.randint(1, 3), luck.choice(ROUTES))
            if luck.random() < 0.5:
                judge(post)
            deliveries += 1
        judge(post)
        assert len(post.rows("submission", game)) == 1
        assert receipts(post) == before + 1
        assert balances(post.host.ledger)
    told(f"n = 2 to 50 by {len(ROUTES)} routes, {deliveries:,} deliveries, 0 doubles")


def receipts(post: Post) -> int:
    kinds = [str(mail["X-Pbem-Kind"]) for mail in post.sent("1@players.example")]
    return [kind.partition("-")[0] for kind in kinds].count("receipt")


def test_g3_weakened_a_message_without_a_fate_is_missed(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: a build that answers robots by saying nothing and writing nothing down."""
    settle = letters.settle

    def forgetful(tx: object, sha256: str, message_id: str, fate: str, *more: object) -> None:
        if fate != letters.IGNORED:
            settle(tx, sha256, message_id, fate, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(letters, "settle", forgetful)
    bring(post, batch(post), "lmtp")
    judge(post)
    assert not balances(post.host.ledger)


def test_g3_weakened_a_message_counted_twice_is_seen(post: Post) -> None:
    """Seen red: another id for each delivery of the same mail."""
    raw = post.mail(post.host.file("1", "b3"))
    for number in range(3):
        with post.host.ledger.write() as tx:
            letters.arrive(tx, raw, NOON, "lmtp", f"<delivery-{number}@here>")
    judge(post)
    assert len(post.rows("submission")) == 3
