"""Running a program under strace: in a forked child that waits until strace has it, so a point costs 25 ms, not 1 s."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

Program = Callable[[], object]
FAULT = 99  # exit code of a program that raised something nobody expected
TRACER = "TracerPid:\t0\n"

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")


@dataclass(frozen=True)
class Ended:
    """How a traced program ended: its exit code, or the negative number of a signal; and what strace wrote."""

    code: int
    trace: str


def traced(program: Program, trace: Path, options: Sequence[str]) -> Ended:
    """Run the program in a child of this process under strace with these options."""
    ready, go = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if not pid:
        os.close(go)
        os.read(ready, 1)
        _end(program)
    os.close(ready)
    strace = subprocess.Popen(
        ["strace", "-f", "-qq", "-o", str(trace), *options, "-p", str(pid)], stderr=subprocess.PIPE, text=True
    )
    _wait_for_tracer(pid, strace)
    os.write(go, b"g")
    os.close(go)
    _, status = os.waitpid(pid, 0)
    _, told = strace.communicate()
    if told.strip():
        raise AssertionError(f"strace: {told}")
    return Ended(os.waitstatus_to_exitcode(status), trace.read_text())


def _wait_for_tracer(pid: int, strace: subprocess.Popen[str]) -> None:
    status, begun = Path(f"/proc/{pid}/status"), time.monotonic()
    while TRACER in status.read_text():
        if strace.poll() is not None or time.monotonic() - begun > 20:
            os.kill(pid, 9)
            raise AssertionError(f"strace did not take hold: {strace.communicate()[1]}")
        time.sleep(0.001)


def _end(program: Program) -> None:
    """Run it and leave without the parent's clean-up; an int it returns is its exit code."""
    code: object = FAULT
    try:
        code = program()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 0)
