"""Mails to the seats: what each may know of a run, made into a report, and the report into the bytes to send."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from engine import Outcome, Seat
from engine.advance import Advance
from engine.advance import Step as Resolved
from engine.entries import AT_END, IF, ON_ILLEGAL, Entry, TurnFile, plain
from engine.queue import SeatOrders
from engine.registry import AnyGame
from pbem.deadlines import calendars
from pbem.game.sheet import Sheet, Standing
from pbem.intake import masks
from pbem.intake.plain import spoken as in_words
from pbem.ledger.packing import Kept, keep
from pbem.ledger.times import moment
from pbem.matches import match
from pbem.reports import environment, json, letter, shorter, text, when
from pbem.reports.report import (
    HANDED_OVER,
    Letter,
    News,
    Notice,
    Problem,
    Reader,
    Receipt,
    Report,
    Said,
    Stands,
    Step,
    Taken,
    Unanswered,
    menu,
)
from pbem.reports.telling import tell
from pbem.reports.words import Memo

REPORT, RECEIPT, NOTICE = "report", "receipt", "notice"
ALL = "all"  # to whom press goes that names no seat
FORM_FILE, JSON_FILE, PAGE_FILE, DATE_FILE = "orders.yml", "report.json", "report.html", "deadline.ics"
DATE_TYPE = "text/calendar; method=PUBLISH"
BRINGS = "X-Pbem-Page"  # the header of a letter that leaves with its seat's page


class Mail(NamedTuple):
    """One mail as it will leave, ready to be kept."""

    kind: str
    seat: Seat
    message_id: str
    kept: Kept
    turn: int


def prepare(sheet: Sheet) -> None:
    """Have the templates and the words of this game's letters at hand, before a child is made that writes some."""
    for sitter in sheet.sitters.values():
        if sitter.is_written_to:
            lang = environment.language(sitter.reader.lang, sheet.rules)
            environment.load_all(lang, sheet.rules.id)
            when.load(lang)


class Missed(NamedTuple):
    """What a seat's player was not told of: mails in its name without its key, and messages without an answer, of which
    the first are listed."""

    keyless: int = 0
    unanswered: tuple[Unanswered, ...] = ()
    unlisted: int = 0

    @classmethod
    def by(cls, standing: Standing, seat: Seat) -> Missed:
        said = standing.unanswered.get(seat, {"count": 0, "first": []})
        listed = tuple(Unanswered(moment(at), fate, reason) for at, fate, reason in said["first"])
        return cls(standing.keyless.get(seat, 0), listed, said["count"] - len(listed))


NOTHING_MISSED = Missed()


def reports(
    sheet: Sheet,
    before: Standing,
    result: Advance,
    after: Standing,
    outcome: Outcome | None,
    now: datetime,
    news: tuple[News, ...] = (),
) -> tuple[Mail, ...]:
    """The report of a run to every seat, but not where all that was done, out of turn, is a secret of others. A
    program is shown the position when it is asked."""
    steps, says = result.steps, before.says
    told = {
        seat: report_of(sheet, before.state, steps, after, outcome, seat, says, news, Missed.by(before, seat))
        for seat, sitter in sheet.sitters.items()
        if sitter.is_written_to
    }
    if steps and all(step.at_once for step in steps) and outcome is None and not news:
        asked = {*sheet.rules.pending(after.state)} - {*sheet.rules.pending(before.state)}  # nobody is asked unheard
        told = {
            seat: one
            for seat, one in told.items()
            if seat in asked or one.steps or one.press or one.problems or one.keyless or one.unanswered
        }
    return _mails(sheet, told, now)


def notices(sheet: Sheet, standing: Standing, news: tuple[News, ...], now: datetime) -> tuple[Mail, ...]:
    """News of how the game is run, to every seat, with the form where it has something to decide."""
    told = {
        seat: Notice(
            kind="news",
            game=sheet.name,
            rules=sheet.rules,
            players=sheet.players,
            zone=sheet.schedule.zone,
            seat=seat,
            reader=sitter.reader,
            turn=standing.turn,
            news=news,
            deadline=standing.deadline,
            key=sheet.key(seat, standing.turn),
            menu=menu(sheet.rules, standing.state, seat),
            stands=stands(standing.orders_of(seat), sheet.rules, standing.state, seat),
            head=standing.end.hash.hex(),
        )
        for seat, sitter in sheet.sitters.items()
        if sitter.is_written_to
    }
    return _mails(sheet, told, now)


def _mails(sheet: Sheet, told: Mapping[Seat, Report | Notice], now: datetime) -> tuple[Mail, ...]:
    """Letters to the seats as they will leave, with what they have in common made once."""
    ids = {seat: sheet.message_id(kind_of(said), said.head, seat) for seat, said in told.items()}
    with Memo() as memo:
        raws = {seat: written(sheet, said, ids[seat], now, memo=memo) for seat, said in told.items()}
    return tuple(Mail(kind_of(said), seat, ids[seat], keep(raws[seat]), said.turn) for seat, said in told.items())


def report_of(
    sheet: Sheet,
    first: Any,
    steps: tuple[Resolved, ...],
    after: Standing,
    outcome: Outcome | None,
    seat: Seat | None,
    says: Mapping[Seat, Mapping[str, str]] | None = None,
    news: tuple[News, ...] = (),
    missed: Missed = NOTHING_MISSED,
) -> Report:
    """What that seat learns (None: the public). `first` is the state before the first step; `missed` is what its player
    was not told of."""
    rules = sheet.rules
    sitter = None if seat is None else sheet.sitters[seat]
    over = outcome is not None
    asked = None if seat is None or over else menu(rules, after.state, seat)
    key = "" if seat is None or over else sheet.key(seat, after.turn)
    return Report(
        game=sheet.name,
        rules=rules,
        options=sheet.options,
        players=sheet.players,
        zone=sheet.schedule.zone,
        seat=seat,
        reader=sitter.reader if sitter else Reader(""),
        counter=after.turn,
        turn=after.turn,
        view=rules.view(after.state, seat),
        steps=_steps(sheet, first, steps, seat),
        press=press(says, seat),
        news=news,
        problems=() if seat is None else _problems(steps, seat),
        resigned=tuple(other for other in sheet.sitters if other in after.resigned),
        keyless=missed.keyless,
        unanswered=missed.unanswered,
        unlisted=missed.unlisted,
        outcome=outcome,
        match=match.told(sheet, outcome),
        deadline=None if over else after.deadline,
        key=key,
        answer_to=sheet.host.answer_to(key, after.turn, seat, sheet.name) if key and seat and sheet.host.tags else "",
        brings_page=sheet.host.pages and seat is not None,
        menu=asked,
        stands=Stands() if seat is None else stands(after.orders_of(seat), rules, after.state, seat),
        head=after.end.hash.hex(),
        commitment=sheet.commitment,
        dice=sheet.origin if rules.uses_dice(rules.Options(**sheet.options)) else None,
        seed=sheet.seed.hex() if over else "",
        signing_key="" if seat is None else _key_to_tell(sheet, seat, steps, news),
    )


def _key_to_tell(sheet: Sheet, seat: Seat, steps: tuple[Resolved, ...], news: tuple[News, ...]) -> str:
    """Return the key that mails are signed with, for the first report to a player, and for every one of a game that
    began under another key or under none."""
    key = sheet.host.signing_key
    opens = bool(steps) and steps[0].turn == 0
    is_new = any(one.kind == HANDED_OVER and one.seat == seat for one in news)
    return key if opens or is_new or key != sheet.signing_key else ""


def press(says: Mapping[Seat, Mapping[str, str]] | None, seat: Seat | None) -> tuple[Said, ...]:
    """What was said to all, to this seat, or by it. Masked words stand last and in the order of their letters, so that
    their place says no more than they do."""
    heard = [
        (masked and speaker != seat, Said(speaker, text, None if to == ALL else to))
        for speaker, said in sorted((says or {}).items())
        for (masked, to), text in ((masks.taken_off(written), text) for written, text in said.items())
        if to == ALL or (seat is not None and seat in (to, speaker))
    ]
    veiled = sorted((said.to or "", said.text) for hidden, said in heard if hidden)
    return (*(said for hidden, said in heard if not hidden), *(Said(None, text, to or None) for to, text in veiled))


def _steps(sheet: Sheet, before: Any, steps: tuple[Resolved, ...], seat: Seat | None) -> tuple[Step, ...]:
    rules, told = sheet.rules, []
    for step in steps:
        moves = tuple(
            Taken(mover, words, made.how)  # type: ignore[arg-type]
            for mover, made in step.moves.items()
            if (words := rules.shown(before, mover, made.move, seat)) != ""
        )
        events = tuple(seen for event in step.events if (seen := event.seen_by(seat)) is not None)
        if moves or events or not step.moves:
            told.append(Step(step.turn, moves, events))
        before = step.state
    return tuple(told)


def _problems(steps: tuple[Resolved, ...], seat: Seat) -> tuple[Problem, ...]:
    """Orders that had waited and could no longer be done."""
    return tuple(
        Problem(stopped.why, spoken(stopped.entry)) for step in steps for stopped in step.stopped.get(seat, ())
    )


def stands(orders: SeatOrders, rules: AnyGame, state: Any, seat: Seat) -> Stands:
    """What the host holds of a seat, as the order form would say it."""
    usual = rules.bound(state, seat, {})
    if not isinstance(usual, TurnFile):
        return Stands(_as_written(orders.queue), _as_written(orders.draft), orders.standing, orders.nothing)
    queue, draft = (_soonest_first(entries, usual.turn) for entries in (orders.queue, orders.draft))
    file = next(iter(queue or draft), None)
    if not isinstance(file, TurnFile):
        return Stands(_as_written(queue), _as_written(draft), orders.standing, orders.nothing)
    meant = file.turn == usual.turn or seat not in rules.pending(state)  # a later one is no answer to what is asked now
    keys = {name: word for name, word in _said(rules, file).items() if meant and _said(rules, usual).get(name) != word}
    many = len(_as_written((file,))) if meant else 0
    return Stands(_as_written(queue), _as_written(draft), orders.standing, orders.nothing, many, keys)


def _soonest_first(entries: tuple[Entry, ...], turn: str) -> tuple[Entry, ...]:
    """Files for turns with that for the next one first, and without those that are used up."""
    left = (one for one in entries if not isinstance(one, TurnFile) or one.entries)
    return tuple(sorted(left, key=lambda one: isinstance(one, TurnFile) and one.turn != turn))


def _said(rules: AnyGame, file: TurnFile) -> dict[str, str]:
    """The keys of a file for a turn, as its order form would have them."""
    said = {ON_ILLEGAL: file.on_illegal, AT_END: file.at_end}
    turn = (name for name, words in rules.order_keys.items() if name not in said and file.turn in words)
    return said | dict.fromkeys(turn, file.turn)


def _as_written(entries: tuple[Entry, ...]) -> tuple[Any, ...]:
    """Entries as they stand in a form; of a file for one turn what is left of its orders."""
    lists = (entry.entries if isinstance(entry, TurnFile) else (entry,) for entry in entries)
    return tuple(_short(plain(entry)) for some in lists for entry in some)


def _short(entry: Any) -> Any:
    """Where a conditional has one condition, or one order, it needs no list. Other orders stay as they are."""
    if not isinstance(entry, Mapping) or IF not in entry:
        return entry
    arms = {name: [_short(item) for item in items] for name, items in entry.items()}
    return {name: items[0] if len(items) == 1 else items for name, items in arms.items()}


def spoken(entry: Entry) -> str:
    """An entry of a queue on one line, as a player could have written it."""
    return entry if isinstance(entry, str) else in_words(plain(entry))


def kind_of(said: Letter) -> str:
    """The kind of a letter, as it stands in the journal, in a header, and in the names of files."""
    if isinstance(said, Receipt):
        return f"{RECEIPT}-{said.counter}"
    return REPORT if isinstance(said, Report) else NOTICE


def answer_address(sheet: Sheet, said: Letter) -> str:
    """The address with the seat's key in it that a letter asks to be answered at; "" for the host's own."""
    if said.seat is None or not said.key or not sheet.host.tags:
        return ""
    return sheet.host.answer_to(said.key, said.turn, said.seat, sheet.name)


def answered(message_id: str) -> tuple[str, ...]:
    """The id of a mail from outside, where it is one that can stand in a header of ours."""
    return (message_id,) if letter.is_message_id(message_id) else ()


def written(
    sheet: Sheet, said: Letter, message_id: str, now: datetime, answers: str = "", memo: Memo | None = None
) -> bytes:
    """The bytes of a letter; `answers` is the id of the mail that it answers. The same letter gives the same bytes."""
    memo = memo or Memo()
    assert said.seat is not None
    sitter = sheet.sitters[said.seat]
    told = tell(said, memo)
    host = sheet.host
    envelope = letter.Envelope(
        message_id,
        now,
        letter.Address(host.name, host.address),
        letter.Address(sitter.name, sitter.address),
        text.subject(said, memo),
        told.lang,
        reply_to=letter.Address(host.name, answer_to) if (answer_to := answer_address(sheet, said)) else None,
        references=(sheet.thread(said.seat), *answered(answers)),
        auto="auto-replied" if answers or isinstance(said, Receipt) else "auto-generated",
        unsubscribe=answer_to or host.address,
        more=(
            (letter.KIND, kind_of(said)),
            (letter.TURN, str(said.turn)),
            *(((BRINGS, "yes"),) if isinstance(said, Report) and said.brings_page else ()),
            (letter.LOOP, host.address),
        ),
    )
    files = [letter.File(JSON_FILE, "application/json", json.render(said, memo).encode())]
    if told.form:
        files.insert(0, letter.File(FORM_FILE, "text/yaml", told.form.encode()))
    page, drawn, whole = shorter.page_of(said, memo)
    if whole:
        files.append(letter.File(PAGE_FILE, "text/html", whole.encode()))
    if dated := calendars.of_letter(sheet, said, now):
        files.append(letter.File(DATE_FILE, DATE_TYPE, dated))
    shown = letter.Shown(drawn.cid, drawn.svg) if drawn else None
    return letter.write(envelope, text.render(said, memo), page, tuple(files), shown)
