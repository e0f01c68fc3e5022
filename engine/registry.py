"""The registry: games are found by the entry-point group `pbem.games`, so anybody's package can add one."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from engine.game import Game

GROUP = "pbem.games"
AnyGame = Game[Any, Any]


class UnknownGame(LookupError):
    """No installed package offers a game of that name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        near = get_close_matches(name.lower(), known, 1, 0.5)
        hint = f" Did you mean {near[0]}?" if near else ""
        super().__init__(f"There is no game {name!r}.{hint} Installed: {', '.join(known) or 'none'}.")
        self.name, self.known = name, known


def games() -> tuple[str, ...]:
    """The ids of all installed games, in alphabetical order."""
    return tuple(sorted(_entries()))


@cache
def load(name: str) -> AnyGame:
    """The game of that id. It is imported now, and only it."""
    entries = _entries().get(name)
    if entries is None:
        raise UnknownGame(name, games())
    if len(entries) > 1:
        raise TypeError(f"several packages offer a game {name!r}: {', '.join(entry.value for entry in entries)}")
    (entry,) = entries
    game = entry.load()
    if not isinstance(game, Game) or game.id != name:
        raise TypeError(f"entry point {entry.value!r} of group {GROUP} is not a Game with the id {name!r}")
    return game


@cache
def _entries() -> dict[str, tuple[EntryPoint, ...]]:
    """Id -> what offers it: one entry point, or several that quarrel and shall not win by chance."""
    found: dict[str, dict[str, EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        found.setdefault(entry.name, {})[entry.value] = entry
    return {name: tuple(entries.values()) for name, entries in found.items()}
