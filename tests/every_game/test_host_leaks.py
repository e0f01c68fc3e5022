"""Leaks planted in the host, one each: in reports, receipts, previews and headers. The same search must find them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from zlib import crc32

import pytest

from engine import Event, load
from pbem import submitting
from pbem.game import outgoing
from pbem.reports.report import Stands
from tests.every_game import letters
from tests.every_game.playing import walks
from tests.every_game.secrets import tell_apart
from tests.faults.figures import counted

Patch = tuple[Any, str, Callable[..., Any]]
ENOUGH = 3000


def everybodys_orders() -> Patch:
    """The report shows what waits of all seats."""

    def stands(*given: Any) -> Stands:
        return Stands(tuple(str(vars_of) for vars_of in STANDING[-1].values())) if STANDING else Stands()

    return outgoing, "stands", stands


STANDING: list[Any] = []


@pytest.fixture(autouse=True)
def remember_the_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a careless host could lay its hands on: all orders that are in."""
    original = letters._orders

    def orders(moment: Any) -> Any:
        found = original(moment)
        STANDING[:] = [found]
        return found

    monkeypatch.setattr(letters, "_orders", orders)


def report_is_the_whole_view() -> Patch:
    """The report is made of the state, not of the seat's view of it."""
    original = outgoing.report_of

    def report_of(sheet: Any, first: Any, steps: Any, after: Any, *rest: Any) -> Any:
        report = original(sheet, first, steps, after, *rest)
        return replace(report, view=replace(report.view, position=sheet.rules.position(after.state)))

    return letters, "report_of", report_of


def report_tells_all_events() -> Patch:
    """Events are told whole, what is for one seat alone too."""

    def steps(sheet: Any, before: Any, resolved: Any, seat: Any) -> Any:
        whole = [replace(step, events=tuple(_opened(event) for event in step.events)) for step in resolved]
        return original(sheet, before, tuple(whole), seat)

    original = outgoing._steps
    return outgoing, "_steps", steps


def _opened(event: Event) -> Event:
    return Event(event.kind, event.rule, {**event.facts, "whole": [list(e.items()) for e in event.hidden.values()]})


def report_shows_all_moves() -> Patch:
    """The moves of a turn are shown in full, whatever the game says of them."""
    original = outgoing._steps

    def steps(sheet: Any, before: Any, resolved: Any, seat: Any) -> Any:
        told = original(sheet, before, resolved, seat)
        return tuple(
            replace(step, moves=tuple(taken._replace(move=str(done.moves[taken.seat].move)) for taken in step.moves))
            for step, done in zip(told, resolved, strict=True)
        )

    return outgoing, "_steps", steps


def receipt_names_who_has_answered() -> Patch:
    """The receipt tells how many orders are in."""
    original = submitting.receipt_for

    def receipt_for(found: Any, *rest: Any) -> Any:
        return replace(original(found, *rest), say=str([orders.queue for orders in found.standing.orders.values()]))

    return letters, "receipt_for", receipt_for


def receipt_previews_the_real_turn() -> Patch:
    """The preview looks at the state instead of the view."""
    original = submitting.receipt_for

    def receipt_for(found: Any, *rest: Any) -> Any:
        receipt = original(found, *rest)
        position = found.sheet.rules.position(found.standing.state)
        return replace(receipt, view=replace(receipt.view, position=position), digest=position)

    return letters, "receipt_for", receipt_for


def receipt_is_longer_for_some_hands() -> Patch:
    """Nothing is said outright, but the length of the mail differs."""
    original = submitting.receipt_for

    def receipt_for(found: Any, *rest: Any) -> Any:
        count = crc32(found.sheet.rules.position(found.standing.state).encode()) % 7
        return replace(original(found, *rest), say="." * (count + 1))

    return letters, "receipt_for", receipt_for


def refusal_knows_too_much() -> Patch:
    """The verdict on an order depends on the other seats' orders."""
    original = submitting.verdict_on

    def verdict_on(found: Any, *rest: Any) -> Any:
        verdict = original(found, *rest)
        others = [orders.queue for seat, orders in found.standing.orders.items() if seat != found.form.seat]
        return replace(verdict, problems=verdict.problems[: len(str(others)) % 2])

    return letters, "verdict_on", verdict_on


def message_id_from_the_state() -> Patch:
    """A header that is made of what is secret."""
    original = letters._sheet

    def sheet(moment: Any) -> Any:
        return replace(original(moment), secret=moment.game.position(moment.state).encode())

    return letters, "_sheet", sheet


def key_from_the_state() -> Patch:
    """The commitment in the report is one to the state, without salt."""
    original = letters._sheet

    def sheet(moment: Any) -> Any:
        return replace(original(moment), commitment=str(hash(moment.game.position(moment.state))))

    return letters, "_sheet", sheet


def page_tells_the_position() -> Patch:
    """What a page offers comes with the state it was made of."""
    original = letters.ordering

    def ordering(sheet: Any, state: Any, *rest: Any) -> Any:
        return {**original(sheet, state, *rest), "from": sheet.rules.position(state)}

    return letters, "ordering", ordering


def site_tells_who_has_answered() -> Patch:
    """The first page names only those whose orders are not in."""
    original = letters.glance

    def glance(row: Any, sheet: Any, standing: Any) -> Any:
        found = original(row, sheet, standing)
        waiting = found.waiting[: len(str(sorted(orders.queue for orders in standing.orders.values()))) % 3]
        return replace(found, waiting=waiting)

    return letters, "glance", glance


PLANTED = (
    page_tells_the_position,
    site_tells_who_has_answered,
    everybodys_orders,
    report_is_the_whole_view,
    report_tells_all_events,
    report_shows_all_moves,
    receipt_names_who_has_answered,
    receipt_previews_the_real_turn,
    receipt_is_longer_for_some_hands,
    refusal_knows_too_much,
    message_id_from_the_state,
    key_from_the_state,
)


BY_WHAT_CAME_OF_IT = {report_tells_all_events, report_shows_all_moves}  # asked of vault, whose pairs go past the turn
CASES = [
    (game, planted)
    for game in ("vault", "khan")
    for planted in PLANTED
    if game == "vault" or planted not in BY_WHAT_CAME_OF_IT
]


@pytest.mark.parametrize(("game", "planted"), CASES, ids=lambda case: getattr(case, "__name__", case))
def test_a_leak_of_the_host_is_found(game: str, planted: Callable[[], Patch], monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, leaky = planted()
    monkeypatch.setattr(where, name, leaky)
    with pytest.raises(AssertionError, match="what it may not know"):
        tell_apart(load(game), walks(game), ENOUGH)
    counted(1, "leaks planted in the host, found")
