"""A hand: a child process with one thread that does a worker's jobs.

Procrastinate's worker has threads, and a process with threads must not be forked, which bounded children need. So the
hand is made first, before there are any, and is told what to do through a pipe.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import struct
from functools import partial
from typing import Any

from pbem import faultlog
from pbem.cluster.work import Desk
from pbem.config import Config
from pbem.errors import Trouble

LENGTH = struct.Struct("!I")


class HandDied(Exception):
    """The child is gone; its job is done by another one."""


class Hand:
    """One child, which does one thing at a time. `over`: a pipe whose other end is closed when the worker is to end."""

    def __init__(self, config: Config, over: int) -> None:
        asked, self._ask = os.pipe()
        self._answer, answer = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._ask)
            os.close(self._answer)
            _serve(Desk(config, partial(_is_closed, over)), asked, answer)
        os.close(asked)
        os.close(answer)

    def do(self, work: str, **named: Any) -> Any:
        """Have it done, and wait; raises what went wrong there."""
        try:
            _write(self._ask, (work, named))
            well, found = _read(self._answer)
        except (OSError, EOFError) as error:
            raise HandDied(work) from error
        if not well:
            raise Trouble(found)
        return found

    def close(self) -> None:
        """Let it finish what it does, and end."""
        os.close(self._ask)
        os.close(self._answer)
        os.waitpid(self.pid, 0)


def _serve(desk: Desk, asked: int, answer: int) -> None:
    """The child's whole life. Without a parent it finishes what it does: that is stored whole, and nobody waits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        while True:
            name, named = _read(asked)
            try:
                found = True, getattr(desk, name)(**named)
            except Exception as ours:
                desk.clear()
                if not isinstance(ours, Trouble):
                    faultlog.write_down(ours, desk.config.folder)
                found = False, f"{type(ours).__name__}: {ours}" if isinstance(ours, Trouble) else type(ours).__name__
            _write(answer, found)
    except (OSError, EOFError):
        pass
    finally:
        desk.clear()
        os._exit(0)


def _is_closed(pipe: int) -> bool:
    """Nobody ever writes into it, so what can be read is its end."""
    return bool(select.select([pipe], [], [], 0)[0])


def _write(pipe: int, value: Any) -> None:
    raw = pickle.dumps(value)
    left = memoryview(LENGTH.pack(len(raw)) + raw)
    while left:
        left = left[os.write(pipe, left) :]


def _read(pipe: int) -> Any:
    [size] = LENGTH.unpack(_exactly(pipe, LENGTH.size))
    return pickle.loads(_exactly(pipe, size))


def _exactly(pipe: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.read(pipe, size)
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
