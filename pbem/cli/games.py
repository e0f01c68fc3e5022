"""`pbem games` and `pbem rules`: what can be played here, with which options, and by which rules."""

from __future__ import annotations

import click

from pbem.cli.completing import installed_games
from pbem.cli.frame import as_json
from pbem.cli.output import emit, page_through, say


@click.command()
@click.argument("game", required=False, shell_complete=installed_games)
@as_json
def games(game: str | None, as_json: bool) -> None:
    """List the installed games, or the options of one GAME."""
    from engine import games as installed
    from pbem.rulebook import Entry, NoRules, entry

    entries: list[Entry] = []
    for name in (game,) if game else installed():
        try:
            entries.append(entry(name))
        except NoRules as broken:
            if game:
                raise
            say(f"pbem: {broken}", err=True)  # one package that is broken does not hide the others
    if as_json:
        emit([one.to_json() for one in entries])
        return
    for one in entries:
        say(f"{one.id}  {one.title}  ({one.seats})")
        for option in one.options:
            say(f"    {option.name}: {option.values}  [{option.default}]")
            if game and option.help:
                say(f"        {option.help}")
    if not game:
        say()
        say("`pbem rules GAME` prints a game's rules; `pbem new GAME --name NAME --seat 1=PLAYER ...` starts one.")


@click.command()
@click.argument("game", shell_complete=installed_games)
@click.option("--lang", default="en", metavar="LANG", help="The reader's language (en, fr, it).")
@as_json
def rules(game: str, lang: str, as_json: bool) -> None:
    """Print the rules of GAME for its players."""
    from pbem.rulebook import player_rules

    text, spoken = player_rules(game, lang)
    if spoken != lang:
        say(f"pbem: These rules are not written in {lang!r} yet; here they are in {spoken!r}.", err=True)
    if as_json:
        emit({"game": game, "lang": spoken, "text": text})
    else:
        page_through(text)
