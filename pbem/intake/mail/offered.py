"""Offered: whether a form that came back is nothing but what our letter offered, which is no order.

The forms are compared by what they say, and where one of them cannot be read, by their letters: mail programs break
lines, change dashes and take blanks out, and none of that makes an order.
"""

from __future__ import annotations

from pbem.intake.form import Form
from pbem.intake.mail.forms import same_words
from pbem.intake.mail.reading import Block


def unchanged(block: Block, text: str, form: Form | None) -> bool:
    """Whether that block says what the form of our letter said: `text`, which reads as `form`."""
    if same_words(block.text, text):
        return True
    read = block.reading
    return form is not None and read.form is not None and not read.problems and _said(read.form) == _said(form)


def _said(form: Form) -> tuple[object, ...]:
    orders = () if form.orders is None else form.orders
    return (
        *(form.game.casefold(), form.seat.casefold(), form.turn, orders, form.draft, form.orders is None),
        *(dict(form.standing or {}), dict(form.say), form.nonce, form.absent, dict(form.extra)),
    )


def file_lines(text: str) -> list[str]:
    """The lines of a file as they come through whatever carries it: with comments, without blanks around them."""
    return [line.strip() for line in text.splitlines() if line.strip()]
