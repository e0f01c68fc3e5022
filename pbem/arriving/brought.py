"""What collecting by one route came to: who could be reached, how much was new, what had to be left where it lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pbem.intake.characters import visible


@dataclass(frozen=True, slots=True)
class Brought:
    """One route's answer. A route that is silent has not said that nothing came: its messages wait there."""

    route: str
    place: str
    new: int = 0
    known: int = 0  # here already: delivered twice, or taken by a run that was killed before it could say so
    left: tuple[str, ...] = ()  # what cannot be taken, each by a name its place knows
    silent: str = ""  # why nothing, or not all, could be had; empty when the route was reached
    refused: int = 0  # files that were not stored, as their seat had sent its limit
    warning: str = ""  # what went wrong without harm, such as a mark that the server would not keep

    @property
    def reachable(self) -> bool:
        return not self.silent

    def to_json(self) -> dict[str, Any]:
        return {
            "route": self.route,
            "place": self.place,
            "reachable": self.reachable,
            "new": self.new,
            "known": self.known,
            "left": list(self.left),
            "silent": self.silent,
            "warning": self.warning,
        }


def mail_routes(routes: Sequence[Brought]) -> list[dict[str, Any]]:
    """The routes of mail, for programs; what lies in the drop folder is counted among the messages."""
    return [one.to_json() for one in routes if one.route != DROP]


def told(routes: Sequence[Brought]) -> list[str]:
    """A line for everything about the routes that somebody should know."""
    lines = []
    for one in routes:
        if one.silent:
            lines.append(f"{one.place} was NOT read to its end ({one.silent}); what is there waits for the next run.")
        if one.left and one.route != DROP:
            named, more = ", ".join(visible(name, 80) for name in one.left[:NAMED]), len(one.left) - NAMED
            lines.append(f"{one.place}: left there, as it cannot be taken: {named}{f' and {more} more' * (more > 0)}.")
        if one.warning:
            lines.append(f"{one.place}: {one.warning}.")
    return lines


DROP = "drop"
NAMED = 5
