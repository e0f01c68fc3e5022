"""How a lead time is written: 24h, 2d or off, and the like in French and Italian."""

from __future__ import annotations

import re

LONGEST = 14 * 24  # hours
OFF = frozenset({"off", "no", "none", "never", "non", "jamais", "mai", "0"})


def read_hours(text: str) -> int | None:
    """A lead time such as 24h, 2d, `36 hours` or off, in hours; None where it is none."""
    word = text.strip().casefold().rstrip(".!")
    if word in OFF:
        return 0
    found = re.fullmatch(r"(\d{1,3}) ?(?:(h|hours?|heures?|ore|ora)|(d|days?|j|jours?|g|giorni|giorno))?", word)
    hours = int(found[1]) * (24 if found[3] else 1) if found else 0
    return hours if 0 < hours <= LONGEST else None
