"""Deciding what becomes of one mail, in one transaction: ignored, set aside, refused or obeyed.

Automatic mail is never answered. What proves no seat is set aside, and counted for the seat it names; its sender gets
one fixed text a day, where a player has that address. A seat that is proven is always answered, at its registered
address; what the budgets of the day leave unanswered stands in its next report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import Notice, Refusal
from pbem.config import Config
from pbem.correspondence import addresses, bounces, codes, evidence, joining, suspected, unproven
from pbem.correspondence.commands import obey
from pbem.correspondence.desk import Desk
from pbem.correspondence.opening import Opened
from pbem.correspondence.proofs import Proof, proof_of
from pbem.correspondence.speaking import Speaker, named, speaker, tags_of
from pbem.game.hosting import sheet_of
from pbem.intake.form import Form, Reading
from pbem.intake.mail.reading import ATTACHMENT, Command, MailReading
from pbem.intake.problems import Problem
from pbem.ledger import letters
from pbem.ledger.letters import IGNORED, QUARANTINED, Waiting
from pbem.ledger.transaction import Read, Write
from pbem.submitting import budgets
from pbem.submitting.decision import Manner
from pbem.submitting.identity import WRONG_KEY
from pbem.submitting.taken import Settled, take_down, turn_down

if TYPE_CHECKING:
    from pbem.messages import Clerk

SEVERAL = Refusal(
    "", "several_forms", "Several forms were changed in this mail. Send each of them in a mail of its own."
)
UNCHANGED = Refusal(
    "",
    "no_change",
    "Your mail holds our own order form, unchanged, and no new order. To order something, write it in the form.",
)
TOLD_OTHERWISE = frozenset({"report", "address"})  # commands that are answered by letters of another kind
NOTHING = "No order was found in your mail, which begins: {shown}."
UNOPENED = (
    "Not opened: {names}. Orders are read from the text of a mail and from attached text files. Nothing is read from"
    " archives, documents and the like."
)
EMPTY = "No order was found in your mail, which is empty."


def settled(tx: Write, config: Config, clerk: Clerk, opened: Opened, message: Waiting, now: datetime) -> Settled:
    """What becomes of a mail that was read."""
    mail = opened.mail
    if opened.died:
        return Settled(QUARANTINED, f"reading it took too much ({opened.died})")
    if mail.bounce is not None:
        return Settled(IGNORED, bounces.count(tx, config, mail, now))
    if mail.automatic:
        found = _speaker(tx, config, opened) if opened.readings else None
        return suspected.told(tx, config, opened, found, message, now)
    by_code = _by_code(tx, config, mail, now)
    if by_code is not None:
        return by_code
    found = _speaker(tx, config, opened)
    if found is None:
        return joining.asked_by(tx, config, mail, now) or _nobodys(tx, config, opened, now)
    sheet = sheet_of(tx, config, found.row)
    return _proven(Desk(tx, config, clerk.apart, found, sheet, mail, message, now), opened)


# --- codes ------------------------------------------------------------------------------------------------------------


class ByCode(NamedTuple):
    """What a code does that was mailed to an address, and comes back. `find` gives what the code is for, and None for
    one that is wrong, used up or too old."""

    find: Callable[[Read, str, datetime], Any]
    run: Callable[[Write, Config, MailReading, Any, datetime], Settled]
    unknown: str


NO_CHANGE = "no change of address waits for it"
CODES: Mapping[str, ByCode] = {
    addresses.CONFIRM: ByCode(addresses.by_confirm_code, addresses.confirmed_by, NO_CHANGE),
    addresses.AGREE: ByCode(addresses.by_agree_code, addresses.agreed_by, NO_CHANGE),
    addresses.VETO: ByCode(addresses.by_veto_code, addresses.vetoed_by, NO_CHANGE),
    joining.JOIN: ByCode(joining.by_code, joining.confirmed_by, "nobody who asks for a seat waits for it"),
}
"""Every act that needs no key but a code (`Proof.CODE`), by the purpose of the code."""


def _by_code(tx: Write, config: Config, mail: MailReading, now: datetime) -> Settled | None:
    """What a mail with a code in its address comes to; None when it has none. A wrong code is nobody's."""
    given = [(purpose, code) for purpose, code in codes.read_tags(mail.tags) if purpose in CODES]
    if not given:
        return None
    purpose, code = given[0]
    act = CODES[purpose]
    found = act.find(tx, code, now)
    return Settled(QUARANTINED, act.unknown) if found is None else act.run(tx, config, mail, found, now)


# --- keys -------------------------------------------------------------------------------------------------------------


def _speaker(tx: Read, config: Config, opened: Opened) -> Speaker | None:
    """Who speaks. A command may stand above any old letter: the address counts before the form that is quoted."""
    tags, form = tags_of(opened.mail.tags), _form(opened)
    if opened.mail.commanded:
        return speaker(tx, config, None, tags) or speaker(tx, config, form, ())
    return speaker(tx, config, form, tags)


def _form(opened: Opened) -> Form | None:
    """The form by which the mail speaks: a new one, or one that was quoted."""
    forms = [reading.form for reading in opened.readings if reading.form is not None]
    return forms[0] if forms else (opened.named[0] if opened.named else None)


def _nobodys(tx: Write, config: Config, opened: Opened, now: datetime) -> Settled:
    """Set aside. The seat in whose name it came learns that, and nothing more, in its next report; where it names none,
    the player with that address is told."""
    place = named(tx, opened.named, tags_of(opened.mail.tags))
    if place is None:
        unproven.answer(tx, config, opened.mail, now)
    return Settled(QUARANTINED, WRONG_KEY, facts={"keyless": {"game": place[0], "seat": place[1]}} if place else {})


def _proven(desk: Desk, opened: Opened) -> Settled:
    """What becomes of the mail of a seat."""
    if opened.known:
        return _said_again(desk)
    desk = replace(desk, beside=(*evidence.from_elsewhere(desk), *_unopened(desk), *_came_back(desk, opened)))
    manner = _manner(desk, opened)
    if not manner.problems and desk.mail.command is not None and not opened.readings:
        return _obey(desk, desk.mail.command, manner)
    if not manner.problems and len(opened.readings) == 1 and opened.readings[0].form is not None:
        form = opened.readings[0].form
        reading = Reading(replace(form, seat=desk.seat), opened.readings[0].problems)
        return _take(desk, reading, manner)
    said = _form(opened)
    marks = {} if said is None else said.marks
    blank = Form(game=desk.sheet.name, seat=desk.seat, turn=desk.speaker.turn, marks=marks)
    why = manner.problems or tuple(_nothing(opened))
    return _take(desk, Reading(blank), replace(manner, problems=why))


def _obey(desk: Desk, command: Command, manner: Manner) -> Settled:
    """Do what is asked, within the limits that hold for orders too."""
    game, seat, old_key = desk.sheet.name, desk.seat, not desk.speaker.is_current
    over = budgets.exceeded(desk.tx, desk.config.limits, game, seat, desk.turn, desk.now, old_key=old_key)
    if over is not None:
        return turn_down(desk.tx, desk.config.limits, desk.sheet, seat, desk.message, desk.now, manner, over)
    return obey(desk, command, manner)


def _take(desk: Desk, reading: Reading, manner: Manner) -> Settled:
    assert reading.form is not None
    return take_down(
        desk.tx, desk.config, desk.apart, desk.seated(reading.form), reading, desk.message, desk.now, manner
    )


def _nothing(opened: Opened) -> list[Problem]:
    """Why there is no order in it."""
    if len(opened.readings) > 1:
        return [Problem(SEVERAL)]
    if opened.readings:
        return list(opened.readings[0].problems)
    if opened.unchanged:
        return [Problem(UNCHANGED)]
    shown = opened.mail.shown
    return [Problem(Refusal("", "no_order", NOTHING if shown else EMPTY, {"shown": shown}))]


def _manner(desk: Desk, opened: Opened) -> Manner:
    """How it came: what is wrong with that, what the player should be told, and what is kept as evidence."""
    wrong = (evidence.missing(desk), desk.mail.trouble)
    return Manner(
        file="attachment" if opened.found == ATTACHMENT else "mail",
        problems=(*desk.speaker.wrong, *(Problem(why) for why in wrong if why is not None)),
        notices=desk.beside,
        facts=evidence.facts(desk),
        answers=desk.message.message_id,
        player=desk.speaker.player,
        shows_key=desk.may_see_key,
        old_key=not desk.speaker.is_current,
    )


def _unopened(desk: Desk) -> tuple[Notice, ...]:
    """A word on files that nobody looks into, so that no order is thought to be read from them."""
    names = desk.mail.unopened
    return (Notice("", "unopened", UNOPENED, {"names": list(names)}),) if names else ()


def _came_back(desk: Desk, opened: Opened) -> tuple[Notice, ...]:
    """A word on mails to the player that came back, where the answer has room for it; else it waits. Only the current
    key shows that mail reaches the player."""
    command = desk.mail.command
    told_otherwise = command is not None and not opened.readings and command.word in TOLD_OTHERWISE
    is_order = command is None or bool(opened.readings)
    if told_otherwise or proof_of(desk.speaker) is not Proof.CURRENT_KEY:
        return ()
    if not (desk.may_receive if is_order else desk.may_answer):
        return ()
    return bounces.told(desk.tx, desk.speaker.player, desk.now)


def _said_again(desk: Desk) -> Settled:
    """The same mail by other ways: said once, then nothing is said any more."""
    if len(letters.before(desk.tx, desk.message)) == 1:
        desk.answer("known")
    return Settled(IGNORED, "it has come before", game=desk.sheet.name, seat=desk.seat)
