"""Confinement: a process gives up, for good, what it does not need, so that no code it is tricked into can use it.

Linux alone knows the two means. Landlock (5.13) leaves it the files of the Python installation to read, and nothing
else. A seccomp filter takes away sockets, new programs, other processes and every change to a file. What a kernel
lacks is left out: `confine` returns what holds.
"""

from __future__ import annotations

import ctypes
import os
import platform
import socket
import struct
import sys
import sysconfig
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import Any

LANDLOCK, SECCOMP = "landlock", "seccomp"

# --- numbers of Linux -------------------------------------------------------------------------------------------------

NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER_MODE = 38, 22, 2  # prctl
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every machine
ASK_VERSION, PATH_BENEATH = 1, 1
READ_FILE, READ_DIR = 1 << 2, 1 << 3
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}  # from which version on Landlock handles so many rights
TCP_RIGHTS, OUTSIDE_SCOPE = 0b11, 0b11  # from versions 4 and 6 on: bind and connect; abstract sockets and signals

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # which column below, and the kernel's own name
OTHER_CALLS = 0x40000000  # of x86_64: the calls of x32
LOAD, EQUAL, AT_LEAST, ANY_BIT, ANSWER = 0x20, 0x15, 0x35, 0x45, 0x06  # of the filter's small machine
PASS, NOT_PERMITTED, NO_SUCH_CALL = 0x7FFF0000, 0x00050001, 0x00050026
NUMBER_AT, MACHINE_AT, FIRST_AT, SECOND_AT, THIRD_AT = 0, 4, 16, 24, 32  # where the filter finds them
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
THREAD = 0x10000  # of clone: a thread, not a process

# The numbers on x86_64 and aarch64 (-1: there is no such call).
NETWORK = {
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201), "accept": (43, 202),
    "accept4": (288, 242),
}  # fmt: skip
DENIED = {
    "execve": (59, 221), "execveat": (322, 281), "fork": (57, -1), "vfork": (58, -1), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438),
    "creat": (85, -1), "unlink": (87, -1), "unlinkat": (263, 35), "rename": (82, -1), "renameat": (264, 38),
    "renameat2": (316, 276), "mkdir": (83, -1), "mkdirat": (258, 34), "rmdir": (84, -1), "link": (86, -1),
    "linkat": (265, 37), "symlink": (88, -1), "symlinkat": (266, 36), "mknod": (133, -1), "mknodat": (259, 33),
    "chmod": (90, -1), "fchmod": (91, 52), "fchmodat": (268, 53), "chown": (92, -1), "fchown": (93, 55),
    "lchown": (94, -1), "fchownat": (260, 54), "truncate": (76, 45), "utime": (132, -1), "utimes": (235, -1),
    "futimesat": (261, -1), "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "setns": (308, 268),
    "unshare": (272, 97), "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "bpf": (321, 280),
    "perf_event_open": (298, 241), "io_uring_setup": (425, 425), "userfaultfd": (323, 282),
    "open_by_handle_at": (304, 265), "memfd_create": (319, 279), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "kexec_load": (246, 104), "reboot": (169, 142), "swapon": (167, 224),
    "swapoff": (168, 225), "settimeofday": (164, 170), "clock_settime": (227, 112), "acct": (163, 89),
    "quotactl": (179, 60), "personality": (135, 92),
}  # fmt: skip
UNKNOWN = {"openat2": (437, 437), "clone3": (435, 435)}  # "no such call": callers fall back to one that we can judge
OPEN, OPENAT, CLONE = (2, -1), (257, 56), (56, 220)
FOR_NAMES = ("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/run/systemd/resolve")  # with the network


def confine(*, network: bool = False) -> tuple[str, ...]:
    """Give up all that reading a text does not need, and return which means this machine has. Never undone.

    With `network` the process may still look up names, as checking a DKIM signature does.
    """
    libc = _libc()
    if not sys.platform.startswith("linux") or libc is None:
        return ()
    if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return ()
    held = []
    if _keep_to_files(libc, _readable(network), network):
        held.append(LANDLOCK)
    if _filter_calls(libc, network):
        held.append(SECCOMP)
    return tuple(held)


def prepare(network: bool) -> None:
    """Work out before a fork what each child would work out again."""
    _libc()
    _readable(network)
    filter_program(network)


@cache
def _libc() -> Any:
    with suppress(OSError):
        return ctypes.CDLL(None, use_errno=True)
    return None


@cache
def _readable(network: bool) -> tuple[str, ...]:
    """Return what Python may have to read while it works: its own library, and that of packages.

    The folder that `python -m` adds to its path is that of the host; it counts only where we ourselves lie in it.
    """
    here = os.getcwd()  # noqa: PTH109
    with_us = os.path.isdir(os.path.join(here, "pbem"))  # noqa: PTH112, PTH118
    paths = {path for path in sys.path if path and (path != here or with_us)} | {
        sysconfig.get_path(name) for name in ("stdlib", "platstdlib")
    }
    shared = {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", sysconfig.get_config_var("LIBDIR")}
    found = {os.path.realpath(path) for path in paths | shared if path}
    return tuple(sorted(found | set(FOR_NAMES if network else ())))


# --- Landlock ---------------------------------------------------------------------------------------------------------


def _keep_to_files(libc: Any, readable: Iterable[str], network: bool) -> bool:
    version = libc.syscall(CREATE_RULESET, None, 0, ASK_VERSION)
    if version < 1:
        return False
    rights = max(count for least, count in FILE_RIGHTS.items() if least <= version)
    tcp = TCP_RIGHTS if version >= 4 and not network else 0
    asked = struct.pack("=QQQ", (1 << rights) - 1, tcp, OUTSIDE_SCOPE if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = libc.syscall(CREATE_RULESET, asked, ctypes.c_size_t(size), 0)
    if rules < 0:
        return False
    try:
        for path in readable:
            _allow(libc, rules, path)
        return bool(libc.syscall(RESTRICT_SELF, rules, 0) == 0)
    finally:
        os.close(rules)


def _allow(libc: Any, rules: int, path: str) -> None:
    """Let what lies there be read; a path that is not there is passed over."""
    with suppress(OSError):
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rights = READ_FILE | READ_DIR if os.path.isdir(path) else READ_FILE  # noqa: PTH112
            libc.syscall(ADD_RULE, rules, PATH_BENEATH, struct.pack("=Qi", rights, handle), 0)
        finally:
            os.close(handle)


# --- seccomp ----------------------------------------------------------------------------------------------------------


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def _filter_calls(libc: Any, network: bool) -> bool:
    program = filter_program(network)
    if program is None:
        return False
    given = _Program(len(program) // 8, program)
    return bool(libc.prctl(SET_SECCOMP, FILTER_MODE, ctypes.byref(given), 0, 0) == 0)


@cache
def filter_program(network: bool, machine: str = "") -> bytes | None:
    """Return the filter for this machine; None for one whose calls are not known here."""
    known = MACHINES.get(machine or platform.machine())
    if known is None:
        return None
    column, name = known
    steps = [
        _step(LOAD, MACHINE_AT),
        _step(EQUAL, name, 1, 0),
        _step(ANSWER, NOT_PERMITTED),
        _step(LOAD, NUMBER_AT),
    ]
    if column == 0:
        steps += [_step(AT_LEAST, OTHER_CALLS, 0, 1), _step(ANSWER, NOT_PERMITTED)]
    for calls, answer in (
        (DENIED, NOT_PERMITTED),
        ({} if network else NETWORK, NOT_PERMITTED),
        (UNKNOWN, NO_SUCH_CALL),
    ):
        for number in sorted(call[column] for call in calls.values() if call[column] >= 0):
            steps += [_step(EQUAL, number, 0, 1), _step(ANSWER, answer)]
    for call, place in ((OPEN, SECOND_AT), (OPENAT, THIRD_AT)):
        if call[column] >= 0:
            steps += [_step(EQUAL, call[column], 0, 4), _step(LOAD, place), _step(ANY_BIT, WRITING, 0, 1)]
            steps += [_step(ANSWER, NOT_PERMITTED), _step(ANSWER, PASS)]
    steps += [_step(EQUAL, CLONE[column], 0, 4), _step(LOAD, FIRST_AT), _step(ANY_BIT, THREAD, 1, 0)]
    steps += [_step(ANSWER, NOT_PERMITTED), _step(ANSWER, PASS), _step(ANSWER, PASS)]
    return b"".join(steps)


def _step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_so, if_not, value)


def means_of_this_machine() -> tuple[str, ...]:
    """Return what a child of this process would be held by. Asked in a child, which then ends."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        pid = os.fork()
        if not pid:
            with suppress(BaseException):
                theirs.send(" ".join(confine()).encode() or b"-")
            os._exit(0)
        said = ours.recv(100).decode()
        os.waitpid(pid, 0)
    return () if said == "-" else tuple(said.split())
