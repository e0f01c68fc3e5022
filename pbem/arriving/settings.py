"""The section [mail] of pbem.toml: where a host's mail comes in, each value checked."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from pbem.errors import Trouble

KNOWN: Mapping[str, type] = {
    "judge": str,
    "maildir": str,
    "maildir_done": str,
    "imap": str,
    "imap_tls": str,
    "imap_user": str,
    "imap_password_file": str,
    "imap_folder": str,
    "imap_done": str,
    "imap_ca_file": str,
    "listen": str,
    "authserv": str,
    "require": str,
}
TEMPLATE = """\

[mail]                              # how mail comes in; what is commented out is an example, and off
judge = "at-once"                   # what `receive` and `listen` have stored is judged at once, or at "night"
# maildir = "/var/mail/orders"      # a Maildir that is collected; what was taken is marked as seen,
# maildir_done = ".Taken"           # or moved to this folder of it
# imap = "imap.example.org"         # a server, or server:port
# imap_tls = "tls"                  # tls, starttls, or none (on this machine only)
# imap_user = "orders"
# imap_password_file = "imap.pass"  # a file that only its owner can read; else $PBEM_IMAP_PASSWORD is taken
# imap_folder = "INBOX"
# imap_done = "Taken"               # a folder of the server that takes what was taken; else it is marked as seen
# imap_ca_file = "ca.pem"           # who vouches for the server, where this system does not know
# listen = "lmtp.sock"              # where `pbem listen` waits: a socket, or 127.0.0.1:2424
# authserv = "mx.example.org"       # under which name our own mail server writes Authentication-Results
require = "key"                     # besides the key: "dkim" wants mails signed by the domain of the player's address
"""
JUDGE = ("at-once", "night")
REQUIRE = ("key", "dkim")
TLS = ("tls", "starttls", "none")
PORTS = {"tls": 993, "starttls": 143, "none": 143}
PASSWORD = "PBEM_IMAP_PASSWORD"


@dataclass(frozen=True, slots=True)
class Place:
    """A host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Imap:
    """A mailbox on a server."""

    place: Place
    tls: str = "tls"
    user: str = ""
    password_file: Path | None = None
    folder: str = "INBOX"
    done: str = ""
    ca_file: Path | None = None

    def password(self) -> str:
        """Out of its file or the environment, when it is needed and not before."""
        if self.password_file is not None:
            return read_secret(self.password_file)
        if found := os.environ.get(PASSWORD, ""):
            return found
        raise Trouble(f"There is no password for {self.place}: name an imap_password_file, or set ${PASSWORD}.")


@dataclass(frozen=True, slots=True)
class Arriving:
    """What the section says."""

    at_once: bool = True
    maildir: Path | None = None
    maildir_done: str = ""
    imap: Imap | None = None
    listen: Path | Place | None = None
    authserv: str = ""
    require: str = REQUIRE[0]


def read_section(folder: Path, said: Mapping[str, Any]) -> Arriving:
    """The section's values, whose types are checked already; Trouble names the key."""
    judge = one_of("judge", said.get("judge", JUDGE[0]), JUDGE)
    return Arriving(
        at_once=judge == JUDGE[0],
        maildir=folder / said["maildir"] if "maildir" in said else None,
        maildir_done=_part_of_maildir(said.get("maildir_done", "")),
        imap=_imap(folder, said),
        listen=read_listen(folder, said["listen"]) if "listen" in said else None,
        authserv=said.get("authserv", ""),
        require=one_of("require", said.get("require", REQUIRE[0]), REQUIRE),
    )


def read_listen(folder: Path, text: str) -> Path | Place:
    """Where to listen: `host:port` on this machine, or the path of a socket."""
    _, colon, port = text.rpartition(":")
    if not (colon and port.isdigit()):
        return folder / text
    place = read_place(text, 0)
    if not is_near(place.host):
        raise Trouble(f"listen: {place.host} is not this machine; LMTP knows no passwords, so it stays here.")
    return place


def is_near(host: str) -> bool:
    """Whether that is this machine itself."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def read_secret(path: Path) -> str:
    """The first line of a file that only its owner can read."""
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise Trouble(f"The password file {path} cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise Trouble(f"The password file {path} is not UTF-8 text.") from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Trouble(f"Others than its owner can use the password file {path}; run `chmod 600 {path}`.")
    if not (first := text.partition("\n")[0].rstrip("\r")):
        raise Trouble(f"The password file {path} is empty.")
    return first


def _imap(folder: Path, said: Mapping[str, Any]) -> Imap | None:
    if "imap" not in said:
        if alone := next((name for name in said if name.startswith("imap_")), None):
            raise Trouble(f"{alone}: it goes with imap, which names the server.")
        return None
    tls = one_of("imap_tls", said.get("imap_tls", TLS[0]), TLS)
    place = read_place(said["imap"], PORTS[tls])
    if tls == "none" and not is_near(place.host):
        raise Trouble(f"imap_tls: {place.host} is not this machine, so the password must not travel in the clear.")
    if "imap_user" not in said:
        raise Trouble("imap_user: it is missing; whose mailbox is it?")
    return Imap(
        place=place,
        tls=tls,
        user=said["imap_user"],
        password_file=folder / said["imap_password_file"] if "imap_password_file" in said else None,
        folder=said.get("imap_folder", "INBOX"),
        done=said.get("imap_done", ""),
        ca_file=folder / said["imap_ca_file"] if "imap_ca_file" in said else None,
    )


def read_place(text: str, usual: int) -> Place:
    """A server, with its port where that is not the usual one."""
    host, port = text, str(usual)
    if text.startswith("["):  # an address with colons of its own stands in brackets
        host, _, port = text[1:].partition("]")
        port = port.removeprefix(":") or str(usual)
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    if not (host and port.isascii() and port.isdigit() and len(port) < 6 and 0 <= int(port) < 65536):
        raise Trouble(f"{text!r} is no server and port, such as imap.example.org:993.")
    return Place(host, int(port))


def _part_of_maildir(name: str) -> str:
    """A folder of a Maildir is a folder beside `cur`, mostly with a dot before its name."""
    if name in {".", "..", "cur", "new", "tmp"} or "/" in name:
        raise Trouble(f"maildir_done: {name!r} is no folder of a Maildir, such as .Taken.")
    return name


def one_of(name: str, value: str, known: tuple[str, ...]) -> str:
    """The value, when it is one of those."""
    if value not in known:
        raise Trouble(f"{name}: {value!r} is none of {', '.join(known)}.")
    return value
