"""How a move is put together: the choices it consists of, one after the other, and what is worth knowing about each.

The texts of a move's parts, one behind the other, spell its canonical text. So whoever walks from choice to choice
along the moves that are legal writes a legal move, whatever the game; nothing here says again what is legal.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Said(NamedTuple):
    """A message for a player: an English text, which is the key of its translations, and its facts by name."""

    text: str
    rule: str = ""
    facts: tuple[tuple[str, Any], ...] = ()


def says(text: str, rule: str = "", **facts: Any) -> Said:
    """The message of that text. Facts are texts, numbers, tuples of them, or messages again."""
    return Said(text, rule, tuple(facts.items()))


class Part(NamedTuple):
    """One choice: what it adds to the text of the move ("" for a choice of nothing), and how it is offered.

    `asks` is the question it answers, the same for all answers to it; `label` what it is called where its text alone
    would not say enough; `cost` what it takes out of the purse; `notes` what it does, as far as its seat may know.
    `needs` and `changes` are words: of two moves that are sent together, each stays legal behind the other as long as
    neither changes what the other needs and both can be paid from a shared purse.

    `places` are the ids of places of the map, in the order in which a player taps them to make this choice; the board's
    picture says where they lie. With `any_order` they may be tapped in any order. A choice without places is made in
    the list only.
    """

    text: str
    asks: Said | None = None
    label: Said | None = None
    cost: int = 0
    notes: tuple[Said, ...] = ()
    needs: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    any_order: bool = False


class Purse(NamedTuple):
    """What a seat pays its choices from. `shared`: orders sent together for its next decisions are paid from it."""

    name: Said
    amount: int
    shared: bool = False


class Composer:
    """How the moves of one seat's decision are put together; this one offers each move whole."""

    purse: Purse | None = None

    def parts(self, move: Any) -> tuple[Part, ...]:
        """Return the choices of which a legal move consists, in the order in which they are made."""
        return (Part(str(move), places=self.places(move)),)

    def places(self, move: Any) -> tuple[str, ...]:
        """Return the places of the map to tap for a move that is offered whole; () for a move of the list only."""
        return ()
