"""Set-up: who has green, and the position the game starts from (HASAMI-3, HASAMI-8.1, HASAMI-9.1)."""

from __future__ import annotations

from engine import Dice, Event, Turned
from games.hasami_shogi.options import Options
from games.hasami_shogi.state import BEGIN, GREEN, RED, State, Terms
from games.hasami_shogi.variants import VARIANTS


def new_game(options: Options, dice: Dice) -> Turned:
    """HASAMI-3.2: the sides are drawn, 0 gives green to seat 1, or they are as the options say."""
    drawn = options.green == "random"
    green = ("1", "2")[dice.pick(2, "sides")] if drawn else options.green
    story = (
        Event("sides", "HASAMI-3.2", {"green": green, "how": "drawn" if drawn else "chosen"}),
        Event("game_started", "HASAMI-3.1", {}),
    )
    return Turned(start(options, Terms(options.variant, green, options.quiet_limit)), story)


def start(options: Options, terms: Terms) -> State:
    """HASAMI-3.1: a piece on every square of each camp; HASAMI-8.1: in the war game these are 9."""
    variant = VARIANTS[terms.variant]
    return State(
        terms=terms,
        turn=GREEN,  # HASAMI-3.3: green begins
        green=variant.camps[GREEN],
        red=variant.camps[RED],
        shoguns=variant.shogun_start[options.shogun],  # HASAMI-9.1: each takes the place of a Samurai
        memory=(),
        trail=BEGIN,
    )
