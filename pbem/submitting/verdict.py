"""The host's own verdict on a form: what its deadline, its turn and the seat's standing say, beside the rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from engine import Notice, Refusal
from pbem.agreed.drawing import draws, why_no_draw
from pbem.attending.absences import why_not
from pbem.clock import stamp
from pbem.game.eras import Spoken
from pbem.game.sheet import Sheet
from pbem.intake import masks
from pbem.intake.form import ABSENT, NONCE, SAY, TO_ALL, Absence, Form, Reading
from pbem.intake.judge import ACCEPTED, REFUSED, Verdict, judge, wrong_turn
from pbem.intake.limits import USUAL
from pbem.intake.problems import Problem, listed
from pbem.ledger import games
from pbem.rulings.resigning import resigns
from pbem.submitting.identity import Proven, Seated

TAKEN_BACK = "taken_back"
LOST_TIME = "lost_time"  # the code of an answer to what the host does not know any more
LATE = "late"  # the code of orders that came after their deadline


def foreseen(found: Proven, reading: Reading, arrived: datetime) -> Verdict:
    """What would become of a form, were it submitted now. To be asked apart, of what came out of the ledger."""
    return verdict_of(found.opened(), reading, arrived)


def verdict_of(found: Seated, reading: Reading, arrived: datetime, more: Sequence[Problem] = ()) -> Verdict:
    """What becomes of a form; `more` are problems that lie in how it came."""
    more = (*found.wrong, *more)
    if found.status != games.OPEN:
        return _closed(found)
    if found.spoke is Spoken.LOST:
        return _refused(found, lost_time(found.turn))
    if found.spoke is Spoken.BEFORE and (found.form.turn is None or found.form.turn >= found.turn):
        return _taken_back(found)
    if resigns(found.sheet, found.standing, found.form):
        return _resignation(found, reading, more)
    if draws(found.sheet, found.standing, found.form):
        return _draw(found, reading, more)
    return verdict_on(found, reading, arrived, more)


def verdict_on(found: Seated, reading: Reading, arrived: datetime, more: Sequence[Problem] = ()) -> Verdict:
    """What the rules and the deadline say of a form."""
    form, standing = found.form, found.standing
    problems = [*reading.problems, *more, *_late(found, arrived), *_gone(found), *_nonce_late(form), *_unsayable(found)]
    return judge(
        found.sheet.rules,
        standing.state,
        form,
        turns=range(found.turn, found.turn + 1),
        seats=tuple(found.sheet.sitters),
        stands=standing.orders_of(form.seat),
        done=standing.done.get(form.seat, ()),
        problems=[*problems, *_days_away(found, arrived)],
    )


def _late(found: Seated, arrived: datetime) -> list[Problem]:
    """The deadline law: before the stored instant, by the time of arrival, whatever a mail says of its own date."""
    deadline = found.standing.deadline
    if deadline is None or arrived < deadline or found.form.turn not in (None, found.turn):
        return []
    facts = {"turn": found.turn, "deadline": stamp(deadline), "arrived": stamp(arrived)}
    text = "Decision {turn} was due at {deadline}; this came at {arrived}."
    return [Problem(Refusal("", LATE, text, facts))]


def _gone(found: Seated) -> list[Problem]:
    """A seat that resigned may still write to the others, but its orders would never be used."""
    form = found.form
    if form.seat not in found.standing.resigned or (form.orders is None and form.standing is None):
        return []
    return [Problem(Refusal("", "resigned", "This seat has resigned; its orders are not used any more."))]


def _resignation(found: Seated, reading: Reading, more: Sequence[Problem]) -> Verdict:
    """To resign is always in time, but a form that is faulty or old resigns nobody."""
    form, stands = found.form, found.standing.orders_of(found.form.seat)
    problems = [*reading.problems, *more, *wrong_turn(form, range(found.turn, found.turn + 1))]
    problems += [*_nonce_late(form), *_unsayable(found)]
    if problems:
        return Verdict(REFUSED, stands, problems=listed(problems, USUAL.problems))
    text = "Your resignation is taken, for good. If the game goes on, your seat takes the move that silence means."
    return Verdict(ACCEPTED, stands, notices=(Notice("", "resigned", text),))


def _draw(found: Seated, reading: Reading, more: Sequence[Problem]) -> Verdict:
    """The word for a draw needs no deadline and orders nothing: what stands of the seat's orders stands."""
    form, stands = found.form, found.standing.orders_of(found.form.seat)
    problems = [*reading.problems, *more, *wrong_turn(form, range(found.turn, found.turn + 1)), *_unsayable(found)]
    if (why := why_no_draw(found.sheet, found.standing, form)) is not None:
        problems.append(Problem(why))
    if problems:
        return Verdict(REFUSED, stands, problems=listed(problems, USUAL.problems))
    text = "Your word for a draw is noted. The game ends with it once all remaining players agree."
    return Verdict(ACCEPTED, stands, notices=(Notice("", "draw", text),))


def _nonce_late(form: Form) -> list[Problem]:
    """Better said than dropped in silence."""
    if form.nonce is None:
        return []
    text = "`nonce:` is read only while a game waits for its dice; the dice of this game are settled."
    return [Problem(Refusal("", "nonce_late", text), form.mark((NONCE,)))]


def _days_away(found: Seated, arrived: datetime) -> list[Problem]:
    """Days away that are over, most likely by a slip of the year, or for which the game cannot wait any more."""
    absent = found.form.absent
    if absent is None:
        return []
    why = why_past(absent, arrived) or why_not(found.standing.attendance, found.seat, absent)
    return [] if why is None else [Problem(why, found.form.mark((ABSENT,)))]


def why_past(absent: Absence, arrived: datetime) -> Refusal | None:
    """Why days away cannot be meant."""
    if absent.until is None or absent.until >= arrived.date():
        return None
    text = "You say that you are away until {day}, and that day is past."
    return Refusal("", "absence_past", text, {"day": absent.until.isoformat()})


def _unsayable(found: Seated) -> list[Problem]:
    """Press to seats there are not, or that the rules forbid to write to."""
    form = found.form
    refused = ((to, why_not_say(found, to)) for to in form.say)
    return [Problem(why, form.mark((SAY, to))) for to, why in refused if why is not None]


def why_not_mask(sheet: Sheet) -> Refusal | None:
    """Why words cannot leave without saying whose they are."""
    return None if sheet.masks else Refusal("", "no_masks", "In this game whoever writes to others says who he is.")


def why_not_say(found: Seated, to: str) -> Refusal | None:
    """Why that seat (or `all`) cannot be written to, or not with a mask."""
    masked, to = masks.taken_off(to)
    if masked and (why := why_not_mask(found.sheet)) is not None:
        return why
    rules, seats = found.sheet.rules, found.sheet.sitters
    if to != TO_ALL and to not in seats:
        facts = {"to": to, "seats": [f"`{seat}`" for seat in seats]}  # as forms have them, in any language
        return Refusal("", "no_such_seat", "There is no seat {to} to write to; the seats are {seats}.", facts)
    return rules.why_not_say(found.standing.state, found.seat, None if to == TO_ALL else to)


def _taken_back(found: Seated) -> Verdict:
    """Orders of before a take-back: what they were for is undone, or open anew."""
    text = "This form is of before the game was taken back. Answer your newest letter; decision {open} is open."
    why = Refusal("", TAKEN_BACK, text, {"open": found.turn})
    return _refused(found, why)


def lost_time(open: int) -> Refusal:
    """What is said to an answer to a letter of a time that was lost with the host's ledger."""
    text = (
        "The letter that you answered is of a time that the host has lost; it counts no more."
        " Answer your newest letter; decision {open} is open."
    )
    return Refusal("", LOST_TIME, text, {"open": open})


def _closed(found: Seated) -> Verdict:
    facts = {"game": found.sheet.name, "status": games.SAID[found.status]}
    return _refused(found, Refusal("", "game_closed", "{game} is {status} and takes no orders now.", facts))


def _refused(found: Seated, why: Refusal) -> Verdict:
    """Nothing of the form is taken, whatever it says; what stood stands."""
    return Verdict(REFUSED, found.standing.orders_of(found.form.seat), problems=(Problem(why),))
