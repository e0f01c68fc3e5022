"""Reports again: a seat's as it was mailed, the public one made from the journal."""

from __future__ import annotations

from dataclasses import replace

from pbem.config import Config
from pbem.errors import Trouble
from pbem.game import history
from pbem.game.hosting import game_set_up, sheet_of
from pbem.game.outgoing import JSON_FILE, REPORT, report_of
from pbem.game.sheet import End, Standing
from pbem.ledger import outbox
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Read
from pbem.mailparts import parts
from pbem.reports import html, json, text

FORMATS = ("text", "html", "json")


def report_again(
    tx: Read, config: Config, name: str, seat: str | None, turn: int | None, form: str, lang: str = "en"
) -> str:
    """The report of that turn (the last one, unless named) in that form; the public one in that language."""
    game = game_set_up(tx, name)
    wanted = game.turn if turn is None else turn
    if not 0 < wanted <= game.turn:
        raise Trouble(f"{name} is at turn {game.turn}; name a turn from 1 to {game.turn}.")
    if seat is None:
        return _public(tx, config, game, wanted, form, lang)
    return _mailed(tx, game, seat, wanted, form)


def _mailed(tx: Read, game: GameRow, seat: str, turn: int, form: str) -> str:
    if seat not in game.seats:
        raise Trouble(f"{game.name} has no seat {seat!r}; its seats are {', '.join(sorted(game.seats))}.")
    later = 0
    for mail in reversed(outbox.of_game(tx, game.name)):
        found = parts(outbox.raw(tx, mail.message_id)) if mail.seat == seat else None
        if found is None or found.kind != REPORT:
            continue
        if found.turn == turn:
            return {"text": found.text, "html": found.html, "json": found.files[JSON_FILE].decode()}[form]
        if found.turn < turn:
            break
        later = found.turn
    raise Trouble(f"Seat {seat} of {game.name} was sent no report of turn {turn}; the next one was of turn {later}.")


def _public(tx: Read, config: Config, game: GameRow, wanted: int, form: str, lang: str) -> str:
    sheet = sheet_of(tx, config, game)
    run = history.run_before(tx, sheet, wanted)
    outcome = history.outcome_of(tx, sheet) if wanted == game.turn and game.status == "over" else None
    after = replace(
        Standing(run.turn, run.steps[-1].state), deadline=run.deadline, end=End(0, run.head, None), at_once=run.at_once
    )
    report = report_of(sheet, run.first, run.steps, after, outcome, None, news=run.news)
    report = replace(report, reader=replace(report.reader, lang=lang))
    return {"text": text.render, "html": html.render, "json": json.render}[form](report)
