"""One turn carried out, in the order in which its events are told (sections 4 and 8 of the rules document)."""

from __future__ import annotations

from typing import NamedTuple

from games.jarmo import story as told
from games.jarmo.columns import covers, letter, put_under, uncovered
from games.jarmo.ending import ended
from games.jarmo.moves import FLIP, PASSING, PLACE, RECALL, STEP, Move
from games.jarmo.net import CAMPS, NETS, Net
from games.jarmo.state import Board, Points, State, Terms
from games.jarmo.story import Story


class Played(NamedTuple):
    """What an action led to, and its story."""

    state: State
    story: Story


class Table:
    """The board and what lies beside it while one turn is carried out."""

    __slots__ = (
        *("net", "side", "tops", "guards", "gold", "under", "pools", "hands", "camps"),
        *("captured", "entered", "recovered", "story"),
    )
    net: Net
    tops: list[Points]
    pools: tuple[int, int]
    hands: tuple[int, int]
    story: Story

    def __init__(self, state: State) -> None:
        tops, self.guards, self.gold, self.under = state.board
        self.net = NETS[state.terms.variant]
        self.side = state.side
        self.tops = list(tops)
        self.pools, self.hands = state.pools, state.hands
        self.camps = state.camps
        self.captured = self.entered = self.recovered = False
        self.story = []


def play(state: State, move: Move) -> Played:
    """A legal action (JARMO-2.1), and how the game ends if it does. The other side is to move then (JARMO-1.5)."""
    table = Table(state)
    if move.kind == STEP:
        step(table, move)
    elif move.kind == FLIP:
        turn_over(table, move.end, "JARMO-8.3", "JARMO-8.3")
    elif move.kind == PASSING:
        table.story.append(told.PASSED[table.side])  # JARMO-2.4
    if move.how == PLACE:
        place(table, move, placing_rule(table, state.terms, move))
    elif table.recovered:
        table.story.append(told.kept(table.side, table.hands[table.side]))  # JARMO-5.2
    if move.how == RECALL:
        recall(table, move)
    return close(state, table, move)


def close(state: State, table: Table, move: Move) -> Played:
    """The state after the turn; a quiet turn is remembered, any other empties the memory (JARMO-6.3)."""
    side = table.side
    tail = (*state.tail, (state.board, move.text)) if is_quiet(table, move) else ()
    board = Board((table.tops[0], table.tops[1]), table.guards, table.gold, table.under)
    after = State(state.terms, 1 - side, board, table.pools, table.hands, table.camps, state.turn + 1, tail, "")
    end = ended(after, side, move.kind == STEP, table.entered)
    if end:
        after = after._replace(end=end)
        table.story.append(told.ended(after))
    return Played(after, table.story)


def is_quiet(table: Table, move: Move) -> bool:
    """JARMO-6.3: a pass, or a move without capture, without entering the enemy camp and without placing or recall."""
    if move.kind == STEP:
        return not (table.captured or table.entered or move.how)
    return move.kind == PASSING


# --- the move itself ------------------------------------------------------------------------------------------------


def step(table: Table, move: Move) -> None:
    """One of the own pieces goes along one line (JARMO-2.2); the faces change by what it meets there."""
    side, end = table.side, move.end
    guard, golden = leave(table, move)
    if table.tops[1 - side] & end:
        capture(table, end)
        # JARMO-3.2: outside the camp of the captured one. JARMO-3.4: inside it an archer stays an archer.
        # JARMO-3.3: a guard stays a guard. JARMO-10.2: a golden archer is never promoted again.
        if not guard and not golden and not end & CAMPS[1 - side]:
            guard = True
            table.story.append(told.PROMOTED[side, end])
    table.tops[side] |= end
    if guard:
        table.guards |= end
    if golden:
        table.gold |= end
    if end & CAMPS[1 - side]:
        enter(table, end)


def leave(table: Table, move: Move) -> tuple[bool, bool]:
    """The piece is taken from its point; whether it is a guard, and whether it is golden."""
    side, start = table.side, move.start
    guard, golden = table.guards & start, table.gold & start
    table.story.append(told.MOVED[start, move.end, letter(side, guard > 0, golden > 0)])
    table.tops[side] ^= start
    table.guards ^= guard
    table.gold ^= golden
    if table.under and covers(table.under, start):
        table.under, whose = uncovered(table.under, start)  # JARMO-10.4: the piece below is free again at once
        table.tops[whose] |= start
        table.gold |= start
        table.story.append(told.FREED[whose, start])
    return guard > 0, golden > 0


def capture(table: Table, point: Points) -> None:
    """JARMO-3.1: the enemy on top of the point is captured, and only that one (JARMO-10.4)."""
    side, other = table.side, 1 - table.side
    guard, golden = table.guards & point, table.gold & point
    fate = fate_of(table, guard > 0, golden > 0)
    table.story.append(told.CAPTURED[letter(other, guard > 0, golden > 0), point, fate])
    table.captured = True
    table.tops[other] ^= point
    table.guards ^= guard
    table.gold ^= golden
    if (point, side) in table.under:
        table.story.append(told.SAVED[side, point])  # JARMO-10.5: the saver stands on it
    if fate == "hostage":
        table.under = put_under(table.under, point, other)  # JARMO-10.3, JARMO-10.6
    elif fate == "pool":
        table.pools = plus(table.pools, other, 1)
    elif fate == "hand":
        table.hands = plus(table.hands, other, 1)


def fate_of(table: Table, guard: bool, golden: bool) -> str:
    """Where a captured soldier goes; JARMO-10.3 comes before the rules of the variants."""
    if golden:
        return "hostage" if guard else "out"  # JARMO-10.3
    variant = table.net.variant
    return variant.captured_guard if guard else variant.captured_archer  # JARMO-3.1, JARMO-9.5, JARMO-9.6


def enter(table: Table, point: Points) -> None:
    """JARMO-4.1: it will never move again. A guard is turned over (JARMO-4.2), unless that is left to its side."""
    table.entered = True
    table.story.append(told.ENTERED[table.side, point])
    if table.guards & point and table.net.demotes:
        turn_over(table, point, "JARMO-4.2", "JARMO-4.3")


def turn_over(table: Table, point: Points, rule: str, recovering: str) -> None:
    """A guard in the enemy camp becomes an archer, and a soldier goes from pool to hand; this is not optional."""
    side = table.side
    table.guards ^= point
    table.story.append(told.turned_over(side, point, bool(table.gold & point), rule))
    if table.pools[side]:
        table.pools = plus(table.pools, side, -1)
        table.hands = plus(table.hands, side, 1)
        table.recovered = True
        table.story.append(told.recovered(side, table.pools[side], recovering))


# --- what is added to it, or stands alone ---------------------------------------------------------------------------


def place(table: Table, move: Move, rule: str) -> None:
    """JARMO-5.1: a soldier of the hand comes, as an archer, on an empty point of the own camp."""
    side = table.side
    table.tops[side] |= move.at
    table.hands = plus(table.hands, side, -1)
    table.story.append(told.placed(side, move.at, table.hands[side], rule))


def placing_rule(table: Table, terms: Terms, move: Move) -> str:
    """The paragraph that allows this placing."""
    if table.recovered:
        return "JARMO-5.2"  # a soldier just recovered
    if terms.late == "turn":
        return "JARMO-5.4"  # the whole turn
    return "JARMO-5.3" if move.kind == STEP else "JARMO-5.5"  # as part of a turn; or alone, without a legal move


def recall(table: Table, move: Move) -> None:
    """JARMO-11.2: a soldier of the pool comes as an archer on the own camp; the markers go (JARMO-11.3)."""
    side = table.side
    table.tops[side] |= move.at
    table.pools = plus(table.pools, side, -1)
    table.story += (told.recalled(side, move.at), told.camps_removed(table.camps))
    table.camps = 0


def plus(pair: tuple[int, int], side: int, number: int) -> tuple[int, int]:
    return (pair[0] + number, pair[1]) if side == 0 else (pair[0], pair[1] + number)
