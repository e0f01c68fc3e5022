"""Heard: whether the deeds that a row keeps for each seat's conditionals are those done since it last decided."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from engine import Event
from engine.advance import REMEMBERED
from engine.registry import AnyGame

Deeds = tuple[tuple[str, str | None], ...]
SILENT = ("default", "resigned")


class Heard:
    """What each seat may have heard, step by step. A seat that decided begins anew, unless it was only interrupted; a
    row does not say which, so both are kept until a row says what was heard."""

    def __init__(self, rules: AnyGame, seats: Collection[str]) -> None:
        self._rules, self._seats = rules, seats
        self._known: dict[str, set[Deeds]] | None = None  # None: no row has said it yet

    def step(self, facts: Mapping[str, Any], before: Any, after: Any) -> str | None:
        """Take a step in; gives the first seat whose deeds, where the row says them, cannot be right."""
        if self._known is not None and before is not None:
            self._grow(facts, before, after)
        if "deeds" not in facts:
            return None
        said = {seat: tuple((one[0], one[1]) for one in deeds) for seat, deeds in (facts["deeds"] or {}).items()}
        known, self._known = self._known, {seat: {deeds} for seat, deeds in said.items()}
        if known is None or not facts["pending"]:
            return None
        return next((seat for seat in sorted({*known, *said}) if said.get(seat, ()) not in known.get(seat, {()})), None)

    def back(self, facts: Mapping[str, Any]) -> None:
        """A take-back brings back what had been heard then, which is compared where that is."""
        said = facts.get("deeds") or {}
        self._known = {seat: {tuple((one[0], one[1]) for one in deeds)} for seat, deeds in said.items()}

    def _grow(self, facts: Mapping[str, Any], before: Any, after: Any) -> None:
        assert self._known is not None
        rules, moves = self._rules, facts["moves"]
        events = [Event.from_json(one) for one in facts["events"]]
        order = {seat: place for place, seat in enumerate(rules.pending(before))}  # a row keeps moves by name
        decided = sorted(moves, key=lambda seat: order.get(seat, len(order)))
        made = {seat: self._move(before, seat, moves[seat]) for seat in decided}
        for reader in self._seats:
            deeds = [
                (seat, words)
                for seat, move in made.items()
                if seat != reader and (words := rules.shown(before, seat, move, reader)) != ""
            ]
            own = [(reader, note) for note in rules.noted([*self._seen(events, reader)], reader)]
            earlier = self._known.get(reader, {()})
            if reader in moves and not rules.remembered(before, after, reader):
                earlier = earlier | {()}
            self._known[reader] = {(*heard, *own, *deeds)[-REMEMBERED:] for heard in earlier}

    def _seen(self, events: list[Event], reader: str) -> Iterator[Event]:
        for event in events:
            if (seen := event.seen_by(reader)) is not None:
                yield seen

    def _move(self, state: Any, seat: str, made: Mapping[str, Any]) -> Any:
        if made["how"] in SILENT:
            return self._rules.default(state, seat)
        return self._rules.read(state, seat, made["move"])
