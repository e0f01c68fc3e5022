"""Taking back: with the consent of all a game goes back to a decision, by one new row. Nothing is deleted.

What stood when that decision was opened stands again: the position, what waited for the seats, who had been silent.
The dice of a turn depend on its number alone, so they fall as they fell. Keys are new ones, so that no mail of before
orders anything now. What persons did stays: who has resigned, who sits where, what the referee has ruled; and press
that was to leave with the next report leaves with that of the take-back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from engine import Seat
from engine.queue import SeatOrders
from pbem.agreed.asked import Asked
from pbem.attending.attendance import Attendance, Record
from pbem.config import Config
from pbem.errors import Trouble
from pbem.game.eras import eras_of
from pbem.game.hosting import sheet_of, standing_of, store
from pbem.game.sheet import deeds_from_json
from pbem.game.turning import reopened
from pbem.ledger import backwards, games, journal
from pbem.ledger.games import GameRow
from pbem.ledger.journal import JournalRow
from pbem.ledger.opening import waiting_of
from pbem.ledger.transaction import Read, Write
from pbem.reports.report import News

Ask = Callable[..., Any]  # how a function that needs the rules is called: here, or apart
SETTLED = "deadline_at"  # what the last step of a run settles


def here(do: Callable[..., Any], *args: Any) -> Any:
    """The function called in this process."""
    return do(*args)


def why_not(tx: Read, row: GameRow, turn: int) -> str:
    """Why a game cannot go back to that decision, in one sentence; "" when it can."""
    if row.status == games.OVER:
        return f"{row.name} is over and its dice are revealed, so nothing of it can be taken back."
    if row.status == games.SEEDING:
        return f"{row.name} has not begun; its dice are being settled."
    if row.status == games.HELD:
        return f"{row.name} is paused; it can be taken back once it goes on."
    if not 0 < turn <= row.turn or (turn == row.turn and not row.at_once):
        return f"{row.name} is at decision {row.turn}; it can go back to one before that, from 1 on."
    opened = journal.turn(tx, row.name, turn - 1)
    if opened is None or SETTLED not in opened.facts():
        return f"Decision {turn} of {row.name} was answered before anybody was asked; name the one before it."
    return ""


def taken_back(tx: Write, config: Config, row: GameRow, asked: Asked, now: datetime, ask: Ask = here) -> None:
    """Let a game go back to the decision that all have agreed on."""
    turn = asked.turn
    assert turn is not None, "a take-back says to where"
    if why := why_not(tx, row, turn):
        raise Trouble(why)
    opened = journal.turn(tx, row.name, turn - 1)
    assert opened is not None
    waits = backwards.queues_at(tx, row.name, sorted(row.seats), opened.seq)
    attendance = as_then(Attendance.from_json(row.attendance), Attendance.from_json(opened.facts()["attendance"]))
    news = News("taken_back", None, {"turn": turn})
    attendance = attendance.told(news)
    eras = eras_of(attendance.to_json())
    sheet = replace(sheet_of(tx, config, row), eras=eras)
    orders = {seat: waiting_of(tx, row.name, seat, stored) or {} for seat, stored in waits.items()}
    standing = replace(
        standing_of(tx, row, restored=False),
        turn=turn,
        state=opened.facts()["state"],
        orders={seat: SeatOrders.from_json(said) for seat, said in orders.items()},
        sources={seat: said["submission"] for seat, said in orders.items() if "submission" in said},
        done=deeds_from_json(opened.facts().get("deeds")),
        at_once=0,
        attendance=attendance,
    )
    body = _body(row, opened, asked, waits)
    store(tx, sheet, ask(reopened, sheet, standing, body, now), now)


def as_then(now: Attendance, then: Attendance) -> Attendance:
    """Who came and who was silent as it stood then, but for seats where somebody else sits by now; the rest as now. Of
    the decision that is open again nobody was reminded, and nobody was waited for."""
    records: dict[Seat, Record] = {}
    for seat in {*now.records, *then.records}:
        same = now.of(seat).tenure == then.of(seat).tenure
        records[seat] = then.of(seat) if same else now.of(seat)
    fresh = replace(now, held_from=None, reminded=frozenset(), counted=frozenset())
    return replace(fresh, records=records, backs=now.backs + 1, asked={}, drawn=False)


def _body(row: GameRow, opened: JournalRow, asked: Asked, waits: Mapping[Seat, Any]) -> dict[str, Any]:
    """What the row says beside what it opens anew: from where, by whose words, and which row opened it first."""
    return {
        "from": row.turn,
        "opened": opened.seq,
        "by": asked.by,
        "agreed": sorted(asked.yes),
        "reason": asked.reason,
        "status": games.OPEN,
        "queues": dict(waits),
        "deeds": opened.facts().get("deeds"),
    }
