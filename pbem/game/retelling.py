"""Retelling: what happened in a game so far, as one seat may know it: for who asks, and for who takes a seat over."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Notice, Seat
from pbem.game.history import step_of
from pbem.game.sheet import Sheet
from pbem.ledger import journal
from pbem.ledger.games import GameRow
from pbem.ledger.journal import JournalRow
from pbem.ledger.transaction import Read
from pbem.reports.telling import Who

MOST_TURNS = 40
HOW = {"given": "as ordered", "standing": "by standing order", "draft": "from a draft", "default": "no orders came"} | {
    "resigned": "the seat has resigned", "stand-in": "by the stand-in"
}  # fmt: skip


def history_rows(tx: Read, row: GameRow) -> list[JournalRow]:
    """The last turns of a game as they were written, and the one before them, from which they go on."""
    first = max(0, row.turn - MOST_TURNS - 1)
    return [step for number in range(first, row.turn + 1) for step in journal.steps_of(tx, row.name, number)]


def history_lines(sheet: Sheet, rows: Sequence[JournalRow], seat: Seat) -> list[Notice]:
    """What each decided, as far as that seat may know it. To be asked apart."""
    rules, told, before = sheet.rules, [], None
    for row in rows:
        if before is None:  # the set-up, or the turn before the first that is told
            before = rules.restore(row.facts()["state"])
            continue
        step = step_of(rules, before, row)
        for mover, made in step.moves.items():
            shown = rules.shown(before, mover, made.move, seat)
            if shown == "":
                continue
            facts = {"turn": step.turn, "who": Who(mover, ""), "move": shown or "", "how": HOW.get(made.how, made.how)}
            text = "Decision {turn}: {who}: {move} ({how})." if shown else "Decision {turn}: {who} has decided ({how})."
            told.append(Notice("", "decided", text, facts))
        before = step.state
    return told
