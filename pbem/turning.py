"""One game's run, as a function: its sheet and where it stands go in; rows for the journal and mails come out.

Nothing here touches the ledger, a file or a clock, so a worker process can do it and a rerun gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from engine import Outcome, Seat
from engine.advance import Advance, Made, Step, advance
from engine.canon import canonical
from engine.registry import AnyGame
from pbem.clock import stamp
from pbem.ledger.chain import Content, leaf_of, link, salt_of, text_of
from pbem.outgoing import Mail, reports
from pbem.sheet import End, Sheet, Standing, deeds_to_json

TURN, AT_ONCE, OVER, REVEALED = "turn", "at_once", "over", "revealed"
RESIGNED_RULE = "host: resignation"


class Row(NamedTuple):
    """One row for the journal of the game."""

    kind: str
    body: Mapping[str, Any]
    turn: int | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """What a run comes to. `end` is where the chain must stand once `rows` are written: the mails already say so."""

    rows: tuple[Row, ...]
    mails: tuple[Mail, ...]
    end: End
    turns: int
    over: bool


def opening(sheet: Sheet, created: Row, now: datetime) -> Played:
    """The set-up of a new game, as its turn 0, and the first report to every seat."""
    rules = sheet.rules
    drawn = sheet.dice("0")
    turned = rules.setup(rules.Options(**sheet.options), drawn)
    step = Step(0, 0, "setup", {}, tuple(turned.events), tuple(drawn.draws), turned.state, {}, {})
    result = replace(advance(rules, turned.state, sheet.nothing, sheet.dice, turn=1), steps=(step,))
    return _written(sheet, Standing(0, None), result, now, first=(created,))


def play(sheet: Sheet, standing: Standing, now: datetime) -> Played | None:
    """Resolve as far as the orders carry; at the deadline silence counts too. None: somebody must still be asked."""
    late = sheet.rules.pending(standing.state) if standing.deadline is not None and now >= standing.deadline else ()
    result = advance(
        sheet.rules,
        standing.state,
        standing.orders,
        sheet.dice,
        turn=standing.turn,
        late=late,
        resigned=standing.resigned,
        done=standing.done,
        at_once=standing.at_once,
    )
    return _written(sheet, standing, result, now) if result.steps else None


def take_alone(sheet: Sheet, standing: Standing, seat: Seat, move: Any, now: datetime) -> Played:
    """Resolve one move that takes effect at once, out of turn, and then whatever has become possible by it."""
    rules, number = sheet.rules, standing.at_once + 1
    drawn = sheet.dice(f"{standing.turn}+{number}")
    decision = rules.decision(standing.state)
    turned = rules.resolve(standing.state, {seat: move}, drawn)
    made = {seat: Made(move, "given")}
    step = Step(standing.turn, number, decision, made, tuple(turned.events), tuple(drawn.draws), turned.state, {}, {})
    rest = advance(
        rules,
        turned.state,
        standing.orders,
        sheet.dice,
        turn=standing.turn,
        resigned=standing.resigned,
        done=standing.done,
        at_once=number,
    )
    whole = replace(rest, steps=(step, *rest.steps))
    return _written(sheet, standing, whole, now)


def outcome_of(rules: AnyGame, state: Any, resigned: Collection[Seat], seats: Collection[Seat]) -> Outcome | None:
    """How it ended: as the rules say, or, where all but one have resigned, as the host says."""
    outcome = rules.outcome(state)
    staying = tuple(seat for seat in seats if seat not in resigned)
    if outcome is None:
        if len(staying) > 1 or not resigned:
            return None
        last = tuple(seat for seat in seats if seat in resigned)
        return Outcome(tuple(filter(None, (staying, last))), {}, RESIGNED_RULE, "resignation")
    if not resigned:
        return outcome
    places = [tuple(seat for seat in place if seat not in resigned) for place in outcome.places]
    last = tuple(seat for place in outcome.places for seat in place if seat in resigned)
    return Outcome((*filter(None, places), last), outcome.scores, outcome.rule, outcome.reason, outcome.details)


def _written(sheet: Sheet, before: Standing, result: Advance, now: datetime, first: tuple[Row, ...] = ()) -> Played:
    """The rows and mails of what was resolved."""
    rules = sheet.rules
    outcome = outcome_of(rules, result.state, before.resigned, tuple(sheet.sitters))
    deadline = None if outcome else sheet.schedule.deadline(now)
    rows = [*first, *(_row(rules, step) for step in result.steps)]
    rows[-1] = rows[-1]._replace(body={**rows[-1].body, **_settled(result, deadline, now)})
    if outcome is not None:
        rows += [Row(OVER, {"outcome": outcome_to_json(outcome)}), Row(REVEALED, _revealed(sheet))]
    end = _chained(sheet, before.end, rows, now)
    after = Standing(
        result.turn,
        result.state,
        result.orders,
        before.counters,
        result.done,
        result.at_once,
        before.resigned,
        deadline,
        end,
    )
    mails = reports(sheet, before, result, after, outcome, now)
    return Played(tuple(rows), mails, end, len(result.steps), outcome is not None)


def _row(rules: AnyGame, step: Step) -> Row:
    pending = rules.pending(step.state)
    body = {
        "moves": {seat: {"move": str(made.move), "how": made.how} for seat, made in step.moves.items()},
        "draws": [list(draw) for draw in step.draws],
        "events": [event.to_json() for event in step.events],
        "state": rules.dump(step.state),
        "decision": rules.decision(step.state),
        "pending": list(pending),
        "queues": {seat: left.to_json() or None for seat, left in step.left.items()},
    }
    if step.stopped:
        body["stopped"] = {seat: [one.to_json() for one in stopped] for seat, stopped in step.stopped.items()}
    if step.at_once:
        body["at_once"] = step.at_once
    return Row(AT_ONCE if step.at_once else TURN, body, step.turn)


def _settled(result: Advance, deadline: datetime | None, now: datetime) -> dict[str, Any]:
    """What the last step of a run settles for the next one. A run that stopped at its limit goes on at once."""
    due = now if result.more else deadline
    return {
        "deeds": deeds_to_json(result.done),
        "deadline_at": None if deadline is None else stamp(deadline),
        "due_at": None if due is None else stamp(due),
    }


def _revealed(sheet: Sheet) -> dict[str, Any]:
    return {"seed": sheet.seed.hex(), "nonces": dict(sheet.nonces)}


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "places": [list(place) for place in outcome.places],
        "scores": dict(outcome.scores),
        "rule": outcome.rule,
        "reason": outcome.reason,
        "details": dict(outcome.details),
    }


def outcome_from_json(data: Mapping[str, Any]) -> Outcome:
    places = tuple(tuple(place) for place in data["places"])
    return Outcome(places, data["scores"], data["rule"], data["reason"], data["details"])


def _chained(sheet: Sheet, end: End, rows: Collection[Row], now: datetime) -> End:
    """Where the chain will stand after these rows: the reports name that head before it is written."""
    seq, head = end.seq, end.hash
    at = now if end.at is None else max(now, end.at)
    for row in rows:
        seq += 1
        content = Content(sheet.name, seq, row.kind, at, row.turn, row.seat, canonical(row.body))
        head = link(head, leaf_of(salt_of(sheet.secret, seq), text_of(content)))
    return End(seq, head, at)
