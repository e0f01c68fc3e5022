"""The section [post] of pbem.toml: by which way mails leave, and how long each step may take, each value checked."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from pbem.errors import Trouble
from pbem.settings import Place, is_near, one_of, password, read_place

FILES, MAILDIR, SMTP, SENDMAIL = "files", "maildir", "smtp", "sendmail"
WAYS = (FILES, MAILDIR, SMTP, SENDMAIL)
TLS = ("starttls", "tls", "none")
PORTS = {"starttls": 587, "tls": 465, "none": 25}
PASSWORD = "PBEM_SMTP_PASSWORD"
LEAST = {
    "connect_seconds": (1, 30),
    "mail_seconds": (1, 120),
    "run_minutes": (1, 30),
    "retry_minutes": (1, 5),
    "retry_most_minutes": (1, 67),
    "give_up_days": (1, 5),
    "tell_hours": (1, 3),
}  # the least that is taken, and what holds where nothing is said
KNOWN: Mapping[str, type] = {
    "by": str,
    "copies": bool,
    "tags": bool,
    "page": bool,
    "maildir": str,
    "smtp": str,
    "smtp_tls": str,
    "smtp_user": str,
    "smtp_password_file": str,
    "smtp_ca_file": str,
    "sendmail": str,
    **dict.fromkeys(LEAST, int),
}
TEMPLATE = """\

[post]                              # how mails leave; what is commented out is an example, and off
by = "files"                        # files (in the outbox), maildir, smtp or sendmail
copies = false                      # with another way: lay readable files in the outbox as well
page = true                         # each report brings a page for the browser: turns, map, orders; 100 to 400 kB
# tags = true                       # answers go to orders+<key>...@..., which most servers deliver to orders@...
# maildir = "/var/mail/out"         # every mail is put here
# smtp = "mail.example.org"         # a server, or server:port
# smtp_tls = "starttls"             # starttls, tls, or none; on this machine none is usual
# smtp_user = "orders"
# smtp_password_file = "smtp.pass"  # a file that only its owner can read; else $PBEM_SMTP_PASSWORD is taken
# smtp_ca_file = "ca.pem"           # who vouches for the server, where this system does not know
# sendmail = "/usr/sbin/sendmail -i"
connect_seconds = 30                # the most that reaching the server may take
mail_seconds = 120                  # ... and one mail
run_minutes = 30                    # ... and a whole run
retry_minutes = 5                   # a mail that did not get through is tried again after this,
retry_most_minutes = 67             # then after twice as long, up to this,
give_up_days = 5                    # and given up after this
tell_hours = 3                      # the host is told of mails that wait so long
"""


@dataclass(frozen=True, slots=True)
class Smtp:
    """A server that takes our mails."""

    place: Place
    tls: str = "starttls"
    user: str = ""
    password_file: Path | None = None
    ca_file: Path | None = None

    def password(self) -> str:
        return password(self.place, self.password_file, "smtp_password_file", PASSWORD)


@dataclass(frozen=True, slots=True)
class Post:
    """What the section says."""

    by: str = FILES
    copies: bool = False
    tags: bool = False
    page: bool = True
    maildir: Path | None = None
    smtp: Smtp | None = None
    sendmail: tuple[str, ...] = ()
    connect_seconds: int = 30
    mail_seconds: int = 120
    run_seconds: int = 30 * 60
    retry: timedelta = field(default=timedelta(minutes=5))
    retry_most: timedelta = field(default=timedelta(minutes=67))
    give_up: timedelta = field(default=timedelta(days=5))
    tell: timedelta = field(default=timedelta(hours=3))


def read_section(folder: Path, said: Mapping[str, Any]) -> Post:
    """The section's values, whose types are checked already; Trouble names the key."""
    by = one_of("by", said.get("by", FILES), WAYS)
    numbers = {name: _at_least(name, said.get(name, usual), least) for name, (least, usual) in LEAST.items()}
    if by != FILES and by not in said:
        raise Trouble(f"{by}: it is missing; where do mails go?")
    return Post(
        by=by,
        copies=said.get("copies", False),
        tags=said.get("tags", by != FILES),
        page=said.get("page", True),
        maildir=folder / said["maildir"] if "maildir" in said else None,
        smtp=_smtp(folder, said),
        sendmail=_command(said["sendmail"]) if "sendmail" in said else (),
        connect_seconds=numbers["connect_seconds"],
        mail_seconds=numbers["mail_seconds"],
        run_seconds=60 * numbers["run_minutes"],
        retry=timedelta(minutes=numbers["retry_minutes"]),
        retry_most=timedelta(minutes=numbers["retry_most_minutes"]),
        give_up=timedelta(days=numbers["give_up_days"]),
        tell=timedelta(hours=numbers["tell_hours"]),
    )


def _smtp(folder: Path, said: Mapping[str, Any]) -> Smtp | None:
    if "smtp" not in said:
        if alone := next((name for name in said if name.startswith("smtp_")), None):
            raise Trouble(f"{alone}: it goes with smtp, which names the server.")
        return None
    near = is_near(read_place("smtp", said["smtp"], PORTS["none"]).host)
    tls = one_of("smtp_tls", said.get("smtp_tls", "none" if near else TLS[0]), TLS)
    place = read_place("smtp", said["smtp"], PORTS[tls])
    if tls == "none" and "smtp_user" in said and not near:
        raise Trouble(f"smtp_tls: {place.host} is not this machine, so the password must not travel in the clear.")
    return Smtp(
        place=place,
        tls=tls,
        user=said.get("smtp_user", ""),
        password_file=folder / said["smtp_password_file"] if "smtp_password_file" in said else None,
        ca_file=folder / said["smtp_ca_file"] if "smtp_ca_file" in said else None,
    )


def _command(text: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(text))
    except ValueError:
        words = ()
    if not words:
        raise Trouble(f"sendmail: {text!r} is no command, such as /usr/sbin/sendmail -i.")
    return words


def _at_least(name: str, value: int, least: int) -> int:
    if value < least:
        raise Trouble(f"{name}: it must be at least {least}.")
    return value
