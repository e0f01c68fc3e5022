"""The wild horse: one space clockwise after every turn, and woe to those who stand there (YUT-11)."""

from __future__ import annotations

from engine import Event
from games.yut.board import BEFORE, DATA, PLACE, RIM, Space
from games.yut.standing import NOBODY, sent_back, side_on
from games.yut.state import SIDES, Groups, Terms

STARTS: dict[tuple[bool, int], Space] = {
    (False, 1): DATA["wild_horse"]["start"]["base"],
    (True, 1): DATA["wild_horse"]["start"]["favourite_game_1"],
    (True, 2): DATA["wild_horse"]["start"]["favourite_game_2"],
}
"""YUT-11.1: by the options `favourite` and `game`."""

MOVED: dict[tuple[Space, Space], Event] = {
    (start, end): Event("wild_moved", "YUT-11.2", {"from": start, "to": end}) for start in RIM for end in RIM
}


def ride(
    terms: Terms,
    waiting: tuple[int, ...],
    groups: tuple[Groups, ...],
    wild: Space,
    circles: int,
    hurdles: tuple[Space, ...],
    story: list[Event],
) -> tuple[tuple[int, ...], tuple[Groups, ...], Space, int]:
    """Its move at the end of a seat's turn: jumps, landing, blow, circle, in this order.

    Gives who waits and who is on the track after its blow, where it stands, and how often it has landed on its start.
    """
    to = BEFORE[wild]  # YUT-11.2
    while to in hurdles:  # YUT-12.6
        story.append(Event("wild_jumped", "YUT-12.6", {"hurdle": to}))
        to = BEFORE[to]
    story.append(MOVED[wild, to])
    struck = side_on(groups, range(len(groups)), PLACE[to])
    if struck != NOBODY:  # YUT-11.4: horses of any side there wait again, and nobody gets a throw for it
        waiting, groups, horses = sent_back(waiting, groups, struck, PLACE[to])
        facts = {"side": SIDES[terms.players][struck], "space": to, "horses": horses}
        story.append(Event("wild_struck", "YUT-11.4", facts))
    if to == terms.wild_start:  # YUT-11.5
        circles += 1
        story.append(Event("wild_circle", "YUT-11.5", {"times": circles}))
    return waiting, groups, to, circles
