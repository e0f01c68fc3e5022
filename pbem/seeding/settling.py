"""Settling the dice: what players send is taken, rounds end, a public value is entered, and then the game begins.

Each step is one transaction, and each is decided by the rows that stand: a run that is killed anywhere and begun again
takes the same steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from engine import Seat
from pbem.apart import Apart
from pbem.attending.attendance import Attendance
from pbem.bounded import TaskDied
from pbem.brakes import holding
from pbem.clock import read_instant, stamp
from pbem.config import Config
from pbem.errors import CannotGoOn, Trouble
from pbem.faults import fault
from pbem.game.hosting import game_named, sheet_of, store
from pbem.game.sheet import End
from pbem.game.turning import NOBODY_IS_AWAY, Row, opening
from pbem.ledger import Ledger, games, journal
from pbem.ledger.transaction import Write
from pbem.seeding import asking
from pbem.seeding.protocol import (
    BEACON,
    CLOSE,
    KIND,
    MIX,
    VALUE,
    VOID,
    Seeding,
    beacon_value,
)
from pbem.seeding.reading import seeding_of

Ask = Callable[..., Any]  # how a function that needs the rules is called: here, or apart


class Table:
    """One game whose dice are being settled, within one transaction."""

    def __init__(self, tx: Write, config: Config, name: str, now: datetime, told: datetime | None = None) -> None:
        self.tx, self.now, self.told = tx, now, max(now, told or now)
        row = games.get(tx, name)
        assert row is not None, "a game whose dice are being settled"
        self.row, self.sheet = row, sheet_of(tx, config, row)
        created = journal.first(tx, name)
        assert created is not None, "a game begins with the row that created it"
        self.seeding: Seeding = seeding_of(tx, name, created.facts())

    @property
    def people(self) -> tuple[Seat, ...]:
        return asking.people(self.sheet)

    def add(self, act: str, seat: Seat | None = None, **facts: Any) -> None:
        """Take one step of the protocol, and write it down."""
        body = {"act": act, **facts}
        self.seeding.add(seat, body)
        self.tx.append(self.sheet.name, KIND, self.now, body, 0, seat)

    def go_on(self, ask: Ask) -> None:
        """Take the steps for which nobody is waited any more."""
        due = self.row.deadline_at is not None and self.now >= self.row.deadline_at
        if self.seeding.wish.by == BEACON:
            if self.seeding.value is not None:
                self._begin(ask)
            return
        if not self.seeding.closed:
            if self.seeding.unheard(self.people) and not due:
                return
            if self._close():
                return
        if self.seeding.missing and (not due or self._void()):
            return
        self._begin(ask)

    def _close(self) -> bool:
        """End the commitments of this round; whether texts are now waited for."""
        until = self.sheet.schedule.deadline(self.told, 0)
        commitments = dict(self.seeding.commitments)
        self.add(CLOSE, None, round=self.seeding.round, commitments=commitments, **_deadline(until))
        if self.seeding.missing:
            asking.ask_for_texts(self.tx, self.sheet, self.seeding, until, self.now)
        return bool(self.seeding.missing)

    def _void(self) -> bool:
        """End a round in which a text was withheld; whether another one begins, which takes somebody who may."""
        until = self.sheet.schedule.deadline(self.told, 0)
        withheld = self.seeding.missing
        self.add(VOID, None, withheld=list(withheld), **_deadline(until))
        asked = self.seeding.unheard(self.people)
        if asked:
            asking.ask_again(self.tx, self.sheet, withheld, asked, until, self.now)
        else:
            self.add(CLOSE, round=self.seeding.round, commitments={})
        return bool(asked)

    def _begin(self, ask: Ask) -> None:
        """Mix what came into the dice, and begin the game."""
        seeding = self.seeding
        body = {"act": MIX, "nonces": seeding.result, "withheld": list(seeding.withheld), "status": games.OPEN}
        seeding.add(None, body)
        sheet = replace(self.sheet, nonces=dict(seeding.result), origin=seeding.origin)
        end, attendance = self.tx.end(sheet.name), Attendance.from_json(self.row.attendance)
        place = End(end.seq, end.hash, end.at)
        played = ask(opening, sheet, Row(KIND, body, 0), self.now, attendance, NOBODY_IS_AWAY, place, self.told)
        store(self.tx, sheet, played, self.now)


def _here(do: Callable[..., Any], *args: Any) -> Any:
    return do(*args)


def _deadline(until: datetime) -> dict[str, str]:
    return {"due_at": stamp(until), "deadline_at": stamp(until)}


def settle_due(config: Config, ledger: Ledger, now: datetime, told: datetime | None = None) -> dict[str, str]:
    """End the rounds whose deadline has come; gives the games that could not go on, with the reason."""
    with ledger.read() as tx:
        names = [] if holding.holds(tx) else list(games.seeding_due(tx, now))
    failed: dict[str, str] = {}
    for name in names:
        try:
            with Apart() as apart, ledger.write() as tx:
                Table(tx, config, name, now, told).go_on(apart.ask)
        except TaskDied as died:
            failed[name] = f"its rules did not get through with the set-up ({died.kind})"
        except CannotGoOn as trouble:
            failed[name] = str(trouble)
        fault("dice-settled")
    return failed


def enter_value(
    tx: Write, config: Config, name: str, value: str, source: str, now: datetime, reason: str = ""
) -> Mapping[str, str]:
    """Enter the public value that was named in advance, and begin the game; without a value the game begins without
    one, for a reason, and its players are told that the host alone chose the seed."""
    row = game_named(tx, name)
    table = Table(tx, config, name, now) if row.status == games.SEEDING else None
    if table is None or table.seeding.wish.by != BEACON:
        raise Trouble(f"{name} does not wait for a public value.")
    wish = table.seeding.wish
    if now < read_instant(wish.after):
        raise Trouble(f"{wish.beacon} becomes known at {wish.after}; nothing can be entered before that.")
    plain = beacon_value(value) if value else ""
    if plain is None:
        raise Trouble(
            f"{value!r} is no public value: it has at least 32 hexadecimal digits without blanks between them, or"
            " numbers of at least 6 digits together."
        )
    more = {"reason": reason} if reason else {}
    table.add(VALUE, value=plain, source=source, at=stamp(now), **more)
    table.go_on(_here)
    return {"value": plain, "source": source}
