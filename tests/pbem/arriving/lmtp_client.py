"""An LMTP client on a plain socket, polite or rude."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self


class Client:
    """One connection: `with Client(place) as client: client.mail(raw, ["orders@host"])`."""

    def __init__(self, place: Path | tuple[str, int], *, greet: bool = True, timeout: float = 30) -> None:
        if isinstance(place, Path):
            self.line = socket.socket(socket.AF_UNIX)
        else:
            self.line = socket.socket()
            self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.line.settimeout(timeout)
        self._file = self.line.makefile("rb")
        try:
            self.line.connect(str(place) if isinstance(place, Path) else place)
            self.banner = self.answer()
            if greet:
                self.greeting = self("LHLO client.example")
        except OSError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()
        self.line.close()

    def answer(self) -> str:
        """One answer, all its lines; empty when the other side has gone."""
        lines = []
        while line := self._file.readline():
            lines.append(line.decode().rstrip("\r\n"))
            if line[3:4] != b"-":
                break
        return "\n".join(lines)

    def __call__(self, command: str | bytes) -> str:
        self.line.sendall((command.encode() if isinstance(command, str) else command) + b"\r\n")
        return self.answer()

    def begin(self, recipients: Sequence[str], sender: str = "anna@players.example") -> list[str]:
        """The envelope; what was answered."""
        return [self(f"MAIL FROM:<{sender}>"), *(self(f"RCPT TO:<{one}>") for one in recipients), self("DATA")]

    def send(self, raw: bytes) -> None:
        """The mail, with its dot, and no waiting for an answer."""
        lines = raw.split(b"\r\n")
        self.line.sendall(b"\r\n".join(b"." + line if line.startswith(b".") else line for line in lines))
        self.line.sendall(b".\r\n" if raw.endswith(b"\r\n") or not raw else b"\r\n.\r\n")

    def mail(self, raw: bytes, recipients: Sequence[str] = ("orders@localhost",), **more: str) -> list[str]:
        """A whole mail; the answer for each recipient."""
        self.begin(recipients, **more)
        self.send(raw)
        return [self.answer() for _ in recipients]
