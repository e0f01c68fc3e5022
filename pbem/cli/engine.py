"""`pbem engine`: the rules of a game on standard input and output, for programs in any language."""

from __future__ import annotations

import sys

import click

from pbem.cli.completing import installed_games
from pbem.cli.output import emit_text


@click.command()
@click.argument("game", shell_complete=installed_games)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option for every new game.")
def engine(game: str, options: tuple[str, ...]) -> None:
    """Answer requests about GAME, one line of JSON each, until `quit` or the end of the input.

    {"do": "new"} begins; then position, moves, read, play, view, default, choose. Everything about them stands in
    pbem/engine_protocol.md.
    """
    from pbem.cli.hosting import pairs
    from pbem.engine_protocol import Session
    from pbem.rulebook import chosen_options, known

    rules, choices = known(game), pairs("--option", "NAME=VALUE", options)
    chosen_options(rules, choices)  # a wrong option is told at once, not at the first request
    session = Session(rules, choices)
    for raw in sys.stdin.buffer:
        if raw.strip():
            emit_text(session.answer(raw.decode("utf-8", "replace")))
        if session.over:
            return
