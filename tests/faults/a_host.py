"""A small host to be killed: games of several kinds, orders waiting in the drop folder, a night due."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from engine import load
from pbem import config, keys, nightly
from pbem.arriving.fetching import collect
from pbem.game.hosting import NewGame, add_player, new_game
from pbem.game.taking import take_file
from pbem.ledger import Ledger
from pbem.ledger.dump import canonical_dump

BEGUN = datetime(2026, 11, 18, 9, tzinfo=UTC)
NIGHT = datetime(2026, 11, 18, 20, 0, 5, tzinfo=UTC)
LATER = NIGHT + timedelta(minutes=10)

# Game, its options, and what each seat has dropped into the inbox (None: nothing).
Hosted = tuple[str, Mapping[str, Any], Mapping[str, str | None]]
GAMES: dict[str, Hosted] = {
    "heaps": ("nim", {}, {"1": "b3", "2": None}),
    "safe": ("vault", {"rounds": "2"}, {"red": "pass", "green": "nonsense", "blue": None}),
}


def secret(word: str) -> bytes:
    return hashlib.sha256(word.encode()).digest()


def build(folder: Path, more: tuple[str, ...] = ()) -> None:
    """The host as it stands before the night; `more` games are played by nobody, so that defaults are taken."""
    found(folder, GAMES | {name: silent(name, load(name).Options()) for name in more})


def silent(rules: str, options: Any) -> Hosted:
    """A game whose seats drop nothing."""
    return rules, options.to_json(), dict.fromkeys(load(rules).seats(options))


def found(folder: Path, hosted: Mapping[str, Hosted]) -> None:
    """A host with these games."""
    folder.mkdir(parents=True)
    (folder / "pbem.toml").write_text(config.TEMPLATE.format(zone="UTC").replace("jobs = 0", "jobs = 1"))
    for name in ("inbox", "outbox"):
        (folder / name).mkdir()
    ledger = Ledger.create(folder / "ledger.db", secret=secret("host"))
    settings = config.load(folder / "pbem.toml")
    with ledger.write() as tx:
        for seat in sorted({seat for _, _, orders in hosted.values() for seat in orders}):
            add_player(tx, f"player {seat}", f"{seat}@players.example", "en", "UTC", BEGUN)
        for name, (rules, options, orders) in hosted.items():
            seats = {seat: f"player {seat}" for seat in orders}
            secrets = {"seed": secret(f"seed {name}"), "secret": secret(f"chain {name}")}
            new_game(tx, settings, NewGame(rules=rules, name=name, seats=seats, options=options, **secrets), BEGUN)
    ledger.close()
    for name, (_, _, orders) in hosted.items():
        for seat, order in orders.items():
            if order is not None:
                drop(folder, name, seat, order)


def drop(folder: Path, name: str, seat: str, order: str) -> None:
    """An order file as a player would drop it, at a fixed time."""
    key = keys.key(secret(f"chain {name}"), seat, 1)
    file = folder / "inbox" / f"{name}-{seat}.yaml"
    file.write_text(f"game: {name}\nseat: {seat}\nturn: 1\nkey: {key}\norders:\n  - {order}\nend: orders\n")
    then = (BEGUN + timedelta(hours=1)).timestamp()
    os.utime(file, (then, then))


@contextmanager
def steady_files() -> Iterator[None]:
    """A file is known by its inode and change time, which no copy of a folder keeps; here by its name instead."""
    real = os.fstat

    def by_name(handle: int) -> Any:
        about, name = real(handle), Path(f"/proc/self/fd/{handle}").readlink().name
        told = {field: getattr(about, field) for field in dir(about) if field.startswith("st_")}
        then = BEGUN + timedelta(hours=1)
        told |= {"st_ino": int.from_bytes(secret(name)[:6], "big"), "st_ctime": then.timestamp()}
        return SimpleNamespace(**told | {"st_ctime_ns": 0})

    os.fstat = by_name
    try:
        yield
    finally:
        os.fstat = real


def night(folder: Path, at: datetime = NIGHT) -> None:
    """What `pbem nightly` does."""
    with opened(folder) as (settings, ledger), steady_files():
        nightly.night(settings, ledger, at, jobs=1)


def later(folder: Path) -> None:
    """The night begun again by the next timer, ten minutes after."""
    night(folder, LATER)


def fetch(folder: Path) -> None:
    """What `pbem fetch` does."""
    with opened(folder) as (settings, ledger), steady_files():
        collect(settings, ledger, NIGHT - timedelta(hours=2))


def submit(folder: Path) -> None:
    """What `pbem submit` does with one of the files; a mark stands for the receipt that was printed."""
    file = folder / "inbox" / "heaps-1.yaml"
    with opened(folder) as (settings, ledger):
        settled = take_file(settings, ledger, file.read_bytes(), file.name, NIGHT - timedelta(hours=2))
    (folder / "receipt").write_text(settled.fate)


@contextmanager
def opened(folder: Path) -> Iterator[tuple[config.Config, Ledger]]:
    ledger = Ledger.open(folder / "ledger.db")
    try:
        yield config.load(folder / "pbem.toml"), ledger
    finally:
        ledger.close()


def remains(folder: Path) -> dict[str, bytes]:
    """All that a run leaves behind: the canonical ledger, and every file of inbox and outbox."""
    with opened(folder) as (_, ledger):
        found = {"ledger": canonical_dump(ledger)}
    for room in ("inbox", "outbox"):
        for file in sorted((folder / room).rglob("*")):
            if file.is_file():
                found[file.relative_to(folder).as_posix()] = file.read_bytes()
    return found
