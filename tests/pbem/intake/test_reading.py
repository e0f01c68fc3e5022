"""Reading behind a wall: the same answer as without, and nothing that a file does harms the reader."""

import os
import signal
from dataclasses import replace

import pytest

from engine.refusal import Refusal
from pbem.bounded import TaskDied
from pbem.intake import reading
from pbem.intake.fields import read_form
from pbem.intake.form import Reading
from pbem.intake.limits import USUAL, Limits
from pbem.intake.problems import Problem
from pbem.intake.reading import BoundedReader
from tests.fuzz_orders import SAMPLES, fuzz, fuzz_bounded


def read_bounded(raw: bytes, limits: Limits = USUAL, **words):
    with BoundedReader(limits) as reader:
        return reader.read(raw, **words)


@pytest.mark.parametrize("raw", [*SAMPLES, b"", b"\xff\x00", b"a: *b", b"say: |\n  a\n  b"])
def test_the_child_reads_as_we_would(raw):
    for body in (False, True):
        assert read_bounded(raw, body=body) == read_form(raw, body=body)


def test_what_the_address_says_reaches_the_child():
    given = {"game": "x", "seat": "y", "turn": "3", "key": "K7Q2-9FXM"}
    form = read_bounded(b"seat: z\norders: [a]\n", given=given).form
    assert (form.game, form.seat, form.turn, form.key) == ("x", "z", 3, "K7Q2-9FXM"), "what the form says goes first"
    assert read_bounded(b"seat: z\norders: [a]\n").form is None


def test_keys_conditions_and_limits_reach_the_child():
    raw = b"game: x\nseat: y\nturn: 3\norders:\n- {if: {lucky: yes}, then: a}\nat_end: ask\n"
    words = {"game_keys": {"at_end"}, "conditions": {"lucky"}}
    limits = replace(USUAL, nodes=5)
    assert read_bounded(raw, **words) == read_form(raw, **words)
    assert read_bounded(raw, **words).problems == ()
    assert read_bounded(raw, **words, limits=limits) == read_form(raw, **words, limits=limits)
    assert [problem.why.code for problem in read_bounded(raw, limits=limits).problems] == ["nodes"]


def _loop(raw, **settings):
    while True:
        pass


def _eat(raw, **settings):
    heap = []
    while True:
        heap.append(bytes(1 << 20))


def _crash(raw, **settings):
    os.kill(os.getpid(), signal.SIGSEGV)


def _raise(raw, **settings):
    raise RuntimeError("no")


@pytest.mark.parametrize(
    ("fault", "kind"), [(_loop, "cpu"), (_eat, "memory"), (_crash, "crash"), (_raise, "exception")]
)
def test_a_file_that_breaks_the_reader_kills_a_child_and_no_more(fault, kind, monkeypatch):
    """The fault is planted in the child: it is forked while the reader's function is another."""
    limits = replace(USUAL, cpu_seconds=0.2, memory_bytes=32 << 20)
    with BoundedReader(limits) as reader:
        with monkeypatch.context() as patch:
            patch.setattr(reading, "read_form", fault)
            with pytest.raises(TaskDied) as died:
                reader.read(SAMPLES[0])
        assert died.value.kind == kind
        assert reader.read(SAMPLES[0]) == read_form(SAMPLES[0])


def test_a_share_of_the_fuzzing():
    kinds, longest = fuzz(3000, seed=7)
    assert kinds["accepted"] > 50
    assert kinds["problems"] > 150
    assert len(kinds) > 20  # many ways to go wrong were met
    assert longest < USUAL.cpu_seconds
    assert fuzz_bounded(300, seed=8) == 0


@pytest.mark.parametrize(
    "weakened",
    [
        lambda raw, **settings: Reading(None),  # an answer that is none
        lambda raw, **settings: Reading(None, (Problem(Refusal("", "x", "x")),)),  # a problem without a place
        lambda raw, **settings: raw[10**9],  # an exception
    ],
)
def test_the_fuzzing_would_notice(weakened, monkeypatch):
    monkeypatch.setattr("tests.fuzz_orders.read_form", weakened)
    with pytest.raises(AssertionError, match="of seed 7"):
        fuzz(50, seed=7)
