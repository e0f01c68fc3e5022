"""A board as tables, made once: every move there can be, and what each of them touches.

The tables only gather what the rules say of single squares, so that carrying out a move takes a few look-ups.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine import Event
from engine.boards.squares import Cell, Mask
from games.hasami_shogi.moves import Move
from games.hasami_shogi.state import GREEN, RED
from games.hasami_shogi.variants import CORNERS, DATA, LINE, ROWS, SQUARES, VARIANTS, Variant

Story = tuple[Event, ...]
Ray = tuple[Mask, ...]
"""Single squares, one after the other, away from a square that is not among them."""
Step = tuple[int, int]
"""A direction as (x east, y south)."""

SAMURAI, SHOGUN = "samurai", "shogun"
CELLS: Mapping[Mask, Cell] = {1 << cell: cell for cell in SQUARES.cells}
NAME: Mapping[Mask, str] = {bit: SQUARES.names[cell] for bit, cell in CELLS.items()}
BIT: Mapping[str, Mask] = {name: bit for bit, name in NAME.items()}


def _steps(name: str) -> tuple[Step, ...]:
    """The data counts rows from the south."""
    return tuple((files, -rows) for files, rows in DATA["board"][name])


STRAIGHT = _steps("orthogonal")  # HASAMI-2.1
DIAGONAL = _steps("diagonal")


def ray(square: Mask, step: Step) -> Ray:
    return tuple(1 << cell for cell in SQUARES.ray(CELLS[square], step, ROWS))


RAYS: Mapping[Mask, tuple[Ray, ...]] = {bit: tuple(ray(bit, step) for step in STRAIGHT) for bit in NAME}
NEAR: Mapping[Mask, Mask] = {bit: SQUARES.beside(bit) for bit in NAME}


def _moves() -> Iterator[tuple[Move, Mask]]:
    """Every move along a line, and the squares between its start and its end."""
    for start, name in NAME.items():
        for step in STRAIGHT + DIAGONAL:
            between = 0
            for end in ray(start, step):
                yield Move(f"{name}-{NAME[end]}", start, end), between
                between |= end


BETWEEN: Mapping[Move, Mask] = dict(_moves())
MOVES: Mapping[str, Move] = {move.text: move for move in BETWEEN}
"""Every move along a line, by its text. Both variants and both sides share them."""


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """What a variant knows about one move before anybody makes it."""

    start: Mask
    end: Mask
    span: Mask
    """Start and end: a piece that makes the move changes both."""
    over: Mask
    """The square in the middle of a move over two squares: such a move is a jump when it is taken (HASAMI-4.3)."""
    near: Mask
    rays: tuple[Ray, ...]
    """From the end, the four straight directions, in which it may capture (HASAMI-5.1)."""
    corner: Mask
    """A corner beside the end, where corners are captured (HASAMI-8.3)."""
    partner: Mask
    """The corner's other neighbour."""
    lines: tuple[Mask, ...]
    """The lines through the end that have room for five (HASAMI-7.1), as far as they lie on the battlefield."""
    leaves: bool
    """Whether a move of that kind leaves a camp, and that is progress (HASAMI-7.3)."""
    slid: tuple[Story, Story]
    """The story of a slide of a Samurai, and of a Shogun."""
    jumped: tuple[Story, Story]
    green_key: int
    """What the move changes in the trail when green makes it. The lowest bit is the side to move."""
    red_key: int
    shogun_key: int
    """And besides when a Shogun makes it."""


# Where a piece stands is written into the trail in three places: for green, for red, and again if it is a Shogun.
_WIDTH = SQUARES.whole.bit_length()
PASS_KEY = 1


class Board:
    """The ways of one variant, by the text of their moves."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.camps: Mask = variant.camps[GREEN] | variant.camps[RED] if variant.camps_closed else 0
        self.always_open: Mask = SQUARES.whole & ~self.camps
        """Where no camp keeps a piece from going."""
        self.fives: tuple[Mask, ...] = tuple(_fives(variant)) if variant.five_wins else ()
        self._lines = _lines(variant.battlefield, self.fives)
        self._corners = dict(_corners()) if variant.corner_capture else {}
        self.corners: Mask = SQUARES.mask(CORNERS) if variant.corner_capture else 0
        self.ways: Mapping[str, Way] = {move.text: self._way(move) for move in MOVES.values()}

    def is_open(self, start: Mask, end: Mask) -> bool:
        """Whether the camps let a piece go from there to there; only the end counts (HASAMI-4.7).

        Whose piece it is need not be asked: one that stands in a camp has never left its own.
        """
        if not end & self.camps:
            return True  # HASAMI-8.2: in the war game no camp is closed
        return any(start & camp and end & camp for camp in self.variant.camps.values())  # HASAMI-4.5, HASAMI-4.6

    def _way(self, move: Move) -> Way:
        start, end = move.start, move.end
        corner, partner = self._corners.get(end, (0, 0))
        over = BETWEEN[move] if BETWEEN[move].bit_count() == 1 else 0
        leaves = bool(start & self.camps and not end & self.camps)
        return Way(
            start=start,
            end=end,
            span=start | end,
            over=over,
            near=NEAR[end],
            rays=tuple(found for found in RAYS[end] if len(found) > 1),
            corner=corner,
            partner=partner,
            lines=tuple(line for line in self._lines if line & end),
            leaves=leaves,
            slid=_told(start, 0, end, leaves),
            jumped=_told(start, over, end, leaves) if over else ((), ()),
            green_key=(start | end) << 1 | PASS_KEY,
            red_key=(start | end) << _WIDTH + 1 | PASS_KEY,
            shogun_key=(start | end) << 2 * _WIDTH + 1,
        )


def _told(start: Mask, over: Mask, end: Mask, leaves: bool) -> tuple[Story, Story]:
    """What is told of a move, by a Samurai and by a Shogun; made once, for the facts are always the same."""
    left = (Event("left_camp", "HASAMI-4.5", {"to": NAME[end]}),) if leaves else ()
    return _moved(SAMURAI, start, over, end) + left, _moved(SHOGUN, start, over, end) + left


def _moved(piece: str, start: Mask, over: Mask, end: Mask) -> Story:
    if over:
        rule = "HASAMI-4.3" if piece == SAMURAI else "HASAMI-9.2"
        facts = {"piece": piece, "from": NAME[start], "over": NAME[over], "to": NAME[end]}
        return (Event("jumped", rule, facts),)
    rule = "HASAMI-4.2" if piece == SAMURAI else "HASAMI-9.2"
    return (Event("moved", rule, {"piece": piece, "from": NAME[start], "to": NAME[end]}),)


def _fives(variant: Variant) -> Iterator[Mask]:
    """HASAMI-7.1: five neighbouring squares of the battlefield, in the order in which a win looks for them."""
    for start in NAME:
        for step in ((1, 0), (0, 1), (1, 1), (-1, 1)):  # right, down, down-right, down-left
            squares = start | sum(ray(start, step)[: LINE - 1])
            if squares.bit_count() == LINE and not squares & ~variant.battlefield:
                yield squares


def _lines(battlefield: Mask, fives: tuple[Mask, ...]) -> tuple[Mask, ...]:
    """Every whole line that has room for five, as far as it lies on the battlefield."""
    found = dict.fromkeys(
        (start | sum(ray(start, (x, y))) | sum(ray(start, (-x, -y)))) & battlefield
        for start in NAME
        for x, y in ((1, 0), (0, 1), (1, 1), (-1, 1))
    )
    return tuple(line for line in found if any(five & line == five for five in fives))


def _corners() -> Iterator[tuple[Mask, tuple[Mask, Mask]]]:
    """HASAMI-8.3: beside a corner -> the corner, and its other neighbour."""
    for corner, (one, two) in CORNERS.items():
        yield BIT[one], (BIT[corner], BIT[two])
        yield BIT[two], (BIT[corner], BIT[one])


BOARDS: Mapping[str, Board] = {key: Board(variant) for key, variant in VARIANTS.items()}
