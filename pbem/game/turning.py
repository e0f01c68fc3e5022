"""One game's run, as a function: its sheet and where it stands go in; rows for the journal and mails come out.

Nothing here touches the ledger, a file or a clock, so a worker process can do it and a rerun gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

import pbem
from engine import Event, Outcome, Seat
from engine.advance import Advance, Made, Step, advance, take_effect
from engine.canon import Canonical, canonical
from engine.queue import NO_ORDERS
from engine.registry import AnyGame
from engine.series import AGREED_DRAW
from pbem.agreed.consent import questions
from pbem.attending.absences import told_of
from pbem.attending.answers import due_after
from pbem.attending.attendance import GONE, Attendance, Away, news_to_json
from pbem.attending.waiting import attended, deputy, held, opened
from pbem.clock import stamp
from pbem.deadlines.leads import next_look
from pbem.game.eras import eras_of
from pbem.game.outgoing import Mail, notices, reports
from pbem.game.sheet import NOWHERE, End, Sheet, Standing, deeds_to_json, waits_to_json
from pbem.ledger.chain import Content, leaf_of, link, salt_of, text_of
from pbem.ledger.public import KEEPS_PRIVATE, split
from pbem.matches import match
from pbem.matches.match import Match
from pbem.reports.report import News

CREATED, TURN, AT_ONCE, OVER, REVEALED = "created", "turn", "at_once", "over", "revealed"
TAKEN_BACK = "taken_back"
HELD = "held"
ABSENCE = "absence"
NOBODY_IS_AWAY: Mapping[str, Away] = {}
MATCH_GAME, MATCH_OVER = "match_game", "match_over"
RESIGNED_RULE, DRAWN_RULE = "host: resignation", AGREED_DRAW
BY_SUBMISSION = frozenset({"given", "draft", "standing"})


class Row(NamedTuple):
    """One row for the journal of the game."""

    kind: str
    body: Mapping[str, Any]
    turn: int | None = None
    seat: Seat | None = None


class Fixed(NamedTuple):
    """A row as it will be written, to the byte: the mails name a head that is made of it."""

    kind: str
    body: Canonical
    turn: int | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """What a run comes to. `end` is where the chain must stand once `rows` are written: the mails already say so."""

    rows: tuple[Fixed, ...]
    mails: tuple[Mail, ...]
    end: End
    turns: int
    over: bool
    then: Then | None = None
    gone: bool = False  # whether a seat is not waited for any more


class Then(NamedTuple):
    """What the end of a game brings to its match: rows for the match's own chain, and the next game if there is one."""

    chain: str
    rows: tuple[Fixed, ...]
    end: End
    game: tuple[Sheet, Played] | None = None


def creation(sheet: Sheet, players: Mapping[Seat, str]) -> Row:
    """The first row of a game: what was settled before its first turn. `players` are their commitments."""
    rules, of = sheet.rules, sheet.match
    body: dict[str, Any] = {
        "rules": rules.id,
        "version": rules.version,
        "options": dict(sheet.options),
        "seats": dict(players),
        "schedule": sheet.schedule.to_json(),
        "seed_commitment": sheet.commitment,
        "nonces": dict(sheet.nonces),
        "pbem": pbem.__version__,
    }
    if sheet.seal is not None:
        body["sealed"] = True
    if sheet.tells_looks:
        body["tells_looks"] = True
    if sheet.masks:
        body["masks"] = True
    body[KEEPS_PRIVATE] = True
    if sheet.signing_key:
        body["signing_key"] = sheet.signing_key
    if of is not None:
        body["match"] = {"name": of.name, "number": of.number, "head": of.end.hash.hex()}
    return Row(CREATED, body)


def opening(
    sheet: Sheet,
    first: Row,
    now: datetime,
    attendance: Attendance,
    away: Mapping[Seat, Away] = NOBODY_IS_AWAY,
    end: End = NOWHERE,
    told: datetime | None = None,
) -> Played:
    """Set a game up, as its turn 0, and write the first report to every seat. The `first` row stands before it, at the
    `end` of its chain so far: the row that creates it, or the one that settles its dice. Who is `away` has said so
    before."""
    rules = sheet.rules
    drawn = sheet.dice("0")
    turned = rules.setup(rules.Options(**sheet.options), drawn)
    step = Step(0, 0, "setup", {}, tuple(turned.events), tuple(drawn.draws), turned.state, {}, {})
    result = replace(advance(rules, turned.state, sheet.nothing, sheet.dice, turn=1), steps=(step,))
    attendance = attendance.told(*(told_of(seat, absence, now) for seat, absence in away.items()))
    standing = Standing(0, None, sheet.nothing, end=end, attendance=attendance, away=away)
    absent = (Row(ABSENCE, absence.to_row(sheet.schedule.zone), 0, seat) for seat, absence in away.items())
    return _written(sheet, standing, result, now, first=(first, *absent), told=told)


def play(sheet: Sheet, standing: Standing, now: datetime, told: datetime | None = None) -> Played | None:
    """Resolve as far as the orders carry; at the deadline silence counts too. None: somebody must still be asked.

    `told` is when the players are told, where that is later than `now`: their time to think begins then.
    """
    rules = sheet.rules
    due = standing.deadline is not None and now >= standing.deadline
    # Of a run that reached its limit this one is the rest.
    late = standing.attendance.late.union(rules.pending(standing.state) if due else ())
    if _outcome(sheet, standing, standing.state) is not None:
        return _written(sheet, standing, _nothing_more(sheet, standing), now)  # by what the players have said
    if due and (waits := held(sheet, standing, now)) is not None:
        return _held(sheet, standing, *waits, now)
    result = advance(
        rules,
        standing.state,
        standing.orders,
        sheet.dice,
        turn=standing.turn,
        late=late,
        resigned=standing.resigned,
        unwaited=standing.attendance.unwaited,
        deputy=deputy(sheet, standing, now),
        done=standing.done,
        at_once=standing.at_once,
    )
    return _written(sheet, standing, result, now, told=told) if result.steps else None


def take_alone(sheet: Sheet, standing: Standing, seat: Seat, move: Any, now: datetime, source: int) -> Played:
    """Resolve one move that takes effect at once, out of turn; `source` is the row of the submission it came by."""
    result = take_effect(
        sheet.rules,
        standing.state,
        standing.orders,
        sheet.dice,
        seat,
        move,
        turn=standing.turn,
        done=standing.done,
        at_once=standing.at_once,
    )
    return _written(sheet, standing, result, now, sources={**standing.sources, seat: source})


def _held(sheet: Sheet, standing: Standing, until: datetime, silent: tuple[Seat, ...], now: datetime) -> Played:
    """Nothing is resolved yet: everybody is told for whom the game waits longer. Of several in a game that hides
    something nobody is named: who is not named would have answered, which may be a secret."""
    kept = replace(standing.attendance, held_from=standing.attendance.held_from or standing.deadline)
    secret = sheet.rules.hides and len(sheet.rules.view(standing.state, None).pending) > 1
    named: tuple[Seat | None, ...] = (None,) if secret else silent
    news = tuple(News("held", seat, {"until_at": stamp(until)}) for seat in named)
    row = Row(HELD, {"silent": [seat for seat in named if seat is not None]})
    return tell_all(sheet, replace(standing, deadline=until, attendance=kept), row, news, now)


def tell_all(sheet: Sheet, standing: Standing, row: Row, news: tuple[News, ...], now: datetime) -> Played:
    """One row that changes how the game is run, and a notice of it to every seat."""
    due = due_after(sheet, standing, now)
    body = {
        **row.body,
        "attendance": standing.attendance.to_json(),
        "deadline_at": None if standing.deadline is None else stamp(standing.deadline),
        "due_at": None if due is None else stamp(due),
        "news": [news_to_json(one) for one in news],
    }
    rows = fixed(Row(row.kind, body, standing.turn, row.seat))
    end = chained(sheet.name, sheet.secret, standing.end, rows, now)
    return Played(rows, notices(sheet, replace(standing, end=end), news, now), end, 0, False)


def reopened(sheet: Sheet, standing: Standing, row: Mapping[str, Any], now: datetime) -> Played:
    """A decision opened once more, after the game was taken back to it: one row with all that stands now, and a report
    to every seat. The state comes as JSON."""
    rules = sheet.rules
    state = rules.restore(standing.state)
    after = opened(sheet, replace(standing, state=state), now)
    news, attendance = after.attendance.news, replace(after.attendance, news=(), late=frozenset())
    after = replace(after, attendance=attendance, says={})
    due = due_after(sheet, after, now)
    remind = next_look(sheet, after, rules.pending(state))
    body = {
        **row,
        "state": standing.state,
        "decision": rules.decision(state),
        "pending": list(rules.pending(state)),
        "attendance": after.attendance.to_json(),
        "deadline_at": None if after.deadline is None else stamp(after.deadline),
        "due_at": None if due is None else stamp(due),
        "remind_at": None if remind is None else stamp(remind),
        "news": [news_to_json(one) for one in news],
    }
    rows = fixed(Row(TAKEN_BACK, body, standing.turn))
    end = chained(sheet.name, sheet.secret, standing.end, rows, now)
    before = replace(after, keyless={}, unanswered={}, says=standing.says)
    mails = reports(sheet, before, _nothing_more(sheet, after), replace(after, end=end), None, now, news)
    return Played(rows, mails, end, 0, False)


def _nothing_more(sheet: Sheet, standing: Standing) -> Advance:
    """An advance of no steps."""
    return advance(sheet.rules, standing.state, standing.orders, sheet.dice, turn=standing.turn, limit=0)


def _outcome(sheet: Sheet, standing: Standing, state: Any) -> Outcome | None:
    if not standing.resigned and not standing.attendance.drawn:
        return sheet.rules.outcome(state)
    return outcome_of(sheet.rules, state, standing.resigned, sheet.teams, drawn=standing.attendance.drawn)


def outcome_of(
    rules: AnyGame,
    state: Any,
    resigned: Collection[Seat],
    teams: Collection[tuple[Seat, ...]],
    *,
    drawn: bool = False,
) -> Outcome | None:
    """How it ended: as the rules say; or, where all sides but one have resigned, or all have agreed to a draw, as the
    host says."""
    outcome = rules.outcome(state)
    if outcome is None:
        staying = [team for team in teams if not set(team) <= set(resigned)]
        if drawn and len(staying) > 1:
            level = tuple(seat for team in staying for seat in team)
            gone = tuple(seat for team in teams if team not in staying for seat in team)
            return Outcome(tuple(filter(None, (level, gone))), {}, DRAWN_RULE, "agreed draw")
        if len(staying) > 1 or not resigned:
            return None
        first = tuple(seat for team in staying for seat in team)
        last = tuple(seat for team in teams if team not in staying for seat in team)
        return Outcome(tuple(filter(None, (first, last))), {}, RESIGNED_RULE, "resignation")
    if not resigned:
        return outcome
    places = [tuple(seat for seat in place if seat not in resigned) for place in outcome.places]
    last = tuple(seat for place in outcome.places for seat in place if seat in resigned)
    return Outcome((*filter(None, places), last), outcome.scores, outcome.rule, outcome.reason, outcome.details)


def _written(
    sheet: Sheet,
    before: Standing,
    result: Advance,
    now: datetime,
    first: tuple[Row, ...] = (),
    sources: Mapping[Seat, int] | None = None,
    told: datetime | None = None,
) -> Played:
    """The rows and mails of what was resolved; `sources` are the submissions its moves came by, if not `before`'s."""
    sources = before.sources if sources is None else sources
    result = replace(result, steps=tuple(map(_as_written, result.steps)))
    outcome = _outcome(sheet, before, result.state)
    after = replace(
        before,
        turn=result.turn,
        state=result.state,
        orders={seat: result.orders.get(seat, NO_ORDERS) for seat in sheet.sitters},
        done=result.done,
        at_once=result.at_once,
        says={},
        keyless={},
        unanswered={},
    )
    after = _awaited(sheet, before, after, result, outcome, told or now)
    asked = () if outcome is not None else questions(after.attendance)
    news = (*after.attendance.news, *asked)
    # A run that reached its limit is gone on with at once, and those who are late in it are still late.
    rest = result.late.intersection(sheet.rules.pending(result.state)) if result.more else frozenset()
    counted = after.attendance.counted if rest else frozenset()
    after = replace(after, attendance=replace(after.attendance, news=(), late=rest, counted=counted))
    said = [*first, *(_row(sheet, sources, after, step) for step in result.steps)]
    if result.steps:
        said[-1] = said[-1]._replace(body=_settled(sheet, said[-1].body, before, after, result, now, news))
    if outcome is not None:
        said += [Row(OVER, {"outcome": outcome_to_json(outcome)}), Row(REVEALED, _revealed(sheet))]
    rows = fixed(*said)
    end = chained(sheet.name, sheet.secret, before.end, rows, now)
    mails = reports(sheet, before, result, replace(after, end=end), outcome, now, news)
    then = None
    if outcome is not None and sheet.match is not None:
        then = _then(sheet, sheet.match, outcome, now, after)
    gone = any(one.kind == GONE for one in news)
    return Played(rows, mails, end, len(result.steps), outcome is not None, then, gone)


def _awaited(
    sheet: Sheet, before: Standing, after: Standing, result: Advance, outcome: Outcome | None, now: datetime
) -> Standing:
    """Who came, and until when the game waits now. A move out of turn opens nothing, but for whom it asks."""
    if outcome is not None:
        return replace(after, deadline=None, attendance=attended(sheet, before, result))
    if not result.steps or not all(step.at_once for step in result.steps):
        return opened(sheet, replace(after, attendance=attended(sheet, before, result)), now)
    if _were_asked(sheet, before, after):
        return after
    asked_anew = opened(sheet, after, now)
    return replace(asked_anew, deadline=max(filter(None, (before.deadline, asked_anew.deadline)), default=None))


def _were_asked(sheet: Sheet, before: Standing, after: Standing) -> bool:
    """Whether all who must decide after a move out of turn had to before it. Who had not is given his time to think,
    as for any decision that is opened; nobody's deadline is earlier for it."""
    return set(sheet.rules.pending(after.state)) <= set(sheet.rules.pending(before.state))


def _as_written(step: Step) -> Step:
    """The step with its events as the journal will hold them, so that telling it again gives the same words."""
    events = json.loads(canonical([event.to_json() for event in step.events]))
    return replace(step, events=tuple(map(Event.from_json, events)))


def _row(sheet: Sheet, sources: Mapping[Seat, int], after: Standing, step: Step) -> Row:
    rules, when = sheet.rules, f"turn {step.turn}.{step.at_once}"
    waiting = replace(after, orders=step.left)
    body = {
        "moves": {seat: _moved(sources, seat, made) for seat, made in step.moves.items()},
        "draws": [list(draw) for draw in step.draws],
        "events": [event.to_json() for event in step.events],
        "state": rules.dump(step.state),
        "decision": rules.decision(step.state),
        "pending": list(rules.pending(step.state)),
        "queues": {seat: waits_to_json(sheet, waiting, seat, when) for seat in step.left},
    }
    if step.stopped:
        body["stopped"] = {seat: [one.to_json() for one in stopped] for seat, stopped in step.stopped.items()}
    if step.at_once:
        body["at_once"] = step.at_once
    return Row(AT_ONCE if step.at_once else TURN, body, step.turn)


def _moved(sources: Mapping[Seat, int], seat: Seat, made: Made) -> dict[str, Any]:
    """A move, how it came, and the row of the submission it came by."""
    source = sources.get(seat) if made.how in BY_SUBMISSION else None
    return {"move": str(made.move), "how": made.how, "submission": source}


def _settled(
    sheet: Sheet,
    body: Mapping[str, Any],
    before: Standing,
    after: Standing,
    result: Advance,
    now: datetime,
    news: tuple[News, ...],
) -> dict[str, Any]:
    """What the last step of a run settles for the next one. A run that stopped at its limit goes on at once."""
    steps_left = result.more and (bool(after.attendance.late) or not result.steps[-1].at_once)
    due = now if steps_left else due_after(sheet, after, now)
    remind = None if steps_left else next_look(sheet, after, sheet.rules.pending(after.state))
    # Press has left with this run's reports, so nothing of it waits any more.
    when = f"turn {result.steps[-1].turn}.{result.steps[-1].at_once}"
    silent = {seat: waits_to_json(sheet, after, seat, when) for seat in before.says}
    told: dict[str, Any] = {"keyless": dict(before.keyless)} if before.keyless else {}
    if news:
        told["news"] = [news_to_json(one) for one in news]
    return {
        **body,
        **told,
        "queues": {**body["queues"], **silent},
        "deeds": deeds_to_json(result.done),
        "attendance": after.attendance.to_json(),
        "deadline_at": None if after.deadline is None else stamp(after.deadline),
        "due_at": None if due is None else stamp(due),
        "remind_at": None if remind is None else stamp(remind),
    }


def _revealed(sheet: Sheet) -> dict[str, Any]:
    seal = {} if sheet.seal is None else {"seal": sheet.seal.to_json()}
    return {"seed": sheet.seed.hex(), "nonces": dict(sheet.nonces), **seal}


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


def fixed(*rows: Row) -> tuple[Fixed, ...]:
    """The rows as they will be written."""
    return tuple(Fixed(row.kind, Canonical(canonical(row.body)), row.turn, row.seat) for row in rows)


def chained(chain: str, secret: bytes, end: End, rows: Collection[Fixed], now: datetime) -> End:
    """Where the chain will stand after these rows: the reports name that head before it is written."""
    seq, head = end.seq, end.hash
    at = now if end.at is None else max(now, end.at)
    for row in rows:
        seq += 1
        content = Content(chain, seq, row.kind, at, row.turn, row.seat, split(chain, row.kind, row.body, secret, seq))
        head = link(head, leaf_of(salt_of(secret, seq), text_of(content)))
    return End(seq, head, at)


# --- matches ----------------------------------------------------------------------------------------------------------


def _then(sheet: Sheet, of: Match, outcome: Outcome, now: datetime, after: Standing) -> Then:
    """What follows the end of a game of a match: the next game, or the verdict. Who is away is so in the next one."""
    verdict = match.verdict(sheet, outcome)
    if not verdict.over:
        away = {of.players[seat]: absence for seat, absence in after.away.items() if absence.last > now}
        return next_game(match.next_sheet(sheet, outcome), now, after.attendance.begun_anew(), away)
    results = [result.to_json() for result in match.results(sheet, outcome)]
    rows = fixed(Row(MATCH_OVER, {"results": results, "verdict": verdict.to_json(), "seed": of.seed.hex()}))
    return Then(of.name, rows, chained(of.name, of.secret, of.end, rows, now))


def next_game(sheet: Sheet, now: datetime, attendance: Attendance, away: Mapping[str, Away] = NOBODY_IS_AWAY) -> Then:
    """Begin the game that a match has come to. Its first row names the row of the match that begins it; `away` are
    players, by their commitments."""
    of = sheet.match
    assert of is not None, "a game of a match"
    body = {
        "number": of.number,
        "game": sheet.name,
        "seats": {side: list(seats) for side, seats in match.seating(of, sheet.rules, of.number).items()},
        "options": dict(sheet.options),
        "results": [result.to_json() for result in of.results],
    }
    rows = fixed(Row(MATCH_GAME, body))
    end = chained(of.name, of.secret, of.end, rows, now)
    sheet = replace(sheet, match=replace(of, end=end), eras=eras_of(attendance.to_json()))
    absent = {seat: away[player] for seat, player in of.players.items() if player in away}
    return Then(of.name, rows, end, (sheet, opening(sheet, creation(sheet, of.players), now, attendance, absent)))
