"""The command line: one file per command, imported only when it is called, so that `pbem --help` answers at once."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from pbem import __version__, errors
from pbem.cli.failing import answer
from pbem.cli.frame import Group, Session
from pbem.cli.output import last_flush, settle_streams

# Name -> (module, function, one line of help). The help stands here so that listing commands imports none of them.
COMMANDS: dict[str, tuple[str, str, str]] = {
    "init": ("hosting", "init", "Make a working host in a folder."),
    "games": ("games", "games", "List the games that can be played, with their options."),
    "rules": ("games", "rules", "Print the rules of a game for its players."),
    "player": ("players", "player", "Register players, look at them, change or forget them."),
    "new": ("hosting", "new", "Start a game."),
    "nonce": ("nonce", "nonce", "Make a player's secret text for the dice, and its SHA-256."),
    "opening": ("openings", "opening", "Games that wait for their players."),
    "match": ("matches", "match", "Matches and series: several games, one after another."),
    "check": ("orders", "check", "Read and check orders, storing nothing."),
    "submit": ("orders", "submit", "Store orders and print the receipt."),
    "fetch": ("arriving", "fetch", "Collect what has come: dropped files and mails."),
    "receive": ("arriving", "receive", "Take one mail on standard input."),
    "listen": ("arriving", "listen", "Take mails by LMTP from a mail server on this machine."),
    "nightly": ("night", "nightly", "Do the night's work: collect, resolve, report, deliver."),
    "deliver": ("night", "deliver", "Send what waits in the outbox."),
    "remind": ("night", "remind", "Remind players whose orders are missing."),
    "report": ("show", "report", "Print a report again."),
    "site": ("site", "site", "Write a static site of all games."),
    "status": ("status", "status", "Show all games: whose turn, who is late, what waits."),
    "show": ("show", "show", "Show one game."),
    "forecast": ("forecast", "forecast", "Tell the next deadlines, also as a calendar file."),
    "audit": ("audit", "audit", "The referee's tools."),
    "quarantine": ("quarantine", "quarantine", "Messages that were set aside: look, and try again."),
    "referee": ("referee", "referee", "Rulings, all of them journalled."),
    "demo": ("demo", "demo", "Play whole games through the real path and show the reports."),
    "doctor": ("care", "doctor", "Check the host's health; rebuild what can be rebuilt."),
    "backup": ("care", "backup", "Copy the ledger while it is in use."),
    "restore": ("care", "restore", "Put a backup in the ledger's place."),
    "migrate-to": ("moving", "migrate_to", "Move the ledger into a PostgreSQL database."),
    "worker": ("worker", "worker", "Take part in the nights of a cluster."),
    "engine": ("engine", "engine", "Answer programs about a game: JSON lines in and out."),
    "bench": ("bench", "bench", "Measure this machine: engines, intake, night."),
}


COMPLETE = "_PBEM_COMPLETE"  # by this variable a shell asks what could come next


class Lazy(Group):
    """A group that imports a command's module when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, function, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"pbem.cli.{module}"), function)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, help) for name, (_, _, help) in COMMANDS.items()])


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--config", metavar="FILE", help="The host's pbem.toml; else $PBEM_CONFIG, else this folder or one above."
)
@click.version_option(__version__, prog_name="pbem")
@click.pass_obj
def pbem(session: Session, config: str | None) -> None:
    """Host board games by e-mail: orders in, reports out, and a ledger a referee can trust.

    Exit codes: 0 done; 1 the answer is no (orders refused, a check failed, a game was halted); 2 wrong usage; 3 the
    folder, ledger or name cannot be used; 4 another run is at work; 5 true as far as it could be checked: rules, a
    key or a newer file are wanting; 70 a fault of pbem; 75 not stored, try again; 130 stopped by Ctrl-C.
    """
    session.given = config


def main(args: list[str] | None = None) -> None:
    """The entry point: expected failures are one sentence and an exit code, never a traceback."""
    settle_streams()
    code = run(sys.argv[1:] if args is None else args)
    last_flush()
    sys.exit(code)


def run(args: list[str]) -> int:
    """One command; gives its exit code."""
    session = Session()
    try:
        if asked := os.environ.get(COMPLETE):
            from click.shell_completion import shell_complete

            return shell_complete(pbem, {"obj": session}, "pbem", COMPLETE, asked)
        for arg in () if _holds_a_mail(args) else args:  # a sender may call himself what he likes
            _check_text(arg)
        with pbem.make_context("pbem", list(args), obj=session) as context:
            code: Any = pbem.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except BaseException as failure:  # Ctrl-C, too
        told = answer(failure, session.folder)
        return errors.TRY_AGAIN if _holds_a_mail(args) else told
    return code if isinstance(code, int) else errors.OK


def _holds_a_mail(args: list[str]) -> bool:
    """Whether a mail server has handed a mail to this command: it gives the mail up for every code it does not know."""
    rest = iter(args)
    for arg in rest:
        if arg == "--config":
            next(rest, None)
        elif not arg.startswith("-"):
            return arg == "receive"
    return False


def _check_text(arg: str) -> None:
    """Bytes that are no text may name a file that is there, and nothing else."""
    try:
        arg.encode()
    except UnicodeEncodeError:
        if not Path(arg).exists():
            raise click.UsageError(f"{arg!a} is not UTF-8 text.") from None
