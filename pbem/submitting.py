"""Submitting: a message that is stored becomes orders that stand, or a refusal; either way its seat gets a receipt.

The bytes are in the ledger before anything here looks at them. What is decided about them is one transaction: the
submission, the orders that now wait, the receipt, and what became of the message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engine import Notice, Refusal, Seat
from engine.entries import plain
from pbem import faultlog, keys
from pbem.answers import due_after
from pbem.bounded import TaskDied
from pbem.clock import stamp
from pbem.config import Config
from pbem.errors import Trouble
from pbem.faults import fault
from pbem.hosting import sheet_of, standing_of, store
from pbem.intake.form import SAY, TO_ALL, Form, Reading
from pbem.intake.judge import NOT_JUDGED_YET, Verdict, judge, wrong_turn
from pbem.intake.limits import USUAL
from pbem.intake.plain import spoken as in_words
from pbem.intake.problems import Problem, listed
from pbem.intake.reading import BoundedReader
from pbem.ledger import Ledger, games, letters, outbox
from pbem.ledger.games import GameRow
from pbem.ledger.letters import ACCEPTED, QUARANTINED, REFUSED, WAITING, Waiting
from pbem.ledger.transaction import Read, Write
from pbem.lock import alone
from pbem.outgoing import RECEIPT, stands, written
from pbem.reports import report as letter
from pbem.reports.report import Receipt, menu
from pbem.resigning import resigns, take_resignation
from pbem.rulebook import NoRules, known
from pbem.schedule import ON_ARRIVAL
from pbem.sheet import Sheet, Standing, held_to_json
from pbem.turning import take_alone

MAIL_ROUTES = frozenset({"mail"})  # routes on which a message may be cut short, so that its end line is required
FILE = "orders"
PATIENCE = 60.0  # seconds to wait for another run that judges a message: reading one takes five at the most


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of one message."""

    fate: str
    reason: str = ""
    reading: Reading | None = None
    verdict: Verdict | None = None
    receipt: Receipt | None = None
    game: str | None = None
    at_once: bool = False  # everyone has answered a game that is resolved on arrival


@dataclass(frozen=True, slots=True)
class Seated:
    """A form whose key is that of a seat: who it is from, and the game it is for."""

    row: GameRow
    sheet: Sheet
    standing: Standing
    form: Form


def settle_waiting(config: Config, ledger: Ledger, now: datetime) -> dict[str, int]:
    """Judge every message that waits, in the order in which they arrived; gives how many had which fate."""
    counts: dict[str, int] = {}
    with ledger.read() as tx:
        waiting = letters.waiting(tx)
    with BoundedReader() as reader:
        for message in sorted(waiting, key=lambda message: message.at):
            fate = _settle_one(config, ledger, message, now, reader)
            counts[fate] = counts.get(fate, 0) + 1
    return counts


def _settle_one(config: Config, ledger: Ledger, message: Waiting, now: datetime, reader: BoundedReader) -> str:
    """What became of one message."""
    try:
        with judging(config):
            return settle(config, ledger, message, now, reader).fate
    except NoRules:
        return WAITING  # until the rules of its game are installed again
    except Trouble:
        raise
    except Exception as ours:
        faultlog.write_down(ours, config.folder)
        return WAITING  # until the fault is mended; it must not hold up the messages behind it


def judging(config: Config) -> AbstractContextManager[None]:
    """Hold on to this while a message is stored and judged by hand: a night that comes upon it waits."""
    return alone(config.ledger.with_suffix(".judging.lock"), "run", PATIENCE)


def settle(
    config: Config, ledger: Ledger, message: Waiting, now: datetime, reader: BoundedReader, file: str = FILE
) -> Settled:
    """Judge one message and write down what became of it."""
    with ledger.read() as tx:
        raw = letters.get(tx, message.sha256)
    assert raw is not None, "a message that waits is stored"
    try:
        reading: Reading | str = read_for_its_game(ledger, reader, raw, body=message.route in MAIL_ROUTES)
    except TaskDied as died:
        reading = f"reading it took too much ({died.kind})"
    fault("message-read")
    with ledger.write() as tx:
        fate = letters.fate(tx, message.sha256, message.message_id)
        if fate not in (None, WAITING):
            return Settled(fate, "it was judged already")  # by a run at the same time: what it says counts once
        settled = _settled(tx, config, message, now, reading, file)
        more = {"game": settled.game, "seat": settled.receipt.seat if settled.receipt else None}
        letters.settle(tx, message.sha256, message.message_id, settled.fate, now, {**more, "reason": settled.reason})
    fault("message-settled")
    return settled


def read_for_its_game(ledger: Ledger, reader: BoundedReader, raw: bytes, *, body: bool = False) -> Reading:
    """The form in a message. Where something in it is unknown to the host, its game may yet know it."""
    reading = reader.read(raw, body=body)
    if not reading.problems or reading.form is None:
        return reading
    with ledger.read() as tx:
        row = games.get(tx, reading.form.game)
    if row is None:
        return reading
    rules = known(row.rules)
    if not rules.order_keys and not rules.conditions:
        return reading
    return reader.read(raw, body=body, game_keys=tuple(rules.order_keys), conditions=rules.conditions)


def _settled(tx: Write, config: Config, message: Waiting, now: datetime, reading: Reading | str, file: str) -> Settled:
    if isinstance(reading, str):
        return Settled(QUARANTINED, reading)
    found = identify(tx, config, reading)
    if isinstance(found, str):
        return Settled(QUARANTINED, found, reading)
    if found.row.status != games.OPEN:
        return _answered(tx, config, found, message, now, _closed(found), file, reading)
    if resigns(found.sheet, found.standing, found.form):
        return _resigned(tx, config, found, message, now, _resignation(found, reading), file, reading)
    verdict = verdict_on(found, reading, message.at)
    return _answered(tx, config, found, message, now, verdict, file, reading)


# --- who speaks -------------------------------------------------------------------------------------------------------


def identify(tx: Read, config: Config, reading: Reading) -> Seated | str:
    """The seat that the key speaks for, or why nobody knows whose orders these are. Names decide nothing."""
    form = reading.form
    if form is None:
        return "it is no form that names a game and a seat"
    row = games.get(tx, form.game)
    if row is None or form.seat not in row.seats:
        return "there is no such game, or no such seat in it"
    sheet = sheet_of(tx, config, row)
    turn = row.turn if form.turn is None else form.turn
    if form.key is None or not 0 < turn <= row.turn or not keys.matches(form.key, sheet.secret, form.seat, turn):
        return "its key is not the one of that seat for that turn"
    return Seated(row, sheet, standing_of(tx, row), form)


# --- the verdict ------------------------------------------------------------------------------------------------------


def foreseen(found: Seated, reading: Reading, arrived: datetime) -> Verdict:
    """What would become of a form, were it submitted now."""
    if found.row.status != games.OPEN:
        return _closed(found)
    if resigns(found.sheet, found.standing, found.form):
        return _resignation(found, reading)
    return verdict_on(found, reading, arrived)


def verdict_on(found: Seated, reading: Reading, arrived: datetime) -> Verdict:
    """What the rules and the deadline say of a form."""
    form, standing, row = found.form, found.standing, found.row
    problems = [*reading.problems, *_late(found, arrived), *_gone(found), *_unknown_here(form), *_unsayable(found)]
    return judge(
        found.sheet.rules,
        standing.state,
        form,
        turns=range(row.turn, row.turn + 1),
        seats=tuple(found.sheet.sitters),
        stands=standing.orders_of(form.seat),
        done=standing.done.get(form.seat, ()),
        problems=problems,
    )


def _late(found: Seated, arrived: datetime) -> list[Problem]:
    """The deadline law: before the stored instant, by the time of arrival, whatever a mail says of its own date."""
    deadline = found.standing.deadline
    if deadline is None or arrived < deadline or found.form.turn not in (None, found.row.turn):
        return []
    facts = {"turn": found.row.turn, "deadline": stamp(deadline), "arrived": stamp(arrived)}
    text = "Decision {turn} was due at {deadline}; this came at {arrived}."
    return [Problem(Refusal("", "late", text, facts))]


def _gone(found: Seated) -> list[Problem]:
    """A seat that resigned may still write to the others, but its orders would never be used."""
    form = found.form
    if form.seat not in found.standing.resigned or (form.orders is None and form.standing is None):
        return []
    return [Problem(Refusal("", "resigned", "This seat has resigned; its orders are not used any more."))]


def _resignation(found: Seated, reading: Reading) -> Verdict:
    """To resign is always in time, but a form that is faulty or old resigns nobody."""
    form, row, stands = found.form, found.row, found.standing.orders_of(found.form.seat)
    problems = [*reading.problems, *wrong_turn(form, range(row.turn, row.turn + 1))]
    problems += [*_unknown_here(form), *_unsayable(found)]
    if problems:
        return Verdict("refused", stands, problems=listed(problems, USUAL.problems))
    text = "Your resignation is taken, for good. If the game goes on, your seat takes the move that silence means."
    return Verdict("accepted", stands, notices=(Notice("", "resigned", text),))


def _unknown_here(form: Form) -> list[Problem]:
    """Keys of the form that the host does not serve by file: better said than dropped in silence."""
    problems = []
    if form.nonce is not None:
        text = "A nonce is thrown in before the first turn, when the host starts the game; it is too late for one."
        problems.append(Problem(Refusal("", "nonce_late", text), form.mark(("nonce",))))
    if form.absent is not None:
        text = "Absence is not kept by this host; tell it to the host in person, or send orders ahead."
        problems.append(Problem(Refusal("", "no_absence", text), form.mark(("absent",))))
    return problems


def _unsayable(found: Seated) -> list[Problem]:
    """Press to seats there are not, or that the rules forbid to write to."""
    form, rules, seats = found.form, found.sheet.rules, found.sheet.sitters
    problems = []
    for to in form.say:
        why = None
        if to != TO_ALL and to not in seats:
            facts = {"to": to, "seats": list(seats)}
            why = Refusal("", "no_such_seat", "There is no seat {to} to write to; the seats are {seats}.", facts)
        else:
            why = rules.why_not_say(found.standing.state, form.seat, None if to == TO_ALL else to)
        if why is not None:
            problems.append(Problem(why, form.mark((SAY, to))))
    return problems


def _closed(found: Seated) -> Verdict:
    facts = {"game": found.row.name, "status": found.row.status}
    why = Refusal("", "game_closed", "{game} is {status} and takes no orders now.", facts)
    return Verdict("refused", found.standing.orders_of(found.form.seat), problems=(Problem(why),))


# --- what follows -----------------------------------------------------------------------------------------------------


def _answered(
    tx: Write,
    config: Config,
    found: Seated,
    message: Waiting,
    now: datetime,
    verdict: Verdict,
    file: str,
    reading: Reading,
) -> Settled:
    """Write the submission and its receipt; carry out what takes effect at once; see whether everyone has answered."""
    sheet, seat = found.sheet, found.form.seat
    after = _after(tx, found, verdict)
    body = _submission(found, message, verdict)
    if found.row.status == games.OPEN:
        due = due_after(sheet, after, now)
        body |= {"queue": held_to_json(after, seat), "due_at": None if due is None else stamp(due)}
    row = tx.append(sheet.name, "submission", now, body, found.row.turn, seat)
    receipt = receipt_for(found, verdict, message, row.head, file)
    if sheet.sitters[seat].bot is None:  # a program reads no receipts
        receipt_id = sheet.message_id(RECEIPT, seat, receipt.counter)
        raw = written(sheet, receipt, receipt_id, now)
        outbox.post(tx, sheet.name, seat, RECEIPT, receipt_id, raw, now, now, found.row.turn)
    for move in verdict.at_once:
        _take_effect(tx, config, sheet.name, seat, move, row.seq, now)
    fate = ACCEPTED if verdict.is_taken else REFUSED
    reason = "" if verdict.is_taken else ", ".join(problem.why.code for problem in verdict.problems)
    return Settled(fate, reason, reading, verdict, receipt, sheet.name, _is_ready(tx, sheet, now))


def _is_ready(tx: Write, sheet: Sheet, now: datetime) -> bool:
    """Whether the game waits for nobody and for no clock, as it stands in this very transaction."""
    if sheet.schedule.resolve != ON_ARRIVAL:
        return False
    row = games.get(tx, sheet.name)
    return row is not None and row.status == games.OPEN and row.due_at is not None and row.due_at <= now


def _after(tx: Read, found: Seated, verdict: Verdict) -> Standing:
    """Where the game stands once the verdict holds: the seat's orders, which submission they came by, its words."""
    seat, standing = found.form.seat, found.standing
    if not verdict.is_taken and not verdict.kept:
        return standing
    number = tx.end(found.sheet.name).seq + 1  # the place that the submission's row will have
    orders = {**standing.orders, seat: verdict.stands}
    brought = verdict.stands != standing.orders_of(seat)
    sources = {**standing.sources, seat: number} if brought else standing.sources
    says = {**standing.says, seat: dict(found.form.say)} if verdict.is_taken and found.form.say else standing.says
    return replace(standing, orders=orders, sources=sources, says=says)


def _submission(found: Seated, message: Waiting, verdict: Verdict) -> dict[str, Any]:
    form, standing = found.form, found.standing
    return {
        "letter": message.sha256,
        "route": message.route,
        "message_id": message.message_id,
        "counter": standing.counters.get(form.seat, 0) + 1,
        "fate": verdict.fate,
        "orders": None if form.orders is None else [plain(order) for order in form.orders],
        "draft": form.draft,
        "standing": form.standing,
        "extra": dict(form.extra),
        "say": dict(form.say),
        "understood": [read.text for read in verdict.read],
        "refusals": [problem.to_json() for problem in verdict.problems],
        "warnings": [Refusal(n.rule, n.code, n.text, n.facts).to_json() for n in verdict.notices],
        "replaces": standing.sources.get(form.seat) if verdict.replaced else None,
    }


def _take_effect(tx: Write, config: Config, game: str, seat: Seat, move: Any, source: int, now: datetime) -> None:
    """Resolve a move out of turn, on the game as it stands in this very transaction; `source` is its submission."""
    row = games.get(tx, game)
    assert row is not None
    if row.status != games.OPEN:
        return
    sheet, standing = sheet_of(tx, config, row), standing_of(tx, row)
    # Read anew: a move out of turn before it, from the same file, may have left no room for it.
    again = sheet.rules.read(standing.state, seat, str(move))
    if not isinstance(again, Refusal) and sheet.rules.at_once(standing.state, seat, again):
        store(tx, sheet, take_alone(sheet, standing, seat, again, now, source), now)


def _resigned(
    tx: Write,
    config: Config,
    found: Seated,
    message: Waiting,
    now: datetime,
    verdict: Verdict,
    file: str,
    reading: Reading,
) -> Settled:
    """A resignation that is the host's own matter: the seat takes the default from now on, and ranks last."""
    settled = _answered(tx, config, found, message, now, verdict, file, reading)
    if not verdict.is_taken:
        return settled
    take_resignation(tx, config, found.sheet.name, found.form.seat, now)
    return replace(settled, at_once=_is_ready(tx, found.sheet, now))


# --- the receipt ------------------------------------------------------------------------------------------------------


def receipt_for(found: Seated, verdict: Verdict, message: Waiting, head: str, file: str) -> Receipt:
    """What the seat is told, from what the seat may know."""
    sheet, standing, form = found.sheet, found.standing, found.form
    rules, seat = sheet.rules, form.seat
    asked = menu(rules, standing.state, seat) if found.row.status == games.OPEN else None
    return Receipt(
        game=sheet.name,
        rules=rules,
        players=sheet.players,
        zone=sheet.schedule.zone,
        seat=seat,
        reader=sheet.sitters[seat].reader,
        counter=standing.counters.get(seat, 0) + 1,
        turn=found.row.turn,
        view=rules.view(standing.state, seat),
        fate=verdict.fate,  # type: ignore[arg-type]
        understood=_understood(verdict, file),
        problems=tuple(_problem(problem, file) for problem in verdict.problems),
        # Each order that waits is said to wait where it is told; the verdict's word on all of them is for terminals.
        notices=tuple(notice for notice in verdict.notices if notice.code != NOT_JUDGED_YET),
        say=_said(form.say),
        kept=verdict.kept > 0,
        stands=stands(verdict.stands),
        replaces=_replaced(verdict),
        silence=asked.default if asked and not verdict.stands.stands else "",
        received=message.at,
        deadline=standing.deadline,
        key=sheet.key(seat, found.row.turn),
        menu=asked,
        digest=message.sha256,
        head=head,
    )


def _replaced(verdict: Verdict) -> letter.Stands | None:
    """What no longer stands; standing answers that are as they were have not been replaced."""
    before = verdict.replaced
    if before is not None and before.standing == verdict.stands.standing:
        before = replace(before, standing={})
    return stands(before) if before else None


def _understood(verdict: Verdict, file: str) -> tuple[letter.Understood, ...]:
    return tuple(
        letter.Understood(
            in_words(plain(one.order)),
            one.text,
            letter.Place(file, one.mark.line, one.mark.column),
            one.events,
            one.notices,
            f"{one.number}, {one.within}" if one.within else str(one.number),
        )
        for one in verdict.read
    )


def _problem(problem: Problem, file: str) -> letter.Problem:
    place = None if problem.mark is None else letter.Place(file, problem.mark.line, problem.mark.column)
    return letter.Problem(problem.why, in_words(problem.subject.order) if problem.subject else "", place)


def _said(say: Mapping[str, str]) -> str:
    return "\n".join(text if to == "all" else f"{to}: {text}" for to, text in say.items())


def describe(problems: Sequence[Problem], file: str) -> list[str]:
    """Problems as lines for a terminal."""
    from pbem.intake.plain import line

    return [line(problem, file) for problem in problems]
