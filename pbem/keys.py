"""Keys: the one thing that speaks for a seat. One per seat and turn, eight letters that survive being typed.

A key stands in the order form, or in the address that a letter asks to be answered at. That address says all that the
form says (`orders+k7q29fxm.12.red.jade-river@example.org`), so that no table of keys is needed to understand it.
"""

from __future__ import annotations

import hmac
import re
from typing import NamedTuple

from pbem.intake.characters import LOOKALIKES

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # no I, L, O, U: nobody has to guess which it was
MISREAD = str.maketrans({"I": "1", "L": "1", "O": "0", "-": None, " ": None})  # after LOOKALIKES


def key(secret: bytes, seat: str, turn: int, era: str = "") -> str:
    """The key of that seat for that turn, such as K7Q2-9FXM; another one in every era."""
    text = f"key\0{seat}\0{turn}" + (f"\0{era}" if era else "")
    number = int.from_bytes(hmac.digest(secret, text.encode(), "sha256")[:5], "big")
    letters = "".join(ALPHABET[number >> shift & 31] for shift in range(35, -5, -5))
    return f"{letters[:4]}-{letters[4:]}"


def matches(given: str, secret: bytes, seat: str, turn: int, era: str = "") -> bool:
    """Whether what was typed is that key; takes the same time whatever was typed."""
    typed = given.strip().translate(LOOKALIKES).upper().translate(MISREAD)
    return hmac.compare_digest(typed.encode(), key(secret, seat, turn, era).replace("-", "").encode())


# --- the reply address ------------------------------------------------------------------------------------------------

LONGEST_LOCAL = 64  # what may stand before the @ (RFC 5321)
_tag = re.compile(r"([0-9a-z]{8})\.([1-9][0-9]{0,8})\.([a-z0-9_-]{1,40})\.([a-z0-9-]{1,40})", re.ASCII)


class Tag(NamedTuple):
    """What a reply address says. The key is as it was given: `matches` tells whether it is right. All in lower case."""

    key: str
    turn: int
    seat: str
    game: str


def tag(address: str, key: str, turn: int, seat: str, game: str) -> str:
    """The host's address with the seat's key in it; the plain address where it would grow too long for the post."""
    local, _, host = address.rpartition("@")
    text = f"{key.replace('-', '')}.{turn}.{seat}.{game}".lower()
    if not _tag.fullmatch(text) or len(local) + 1 + len(text) > LONGEST_LOCAL:
        return address
    return f"{local}+{text}@{host}"


def untag(text: str) -> Tag | None:
    """What stands behind the `+` of a reply address, read; None when it is none of ours. Nothing is judged here."""
    found = _tag.fullmatch(text.strip().lower())
    return Tag(found[1], int(found[2]), found[3], found[4]) if found else None
