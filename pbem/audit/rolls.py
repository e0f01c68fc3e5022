"""Rolls: every draw of a game on a line, with what it was made of, so that anybody can make it again by hand.

A draw is HMAC-SHA256, under the game's key, of `game/turn`, what it is for, how often that was drawn for before in
that turn, and the attempt, with zero bytes between. Its first 8 bytes are a number; the number modulo n is the result,
unless it is one of the last few that would favour small results: then the next attempt counts.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.dice import WORD, mix
from pbem.audit.book import STEPS, Book, committed, created
from pbem.audit.dice import nonces_of


class Roll(NamedTuple):
    """One draw: where it stands, what it is for, its result, and what it comes from (where the seed may be known)."""

    row: int
    turn: str
    why: str
    number: int  # how often that was drawn for before, in this turn
    n: int
    value: int
    text: str = ""  # what is hashed, with \\0 for zero bytes
    word: str = ""  # the first 8 bytes of the hash, in hexadecimal digits

    def to_json(self) -> dict[str, Any]:
        return self._asdict()


def rolls(book: Book) -> Iterator[Roll]:
    """Every draw of the game, in order."""
    created(book)  # Trouble for what is no game
    seed = book.seed()
    key, of = None if seed is None else mix(seed, nonces_of(book)), committed(book)
    for line in book.lines(STEPS):
        said, turn = line.facts(), str(line.opened.turn)
        context = f"{turn}+{said['at_once']}" if line.opened.kind == "at_once" else turn
        used: dict[str, int] = {}
        for why, n, value in said["draws"]:
            index = used.get(why, 0)
            used[why] = index + 1
            made = ("", "")
            if key is not None and of.covers(line.seq):
                made = _made(key, f"{book.game}/{context}", why, index, n)
            yield Roll(line.seq, context, why, index, n, value, *made)


def _made(key: bytes, context: str, why: str, index: int, n: int) -> tuple[str, str]:
    """What was hashed for the attempt that counts, and what came of it."""
    attempt = 0
    while True:
        text = f"{context}\0{why}\0{index}\0{attempt}"
        word = hmac.digest(key, text.encode(), "sha256")[:8]
        if int.from_bytes(word, "big") < WORD - WORD % n:
            return text.replace("\0", "\\0"), word.hex()
        attempt += 1


def line(roll: Roll) -> str:
    """A roll as it is printed: the result, and how it comes out."""
    made = f"   0x{roll.word} mod {roll.n}   HMAC of {roll.text}" if roll.word else ""
    return f"turn {roll.turn:<7} {roll.why:<28} {roll.value:>4} of 0 to {roll.n - 1:<4}{made}".rstrip()


def key_of(book: Book) -> str | None:
    """The key of the game's draws in hexadecimal digits, where its seed may be known."""
    seed = book.seed()
    return None if seed is None else mix(seed, nonces_of(book)).hex()
