"""Bounded work: whatever a task does, the parent gets an answer in time, and the next task a fresh child."""

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pbem.bounded import AHEAD, CHANNEL, Bounded, Bounds, Pool, TaskDied

MIB = 1 << 20
STATE = {"tasks": 0}


def work(task: bytes) -> bytes:
    """One word says what the task does to its process."""
    word, _, rest = task.partition(b" ")
    return TASKS[word.decode()](rest)


def _loop(rest):
    while True:
        pass


def _sleep(rest):
    signal.pause()
    return b""


def _eat(rest):
    return bytes(len(bytearray(int(rest) * MIB)) - int(rest) * MIB)


def _eat_bit_by_bit(rest):
    heap = []
    while True:
        heap.append("x" * 10_000 + str(len(heap)))


def _segfault(rest):
    return ctypes.string_at(0)


def _raise(rest):
    raise ValueError(rest.decode())


def _recurse(rest):
    return _recurse(rest)


def _count(rest):
    STATE["tasks"] += 1
    return str(STATE["tasks"]).encode()


def _files(rest):
    return " ".join(sorted(os.listdir("/proc/self/fd"))).encode()  # noqa: PTH208


def _open_many(rest):
    return str(len([os.open("/dev/null", os.O_RDONLY) for _ in range(int(rest))])).encode()


def _pages(rest):
    """How many pages the system had to hand out for letters of this turn's size."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    assert len([bytes(200_000) for _ in range(40)]) == 40
    return str(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before).encode()


def _fork_and_stay(rest):
    if not (pid := os.fork()):
        with contextlib.suppress(BaseException):
            _sleep(b"")
        os._exit(0)
    Path(rest.decode()).exists()
    return str(pid).encode()


def _deaf(rest):
    os.close(CHANNEL)
    _sleep(b"")


def _lie(rest):
    os.write(CHANNEL, b"\0" + b"\xff" * 8)
    _sleep(b"")


TASKS = {
    "echo": lambda rest: rest,
    "loop": _loop,
    "sleep": _sleep,
    "eat": _eat,
    "nibble": _eat_bit_by_bit,
    "segfault": _segfault,
    "raise": _raise,
    "recurse": _recurse,
    "exit": lambda rest: sys.exit(3),
    "vanish": lambda rest: os._exit(0),
    "kill": lambda rest: os.kill(os.getpid(), signal.SIGKILL),
    "huge": lambda rest: bytes(int(rest) * MIB),
    "text": lambda rest: "text",
    "pid": lambda rest: str(os.getpid()).encode(),
    "count": _count,
    "files": _files,
    "open": _open_many,
    "fork": _fork_and_stay,
    "deaf": _deaf,
    "lie": _lie,
    "pages": _pages,
}


@pytest.fixture
def bounded():
    with Bounded(work, cpu_seconds=0.3, wall_seconds=5, memory_bytes=64 * MIB) as found:
        yield found


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_task_is_answered(bounded):
    assert bounded(b"echo hello") == b"hello"
    assert bounded(b"echo ") == b""
    assert bounded(b"echo " + bytes(3 * MIB)) == bytes(3 * MIB)


@pytest.mark.parametrize(
    ("task", "kind", "detail"),
    [
        (b"loop", "cpu", "0.3 s"),
        (b"eat 200", "memory", ""),
        (b"nibble", "memory", ""),
        (b"segfault", "crash", "SIGSEGV"),
        (b"kill", "crash", "SIGKILL"),
        (b"vanish", "crash", "exit 0"),
        (b"raise it broke", "exception", "ValueError: it broke"),
        (b"raise " + b"x" * 5000, "exception", "ValueError: " + "x" * 488),
        (b"exit", "exception", "SystemExit: 3"),
        (b"recurse", "exception", None),
        (b"text", "exception", "<class 'str'> for an answer"),
        (b"open 40", "exception", None),
        (b"nonsense", "exception", "KeyError: 'nonsense'"),
        (b"deaf", "crash", "SIGKILL"),
        (b"lie", "answer", f"{(1 << 64) - 1} bytes"),
        (b"huge 200", "memory", ""),
    ],
)
def test_a_task_that_dies_is_told_and_the_next_is_served(bounded, task, kind, detail):
    first = bounded(b"pid")
    with pytest.raises(TaskDied) as died:
        bounded(task)
    assert died.value.kind == kind
    assert detail is None or died.value.detail == detail
    second = bounded(b"pid")
    assert second != first
    assert not is_alive(int(first))


def test_a_task_that_waits_is_ended_by_the_wall_clock():
    with Bounded(work, wall_seconds=0.2) as bounded:
        begun = time.monotonic()
        with pytest.raises(TaskDied) as died:
            bounded(b"sleep")
        assert (died.value.kind, str(died.value)) == ("wall", "wall: 0.2 s")
        assert time.monotonic() - begun < 2
        assert bounded(b"echo x") == b"x"


def test_an_answer_may_be_large_but_not_larger_than_said():
    with Bounded(work, memory_bytes=256 * MIB, answer_bytes=20 * MIB) as bounded:
        assert len(bounded(b"huge 20")) == 20 * MIB
        with pytest.raises(TaskDied) as died:
            bounded(b"huge 21")
        assert died.value.kind == "answer"


def test_memory_is_limited_beyond_what_was_there_before():
    """The child shares what the parent has mapped; the limit counts only what the task adds."""
    mapped = bytes(300 * MIB)
    with Bounded(work, memory_bytes=64 * MIB) as bounded:
        assert bounded(b"eat 40") == b""
    assert len(mapped) > 0


def test_the_cpu_limit_is_for_each_task_and_not_for_all():
    with Bounded(_busy, cpu_seconds=0.2) as bounded:
        for _ in range(5):
            assert bounded(b"") == b"done"


def _busy(task):
    end = time.process_time() + 0.08
    while time.process_time() < end:
        pass
    return b"done"


def test_the_child_holds_none_of_our_files(bounded, tmp_path):
    with (tmp_path / "ours").open("w") as ours:
        assert ours.fileno() > 2
        listed = bounded(b"files").split()
    assert listed[:4] == [b"0", b"1", b"2", b"3"]
    assert len(listed) == 5  # the fifth is the listing itself


def test_a_fresh_child_knows_nothing_of_the_dead_one(bounded):
    assert [bounded(b"count"), bounded(b"count")] == [b"1", b"2"]
    with pytest.raises(TaskDied):
        bounded(b"segfault")
    assert bounded(b"count") == b"1"
    assert STATE["tasks"] == 0


def test_what_a_task_gave_back_is_there_for_the_next_one(bounded):
    first, again = int(bounded(b"pages")), int(bounded(b"pages"))
    assert again < first / 2, "eight million bytes were given back to the system and asked for again"


def test_a_child_is_replaced_when_it_is_worn_out():
    with Pool(work, 1, Bounds(tasks=3)) as pool:
        assert list(pool.map([b"count"] * 7)) == [b"1", b"2", b"3", b"1", b"2", b"3", b"1"]


def test_a_child_killed_between_two_tasks_is_replaced(bounded):
    pid = int(bounded(b"pid"))
    os.kill(pid, signal.SIGKILL)
    while is_alive(pid):
        time.sleep(0.01)
    assert bounded(b"echo x") == b"x"


def test_what_a_task_left_running_ends_with_its_child():
    with Bounded(work) as bounded:
        grandchild = int(bounded(b"fork ."))
        assert is_alive(grandchild)
    end = time.monotonic() + 5
    while is_alive(grandchild) and time.monotonic() < end:
        time.sleep(0.01)
    assert not is_alive(grandchild)


def test_no_zombie_and_no_open_file_is_left():
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with Bounded(work) as bounded:
        pids = [int(bounded(b"pid"))]
        with pytest.raises(TaskDied):
            bounded(b"vanish")
        pids.append(int(bounded(b"pid")))
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_an_interrupted_task_leaves_no_answer_for_the_next_one(bounded, monkeypatch):
    def interrupt(workers):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("pbem.bounded._wait", interrupt)
        with pytest.raises(KeyboardInterrupt):
            bounded(b"echo first")
    assert bounded(b"echo second") == b"second"


def test_a_forked_copy_of_the_parent_has_children_of_its_own(bounded):
    ours = bounded(b"pid")
    read, write = os.pipe()
    if not (pid := os.fork()):
        with contextlib.suppress(BaseException):
            os.write(write, bounded(b"pid"))
            bounded.close()
        os._exit(0)
    os.waitpid(pid, 0)
    assert os.read(read, 100) not in (b"", ours)
    assert bounded(b"pid") == ours
    os.close(read)
    os.close(write)


def test_a_parent_that_is_killed_leaves_no_child():
    code = (
        "import os, sys; sys.path.insert(0, '.'); from tests.pbem.test_bounded import work; "
        "from pbem.bounded import Bounded; b = Bounded(work); print(b(b'pid').decode(), flush=True); "
        "os.kill(os.getpid(), 9)"
    )
    out = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=False)
    pid = int(out.stdout)
    end = time.monotonic() + 5
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.01)
    assert not is_alive(pid)


def test_limits_do_not_reach_the_parent(bounded):
    before = [resource.getrlimit(what) for what in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE)]
    bounded(b"echo x")
    after = [resource.getrlimit(what) for what in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE)]
    assert after == before
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


# --- several at once ---------------------------------------------------------------------------------------------


def test_a_pool_answers_in_the_order_of_the_tasks():
    tasks = [f"echo {n}".encode() for n in range(200)]
    with Pool(work, 3, Bounds()) as pool:
        assert list(pool.map(tasks)) == [str(n).encode() for n in range(200)]
        assert list(pool.map([])) == []


def test_a_dead_task_is_one_answer_among_the_others():
    tasks = [b"echo a", b"segfault", b"sleep", b"echo b", b"raise x", b"echo c"]
    with Pool(work, 2, Bounds(wall_seconds=0.3)) as pool:
        found = [answer.kind if isinstance(answer, TaskDied) else answer for answer in pool.map(tasks)]
    assert found == [b"a", "crash", "wall", b"b", "exception", b"c"]


def test_slow_tasks_run_beside_each_other_and_few_are_fetched_ahead():
    fetched = []

    def tasks():
        for n in range(40):
            fetched.append(n)
            yield b"echo"

    with Pool(work, 2, Bounds()) as pool:
        assert next(pool.map(tasks())) == b""
        assert 2 < len(fetched) <= 4 + 2 * AHEAD
    with Pool(work, 4, Bounds(wall_seconds=1)) as pool:
        begun = time.monotonic()
        assert [answer.kind for answer in pool.map([b"sleep"] * 4)] == ["wall"] * 4
        assert time.monotonic() - begun < 3, "one after another they would take four times as long as one may"


def test_a_pool_left_in_the_middle_can_be_used_again():
    with Pool(work, 2, Bounds()) as pool:
        assert next(iter(pool.map([b"echo a", b"echo b", b"echo c"]))) == b"a"
        assert list(pool.map([b"echo d"])) == [b"d"]


def test_a_thousand_quick_tasks():
    with Bounded(work) as bounded:
        begun = time.monotonic()
        for n in range(1000):
            assert bounded(b"echo %d" % n) == b"%d" % n
        rate = 1000 / (time.monotonic() - begun)
    assert rate > 500  # some 15,000 on the machine this was written on
    print(f"{rate:.0f} tasks/s")  # noqa: T201


def test_threads_may_have_one_each():
    answers = []

    def serve(bounded):
        answers.extend(bounded(b"echo x") for _ in range(50))

    with Bounded(work) as one, Bounded(work) as two:
        assert one(b"echo") == two(b"echo") == b""  # both children are there before the first thread
        threads = [threading.Thread(target=serve, args=(bounded,)) for bounded in (one, two)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == [b"x"] * 100
