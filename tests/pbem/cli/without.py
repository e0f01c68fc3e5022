"""A package of rules that is not there any more, or is broken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint

from engine import registry


@contextmanager
def without_rules(game: str) -> Iterator[None]:
    """The registry as it is once that game's package is removed."""
    with _registry({name: found for name, found in registry._entries().items() if name != game}):
        yield


@contextmanager
def broken_rules(game: str) -> Iterator[None]:
    """The registry with a package besides whose import fails."""
    entry = EntryPoint(game, "tests.pbem.cli.broken:GAME", registry.GROUP)
    with _registry({**registry._entries(), game: (entry,)}):
        yield


@contextmanager
def _registry(entries: dict[str, tuple[EntryPoint, ...]]) -> Iterator[None]:
    found = registry._entries
    registry._loaded.cache_clear()
    registry._entries = lambda: entries  # type: ignore[assignment]
    try:
        yield
    finally:
        registry._entries = found  # type: ignore[assignment]
        registry._loaded.cache_clear()
