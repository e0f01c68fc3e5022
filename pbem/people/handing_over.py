"""Handing a seat over, as a function: the row, a notice to all seats, and a briefing to whoever sits there now.

Nothing here touches the ledger, so that it can be done apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from engine import Notice as Line
from engine import Seat
from pbem.clock import stamp
from pbem.deadlines.leads import next_look
from pbem.game.outgoing import NOTICE, REPORT, Mail, report_of, written
from pbem.game.retelling import history_lines
from pbem.game.sheet import Sheet, Standing, says_to_json, waits_to_json
from pbem.game.turning import Played, Row, tell_all
from pbem.ledger.journal import JournalRow
from pbem.ledger.packing import keep
from pbem.ledger.project import SAYS
from pbem.reports.report import News, Notice
from pbem.reports.telling import Who

RULES = (
    "The rules of the game lie with the host; `help` tells what can be written to him, `report 3` brings an old report."
)
BRIEFING = (
    "You play {seat} in {game} from now on. What stands of the seat's orders stands for you; change it as you like.",
    "What was written to the player before you stays his. What the seat knows of the game, you know:",
)


def handed_over(
    sheet: Sheet, standing: Standing, seat: Seat, row: Row, rows: Sequence[JournalRow], now: datetime
) -> Played:
    """The sheet has the new player and his keys; `rows` are the last turns. The state comes as JSON."""
    rules = sheet.rules
    standing = replace(standing, state=rules.restore(standing.state))
    news = standing.attendance.news[-1:]
    if standing.deadline is not None and seat in rules.pending(standing.state):
        later = sheet.schedule.deadline(now, standing.turn)
        standing = replace(standing, deadline=max(standing.deadline, later))
    waits = {one: waits_to_json(sheet, standing, one, f"hand {standing.end.seq}") for one in row.body["queues"]}
    remind = next_look(sheet, standing, rules.pending(standing.state))
    says = says_to_json(sheet, standing, row.body["queues"], f"hand {standing.end.seq}")
    body = {**row.body, "queues": waits, SAYS: says, "remind_at": None if remind is None else stamp(remind)}
    played = tell_all(sheet, standing, row._replace(body=body), news, now)
    after = replace(standing, end=played.end)
    mails = [mail for mail in played.mails if mail.seat != seat]
    if sheet.sitters[seat].is_written_to:
        mails += _briefing(sheet, after, seat, rows, news, now)
    return replace(played, mails=tuple(mails))


def _briefing(
    sheet: Sheet, after: Standing, seat: Seat, rows: Sequence[JournalRow], news: tuple[News, ...], now: datetime
) -> list[Mail]:
    """The position with the order form, as every report has it; and a letter with what happened so far."""
    report = report_of(sheet, None, (), after, None, seat, news=news)
    report_id = sheet.message_id(REPORT, after.end.hash.hex(), seat)
    facts: Mapping[str, Any] = {"seat": Who(seat, ""), "game": sheet.name}
    lines = [Line("", "briefing", text, facts) for text in BRIEFING]
    notice = Notice(
        kind="briefing",
        game=sheet.name,
        rules=sheet.rules,
        players=sheet.players,
        zone=sheet.schedule.zone,
        seat=seat,
        reader=sheet.sitters[seat].reader,
        turn=after.turn,
        lines=(*lines, *history_lines(sheet, rows, seat), Line("", "rules", RULES)),
        deadline=after.deadline,
        key=sheet.key(seat, after.turn),
        menu=report.menu,
        stands=report.stands,
        head=after.end.hash.hex(),
    )
    notice_id = sheet.message_id(NOTICE, "briefing", after.end.hash.hex(), seat)
    return [
        Mail(NOTICE, seat, notice_id, keep(written(sheet, notice, notice_id, now)), after.turn),
        Mail(REPORT, seat, report_id, keep(written(sheet, report, report_id, now)), after.turn),
    ]
