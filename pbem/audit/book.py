"""Books: one game's history, row by row, whether it lies in a ledger or in an exported file."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import sqlalchemy as sa

from pbem.audit.shapes import Misshapen, check_body, plain
from pbem.errors import Trouble
from pbem.intake.near import nearest
from pbem.ledger import chain_secrets, chains, forgetting, letters, sound
from pbem.ledger.chain import HOST, Content, leaf_of, text_of
from pbem.ledger.opening import bytes_of, facts_of, key_of
from pbem.ledger.public import KEEPS_PRIVATE, merged
from pbem.ledger.seals import Broken, KeyLost
from pbem.ledger.signing import known_keys, public_key
from pbem.ledger.sound import BadRow, Fault
from pbem.ledger.store import Ledger
from pbem.ledger.tables import HEAD, MAIL, PICTURE
from pbem.ledger.transaction import Read

BACK = "taken_back"
STEPS = ("turn", "at_once")
COURSE = (*STEPS, BACK)  # the course of a game: what was resolved, and what was undone


class Line(NamedTuple):
    """One row. A sealed one has a commitment and nothing else to say."""

    seq: int
    prev: bytes
    hash: bytes
    salt: bytes | None
    content: Content | None
    sealed: bytes = b""

    @property
    def leaf(self) -> bytes:
        """The commitment to what it says."""
        if self.salt is None or self.content is None:
            return self.sealed
        return leaf_of(self.salt, text_of(self.content))

    @property
    def opened(self) -> Content:
        """What the row says; Trouble when it is sealed."""
        if self.content is None:
            raise Trouble(f"Row {self.seq} is sealed in this file; ask the referee for one that is opened.")
        return self.content

    def facts(self) -> dict[str, Any]:
        """Return the body of the row, with its private facts where they are here; Trouble when it does not have the
        shape of its kind."""
        row = self.opened
        try:
            return check_body(row.kind, merged(json.loads(row.body.decode())))
        except Misshapen as wrong:
            raise OddRow(row.chain, self.seq, wrong) from None

    def said(self) -> Any:
        """Return the body of the row, whatever its shape, to be compared with another one."""
        row = self.opened
        body = merged(json.loads(row.body.decode()))
        try:
            plain(body)
        except Misshapen as wrong:
            raise OddRow(row.chain, self.seq, wrong) from None
        return body


class OddRow(Trouble):
    """A row that no tool can read, hashed as it may be: a forger's, or that of a program gone wrong."""

    def __init__(self, chain: str, seq: int, wrong: Misshapen) -> None:
        super().__init__(f"Row {seq} of {chain} does not say what rows of its kind say: {wrong}.")
        self.seq = seq


class Extent(NamedTuple):
    """How far a history goes: its rows, how many of them are sealed, and the hash of the last one."""

    rows: int
    sealed: int
    head: bytes


class Book(Protocol):
    """What every tool of the referee asks of a history."""

    game: str
    has_mails: bool  # whether the bytes of mails are there too ...
    has_letters: bool  # ... and those of letters, which no export holds
    last_turn: int | None  # of a file made while the game ran, the last turn in it: later mails know more
    until: datetime | None  # ... and when its last row was written
    published: Mapping[str, int]  # ... the heads of its turns, with the turns, where its rows are not shown yet

    def lines(self, kinds: Collection[str] = (), after: int = 0) -> Iterator[Line]:
        """The rows after that place, of these kinds, in order; sealed rows only when no kinds are asked for."""

    def last(self, kinds: Collection[str]) -> Line | None:
        """The last row of these kinds."""

    def steps(self, turn: int) -> list[Line]:
        """The rows that resolved that turn as it stands: moves out of turn first, then the turn itself."""

    def line(self, seq: int) -> Line | None:
        """The row at that place."""

    def told(self, line: Line) -> dict[str, Any]:
        """The body of a row, with what lies encrypted in it opened; Trouble when that cannot be."""

    def chain_fault(self) -> Fault | None:
        """The first row that is not what was written, by hashes alone."""

    def extent(self) -> Extent:
        """How far a history goes in which there is no such row."""

    def seed(self) -> bytes | None:
        """The seed of the dice, where it may be known."""

    def is_locked(self) -> bool:
        """Return whether the seed lies here sealed, under a key that is not here."""

    def seal(self) -> dict[str, str]:
        """The key of what lies encrypted in it, by its name, where it may be known."""

    def key(self, id: str) -> bytes | None:
        """What opens what was sealed in it under the key of that name, where it is at hand."""

    def mail(self, message_id: str) -> bytes | None:
        """The bytes of a mail that was sent."""

    def picture(self, name: str) -> bytes | None:
        """The PNG that was painted of an SVG of that hash."""

    def signing_keys(self) -> set[str]:
        """Return the public keys that the host's mails are signed with."""

    def letter(self, sha256: str) -> bytes | None:
        """The bytes of a letter that came."""

    def forgot(self, sha256: str) -> bool:
        """Whether the journal says that a letter or mail of that hash was emptied, to forget a person."""

    def sister(self, chain: str) -> Book | None:
        """Another history of the same host, where it is at hand."""


_END = sa.select(HEAD.c.seq, HEAD.c.hash).where(HEAD.c.chain == sa.bindparam("chain"))
_PNG = sa.select(PICTURE.c.png).where(PICTURE.c.sha256 == sa.bindparam("sha256"))
_MAIL = sa.select(MAIL.c.raw).where(MAIL.c.message_id == sa.bindparam("message_id"))


def ledger_keys(tx: Read) -> set[str]:
    """Return every public key that has signed mails of this host, and the one that will."""
    return {*known_keys(tx), *filter(None, [public_key(tx.keys)])}


class LedgerBook:
    """A game's history in the ledger, secrets included. Once all of it was found sound, its rows are not looked at
    again for that in the same transaction, which sees the same bytes as long as it lasts."""

    has_mails = has_letters = True
    last_turn: int | None = None
    until: datetime | None = None
    published: Mapping[str, int] = MappingProxyType({})

    def __init__(self, tx: Read, game: str, *, looked_at: bool = False) -> None:
        self.tx, self.game = tx, game
        self._sound = looked_at  # found sound in this transaction
        self._first: Line | None = None

    def lines(self, kinds: Collection[str] = (), after: int = 0) -> Iterator[Line]:
        for row in sound.stored(self.tx, self.game, f"AND seq > ? {_of_kinds(kinds)}", (after, *sorted(kinds))):
            yield self._line(row)

    def last(self, kinds: Collection[str]) -> Line | None:
        found = sound.stored(self.tx, self.game, _of_kinds(kinds), tuple(sorted(kinds)), last=True)
        return next((self._line(row) for row in found), None)

    def steps(self, turn: int) -> list[Line]:
        where = "AND turn = ? AND kind IN ('turn', 'at_once')"
        return standing(self, turn, (self._line(row) for row in sound.stored(self.tx, self.game, where, (turn,))))

    def line(self, seq: int) -> Line | None:
        if seq == 1 and self._first is not None:
            return self._first
        found = next((self._line(row) for row in sound.stored(self.tx, self.game, "AND seq = ?", (seq,))), None)
        self._first = found if seq == 1 else self._first  # what a game is, is asked again and again
        return found

    def told(self, line: Line) -> dict[str, Any]:
        return facts_of(self.tx, line.facts())

    def chain_fault(self) -> Fault | None:
        fault = next(sound.faults(self.tx, self.game), None)
        self._sound = fault is None
        return fault

    def extent(self) -> Extent:
        end = self.tx.one(_END, {"chain": self.game})
        return Extent(0, 0, b"") if end is None or not end.seq else Extent(end.seq, 0, end.hash)

    def seed(self) -> bytes | None:
        return chains.seed_of(self.tx, self.game)

    def is_locked(self) -> bool:
        return chain_secrets.is_lost(self.tx, self.game)

    def seal(self) -> dict[str, str]:
        seal = self.tx.keys.seal(self.game)
        return {} if seal is None else seal.to_json()

    def key(self, id: str) -> bytes | None:
        try:
            return key_of(self.tx, id, self.game)
        except KeyLost:
            return None

    def mail(self, message_id: str) -> bytes | None:
        try:
            found = self.tx.one(_MAIL, {"message_id": message_id})
            return None if found is None else bytes_of(self.tx, found.raw, self.game)
        except (ValueError, Broken):  # bytes that are damaged are no mail
            return None

    def signing_keys(self) -> set[str]:
        return ledger_keys(self.tx)

    def picture(self, name: str) -> bytes | None:
        found = self.tx.one(_PNG, {"sha256": name})
        return None if found is None else found.png

    def letter(self, sha256: str) -> bytes | None:
        try:
            return letters.get(self.tx, sha256)
        except (ValueError, Broken):
            return None

    def forgot(self, sha256: str) -> bool:
        return forgetting.says(self.tx, sha256)

    def sister(self, chain: str) -> Book | None:
        return LedgerBook(self.tx, chain)

    def _line(self, row: sound.Stored) -> Line:
        try:
            content = sound.as_it_stands(row) if self._sound else sound.decoded(row)
        except BadRow as error:
            raise Trouble(f"Row {row.seq} of {self.game}: {error}.") from None
        return Line(row.seq, row.prev, row.hash, row.salt, content)


def _of_kinds(kinds: Collection[str]) -> str:
    return f"AND kind IN ({','.join('?' * len(kinds))})" if kinds else ""


@contextmanager
def of_ledger(ledger: Ledger, game: str) -> Iterator[LedgerBook]:
    """The history of one game as it stands at this moment."""
    with ledger.read() as tx:
        book = LedgerBook(tx, game)
        if book.line(1) is None:
            near = nearest(game, (row.chain for row in tx.all(sa.select(HEAD.c.chain))))
            raise Trouble(f"The ledger has no history of {game!r}" + (f"; did you mean {near}?" if near else "."))
        yield book


def standing(book: Book, turn: int, lines: Iterable[Line]) -> list[Line]:
    """Those of the rows of a turn that were not undone by a take-back to it, or to a turn before."""
    last = max((line.seq for line in book.lines((BACK,)) if (line.opened.turn or 0) <= turn), default=0)
    return [line for line in lines if line.seq > last]


def created(book: Book) -> dict[str, Any]:
    """How the game was set up: the first row, which is never sealed."""
    refuse_match(book)
    if book.game == HOST:
        raise Trouble(f"{HOST} is no game; it holds the rows that belong to none.")
    return _beginning(book, "created")


class Committed(NamedTuple):
    """A commitment to the seed of the dice, and the row that made it. Draws of rows before it came from a seed that
    the host lost with its key, and that nobody will ever see."""

    commitment: str
    row: int

    def covers(self, seq: int) -> bool:
        """Return whether the draws of that row come from this seed."""
        return self.row == 1 or seq > self.row


def committed(book: Book) -> Committed:
    """Return the last commitment that a game or a match made: at its beginning, or after a loss of the key."""
    first = of_match(book) if is_match(book) else created(book)
    found = Committed(first["seed_commitment"], 1)
    for line in book.lines(("ruling",)):
        said = line.facts().get("seed_commitment")
        found = found if said is None else Committed(said, line.seq)
    return found


def known_seat(book: Book, seat: str | None) -> None:
    """Trouble for a seat that the game does not have."""
    seats = created(book)["seats"]
    if seat is not None and seat not in seats:
        raise Trouble(f"{book.game} has no seat {seat!r}; its seats are {', '.join(seats)}.")


def no_turn(book: Book, turn: int) -> Trouble:
    """What is said of a turn that was not resolved, or was and has been taken back."""
    turns = {line.opened.turn or 0 for line in book.lines(("turn",))}
    there = [turn for turn in turns if book.steps(turn)]  # those taken back are not
    known = f"its turns are 0 to {max(there)}" if there else "none is opened here"
    gone = [line.seq for line in book.lines(("turn",)) if line.opened.turn == turn]
    back = [line.seq for line in book.lines((BACK,)) if gone and line.seq > gone[-1]]
    was = f" That of row {gone[-1]} was taken back by row {back[0]}; `pbem audit replay` shows it." if back else ""
    return Trouble(f"{book.game} has no turn {turn} that was resolved; {known}.{was}")


def refuse_match(book: Book) -> None:
    """Trouble for a match, which has no turns to show and no secrets to look at."""
    if is_match(book):
        raise Trouble(f"{book.game} is a match; name one of its games, such as {book.game}-1.")


def of_match(book: Book) -> dict[str, Any]:
    """How the match was set up."""
    return _beginning(book, "match_created")


def is_match(book: Book) -> bool:
    """Whether this is the chain of a match, which has no turns of its own."""
    first = book.line(1)
    return first is not None and first.content is not None and first.content.kind == "match_created"


def _beginning(book: Book, kind: str) -> dict[str, Any]:
    first = book.line(1)
    if first is None or first.content is None or first.content.kind != kind:
        raise Trouble(f"The history of {book.game!r} does not begin with a row that creates it.")
    return first.facts()


def is_game(book: Book) -> bool:
    """Whether this is the chain of a game, which has seats and turns."""
    return book.game != HOST and not is_match(book)


def is_over(book: Book) -> bool:
    """Whether the game has ended, so that none of its moves is secret any more."""
    return next(iter(book.lines(("over",))), None) is not None


def hides_submissions(book: Book) -> bool:
    """Whether rows of submissions may be among those of which only hashes are here: in a public file of a game that
    was begun before rows kept private facts apart."""
    return any(line.content is None for line in book.lines()) and not created(book).get(KEEPS_PRIVATE)
