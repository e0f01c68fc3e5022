"""Bounded work: hostile or heavy tasks run in a child process that may die; the parent always gets an answer in time.

The child is forked once, with all modules warm, and serves tasks one by one over a socket. Whatever kills it (CPU,
wall clock, memory, a crash in C code, an exception) is told as TaskDied, and the next task gets a fresh child.
Start the first task before starting threads: a fork copies one thread only, and locks as they are.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import fcntl
import gc
import os
import resource
import select
import signal
import socket
import struct
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self

from pbem import confinement

Work = Callable[[bytes], bytes]

CPU, WALL, MEMORY, CRASH, EXCEPTION, ANSWER = "cpu", "wall", "memory", "crash", "exception", "answer"
HEAD = struct.Struct("!BQ")  # a kind and a length stand before what is sent either way
OK, FAILED, NO_MEMORY = 0, 1, 2
NO_MEMORY_LEFT = 97  # the exit code of a child without memory even to say so
CHANNEL = 3  # the child's one open file beside its standard ones, which lead nowhere
CHUNK = 1 << 18
YOUNG = 10_000  # objects made before one looks for circles among them: turns and mails leave hardly any
TRIM, MAPPED = -1, -3  # the names of two settings of the C library (malloc.h)
HELD, LARGE = 64 << 20, 32 << 20  # what of memory given back a child keeps; from what size on each piece is mapped
AHEAD = 4  # tasks for each child that are fetched while all are at work
DETAIL = 500  # characters of an exception's words that are passed on


class TaskDied(Exception):
    """A task that was ended, or that failed: `kind` says by what, `detail` what is known beside."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind, self.detail = kind, detail


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one task may use. A child is replaced after `tasks` of them, so that nothing a task left behind lasts."""

    cpu_seconds: float = 2
    wall_seconds: float = 5
    memory_bytes: int = 256 << 20
    files: int = 32
    answer_bytes: int = 64 << 20
    tasks: int = 1000
    confined: bool = False  # whether it gives up files, sockets and other processes (`pbem.confinement`)
    network: bool = False  # whether it may look up names all the same


class _Closing(ABC):
    """What has children and must let go of them."""

    @abstractmethod
    def close(self) -> None:
        """End the children."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class Bounded(_Closing):
    """`work`, one task after the other, each within the bounds: `with Bounded(work) as bounded: bounded(task)`."""

    def __init__(
        self,
        work: Work,
        cpu_seconds: float = 2,
        wall_seconds: float = 5,
        memory_bytes: int = 256 << 20,
        files: int = 32,
        answer_bytes: int = 64 << 20,
        *,
        confined: bool = False,
    ) -> None:
        bounds = Bounds(cpu_seconds, wall_seconds, memory_bytes, files, answer_bytes, confined=confined)
        self._worker = _Worker(work, bounds)

    def __call__(self, task: bytes) -> bytes:
        """The work's answer to the task; raises TaskDied when there is none."""
        self._worker.begin(task)
        try:
            while (answer := self._worker.pump()) is None:
                _wait([self._worker])
        except BaseException:
            self._worker.stop()  # interrupted: its answer would be taken for that of the next task
            raise
        if isinstance(answer, TaskDied):
            raise answer
        return answer

    def allow_network(self) -> None:
        """Let this and later tasks look up names. A child that may not is replaced."""
        if not self._worker.bounds.network:
            self._worker.stop()
            self._worker.bounds = replace(self._worker.bounds, network=True)

    def close(self) -> None:
        self._worker.stop()


class Pool(_Closing):
    """Several children at once for a stream of tasks."""

    def __init__(self, work: Work, size: int, bounds: Bounds) -> None:
        self._workers = [_Worker(work, bounds) for _ in range(size)]

    def map(self, tasks: Iterable[bytes]) -> Iterator[bytes | TaskDied]:
        """For each task its answer or what it died of, in the order of the tasks, a few of which are fetched ahead."""
        source = _Ahead(tasks, AHEAD * len(self._workers))
        free, busy = list(self._workers), dict[_Worker, int]()
        answers: dict[int, bytes | TaskDied] = {}
        given, more = 0, True
        try:
            while True:
                while more and free and len(busy) + len(answers) < 2 * len(self._workers):
                    more = _start(source, free, busy)
                while given in answers:
                    yield answers.pop(given)
                    given += 1
                if busy:
                    source.look_ahead()
                    _wait(busy)
                    _collect(busy, free, answers)
                elif not more:
                    return
        finally:
            for worker in busy:
                worker.stop()

    def close(self) -> None:
        for worker in self._workers:
            worker.stop()


class _Ahead:
    """Tasks, numbered, of which some are fetched while all children are at work: several in a row take less time than
    one now and then, and a child that is done need not wait until the next is found."""

    def __init__(self, tasks: Iterable[bytes], most: int) -> None:
        self._rest, self._most = enumerate(tasks), most
        self._at_hand: deque[tuple[int, bytes]] = deque()

    def next(self) -> tuple[int, bytes] | None:
        return self._at_hand.popleft() if self._at_hand else next(self._rest, None)

    def look_ahead(self) -> None:
        if not self._at_hand:
            self._at_hand.extend(islice(self._rest, self._most))


def _start(source: _Ahead, free: list[_Worker], busy: dict[_Worker, int]) -> bool:
    """Gives the next task to a free child; False when there is none."""
    found = source.next()
    if found is None:
        return False
    number, task = found
    free[-1].begin(task)
    busy[free.pop()] = number
    return True


def _collect(busy: dict[_Worker, int], free: list[_Worker], answers: dict[int, bytes | TaskDied]) -> None:
    for worker in list(busy):
        if (answer := worker.pump()) is not None:
            answers[busy.pop(worker)] = answer
            free.append(worker)


def _wait(workers: Iterable[_Worker]) -> None:
    """Until one of them can send, can be read, or has run out of time."""
    poll, patience = select.poll(), float("inf")
    for worker in workers:
        poll.register(worker.fileno(), worker.interests())
        patience = min(patience, worker.time_left())
    poll.poll(max(0, patience) * 1000 + 1)


class _Worker:
    """The parent's side: one child, at most one task in it, and nothing that could block."""

    def __init__(self, work: Work, bounds: Bounds) -> None:
        self.work, self.bounds = work, bounds
        self.pid, self.owner, self.served = 0, 0, 0
        self.socket: socket.socket | None = None
        self.outgoing, self.incoming = memoryview(b""), bytearray()
        self.room = memoryview(bytearray(CHUNK))  # where what comes in is put down first: made once, not for each part
        self.deadline = 0.0

    def begin(self, task: bytes) -> None:
        """Hands a task to the child, a fresh one where the last is dead or worn out."""
        if not self._is_fit():
            self.stop()
            self._spawn()
        self.served += 1
        self.outgoing, self.incoming = memoryview(HEAD.pack(OK, len(task)) + task), bytearray()
        self.deadline = time.monotonic() + self.bounds.wall_seconds

    def pump(self) -> bytes | TaskDied | None:
        """Sends and receives what can be without waiting: the answer, what the task died of, or None: not yet."""
        try:
            self._send()
            self._receive()
        except BlockingIOError:
            pass
        except (OSError, EOFError):
            return self._died()
        if (answer := self._answer()) is not None:
            return answer
        return self._end(WALL, f"{self.bounds.wall_seconds} s") if self.time_left() <= 0 else None

    def fileno(self) -> int:
        assert self.socket is not None
        return self.socket.fileno()

    def interests(self) -> int:
        return select.POLLIN | (select.POLLOUT if self.outgoing else 0)

    def time_left(self) -> float:
        return self.deadline - time.monotonic()

    def stop(self) -> int | None:
        """Ends the child and all it started, and leaves no zombie; its wait status, when it is ours to know."""
        if self.socket is not None:
            self.socket.close()
            self.socket = None
        pid, self.pid = self.pid, 0
        if not pid or self.owner != os.getpid():  # a copy of us in a forked process has no say over our child
            return None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        try:
            return os.waitpid(pid, 0)[1]
        except ChildProcessError:
            return None

    def _is_fit(self) -> bool:
        if not self.pid or self.owner != os.getpid() or self.served >= self.bounds.tasks:
            return False
        try:
            died, _ = os.waitpid(self.pid, os.WNOHANG)
        except ChildProcessError:
            return False
        if died:
            self.pid = 0
        return not died

    def _spawn(self) -> None:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        if self.bounds.confined:
            confinement.prepare(self.bounds.network)
        _keep_what_is_loaded()
        pid = os.fork()
        if not pid:
            _child(theirs.detach(), self.work, self.bounds)
        theirs.close()
        with contextlib.suppress(OSError):  # the child does the same: whoever comes first
            os.setpgid(pid, pid)
        self.pid, self.owner, self.served, self.socket = pid, os.getpid(), 0, ours

    def _send(self) -> None:
        assert self.socket is not None
        while self.outgoing:
            self.outgoing = self.outgoing[self.socket.send(self.outgoing[:CHUNK]) :]

    def _receive(self) -> None:
        assert self.socket is not None
        while self._wanted() > 0:
            got = self.socket.recv_into(self.room)
            if not got:
                raise EOFError
            self.incoming += self.room[:got]

    def _wanted(self) -> int:
        """How many bytes are missing; none when the answer is longer than it may be."""
        if len(self.incoming) < HEAD.size:
            return HEAD.size - len(self.incoming)
        length = HEAD.unpack_from(self.incoming)[1]
        return 0 if length > self.bounds.answer_bytes else HEAD.size + length - len(self.incoming)

    def _answer(self) -> bytes | TaskDied | None:
        if self._wanted() > 0:
            return None
        kind, length = HEAD.unpack_from(self.incoming)
        if length > self.bounds.answer_bytes:
            return self._end(ANSWER, f"{length} bytes")
        said = bytes(memoryview(self.incoming)[HEAD.size : HEAD.size + length])
        self.incoming = bytearray()
        if kind == OK:
            return said
        return self._end(MEMORY if kind == NO_MEMORY else EXCEPTION, said.decode(errors="replace"))

    def _end(self, kind: str, detail: str) -> TaskDied:
        self.stop()
        return TaskDied(kind, detail)

    def _died(self) -> TaskDied:
        """What a child that went away died of."""
        status = self.stop()
        if status is None:
            return TaskDied(CRASH, "unknown")
        code = os.waitstatus_to_exitcode(status)
        if code in (-signal.SIGPROF, -signal.SIGXCPU):
            return TaskDied(CPU, f"{self.bounds.cpu_seconds} s")
        if code == NO_MEMORY_LEFT:
            return TaskDied(MEMORY)
        return TaskDied(CRASH, signal.Signals(-code).name if code < 0 else f"exit {code}")


@cache
def _keep_what_is_loaded() -> None:
    """What is there when the first child is made stays: no collection need go through it, here or there. Once a
    process, without asking whether it was done: to count what is frozen takes longer than a fork."""
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
    gc.freeze()


# --- the child ---------------------------------------------------------------------------------------------------


def _child(channel: int, work: Work, bounds: Bounds) -> NoReturn:
    """The child's whole life. It never returns into the parent's code, and runs none of its exit handlers."""
    code = 1
    try:
        _let_go(channel)
        _limit(bounds)
        if bounds.confined:
            confinement.confine(network=bounds.network)
        _serve(socket.socket(fileno=CHANNEL), work, bounds)
        code = 0
    except MemoryError:
        code = NO_MEMORY_LEFT
    finally:
        os._exit(code)


def _let_go(channel: int) -> None:
    """Keeps nothing of the parent's: no files, signal handlers, terminal, nor garbage that could close our channel."""
    os.setpgid(0, 0)
    gc.freeze()
    _hold_on_to_memory()
    faulthandler.disable()
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGPIPE, signal.SIGXFSZ}:
        with contextlib.suppress(OSError):  # some belong to the C library
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    channel = fcntl.fcntl(channel, fcntl.F_DUPFD, CHANNEL + 1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(CHANNEL):
        os.dup2(nowhere, standard)
    os.dup2(channel, CHANNEL)
    for file in _open_files():
        if file > CHANNEL:
            with contextlib.suppress(OSError):
                os.close(file)


def _hold_on_to_memory() -> None:
    """What a task gave back is there for the next one. The C library would hand it to the system and ask for it again,
    page by page, for each turn and each mail: a turn took a thirtieth longer. A library that knows no such setting
    does as it does."""
    set_to = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_to is not None:
        set_to(TRIM, HELD)
        set_to(MAPPED, LARGE)


def _open_files() -> list[int]:
    """The numbers of the open files, or of all there could be where the system does not say."""
    try:
        return [int(name) for name in os.listdir("/proc/self/fd")]  # noqa: PTH208
    except FileNotFoundError:
        return list(range(min(os.sysconf("SC_OPEN_MAX"), 1 << 16)))


def _limit(bounds: Bounds) -> None:
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, bounds.files),
        (resource.RLIMIT_AS, _mapped_bytes() + bounds.memory_bytes),
    ):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def _mapped_bytes() -> int:
    """The address space in use already, so that a limit is one for the task and not for what we brought along."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _serve(channel: socket.socket, work: Work, bounds: Bounds) -> None:
    """Task after task, until the parent closes the line."""
    while head := _exactly(channel, HEAD.size):
        task = _exactly(channel, HEAD.unpack(head)[1])
        signal.setitimer(signal.ITIMER_PROF, bounds.cpu_seconds)  # nobody catches SIGPROF: it ends the child
        kind, answer = _do(work, task)
        signal.setitimer(signal.ITIMER_PROF, 0)
        sent = channel.sendmsg((HEAD.pack(kind, len(answer)), answer))  # at once: the parent is woken by each part
        channel.sendall(memoryview(answer)[sent - HEAD.size :])


def _do(work: Work, task: bytes) -> tuple[int, bytes]:
    try:
        answer = work(task)
        return (OK, answer) if isinstance(answer, bytes) else (FAILED, f"{type(answer)} for an answer".encode())
    except MemoryError:
        return NO_MEMORY, b""
    except BaseException as error:
        return FAILED, f"{type(error).__name__}: {error}"[:DETAIL].encode(errors="replace")


def _exactly(channel: socket.socket, length: int) -> bytes:
    """So many bytes; fewer only when the line was closed."""
    got = bytearray()
    while len(got) < length and (part := channel.recv(min(length - len(got), CHUNK))):
        got += part
    return bytes(got)
