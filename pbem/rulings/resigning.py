"""Resigning where the rules leave it to the host: the seat takes the default from now on and ranks last."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from engine import Seat
from pbem.attending.answers import due_after
from pbem.clock import stamp
from pbem.game.sheet import Sheet, Standing
from pbem.intake.form import Form

WORDS = frozenset({"resign", "abandonner", "abbandonare"})


def resigns(sheet: Sheet, standing: Standing, form: Form) -> bool:
    """Whether the form's only order is to resign, in a game whose rules know no resignation."""
    if form.orders is None or len(form.orders) != 1 or form.draft or form.seat in standing.resigned:
        return False
    [order] = form.orders
    word = order.get("do", order.get("action")) if isinstance(order, dict) else order
    if not isinstance(word, str) or word.strip().lower() not in WORDS:
        return False
    return sheet.rules.resignation(standing.state, form.seat) is None and standing.deadline is not None


def ruling(sheet: Sheet, standing: Standing, seat: Seat, now: datetime) -> dict[str, Any]:
    """The row of a resignation. When one side is left, or all others have answered, a run may have something to do."""
    resigned = sorted({*standing.resigned, seat})
    due = due_after(sheet, replace(standing, resigned=frozenset(resigned)), now)
    body = {"act": "resign", "reason": "the seat resigned", "resigned": resigned}
    return body | {"due_at": None if due is None else stamp(due)}
