"""A mail server that says one line for each command, as a script has it; what it hears is kept."""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping
from contextlib import suppress

USUAL = {
    "": "220 scripted ESMTP",
    "EHLO": "250-scripted\r\n250 SIZE 1000000",
    "MAIL": "250 good sender",
    "RCPT": "250 good recipient",
    "DATA": "354 go on",
    ".": "250 taken",
    "RSET": "250 reset",
    "QUIT": "221 bye",
}


class Scripted:
    """`with Scripted({"RCPT": "421 enough"}) as server:`; an empty line hangs up. After `most` mails on a connection it
    says `enough` to the next one."""

    def __init__(self, says: Mapping[str, str], most: int = 1_000, enough: str = "") -> None:
        self.says, self.most, self.enough = {**USUAL, **says}, most, enough
        self.heard: list[str] = []
        self.raw = b""
        self.connections = 0

    def __enter__(self) -> Scripted:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(20)

    def _accept(self) -> None:
        while True:
            try:
                line, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            with line, suppress(OSError):
                line.settimeout(20)
                self._talk(line)

    def _talk(self, line: socket.socket) -> None:
        lines = line.makefile("rb")
        word, mails = "", 0
        while said := self.enough if word == "MAIL" and mails > self.most else self.says.get(word, "500 what?"):
            line.sendall(f"{said}\r\n".encode())
            if word == "QUIT":
                return
            if said.startswith("354"):
                self.raw, word = b"", "."
                while (got := lines.readline()) not in (b".\r\n", b""):
                    self.raw += got
                continue
            got = lines.readline()
            if not got:
                return
            self.heard.append(got.decode("utf-8", "replace").rstrip())
            word = got[:4].decode("utf-8", "replace").strip().upper()
            mails += word == "MAIL"
