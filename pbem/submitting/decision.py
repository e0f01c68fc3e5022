"""The decision on a form as a function: where its game stands goes in; the submission's row and the receipt come out.

Nothing here touches the ledger, so that it can be done apart, where a game's rules may loop or fall over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from engine import Notice, Refusal, Seat
from engine.entries import plain
from pbem.agreed.drawing import draws
from pbem.attending import absences
from pbem.attending.absences import Announced
from pbem.attending.answers import due_after
from pbem.clock import stamp
from pbem.game.outgoing import RECEIPT, Mail, written
from pbem.game.sheet import Sheet, Standing, says_to_json, submission, waits_to_json
from pbem.game.turning import Fixed, Played, Row, chained, fixed, take_alone
from pbem.intake.form import Reading
from pbem.intake.judge import Verdict
from pbem.intake.problems import Problem
from pbem.ledger import games
from pbem.ledger.letters import Waiting
from pbem.ledger.packing import keep
from pbem.ledger.project import SAYS
from pbem.reports.report import Receipt
from pbem.rulings.resigning import resigns, ruling
from pbem.submitting.identity import Proven, Seated
from pbem.submitting.receipt import receipt_for
from pbem.submitting.verdict import LATE, verdict_of

SUBMISSION, ABSENCE = "submission", "absence"
FILE = "orders"


@dataclass(frozen=True, slots=True)
class Manner:
    """How a form came, beside what it says: what was wrong or odd with that, and what becomes of the receipt.

    `facts` go into the submission's row; `answers` is the id of the mail that the receipt answers, and `player` whose
    it is; with `silent` no receipt leaves, as the seat was sent enough today; `shown`: whoever brought it waits to be
    shown the receipt itself. Without `shows_key` the receipt holds no key, and so no order form. `old_key`: another
    than the open decision's proves the seat; None where the form says it. Programs of the host's own are not `limited`.
    """

    file: str = FILE
    problems: tuple[Problem, ...] = ()
    notices: tuple[Notice, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    answers: str = ""
    player: str = ""
    silent: bool = False
    shown: bool = False
    shows_key: bool = True
    old_key: bool | None = None
    limited: bool = True


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be written down, in this order: the rows, the receipt, the notices to others, and the effects of the
    moves at once. `head` is where the chain ends after the rows, `wrong` are the codes of what is wrong. The verdict
    and the receipt, which hold all that their seat may see, are only there for whoever waits to be shown them."""

    is_taken: bool
    wrong: tuple[str, ...]
    head: str
    rows: tuple[Fixed, ...]
    at_once: tuple[str, ...]
    mail: Mail | None
    notices: tuple[Mail, ...] = ()
    draws: bool = False  # the seat gives its word for a draw
    resigns: bool = False  # its resignation is the host's own matter
    shown: tuple[Verdict, Receipt] | None = None


def decided(given: Proven, reading: Reading, message: Waiting, now: datetime, manner: Manner) -> Decision:
    """The decision on a form as it came out of the ledger."""
    found = given.opened()
    sheet, seat = found.sheet, found.seat
    verdict = verdict_of(found, reading, message.at, manner.problems)
    after = _after(found, verdict)
    said = Row(SUBMISSION, _submission(found, message, verdict, after, manner, now), found.turn, seat)
    away = _away(found, verdict, after, now)
    after = after if away is None else away.standing
    rows = fixed(said, *_more_rows(found, verdict, after, away, now))
    end = chained(sheet.name, sheet.secret, found.standing.end, rows, now)
    head, mail, receipt = end.hash.hex(), None, None
    is_sent = sheet.sitters[seat].is_written_to and not manner.silent
    if is_sent or manner.shown:
        told = [*manner.notices, *(() if away is None else absences.noted(away, seat))]
        receipt = receipt_for(found, verdict, message, head, manner.file, told, after.deadline)
        receipt = receipt if manner.shows_key else replace(receipt, key="")
    if is_sent and receipt is not None:
        message_id = sheet.message_id(RECEIPT, head, seat)
        raw = written(sheet, receipt, message_id, now, manner.answers)
        mail = Mail(RECEIPT, seat, message_id, keep(raw), found.turn)
    others = () if away is None else absences.told_to_others(sheet, seat, away.after(end), now)
    agrees = verdict.is_taken and draws(sheet, found.standing, found.form)
    wrong = tuple(problem.why.code for problem in verdict.problems)
    shown = (verdict, receipt) if manner.shown and receipt is not None else None
    at_once = tuple(map(str, verdict.at_once))
    gone = verdict.is_taken and resigns(sheet, found.standing, found.form)
    return Decision(verdict.is_taken, wrong, head, rows, at_once, mail, others, agrees, gone, shown)


def _away(found: Seated, verdict: Verdict, after: Standing, now: datetime) -> Announced | None:
    """What a word on days away comes to, where one is taken."""
    if not verdict.is_taken or found.form.absent is None:
        return None
    return absences.announced(found.sheet, after, found.seat, found.form.absent, now)


def _after(found: Seated, verdict: Verdict) -> Standing:
    """Where the game stands once the verdict holds: the seat's orders, which submission they came by, its words."""
    seat, standing = found.seat, found.standing
    if any(problem.why.code == LATE for problem in verdict.problems):
        return replace(standing, attendance=standing.attendance.came_late(seat))
    if not verdict.is_taken and not verdict.kept:
        return standing
    number = standing.end.seq + 1  # the place that the submission's row will have
    orders = {**standing.orders, seat: verdict.stands}
    brought = verdict.stands != standing.orders_of(seat)
    sources = {**standing.sources, seat: number} if brought else standing.sources
    says = {**standing.says, seat: dict(found.form.say)} if verdict.is_taken and found.form.say else standing.says
    attendance = standing.attendance.wrote(seat, taken=verdict.is_taken and found.form.orders is not None)
    return replace(standing, orders=orders, sources=sources, says=says, attendance=attendance)


def _submission(
    found: Seated, message: Waiting, verdict: Verdict, after: Standing, manner: Manner, now: datetime
) -> dict[str, Any]:
    """All that the row says: what came, what became of it, and what waits for the seat now."""
    form, standing = found.form, found.standing
    body = {
        "letter": message.sha256,
        "route": message.route,
        "message_id": message.message_id,
        "counter": standing.counters.get(form.seat, 0) + 1,
        "fate": verdict.fate,
        "orders": None if form.orders is None else [plain(order) for order in form.orders],
        "draft": form.draft,
        "standing": form.standing,
        "extra": dict(form.extra),
        "say": dict(form.say),
        "understood": [None if read.supposed else read.text for read in verdict.read],
        "refusals": [problem.to_json() for problem in verdict.problems],
        "warnings": [Refusal(n.rule, n.code, n.text, n.facts).to_json() for n in verdict.notices],
        "replaces": standing.sources.get(form.seat) if verdict.replaced else None,
        **manner.facts,
    }
    if found.status == games.OPEN:
        due = due_after(found.sheet, after, now)
        waits = waits_to_json(found.sheet, after, form.seat, str(body["counter"]))
        says = says_to_json(found.sheet, after, (form.seat,), str(body["counter"]))
        body |= {"queue": waits, SAYS: says, "due_at": None if due is None else stamp(due)}
    if after.attendance != standing.attendance:
        body["attendance"] = after.attendance.to_json()
    return submission(found.sheet, form.seat, body, withheld=not verdict.is_taken and not verdict.kept)


def _more_rows(found: Seated, verdict: Verdict, after: Standing, away: Announced | None, now: datetime) -> list[Row]:
    """What else a form that is taken brings about: days away, or a resignation that is the host's own matter."""
    if not verdict.is_taken:
        return []
    seat, turn, rows = found.seat, found.turn, []
    if away is not None:
        rows.append(Row(ABSENCE, away.body, turn, seat))
    if resigns(found.sheet, found.standing, found.form):
        rows.append(Row("ruling", ruling(found.sheet, after, seat, now), turn, seat))
    return rows


def effect(sheet: Sheet, standing: Standing, seat: Seat, text: str, now: datetime, source: int) -> Played | None:
    """What a move out of turn comes to, on the game as it stands; None where there is no room for it any more.

    It is read anew: a move out of turn before it, from the same file, may have changed the position.
    """
    rules = sheet.rules
    opened = replace(standing, state=rules.restore(standing.state))
    move = rules.read(opened.state, seat, text)
    if isinstance(move, Refusal) or not rules.at_once(opened.state, seat, move):
        return None
    return take_alone(sheet, opened, seat, move, now, source)
