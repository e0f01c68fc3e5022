"""Verifying: is the history what was written, and does it follow from the orders? Names the first row that is wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.canon import canonical
from engine.dice import commitment
from pbem.audit import dice, matches
from pbem.audit.book import (
    BACK,
    COURSE,
    STEPS,
    Book,
    LedgerBook,
    Line,
    OddRow,
    committed,
    created,
    hides_submissions,
    is_match,
)
from pbem.audit.lost_times import lost_games, lost_times
from pbem.audit.mails import HOST_FAULT, History, MailVerdict, judge, lacking
from pbem.audit.ordered import SAYING, Ordered
from pbem.audit.recompute import Again, Mismatch, RulesGone, by_the_rules
from pbem.audit.witnesses import KeptMail, Witness
from pbem.errors import Trouble
from pbem.ledger import sound
from pbem.ledger.chain import HOST
from pbem.ledger.seals import KeyLost
from pbem.ledger.store import Ledger
from pbem.ledger.transaction import Read
from pbem.seeding.protocol import told
from pbem.signature import GENUINE

LISTED = 20  # so many mails that prove nothing are named


@dataclass(slots=True)
class Verdict:
    """What was found in one chain. `fault` is one sentence about the first thing wrong; None: nothing is."""

    chain: str
    head: str = ""
    rows: int = 0
    sealed: int = 0
    turns: int = 0
    draws: int = 0
    mails: int = 0
    letters: int = 0
    forgotten: int = 0  # letters and mails whose bytes are gone: a person was forgotten, or they were strangers' mail
    locked: int = 0  # letters and mails that lie sealed, and whose key is not here
    heads: int = 0  # mailed heads that are rows of it ...
    vouched: int = 0  # ... and the last such row: up to there nothing was rewritten since that mail left
    fault: str | None = None
    row: int | None = None
    unplayed: str | None = None  # what was not made again or compared: rules, a key or a newer file are wanting
    notes: list[str] = field(default_factory=list)  # what else could not be checked, and why
    kept: list[dict[str, Any]] = field(default_factory=list)  # what is to be said of each mail that somebody kept

    @property
    def ok(self) -> bool:
        """Nothing is wrong in what was checked."""
        return self.fault is None

    @property
    def whole(self) -> bool:
        """Nothing is wrong, and nothing was left out for want of rules, a key or a newer file."""
        return self.ok and self.unplayed is None

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__} | {"ok": self.ok, "whole": self.whole}


class _Found(Exception):
    """The first fault, as a sentence, and the row it is in."""

    def __init__(self, text: str, row: int | None = None) -> None:
        super().__init__(text)
        self.row = row


def verify(book: Book, witnesses: Collection[Witness] = (), mails: Collection[KeptMail] = ()) -> Verdict:
    """Check one game. The head of every witness must be the hash of a row of this history, and what the host signed of
    it must be in it."""
    verdict = Verdict(book.game)
    try:
        _all(book, verdict)
    except _Found as found:
        verdict.fault, verdict.row = str(found), found.row
    except Mismatch as mismatch:
        verdict.fault, verdict.row = str(mismatch), mismatch.line.seq
    except OddRow as odd:
        verdict.fault, verdict.row = str(odd), odd.seq
    except Trouble as trouble:
        verdict.fault = str(trouble)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        # Hashed as it should be, and yet no row of ours: a forger's, or that of a program gone wrong.
        where = f"Row {verdict.row} of {book.game}" if verdict.row else f"A row of {book.game}"
        verdict.fault = f"{where} does not say what rows of its kind say ({type(error).__name__}: {error})."
    if witnesses and verdict.rows:  # rows are counted when all stand on each other
        _heard(book, verdict, witnesses)
    if mails and verdict.rows:
        _held_against(book, verdict, mails)
    return verdict


def _all(book: Book, verdict: Verdict) -> None:
    _hashes(book, verdict)
    if is_match(book):
        _match(book, verdict)
    elif book.game != HOST:
        verdict.row = 1
        _commitments(book, verdict)
        again = _steps(book, verdict)
        if again is None or again.rules.uses_dice(again.options):
            verdict.notes.append(told(dice.origin_of(book)))
        if again is not None:
            with by_the_rules(book):
                _ending(book, verdict, again)
        _consents(book, verdict)
        _submissions(book, verdict)
    if book.has_mails:
        _mails(book, verdict)
        if book.has_letters:
            _letters(book, verdict)
        if verdict.locked:
            verdict.notes.append(f"{verdict.locked} letters and mails are sealed, and their key is not here.")
        if verdict.forgotten:
            verdict.notes.append(
                f"Of {verdict.forgotten} letters and mails only hashes stand: they named a person who was forgotten, "
                "or were strangers' mail whose time was up."
            )
    else:
        verdict.notes.append("The mails and letters are not in this file; their hashes are.")
    verdict.row = None


def _noting(book: Book, verdict: Verdict, kinds: Collection[str]) -> Iterator[Line]:
    """The lines, each noted in the verdict while it is looked at."""
    for line in book.lines(kinds):
        verdict.row = line.seq
        yield line


def verify_ledger(
    ledger: Ledger, witnesses: Collection[Witness] = (), mails: Collection[KeptMail] = ()
) -> Iterator[Verdict]:
    """Check the file, then every chain, then that nothing lies beside them. A head that nobody knows the game of need
    only be known to one chain."""
    with ledger.read() as tx:
        yield Verdict("", fault=_sentence(next(_beside_the_chains(tx), None)))
        chains, sound_so_far, host_ok = sound.chains_of(tx), True, False
        strangers = [one for one in witnesses if one.game not in chains]
        for chain in chains:
            book = LedgerBook(tx, chain)
            own = [one for one in mails if one.games and chain == min(one.games)]
            verdict = verify(book, [one for one in witnesses if one.game == chain], own)
            yield verdict
            sound_so_far, host_ok = sound_so_far and verdict.ok, host_ok or (chain == HOST and verdict.ok)
            if strangers and verdict.rows:
                known = {line.hash.hex() for line in book.lines()}
                strangers = [one for one in strangers if one.game or one.head not in known]
        if strangers:
            yield _of_strangers(strangers, LedgerBook(tx, HOST) if host_ok else None)
        homeless = [one for one in mails if not one.games or min(one.games) not in chains]
        if homeless:
            yield _of_homeless(homeless, LedgerBook(tx, HOST) if host_ok else None)
        stray = next(_strays(tx), None) if sound_so_far else None
        if stray is not None:
            yield Verdict("", fault=_sentence(stray))


def _beside_the_chains(tx: Read) -> Iterator[sound.Fault]:
    """What is wrong with the file itself, its numbering, and the pictures that no chain speaks of."""
    yield from sound.file_faults(tx)
    yield from sound.gaps(tx)
    yield from sound.picture_faults(tx)


def _of_strangers(strangers: Collection[Witness], host: Book | None) -> Verdict:
    """Heads that no chain of the ledger knows."""
    proving = [one for one in strangers if one.proves]
    if not proving:
        return Verdict("", unplayed=_unproven(strangers))
    fault = f"{_unknown(proving[0], 'ledger')}, so rows were rewritten or are missing."
    return Verdict("", fault=fault, notes=[*lost_games(host, strangers)] if host is not None else [])


def _of_homeless(mails: Collection[KeptMail], host: Book | None) -> Verdict:
    """Mails of games that the ledger does not have, and of none."""
    verdict = Verdict("")
    for mail in mails:
        signed = mail.checked.signed
        _say_of(verdict, lacking(mail, "this ledger") if signed is not None else judge(mail, None))
        if signed is not None and host is not None:
            verdict.notes += lost_games(host, [Witness("", signed.chain, at=mail.at)])
    _say_unproven(verdict)
    return verdict


def _sentence(fault: sound.Fault | None) -> str | None:
    return None if fault is None else f"{fault.text[0].upper()}{fault.text[1:]}."


# --- by hashes alone --------------------------------------------------------------------------------------------------


def _hashes(book: Book, verdict: Verdict) -> None:
    fault = book.chain_fault()
    if fault is not None:
        raise _Found(_sentence(fault) or "", fault.seq)
    extent = book.extent()
    verdict.rows, verdict.sealed, verdict.head = extent.rows, extent.sealed, extent.head.hex()
    if verdict.sealed:
        over = book.last(("over",)) is not None
        rows, no = ("1 row is", "is no") if verdict.sealed == 1 else (f"{verdict.sealed} rows are", "are no")
        why = f"what they say {no} part of the public history" if over else "what is said there is not shown yet"
        verdict.notes.append(f"{rows} sealed: the chain of hashes holds, {why}.")
    if book.published:
        turns = "1 turn" if len(book.published) == 1 else f"{len(book.published)} turns"
        says = f"The game goes on: this file holds its first row and the heads of {turns}, as its reports print them"
        verdict.notes.append(f"{says}. The file of the finished game must hold each of them.")


def _heard(book: Book, verdict: Verdict, witnesses: Collection[Witness]) -> None:
    """Each head must be a row of the history. One that is says that everything up to there is what it was."""
    if book.published:
        _heard_running(book, verdict, witnesses)
        return
    rows = {line.hash.hex(): line.seq for line in book.lines()}
    found = {rows[one.head] for one in witnesses if one.head in rows}
    lost = sorted((one for one in witnesses if one.head not in rows), key=lambda one: (one.turn is None, one.turn or 0))
    lost, unproven = [one for one in lost if one.proves], [one for one in lost if not one.proves]
    if unproven:
        _leave_open(verdict, _unproven(unproven))
    verdict.heads, verdict.vouched = len(found), max(found, default=0)
    restored = [*lost_times(book, lost)] if lost and book.game != HOST else []  # the host's rulings are of all games
    if book.last_turn is not None:
        newer = [one for one in lost if one.turn is not None and one.turn > book.last_turn]
        lost = [one for one in lost if one not in newer]
        if newer:
            verdict.notes.append(f"{len(newer)} mailed heads may be newer than this file; ask for a newer one.")
    # A take-back opens decisions anew that stand in an older file. Of a file that is opened its rows say when they were
    # written; one with nothing but its beginning opened can only say where it ends, and is not called true for it.
    until = book.until if verdict.sealed == verdict.rows - 1 else None
    since = [one for one in lost if until is not None and one.at is not None and one.at > until]
    if since:
        lost = [one for one in lost if one not in since]
        says = f"{len(since)} mailed heads younger than it not compared"
        why = "what they are about was taken back since, or rewritten (ask for a newer file)"
        _leave_open(verdict, f"{says}: {why}")
    vouched = f"rows 1 to {verdict.vouched} are what they were" if found else ""
    if found and not lost:
        last = f"that of row {verdict.vouched}: {vouched} when it left"
        verdict.notes.append(f"{verdict.heads} mailed heads stand in it, the last of them {last}.")
    verdict.notes += restored
    if not lost:
        return
    after = f": {vouched}, and what followed was rewritten or is missing" if found else ""
    says = f"{_unknown(lost[0], f'history of {book.game}')}{after or ', so rows were rewritten or are missing'}."
    if verdict.fault is None:
        verdict.fault = says
    else:
        verdict.notes.append(says)


def _heard_running(book: Book, verdict: Verdict, witnesses: Collection[Witness]) -> None:
    """Compare heads with those that a running game has published. Receipts and notices name other rows, which are not
    in such a file, so a head that is not there proves nothing yet."""
    first = book.line(1)
    known = {*book.published, *([first.hash.hex()] if first is not None else ())}
    heard = {one.head for one in witnesses if one.head in known}
    verdict.heads = len(heard)
    if heard:
        verdict.notes.append(f"{len(heard)} mailed heads are those of turns in this file.")
    lost = sum(one.head not in known for one in witnesses)
    if lost:
        says = f"{lost} mailed heads not compared"
        verdict.unplayed = f"{says}: a file of a running game holds the heads of its turns only"


def _unknown(witness: Witness, where: str) -> str:
    return f"The head {witness.named} was mailed and is not in this {where}"


def _unproven(witnesses: Collection[Witness]) -> str:
    """Heads that anybody may have written."""
    first = f"{next(iter(witnesses)).named.rstrip(',')}, in a mail that the host did not sign as it is, is unknown here"
    return f"{first} and proves nothing" + (f"; {len(witnesses) - 1} more are like it" if len(witnesses) > 1 else "")


def _held_against(book: Book, verdict: Verdict, mails: Collection[KeptMail]) -> None:
    """What the host signed must be in the history."""
    where = "this ledger" if book.has_letters else "this file"
    known = {book.game: History(book, where)}
    for mail in mails:
        signed = mail.checked.signed
        if signed is not None and signed.chain not in known:  # a digest is the host's own, and holds heads of games
            other = book.sister(signed.chain)
            there = other is not None and other.line(1) is not None
            if other is not None and not there:
                _say_of(verdict, lacking(mail, where))
                continue
            known |= {signed.chain: History(other, where)} if other is not None else {}
        own = book.game if signed is None else signed.chain
        judged = judge(mail, known.get(own))
        _say_of(verdict, judged)
        if judged.accuses and book.game != HOST:
            about = Witness("", book.game, mail.file, judged.turn, mail.at)
            verdict.notes += [one for one in lost_times(book, [about]) if one not in verdict.notes]
    _say_unproven(verdict)


def _say_of(verdict: Verdict, judged: MailVerdict) -> None:
    """Enter what is to be said of one mail; one that accuses the host is a fault of its history."""
    verdict.kept.append(judged.to_json() | {"proves": judged.proves})
    if not judged.accuses:
        return
    if verdict.fault is None:
        verdict.fault, verdict.row = judged.says, judged.row
    else:
        verdict.notes.append(judged.says)


def _say_unproven(verdict: Verdict) -> None:
    """Say how many mails are what they were, and name those that are not."""
    doubtful = [one for one in verdict.kept if not one["proves"] and one["verdict"] != HOST_FAULT]
    genuine = sum(one["verdict"] == GENUINE for one in verdict.kept)
    unsigned = sum(one["proves"] for one in verdict.kept) - genuine
    counted = [f"{genuine} mails are genuine" if genuine else "", f"{unsigned} unsigned ones match" if unsigned else ""]
    if any(counted):
        verdict.notes.append(f"Of {len(verdict.kept)} kept mails {' and '.join(filter(None, counted))}.")
    if doubtful:
        _leave_open(verdict, f"{len(doubtful)} of {len(verdict.kept)} kept mails prove nothing")
        verdict.notes += [f"{one['file']}: {one['says']}" for one in doubtful[:LISTED]]
        if len(doubtful) > LISTED:
            verdict.notes.append(f"... and {len(doubtful) - LISTED} more.")


def _leave_open(verdict: Verdict, says: str) -> None:
    """Add to what could not be checked."""
    verdict.unplayed = "; ".join(filter(None, [verdict.unplayed, says]))


def _commitments(book: Book, verdict: Verdict) -> None:
    facts, seed, made = created(book), book.seed(), committed(book)
    if made.row > 1:
        verdict.unplayed = f"draws up to row {made.row} are taken as they stand: their seed was lost with the key"
    if seed is None:
        verdict.notes.append("The seed is not revealed yet: draws are taken as they stand.")
        if book.is_locked():
            verdict.unplayed = "draws and salts not made again: the key of the ledger is not here"
    elif commitment(seed, book.game) != made.commitment:
        raise _Found(f"The seed of {book.game} is not the one that was committed to before the first order.", 1)
    fault = matches.fault_of_game(book, facts) if "match" in facts else None
    if fault is not None:
        raise _Found(_sentence(fault) or "", fault.seq)
    try:
        dice.seeding_of(book)
    except dice.OutOfOrder as wrong:
        raise _Found(f"Row {wrong.line.seq} of {book.game}: {wrong}.", wrong.line.seq) from None
    nonces = dice.nonces_of(book)
    for line in _noting(book, verdict, ("revealed",)):
        said = line.facts()
        if seed is None or said["seed"] != seed.hex() or said["nonces"] != nonces:
            raise _Found(f"Row {line.seq} of {book.game}: it reveals another seed or other nonces.", line.seq)


def _match(book: Book, verdict: Verdict) -> None:
    """A match is counted again from what its games came to."""
    verdict.row = 1
    try:
        fault = next(matches.faults(book), None)
    except RulesGone as gone:
        _unplayed(verdict, "its games not counted again", gone)
        return
    if fault is not None:
        raise _Found(_sentence(fault) or "", fault.seq)


# --- by playing again -------------------------------------------------------------------------------------------------


def _steps(book: Book, verdict: Verdict) -> Again | None:
    try:
        again = Again(book)
    except RulesGone as gone:
        _unplayed(verdict, "states and outcome not played again", gone)
        return None
    ordered = Ordered(book, again.rules)
    for line in _noting(book, verdict, (*COURSE, *SAYING)):
        with by_the_rules(book, line):
            _one(line, again, ordered, verdict)
    if ordered.unheld:
        # Who plays what nobody ordered need only keep the key to himself: that must not read like a true game.
        moves = "1 move" if ordered.unheld == 1 else f"{ordered.unheld} moves"
        hidden = "in this file older games show rows of submissions as hashes only"
        why = hidden if hides_submissions(book) else "the key of sealed orders is not here"
        says = f"{moves} not held against what was ordered: {why}"
        verdict.unplayed = "; ".join(filter(None, [verdict.unplayed, says]))
    return again


def _one(line: Line, again: Again, ordered: Ordered, verdict: Verdict) -> None:
    """One row of the game played again, with what its seats had ordered."""
    before = again.state
    if line.opened.kind in SAYING:
        ordered.said(line, before)
    elif line.opened.kind == BACK:
        again.back(line)
        ordered.back(line)
    else:
        verdict.draws += len(again.step(line).draws)
        verdict.turns += 1
        ordered.step(line, before, again.state)


def _unplayed(verdict: Verdict, what: str, gone: RulesGone) -> None:
    verdict.unplayed = f"{what}: the rules of {gone.rules}, version {gone.version}, are not here"
    verdict.notes.append(str(gone))


def _ending(book: Book, verdict: Verdict, again: Again) -> None:
    """A game that the rules ended is over with the outcome they give; where somebody resigned, as the host counts."""
    from pbem.game.turning import DRAWN_RULE, outcome_of, outcome_to_json

    last, over = book.last(STEPS), book.last(("over",))
    if last is None or (over is None and last.facts()["pending"]):
        return
    resigned: list[str] = []
    drawn = False
    for line in _noting(book, verdict, ("submission", "ruling", "consent", *STEPS)):
        resigned = line.facts().get("resigned", resigned)
        drawn = drawn or line.facts().get("drawn", False)
    # In a public file of an older game the rows by which a draw was agreed on are hashes only.
    if over is not None and over.facts()["outcome"].get("rule") == DRAWN_RULE and hides_submissions(book):
        drawn = True
    state = again.rules.restore(last.facts()["state"])
    outcome = outcome_of(again.rules, state, resigned, again.rules.teams(again.options), drawn=drawn)
    if over is None:
        raise _Found(f"Row {last.seq} of {book.game} ends the game, and no row says how.", last.seq)
    if outcome is None or canonical(outcome_to_json(outcome)) != canonical(over.facts()["outcome"]):
        raise _Found(f"Row {over.seq} of {book.game}: the outcome is not what the rules give.", over.seq)


def _consents(book: Book, verdict: Verdict) -> None:
    """Whoever is said to have agreed has said so himself, to that very thing, and has not said otherwise since."""
    if hides_submissions(book):
        return
    agreed: dict[tuple[str, Any], set[str | None]] = {}
    for line in _noting(book, verdict, ("consent", BACK)):
        facts, row = line.facts(), line.opened
        if row.kind == "consent":
            said = agreed.setdefault((facts["what"], facts["turn"]), set())
            said.add(row.seat) if facts["word"] == "yes" else said.clear()
            wanted = facts["agreed"] if facts.get("drawn") else []
        else:
            said, wanted = agreed.get(("take-back", row.turn), set()), facts["agreed"]
        if not set(wanted) <= said:
            raise _Found(f"Row {line.seq} of {book.game}: not all have agreed who are said to have.", line.seq)
        if row.kind == BACK:
            agreed = {}


def _submissions(book: Book, verdict: Verdict) -> None:
    """A seat's submissions are counted from 1 without a gap, and a move names a submission of its own seat."""
    counters: dict[str, int] = {}
    owners: dict[int, str | None] = {}
    hidden = hides_submissions(book)
    for line in _noting(book, verdict, ("submission", *STEPS)):
        facts, seat = line.facts(), line.opened.seat
        if line.opened.kind == "submission":
            owners[line.seq] = seat
            counters[str(seat)] = counters.get(str(seat), 0) + 1
            if facts["counter"] != counters[str(seat)]:
                text = f"Row {line.seq} of {book.game}: it is submission {counters[str(seat)]} of seat {seat}, "
                raise _Found(f"{text}but says {facts['counter']}.", line.seq)
            continue
        for mover, made in facts["moves"].items():
            source = made.get("submission")
            if source is not None and owners.get(source) != mover and not hidden:
                raise _Found(f"Row {line.seq} of {book.game}: row {source} is no submission of seat {mover}.", line.seq)


# --- by the bytes that came and went ----------------------------------------------------------------------------------


def _mails(book: Book, verdict: Verdict) -> None:
    for line in _noting(book, verdict, ("mail",)):
        facts = line.facts()
        try:
            raw = book.mail(facts["message_id"])
        except KeyLost:
            verdict.locked += 1
            continue
        if raw == b"" and book.forgot(facts["sha256"]):
            verdict.forgotten += 1
            continue
        if raw is None or hashlib.sha256(raw).hexdigest() != facts["sha256"]:
            what = "is missing or damaged" if raw is None else "is not the one that was written"
            raise _Found(f"Row {line.seq} of {book.game}: its mail {facts['message_id']} {what}.", line.seq)
        verdict.mails += 1


def _letters(book: Book, verdict: Verdict) -> None:
    for line in _noting(book, verdict, ("letter", "submission")):
        facts = line.facts()
        sha256 = facts["sha256"] if line.opened.kind == "letter" else facts.get("letter")
        if sha256 is None:
            continue
        try:
            raw = book.letter(sha256)
        except KeyLost:
            verdict.locked += 1
            continue
        if raw == b"" and book.forgot(sha256):
            verdict.forgotten += 1
            continue
        if raw is None or hashlib.sha256(raw).hexdigest() != sha256:
            what = "is missing or damaged" if raw is None else "is not the one that came"
            raise _Found(f"Row {line.seq} of {book.game}: its letter {sha256[:12]} {what}.", line.seq)
        verdict.letters += 1


def _strays(tx: Read) -> Iterator[sound.Fault]:
    """Letters and mails that no row of the journal speaks of, or that stand under another name there, where all chains
    are sound."""
    spoken_of = {
        (facts["message_id"], facts["sha256"])
        for chain in sound.chains_of(tx)
        for facts in (line.facts() for line in LedgerBook(tx, chain, looked_at=True).lines(("mail",)))
    }
    mails = {tuple(row) for row in tx.connection.exec_driver_sql("SELECT message_id, sha256 FROM mail")}
    if mails != spoken_of:
        named = min((one[0] for one in mails ^ spoken_of), default="")
        yield sound.Fault("", None, f"there are {len(mails)} mails, and the journal speaks of others ({named})")
    said = {line.facts()["sha256"] for line in LedgerBook(tx, HOST, looked_at=True).lines(("letter",))}
    kept = {row[0] for row in tx.connection.exec_driver_sql("SELECT sha256 FROM letter")}
    if kept != said:
        yield sound.Fault("", None, f"there are {len(kept - said)} letters that the journal does not speak of")
