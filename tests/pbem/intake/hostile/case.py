"""One hostile input: what it is called, its bytes for a given key, and what must become of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

GAME, SEAT, TURN = "game", "1", 1
KEY = "K7Q2-9FXM"  # of nobody; a host under test puts in the seat's own
HEAD = f"game: {GAME}\nseat: '{SEAT}'\nturn: {TURN}\nkey: {KEY}\n"
END = "end: orders\n"
BELOW = HEAD.count("\n")

ACCEPT, REFUSE, KEEP = "accept", "refuse", "keep"


@dataclass(frozen=True, slots=True)
class Case:
    """An order text. `make` gives it below a head that says whose it is.

    `code`, `line`, `column` and `says` are of the first thing the reader finds wrong; no code: it reads the text.
    `fate` is what a host does with it when the key is right: KEEP where not even the sender can be made out.
    """

    id: str
    make: Callable[[str], bytes]
    fate: str
    code: str = ""
    line: int = 0
    column: int = 0
    says: str = ""

    def raw(self, key: str = KEY) -> bytes:
        """The bytes with that key in them."""
        return self.make(HEAD.replace(KEY, key))


def text(id: str, below: str, code: str = "", line: int = 0, column: int = 0, says: str = "", fate: str = "") -> Case:
    """A text below the usual head. Lines are counted from the first one below it; the end line is put under it."""
    ended = below if below.endswith("\n") or not below else below + "\n"
    made = fate or (REFUSE if code else ACCEPT)
    return Case(id, lambda head: (head + ended + END).encode(), made, code, line and line + BELOW, column, says)


def raw(id: str, make: Callable[[str], bytes], code: str = "", line: int = 0, column: int = 0, says: str = "",
        fate: str = "") -> Case:  # fmt: skip
    """Bytes of any make. Lines are counted from the first one."""
    return Case(id, make, fate or (REFUSE if code else ACCEPT), code, line, column, says)
