"""What a night came to: what a person is told of it, and what a program reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pbem.arriving.brought import Brought, mail_routes
from pbem.clock import stamp


@dataclass(slots=True)
class Summary:
    """What a night came to."""

    now: datetime
    collected: dict[str, int] = field(default_factory=dict)
    went_on: set[str] = field(default_factory=set)  # games
    runs: int = 0  # of a game: one that its bots take further and further has several
    turns: int = 0
    over: list[str] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)  # next games of matches
    asked: int = 0  # due, but still waiting for somebody
    failed: dict[str, str] = field(default_factory=dict)
    halted: list[str] = field(default_factory=list)
    mails: dict[str, int] = field(default_factory=dict)
    routes: tuple[Brought, ...] = ()  # what each way in had to say
    reminded: int = 0  # players
    moved: list[str] = field(default_factory=list)  # games whose deadline came while the host was not at work
    held: list[str] = field(default_factory=list)  # what is not resolved, and why
    told: datetime | None = None  # when its reports leave, where a run goes on that was broken off

    @property
    def resolved(self) -> int:
        """How many games went on."""
        return len(self.went_on)

    @property
    def well(self) -> bool:
        return not (self.failed or self.halted or self.held) and all(one.reachable for one in self.routes)

    @property
    def did_something(self) -> bool:
        counted = [*self.collected.values(), *self.mails.values(), self.resolved]
        return any(counted) or not self.well

    def then(self, later: Summary) -> Summary:
        """This run and a later one, told together under the later one's date."""
        return Summary(
            later.now,
            added(self.collected, later.collected),
            self.went_on | later.went_on,
            self.runs + later.runs,
            self.turns + later.turns,
            [*self.over, *later.over],
            [*self.begun, *later.begun],
            later.asked,
            self.failed | later.failed,
            [*self.halted, *later.halted],
            added(self.mails, later.mails),
            later.routes,
            reminded=self.reminded + later.reminded,
            moved=[*self.moved, *later.moved],
            held=later.held or self.held,
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "now": stamp(self.now),
            "collected": self.collected,
            "resolved": self.resolved,
            "turns": self.turns,
            "over": self.over,
            "begun": self.begun,
            "reminded": self.reminded,
            "asked": self.asked,
            "failed": self.failed,
            "halted": self.halted,
            "moved": self.moved,
            "held": self.held,
            "mails": self.mails,
            "routes": mail_routes(self.routes),
        }


def added(some: dict[str, int], more: dict[str, int]) -> dict[str, int]:
    """Two counts as one."""
    return {name: some.get(name, 0) + more.get(name, 0) for name in {**some, **more}}
