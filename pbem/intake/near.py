"""Nearest words: what somebody probably meant who wrote a word that does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

ALIKE = 0.6  # how much of two words must agree, from 0 to 1
LOOKED_AT = 40  # no word that is known is longer


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like this one, whatever the case; None when none is like it."""
    by_folded = {name.casefold(): name for name in sorted(known)}
    found = get_close_matches(word.casefold()[:LOOKED_AT], by_folded, 1, ALIKE)
    return by_folded[found[0]] if found else None
