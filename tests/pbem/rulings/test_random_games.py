"""Random games taken back at random moments: whatever the detours, each decision stands as it stood the first time."""

from __future__ import annotations

import os
import random
from datetime import timedelta

import pytest

from engine import Dice, load
from pbem.agreed.consenting import agreed
from pbem.audit.book import of_ledger
from pbem.audit.export import export
from pbem.audit.exported import ExportBook
from pbem.audit.recompute import replay
from pbem.audit.verify import verify
from pbem.game.hosting import game_named
from pbem.ledger import journal
from pbem.ledger.dump import canonical_dump
from pbem.ledger.rebuild import rebuild
from tests.pbem.correspondence.conftest import Post
from tests.pbem.host.conftest import DAY, DEADLINE, Host

LONG = "PBEM_LONG" in os.environ
SEEDS = range(60 if LONG else 3)
STEPS = 60 if LONG else 10


def choose(host: Host, seed: int, turn: int, seat: str, name: str) -> str:
    """The order of a seat at a decision: by nothing but the seed, so that a decision made again is made the same."""
    row = host.row(name)
    rules = load(row.rules)
    moves = [str(move) for _, move in zip(range(40), rules.moves(rules.restore(row.state), seat), strict=False)]
    return moves[Dice(f"{seed}/{turn}/{seat}".encode()).pick(len(moves), "order")]


def all_agree(host: Host, name: str, turn: int, at) -> None:
    for seat in sorted(host.row(name).seats):
        with host.ledger.write() as tx:
            agreed(tx, host.config, game_named(tx, name), seat, "take-back", turn, at, {})


def asked(host: Host, name: str) -> list[int]:
    """The decisions before the open one that somebody was asked."""
    with host.ledger.read() as tx:
        turns = range(1, host.row(name).turn)
        rows = {turn: journal.turn(tx, name, turn - 1) for turn in turns}
    return [turn for turn, row in rows.items() if row is not None and "deadline_at" in row.facts()]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("rules", "options"), [("nim", {"heaps": "9,9,9"}), ("vault", {"rounds": "5"})])
def test_a_decision_stands_as_it_stood(post: Post, tmp_path, seed: int, rules: str, options: dict[str, str]) -> None:
    host, luck, at = post.host, random.Random(f"{rules}{seed}"), DEADLINE - timedelta(hours=1)
    host.start(rules, "random", **options)
    stood: dict[int, object] = {}
    backs = 0
    for _ in range(STEPS):
        row = host.row("random")
        if row.status != "open":
            break
        assert stood.setdefault(row.turn, row.state) == row.state, "the decision is another one than the first time"
        ways = asked(host, "random")
        if ways and luck.random() < 0.3:
            turn = luck.choice(ways)
            all_agree(host, "random", turn, at)
            assert host.row("random").turn == turn
            backs += 1
            continue
        for seat in row.pending:
            host.order(seat, choose(host, seed, row.turn, seat, "random"), at=at, name="random")
        host.night(at + timedelta(hours=1))
        at += DAY
    true(host, tmp_path, backs)


def true(host: Host, tmp_path, backs: int) -> None:
    """By every way there is to look at it."""
    with of_ledger(host.ledger, "random") as book:
        verdict = verify(book)
        assert verdict.ok, verdict.fault
        assert len(list(book.lines(("taken_back",)))) == backs
        assert len(list(replay(book))) == verdict.turns
        export(book, tmp_path / "random.zip", referee=True)
    assert verify(ExportBook(tmp_path / "random.zip")).ok
    before = canonical_dump(host.ledger)
    rebuild(host.ledger)
    assert canonical_dump(host.ledger) == before


def test_weakened_a_take_back_that_keeps_the_queues_is_seen(post: Post, tmp_path, monkeypatch) -> None:
    """The property bites: with a state that is not the one that stood, verify says so."""
    from pbem.agreed import taking_back

    real = taking_back._body
    monkeypatch.setattr(
        taking_back, "_body", lambda row, opened, asked, waits: {**real(row, opened, asked, waits), "from": 99}
    )
    post.host.start("nim", "random", heaps="9,9,9")
    for number in range(3):
        post.host.night(DEADLINE + number * DAY)
    all_agree(post.host, "random", 1, DEADLINE + 3 * DAY)
    with pytest.raises(AssertionError, match="takes back what stands at turn 4"):
        true(post.host, tmp_path, 1)
