"""What the sections of pbem.toml share: a value out of a few, the place of a server, a password kept elsewhere."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from pbem.errors import Trouble


@dataclass(frozen=True, slots=True)
class Place:
    """A host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def one_of(name: str, value: str, known: tuple[str, ...]) -> str:
    """The value, when it is one of those."""
    if value not in known:
        raise Trouble(f"{name}: {value!r} is none of {', '.join(known)}.")
    return value


def read_place(name: str, text: str, usual: int) -> Place:
    """A server, with its port where that is not the usual one."""
    host, port = text, str(usual)
    if text.startswith("["):  # an address with colons of its own stands in brackets
        host, _, port = text[1:].partition("]")
        port = port.removeprefix(":") or str(usual)
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    if not (host and port.isascii() and port.isdigit() and len(port) < 6 and 0 <= int(port) < 65536):
        raise Trouble(f"{name}: {text!r} is no server and port, such as imap.example.org:993.")
    return Place(host, int(port))


def is_near(host: str) -> bool:
    """Whether that is this machine itself."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def password(place: Place, file: Path | None, key: str, variable: str) -> str:
    """Out of its file or the environment, when it is needed and not before; `key` names the file in pbem.toml."""
    if file is not None:
        return read_secret(file)
    if found := os.environ.get(variable, ""):
        return found
    raise Trouble(f"There is no password for {place}: name an {key}, or set ${variable}.")


def read_secret(path: Path) -> str:
    """The first line of a file that only its owner can read."""
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="utf-8-sig")  # some editors set a mark of the encoding before it
    except OSError as error:
        raise Trouble(f"The password file {path} cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise Trouble(f"The password file {path} is not UTF-8 text.") from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Trouble(f"Others than its owner can use the password file {path}; run `chmod 600 {path}`.")
    if not (first := text.partition("\n")[0].rstrip("\r")):
        raise Trouble(f"The password file {path} is empty.")
    return first
