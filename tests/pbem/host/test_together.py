"""Messages that wait together are judged in one transaction, which comes to what each by itself does (G1, G3, G4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from pbem import messages
from pbem.arriving.message import arrived_by
from pbem.arriving.storing import store
from pbem.ledger import Ledger, letters
from pbem.ledger.connect import WRITING
from pbem.ledger.dump import canonical_dump
from pbem.ledger.transaction import Write
from pbem.messages import settle_waiting
from tests.pbem.correspondence.conftest import Post
from tests.pbem.host.conftest import NOON, Host

Hosts = Callable[..., Host]


def waiting(host: Host) -> Host:
    """Files and mails of two games that wait: good, wrong, twice the same, without a key, for nobody, of a robot."""
    host.start("nim", heaps="3,4,5")
    host.start("vault", "other")
    post = Post(host)
    mail = post.mail(host.file("1", "a1"), message_id="<one@players.example>")
    files = [
        host.file("1", "b3"),
        host.file("red", "pass", name="other"),
        host.file("1", "zz"),
        host.file("1", "b3", key="AAAA-AAAA"),
        "nothing",
        host.file("green", "pass", name="other"),
    ]
    with host.ledger.write() as tx:
        for number, text in enumerate(files):
            letters.arrive(tx, text.encode(), NOON, "drop", f"drop:{number}")
    again = b"Received: from elsewhere\r\n" + mail
    raws = [mail, post.mail("status"), post.mail(host.file("1", "b2"), more="Auto-Submitted: auto-replied"), again]
    for raw in raws:
        with host.ledger.write() as tx:
            arrived = arrived_by(raw, NOON)
            letters.arrive(tx, raw, NOON, "lmtp", arrived.message_id)
    return host


def judge(host: Host) -> dict[str, int]:
    return settle_waiting(host.config, host.ledger, NOON)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, there is time for all of them."""
    monkeypatch.setattr(messages, "HELD", 60)


@pytest.fixture
def alone(make_host: Hosts) -> bytes:
    """What it comes to when each message is judged in a transaction of its own."""
    host = waiting(make_host("alone"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(messages, "TOGETHER", 1)
        judge(host)
    return canonical_dump(host.ledger)


def commits(host: Host) -> list[str]:
    """Each transaction that writes, from now on."""
    found: list[str] = []

    def begun(connection: sa.Connection) -> None:
        if connection.info[WRITING]:
            found.append("committed")

    sa.event.listen(host.ledger._engine, "commit", begun)
    return found


def test_together_it_is_one_transaction_and_the_same_bytes(make_host: Hosts, alone: bytes) -> None:
    host = waiting(make_host("together"))
    seen = commits(host)
    assert sum(judge(host).values()) == 10
    assert len(seen) == 1
    assert canonical_dump(host.ledger) == alone


def test_when_there_is_no_time_each_is_judged_by_itself(
    make_host: Hosts, alone: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "HELD", 0)
    host = waiting(make_host("slow"))
    seen = commits(host)
    assert sum(judge(host).values()) == 10
    assert len(seen) >= 10
    assert canonical_dump(host.ledger) == alone


def test_what_trips_one_is_written_for_none_and_each_is_judged_by_itself(
    make_host: Hosts, alone: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault that comes once: the transaction of all is undone, and nothing of it is left."""
    host = waiting(make_host("tripped"))
    once(monkeypatch, 5, KeyError("a planted fault"))
    seen = commits(host)
    judge(host)
    assert len(seen) == 10
    assert canonical_dump(host.ledger) == alone


@pytest.mark.parametrize("number", range(1, 11))
def test_a_run_killed_among_them_comes_to_the_same(
    make_host: Hosts, alone: bytes, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    host = killed_among_them(waiting(make_host("killed")), number, monkeypatch)
    with host.ledger.read() as tx:
        assert letters.counts(tx) == {"waiting": 10}, "all of them, or none"
    judge(host)
    assert canonical_dump(host.ledger) == alone


def test_weakened_what_is_written_before_its_fate_counts_twice(
    make_host: Hosts, alone: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build that keeps what was written so far when it is killed in the middle of it."""
    host = waiting(make_host("killed"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Ledger, "write", _kept_when_killed(Ledger.write))
        killed_among_them(host, 3, monkeypatch)
    judge(host)
    assert canonical_dump(host.ledger) != alone


def killed_among_them(host: Host, number: int, monkeypatch: pytest.MonkeyPatch) -> Host:
    """Killed when the fate of that message is to be written."""
    once(monkeypatch, number, KeyboardInterrupt("killed"))
    with pytest.raises(KeyboardInterrupt, match="killed"):
        judge(host)
    return host


def once(monkeypatch: pytest.MonkeyPatch, number: int, error: BaseException) -> None:
    """That happens when the fate of the message of that number is to be written, and never again."""
    original, left = letters.settle, [number]

    def settle(tx: Write, *args: object, **more: object) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise error
        original(tx, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(letters, "settle", settle)


def _kept_when_killed(original: Callable[..., object]) -> Callable[..., object]:
    @contextmanager
    def write(ledger: Ledger) -> Iterator[Write]:
        killed = None
        with original(ledger) as tx:  # type: ignore[attr-defined]
            try:
                yield tx
            except KeyboardInterrupt as error:
                killed = error
        if killed is not None:
            raise killed

    return write


# --- storing ----------------------------------------------------------------------------------------------------------


def test_messages_stored_together_are_those_stored_one_by_one(make_host: Hosts) -> None:  # G4
    one, all_of_them = make_host("one"), make_host("all")
    raw = b"Message-ID: <a@x>\r\n\r\nfirst\r\n"
    raws = [raw, raw.replace(b"first", b"second"), raw, b"Received: by y\r\n" + raw, b"", b"", b"no id\r\n\r\nx\r\n"]
    arrived = [arrived_by(one, NOON) for one in raws]
    told = [store(one.ledger, [message], "lmtp")[0] for message in arrived]
    assert store(all_of_them.ledger, arrived, "lmtp") == told
    assert [arrival.new for arrival in told] == [True, True, False, False, True, False, True]
    assert canonical_dump(one.ledger) == canonical_dump(all_of_them.ledger)
