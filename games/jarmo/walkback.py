"""The quiet turns of a position line, walked back from the newest, so that the earlier boards are known (section 7)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine import BadPosition
from games.jarmo.columns import put_under
from games.jarmo.moves import PASS
from games.jarmo.net import BIT, OUTSIDE, Net
from games.jarmo.state import SIDES, Board, Points, Quiet, Side

ENTRY = re.compile("([a-e][1-5])-([a-e][1-5])")


def walked_back(net: Net, board: Board, side: Side, texts: Sequence[str]) -> tuple[Quiet, ...]:
    """Each quiet turn with the board it was made on; `side` is to move on this board. BadPosition if that cannot be."""
    tail: list[Quiet] = []
    for text in reversed(texts):
        side = 1 - side
        board = board if text == PASS.text else before(net, board, side, text)
        tail.append((board, text))
    return tuple(reversed(tail))


def before(net: Net, board: Board, side: Side, text: str) -> Board:
    """The board before this quiet move of that side: the piece goes back on top of what stands on its origin."""
    found = ENTRY.fullmatch(text)
    if found is None:
        raise BadPosition(f"{text!r} is not a quiet turn (JARMO-6.3).")
    start, end = BIT[found[1]], BIT[found[2]]
    fault = why_not_back(net, board, side, start, end)
    if fault:
        raise BadPosition(f"{text} cannot have been the move of {SIDES[side]}: {fault} (JARMO-6.3).")
    return taken_back(board, side, start, end)


def why_not_back(net: Net, board: Board, side: Side, start: Points, end: Points) -> str:
    """What section 7 asks of a quiet move and does not find; empty when all is well."""
    covered = {at for at, _ in board.under}
    if not end & board.tops[side] or end in covered:
        return "it does not stand there, with that one piece alone"
    if start & ~OUTSIDE[side] or end & ~OUTSIDE[side]:
        return "a quiet move neither leaves nor enters the enemy camp"
    if not net.allows(side, start, end):
        return "no line allows it"
    top = board.taken & start
    if top and (not top & board.gold or top & board.guards):
        return "the point it came from is taken"
    return ""


def taken_back(board: Board, side: Side, start: Points, end: Points) -> Board:
    """On the origin stand golden archers at most: the one on top there is covered again."""
    tops, gold, under = list(board.tops), board.gold, board.under
    for owner in (0, 1):
        if tops[owner] & start:
            tops[owner] ^= start
            gold ^= start
            under = put_under(under, start, owner)
    tops[side] ^= end | start
    guards = board.guards ^ end ^ start if board.guards & end else board.guards
    gold = gold ^ end ^ start if gold & end else gold
    return Board((tops[0], tops[1]), guards, gold, under)
