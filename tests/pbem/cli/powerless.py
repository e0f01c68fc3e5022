"""Root without root's power over files, so that a read-only folder is one in a container, too."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

VERSION_3 = 0x20080522
OVER_FILES = 0b1110  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER


class _Head(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Powers(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


@contextmanager
def powerless() -> Iterator[None]:
    """What permissions say holds, whoever runs the tests."""
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    head, powers = _Head(VERSION_3, 0), (_Powers * 2)()
    assert libc.capget(ctypes.byref(head), powers) == 0
    had = powers[0].effective
    powers[0].effective = had & ~OVER_FILES
    assert libc.capset(ctypes.byref(head), powers) == 0
    try:
        yield
    finally:
        powers[0].effective = had
        assert libc.capset(ctypes.byref(head), powers) == 0
