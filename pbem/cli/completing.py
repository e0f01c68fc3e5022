"""What a shell may complete beyond commands: installed games, games that are played, time zones. Cheap, and silent."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing, suppress
from typing import Any

import click

_plain = re.compile(r"[\w@.+/-]+", re.ASCII)


def installed_games(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The games whose rules are installed."""
    from engine import games

    return _fitting(games(), incomplete)


def hosted_games(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The games of this host."""
    return _names(ctx, "game", incomplete)


def hosted_matches(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The matches of this host."""
    return _names(ctx, "match", incomplete)


def _names(ctx: click.Context, table: str, incomplete: str) -> list[str]:
    """Names, read past the program: opening the ledger properly takes longer than a key press."""
    from pbem.config import find, load
    from pbem.errors import Trouble

    with suppress(Trouble, OSError, sqlite3.Error):
        path = load(find(_config_given(ctx))).ledger
        name = str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        with closing(sqlite3.connect(f"file:{name}?mode=ro", uri=True, timeout=0.2)) as ledger:
            rows = ledger.execute(f'SELECT name FROM "{table}" ORDER BY name')
            return _fitting([row[0] for row in rows], incomplete)
    return []


def zones(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Time zones."""
    from zoneinfo import available_timezones

    return _fitting(sorted(available_timezones()), incomplete)


def _config_given(ctx: click.Context) -> str | None:
    given: str | None = ctx.find_root().params.get("config")
    return given


def _fitting(names: Any, incomplete: str) -> list[str]:
    """Return the names that begin so. A shell puts them on its line: none that is not a plain word is offered."""
    return [name for name in names if name.startswith(incomplete) and _plain.fullmatch(name)]
