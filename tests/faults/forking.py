"""A program in a process of its own, forked from this one: all modules are loaded, and nothing else is shared."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

FAULT = 99  # exit code of a program that raised


def apart(program: Callable[[Path], object], folder: Path) -> None:
    """Runs a program to its end in a process of its own, so that it finds nothing but what stands on disk."""
    status = forked(lambda: program(folder))
    if status:
        raise AssertionError(f"the second run ended with {status}")


def forked(body: Callable[[], object]) -> int:
    """Runs the body in a forked process; its exit code, or the negative number of the signal that ended it."""
    return ended(started(body))


def started(body: Callable[[], object]) -> int:
    """The number of a forked process that has begun with the body."""
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of forking beside threads
        pid = os.fork()
    if not pid:
        _child(body)
    return pid


def ended(pid: int) -> int:
    """Waits for its end; its exit code, or the negative number of the signal."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _child(body: Callable[[], object]) -> NoReturn:
    code = 0
    try:
        body()
    except BaseException:
        traceback.print_exc()
        code = FAULT
    finally:
        sys.stderr.flush()
        os._exit(code)
