"""Press: words to other seats that leave at once. They are kept in the ledger, and forbidden where the rules forbid."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine import Notice, Refusal, Seat
from pbem.correspondence.desk import Desk
from pbem.intake import masks
from pbem.intake.form import TO_ALL
from pbem.reports import environment
from pbem.reports.telling import Who
from pbem.reports.translating import FACT
from pbem.submitting.identity import Proven
from pbem.submitting.readers import note_told, readers
from pbem.submitting.verdict import why_not_mask, why_not_say

PRESS = "press"
_between = re.compile(r"\s*(?:,|;|&|\s(?:and|et|e)\s)\s*", re.I)
EVERYBODY = frozenset({"", TO_ALL, "everybody", "tous", "tout le monde", "tutti", "tutte"})


def receivers(desk: Desk, to: str) -> tuple[Seat, ...] | Refusal:
    """The seats that are meant: all others, or those named by their seats, in any language, or their players' names."""
    others = [seat for seat in desk.sheet.sitters if seat != desk.seat]
    if to.strip().casefold() in EVERYBODY:
        return tuple(others)
    found = []
    for word in filter(None, _between.split(to.strip())):
        named = [seat for seat in others if word.casefold() in {seat.casefold(), *_called(desk, seat)}]
        if len(named) != 1:
            facts = {"to": word, "seats": others}
            return Refusal("", "no_such_seat", "There is no seat {to} to write to; the seats are {seats}.", facts)
        found += named
    return tuple(dict.fromkeys(found))


def _called(desk: Desk, seat: Seat) -> Iterator[str]:
    """Who sits there, and the seat as letters call it in each language."""
    yield desk.sheet.players[seat].casefold()
    for lang in environment.LANGUAGES:
        yield environment.translations(lang, desk.sheet.rules.id).pgettext(FACT, seat).casefold()


def why_not(found: Proven, to: tuple[str, ...]) -> Refusal | None:
    """Why the rules forbid these words. To be asked apart."""
    opened = found.opened()
    return next((why for seat in to if (why := why_not_say(opened, seat)) is not None), None)


def pass_on(desk: Desk, to: str, text: str) -> Refusal | None:
    """Write the words down and send them to those they are for, and say so to the writer; or why they may not be."""
    masked, to = masks.taken_off(to)
    if masked and (why := why_not_mask(desk.sheet)) is not None:
        return why
    seats = receivers(desk, to)
    if isinstance(seats, Refusal):
        return seats
    if not text.strip():
        return Refusal("", "no_words", "Nothing stands behind `say`. Write to whom, a colon, and your words.")
    if len(text) > (most := desk.config.limits.press):
        facts = {"most": most}
        return Refusal("", "too_long", "Press has {most} characters at most; send it in parts.", facts)
    others = len(desk.sheet.sitters) - 1
    public = len(seats) == others and others > 1
    why = desk.apart.ask(why_not, desk.blank(), (TO_ALL,) if public else seats)
    if why is not None:
        return why
    body = {"to": list(seats), "text": text, "letter": desk.message.sha256, **({"masked": True} if masked else {})}
    desk.tx.append(desk.sheet.name, PRESS, desk.now, body, desk.turn, desk.seat)
    who = None if masked else Who(desk.seat, desk.sheet.players[desk.seat])
    for seat in seats:
        desk.tell(seat, "press", (_heading(who, seat, seats, public=public),), text)
    said = Notice("", "said_to", "Sent to: {seats}.", {"seats": [Who(one, "") for one in seats]})
    told = readers(desk.tx, desk.sheet, desk.seat) if desk.may_answer else ()
    desk.answer("said", (said, *told), text)
    if told:
        note_told(desk.tx, desk.sheet, desk.seat, desk.turn, desk.now)
    return None


def _heading(who: Who | None, seat: Seat, seats: tuple[Seat, ...], *, public: bool) -> Notice:
    if who is None:
        return _masked(seat, seats, public=public)
    if public:
        return Notice("", "to_all", "{who} says to all:", {"who": who})
    if len(seats) == 1:
        return Notice("", "to_you", "{who} says to you alone:", {"who": who})
    others = [Who(other, "") for other in seats if other != seat]
    return Notice("", "to_some", "{who} says to you and {others}:", {"who": who, "others": others})


def _masked(seat: Seat, seats: tuple[Seat, ...], *, public: bool) -> Notice:
    """The same of words that do not say whose they are: the ledger knows it, and nobody is told while the game runs."""
    if public:
        return Notice("", "to_all", "Somebody says to all:")
    if len(seats) == 1:
        return Notice("", "to_you", "Somebody says to you alone:")
    others = [Who(other, "") for other in seats if other != seat]
    return Notice("", "to_some", "Somebody says to you and {others}:", {"others": others})
