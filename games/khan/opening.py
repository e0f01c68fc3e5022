"""The set-up: leaders, special cards, the first seat (KHAN-2), and the order of the initial yurts (KHAN-3.1)."""

from __future__ import annotations

from engine import Dice, Turned
from engine.boards.squares import Cell
from games.khan.material import BOARD, COURT, LAND, LEADERS, NAMES, ROUNDS, SEATS, cells_of, dealt_specials
from games.khan.options import Options
from games.khan.playing import run
from games.khan.state import NO_STANDING, PLACE, PLACEMENT, State
from games.khan.telling import Telling

FARTHEST = 4


def setup(options: Options, dice: Dice) -> Turned:
    """KHAN-2: everything up to the first initial yurt."""
    leaders = _scattered(dice) if options.leader_setup == "random" else options.start_cells  # KHAN-2.5
    first = SEATS.index(first_seat(options, dice))
    telling = Telling(at_start(options, leaders, first), dice)
    chosen = {"leader_setup": options.leader_setup, "first_seat": options.first_seat}
    where = {leader.id: NAMES[cell] for leader, cell in zip(LEADERS, leaders, strict=True)}
    telling.tell("setup", "KHAN-2.1", players=options.players, options=chosen, leaders=where)
    telling.tell("first_seat", "KHAN-2.6", seat=SEATS[first])
    run(telling)
    return telling.turned()


def first_seat(options: Options, dice: Dice) -> str:
    """KHAN-2.6: drawn evenly (KHAN-16.2: without a call where there is one choice), unless the option names it."""
    return dice.choice(options.seats, "first seat") if options.first_seat == "random" else options.first_seat


def _scattered(dice: Dice) -> tuple[Cell, ...]:
    """KHAN-2.5, `random`: leader by leader, at least four king's steps from the others, or as far as there is room."""
    placed: list[Cell] = []
    for leader in LEADERS:
        placed.append(dice.choice(_far_from(placed), f"start of {leader.id}"))
    return tuple(placed)


def _far_from(placed: list[Cell]) -> tuple[Cell, ...]:
    taken = sum(1 << cell for cell in placed)
    for distance in range(FARTHEST, 0, -1):
        near = taken
        for _ in range(distance - 1):
            near = BOARD.around(near)
        if LAND & ~near:
            return cells_of(LAND & ~near)
    raise AssertionError("eight leaders always find room on 132 cells")


def placement_order(players: int, first: int) -> tuple[int, ...]:
    """KHAN-3.1: clockwise from the first seat, three, two or one times round."""
    return tuple((first + step) % players for step in range(players * ROUNDS[players]))


def at_start(options: Options, leaders: tuple[Cell, ...], first: int) -> State:
    """Full courts (KHAN-2.2), all shapes in the supply (KHAN-2.3), special cards dealt (KHAN-2.4), no hands yet."""
    players = options.players
    return State(
        options=options,
        phase=PLACEMENT,
        point=PLACE,
        seat=first,
        own_turn=(0,) * players,
        first=first,
        todo=placement_order(players, first),
        yurts=(0,) * (players + 1),
        leaders=leaders,
        courts=(COURT,) * len(LEADERS),
        specials=(dealt_specials(players),) * players,
        active=(None,) * players,
        reserved=(None,) * players,
        last_special=((0, 0),) * players,
        hands=((),) * players,
        standing=(NO_STANDING,) * players,
    )
