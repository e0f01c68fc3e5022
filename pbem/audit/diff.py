"""Differences: between two turns of a game, or between two histories; the first one is named, in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from pbem.audit.book import Book, LedgerBook, Line
from pbem.audit.changes import Change, changes
from pbem.audit.show import ALL, Shown, show
from pbem.ledger import sound
from pbem.ledger.store import Ledger
from pbem.ledger.times import stamp


class Difference(NamedTuple):
    """The first row in which two histories are not the same, and what is different in it."""

    chain: str
    row: int
    says: str
    changes: tuple[Change, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {**self._asdict(), "changes": [change._asdict() for change in self.changes]}


# --- two turns --------------------------------------------------------------------------------------------------------


def turns(book: Book, one: int, other: int, reader: str | None) -> list[Change]:
    """What is different between two turns, as `reader` may know them (a seat, everybody, or all)."""
    before, after = (_stood(show(book, turn, reader)) for turn in (one, other))
    return list(changes(before, after))


def _stood(steps: list[Shown]) -> dict[str, Any]:
    """Where the game stood at the end of a turn."""
    last = steps[-1]
    what = "state" if last.reader == ALL else "seen"
    return {"position": last.position, "pending": last.pending, what: last.facts}


# --- two histories ----------------------------------------------------------------------------------------------------


def books(one: Book, other: Book) -> Difference | None:
    """The first row that is not the same in both; None when there is none."""
    for mine, yours in zip_longest(one.lines(), other.lines()):
        if mine is None or yours is None:
            there = mine or yours
            assert there is not None
            ends, has = ("the first", "the second") if mine is None else ("the second", "the first")
            says = f"{ends} ends at row {there.seq - 1}, {has} goes on with {_named(there)}"
            return Difference(one.game, there.seq, says)
        if mine.hash != yours.hash or mine.prev != yours.prev:
            return _rows(one.game, mine, yours)
    return None


def ledgers(one: Ledger, other: Ledger) -> Iterator[Difference]:
    """For every chain that is not the same in both ledgers, the first difference."""
    with one.read() as mine, other.read() as yours:
        here, there = sound.chains_of(mine), sound.chains_of(yours)
        for chain in sorted({*here, *there}):
            if chain not in here or chain not in there:
                yield Difference(chain, 1, f"only the {'second' if chain not in here else 'first'} has this history")
                continue
            found = books(LedgerBook(mine, chain), LedgerBook(yours, chain))
            if found is not None:
                yield found


def _rows(chain: str, mine: Line, yours: Line) -> Difference:
    if mine.content is None or yours.content is None:
        says = f"row {mine.seq} is not the same in both; what it says is sealed in one of them"
        return Difference(chain, mine.seq, says)
    found = tuple(changes(_plain(mine), _plain(yours)))
    says = f"row {mine.seq}: {_named(mine)} and then {_named(yours)}" if _named(mine) != _named(yours) else ""
    says = says or f"row {mine.seq}, {_named(mine)}, does not say the same in both"
    if not found:
        says = f"row {mine.seq}, {_named(mine)}, says the same in both and has another salt or hash"
    return Difference(chain, mine.seq, says, found)


def _plain(line: Line) -> dict[str, Any]:
    content = line.opened
    said: dict[str, Any] = {"kind": content.kind, "at": stamp(content.at), "turn": content.turn, "seat": content.seat}
    return {**said, "body": line.said()}


def _named(line: Line) -> str:
    if line.content is None:
        return "a sealed row"
    turn = "" if line.content.turn is None else f" of turn {line.content.turn}"
    seat = "" if line.content.seat is None else f" by seat {line.content.seat}"
    return f"a {line.content.kind}{turn}{seat}"
