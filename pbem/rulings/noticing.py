"""Noticing: short letters beside reports and receipts, to one seat or to all, written down with what they tell of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from engine import Notice as Line
from engine import Seat
from pbem.agreed.taking_back import Ask, here
from pbem.bounded import TaskDied
from pbem.clock import stamp
from pbem.config import Config
from pbem.errors import CannotGoOn
from pbem.game.hosting import sheet_of, standing_of
from pbem.game.outgoing import NOTICE, stands, written
from pbem.game.sheet import Sheet, Standing
from pbem.ledger import games, outbox
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Read, Write
from pbem.reports.report import NOTHING_STANDS, Menu, News, Notice, NoticeKind, Stands, menu

Offered = tuple[Menu | None, Stands]


def post_notice(
    tx: Write,
    sheet: Sheet,
    row: GameRow,
    seat: Seat,
    kind: NoticeKind,
    now: datetime,
    *,
    lines: Sequence[Line] = (),
    text: str = "",
    news: Sequence[News] = (),
    offered: Offered | None = None,
    answers: str = "",
    player: str = "",
    budget: str = "",
) -> None:
    """One notice to one seat; with what is `offered` it holds the order form and can be answered. `answers` is the id
    of the mail that it answers, `player` whose that is, `budget` what it is counted to."""
    if not sheet.sitters[seat].is_written_to:
        return
    end, (asked, left) = tx.end(sheet.name), offered or (None, NOTHING_STANDS)
    letter = Notice(
        kind=kind,
        game=sheet.name,
        rules=sheet.rules,
        zone=sheet.schedule.zone,
        seat=seat,
        reader=sheet.sitters[seat].reader,
        turn=row.turn,
        lines=tuple(lines),
        text=text,
        news=tuple(news),
        players=sheet.players,
        deadline=row.deadline_at,
        key=sheet.key(seat, row.turn) if offered else "",
        menu=asked,
        stands=left,
        is_closed=row.status != games.OPEN,
        head=end.hash.hex(),
    )
    # The chain may have no row of what is told: two answers may know the same head.
    message_id = sheet.message_id(NOTICE, end.hash.hex(), seat, stamp(now), answers)
    raw = written(sheet, letter, message_id, now, answers)
    outbox.post(tx, sheet.name, seat, NOTICE, message_id, raw, now, now, row.turn, player, budget)


def announce(
    tx: Write,
    config: Config,
    name: str,
    kind: NoticeKind,
    now: datetime,
    lines: Sequence[Line] = (),
    text: str = "",
    news: Sequence[News] = (),
    leave_out: Seat | None = None,
    forms: Ask | None = None,
) -> None:
    """The same notice to all seats of a game, as it stands after the row that it tells of; one seat may be left out.
    With `forms` it can be answered, by a word or by orders; the rules are asked for what is open in that way."""
    row = games.get(tx, name)
    assert row is not None, "a game that something is told of"
    try:
        sheet = sheet_of(tx, config, row)
    except CannotGoOn:
        return  # without its rules nobody knows in which words its name is told; the host sees what is wrong
    for seat in sheet.sitters:
        if seat != leave_out:
            form = None if forms is None else offer(tx, sheet, row, seat, forms)
            post_notice(tx, sheet, row, seat, kind, now, lines=lines, text=text, news=news, offered=form)


def offer(tx: Read, sheet: Sheet, row: GameRow, seat: Seat, ask: Ask = here) -> Offered:
    """What the order form of that seat shows; nothing where its game's rules do not get through with it."""
    try:
        found: Offered = ask(offered, sheet, row.status == games.OPEN, standing_of(tx, row, restored=False), seat)
    except TaskDied:
        return None, NOTHING_STANDS
    return found


def offered(sheet: Sheet, is_open: bool, standing: Standing, seat: Seat) -> Offered:
    """What the seat may choose from, and what stands of it. The state comes as JSON."""
    if standing.state is None:  # its dice are being settled: it has no position yet
        return None, NOTHING_STANDS
    state = sheet.rules.restore(standing.state)
    asked = menu(sheet.rules, state, seat) if is_open else None
    return asked, stands(standing.orders_of(seat), sheet.rules, state, seat)
