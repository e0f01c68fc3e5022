"""Set-up: who has the tigers, and the position every game starts from (BAGH-3, BAGH-8.1, BAGH-9.1)."""

from __future__ import annotations

from engine import Dice, Event, Seat, Turned
from games.bagh_chal.board import BOARDS
from games.bagh_chal.options import Options
from games.bagh_chal.state import GOATS, Score, State, Terms


def first_game(options: Options, dice: Dice) -> Turned:
    """BAGH-3.2: game 1, with roles drawn or as the options say."""
    drawn = options.tigers == "random"
    tigers = draw_roles(dice) if drawn else options.tigers
    story = [roles(1, tigers, "drawn" if drawn else "chosen", "BAGH-3.2"), started(1)]
    return Turned(start(options.terms, Score(1, 0, 0, 0, tigers)), tuple(story))


def draw_roles(dice: Dice) -> Seat:
    """BAGH-3.2, BAGH-10.4: 0 gives the tigers to seat 1, 1 to seat 2."""
    return ("1", "2")[dice.pick(2, "roles")]


def start(terms: Terms, score: Score) -> State:
    """BAGH-3.1: tigers on their start points, all goats in hand, the goats act first."""
    board = BOARDS[terms.variant]
    return State(
        terms=terms,
        score=score,
        turn=GOATS,
        tigers=board.set_of(board.variant.tigers),
        goats=0,
        bouc=0,  # BAGH-9.1: the Bouc waits beside the board
        alpha=board.bit[terms.alpha] if terms.heroes else 0,  # BAGH-9.1: the Alpha replaces one tiger
        hand=board.variant.goats,  # BAGH-8.1: 15 on pulijudam
        captured=0,
        entered=False,
        memory=(),
    )


def roles(game: int, tigers: Seat, how: str, rule: str) -> Event:
    return Event("roles", rule, {"game": game, "tigers": tigers, "how": how})


def started(game: int) -> Event:
    return Event("game_started", "BAGH-3.1", {"game": game})
