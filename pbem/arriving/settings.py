"""The section [mail] of pbem.toml: where a host's mail comes in, each value checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pbem.errors import Trouble
from pbem.settings import Place, is_near, one_of, password, read_place

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
DKIM_LIBRARIES = ("dkim", "dns", "authres")


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
        return password(self.place, self.password_file, "imap_password_file", PASSWORD)


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
        require=_require(said),
    )


def _require(said: Mapping[str, Any]) -> str:
    """Return what a mail needs besides the key. Refuse what this installation cannot check."""
    wanted = one_of("require", said.get("require", REQUIRE[0]), REQUIRE)
    missing = [name for name in DKIM_LIBRARIES if find_spec(name) is None] if wanted != REQUIRE[0] else []
    if missing:
        raise Trouble(
            f"require: {wanted!r} needs Python modules that are not installed here: {', '.join(missing)}. "
            'Run `pip install "pbem[mail]"`.'
        )
    return wanted


def read_listen(folder: Path, text: str) -> Path | Place:
    """Where to listen: `host:port` on this machine, or the path of a socket."""
    _, colon, port = text.rpartition(":")
    if not (colon and port.isdigit()):
        return folder / text
    place = read_place("listen", text, 0)
    if not is_near(place.host):
        raise Trouble(f"listen: {place.host} is not this machine; LMTP knows no passwords, so it stays here.")
    return place


def _imap(folder: Path, said: Mapping[str, Any]) -> Imap | None:
    if "imap" not in said:
        if alone := next((name for name in said if name.startswith("imap_")), None):
            raise Trouble(f"{alone}: it goes with imap, which names the server.")
        return None
    tls = one_of("imap_tls", said.get("imap_tls", TLS[0]), TLS)
    place = read_place("imap", said["imap"], PORTS[tls])
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


def _part_of_maildir(name: str) -> str:
    """A folder of a Maildir is a folder beside `cur`, mostly with a dot before its name."""
    if name in {".", "..", "cur", "new", "tmp"} or "/" in name:
        raise Trouble(f"maildir_done: {name!r} is no folder of a Maildir, such as .Taken.")
    return name
