"""Agreed draws, which are the host's matter: a form whose only order is the word offers one, or agrees to it."""

from __future__ import annotations

from engine import Refusal
from pbem.agreed.consent import plays_a_bot
from pbem.game.sheet import Sheet, Standing
from pbem.intake.form import Form

WORDS = frozenset({"draw", "nulle", "patta"})


def draws(sheet: Sheet, standing: Standing, form: Form) -> bool:
    """Whether the form's only order is to draw, in a game whose rules know no such order."""
    if form.orders is None or len(form.orders) != 1 or form.draft:
        return False
    [order] = form.orders
    word = order.get("do", order.get("action")) if isinstance(order, dict) else order
    if not isinstance(word, str) or word.strip().lower() not in WORDS:
        return False
    return isinstance(sheet.rules.read(standing.state, form.seat, word), Refusal)


def why_no_draw(sheet: Sheet, standing: Standing, form: Form) -> Refusal | None:
    """Why this seat cannot draw."""
    if form.seat in standing.resigned:
        return Refusal("", "resigned", "This seat has resigned; its word is not asked any more.")
    if plays_a_bot(sheet, standing.resigned):
        return Refusal("", "no_draw", "A program plays in this game, and programs agree to no draw.")
    return None
