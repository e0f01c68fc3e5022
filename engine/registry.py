"""The registry: games are found by the entry-point group `pbem.games`, so anybody's package can add one.

An entry is named by the game's id. The rules of an older version, which games that were begun under them still need,
are offered beside them as `id@version`; only who asks for that version gets it.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from engine.game import Game

GROUP = "pbem.games"
AT = "@"
AnyGame = Game[Any, Any]


class UnknownGame(LookupError):
    """No installed package offers a game of that name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        near = get_close_matches(name.lower(), known, 1, 0.5)
        hint = f" Did you mean {near[0]}?" if near else ""
        super().__init__(f"There is no game {name!r}.{hint} Installed: {', '.join(known) or 'none'}.")
        self.name, self.known = name, known


class UnknownVersion(UnknownGame):
    """The game is here, but not in that version."""

    def __init__(self, name: str, version: str, here: tuple[str, ...]) -> None:
        known = f"version {here[0]} is" if len(here) == 1 else f"versions {', '.join(here)} are"
        LookupError.__init__(
            self,
            f"Version {version} of {name} is needed and {known} installed; install the package that has it "
            f"(as an entry point {name}{AT}{version}).",
        )
        self.name, self.known = f"{name}{AT}{version}", here


def games() -> tuple[str, ...]:
    """The ids of all installed games, in alphabetical order."""
    return tuple(sorted(name for name in _entries() if AT not in name))


def load(name: str) -> AnyGame:
    """The game of that id, as it is now; or, for `id@version`, the rules of that version. Imported now, and only it."""
    id, at, version = name.partition(AT)
    if not at:
        return _loaded(name)
    newest = _loaded(id)
    if newest.version == version:
        return newest
    if name not in _entries():
        older = (entry.partition(AT) for entry in _entries())
        raise UnknownVersion(
            id, version, (newest.version, *sorted(found for of, _, found in older if of == id and found))
        )
    game = _loaded(name)
    if game.version != version:
        raise TypeError(f"entry point {name!r} of group {GROUP} offers version {game.version} of {id}")
    return game


def origin(game: AnyGame) -> str:
    """What offers a game that was loaded, as `module:name`."""
    pinned = f"{game.id}{AT}{game.version}"
    (entry,) = _entries()[pinned if pinned in _entries() and load(game.id) is not game else game.id]
    return entry.value


@cache
def _loaded(name: str) -> AnyGame:
    entries = _entries().get(name)
    if entries is None:
        raise UnknownGame(name, games())
    if len(entries) > 1:
        raise TypeError(f"several packages offer a game {name!r}: {', '.join(entry.value for entry in entries)}")
    (entry,) = entries
    game = entry.load()
    id = name.partition(AT)[0]
    if not isinstance(game, Game) or game.id != id:
        raise TypeError(f"entry point {entry.value!r} of group {GROUP} is not a Game with the id {id!r}")
    return game


@cache
def _entries() -> dict[str, tuple[EntryPoint, ...]]:
    """Id -> what offers it: one entry point, or several that quarrel and shall not win by chance."""
    found: dict[str, dict[str, EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        found.setdefault(entry.name, {})[entry.value] = entry
    return {name: tuple(entries.values()) for name, entries in found.items()}
