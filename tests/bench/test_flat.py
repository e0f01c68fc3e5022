"""Flat: a turn costs the same after ten turns and after a thousand, alone and beside ten thousand idle games;
an order, whatever has come before it.

What is compared is counted, not timed: calls of Python functions and steps of SQLite's machine during one whole night.
A count is the same on every machine and in every run, so the bound can be tight.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sa

from engine import registry
from pbem import resolving
from pbem.arriving.message import Message
from pbem.arriving.storing import store
from pbem.ledger.tables import GAME, HEAD, INBOX, OUTBOX, QUEUE, SECRET
from pbem.messages import settle_waiting
from pbem.pages.mailing import LAST
from pbem.watching.noting import note
from pbem.watching.settings import Watch
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, make_host

__all__ = ["make_host"]

AT_MOST = 1.1  # of the smaller case
ENDLESS = str(Path(__file__).parent / "endless")


class Cost(NamedTuple):
    """What one night took."""

    calls: int
    steps: int

    def within(self, other: Cost) -> bool:
        return self.calls <= AT_MOST * other.calls and self.steps <= AT_MOST * other.steps


class Inline:
    """The worker pool without processes, so that all the work of a night can be counted here."""

    def __init__(self, work: Callable[[bytes], bytes], *_: object) -> None:
        self.work = work

    def __enter__(self) -> Inline:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def map(self, tasks: Iterable[bytes]) -> Iterator[bytes]:
        return map(self.work, tasks)


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The endless game is installed, as a package of somebody else's would be."""
    monkeypatch.syspath_prepend(ENDLESS)
    registry._entries.cache_clear()
    monkeypatch.setattr(resolving, "Pool", Inline)
    yield
    registry._entries.cache_clear()
    registry._loaded.cache_clear()


def cost_of(host: Host, day: int) -> Cost:
    """The night of that day, counted. Every seat is silent."""

    def night() -> None:
        summary = host.night(DEADLINE + day * DAY)
        assert not list(note(host.config, host.ledger, summary, 1.0))
        assert summary.turns == 1

    return counted(host, night)


def counted(host: Host, act: Callable[[], object]) -> Cost:
    """What that takes."""
    calls = steps = 0

    def called(frame: object, event: str, arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    def stepped() -> int:
        nonlocal steps
        steps += 1
        return 0

    def watch(connection: Any, *_: object) -> None:
        connection.set_progress_handler(stepped, 10)

    engine = host.ledger._engine
    host.ledger.close()  # and the lines that it keeps, or nobody would watch them
    sa.event.listen(engine, "connect", watch)
    sys.setprofile(called)
    try:
        act()
    finally:
        sys.setprofile(None)
        sa.event.remove(engine, "connect", watch)
        host.ledger.close()
    assert steps
    return Cost(calls, steps)


def played(host: Host, turns: int) -> Host:
    """A game with so many turns behind it. Orders sent ahead let one night resolve hundreds of them."""
    folder = host.config.folder
    host.config = replace(host.config, watch=Watch(folder / "pbem.prom", folder / "nights.jsonl"))
    host.start("endless", schedule="all-in 20:00", rounds="100000")
    left = turns
    while left:
        ahead = min(left, 400)
        at = NOON + timedelta(minutes=turns - left)
        for seat in ("1", "2"):
            host.order(seat, *["tock"] * ahead, at=at)
        assert host.night(at).turns == ahead
        left -= ahead
    return host


def beside(host: Host, idle: int) -> Host:
    """So many other games in the ledger that are due one day: copies of one game's rows under other names."""
    host.start("endless", "idle", schedule="nightly 20:00")
    with host.ledger.write() as tx:
        for table, name in ((SECRET, "chain"), (HEAD, "chain"), (GAME, "name"), (QUEUE, "game"), (OUTBOX, "game")):
            rows = [dict(row._mapping) for row in tx.all(sa.select(table).where(table.c[name] == "idle"))]
            copies = [
                {**row, name: f"idle-{number}", **_aside(table, row, number)} for number in range(idle) for row in rows
            ]
            tx.connection.execute(sa.insert(table), copies)
        tx.run(sa.update(GAME).where(GAME.c.name.like("idle%")).values(due_at=DEADLINE + 999 * DAY))
    return host


def _aside(table: sa.Table, row: dict[str, Any], number: int) -> dict[str, Any]:
    """What else must differ from copy to copy. Their mails have long left."""
    if table is not OUTBOX:
        return {}
    return {"id": None, "message_id": f"{number} {row['message_id']}", "state": "sent", "next_try_at": None}


@pytest.mark.usefixtures("endless")
def test_a_long_history_makes_no_turn_dearer(make_host: Callable[..., Host]) -> None:
    """The page that a report brings shows the last turns: it is counted when there are as many."""
    short, long = played(make_host("short"), LAST + 10), played(make_host("long"), 1000)
    assert long.row().turn == 1001
    assert cost_of(long, 1).within(cost_of(short, 1))


@pytest.mark.usefixtures("endless")
def test_idle_games_make_no_turn_dearer(make_host: Callable[..., Host]) -> None:
    alone, crowded = beside(played(make_host("alone"), 10), 1), beside(played(make_host("crowded"), 10), 10_000)
    for host in (alone, crowded):
        host.night(NOON + timedelta(hours=1))  # the idle game's own first reports leave
    assert cost_of(crowded, 1).within(cost_of(alone, 1))


@pytest.mark.usefixtures("endless")
def test_the_measure_sees_a_scan(make_host: Callable[..., Host], monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that looks at every game of the ledger each night must not pass."""
    from pbem.ledger import games

    due = games.due
    monkeypatch.setattr(games, "due", lambda tx, now, among=None: [list(games.every(tx)), due(tx, now, among)][1])
    alone, crowded = beside(played(make_host("alone"), 10), 1), beside(played(make_host("crowded"), 10), 1000)
    assert not cost_of(crowded, 1).within(cost_of(alone, 1))


def arriving(host: Host, before: int) -> Cost:
    """Two order files, stored and judged, when so many messages have come before."""
    host.start("endless", rounds="100000")
    letter = {"route": "mail", "at": NOON, "state": "accepted", "tries": 0, "reason": ""}
    rows = [{**letter, "message_id": f"<{number}@x>", "sha256": f"{number:064x}"} for number in range(before)]
    with host.ledger.write() as tx:
        tx.connection.execute(sa.insert(INBOX), rows)
    files = [host.file(seat, "tock").encode() for seat in ("1", "2")]

    def taken(time: int) -> None:
        store(host.ledger, [Message(file, f"<{number}-{time}>", NOON) for number, file in enumerate(files)], "drop")
        assert settle_waiting(host.config, host.ledger, NOON) == {"accepted": 2}

    for time in range(3):
        taken(time)  # what is done once in a process, or when it is asked for again, is done now
    return counted(host, lambda: taken(3))


@pytest.mark.usefixtures("endless")
def test_messages_that_have_come_make_no_other_dearer(make_host: Callable[..., Host]) -> None:
    """Seen red: to know whether a message was here already, all that ever came were walked through."""
    assert arriving(make_host("many"), 10_000).within(arriving(make_host("few"), 10))
