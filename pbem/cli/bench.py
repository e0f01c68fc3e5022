"""`pbem bench`: what this machine can do."""

from __future__ import annotations

import click

from pbem.cli.frame import as_json
from pbem.cli.output import emit, say


@click.command()
@click.option("--games", "count", default=200, show_default=True, help="How many games fall due in the night measured.")
@click.option("--seconds", default=2.0, show_default=True, help="How long each game is played at random.")
@as_json
def bench(count: int, seconds: float, as_json: bool) -> None:
    """Measure random play of every game, and a night of games that are all due."""
    from engine import games, load
    from pbem import bench as measure

    speeds, nights = [], []
    for game in games():
        for options in load(game).showcase:
            speeds.append(measure.random_play(game, dict(options), seconds))
            say(f"random play  {speeds[-1].what}: {speeds[-1].rate:,.0f} decisions a second", err=as_json)
    for game in games():
        with measure.host() as (config, ledger):
            measure.start_games(config, ledger, game, dict(load(game).showcase[0]), count)
            measure.one_night(config, ledger, 0)
            summary, took = measure.one_night(config, ledger, 1)
        reports = summary.mails.get("sent", 0)
        nights.append({"game": game, "games": count, "turns": summary.turns, "reports": reports, "seconds": took})
        say(f"night  {game}: {summary.turns / took:,.0f} turns, {reports / took:,.0f} reports a second", err=as_json)
    if as_json:
        emit({"random_play": [speed.to_json() for speed in speeds], "nights": nights})
