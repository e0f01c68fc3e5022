"""Times in the ledger: UTC, to the second, always the same number of letters, so that texts sort as instants do."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

from pbem import clock

LETTERS = 20


def stamp(at: datetime) -> str:
    """The one text of an instant. A time without a zone is refused, and so is one that could not be read back."""
    text = clock.stamp(at)
    if at.microsecond or len(text) != LETTERS:
        raise ValueError(f"{at.isoformat()} cannot stand in the ledger: whole seconds from the year 1000 on can")
    return text


@lru_cache(4096)  # the rows of one run name the same few instants
def moment(text: str) -> datetime:
    """The instant of a text that `stamp` wrote; any other spelling is refused."""
    at = datetime.fromisoformat(text)  # strptime takes ten times as long; it is lenient, but the next line is not
    if at.tzinfo is None or clock.stamp(at) != text:
        raise ValueError(f"{text!r} is not how the ledger writes a time")
    return at.astimezone(UTC)
