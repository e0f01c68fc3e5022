"""The wild horse: one space clockwise after every turn, and woe to those who stand there (YUT-11)."""

from __future__ import annotations

from engine import Event
from games.yut.board import BEFORE, DATA, PLACE, RIM, Space
from games.yut.state import SIDES, Side, State, Terms

STARTS: dict[tuple[bool, int], Space] = {
    (False, 1): DATA["wild_horse"]["start"]["base"],
    (True, 1): DATA["wild_horse"]["start"]["favourite_game_1"],
    (True, 2): DATA["wild_horse"]["start"]["favourite_game_2"],
}
"""YUT-11.1: by the options `favourite` and `game`."""

MOVED: dict[tuple[Space, Space], Event] = {
    (start, end): Event("wild_moved", "YUT-11.2", {"from": start, "to": end}) for start in RIM for end in RIM
}


def ride(state: State, story: list[Event]) -> tuple[tuple[Side, ...], Space, int]:
    """Its move at the end of a seat's turn: jumps, landing, blow, circle, in this order.

    Gives the sides after its blow, where it stands, and how often it has landed on its start.
    """
    terms, _, _, _, sides, wild, circles, hurdles, _, _ = state
    to = BEFORE[wild]  # YUT-11.2
    while to in hurdles:  # YUT-12.6
        story.append(Event("wild_jumped", "YUT-12.6", {"hurdle": to}))
        to = BEFORE[to]
    story.append(MOVED[wild, to])
    sides = struck(terms, sides, to, story)
    if to == terms.wild_start:  # YUT-11.5
        circles += 1
        story.append(Event("wild_circle", "YUT-11.5", {"times": circles}))
    return sides, to, circles


def struck(terms: Terms, sides: tuple[Side, ...], space: Space, story: list[Event]) -> tuple[Side, ...]:
    """YUT-11.4: horses of any side there wait again, and nobody gets a throw for it."""
    place = PLACE[space]
    for side in sides:
        for group in side[2]:
            if group[0] == place:
                at, (waiting, stable, groups) = sides.index(side), side
                kept = tuple([other for other in groups if other is not group])
                facts = {"side": SIDES[terms.players][at], "space": space, "horses": group.horses}
                story.append(Event("wild_struck", "YUT-11.4", facts))
                return (*sides[:at], Side(waiting + group.horses, stable, kept), *sides[at + 1 :])
    return sides
