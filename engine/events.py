"""Events: the facts of what happened, each with the paragraph behind it. Words are made of them elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

NOTHING_HIDDEN: Mapping[str, Mapping[str, Any]] = {}
REFEREE = "referee"


class Event(NamedTuple):
    """One thing that happened.

    `facts` are public. `hidden` holds further facts for one seat (or for the referee) alone, and `audience`, when
    given, names the only seats that learn of the event at all.
    """

    kind: str
    rule: str
    facts: Mapping[str, Any]
    hidden: Mapping[str, Mapping[str, Any]] = NOTHING_HIDDEN
    audience: tuple[str, ...] | None = None

    def seen_by(self, seat: str | None) -> Event | None:
        """The event as that seat learns of it (None: the public), or nothing at all."""
        if self.audience is not None and seat not in self.audience:
            return None
        own = self.hidden.get(seat) if seat is not None else None
        if own is None:
            return self if not self.hidden and self.audience is None else Event(self.kind, self.rule, self.facts)
        return Event(self.kind, self.rule, {**self.facts, **own})

    def to_json(self) -> dict[str, Any]:
        """The whole event, secrets included: for the ledger, never for a player."""
        out: dict[str, Any] = {"kind": self.kind, "rule": self.rule, "facts": self.facts}
        if self.hidden:
            out["hidden"] = self.hidden
        if self.audience is not None:
            out["audience"] = list(self.audience)
        return out

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Event:
        audience = data.get("audience")
        return cls(
            data["kind"],
            data["rule"],
            data["facts"],
            data.get("hidden", NOTHING_HIDDEN),
            None if audience is None else tuple(audience),
        )
