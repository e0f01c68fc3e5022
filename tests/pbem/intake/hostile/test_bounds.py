"""G33: whatever a message is, its reader stays within its bounds, and the one who holds the ledger never dies of it.

The usual run mutates a few thousand mails, the long one (PBEM_LONG) 100,000.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from pbem.bounded import TaskDied
from pbem.intake import reading
from pbem.intake.limits import USUAL
from pbem.intake.reading import BoundedReader
from tests.faults.figures import counted, told
from tests.pbem.intake.hostile import mutants
from tests.pbem.intake.hostile.mail_table import MAILS
from tests.pbem.intake.hostile.mails import OURS
from tests.pbem.intake.hostile.mutate import many
from tests.pbem.intake.hostile.share import share
from tests.pbem.intake.hostile.yaml_texts import YAML_TEXTS

LITTLE = 64 << 20  # bytes: a fourth of the memory a child may use


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_the_whole_corpus_needs_a_fourth_of_the_memory() -> None:
    with BoundedReader(replace(USUAL, memory_bytes=LITTLE)) as reader:
        for mail in MAILS:
            reader.read_mail(mail.raw(), ours=[OURS])
        for text in YAML_TEXTS:
            reader.read(text.raw())
    counted(len(MAILS) + len(YAML_TEXTS), "hostile mails and texts read within a fourth of the memory")


@pytest.mark.parametrize("name", ["M12-tags-for-ever", "M25-too-large", "M27-many-other-forms", "M04-only-boundaries"])
def test_a_child_that_reads_nothing_but_the_worst(name: str) -> None:
    """Nothing piles up from mail to mail, in time or in memory."""
    raw = next(mail for mail in MAILS if mail.id == name).raw()
    with BoundedReader(replace(USUAL, memory_bytes=LITTLE)) as reader:
        begun = time.monotonic()
        for _ in range(50):
            reader.read_mail(raw, ours=[OURS])
        assert time.monotonic() - begun < 50 * USUAL.wall_seconds / 5


@pytest.mark.timeout(3600)
def test_mutated_mails_kill_nobody() -> None:
    tally = mutants.run(share(100_000, 2_000), seed=33)
    assert tally.died == {}, [raw[:2000] for raw in tally.dead[:3]]
    assert len(tally.kinds) > 30, "many ways to go wrong were met"
    assert tally.slowest < USUAL.wall_seconds
    assert 0 < tally.kinds["form: read"] < sum(tally.kinds.values()) / 2
    counted(tally.kinds.total() + tally.died.total(), "mutated mails")
    counted(tally.died.total(), "children killed by one")
    told(f"{len(tally.kinds)} ways to be read; the slowest took {tally.slowest:.2f} s of wall clock")


def test_mutants_are_the_same_for_the_same_seed() -> None:
    corpus = mutants.corpus()
    assert list(many(corpus, 50, 7)) == list(many(corpus, 50, 7))
    assert list(many(corpus, 50, 7)) != list(many(corpus, 50, 8))


@pytest.mark.parametrize(
    "answer",
    [
        {"shown": "x" * 201},  # more than may be shown
        {"shown": "\x1b[2J"},  # what steers a terminal
        {"automatic": "who knows"},  # a reason there is not
    ],
)
def test_the_mutants_would_notice(answer: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    real = reading.read_mail
    monkeypatch.setattr(reading, "read_mail", lambda raw, **asked: replace(real(raw, **asked), **answer))
    with pytest.raises(AssertionError):
        mutants.run(20, seed=1)


# --- the weakened build: no wall between the reader and the ledger ----------------------------------------------------


def _crash(raw: bytes, **asked: object) -> object:
    os.kill(os.getpid(), signal.SIGSEGV)
    return None


def test_a_reader_that_crashes_is_a_child_and_the_batch_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = MAILS[0].raw()
    with BoundedReader() as reader:
        with monkeypatch.context() as patch:
            patch.setattr(reading, "read_mail", _crash)
            with pytest.raises(TaskDied):
                reader.read_mail(raw, ours=[OURS])
        assert reader.read_mail(raw, ours=[OURS]).found == "block"


def test_without_the_wall_the_same_crash_ends_the_run() -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV); print('lived')"
    died = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert died.returncode == -signal.SIGSEGV


def test_processor_time_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop is ended by the clock of the processor; the weakened build, without the limit, would run on."""

    def loop(raw: bytes, **asked: object) -> object:
        while True:
            pass

    monkeypatch.setattr(reading, "read_mail", loop)
    with BoundedReader(replace(USUAL, cpu_seconds=0.3)) as reader:
        before = cpu_of_children()
        with pytest.raises(TaskDied) as died:
            reader.read_mail(b"", ours=[OURS])
    assert died.value.kind == "cpu"
    assert cpu_of_children() - before < USUAL.cpu_seconds
    with BoundedReader(replace(USUAL, cpu_seconds=60, wall_seconds=0.5)) as reader, pytest.raises(TaskDied) as died:
        reader.read_mail(b"", ours=[OURS])
    assert died.value.kind == "wall"
