"""Masks: press that does not say whose it is. A word for that stands before those it is for: `anon red`."""

from __future__ import annotations

from pbem.intake.away import plain_letters
from pbem.intake.form import TO_ALL

MASK = "anon"
MASKED = frozenset({MASK, "anonymous", "anonymously", "anonyme", "anonimo", "anonima"})


def settled(to: str) -> str:
    """`anonyme red` as `anon red`, and `anon` alone as `anon all`; whom plain words are for as it was written."""
    first, _, rest = to.partition(" ")
    return put_on(rest or TO_ALL) if plain_letters(first) in MASKED else to


def put_on(to: str) -> str:
    """The same receivers of words that wear a mask."""
    return f"{MASK} {to}"


def taken_off(to: str) -> tuple[bool, str]:
    """Whether the words wear a mask, and whom they are for."""
    return to.startswith(f"{MASK} "), to.removeprefix(f"{MASK} ")
