"""Canaries: every secret of a host in each shape it could slip out in, and servers that shout passwords back."""

from __future__ import annotations

import base64
import socketserver
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from urllib.parse import quote

from pbem import keys
from tests.pbem.host.conftest import secret

TURNS = range(1, 7)
SEATS = ("1", "2")
GAMES = ("game", "other")
PASSWORDS = {"imap": "canary-imap-pass-4711", "smtp": "canary-smtp-pass-0815"}
TRACES = ("Traceback (most", 'File "/', "site-packages", ".py:")


def shapes(raw: bytes) -> set[str]:
    """A secret as it could be written down."""
    coded = (base64.b64encode(raw), base64.urlsafe_b64encode(raw), base64.b32encode(raw))
    words = {raw.hex(), raw.hex().upper(), str(int.from_bytes(raw, "big")), repr(raw)[2:-1]}
    return words | {one.decode().rstrip("=") for one in coded}


def of_host() -> dict[str, set[str]]:
    """What nobody is ever told while the games go on."""
    found = {"host": shapes(secret("host"))}
    for game in GAMES:
        found[f"seed of {game}"] = shapes(secret(f"seed {game}"))
        found[f"chain of {game}"] = shapes(secret(f"chain {game}"))
    for seat in SEATS:
        found[f"salt of player {seat}"] = shapes(secret(seat))
    for name, word in PASSWORDS.items():
        found[f"password of {name}"] = {word, base64.b64encode(word.encode()).decode(), quote(word)} | {
            base64.b64encode(f"\0canary-user\0{word}".encode()).decode()
        }
    return found


def of_seat(seat: str) -> dict[str, set[str]]:
    """What only that seat may see: its keys and its address."""
    found = {f"address of {seat}": {f"{seat}@players.example"}}
    for game in GAMES:
        for turn in TURNS:
            key = keys.key(secret(f"chain {game}"), seat, turn)
            joined = key.replace("-", "")
            found[f"key of {seat} in {game} {turn}"] = {key, key.lower(), joined, joined.lower()}
    return found


def leaks(text: str, secrets: Mapping[str, set[str]]) -> list[str]:
    """Which secrets stand in the text."""
    return [name for name, ways in secrets.items() if any(way in text for way in ways)]


# --- servers that say what they were told -----------------------------------------------------------------------------


class _Echo(socketserver.StreamRequestHandler):
    """Refuses every password, and says aloud which one it was."""

    def handle(self) -> None:
        with suppress(OSError):
            self.say("* OK here" if self.server.imap else "220 here ESMTP")  # type: ignore[attr-defined]
            while line := self.rfile.readline(4000).decode("utf-8", "replace").strip():
                self.imap(line) if self.server.imap else self.smtp(line)  # type: ignore[attr-defined]

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def imap(self, line: str) -> None:
        tag, _, command = line.partition(" ")
        if command.upper().startswith("CAPABILITY"):
            self.say("* CAPABILITY IMAP4rev1")
            self.say(f"{tag} OK")
        else:
            self.say(f"{tag} NO [AUTHENTICATIONFAILED] wrong: {command}")

    def smtp(self, line: str) -> None:
        if line.upper().startswith("EHLO"):
            self.say("250-here")
            self.say("250 AUTH PLAIN")
        else:
            self.say(f"535 5.7.8 wrong: {line} {_told(line)}")


def _told(line: str) -> str:
    with suppress(ValueError):
        return base64.b64decode(line.rpartition(" ")[2]).decode("utf-8", "replace").replace("\0", " ")
    return ""


@contextmanager
def echoing(imap: bool) -> Iterator[int]:
    """Such a server on this machine; gives its port."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Echo) as server:
        server.imap = imap  # type: ignore[attr-defined]
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield int(server.server_address[1])
        finally:
            server.shutdown()
            thread.join()
