"""Sockets that keep a time for the whole of a conversation, and not for each of its bytes.

A server that sends one byte a second never lets a usual timeout come; here every read and write has what is left until
a fixed moment. How much a server may say is bounded as well.
"""

from __future__ import annotations

import socket
import ssl
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

ROOM = 1 << 20  # bytes that the other side may send until the next bound is set


class _Bounded:
    """What both kinds of socket have in common."""

    until: float = inf
    room: int = ROOM

    def bound(self, until: float) -> None:
        self.until, self.room = until, ROOM

    def _left(self) -> float | None:
        if self.until == inf:
            return None
        left = self.until - monotonic()
        if left <= 0:
            raise TimeoutError("it took too long")
        return left

    def _heard(self, count: int) -> int:
        self.room -= count
        if self.room < 0:
            raise OSError("it says far too much")
        return count


class Plain(_Bounded, socket.socket):
    """A bounded TCP connection."""

    def recv_into(self, *buffer: Any) -> int:
        self.settimeout(self._left())
        return self._heard(super().recv_into(*buffer))

    def sendall(self, *data: Any) -> None:
        self.settimeout(self._left())
        super().sendall(*data)


class Tls(_Bounded, ssl.SSLSocket):
    """The same, encrypted."""

    def recv_into(self, *buffer: Any) -> int:
        self.settimeout(self._left())
        return self._heard(super().recv_into(*buffer))

    def send(self, *data: Any) -> int:
        self.settimeout(self._left())
        return super().send(*data)


def connected(host: str, port: int, until: float) -> Plain:
    """A connection to the first address of that host that takes one."""
    trouble = OSError(f"{host} has no address")
    for family, kind, protocol, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        plain = Plain(family, kind, protocol)
        try:
            plain.bound(until)
            plain.settimeout(plain._left())
            plain.connect(address)
            return plain
        except OSError as error:
            plain.close()
            trouble = error
    raise trouble


def tls_context(ca_file: Path | None) -> ssl.SSLContext:
    """Who is believed: this system's authorities, or the one that the host names."""
    context = ssl.create_default_context(cafile=ca_file)
    context.sslsocket_class = Tls
    return context
