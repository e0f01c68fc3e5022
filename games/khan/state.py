"""The state: all that the rules may ask about (KHAN-22). Seats, cells, leaders, cards, shapes are numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.boards.squares import Cell, Mask
from games.khan.material import BLACK, BOARD, LAND, LAST_LEADER, LEADERS, RIVER, SEATS, SHAPES
from games.khan.options import Options

NOWHERE: Cell = -1
NOBODY = -1
ASK, ALWAYS, NEVER, SKIP, AGREE, REFUSE = "ask", "always", "never", "skip", "agree", "refuse"

PLACEMENT, PLAY, FINAL, OVER = "placement", "play", "final", "over"  # phases
PLACE, SPECIAL, THIRD, CONSENT = "place", "special", "third", "consent"  # points
ACTION_1, ACTION_2, CONQUER_1, CONQUER_2 = "action 1", "action 2", "conquer 1", "conquer 2"
ACTIONS = (ACTION_1, ACTION_2, THIRD)
CONQUESTS = (CONQUER_1, CONQUER_2)


class Laid(NamedTuple):
    """A shape on the board: which, where, whose, and since which turn."""

    shape: int
    mask: Mask
    owners: tuple[int, ...]
    turn: int


class Active(NamedTuple):
    """A special card with a yurt on it: protection, or gods with its region when four play (KHAN-9.4, KHAN-9.5)."""

    card: int
    region: str = ""


class Needed(NamedTuple):
    """A seat whose consent a proposal needs, and its answer once it has one."""

    seat: int
    answer: str = ""


class Proposal(NamedTuple):
    """A conquest announced and not yet allowed (KHAN-10.1); `back` is the point it was announced at."""

    shape: int
    mask: Mask
    need: tuple[Needed, ...]
    back: str


class Standing(NamedTuple):
    """Standing instructions (KHAN-17.2): the general answer, those for single asking seats (seat order), step 4."""

    consent: str = ASK
    to: tuple[str, ...] = ("",) * len(SEATS)
    special: str = ASK

    def for_asker(self, asker: int) -> str:
        return self.to[asker] or self.consent  # KHAN-17.2: the one for the asking seat wins


NO_STANDING = Standing()


@dataclass(frozen=True, kw_only=True)
class State:
    """One position, secrets included.

    It has no slots: so another state is made of its dictionary (`but`), and a turn is made of many states.
    """

    options: Options
    phase: str
    point: str
    seat: int
    turn: int = 0
    own_turn: tuple[int, ...]
    first: int
    todo: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    yurts: tuple[Mask, ...]
    """By seat; the black ones last."""
    leaders: tuple[Cell, ...]
    courts: tuple[int, ...]
    removed: tuple[int, ...] = ()
    shapes: tuple[Laid, ...] = ()
    supply: tuple[int, ...] = tuple(shape.copies for shape in SHAPES)
    covered: Mask = 0
    """Supply and covered cells follow from the shapes."""
    specials: tuple[tuple[int, int, int, int], ...]
    active: tuple[Active | None, ...]
    reserved: tuple[int | None, ...]
    last_special: tuple[tuple[int, int], ...]
    """Two players: the own turn in which protection and gods were last used, 0 for never."""
    hands: tuple[tuple[int, ...], ...]
    draw: tuple[int, ...] = ()
    discard: tuple[int, ...] = ()
    proposal: Proposal | None = None
    standing: tuple[Standing, ...]

    def but(self, **changes: Any) -> State:
        """The state with these fields changed: what `replace` gives, in a fifth of the time."""
        fields = {**self.__dict__, **changes}
        if len(fields) != len(self.__dict__):
            raise TypeError(f"a state has no {', '.join(sorted(changes.keys() - self.__dict__.keys()))}")
        other = object.__new__(State)
        object.__setattr__(other, "__dict__", fields)
        return other

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def seats(self) -> range:
        return range(len(self.hands))

    @property
    def black(self) -> Mask:
        return self.yurts[-1]

    @property
    def all_yurts(self) -> Mask:
        mask = 0
        for yurts in self.yurts:
            mask |= yurts
        return mask

    @property
    def led(self) -> Mask:
        """The cells where leaders stand."""
        return sum(1 << cell for cell in self.leaders if cell != NOWHERE)

    @property
    def free(self) -> Mask:
        return LAND & ~(self.all_yurts | self.covered | self.led)  # KHAN-1.7

    @property
    def ready(self) -> Mask:
        """The cells a shape could cover: yurts, and the river where no bridge lies (KHAN-7.2, KHAN-7.3)."""
        return self.all_yurts | RIVER & ~self.covered

    @property
    def final_prepared(self) -> bool:
        return len(self.removed) >= LAST_LEADER  # KHAN-12.1

    @property
    def remaining(self) -> tuple[int, ...]:
        """The seats that have not resigned."""
        return tuple(seat for seat in self.seats if seat not in self.gone)

    def next_seat(self, seat: int) -> int:
        return (seat + 1) % self.players  # KHAN-1.8

    def unanswered(self) -> tuple[int, ...]:
        return () if self.proposal is None else tuple(need.seat for need in self.proposal.need if not need.answer)

    def asked(self) -> tuple[int, ...]:
        """The seats that have a decision to make now."""
        if self.phase == OVER:
            return ()
        return self.unanswered() if self.point == CONSENT else (self.seat,)

    def content(self, cell: Cell) -> str:
        """What a cell holds: a colour, a leader, a shape, `free` or `river`."""
        bit = 1 << cell
        for number, yurts in enumerate(self.yurts):
            if yurts & bit:
                return BLACK if number == self.players else SEATS[number]
        if cell in self.leaders:
            return LEADERS[self.leaders.index(cell)].id
        for laid in self.shapes:
            if laid.mask & bit:
                return SHAPES[laid.shape].id
        return "river" if RIVER & bit else "free"


def names(mask: Mask) -> list[str]:
    """The cells of a set as an event tells them."""
    return list(BOARD.names_of(mask))
