"""The night on one page: collect, resolve what is due, deliver. Killed anywhere and begun again, it comes to the same.

A game is taken out of the ledger as values, resolved in a bounded worker process, and written back whole in one
transaction that also holds its mails. What one run began the next one finishes under the same date.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from pbem import clock, delivering, faultlog, submitting
from pbem.apart import Apart
from pbem.arriving import fetching
from pbem.arriving.brought import Brought, mail_routes
from pbem.bots import asking
from pbem.bounded import EXCEPTION, Bounds, Pool, TaskDied
from pbem.brakes import braking, heartbeat, holding
from pbem.brakes.heartbeat import Beat
from pbem.clock import stamp
from pbem.config import Config
from pbem.correspondence import joining
from pbem.deadlines import reminding
from pbem.delivering import Helpers
from pbem.errors import CannotGoOn
from pbem.faults import fault
from pbem.game.hosting import sheet_of, standing_of, store
from pbem.game.sheet import Sheet, Standing
from pbem.game.turning import Played, play
from pbem.ledger import Ledger, games, mailed, nights, openings
from pbem.ledger.chain import HOST
from pbem.ledger.nights import NightRow
from pbem.ledger.transaction import Read, Write
from pbem.locks import NIGHT, alone
from pbem.people.substituting import fill, someone_has_gone
from pbem.rulings.noticing import announce

TRIES = 3  # a game that fails so often is halted, so that it cannot hold up the others night after night
BOT_ROUNDS = 100  # how often one night asks the bots; a game between bots goes on in the next one
ROUNDS = 20  # how often one night looks again for games that fell due meanwhile
AT_A_TIME = 64  # games marked as tried in one transaction, and results written in one

Tell = Callable[[str, int, int], None]  # what is being done, how many of how many


@dataclass(slots=True)
class Summary:
    """What a night came to."""

    now: datetime
    collected: dict[str, int] = field(default_factory=dict)
    resolved: int = 0
    turns: int = 0
    over: list[str] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)  # next games of matches
    asked: int = 0  # due, but still waiting for somebody
    failed: dict[str, str] = field(default_factory=dict)
    halted: list[str] = field(default_factory=list)
    mails: dict[str, int] = field(default_factory=dict)
    routes: tuple[Brought, ...] = ()  # what each way in had to say
    reminded: int = 0  # players
    moved: list[str] = field(default_factory=list)  # games whose deadline came while the host was not at work
    held: list[str] = field(default_factory=list)  # what is not resolved, and why
    told: datetime | None = None  # when its reports leave, where a run goes on that was broken off

    @property
    def well(self) -> bool:
        return not (self.failed or self.halted or self.held) and all(one.reachable for one in self.routes)

    @property
    def did_something(self) -> bool:
        counted = [*self.collected.values(), *self.mails.values(), self.resolved]
        return any(counted) or not self.well

    def then(self, later: Summary) -> Summary:
        """This run and a later one, told together under the later one's date."""
        return Summary(
            later.now,
            _sum(self.collected, later.collected),
            self.resolved + later.resolved,
            self.turns + later.turns,
            [*self.over, *later.over],
            [*self.begun, *later.begun],
            later.asked,
            self.failed | later.failed,
            [*self.halted, *later.halted],
            _sum(self.mails, later.mails),
            later.routes,
            reminded=self.reminded + later.reminded,
            moved=[*self.moved, *later.moved],
            held=later.held or self.held,
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "now": stamp(self.now),
            "collected": self.collected,
            "resolved": self.resolved,
            "turns": self.turns,
            "over": self.over,
            "begun": self.begun,
            "reminded": self.reminded,
            "asked": self.asked,
            "failed": self.failed,
            "halted": self.halted,
            "moved": self.moved,
            "held": self.held,
            "mails": self.mails,
            "routes": mail_routes(self.routes),
        }


@dataclass(frozen=True, slots=True)
class Task:
    """One game on its way to a worker. The state is still JSON: restoring it is the worker's part of the work."""

    sheet: Sheet
    standing: Standing
    attempt: int
    now: datetime
    told: datetime


class Resolver(Protocol):
    """How a night resolves its due games: by worker processes here (`resolve_due`), or by those of a cluster."""

    def __call__(
        self, config: Config, ledger: Ledger, summary: Summary, means: Means, only: str | None = None
    ) -> None: ...


class Crew(NamedTuple):
    """The workers of a cluster, to whoever leads a night."""

    resolve: Resolver
    carry: Helpers


class Means(NamedTuple):
    """With what a night does its work, and whom it tells how far it is."""

    jobs: int = 0
    tell: Tell | None = None
    crew: Crew | None = None


ALONE = Means(jobs=1)


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
    night = _begin(ledger, now, off_since)
    summary = Summary(now) if night is None else _run(config, ledger, night, means)
    summary.routes = routes
    if night is not None:
        summary.collected = _sum(fetching.kept(routes), summary.collected)
    return earlier.then(summary)


def _expired(config: Config, ledger: Ledger, now: datetime) -> None:
    """Games that have found no players in their time do not begin."""
    with ledger.read() as tx:
        late = openings.past(tx, now)
    if late:
        with ledger.write() as tx:
            joining.expire(tx, config, now)


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
    summary.collected = submitting.settle_waiting(config, ledger, now)
    _expired(config, ledger, now)
    summary.moved, summary.held = braking.look_at_games(config, ledger, now, night.off_since, told or now)
    resolve_with_bots(config, ledger, summary, means)
    summary.reminded = reminding.remind(config, ledger, now)
    summary.mails = _delivered(config, ledger, now, means)
    fault("before-night-done")
    with ledger.write() as tx:
        # Not the summary: what one run counted depends on where the run before it was killed; the rows between tell it.
        tx.append(HOST, "night_done", now, {"begun": night.seq})
    return summary


def _delivered(config: Config, ledger: Ledger, now: datetime, means: Means) -> dict[str, int]:
    return delivering.deliver(config, ledger, now, means.tell, None if means.crew is None else means.crew.carry)


def _begin(ledger: Ledger, now: datetime, off_since: datetime | None = None) -> NightRow | None:
    """Write down that a night begins, unless there is nothing to do: most runs of a day find nothing."""
    with ledger.read() as tx:
        idle = not (games.any_due(tx, now) or games.to_remind(tx, now) or nights.any_waiting(tx, now))
    if idle:
        return None
    with ledger.write() as tx:
        off = {} if off_since is None else {"off_since": stamp(off_since)}
        return NightRow(tx.append(HOST, "night_begun", now, {"now": stamp(now), **off}).seq, now, off_since)


def _sum(some: dict[str, int], more: dict[str, int]) -> dict[str, int]:
    return {name: some.get(name, 0) + more.get(name, 0) for name in {**some, **more}}


def _silent(what: str, done: int, of: int) -> None:
    """Tell nobody."""


def resolve_with_bots(config: Config, ledger: Ledger, summary: Summary, means: Means, only: str | None = None) -> None:
    """Ask the bots, resolve what is due, and again, while bots answer and games go on by it: within bounds."""
    with ledger.read() as tx:
        if holding.holds(tx):
            return
    asked: set[Any] = set()
    resolve = resolve_due if means.crew is None else means.crew.resolve
    for _ in range(BOT_ROUNDS):
        resolved, summary.asked = summary.resolved, 0
        answered = asking.answer(config, ledger, summary.now, asked, only)
        resolve(config, ledger, summary, means, only)
        if not answered and summary.resolved == resolved:
            return


# --- resolving --------------------------------------------------------------------------------------------------------


def due_games(tx: Read, now: datetime, only: str | None = None) -> list[str]:
    """The games that are due and that no brake holds."""
    held = holding.games_held(tx)
    return [name for name in games.due(tx, now, only) if name not in held]


def resolve_due(config: Config, ledger: Ledger, summary: Summary, means: Means, only: str | None = None) -> None:
    """Resolve what is due. A game that was written to meanwhile is looked at again; one that failed is not."""
    bounds = Bounds(float(config.seconds), float(config.seconds), config.megabytes << 20)
    tried: set[str] = set()
    jobs, tell = means.jobs or config.processes, means.tell or _silent
    with Pool(_work, jobs, bounds) as pool:
        for _ in range(ROUNDS):
            with ledger.read() as tx:
                due = due_games(tx, summary.now, only)
            tried |= summary.failed.keys()  # it was tried already in this night
            names = [name for name in due if name not in tried]
            if not names:
                return
            tasks: deque[Task] = deque()  # those on their way, in the order in which their answers come
            answers = pool.map(pickle.dumps(task) for task in _tasks(config, ledger, names, summary, tasks, tried))
            ready: list[tuple[Task, Played | None]] = []
            for number, answer in enumerate(answers):
                task = tasks.popleft()
                if isinstance(answer, TaskDied):
                    _fail(config, ledger, summary, task.sheet.name, task.attempt, _reason(answer))
                    tried.add(task.sheet.name)
                else:
                    ready.append((task, pickle.loads(answer)))
                if len(ready) >= AT_A_TIME:
                    _write(config, ledger, summary, ready, tried)
                    ready = []
                tell("resolving", number + 1, len(names))
            _write(config, ledger, summary, ready, tried)


def _tasks(
    config: Config, ledger: Ledger, names: list[str], summary: Summary, tasks: deque[Task], tried: set[str]
) -> Iterator[Task]:
    """The games, taken out of the ledger a few at a time, each attempt counted on disk before it is made."""
    for first in range(0, len(names), AT_A_TIME):
        batch = names[first : first + AT_A_TIME]
        with ledger.write() as tx:
            attempts = {name: games.attempt(tx, name) for name in batch}
            for name in [name for name in batch if attempts[name] > TRIES]:
                _halt(tx, config, summary, name, attempts.pop(name), _KILLER)
        fault("attempt-counted")
        lame: dict[str, str] = {}
        with ledger.read() as tx:
            for name in attempts:
                row = games.get(tx, name)
                assert row is not None
                try:
                    standing = standing_of(tx, row, restored=False)
                    sheet, told = sheet_of(tx, config, row), summary.told or summary.now
                    task = Task(sheet, standing, attempts[name], summary.now, told)
                except CannotGoOn as trouble:
                    lame[name] = str(trouble)  # its rules are not installed here any more
                    continue
                except (ValueError, TypeError, LookupError) as other:
                    # What was written down for it means nothing to the rules of today. Their words may hold secrets.
                    lame[name] = f"it cannot be read any more ({type(other).__name__})"
                    faultlog.write_down(other, config.folder)
                    continue
                tasks.append(task)
                yield task
        for name, reason in lame.items():
            _fail(config, ledger, summary, name, attempts[name], reason)
        tried.update(lame)


def _work(raw: bytes) -> bytes:
    """What a worker does: one game's run."""
    task: Task = pickle.loads(raw)
    rules = task.sheet.rules
    standing = replace(task.standing, state=rules.restore(task.standing.state))
    return pickle.dumps(play(task.sheet, standing, task.now, max(task.now, task.told)))


def _write(
    config: Config, ledger: Ledger, summary: Summary, ready: list[tuple[Task, Played | None]], tried: set[str]
) -> None:
    """Write results, several games in one transaction, each of them whole."""
    if not ready:
        return
    fault("before-turns")
    written: list[Played] = []
    gone: list[str] = []  # games in which a seat is not waited for any more
    with ledger.write() as tx:
        for task, played in ready:
            name = task.sheet.name
            if _has_moved(tx, task):
                games.forgive(tx, name)
                continue  # something came in meanwhile: the next round looks at it again
            if played is None:
                games.forgive(tx, name)
                tried.add(name)
                continue
            store(tx, task.sheet, played, summary.now)
            written.append(played)
            if someone_has_gone(played.rows):
                gone.append(name)
            if played.over:
                summary.over.append(name)
            if played.then is not None and played.then.game is not None:
                summary.begun.append(played.then.game[0].name)
        if gone:
            with Apart() as apart:  # a volunteer takes the seat over in the same transaction, or in none
                for name in gone:
                    fill(tx, config, name, summary.now, apart.ask)
    fault("after-turns")
    summary.asked += sum(played is None for _, played in ready)
    summary.resolved += len(written)
    summary.turns += sum(played.turns for played in written)


def _has_moved(tx: Write, task: Task) -> bool:
    """Whether something was written to the game, or to its match, since the task was taken out."""
    known = {task.sheet.name: task.standing.end}
    if task.sheet.match is not None:
        known[task.sheet.match.name] = task.sheet.match.end
    ends = {chain: tx.end(chain) for chain in known}
    return any((ends[chain].seq, ends[chain].hash) != (end.seq, end.hash) for chain, end in known.items())


def _fail(config: Config, ledger: Ledger, summary: Summary, name: str, attempt: int, reason: str) -> None:
    """One broken game stops only itself: it is tried again in the next nights, and then halted."""
    summary.failed[name] = reason
    with ledger.write() as tx:
        tx.append(name, "failed", summary.now, {"attempt": attempt, "reason": reason})
        if attempt >= TRIES:
            _halt(tx, config, summary, name, attempt, reason)


def _reason(died: TaskDied) -> str:
    """Why a run failed, without the words of an exception, which may quote what its seat alone may know."""
    return f"{died.kind}: {died.detail.partition(':')[0]}" if died.kind == EXCEPTION else str(died)


_KILLER = "every run that tried it was killed"


def _halt(tx: Write, config: Config, summary: Summary, name: str, attempts: int, reason: str) -> None:
    tx.append(name, "halted", summary.now, {"attempts": attempts, "reason": reason})
    announce(tx, config, name, "halted", summary.now)  # not why: the reason is the host's to look into
    summary.failed.setdefault(name, reason)
    summary.halted.append(name)
