"""Calls held: a program whose every system call that might change something waits until somebody has looked.

    status = held(program, look)               # look(call) before each of them, while its caller stands still

The kernel does it (a seccomp filter with a listener, Linux 5.5), for the program, its threads and all its children.
Only calls that are known to change nothing pass unseen (`HARMLESS`, and files opened to be read), so a call that nobody
thought of is held as well. What one thread changes is seen after each of its calls. Where several change the folder at
the same time, a look may meet a call of another half done, and two that were let go may both be over by the next look.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import platform
import select
import signal
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from tests.faults.forking import ended, forked, started

# Calls that change nothing that outlives a process, with their numbers on x86_64 and aarch64 (-1: there is none).
HARMLESS = {
    "read": (0, 63), "close": (3, 57), "stat": (4, -1), "fstat": (5, 80), "lstat": (6, -1), "poll": (7, -1),
    "lseek": (8, 62), "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "pread64": (17, 67),
    "readv": (19, 65), "access": (21, -1), "select": (23, -1), "sched_yield": (24, 124), "mremap": (25, 216),
    "madvise": (28, 233), "dup": (32, 23), "dup2": (33, -1), "nanosleep": (35, 101), "setitimer": (38, 103),
    "getpid": (39, 172), "socket": (41, 198), "connect": (42, 203), "recvfrom": (45, 207), "sendmsg": (46, 211),
    "recvmsg": (47, 212), "shutdown": (48, 210), "listen": (50, 201), "getsockname": (51, 204),
    "getpeername": (52, 205), "socketpair": (53, 199), "setsockopt": (54, 208), "getsockopt": (55, 209),
    "clone": (56, 220), "fork": (57, -1), "vfork": (58, -1), "exit": (60, 93), "wait4": (61, 260), "kill": (62, 129),
    "uname": (63, 160), "getcwd": (79, 17), "readlink": (89, -1), "gettimeofday": (96, 169), "getrlimit": (97, 163),
    "sysinfo": (99, 179), "getuid": (102, 174), "getgid": (104, 176), "geteuid": (107, 175), "getegid": (108, 177),
    "setpgid": (109, 154), "getppid": (110, 173), "setsid": (112, 157), "rt_sigtimedwait": (128, 137),
    "sigaltstack": (131, 132), "statfs": (137, 43), "fstatfs": (138, 44), "gettid": (186, 178), "futex": (202, 98),
    "sched_getaffinity": (204, 123), "getdents64": (217, 61), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115), "exit_group": (231, 94), "epoll_wait": (232, -1), "epoll_ctl": (233, 21),
    "tgkill": (234, 131), "newfstatat": (262, 79), "readlinkat": (267, 78), "faccessat": (269, 48),
    "pselect6": (270, 72), "ppoll": (271, 73), "set_robust_list": (273, 99), "epoll_pwait": (281, 22),
    "prctl": (157, 167), "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445), "landlock_restrict_self": (446, 446),
    "accept4": (288, 242), "eventfd2": (290, 19), "epoll_create1": (291, 20), "dup3": (292, 24), "pipe2": (293, 59),
    "prlimit64": (302, 261), "getrandom": (318, 278), "statx": (332, 291), "rseq": (334, 293), "clone3": (435, 435),
    "faccessat2": (439, 439), "epoll_pwait2": (441, 441),
}  # fmt: skip
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # which column, and the kernel's name for it
OPENAT, IOCTL, SENDTO, FCNTL = (257, 56), (16, 29), (44, 206), (72, 25)
BY_HAND = (121, 155)  # getpgid, which nobody here needs and which asks for a look

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

NO_NEW_PRIVILEGES, SECCOMP, SET_FILTER, NEW_LISTENER = 38, {"x86_64": 317, "aarch64": 277}, 1, 8
LOAD, EQUAL, ANY_BIT, ANSWER = 0x20, 0x15, 0x45, 0x06  # of the filter's small machine
PASS, HOLD = 0x7FFF0000, 0x7FC00000
NUMBER_AT, MACHINE_AT, FLAGS_AT = 0, 4, 32  # where the filter finds a call's number, its machine, its third argument

RECEIVE, SEND = 0xC0502100, 0xC0182101
HEARD, REPLY = struct.Struct("=QIIi68x"), struct.Struct("=QqiI")
GO_ON = 1


class Call(NamedTuple):
    """A call that waits: who wants to make it, and which."""

    thread: int
    number: int

    @property
    def by_hand(self) -> bool:
        """Whether it is none of the program's, but made to be looked at."""
        return [self.number] == numbers(BY_HAND)


def numbers(*calls: tuple[int, int]) -> list[int]:
    """What these calls are called on this machine."""
    return [of[MACHINES[platform.machine()][0]] for of in calls]


def look_here() -> None:
    """A call that changes nothing and is held all the same."""
    os.getpgid(0)


@cache
def possible() -> bool:
    """Whether this machine lets us hold calls."""
    if platform.system() != "Linux" or platform.machine() not in MACHINES:
        return False
    return forked(_begin_to_listen) == 0


def held(program: Callable[[], object], look: Callable[[Call], None]) -> int:
    """Runs the program in a process of its own; its exit code, or the negative number of the signal that ended it."""
    ours, theirs = socket.socketpair()
    pid = started(lambda: _handed_over(theirs, program))
    theirs.close()
    with ours:
        _, [listener], _, _ = socket.recv_fds(ours, 1, 1)
    try:
        _answer(listener, look)
    except BaseException:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        raise
    finally:
        os.close(listener)
        status = ended(pid)
    return status


def _handed_over(line: socket.socket, program: Callable[[], object]) -> None:
    listener = _begin_to_listen()
    socket.send_fds(line, [b"x"], [listener])
    os.close(listener)
    line.close()
    program()


def _answer(listener: int, look: Callable[[Call], None]) -> None:
    """Look at each call and let it go, until the program and all its children are gone."""
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    while True:
        [(_, events)] = poll.poll()
        if not events & select.POLLIN:
            return
        heard = bytearray(HEARD.size)
        try:
            fcntl.ioctl(listener, RECEIVE, heard)
        except FileNotFoundError:
            continue  # who made it has been killed meanwhile
        name, thread, _, number = HEARD.unpack(heard)
        look(Call(thread, number))
        with suppress(FileNotFoundError):
            fcntl.ioctl(listener, SEND, bytearray(REPLY.pack(name, 0, 0, GO_ON)))


# --- the filter -------------------------------------------------------------------------------------------------------


class _Step(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("with_", ctypes.c_uint32)]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("steps", ctypes.POINTER(_Step))]


def _steps() -> Iterator[tuple[int, int, int, int]]:
    """Harmless calls pass, files opened to be read pass; the rest is held."""
    column, machine = MACHINES[platform.machine()]
    yield LOAD, 0, 0, MACHINE_AT
    yield EQUAL, 1, 0, machine
    yield ANSWER, 0, 0, HOLD
    yield LOAD, 0, 0, NUMBER_AT
    for numbers in HARMLESS.values():
        if numbers[column] >= 0:
            yield EQUAL, 0, 1, numbers[column]
            yield ANSWER, 0, 0, PASS
    yield EQUAL, 0, 3, OPENAT[column]
    yield LOAD, 0, 0, FLAGS_AT
    yield ANY_BIT, 1, 0, WRITING
    yield ANSWER, 0, 0, PASS
    yield ANSWER, 0, 0, HOLD


def _begin_to_listen() -> int:
    """From here on this process's calls are held; the file by which they are heard of."""
    steps = [_Step(*step) for step in _steps()]
    program = _Program(len(steps), (_Step * len(steps))(*steps))
    system = ctypes.CDLL(None, use_errno=True)
    if system.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no new privileges")
    listener: int = system.syscall(SECCOMP[platform.machine()], SET_FILTER, NEW_LISTENER, ctypes.byref(program))
    if listener < 0:
        raise OSError(ctypes.get_errno(), "the kernel lets no calls be held here")
    return listener
