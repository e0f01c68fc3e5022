"""The night on one page: collect, resolve what is due, deliver. Killed anywhere and begun again, it comes to the same.

What one run began the next one finishes under the same date.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pbem import clock, delivering, messages
from pbem.arriving import fetching
from pbem.bots import asking
from pbem.brakes import braking, heartbeat, holding
from pbem.brakes.heartbeat import Beat
from pbem.clock import stamp
from pbem.config import Config
from pbem.correspondence import addresses, joining
from pbem.deadlines import reminding
from pbem.faults import fault
from pbem.ledger import Ledger, contacts, games, mailed, nights, openings, own_key, purging
from pbem.ledger.chain import HOST
from pbem.ledger.nights import NightRow
from pbem.locks import NIGHT, alone
from pbem.means import Crew, Means, Tell
from pbem.resolving import resolve_due
from pbem.seeding import settling
from pbem.summary import Summary, added

PURGED = 10  # batches of strangers' mail that one night empties
BOT_ROUNDS = 100  # how often one night asks the bots; a game between bots goes on in the next one


def night(
    config: Config,
    ledger: Ledger,
    now: datetime,
    *,
    jobs: int = 0,
    tell: Tell | None = None,
    by_clock: bool = False,
    crew: Crew | None = None,
) -> Summary:
    """One whole run. Raises Busy when another one is at work. `by_clock`: nobody named the time, the clock says it."""
    means = Means(jobs, tell, crew)
    with alone(config.place, NIGHT):
        mailed.guard(ledger)
        own_key.guard(ledger)
        ticks = clock.ticks() if by_clock else None
        at, beat, held = braking.look_at_time(config, ledger, now, ticks, by_clock)
        if held:
            return Summary(now, held=held, mails=_delivered(config, ledger, at, means))
        off_since = None if beat is None else beat.off_since(now)
        summary = _nights(config, ledger, now, means, off_since)
        heartbeat.keep(config, Beat(now, ticks) if beat is None else beat.then(now, ticks))
        return summary


def _nights(config: Config, ledger: Ledger, now: datetime, means: Means, off_since: datetime | None) -> Summary:
    """The run that was broken off, under its own date, and the one of now."""
    with ledger.read() as tx:
        begun = nights.unfinished(tx)
    earlier = Summary(now)
    if begun is not None:
        earlier = _run(config, ledger, begun, means, told=now)
        if begun.at >= now:
            return earlier
    routes = fetching.gather(config, ledger, now)
    braking.look_at_routes(config, ledger, now, routes)
    night = _begin(config, ledger, now, off_since)
    summary = Summary(now) if night is None else _run(config, ledger, night, means)
    summary.routes = routes
    if night is not None:
        summary.collected = added(fetching.kept(routes), summary.collected)
    return earlier.then(summary)


def _expired(config: Config, ledger: Ledger, now: datetime) -> None:
    """Close games that have found no players in their time, and settle changes of address that wait."""
    with ledger.read() as tx:
        late, moving = openings.past(tx, now), contacts.asked(tx)
    if late or moving:
        with ledger.write() as tx:
            joining.expire(tx, config, now)
            addresses.settle_waiting(tx, config, now)


def _run(
    config: Config,
    ledger: Ledger,
    night: NightRow,
    means: Means,
    told: datetime | None = None,
) -> Summary:
    """One run. One that was broken off goes on at `told`: what is fetched after that is left to the run after it, and
    from then on the players have their time to think."""
    now = night.at
    summary = Summary(now, told=told)
    summary.collected = messages.settle_waiting(config, ledger, now)
    _expired(config, ledger, now)
    summary.failed |= settling.settle_due(config, ledger, now, told)
    summary.moved, summary.held = braking.look_at_games(config, ledger, now, night.off_since, told or now)
    resolve_with_bots(config, ledger, summary, means)
    purge_strangers(config, ledger, now)
    summary.reminded = reminding.remind(config, ledger, now)
    summary.mails = _delivered(config, ledger, now, means)
    fault("before-night-done")
    with ledger.write() as tx:
        # Not the summary: what one run counted depends on where the run before it was killed; the rows between tell it.
        tx.append(HOST, "night_done", now, {"begun": night.seq})
    return summary


def _delivered(config: Config, ledger: Ledger, now: datetime, means: Means) -> dict[str, int]:
    return delivering.deliver(config, ledger, now, means.tell, None if means.crew is None else means.crew.carry)


def purge_strangers(config: Config, ledger: Ledger, now: datetime) -> int:
    """Empty mail that belongs to no game and whose time is up, so much of it as one night does; return how much."""
    before, purged = _strangers_until(config, now), 0
    for _ in range(PURGED):
        if before is None:
            break
        with ledger.write() as tx:
            done = purging.purge(tx, before, now)
        purged += done
        if done < purging.BATCH:
            break
    return purged


def _strangers_until(config: Config, now: datetime) -> datetime | None:
    """Return the instant before which strangers' mail is emptied; None where it is kept for ever."""
    return now - config.strangers_mail if config.strangers_mail else None


def _begin(config: Config, ledger: Ledger, now: datetime, off_since: datetime | None = None) -> NightRow | None:
    """Write down that a night begins, unless there is nothing to do: most runs of a day find nothing."""
    before = _strangers_until(config, now)
    with ledger.read() as tx:
        due = games.any_due(tx, now) or games.seeding_due(tx, now)
        idle = not (due or games.to_remind(tx, now) or nights.any_waiting(tx, now))
        idle = idle and (before is None or not purging.any_due(tx, before))
    if idle:
        return None
    with ledger.write() as tx:
        off = {} if off_since is None else {"off_since": stamp(off_since)}
        return NightRow(tx.append(HOST, "night_begun", now, {"now": stamp(now), **off}).seq, now, off_since)


def resolve_with_bots(config: Config, ledger: Ledger, summary: Summary, means: Means, only: str | None = None) -> None:
    """Ask the bots, resolve what is due, and again, while bots answer and games go on by it: within bounds."""
    with ledger.read() as tx:
        if holding.holds(tx):
            return
    asked: set[Any] = set()
    resolve = resolve_due if means.crew is None else means.crew.resolve
    for _ in range(BOT_ROUNDS):
        runs, summary.asked = summary.runs, 0
        answered = asking.answer(config, ledger, summary.now, asked, only)
        resolve(config, ledger, summary, means, None if only is None else (only,))
        if not answered and summary.runs == runs:
            return
