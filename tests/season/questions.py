"""The questions that must be answered with yes after every run of a season, and those of its end."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from copy import copy
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from pbem.arriving.message import Message
from pbem.attending.attendance import Attendance
from pbem.audit.verify import verify_ledger
from pbem.bots.asking import ROUTE
from pbem.ledger import Ledger, games, journal, letters, outbox
from pbem.ledger.chain import HOST
from pbem.ledger.dump import all_of
from pbem.ledger.games import GameRow
from pbem.ledger.journal import JournalRow
from pbem.ledger.outbox import REFUSED, SENT
from pbem.ledger.rebuild import rebuild
from pbem.ledger.tables import TABLES
from tests.season.tempers import PROMPT, Writes
from tests.season.world import Broken, World

KINDS = ("letter", "letter_fate", "turn", "taken_back", "ruling")  # the rows that are looked at after each run
IN_DIGEST, GIVEN_UP = "in the digest ", "given up after 5 days"  # what stands of a mail that left so, or never will
# What a backup takes back.
OF_LEDGER = ("brought", "waiting", "stands", "deadlines", "turns", "opened", "read_to", "of_bots")


class What(NamedTuple):
    """A mail, and what it is for: a game, a turn, a seat, and the row by which that decision had been opened."""

    wrote: Writes
    game: str
    turn: int = 0
    seat: str = ""
    opened: str = ""


def name_of(message: Message) -> tuple[str, str]:
    """By what a message is known: its id, and its words."""
    return message.message_id, hashlib.sha256(message.raw).hexdigest()


class Memory:
    """What was seen so far, and is compared with what is seen now."""

    def __init__(self, world: World, tempers: Mapping[str, str]) -> None:
        self.world, self.tempers = world, tempers
        self.brought: set[tuple[str, str]] = set()  # message id and hash of every mail that ever came
        self.waiting: list[tuple[What, str]] = []  # mails of which it is not known yet what they came to
        self.stands: dict[tuple[str, int, str], str] = {}  # what was acknowledged: order or draft
        self.deadlines: dict[tuple[str, int], datetime] = {}
        self.turns: dict[str, int] = {}  # the last turn that was resolved
        self.opened: set[tuple[str, int, str]] = set()  # the rows that have opened each decision
        self.read_to = 0  # how far the journal was looked at
        self.of_bots = 0  # messages that programs of the host's wrote
        self.seen: Counter[str] = Counter()

    def strike(self, game: str, seat: str | None = None, turn: int = 0) -> None:
        """What is known to stand of a seat (None: of all), from a turn on, stands no more."""
        for key in [key for key in self.stands if key[0] == game and seat in (None, key[2]) and key[1] >= turn]:
            del self.stands[key]

    # --- a backup -----------------------------------------------------------------------------------------------------

    def copied(self) -> dict[str, Any]:
        """What is known as of now, to be known again when the host is restored from a backup of now."""
        return {name: copy(getattr(self, name)) for name in OF_LEDGER}

    def restored(self, kept: Mapping[str, Any], ledger: Ledger) -> None:
        """What came and was done since is gone."""
        for name, value in kept.items():
            setattr(self, name, copy(value))
        with ledger.read() as tx:
            self.brought = {one for one in self.brought if letters.fate(tx, one[1], one[0]) is not None}

    # --- after each run -----------------------------------------------------------------------------------------------

    def ask(self, ledger: Ledger, rows: Iterable[GameRow], at: datetime) -> None:
        """What must be true after every run."""
        with ledger.read() as tx:
            new = list(journal.rows(tx, kinds=KINDS, after=self.read_to))
            late, counts = outbox.due(tx, at, 1), letters.counts(tx)
        self.read_to = new[-1].id if new else self.read_to
        self.opened |= {(row.chain, (row.turn or 0) + 1, row.hash.hex()) for row in new if row.kind == "turn"}
        self._acknowledged(new)
        self._messages(new, counts)
        if late and not self.world.post.rude:
            raise Broken("a mail did not leave, though nothing stood in its way")
        rows = list(rows)
        self._steps(new, {row.name for row in rows})
        for row in rows:
            self._deadline(row)
            self._penalties(row)

    def _messages(self, new: list[JournalRow], counts: Mapping[str, int]) -> None:
        """Each message that came has one fate (G3); only what still lies in a mailbox has none."""
        lying = bool(self.world.mailbox.lying)
        self.of_bots += sum(row.facts()["route"] == ROUTE for row in new if row.kind == "letter")
        known, come = sum(counts.values()) - self.of_bots, len(self.brought)
        if known > come or (known < come and not lying) or counts.get(letters.WAITING):
            raise Broken(f"{come} messages came, and their fates are {counts}")

    def _acknowledged(self, new: list[JournalRow]) -> None:
        """Which of the mails that came were taken, by what the journal says of them."""
        known = {message_id: what for what, message_id in self.waiting}
        for row in new:
            facts = row.facts() if row.kind == "letter_fate" else {"message_id": ""}
            if (what := known.pop(facts["message_id"], None)) is not None:
                self._fared(what, facts["fate"])
        self.waiting = [(what, message_id) for message_id, what in known.items()]

    def _fared(self, what: What, fate: str) -> None:
        wrote, game, turn, seat, opened = what
        self.seen[fate] += 1
        if fate != letters.ACCEPTED:
            return
        if wrote.orders or wrote.draft:
            if (game, turn, opened) not in self.opened:
                raise Broken(f"{game}: what {seat} wrote for a decision {turn} that is lost was taken for another one")
            known = self.stands.get((game, turn, seat))
            self.stands[game, turn, seat] = "order" if wrote.orders or known == "order" else "draft"
        elif wrote.body == "withdraw":
            self.stands.pop((game, turn, seat), None)
        elif wrote.word:
            self.seen[wrote.word] += 1

    def _steps(self, new: list[JournalRow], names: Collection[str]) -> None:
        """Each turn was resolved once, and what was acknowledged counted, or its seat was told why not."""
        for row in new:
            if row.chain not in names:
                continue
            if row.kind == "taken_back":
                self._goes_back(row.chain, row.turn or 0)
            elif row.kind == "turn":
                self._resolved(row.chain, row)

    def _resolved(self, name: str, row: JournalRow) -> None:
        number = self.turns.get(name, -1) + 1
        if row.turn != number:
            raise Broken(f"{name} went on to turn {row.turn} where {number} was due")
        self.turns[name] = number
        facts = row.facts()
        for seat, made in facts["moves"].items():
            known = self.stands.pop((name, number, seat), None)
            told = seat in facts.get("stopped", {})
            if known is not None and made["how"] in ("default", "stand-in") and not told:
                raise Broken(f"{name}, turn {number}: an acknowledged {known} of {seat} is lost")

    def _goes_back(self, name: str, turn: int) -> None:
        """All have agreed that it does. What is announced and acknowledged from there on is so anew."""
        self.seen["taken back"] += 1
        self.turns[name] = turn - 1
        self.strike(name, turn=turn)
        self._forget_deadlines(name, turn)

    def _forget_deadlines(self, name: str, turn: int) -> None:
        for key in [key for key in self.deadlines if key[0] == name and key[1] >= turn]:
            del self.deadlines[key]

    def _deadline(self, row: GameRow) -> None:
        """A deadline that was announced is never earlier (G17)."""
        if row.status == games.OPEN and row.deadline_at is not None:
            before = self.deadlines.setdefault((row.name, row.turn), row.deadline_at)
            if row.deadline_at < before:
                raise Broken(f"{row.name}, turn {row.turn}: {row.deadline_at} after {before}")
            self.deadlines[row.name, row.turn] = row.deadline_at

    def _penalties(self, row: GameRow) -> None:
        """Who answers at each visit is never taken for silent, late or gone, whatever the host or others did."""
        attendance = Attendance.from_json(row.attendance)
        for seat, player in row.seats.items():
            record = attendance.of(seat)
            if self.tempers.get(player) == PROMPT and (record.silent or record.late or record.gone):
                raise Broken(f"{row.name}: {seat} is prompt, and on record as {record}")

    # --- at the end ---------------------------------------------------------------------------------------------------

    def mails(self, ledger: Ledger) -> None:
        """Each mail that was written has arrived, or was refused for good (G14), under an id of its own: so nobody was
        reminded of one thing twice."""
        with ledger.read() as tx:
            written = [row.facts() for row in journal.rows(tx, kinds=("mail",))]
            states = {one["message_id"]: outbox.get(tx, one["message_id"]) for one in written}
        if len(states) != len(written):
            raise Broken("two mails have one Message-ID")
        post = self.world.post
        for name, mail in states.items():
            if mail is None or mail.next_try_at is not None:
                raise Broken(f"{name} has not left")
            carried = mail.detail.removeprefix(IN_DIGEST)
            if mail.state == SENT and carried != mail.detail and carried in states:
                continue  # and that is asked of the digest
            if mail.state == SENT and name not in post.arrived:
                raise Broken(f"{name} is on record as sent, and never arrived")
            if mail.state == REFUSED and name not in post.refused and not mail.detail.startswith(GIVEN_UP):
                raise Broken(f"{name} is on record as refused, and never was")
        self.seen["mails"] = len(written)
        self.seen["twice"] = sum(len(copies) > 1 for copies in post.arrived.values())


def sound_and_true(ledger: Ledger) -> None:
    """Every chain is whole, every game replays to what it was, and the projections are what the journal gives."""
    bad = next((verdict for verdict in verify_ledger(ledger) if not verdict.ok), None)
    if bad is not None:
        raise Broken(f"{bad.fault}")
    before = _as_it_lies(ledger)
    rebuild(ledger)
    if _as_it_lies(ledger) != before:
        raise Broken("the projections are not what the journal gives")


def _as_it_lies(ledger: Ledger) -> list[list[Any]]:
    """All that a canonical dump tells of it, as the bytes that are stored, which nobody has to understand."""
    with ledger.read() as tx:
        driver: Any = tx.connection.connection.driver_connection
        return [driver.execute(query).fetchall() for query in _queries(tx.connection.dialect)]


@cache
def _queries(dialect: sa.Dialect) -> list[str]:
    return [str(all_of(table)[1].compile(dialect=dialect)) for table in TABLES.sorted_tables]


def digest(ledger: Ledger) -> str:
    """What a season came to, in one word: the same for the same seed."""
    with ledger.read() as tx:
        states: list[Any] = [(row.name, row.turn, row.status, tx.end(row.name).hash.hex()) for row in games.every(tx)]
        states.append(tx.end(HOST).hash.hex())
    return hashlib.sha256(repr(states).encode()).hexdigest()
