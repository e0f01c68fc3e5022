"""What all commands share: the session with its host, common options, and groups that know the nearest name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.cli.completing import hosted_games

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.config import Config
    from pbem.ledger import Ledger

LONGEST_REASON = 2000
F = TypeVar("F", bound=Callable[..., Any])


def as_json(command: F) -> F:
    """The option `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of words.")(command)


def at_time(command: F) -> F:
    """The option `--now`, for referees, tests and demonstrations."""
    help = "Take this instant for the present, such as 2026-11-18T20:00Z."
    return click.option("--now", metavar="ISO", help=help)(command)


def game_named(command: F) -> F:
    """The argument NAME: a game of this host."""
    return click.argument("name", shell_complete=hosted_games)(command)


def reasoned(command: F) -> F:
    """The option `--reason`, without which there is no ruling."""
    help = "Why; it goes into the journal."
    return click.option("--reason", required=True, callback=_words, help=help)(command)


def _words(ctx: click.Context, option: click.Parameter, value: str) -> str:
    if not value.strip():
        raise click.UsageError("--reason must say something: it goes into the journal.", ctx)
    if len(value) > LONGEST_REASON:
        raise click.UsageError(f"--reason has {len(value)} letters; its players read {LONGEST_REASON} at most.", ctx)
    return value.strip()


def whole(least: int = 0, most: int = 1_000_000) -> Callable[[str], int]:
    """A type of parameter: a whole number between two bounds, both included."""

    def number(text: str) -> int:
        digits = str(text)
        if digits.isascii() and digits.isdigit() and len(digits) < 12 and least <= int(digits) <= most:
            return int(digits)
        raise click.BadParameter(f"{digits!r} is not a whole number from {least} to {most}.")

    return number


def digest(text: str) -> str:
    """A type of parameter: 32 bytes, written as 64 hexadecimal digits."""
    if not re.fullmatch("[0-9a-fA-F]{64}", text.strip()):
        raise click.BadParameter(f"{text!r} is not made of 64 hexadecimal digits.")
    return text.strip().lower()


class Group(click.Group):
    """A group that names the nearest command when there is none of that name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from difflib import get_close_matches

        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-") and not ctx.resilient_parsing:
            near = get_close_matches(name, known, 1, 0.5)
            hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(known)}."
            raise click.UsageError(f"There is no command {name!r}{hint}", ctx)
        return super().resolve_command(ctx, args)


class Session:
    """One call of the program: which host it is for."""

    def __init__(self, config: str | None = None) -> None:
        self.given = config

    @cached_property
    def config(self) -> Config:
        from pbem.config import find, load

        return load(find(self.given))

    def folder(self) -> Path | None:
        """The host's folder, even when its pbem.toml cannot be read; None where there is no host."""
        from pbem.config import find
        from pbem.errors import Trouble

        try:
            return find(self.given).parent
        except (Trouble, OSError):
            return None

    @contextmanager
    def ledger(self, *, renders: bool = False) -> Iterator[Ledger]:
        """The host's ledger, checked as it is opened. A command that `renders` keeps its templates compiled."""
        from pbem.ledger import Ledger

        if renders:
            from pbem.reports.environment import keep_bytecode

            with suppress(OSError):  # a folder that cannot be written to is told of when something must be
                keep_bytecode(self.config.folder / ".templates")
        ledger = Ledger.open(self.config.place)
        try:
            yield ledger
        finally:
            ledger.close()


pass_session = click.make_pass_decorator(Session)


def whoever() -> str:
    """Who sits at this terminal, for rows that say who looked. The system knows; $LOGNAME says what one likes."""
    from pwd import getpwuid

    try:
        return getpwuid(os.getuid()).pw_name
    except KeyError:  # a container may run as a number without a name
        return f"user {os.getuid()}"


def moment(now: str | None) -> datetime:
    """The instant a command works at: the one named, else the clock's."""
    from pbem import clock

    return clock.read_instant(now) if now is not None else clock.system()
