"""Rules are asked apart: a loop in them, or a game that eats all memory, stops neither the run nor other messages."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import pytest

from engine import Refusal, load
from pbem import apart
from pbem.apart import Apart
from pbem.bounded import CPU, MEMORY, WALL, TaskDied
from pbem.ledger import letters
from tests.faults.figures import counted, so_many
from tests.pbem.correspondence.conftest import Post
from tests.pbem.host.conftest import DEADLINE
from tests.pbem.host.test_submitting import waits

ORDER = "orders:\n  - b3\nend: orders"
BID = "orders:\n  - pass\nend: orders"


def loops(*_: object, **__: object) -> object:
    while True:
        pass


def eats(*_: object, **__: object) -> object:
    return [bytearray(1 << 26) for _ in range(64)]


def falls(*_: object, **__: object) -> object:
    raise KeyError("a secret hand")


def crashes(*_: object, **__: object) -> object:
    os.kill(os.getpid(), signal.SIGSEGV)
    return None


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less patience, so that a test takes little time."""
    usual = Apart.__init__
    monkeypatch.setattr(Apart, "__init__", lambda self: usual(self, 0.3, 2))


@pytest.mark.parametrize("harm", [loops, eats, falls])
@pytest.mark.parametrize("where", ["read", "view", "moves", "pending"])
def test_a_game_that_harms_stops_only_its_own_messages(
    post: Post, harm: Any, where: str, patient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.host.start("vault", "safe")
    raws = [post.mail(BID, seat="red", name="safe"), post.mail(ORDER)]
    with monkeypatch.context() as harmed:
        harmed.setattr(type(load("vault")), where, harm)
        began = time.monotonic()
        assert post.bring(*raws) == {"waiting": 1, "accepted": 1}
        assert time.monotonic() - began < 8
        assert waits(post.host, "1") == ["b3"]
    assert post.bring(at=DEADLINE.replace(hour=13)) == {"accepted": 1}, "it is judged once the fault is mended"


HARMED = ("read", "view", "moves", "pending", "restore")
POISON = [(harm, where) for where in HARMED for harm in (loops, eats, falls, crashes)]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("harm", "where"), POISON[: so_many(4, len(POISON))], ids=lambda one: getattr(one, "__name__", one)
)
def test_one_of_a_hundred_is_set_aside_and_all_others_are_handled(
    post: Post, harm: Any, where: str, patient: None, monkeypatch: pytest.MonkeyPatch
) -> None:  # G5
    """A batch of a hundred mails with a poison in its middle, at each place where a game's rules are asked."""
    games = [f"sound-{number}" for number in range(5)]
    for name in games:
        post.host.start("nim", name, heaps="3,4,5")
    post.host.start("vault", "safe")
    mails = [post.mail(ORDER, seat=seat, name=name) for name in games for seat in "12" for _ in range(10)]
    mails[50] = poison = post.mail(BID, seat="red", name="safe")
    with monkeypatch.context() as harmed:
        harmed.setattr(type(load("vault")), where, harm)
        fates = [post.bring(*mails), post.bring(), post.bring(), post.bring()]
    assert fates == [{"accepted": 99, "waiting": 1}, {"waiting": 1}, {"quarantined": 1}, {}]
    with post.host.ledger.read() as tx:
        kept = [letters.get(tx, one.sha256) for one in letters.kept(tx)]
    assert kept == [poison]
    counted(1, "kinds of poison in a batch of 100 mails")
    counted(fates[0]["accepted"], "other mails handled at once")
    counted(len(kept), "mails kept whole after three tries")


def test_what_trips_us_three_times_is_set_aside(
    post: Post, patient: None, monkeypatch: pytest.MonkeyPatch
) -> None:  # G5
    post.host.start("vault", "safe")
    with monkeypatch.context() as harmed:
        harmed.setattr(type(load("vault")), "read", loops)
        fates = [post.bring(post.mail(BID, seat="red", name="safe"))]
        fates += [post.bring() for _ in range(3)]
    assert fates == [{"waiting": 1}, {"waiting": 1}, {"quarantined": 1}, {}]
    [*_, row] = post.rows("letter_fate", "@host")
    assert row.facts()["reason"] in {f"a fault of pbem: {kind}" for kind in (CPU, WALL)}  # on a busy machine the latter
    assert post.rows("submission", "safe") == []


def test_the_words_of_a_fault_are_kept_out_of_the_ledger(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.host.start("vault", "safe")
    monkeypatch.setattr(type(load("vault")), "read", falls)
    post.write(BID, seat="red", name="safe")
    assert not [row for row in post.rows("letter_fate", "@host") if b"secret hand" in row.body]


def test_one_warm_child_serves_all() -> None:
    with Apart() as child:
        assert child.ask(os.getpid) == child.ask(os.getpid) != os.getpid()


def test_a_game_travels_by_its_name() -> None:
    with Apart() as child:
        assert child.ask(same, load("nim")) is load("nim")
        refusal = Refusal("NIM-1", "x", "{a}", {"a": ["b"]})
        assert child.ask(same, refusal) == refusal


def same(value: object) -> object:
    return value


@pytest.mark.parametrize(("harm", "kinds", "cpu"), [(loops, {CPU, WALL}, 0.3), (eats, {MEMORY}, 20)])
def test_what_goes_beyond_its_bounds_dies_of_it(harm: Any, kinds: set[str], cpu: float) -> None:
    with Apart(cpu, 10 * cpu) as child, pytest.raises(TaskDied) as died:
        child.ask(harm)
    assert died.value.kind in kinds
    assert apart.CPU_SECONDS < apart.WALL_SECONDS < 10, "others wait ten seconds for the ledger"


def test_weakened_asked_here_what_a_game_does_it_does_to_us(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same without a child: a file of the run's own, which no child has, can be written to."""
    post.host.start("vault", "safe")
    seen = os.memfd_create("seen")
    monkeypatch.setattr(type(load("vault")), "read", lambda *_: os.write(seen, b"x") and Refusal("", "x", "x"))
    assert post.write(BID, seat="red", name="safe") == "waiting", "the child has no such file"
    assert os.fstat(seen).st_size == 0
    monkeypatch.setattr(Apart, "ask", lambda self, do, *args, **more: do(*args, **more))
    post.bring()
    assert os.fstat(seen).st_size > 0
    os.close(seen)
