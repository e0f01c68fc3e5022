"""Who stands on a space, and who must leave it (YUT-1.3, YUT-6.1, YUT-11.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.yut.board import Space
from games.yut.state import Group, Groups, changed

NOBODY = -1


def own_on(groups: Groups, space: Space) -> Group:
    """The horse or pile of a side there: never two groups of a side stand on one space."""
    return next(group for group in groups if group.space == space)


def side_on(groups: Sequence[Groups], sides: Iterable[int], place: int) -> int:
    """Which of these sides has horses on that space, or nobody."""
    for side in sides:
        for group in groups[side]:
            if group.place == place:
                return side
    return NOBODY


def sent_back(
    waiting: tuple[int, ...], groups: tuple[Groups, ...], side: int, place: int
) -> tuple[tuple[int, ...], tuple[Groups, ...], int]:
    """All horses of that side on that space wait again: who waits, who is on the track, and how many those were."""
    own = [*groups[side]]
    horses = own.pop([group.place for group in own].index(place)).horses
    return changed(waiting, side, waiting[side] + horses), changed(groups, side, tuple(own)), horses
