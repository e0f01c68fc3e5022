"""One mail from its bytes to its reading: what it is, whose it claims to be, and what it orders."""

from __future__ import annotations

from collections.abc import Collection

from pbem.intake.limits import USUAL, Limits
from pbem.intake.mail.reading import MailReading


def read_mail(
    raw: bytes,
    *,
    ours: Collection[str] = (),
    authserv: str = "",
    check_dkim: bool = False,
    game_keys: Collection[str] = (),
    conditions: Collection[str] = (),
    limits: Limits = USUAL,
) -> MailReading:
    """What that mail says. Whatever the bytes, there is an answer."""
    return MailReading()
