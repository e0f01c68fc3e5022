"""Reports again: a seat's as it was mailed, the public one made from the journal."""

from __future__ import annotations

from dataclasses import replace

from pbem import history
from pbem.config import Config
from pbem.errors import Trouble
from pbem.hosting import game_named, sheet_of
from pbem.ledger import outbox
from pbem.ledger.transaction import Read
from pbem.mailparts import Parts, parts
from pbem.outgoing import JSON_FILE, REPORT, report_of
from pbem.reports import html, json, text
from pbem.sheet import End, Standing

FORMATS = ("text", "html", "json")


def report_again(tx: Read, config: Config, name: str, seat: str | None, turn: int | None, form: str) -> str:
    """The report of that turn (the last one, unless named) in that form."""
    return _public(tx, config, name, turn, form) if seat is None else _mailed(tx, config, name, seat, turn, form)


def _mailed(tx: Read, config: Config, name: str, seat: str, turn: int | None, form: str) -> str:
    game = game_named(tx, name)
    if seat not in game.seats:
        raise Trouble(f"{name} has no seat {seat!r}; its seats are {', '.join(sorted(game.seats))}.")
    found: Parts | None = None
    for mail in reversed(outbox.of_game(tx, name)):
        if mail.seat == seat:
            found = parts(outbox.raw(tx, mail.message_id))
            if found.kind == REPORT and turn in (None, found.turn):
                return {"text": found.text, "html": found.html, "json": found.files[JSON_FILE].decode()}[form]
    raise Trouble(f"Seat {seat} of {name} was sent no report of turn {turn}.")


def _public(tx: Read, config: Config, name: str, turn: int | None, form: str) -> str:
    game = game_named(tx, name)
    sheet = sheet_of(tx, config, game)
    wanted = game.turn if turn is None else turn
    run = history.run_before(tx, sheet, wanted)
    outcome = history.outcome_of(tx, sheet) if wanted == game.turn and game.status == "over" else None
    after = replace(
        Standing(run.turn, run.steps[-1].state), deadline=run.deadline, end=End(0, run.head, None), at_once=run.at_once
    )
    report = report_of(sheet, run.first, run.steps, after, outcome, None)
    return {"text": text.render, "html": html.render, "json": json.render}[form](report)
