"""`pbem bench`: what this machine can do."""

from __future__ import annotations

import click

from pbem.cli.completing import installed_games
from pbem.cli.frame import as_json, whole
from pbem.cli.output import emit, say


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=installed_games)
@click.option(
    "--games", "count", type=whole(1), default=200, show_default=True, help="How many fall due in the night measured."
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 600),
    default=2.0,
    show_default=True,
    help="How long each game is played at random.",
)
@as_json
def bench(games: tuple[str, ...], count: int, seconds: float, as_json: bool) -> None:
    """Measure random play of every GAME (all, unless some are named), and nights of games that are due."""
    from engine import games as installed
    from pbem import bench as measure
    from pbem.rulebook import known

    rules = [known(game) for game in games or installed()]
    speeds, nights = [], []
    for one in rules:
        for options in one.showcase:
            speeds.append(measure.random_play(one.id, dict(options), seconds))
            say(f"random play  {speeds[-1].what}: {speeds[-1].rate:,.0f} decisions a second", err=as_json)
    for one in rules:
        with measure.host() as (config, ledger):
            measure.start_games(config, ledger, one.id, dict(one.showcase[0]), count)
            measure.one_night(config, ledger, 0)
            summary, took = measure.one_night(config, ledger, 1)
        reports = summary.mails.get("sent", 0)
        nights.append({"game": one.id, "games": count, "turns": summary.turns, "reports": reports, "seconds": took})
        say(f"night  {one.id}: {summary.turns / took:,.0f} turns, {reports / took:,.0f} reports a second", err=as_json)
    if as_json:
        emit({"random_play": [speed.to_json() for speed in speeds], "nights": nights})
