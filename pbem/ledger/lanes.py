"""Lanes: the outbox in parts, so that several processes carry its mails and no two of them the same one.

All mails of a game are in one lane, where they leave in the order they were written. A lane is one process's at a time,
by a lock that ends with that process, however that ends. In a file there is one process, and one lane.
"""

from __future__ import annotations

from typing import Protocol

import sqlalchemy as sa

LANES = 64
IN_SQL = f"(get_byte(decode(md5(game), 'hex'), 0) & {LANES - 1})"  # the index has it letter for letter
LANE = sa.literal_column(IN_SQL, sa.Integer)


class Lanes(Protocol):
    """The lanes, to one process that carries."""

    many: bool  # whether there is more than one

    def take(self, lane: int) -> bool:
        """Whether that lane is ours now: nobody else's."""

    def leave(self, lane: int) -> None:
        """It is anybody's again."""


class OneLane:
    """All of the outbox, for the only run there is."""

    many = False

    def take(self, lane: int) -> bool:
        return True

    def leave(self, lane: int) -> None:
        """Nobody else waits for it."""
