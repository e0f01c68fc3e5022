"""Asking for what is mixed into the dice: the game is written down with its commitment, and its players are told."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from engine import Notice as Line
from engine import Seat
from pbem.attending.attendance import Attendance
from pbem.clock import read_instant, stamp
from pbem.game.outgoing import NOTICE, written
from pbem.game.sheet import Sheet
from pbem.game.turning import Row
from pbem.ledger import outbox
from pbem.ledger.transaction import Write
from pbem.reports.report import Notice
from pbem.reports.telling import Who
from pbem.seeding.protocol import BEACON, LEAST, MOST, PLAYERS, Seeding, Wish

COMMITTED = (
    "The dice of this game are settled before it begins. The host has chosen a secret seed and can no longer change it:"
    " its commitment is {commitment}. Keep this letter."
)
HOW = (
    "You can add a secret text to the dice, which the host does not know yet. Choose {least} to {most} letters, digits,"
    " dots, hyphens or underscores that nobody would guess, and keep them to yourself. For now send only their SHA-256"
    " (64 hexadecimal digits), behind `nonce:` in the form below."
)
TOOLS = (
    "`pbem nonce` makes such a text and its SHA-256; any other SHA-256 tool will do. If you do not wish to take part,"
    " write `nonce: none`, or do nothing."
)
THEN = (
    "When everybody has answered, or at the deadline, all players are sent the SHA-256 of all texts. Only then do you"
    " send the text itself. In this way nobody can choose a text that suits those of the others, not even together with"
    " the host."
)
PUBLIC_VALUE = (
    "The dice wait for a public value that nobody knows yet: {beacon}. It becomes known at {after}. If this letter"
    " reached you later than that, the value proves nothing, and you should object."
)
ENTERED = (
    "The host then enters the value, and the game begins. Your first report tells you the value: check it against the"
    " public source. You need not do anything now."
)
CLOSED = "No more SHA-256 are accepted. These have come:"
ONE = "{seat}: {sha256}"
YOURS = (
    "Now send your secret text itself, behind `nonce:` in the form below. If it does not come by the deadline, all"
    " texts of this round are void, all players learn that yours was missing, and the others begin again without you."
)
OTHERS = "You need not do anything: the game begins when these players have sent their texts."
WITHHELD = (
    "No text came in time from {seats}. All texts of this round are void, so that nobody gains by keeping silent."
    " {seats} can add nothing more to the dice of this game; the other players choose new texts."
)


def begin(tx: Write, sheet: Sheet, created: Row, wish: Wish, attendance: Attendance, now: datetime) -> None:
    """Write down a game whose dice are still to be settled, and mail its commitment to all seats."""
    due = sheet.schedule.deadline(now, 0) if wish.by == PLAYERS else None
    more = {"dice": wish.to_json(), "attendance": attendance.to_json(), "due_at": None if due is None else stamp(due)}
    tx.append(sheet.name, created.kind, now, {**created.body, **more})
    lines = [Line("", "dice", COMMITTED, {"commitment": sheet.commitment})]
    asked: tuple[Seat, ...] = ()
    if wish.by == BEACON:
        facts = {"beacon": wish.beacon, "after": read_instant(wish.after)}
        lines += [Line("", "dice", PUBLIC_VALUE, facts), Line("", "dice", ENTERED)]
    else:
        asked, lines = people(sheet), lines + how()
    letters(tx, sheet, dict.fromkeys(sheet.sitters, lines), asked, due, now)


def how() -> list[Line]:
    """Return what a player is told of sending a commitment."""
    facts = {"least": LEAST, "most": MOST}
    return [Line("", "dice", HOW, facts), Line("", "dice", TOOLS), Line("", "dice", THEN)]


def ask_for_texts(tx: Write, sheet: Sheet, seeding: Seeding, due: datetime, now: datetime) -> None:
    """Mail all commitments to all seats, and ask those that committed themselves for their texts."""
    came = [
        Line("", "dice", ONE, {"seat": Who(seat, ""), "sha256": sha256}) for seat, sha256 in seeding.commitments.items()
    ]
    lines = {
        seat: [Line("", "dice", CLOSED), *came, Line("", "dice", YOURS if seat in seeding.commitments else OTHERS)]
        for seat in sheet.sitters
    }
    letters(tx, sheet, lines, tuple(seeding.commitments), due, now)


def ask_again(
    tx: Write, sheet: Sheet, withheld: Iterable[Seat], asked: Collection[Seat], due: datetime, now: datetime
) -> None:
    """Tell all seats who withheld a text, and ask the others for new commitments."""
    why = Line("", "dice", WITHHELD, {"seats": [Who(seat, "") for seat in withheld]})
    lines = {seat: [why, *(how() if seat in asked else ())] for seat in sheet.sitters}
    letters(tx, sheet, lines, asked, due, now)


def people(sheet: Sheet) -> tuple[Seat, ...]:
    """Return the seats at which a person sits who can be asked."""
    return tuple(seat for seat, sitter in sheet.sitters.items() if sitter.is_written_to)


def letters(
    tx: Write,
    sheet: Sheet,
    lines: Mapping[Seat, list[Line]],
    asked: Collection[Seat],
    due: datetime | None,
    now: datetime,
) -> None:
    """Write one letter to each seat; those that are asked find a form in it."""
    for seat in people(sheet):
        head = tx.end(sheet.name).hash.hex()
        letter = Notice(
            kind="dice",
            game=sheet.name,
            rules=sheet.rules,
            zone=sheet.schedule.zone,
            seat=seat,
            reader=sheet.sitters[seat].reader,
            turn=0,
            lines=tuple(lines[seat]),
            players=sheet.players,
            deadline=due,
            key=sheet.key(seat, 0) if seat in asked else "",
            head=head,
        )
        message_id = sheet.message_id(NOTICE, head, seat, stamp(now), "dice")
        outbox.post(tx, sheet.name, seat, NOTICE, message_id, written(sheet, letter, message_id, now), now, now, 0)
