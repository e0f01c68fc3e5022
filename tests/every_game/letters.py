"""What the host writes to a seat, or for everybody, as a witness of what may be known: reports, receipts and previews,
pages and what the site says of a game (G25, G26)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from engine.advance import Made, Step
from engine.entries import Deed
from engine.queue import SeatOrders
from pbem.config import Config
from pbem.deadlines.schedule import Schedule
from pbem.game.outgoing import report_of, written
from pbem.game.overview import Details, glance
from pbem.game.sheet import Host, Sheet, Sitter, Standing
from pbem.intake.fields import read_form
from pbem.ledger.games import GameRow
from pbem.ledger.letters import Waiting
from pbem.pages import site
from pbem.pages.seat import Place, filled, ordering
from pbem.reports import html, json, text
from pbem.reports.report import Report
from pbem.submitting import Seated, receipt_for, verdict_on
from tests.every_game.witnesses_moment import Moment

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
CONFIG = Config(Path("/nowhere"))
PROBED = 4  # submissions judged and answered at each moment


def report(moment: Moment) -> bytes:
    """The report on what came of the turn; before that, the one that asks for orders. The head is the same in both."""
    sheet, told = _sheet(moment), _told(moment)
    if moment.seat is None:
        return "\n".join((text.render(told), html.render(told), json.render(told))).encode()
    return written(sheet, told, sheet.message_id("report", 1), NOW)


def _told(moment: Moment) -> Report:
    sheet, standing = _sheet(moment), _standing(moment)
    if moment.turned is None:
        return report_of(sheet, moment.state, (), standing, None, moment.seat)
    made = {seat: Made(move, "given") for seat, move in sorted(moment.moves.items())}
    story, state = tuple(moment.turned.events), moment.turned.state
    step = Step(3, 0, moment.game.decision(moment.state), made, story, (), state, {}, {})
    after = Standing(4, state, _orders(moment), deadline=standing.deadline)
    return report_of(sheet, moment.state, (step,), after, moment.game.outcome(state), moment.seat)


def page(moment: Moment) -> bytes:
    """The seat's page with all that it may choose; for everybody the page of the game, and what the site says of it."""
    sheet, told = _sheet(moment), json.plain(_told(moment))
    if moment.seat is None:
        return (filled(sheet, [told], "en", None, Place("index.html", "rules.html")) + _first_page(moment)).encode()
    state = moment.state if moment.turned is None else moment.turned.state
    asked = moment.seat in moment.game.pending(state)
    order = ordering(sheet, state, told["stands"], told, "en") if asked else None
    return filled(sheet, [told], "en", order).encode()


def _first_page(moment: Moment) -> str:
    sheet, standing = _sheet(moment), _standing(moment)
    outcome = moment.game.outcome(moment.state)
    seen = Details(glance(_row(moment), sheet, standing), sheet.players, {}, "", "", "", "", outcome)
    return site.first_page(CONFIG, [site.shown(CONFIG, moment.game, seen)], [], [], [], [], NOW)


def receipts(moment: Moment) -> bytes:
    """What is answered to some submissions of this seat, while the others' orders wait."""
    if moment.seat is None:
        return b""
    sheet, standing = _sheet(moment), _standing(moment)
    said = []
    for order in [order for order in moment.probes if isinstance(order, str)][:PROBED]:
        raw = f"game: game\nseat: {moment.seat!r}\nturn: 3\norders:\n  - {order!r}\n".encode()
        reading = read_form(raw)
        if reading.form is None:
            continue
        seated = Seated("open", sheet, standing, reading.form)
        verdict = verdict_on(seated, reading, NOW)
        receipt = receipt_for(seated, verdict, Waiting("<1>", "0" * 64, "drop", NOW), "0" * 64, "orders.yml")
        said.append(written(sheet, receipt, sheet.message_id("receipt", 1), NOW))
    return b"\n".join(said)


def _row(moment: Moment) -> GameRow:
    return GameRow(
        *("game", moment.game.id, "", {}, {}, "open", 3, "", [], 0, None, NOW, [], None, 0, NOW),
        state=None,
        deeds=None,
        attendance=None,
    )


def _sheet(moment: Moment) -> Sheet:
    """A hosted game of constant names and secrets. Its rules are the moment's own, leaking ones too."""
    seats = moment.game.seats(moment.options)
    sitters = {seat: Sitter(f"Player {seat}", "player@players.example", "en", "UTC") for seat in seats}
    host = Host("pbem", "orders@localhost")
    return _Sheet(
        "game", moment.game, moment.options.to_json(), sitters, Schedule(), host, b"s" * 32, b"d" * 32, {}, "c" * 64
    )


class _Sheet(Sheet):
    """A sheet that carries its rules instead of looking them up by name."""

    @property
    def rules(self) -> Any:
        return self.rules_id


def _standing(moment: Moment) -> Standing:
    done = {seat: (Deed(seat, None),) for seat in _orders(moment)}
    return Standing(3, moment.state, _orders(moment), done=done, deadline=NOW + timedelta(hours=8))


def _orders(moment: Moment) -> dict[str, SeatOrders]:
    """The others' orders are in; they are not this seat's to know."""
    waiting = {seat: SeatOrders((str(move),)) for seat, move in moment.moves.items() if seat != moment.seat}
    return {seat: waiting.get(seat, SeatOrders()) for seat in moment.game.seats(moment.options)}
