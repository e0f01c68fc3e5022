"""The dice of a game, out of its history: what was mixed into the seed, and whether that came in the right order."""

from __future__ import annotations

from pbem.audit.book import STEPS, Book, Line, committed, created
from pbem.clock import stamp
from pbem.seeding.protocol import ALONE, KIND, Broken, Origin, Seeding


class OutOfOrder(Exception):
    """The end of a sentence about a row that the protocol of the dice does not allow where it stands."""

    def __init__(self, line: Line, why: str) -> None:
        super().__init__(why)
        self.line = line


def seeding_of(book: Book) -> Seeding | None:
    """Return how the dice were settled, step by step; None where the host alone had a say, and nothing was to come
    before the set-up. Raise OutOfOrder at the first row that is out of place."""
    facts = created(book)
    if "dice" not in facts:
        stray = next(book.lines((KIND,)), None)
        if stray is not None:
            raise OutOfOrder(stray, "nobody was to have a say in the dice of this game")
        return None
    seeding = Seeding(facts)
    for line in book.lines((KIND, *STEPS)):
        said = line.facts()
        if line.opened.kind in STEPS:
            if seeding.nonces is None:
                raise OutOfOrder(line, "it draws before the dice were settled")
            continue
        try:
            seeding.add(line.opened.seat, {**said, "at": stamp(line.opened.at)})
        except Broken as broken:
            raise OutOfOrder(line, str(broken)) from None
        except (KeyError, TypeError, AttributeError):
            raise OutOfOrder(line, "it does not say what rows of its kind say") from None
    return seeding


def nonces_of(book: Book) -> dict[str, str]:
    """Return what was mixed into the seed, by its names: the seats, or that of a public value."""
    seeding = _lenient(book)
    if seeding is None:
        return dict(created(book)["nonces"])
    return dict(seeding.nonces or {})


def origin_of(book: Book) -> Origin:
    """Return what the dice come from. A seed that took the place of a lost one was chosen when all texts were known."""
    seeding = _lenient(book)
    return ALONE if seeding is None or committed(book).row > 1 else seeding.origin


def _lenient(book: Book) -> Seeding | None:
    """The same where rows are out of order, as far as they can be followed: that is told by `verify`."""
    try:
        return seeding_of(book)
    except OutOfOrder:
        return Seeding(created(book)) if "dice" in created(book) else None
