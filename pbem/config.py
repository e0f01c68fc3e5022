"""pbem.toml: where a host's files lie and how it behaves. Unknown keys are refused, so a slip is never a silence."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from pbem.arriving import settings as arriving
from pbem.arriving.settings import Arriving
from pbem.attending.silence import Policy
from pbem.brakes import settings as braking
from pbem.brakes.settings import Brakes
from pbem.deadlines.schedule import Schedule
from pbem.deadlines.wallclock import known_zone
from pbem.errors import Trouble
from pbem.intake import settings as reading
from pbem.intake.limits import USUAL, Limits
from pbem.ledger.place import Place, read_place
from pbem.pages import settings as pages
from pbem.pages.settings import Site
from pbem.people.addresses import known_address
from pbem.post import settings as leaving
from pbem.post.settings import Post
from pbem.slips import Written
from pbem.watching import settings as watching
from pbem.watching.settings import Watch

T = TypeVar("T")
FILE = "pbem.toml"
MOST = 1_000_000  # of anything: longer times than these no clock or timer knows
MOST_DAYS = 36_500
TEMPLATE = """\
# A pbem host. Every line may be left out; what stands here is the default.

[host]
name = "pbem"                       # shown in reports
address = "orders@localhost"        # where players send their orders
zone = "{zone}"  # the host's own zone
# referee = "me@example.org"        # who is told by mail of mails that do not get through
tell_looks = false                  # true: reports of new games tell of each look at what is still secret in them
dice = "host"                       # "players": in new games the players mix secret texts into the host's seed

[schedule]
default = "nightly 20:00 {zone}"  # or all-in, or on-arrival; each game may have its own
silence = "default"                 # what silence does: stand-in, hold=2d, drop=3 and more; each game may say otherwise

[files]
ledger = "ledger.db"                # or a database: "postgresql://pbem@db.example.org/pbem"
inbox = "inbox"                     # order files dropped here are collected by `pbem fetch` and `pbem nightly`
outbox = "outbox"                   # reports as files, and a folder of .eml mails

[night]
jobs = 0                            # processes that resolve and render; 0: one for each processor
seconds = 60                        # the most one game may take
megabytes = 512                     # the most memory one game may take

[people]
open = false                        # whether strangers may join games that wait for players by mail
same_person = false                 # true: one person (or one address) may play both sides of a game
address_days = 3                    # so long a change of address that was asked by mail waits, if the old one is silent
strangers_mail_days = 30            # mail that belongs to no game is emptied after so many days; 0: never
"""
TEMPLATE += (
    arriving.TEMPLATE + reading.TEMPLATE + leaving.TEMPLATE + braking.TEMPLATE + watching.TEMPLATE + pages.TEMPLATE
)
KNOWN: Mapping[str, Mapping[str, type]] = {
    "host": {"name": str, "address": str, "zone": str, "referee": str, "tell_looks": bool, "dice": str},
    "schedule": {"default": str, "silence": str},
    "files": {"ledger": str, "inbox": str, "outbox": str},
    "night": {"jobs": int, "seconds": int, "megabytes": int},
    "mail": arriving.KNOWN,
    "limits": reading.KNOWN,
    "post": leaving.KNOWN,
    "brakes": braking.KNOWN,
    "watch": watching.KNOWN,
    "site": pages.KNOWN,
    "people": {"open": bool, "same_person": bool, "address_days": int, "strangers_mail_days": int},
}


@dataclass(frozen=True, slots=True)
class Config:
    """What pbem.toml says, with every path made whole."""

    folder: Path
    host: str = "pbem"
    address: str = "orders@localhost"
    zone: str = "UTC"
    schedule: Schedule = field(default_factory=Schedule)
    silence: Policy = field(default_factory=Policy)
    tells_looks: bool = False
    dice: str = "host"  # who has a say in the dice of new games, where nothing is said: the host alone, or the players
    ledger: Path = Path("ledger.db")  # of a ledger in a server: what its locks and heads beside are called after
    inbox: Path = Path("inbox")
    outbox: Path = Path("outbox")
    jobs: int = 0
    seconds: int = 60
    megabytes: int = 512
    mail: Arriving = field(default_factory=Arriving)
    limits: Limits = USUAL
    referee: str = ""
    open_to_strangers: bool = False  # whether who is not registered may join a game by mail
    same_person: bool = False  # whether one person may have two opposing seats
    address_days: int = 3  # for which a change of address waits for a word from the old one
    strangers_mail: timedelta = timedelta(days=30)  # how long mail that belongs to no game is kept; 0: for ever
    post: Post = field(default_factory=Post)
    brakes: Brakes = field(default_factory=Brakes)
    watch: Watch = field(default_factory=Watch)
    site: Site = field(default_factory=Site)
    server: Place | None = None  # where the ledger is when it is not in a file

    @property
    def place(self) -> Place:
        """Where the ledger is."""
        return self.server or Place(self.ledger)

    @property
    def processes(self) -> int:
        return self.jobs or len(os.sched_getaffinity(0))


def find(given: str | None = None) -> Path:
    """The file named, or $PBEM_CONFIG, or the pbem.toml of this folder or one above it."""
    named = given or os.environ.get("PBEM_CONFIG")
    if named:
        path = Path(named)
        if path.is_dir():
            path = path / FILE
        if not path.is_file():
            by = "" if given else " ($PBEM_CONFIG names it)"
            raise Trouble(f"There is no {path}{by}; `pbem init` makes a host in a folder.")
        return path.resolve()
    try:
        here = Path.cwd()
    except FileNotFoundError:
        raise Trouble("The folder this runs in is gone; go to another one, or name a host with --config.") from None
    for folder in (here, *here.parents):
        if (folder / FILE).is_file():
            return folder / FILE
    raise Trouble(f"No {FILE} in this folder or above it; `pbem init` makes a host here, --config names another one.")


def load(path: Path) -> Config:
    """The configuration of that file, each value checked."""
    try:
        written = Written(path, path.read_text(encoding="utf-8-sig"))
        data = tomllib.loads(written.text)
    except UnicodeDecodeError:
        raise Trouble(f"{path} cannot be read: it is not UTF-8 text.") from None
    except tomllib.TOMLDecodeError as error:
        hint = " A text stands in quotes." if str(error).startswith("Invalid value") else ""
        raise Trouble(f"{path} cannot be read: {error}.{hint}") from None
    _check(written, data)
    host, files, night = data.get("host", {}), data.get("files", {}), data.get("night", {})
    folder = path.resolve().parent
    zone = _named(written, "host.zone", lambda: known_zone(host.get("zone", "UTC")))
    default = data.get("schedule", {}).get("default", "")
    place = _named(written, "files.ledger", lambda: read_place(folder, files.get("ledger", "ledger.db")))
    return Config(
        folder=folder,
        host=host.get("name", "pbem"),
        address=_named(written, "host.address", lambda: known_address(host.get("address", "orders@localhost"))),
        zone=zone,
        tells_looks=host.get("tell_looks", False),
        dice=_named(written, "host.dice", lambda: _one_of(host.get("dice", "host"), ("host", "players"))),
        schedule=_named(written, "schedule.default", lambda: Schedule.read(default, Schedule(zone=zone))),
        silence=_named(written, "schedule.silence", lambda: Policy.read(data.get("schedule", {}).get("silence", ""))),
        ledger=place.file,
        inbox=folder / files.get("inbox", "inbox"),
        outbox=folder / files.get("outbox", "outbox"),
        jobs=_at_least(written, "night.jobs", night.get("jobs", 0), 0),
        seconds=_at_least(written, "night.seconds", night.get("seconds", 60), 1),
        megabytes=_at_least(written, "night.megabytes", night.get("megabytes", 512), 64),
        mail=_named(written, "mail", lambda: arriving.read_section(folder, data.get("mail", {}))),
        limits=_named(written, "limits", lambda: reading.read_section(data.get("limits", {}))),
        referee=_named(written, "host.referee", lambda: known_address(host["referee"])) if "referee" in host else "",
        open_to_strangers=data.get("people", {}).get("open", False),
        same_person=data.get("people", {}).get("same_person", False),
        address_days=_at_least(written, "people.address_days", data.get("people", {}).get("address_days", 3), 1),
        strangers_mail=_days(written, data.get("people", {}).get("strangers_mail_days", 30)),
        post=_named(written, "post", lambda: leaving.read_section(folder, data.get("post", {}))),
        server=place if place.url else None,
        brakes=_named(written, "brakes", lambda: braking.read_section(data.get("brakes", {}))),
        watch=_named(written, "watch", lambda: watching.read_section(folder, data.get("watch", {}))),
        site=_named(written, "site", lambda: pages.read_section(data.get("site", {}))),
    )


def _check(written: Written, data: Mapping[str, Any]) -> None:
    for section, values in data.items():
        if section in KNOWN and not isinstance(values, dict):
            words = f"{section} is a section; write [{section}] and its keys below it."
            raise written.slip(words, *(("", section) if written.line("", section) else (section,)))
        if not isinstance(values, dict):
            raise written.slip(f"{section} stands in no section; write one above it, such as [host].", "", section)
        if section not in KNOWN:
            raise written.slip(f"there is no section [{section}]{_near(section, KNOWN)}", section)
        for name, value in values.items():
            _check_one(written, section, name, value)


def _check_one(written: Written, section: str, name: str, value: Any) -> None:
    kind = KNOWN[section].get(name)
    if kind is None:
        raise written.slip(f"[{section}] has no key {name!r}{_near(name, KNOWN[section])}", section, name)
    if type(value) is not kind:
        wanted = {int: "a whole number", bool: "true or false"}.get(kind, "a text in quotes")
        raise written.slip(f"{section}.{name} must be {wanted}.", section, name)
    if type(value) is int and value > MOST:
        raise written.slip(f"{section}.{name} must be at most {MOST}.", section, name)
    if isinstance(value, str) and name != "default" and not (value.strip() and value.isprintable()):
        raise written.slip(f"{section}.{name} must be some words on one line.", section, name)


def _named(written: Written, name: str, read: Callable[[], T]) -> T:
    """What is read there; Trouble names the place. A section of its own names the key first: `by: ...`."""
    try:
        return read()
    except Trouble as trouble:
        section, _, key = name.partition(".")
        key = key or str(trouble).partition(":")[0]
        told = str(trouble) if "." in name else str(trouble).removeprefix(f"{key}: ")
        named = f"{section}.{key}" if key in KNOWN[section] else section
        raise written.slip(f"{named}: {told}", section, key) from None


def _near(word: str, known: Mapping[str, Any]) -> str:
    near = get_close_matches(word, known, 1, 0.5)
    return f"; did you mean {near[0]}?" if near else f"; known are {', '.join(known)}."


def _days(written: Written, value: int) -> timedelta:
    if not 0 <= value <= MOST_DAYS:
        raise written.slip(f"strangers_mail_days must be from 0 to {MOST_DAYS}.", "people", "strangers_mail_days")
    return timedelta(days=value)


def _one_of(value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise Trouble(f"{value!r} is none of {', '.join(known)}.")
    return value


def _at_least(written: Written, name: str, value: int, least: int) -> int:
    if value < least:
        raise written.slip(f"{name} must be at least {least}.", *name.split("."))
    return value
