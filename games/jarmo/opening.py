"""Set-up: an archer on each camp point; golden soldiers (JARMO-10.1) and markers (JARMO-11.1) as the options say."""

from __future__ import annotations

from engine import Event, Turned
from games.jarmo.net import BIT, CAMPS, names_of, set_of
from games.jarmo.options import Options
from games.jarmo.state import GREEN, Board, State, Terms
from games.jarmo.variants import DATA


def opening(options: Options) -> Turned:
    camps = set_of(options.camp_points)
    state = State(
        terms=Terms(options.variant, options.late, options.limit),
        side=GREEN,  # JARMO-1.5
        board=first_board(options.golden),
        pools=(0, 0),  # JARMO-1.4
        hands=(0, 0),
        camps=camps,
        turn=0,
        tail=(),
        end="",
    )
    facts = {
        "variant": options.variant,
        "golden": options.golden,
        "camps": list(names_of(camps)),
        "late": options.late,
        "limit": options.limit,
    }
    return Turned(state, (Event("started", "JARMO-1.4", facts),))


def first_board(golden: bool) -> Board:
    """JARMO-10.1: each side's right-hand archer is replaced by its golden soldier, which starts as a guard."""
    corners = DATA["setup"]["golden"]
    gold = BIT[corners["green"]] | BIT[corners["blue"]] if golden else 0
    return Board(tops=CAMPS, guards=gold, gold=gold, under=())
