"""The verdict on a form: taken or not, what stands afterwards, and everything its player should be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.entries import Deed, Entry, plain
from engine.game import Move, Notice, Seat
from engine.queue import NO_ORDERS, SeatOrders, answering, filed
from engine.refusal import Refusal
from engine.registry import AnyGame
from pbem.intake.form import KEYS, ORDERS, STANDING, TURN, Form, order_number
from pbem.intake.limits import USUAL
from pbem.intake.orders import Judged, Read, judge_orders, runs
from pbem.intake.problems import Problem, listed

ACCEPTED, DRAFT, REFUSED = "accepted", "draft", "refused"
NOT_JUDGED_YET = "not_judged_yet"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a form.

    `stands` is what its seat has said when this is done, `replaced` what stood before where something took its place.
    Of a refused form only this may remain: the first `kept` of its orders, as a draft. The moves in `at_once` take
    effect as soon as the form is taken, in this order; they are not in `stands`.
    """

    fate: str
    stands: SeatOrders
    read: tuple[Read, ...] = ()
    problems: tuple[Problem, ...] = ()
    notices: tuple[Notice, ...] = ()
    at_once: tuple[Move, ...] = ()
    kept: int = 0
    replaced: SeatOrders | None = None

    @property
    def is_taken(self) -> bool:
        return self.fate != REFUSED

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, for programs."""
        return {
            "fate": self.fate,
            "orders": [_read_json(read) for read in self.read],
            "problems": [problem.to_json() for problem in self.problems],
            "notices": [_notice_json(notice) for notice in self.notices],
            "stands": self.stands.to_json(),
            "kept": self.kept,
        }


def _read_json(read: Read) -> dict[str, Any]:
    return {
        "number": read.number,
        "within": read.within,
        "order": plain(read.order),
        "line": read.mark.line,
        "column": read.mark.column,
        "move": read.text,
        "at_once": read.at_once,
        "supposed": read.supposed,
        "events": [event.to_json() for event in read.events],
        "notices": [_notice_json(notice) for notice in read.notices],
    }


def _notice_json(notice: Notice) -> dict[str, Any]:
    return Refusal(notice.rule, notice.code, notice.text, notice.facts).to_json()


def judge(
    rules: AnyGame,
    state: Any,
    form: Form,
    *,
    turns: range,
    seats: Sequence[Seat],
    stands: SeatOrders = NO_ORDERS,
    done: Sequence[Deed] = (),
    problems: Sequence[Problem] = (),
) -> Verdict:
    """The verdict on a form for the seat it names.

    `turns` are the numbers it may bear: from the one its seat was last told of to the one now open. `stands` is what
    the seat has said before, `done` what others did since it last decided, `problems` what was wrong with the file.
    """
    judged = judge_orders(rules, state, form.seat, seats, form, done)
    after = _after(rules, state, form, judged, stands)
    found = [*problems, *wrong_turn(form, turns), *_wrong_keys(rules, form), *_wrong_standing(rules, state, form)]
    found += judged.problems
    if isinstance(after, Refusal):
        found.append(Problem(after, form.mark((ORDERS,))))
    if found or isinstance(after, Refusal):
        kept = () if stands.stands else _before_the_first(form, judged, found)
        return _refused(rules, state, form, judged, found, stands, kept)
    kept_by_rules = _kept(rules, state, form)
    at_once = (*kept_by_rules, *(read.move for read in judged.read if read.at_once))
    fate = DRAFT if form.draft and form.orders is not None else ACCEPTED
    notices = (*_holding(kept_by_rules), *judged.notices, *_unjudged(judged))
    return Verdict(fate, after, judged.read, (), notices, at_once, 0, stands if stands and after != stands else None)


# --- what is wrong beside the orders -----------------------------------------------------------------------------


def wrong_turn(form: Form, turns: range) -> list[Problem]:
    """An old form is never taken for a new one, nor an early one."""
    if form.turn is None or form.turn in turns:
        return []
    facts = {"turn": form.turn, "open": turns[-1]}
    if form.turn < turns.start:
        text = "This form is for decision {turn}, which is closed; decision {open} is open."
        why = Refusal("", "turn_closed", text, facts)
    else:
        text = "This form is for decision {turn}, which is not open yet; decision {open} is."
        why = Refusal("", "turn_ahead", text, facts)
    return [Problem(why, form.mark((TURN,)))]


def _wrong_keys(rules: AnyGame, form: Form) -> list[Problem]:
    """Keys that some game's rules add to the form, but not this one's; and words that such a key does not take."""
    found = []
    for key, value in form.extra.items():
        words = rules.order_keys.get(key)
        if words is None:
            known = (*KEYS, *rules.order_keys)
            why = Refusal("", "unknown_key", "This game has no key `{key}`.", {"key": key}, known)
        elif not isinstance(value, str) or (words and value.casefold() not in words):
            why = Refusal("", "bad_word", "`{key}:` does not take what stands here.", {"key": key}, words)
        else:
            continue
        found.append(Problem(why, form.mark((key,))))
    return found


def _wrong_standing(rules: AnyGame, state: Any, form: Form) -> list[Problem]:
    if not form.standing:
        return []
    why = rules.why_not_standing(state, form.seat, form.standing)
    return [] if why is None else [Problem(why, form.mark((STANDING,)))]


def _kept(rules: AnyGame, state: Any, form: Form) -> tuple[Move, ...]:
    """Standing answers that the rules keep themselves, in the state, are given to them like a move at once."""
    move = rules.kept_standing(state, form.seat, form.standing) if form.standing else None
    return () if move is None else (move,)


def _holding(kept: tuple[Move, ...]) -> tuple[Notice, ...]:
    """They are not among the orders that stand, so the receipt says so in words."""
    return tuple(Notice("", "holds_now", "From now on: {words}.", {"words": str(move)}) for move in kept)


def _unjudged(judged: Judged) -> tuple[Notice, ...]:
    """A word on the orders whose time has not come: they were read, no more."""
    waiting = sorted({read.number for read in judged.read if read.move is None})
    if not waiting:
        return ()
    sentence = "Read, but not yet judged, as it depends on what comes before: order {numbers}."
    return (Notice("", NOT_JUDGED_YET, sentence, {"numbers": runs(waiting)}),)


# --- what stands afterwards --------------------------------------------------------------------------------------


def _after(rules: AnyGame, state: Any, form: Form, judged: Judged, stands: SeatOrders) -> SeatOrders | Refusal:
    """The new orders in place of the old ones; what the form does not speak of stays."""
    at_once = sum(read.at_once for read in judged.read)
    if form.standing is not None and not _kept(rules, state, form):
        stands = replace(stands, standing=form.standing)
    if form.orders is None or (at_once and at_once == len(form.orders)):
        return stands
    orders = form.orders[at_once:]
    keys = _keys(form)
    if form.draft:
        drafted = filed(rules, state, form.seat, SeatOrders(stands.draft), orders, keys, judged.done)
        return drafted if isinstance(drafted, Refusal) else replace(stands, draft=drafted.queue)
    found = filed(rules, state, form.seat, stands, orders, keys, judged.done)
    if isinstance(found, Refusal) or (
        orders and answering(rules, state, form.seat, orders, judged.done) == len(orders)
    ):
        return found  # an answer to a question leaves one's plans alone
    return replace(found, draft=())


def _before_the_first(form: Form, judged: Judged, problems: Sequence[Problem]) -> tuple[Entry, ...]:
    """The orders before the first that is wrong; none when anything else is wrong with the file."""
    if any(problem.path[:1] != (ORDERS,) for problem in problems):
        return ()
    first = min(order_number(problem.path) for problem in problems)
    at_once = {read.number for read in judged.read if read.at_once}
    numbered = zip(form.orders or (), form.numbers, strict=True)
    return tuple(order for order, number in numbered if number < first and number not in at_once)


def _refused(
    rules: AnyGame,
    state: Any,
    form: Form,
    judged: Judged,
    problems: Sequence[Problem],
    stands: SeatOrders,
    kept: tuple[Entry, ...],
) -> Verdict:
    """Nothing of it is taken. Where nothing stood, the orders that were right wait as a draft for want of better."""
    if kept:
        drafted = filed(rules, state, form.seat, NO_ORDERS, kept, _keys(form), judged.done)
        if not isinstance(drafted, Refusal):
            stands = replace(stands, draft=drafted.queue)
    told = listed(problems, USUAL.problems)
    return Verdict(REFUSED, stands, judged.read, told, judged.notices, (), len(kept))


def _keys(form: Form) -> dict[str, str]:
    """The values of the keys that rules of games add to the form."""
    return {key: str(value) for key, value in form.extra.items()}
