"""Sketch: whose a file is that cannot be taken apart, by its lines `game:`, `seat:`, `turn:` and `key:` alone.

Nothing else is read of it. It is enough to tell its sender what is wrong, and the key has to be right all the same.
"""

from __future__ import annotations

import re

from pbem.intake.characters import words
from pbem.intake.form import GAME, KEY, SEAT, TURN, Form

LONGEST = 80  # characters of a name, a number or a key
LINE = re.compile(r"^[ ]*(game|seat|turn|key)[ ]*:[ ]([^\n]*)", re.M | re.I)


def sketch(text: str) -> Form | None:
    """A form that says whose it is and nothing more; None where not even that stands there. The first lines count."""
    found: dict[str, str] = {}
    for line in LINE.finditer(text):
        found.setdefault(line[1].lower(), words(line[2].partition(" #")[0]))
    game, seat, turn = found.get(GAME, "").lower(), found.get(SEAT, ""), found.get(TURN, "")
    if not (0 < len(game) <= LONGEST and 0 < len(seat) <= LONGEST):
        return None
    number = int(turn) if turn.isascii() and turn.isdecimal() and len(turn) < 10 else None
    return Form(game=game, seat=seat, turn=number, key=found.get(KEY, "")[:LONGEST] or None)
