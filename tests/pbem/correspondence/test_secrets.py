"""What a seat is answered depends on what it may know: the same mails at hosts that differ elsewhere (G26)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from pbem.correspondence import status
from pbem.ledger import outbox
from tests.faults.figures import counted
from tests.pbem.correspondence.conftest import Post

ASKED = (
    *("help", "status", "history", "report", "report 9", "withdraw", "absent 2027-01-01", "absent yesterday"),
    *("say green: psst", "say nobody: psst", "say all: hello", "resign", "address red@elsewhere.example", "Hello?"),
    *("orders:\n  - pass\nend: orders", "orders:\n  - bid 99\nend: orders", "resign safe"),
)
OTHERS = (("pass",), ("bid {card}",), ())
# The declared head of the chain, and what is made of it: ids that nobody without the chain's secret can tell apart.
MASKED = re.compile(rb"[0-9a-f]{64}|[0-9a-f]{30,32}@|=_[0-9a-f]{32}|confirm\.[0-9a-z]{16}")


def played(post: Post, orders: tuple[str, ...]) -> list[bytes]:
    """All that red is sent, in a game in which green has ordered so."""
    post.host.start("vault", "safe")
    for order in orders:
        form = f"orders:\n  - {order.format(card=card_of(post))}\nend: orders"
        assert post.write(form, seat="green", name="safe") == "accepted"
    for number, text in enumerate(ASKED):
        post.write(text, seat="red", name="safe", message_id=f"<asked{number}@players.example>")
    with post.host.ledger.read() as tx:
        raws = [outbox.raw(tx, mail.message_id) for mail in outbox.of_game(tx, "safe") if mail.seat == "red"]
    return [MASKED.sub(b"*", re.sub(rb"=\r\n", b"", raw)) for raw in raws]


def card_of(post: Post) -> int:
    """A card that green holds."""
    from engine import load

    state = load("vault").restore(post.host.row("safe").state)
    return int(max(state.player("green").hand))


def test_g26_answers_tell_nothing_of_others(make_post: Callable[..., Post]) -> None:
    first, *rest = (played(make_post(f"host{number}"), orders) for number, orders in enumerate(OTHERS))
    assert len(first) > len(ASKED)
    for other in rest:
        assert other == first
        counted(len(other), "letters to a seat, byte-equal where the others' orders differ")


def test_weakened_a_status_that_tells_who_has_answered_is_found(
    make_post: Callable[..., Post], monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine import Notice
    from pbem.ledger import queues

    lines = status.status_lines

    def telling(tx, player, apart):  # type: ignore[no-untyped-def]
        yield from lines(tx, player, apart)
        said = sorted(seat for seat, queue in queues.of_game(tx, "safe").items() if queue.body and seat != "red")
        yield Notice("", "x", "Orders are here of {said}.", {"said": said})

    monkeypatch.setattr(status, "status_lines", telling)
    with_orders, without = (played(make_post(f"host{n}"), orders) for n, orders in enumerate((("pass",), ())))
    assert with_orders != without
