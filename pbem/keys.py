"""Keys: the one thing that speaks for a seat. One per seat and turn, eight letters that survive being typed."""

from __future__ import annotations

import hmac

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # no I, L, O, U: nobody has to guess which it was
MISREAD = str.maketrans({"I": "1", "L": "1", "O": "0", "-": None, " ": None})


def key(secret: bytes, seat: str, turn: int) -> str:
    """The key of that seat for that turn, such as K7Q2-9FXM."""
    number = int.from_bytes(hmac.digest(secret, f"key\0{seat}\0{turn}".encode(), "sha256")[:5], "big")
    letters = "".join(ALPHABET[number >> shift & 31] for shift in range(35, -5, -5))
    return f"{letters[:4]}-{letters[4:]}"


def matches(given: str, secret: bytes, seat: str, turn: int) -> bool:
    """Whether what was typed is that key; takes the same time whatever was typed."""
    typed = given.strip().upper().translate(MISREAD)
    return hmac.compare_digest(typed.encode(), key(secret, seat, turn).replace("-", "").encode())
