"""Ordered: whether each move is one that its seat had ordered, and nothing stood where silence is said to count.

This follows from rules and rows alone. How orders are filed and used up is the way of a program (`engine.queue`) and no
part of a game's rules, so it is not done again: what a row leaves of the orders that waited is believed, as long as
nothing comes in that nobody ordered, and nothing is passed over that would have stood.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from engine import Refusal
from engine.canon import canonical
from engine.entries import AT_END, ELSE, ENTRIES, FINISH, FOR_TURN, IF, ON_ILLEGAL, THEN
from engine.queue import DEFAULT, GIVEN, RESIGNED, STAND_IN, STANDING
from engine.registry import AnyGame
from pbem.agreed import drawing
from pbem.audit.book import Book, Line, created, hides_submissions
from pbem.audit.heard import Heard
from pbem.audit.recompute import Mismatch
from pbem.game.turning import AT_ONCE, BY_SUBMISSION
from pbem.intake.judge import ACCEPTED, DRAFT, REFUSED
from pbem.ledger.seals import MARK, apart, is_sealed, shown
from pbem.rulings import resigning

SAYING = ("submission", "ruling")  # rows between the steps that change what waits for a seat, or who has resigned
HOSTS_WORDS = resigning.WORDS | drawing.WORDS  # orders that are the host's own matter, and wait for nothing

Waits = Mapping[str, Any]  # all that waits for a seat, as plain JSON


class Ordered:
    """What waits for each seat of a game, row by row; each move is held against it. Mismatch at the first false one."""

    def __init__(self, book: Book, rules: AnyGame) -> None:
        self.book, self.rules = book, rules
        self.unheld = 0  # moves whose orders are sealed, and the key is not here
        self._waits: dict[str, Waits | None] = {}  # None: sealed, and the key is not here
        self._due: dict[str, list[Any]] = {}  # of the queue, what no row has set aside with a reason
        self._came: dict[int, tuple[str | None, str]] = {}  # whose each submission is, and what became of it
        self._newest: dict[str, tuple[int, Waits | None]] = {}  # each seat's last submission, and what it says
        self._stood: dict[int, dict[str, Waits | None]] = {}  # what waited once a row had opened a turn
        self._resigned: Collection[str] = ()
        self._keys: dict[str, bytes | None] = {}
        self._hidden = hides_submissions(book)  # so what waits is not known
        self._heard = Heard(rules, tuple(created(book)["seats"]))

    # --- row by row ---

    def said(self, line: Line, state: Any) -> None:
        """A row between the steps, in the state that stands there."""
        facts = line.facts()
        if line.opened.kind == "submission":
            self._submission(line, facts, state)
        for seat, told in {} if self._hidden else facts.get("queues", {}).items():
            self._comes_from(line, seat, after := self._open(told), self._waiting(seat))
            self._now(seat, after)
        self._resigned = facts.get("resigned", self._resigned)

    def back(self, line: Line) -> None:
        """A take-back: what waited when that decision was opened waits again."""
        facts = line.facts()
        stood = self._stood[facts["opened"]]
        if self._hidden:
            return
        for seat, told in facts["queues"].items():
            after, then = self._open(told), stood.get(seat, {})
            if after is not None and then is not None and after != then:
                raise self._wrong(line, f"for seat {seat} waits something else than at row {facts['opened']}")
            self._now(seat, after)
        self._heard.back(facts)

    def step(self, line: Line, before: Any, after: Any) -> None:
        """A step from one state to another."""
        facts = line.facts()
        for seat, made in facts["moves"].items():
            self._made(line, before, seat, made)
        for seat, told in facts.get("queues", {}).items():
            if self._hidden:
                continue
            used = facts["moves"].get(seat, {}).get("how") == GIVEN
            self._left(line, after, seat, self._open(told), used, seat in facts.get("stopped", ()))
        self._resigned = facts.get("resigned", self._resigned)
        wrong = self._heard.step(facts, before, after)
        if wrong is not None:
            raise self._wrong(line, f"the deeds that seat {wrong} may look back on are not those that were done")
        if line.opened.kind != AT_ONCE:
            self._stood[line.seq] = dict(self._waits)

    # --- moves ---

    def _made(self, line: Line, state: Any, seat: str, made: Mapping[str, Any]) -> None:
        how = made["how"]
        if how in BY_SUBMISSION:
            self._by_submission(line, state, seat, made)
        elif how in (DEFAULT, STAND_IN):
            self._by_silence(line, state, seat)
        elif how != RESIGNED:
            raise self._wrong(line, f"{how!r} is no way in which the move of seat {seat} can have come")
        elif seat not in self._resigned:
            raise self._wrong(line, f"seat {seat} is said to have resigned, and no row before it says so")

    def _by_submission(self, line: Line, state: Any, seat: str, made: Mapping[str, Any]) -> None:
        """It names the submission that what waited came by, and reads so in what waited."""
        if self._hidden:
            self.unheld += 1
            return
        how, source = made["how"], made["submission"]
        self._source(line, seat, how, source)
        waits, (newest, says) = self._waiting(seat), self._newest.get(seat, (0, {}))
        out_of_turn = line.opened.kind == AT_ONCE and source == newest
        if waits is None or (out_of_turn and says is None):
            self.unheld += 1
            return
        # A run names the submissions that waited when it began; for standing answers of the rules none need wait.
        if not out_of_turn and how != STANDING and source != waits.get("submission"):
            raise self._wrong(line, f"what waited for seat {seat} did not come by row {source}")
        moves = self._meant(state, seat, how, waits)
        if made["move"] not in moves and not (out_of_turn and made["move"] in self._at_once(state, seat, says or {})):
            raise self._wrong(line, f"nothing that waited for seat {seat} reads as its move")

    def _source(self, line: Line, seat: str, how: str, source: int | None) -> None:
        """The row that a move is said to have come by is one of its seat, and was taken."""
        if source is None:
            if how == STANDING:  # rules may keep such answers in the state, and then none need wait
                return
            raise self._wrong(line, f"the move of seat {seat} names no submission, and is said to have come by one")
        owner, fate = self._came.get(source, (None, ""))
        if owner != seat:
            raise self._wrong(line, f"row {source} is no submission of seat {seat}")
        if how == GIVEN and fate == REFUSED:  # of one that was refused a draft may be kept, and no more
            raise self._wrong(line, f"the move of seat {seat} came by row {source}, which was refused")

    def _meant(self, state: Any, seat: str, how: str, waits: Waits) -> Iterator[str]:
        """The moves that what waited can mean here: the first order, where it stands; else whichever was met."""
        if how == STANDING:
            answer = self.rules.answer(state, seat, waits.get("standing", {}))
            yield from () if answer is None else (str(answer),)
            return
        entries = waits.get("queue" if how == GIVEN else "draft", [])
        yield from self._read(state, seat, _leaves(entries[:1] if self._stands(state, seat, entries) else entries))
        if (how == GIVEN and waits.get("nothing")) or any(map(_may_finish, entries)):
            yield from self._read(state, seat, [str(self.rules.default(state, seat))])

    def _at_once(self, state: Any, seat: str, says: Waits) -> Iterator[str]:
        """The moves that a submission asked for as soon as it was taken."""
        yield from self._read(state, seat, _leaves(says["orders"] or ()))
        if says["standing"] and (kept := self.rules.kept_standing(state, seat, says["standing"])) is not None:
            yield str(kept)

    def _read(self, state: Any, seat: str, orders: Iterable[Any]) -> Iterator[str]:
        """Those of the orders that stand here, as the moves they mean."""
        for order in orders:
            move = self.rules.read(state, seat, order)
            if not isinstance(move, Refusal):
                yield str(move)

    def _by_silence(self, line: Line, state: Any, seat: str) -> None:
        """Nothing waited that would have stood."""
        waits = None if self._hidden else self._waiting(seat)
        if waits is None:
            self.unheld += 1
            return
        for entries in (self._due.get(seat, []), waits.get("draft", [])):
            if self._stands(state, seat, entries):
                raise self._wrong(line, f"silence counts for seat {seat}, and an order waited for it that stands")
        if self.rules.answer(state, seat, waits.get("standing", {})) is not None:
            raise self._wrong(line, f"silence counts for seat {seat}, and its standing answers decide this")

    def _stands(self, state: Any, seat: str, entries: list[Any]) -> bool:
        """Whether the first of them is an order, and stands here."""
        return bool(entries) and _is_plain(entries[0]) and any(self._read(state, seat, entries[:1]))

    # --- what waits ---

    def _submission(self, line: Line, facts: Mapping[str, Any], state: Any) -> None:
        seat = line.opened.seat or ""
        says = self._opened(facts)
        if says is not None and says["fate"] not in _fates_of(says):
            makes = " or ".join(_fates_of(says))
            raise self._wrong(line, f"its fate is {says['fate']}, and what it says makes it {makes}")
        self._came[line.seq], self._newest[seat] = (seat, facts["fate"]), (line.seq, says)
        if "queue" not in facts:
            return
        before, after = self._waiting(seat), self._open(facts["queue"])
        if says is not None and before is not None and after is not None:
            self._filed(line, state, says, before, after)
        self._now(seat, after)

    def _filed(self, line: Line, state: Any, says: Waits, before: Waits, after: Waits) -> None:
        """What waits after a submission was ordered by it, or waited before; and what it ordered waits, if taken."""
        seat, orders = line.opened.seat or "", says["orders"]
        self._comes_from(line, seat, after, before, orders or (), says["standing"], nothing=orders == [])
        is_as_it_was = after.get("queue", []) == before.get("queue", [])
        if says.get("withdraws") or (_is_the_hosts(orders) and is_as_it_was):
            return
        taken = says["fate"] != REFUSED
        if not is_as_it_was and (not taken or orders is None or says["draft"]):
            raise self._wrong(line, f"it orders nothing, and what waited for seat {seat} is not what waits now")
        stands = says["standing"] if taken and self._is_kept_here(state, seat, says["standing"]) else None
        if after.get("standing", {}) != (before.get("standing", {}) if stands is None else stands):
            raise self._wrong(line, f"the standing answers of seat {seat} are not those that it gave last")
        if taken and orders and not self._all_wait(state, seat, orders, after):
            raise self._wrong(line, f"seat {seat} ordered something that does not wait for it now")

    def _is_kept_here(self, state: Any, seat: str, standing: Mapping[str, Any] | None) -> bool:
        """Whether a form speaks of standing answers, and the host keeps them, not the rules."""
        return standing is not None and not (standing and self.rules.kept_standing(state, seat, standing) is not None)

    def _all_wait(self, state: Any, seat: str, orders: list[Any], after: Waits) -> bool:
        """Whether all orders of a form wait, but for the first ones where these are moves at once."""
        there = {canonical(one) for part in ("queue", "draft") for one in _loose(after.get(part, []))}
        wait = [canonical(one) in there for one in orders]
        if not wait[0] and _is_plain(orders[0]):
            move = self.rules.read(state, seat, orders[0])
            if not isinstance(move, Refusal) and self.rules.at_once(state, seat, move):
                return wait == sorted(wait)
        return all(wait)

    def _left(self, line: Line, state: Any, seat: str, after: Waits | None, used: bool, stopped: bool) -> None:
        """What a step leaves. What it drops of a queue of plain orders waits on, unless the row says why or it does not
        stand in the state that the step leads to."""
        before, due = self._waiting(seat), self._due.get(seat, [])
        self._comes_from(line, seat, after, before)
        self._now(seat, after)
        if before is None or after is None:
            return
        pending = self.rules.pending(state)
        if pending and after.get("standing", {}) != before.get("standing", {}):
            raise self._wrong(line, f"the standing answers of seat {seat} are not those that waited")
        rest, queue = due[used:], after.get("queue", [])
        if stopped or not pending or queue in (due, rest) or not all(map(_is_plain, due)):
            return
        if seat not in pending or self._stands(state, seat, rest):
            self._due[seat] = rest

    def _comes_from(
        self,
        line: Line,
        seat: str,
        after: Waits | None,
        before: Waits | None,
        orders: Iterable[Any] = (),
        standing: Any = None,
        *,
        nothing: bool = False,
    ) -> None:
        """Nothing waits that neither waited before nor is ordered now."""
        if after is None or before is None:
            return
        parts = [part for part in ("queue", "draft") if not _is_rest(after.get(part, []), before.get(part, []))]
        if parts:
            known = {canonical(one) for one in _leaves([*_all(before), *orders])}
            if not known.issuperset(map(canonical, _leaves([one for part in parts for one in after[part]]))):
                raise self._wrong(line, f"something waits for seat {seat} that it did not order")
        if after.get("standing", {}) not in ({}, before.get("standing", {}), standing):
            raise self._wrong(line, f"standing answers wait for seat {seat} that it did not give")
        if after.get("nothing") and not (before.get("nothing") or nothing):
            raise self._wrong(line, f"the word for nothing waits for seat {seat}, which did not say it")

    def _waiting(self, seat: str) -> Waits | None:
        return self._waits.get(seat, {})

    def _now(self, seat: str, waits: Waits | None) -> None:
        self._waits[seat], self._due[seat] = waits, list((waits or {}).get("queue", ()))

    # --- what is sealed ---

    def _open(self, told: Any) -> Waits | None:
        """What waits, as a row tells it; None where it is sealed, and the key is not here."""
        if not is_sealed(told):
            return told or {}
        sealed = apart(told)
        key = self._key(sealed.id)
        return None if key is None else sealed.opened(key) or {}

    def _opened(self, facts: Mapping[str, Any]) -> Waits | None:
        """What a submission says."""
        if MARK not in facts:
            return facts
        key = self._key(apart(facts[MARK]).id)
        return None if key is None else shown(facts, key)

    def _key(self, id: str) -> bytes | None:
        if id not in self._keys:
            self._keys[id] = self.book.key(id)
        return self._keys[id]

    def _wrong(self, line: Line, reason: str) -> Mismatch:
        """What is wrong, without a word of what was ordered, which may be secret."""
        return Mismatch(self.book.game, line, reason)


def _fates_of(says: Waits) -> tuple[str, ...]:
    """Return what can become of a form: refused for a problem, else taken as a draft or as orders.

    Where its refusals lie apart, one that was taken may as well be refused here: what waits tells (`_filed`).
    """
    taken = DRAFT if says.get("draft") and says.get("orders") is not None else ACCEPTED
    if "refusals" not in says:
        return taken, REFUSED
    return (REFUSED,) if says["refusals"] else (taken,)


def _is_plain(entry: Any) -> bool:
    """Whether that is an order, and neither a conditional nor a file for a turn."""
    return not (isinstance(entry, Mapping) and (IF in entry or FOR_TURN in entry))


def _leaves(entries: Iterable[Any]) -> Iterator[Any]:
    """The orders among entries, and in their arms and files."""
    for entry in entries:
        if _is_plain(entry):
            yield entry
        elif FOR_TURN in entry:
            yield from _leaves(entry[ENTRIES])
        else:
            yield from _leaves([*entry[THEN], *entry.get(ELSE, ())])


def _loose(entries: Iterable[Any]) -> Iterator[Any]:
    """The entries as they were written, without the files they lie in."""
    for entry in entries:
        yield from entry[ENTRIES] if isinstance(entry, Mapping) and FOR_TURN in entry else (entry,)


def _all(waits: Waits) -> list[Any]:
    return [*waits.get("queue", ()), *waits.get("draft", ())]


def _is_rest(after: list[Any], before: list[Any]) -> bool:
    """Whether entries are the last ones of those before."""
    return not after or after == before[-len(after) :]


def _may_finish(entry: Any) -> bool:
    """Whether an entry is a file for a turn that may end with the default as its own word."""
    return not _is_plain(entry) and FOR_TURN in entry and FINISH in (entry[ON_ILLEGAL], entry[AT_END])


def _is_the_hosts(orders: list[Any] | None) -> bool:
    """Whether a form's only order is to resign or to draw, which the host may have taken for its own matter."""
    if orders is None or len(orders) != 1:
        return False
    [order] = orders
    word = order.get("do", order.get("action")) if isinstance(order, Mapping) else order
    return isinstance(word, str) and word.strip().lower() in HOSTS_WORDS
