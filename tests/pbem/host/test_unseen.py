"""What a reader sees nothing of: moves out of turn are passed over in silence, and whoever is asked has his report."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import Turned, load
from pbem.game import outgoing, turning
from tests.pbem.host.conftest import Host


@pytest.fixture
def whisper(host: Host, monkeypatch: pytest.MonkeyPatch) -> Host:
    """Nim of which others learn nothing: a take from the heaps a and c is one out of turn; after one from a, the same
    seat goes on."""
    nim = type(load("nim"))
    resolve = nim.resolve

    def unheard(self, state, moves, dice):
        ((seat, move),) = moves.items()
        after, events = resolve(self, state, moves, dice)
        after = replace(after, to_move=seat) if move.heap == 0 else after
        return Turned(after, tuple(event._replace(audience=(seat,)) for event in events))

    monkeypatch.setattr(nim, "resolve", unheard)
    monkeypatch.setattr(nim, "shown", lambda self, state, seat, move, reader: str(move) if reader == seat else "")
    monkeypatch.setattr(nim, "at_once", lambda self, state, seat, move: move.heap != 1 and state.to_move == seat)
    host.start("nim", heaps="3,4,5", schedule="on-arrival 20:00")
    return host


def told(host: Host, order: str) -> set[str]:
    """The seats that have a report of it."""
    before = {seat: len(host.mails(seat)) for seat in "12"}
    assert host.order("1", order).fate == "accepted"
    return {seat for seat in "12" if "report" in [mail.kind for mail in host.mails(seat)[before[seat] :]]}


@pytest.mark.parametrize(("order", "seats"), [("a1", {"1"}), ("b1", {"1", "2"}), ("c1", {"1", "2"})])
def test_a_report_of_what_nobody_else_may_know(whisper: Host, order: str, seats: set[str]) -> None:
    """a: it tells the other nothing, nor that there was something. b: a turn is over. c: the other is asked now."""
    assert told(whisper, order) == seats


@pytest.mark.parametrize("order", ["b1", "c1"])
def test_weakened_who_sees_nothing_is_asked_unheard(whisper: Host, monkeypatch, order: str) -> None:
    """As it was: whatever was resolved, whoever saw nothing of it had no report."""

    def of_what_is_seen(sheet, before, result, *more):
        mails = outgoing.reports(sheet, before, result, *more)
        return tuple(mail for mail in mails if outgoing._steps(sheet, before.state, result.steps, mail.seat))

    monkeypatch.setattr(turning, "reports", of_what_is_seen)
    assert told(whisper, order) == {"1"}
