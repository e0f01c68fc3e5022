"""Units: a root piece and what it carries, as values that are made once and shared (CONQ-2).

A unit is its text in the position notation, `Se3(s1)`: south's elephant that has paid three points, a soldier aboard
that has paid one. Everything else about it follows from the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from games.conquest.geography import COLOURS, DATA

_KINDS = {kind["letter"]: (name, kind) for name, kind in DATA["pieces"].items()}
LETTERS = "".join(sorted(_KINDS, key=lambda letter: int(_KINDS[letter][1]["rank"])))
NAMED = LETTERS + "t"  # CONQ-2.2: `t` is the more tired of two soldiers
RANK = {letter: place for place, letter in enumerate(NAMED)}
PIECE: dict[str, str] = {letter: name for letter, (name, _) in _KINDS.items()} | {"t": "soldier"}
LIMIT: dict[str, int] = {letter: kind["limit"] for letter, (_, kind) in _KINDS.items()}
LIMIT["t"] = LIMIT["s"]
NUMBER: dict[str, int] = {letter: kind["count"] for letter, (_, kind) in _KINDS.items()}
VESSELS = "vg"
_CARGO = {letter: frozenset(DATA["cargo"]["vessel"]) for letter in VESSELS}
_CARGO |= {letter: frozenset(DATA["cargo"].get(PIECE[letter], [""])) for letter in "ecks"}
_PIECE_TEXT = re.compile(r"([vgecks])([1-8]?)(\(?)", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """One unit. Made by `unit` and `parse` alone, so that each text has one object, and equals are the same."""

    text: str
    colour: int = field(repr=False)
    letter: str = field(repr=False)
    spent: int = field(repr=False)
    cargo: tuple[Unit, ...] = field(repr=False)
    count: int = field(repr=False)
    """Single pieces, carried or not, vessels included (CONQ-2.4)."""
    elephant: bool = field(repr=False)
    tired: bool = field(repr=False)
    """Whether any piece of it has spent points."""
    land: bool = field(repr=False)
    """Whether any piece of it is a land piece."""
    named: tuple[tuple[str, int], ...] = field(repr=False)
    """The letters by which its pieces are ordered about, root first, with what each has spent (CONQ-2.2)."""
    able: tuple[tuple[str, bool, int], ...] = field(repr=False)
    """Those that have points left: whether they are carried, and how many points."""
    vessel: bool = field(repr=False)
    hollow: bool = field(repr=False)
    """Whether it is a vessel that carries nothing."""

    @property
    def shape(self) -> str:
        """The unit without colour and spent: `e(ss)`."""
        return self.letter + (f"({''.join(piece.shape for piece in self.cargo)})" if self.cargo else "")

    @property
    def hold(self) -> str:
        """The shape of what it carries: `e(s)`, or nothing."""
        return "".join(piece.shape for piece in self.cargo)

    @property
    def pieces(self) -> list[str]:
        """The letters of all its pieces, root first."""
        return [self.letter, *(letter for piece in self.cargo for letter in piece.pieces)]

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return parse, (self.text,)


def unit(colour: int, letter: str, spent: int = 0, cargo: tuple[Unit, ...] = ()) -> Unit:
    """The unit of that colour; its cargo in any order."""
    if len(cargo) > 1:
        cargo = tuple(sorted(cargo, key=lambda piece: (RANK[piece.letter], piece.spent)))
    return _unit(colour, letter, spent, cargo)


@cache
def _unit(colour: int, letter: str, spent: int, cargo: tuple[Unit, ...]) -> Unit:
    stack = f"{letter}{spent or ''}" + (f"({''.join(piece.text[1:] for piece in cargo)})" if cargo else "")
    named = {letter: spent}
    for piece in cargo:
        for name, its_spent in piece.named:
            _name(named, name, its_spent)
    ranked = tuple(sorted(named.items(), key=lambda item: RANK[item[0]]))
    return Unit(
        text=COLOURS[colour].upper() + stack,
        colour=colour,
        letter=letter,
        spent=spent,
        cargo=cargo,
        count=1 + sum(piece.count for piece in cargo),
        elephant=letter == "e" or any(piece.elephant for piece in cargo),
        tired=spent > 0 or any(piece.tired for piece in cargo),
        land=letter not in VESSELS or bool(cargo),
        named=ranked,
        able=tuple((name, name != letter, LIMIT[name] - paid) for name, paid in ranked if paid < LIMIT[name]),
        vessel=letter in VESSELS,
        hollow=letter in VESSELS and not cargo,
    )


def _name(named: dict[str, int], name: str, spent: int) -> None:
    """CONQ-2.2: of two soldiers that have not spent alike, `s` is the one with less and `t` the one with more.

    Nothing else is carried twice; a unit that would do so is only made to find that it cannot be.
    """
    if name not in named:
        named[name] = spent
    elif name in "st" and named[name] != spent:
        named["s"], named["t"] = sorted((named["s"], spent))


@cache
def parse(text: str) -> Unit:
    """The unit of a text such as `Se3(s1)`; ValueError for a cargo or a spent that cannot be, or another spelling."""
    if not text or text[0].lower() not in COLOURS or text[0].islower():
        raise ValueError(f"{text!r} names no colour: write S, W, N or E first")
    found, end = _parse(COLOURS.index(text[0].lower()), text, 1)
    if end != len(text) or found.text != text:
        raise ValueError(f"{text!r} is not how that unit is written")
    return found


def _parse(colour: int, text: str, start: int) -> tuple[Unit, int]:
    found = _PIECE_TEXT.match(text, start)
    if found is None:
        raise ValueError(f"{text!r} is no unit")
    letter, spent, opens = found.groups()
    end, cargo = found.end(), []
    while opens and text[end : end + 1] != ")":
        piece, end = _parse(colour, text, end)
        cargo.append(piece)
    made = unit(colour, letter, int(spent or 0), tuple(cargo))
    if made.hold not in _CARGO[letter]:
        raise ValueError(f"{made.text!r}: a {PIECE[letter]} does not carry {made.hold}")
    if made.spent > LIMIT[letter]:
        raise ValueError(f"{made.text!r}: a {PIECE[letter]} has {LIMIT[letter]} points a turn")
    return made, end + bool(opens)


@cache
def loaded(carrier: Unit, guest: Unit) -> Unit | None:
    """The carrier with that piece aboard, or None when it has no room for it (CONQ-6.1, CONQ-7.2, CONQ-7.4)."""
    full = unit(carrier.colour, carrier.letter, carrier.spent, (*carrier.cargo, guest))
    if full.hold in _CARGO[carrier.letter]:
        return full
    if carrier.vessel and guest.letter == "s" and len(carrier.cargo) == 1:
        mounted = loaded(carrier.cargo[0], guest)  # CONQ-7.2: he is placed on the elephant or chariot aboard
        return None if mounted is None else unit(carrier.colour, carrier.letter, carrier.spent, (mounted,))
    return None


@cache
def parted(whole: Unit, letter: str) -> tuple[Unit | None, Unit]:
    """What stays, and the piece of that letter that goes, with all it carries (CONQ-6.3, CONQ-7.5)."""
    if whole.letter == letter:
        return None, whole
    direct = [piece for piece in whole.cargo if piece.letter == ("s" if letter == "t" else letter)]
    if direct:
        goes = direct[-1] if letter == "t" else direct[0]
        rest = list(whole.cargo)
        rest.remove(goes)
        return unit(whole.colour, whole.letter, whole.spent, tuple(rest)), goes
    (carrier,) = whole.cargo
    rest_of_it, goes = parted(carrier, letter)
    assert rest_of_it is not None
    return unit(whole.colour, whole.letter, whole.spent, (rest_of_it,)), goes


@cache
def tired(piece: Unit, points: int) -> Unit:
    """The unit after its root has paid so many points more: the carried pay nothing (CONQ-4.4, CONQ-6.5)."""
    return unit(piece.colour, piece.letter, piece.spent + points, piece.cargo)


@cache
def rested(whole: Unit) -> Unit:
    """The unit with nothing spent by any of its pieces."""
    return unit(whole.colour, whole.letter, 0, tuple(rested(piece) for piece in whole.cargo))


@cache
def refunded(whole: Unit, letter: str) -> Unit:
    """The unit once the piece that captured with it has its whole limit again (CONQ-8.6): it, and nobody else."""
    if whole.letter == letter:
        return unit(whole.colour, whole.letter, 0, whole.cargo)
    return unit(whole.colour, whole.letter, whole.spent, tuple(refunded(piece, letter) for piece in whole.cargo))


@cache
def taken_over(vessel: Unit, by: Unit) -> Unit:
    """The enemy vessel once that piece is aboard: its colour, same kind, nothing spent (CONQ-8.4, CONQ-8.6)."""
    return unit(by.colour, vessel.letter, 0, (by,))


@cache
def has_room(carrier: Unit) -> bool:
    """Whether one more soldier may come aboard."""
    return loaded(carrier, unit(carrier.colour, "s")) is not None
