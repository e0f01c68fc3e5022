"""Resolving: the games that are due, each taken out of the ledger as values, played in a bounded worker process, and
written back whole in one transaction that also holds its mails.

An attempt is counted on disk before it is made. Games whose run was killed with them in hand are tried one by one after
all others, those first that were seldom in hand, so that a machine that dies is held against no game but the one that
kills it.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime

from pbem import faultlog
from pbem.apart import Apart
from pbem.bounded import EXCEPTION, Bounds, Pool, TaskDied
from pbem.brakes import holding
from pbem.config import Config
from pbem.errors import CannotGoOn
from pbem.faults import fault
from pbem.game.hosting import recorded, sheet_of, store
from pbem.game.outgoing import prepare
from pbem.game.sheet import End, Recorded, Sheet
from pbem.game.turning import Played, play
from pbem.ledger import Ledger, games
from pbem.ledger.transaction import Read, Write
from pbem.means import Means, Tell
from pbem.people.substituting import fill
from pbem.rulings.noticing import announce
from pbem.summary import Summary

TRIES = 3  # a game that fails so often is halted, so that it cannot hold up the others night after night
ROUNDS = 20  # how often one night looks again for games that fell due meanwhile
AT_A_TIME = 64  # games marked as tried in one transaction, and results written in one
_KILLER = "every run that tried it was killed"


@dataclass(frozen=True, slots=True)
class Task:
    """One game on its way to a worker. Where it stands is still JSON: making values of it is the worker's part."""

    sheet: Sheet
    recorded: Recorded
    attempt: int
    now: datetime
    told: datetime


def due_games(tx: Read, now: datetime, among: Collection[str] | None = None) -> list[str]:
    """The games, or those among these, that are due and that no brake holds."""
    held = holding.games_held(tx)
    return [name for name in games.due(tx, now, among) if name not in held]


def resolve_due(
    config: Config, ledger: Ledger, summary: Summary, means: Means, among: Collection[str] | None = None
) -> None:
    """Resolve what is due. A game that was written to meanwhile is looked at again; one that failed is not."""
    with nullcontext(means.pool) if means.pool else players_of(config, means.jobs) as pool:
        run = _Run(config, ledger, summary, pool, means.tell or _silent)
        for _ in range(ROUNDS):
            if not run.round(among):
                return


def players_of(config: Config, jobs: int = 0) -> Pool:
    """The processes that play games, each within what pbem.toml allows it."""
    bounds = Bounds(float(config.seconds), float(config.seconds), config.megabytes << 20)
    return Pool(_work, jobs or config.processes, bounds)


def _silent(what: str, done: int, of: int) -> None:
    """Tell nobody."""


@dataclass(slots=True)
class _Run:
    """One run's resolving, and what it has tried in vain."""

    config: Config
    ledger: Ledger
    summary: Summary
    pool: Pool
    tell: Tell
    tried: set[str] = field(default_factory=set)

    def round(self, among: Collection[str] | None) -> bool:
        """Resolve what is due now; whether there was anything."""
        self.tried |= self.summary.failed.keys()
        with self.ledger.read() as tx:
            names = [name for name in due_games(tx, self.summary.now, among) if name not in self.tried]
            before = games.tried_before(tx, self.summary.now, among) if len(names) > 1 else []  # one needs no order
        wanted, seen = set(names), set(before)
        fresh = [name for name in names if name not in seen]
        for done, group in _one_after_another(fresh, [name for name in before if name in wanted]):
            self._resolve(group, done, len(names))
        return bool(names)

    def _resolve(self, names: Sequence[str], done: int, of: int) -> None:
        tasks: deque[Task] = deque()  # those on their way, in the order in which their answers come
        ready: list[tuple[Task, bytes]] = []
        for number, answer in enumerate(self.pool.map(pickle.dumps(task) for task in self._tasks(names, tasks))):
            task = tasks.popleft()
            if isinstance(answer, TaskDied):
                self._fail(task.sheet.name, task.attempt, _reason(answer))
                self.tried.add(task.sheet.name)
            else:
                ready.append((task, answer))
            if len(ready) >= AT_A_TIME:
                self._write(ready)
                ready = []
            self.tell("resolving", done + number + 1, of)
        self._write(ready)

    def _tasks(self, names: Sequence[str], tasks: deque[Task]) -> Iterator[Task]:
        """The games, taken out of the ledger a few at a time, each attempt counted on disk before it is made."""
        for first in range(0, len(names), AT_A_TIME):
            attempts = self._count(names[first : first + AT_A_TIME])
            fault("attempt-counted")
            lame: dict[str, str] = {}
            with self.ledger.read() as tx:
                for name, attempt in attempts.items():
                    task = self._taken_out(tx, name, attempt)
                    if isinstance(task, str):
                        lame[name] = task
                        continue
                    tasks.append(task)
                    yield task
            for name, reason in lame.items():
                self._fail(name, attempts[name], reason)
            self.tried.update(lame)

    def _count(self, names: Sequence[str]) -> dict[str, int]:
        """Which attempt this is at each; a game that was in hand too often when a run was killed is halted untried."""
        with self.ledger.write() as tx:
            attempts = games.attempt(tx, names)
            for name in [name for name in names if attempts[name] > TRIES]:
                self._halt(tx, name, attempts.pop(name), _KILLER)
        return attempts

    def _taken_out(self, tx: Read, name: str, attempt: int) -> Task | str:
        """The game as values, or why it cannot be read."""
        row = games.get(tx, name)
        assert row is not None
        try:
            where = recorded(tx, row)
            now, told = self.summary.now, self.summary.told or self.summary.now
            sheet = sheet_of(tx, self.config, row)
            prepare(sheet)
            return Task(sheet, where, attempt, now, told)
        except CannotGoOn as trouble:
            return str(trouble)  # its rules are not installed here any more
        except (ValueError, TypeError, LookupError) as other:
            # What was written down for it means nothing to the rules of today. Their words may hold secrets.
            faultlog.write_down(other, self.config.folder)
            return f"it cannot be read any more ({type(other).__name__})"

    def _write(self, answers: Sequence[tuple[Task, bytes]]) -> None:
        """Write results, several games in one transaction, each of them whole."""
        if not answers:
            return
        ready: list[tuple[Task, Played | None]] = [(task, pickle.loads(answer)) for task, answer in answers]
        fault("before-turns")
        written: dict[str, Played] = {}
        gone: list[str] = []  # games in which a seat is not waited for any more
        with self.ledger.write() as tx:
            tx.ends({chain for task, _ in ready for chain in _ends_of(task)})  # all at once, before anything is written
            for task, played in ready:
                if self._is_still(tx, task, played):
                    assert played is not None
                    store(tx, task.sheet, played, self.summary.now)
                    written[task.sheet.name] = played
                    if played.gone:
                        gone.append(task.sheet.name)
            if gone:
                with Apart() as apart:  # a volunteer takes the seat over in the same transaction, or in none
                    for name in gone:
                        fill(tx, self.config, name, self.summary.now, apart.ask)
        fault("after-turns")
        self.summary.asked += sum(played is None for _, played in ready)
        self._add_up(written)

    def _is_still(self, tx: Write, task: Task, played: Played | None) -> bool:
        """Whether what was played can be written: there is something, and nothing came in meanwhile. Such an attempt
        does not count; what came in is looked at in the next round."""
        moved = _has_moved(tx, task)
        if moved or played is None:
            games.forgive(tx, task.sheet.name)
        if not moved and played is None:
            self.tried.add(task.sheet.name)
        return not moved and played is not None

    def _add_up(self, written: Mapping[str, Played]) -> None:
        self.summary.went_on |= written.keys()
        self.summary.runs += len(written)
        for name, played in written.items():
            self.summary.turns += played.turns
            if played.over:
                self.summary.over.append(name)
            if played.then is not None and played.then.game is not None:
                self.summary.begun.append(played.then.game[0].name)

    def _fail(self, name: str, attempt: int, reason: str) -> None:
        """One broken game stops only itself: it is tried again in the next nights, and then halted."""
        self.summary.failed[name] = reason
        with self.ledger.write() as tx:
            tx.append(name, "failed", self.summary.now, {"attempt": attempt, "reason": reason})
            if attempt >= TRIES:
                self._halt(tx, name, attempt, reason)

    def _halt(self, tx: Write, name: str, attempts: int, reason: str) -> None:
        tx.append(name, "halted", self.summary.now, {"attempts": attempts, "reason": reason})
        announce(tx, self.config, name, "halted", self.summary.now)  # not why: the reason is the host's to look into
        self.summary.failed.setdefault(name, reason)
        self.summary.halted.append(name)


def _one_after_another(fresh: Sequence[str], suspects: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """What is resolved together, and how many came before it: first all that never failed, then the others alone."""
    if fresh:
        yield 0, fresh
    yield from ((len(fresh) + number, [name]) for number, name in enumerate(suspects))


def _work(raw: bytes) -> bytes:
    """What a worker does: one game's run."""
    task: Task = pickle.loads(raw)
    rules = task.sheet.rules
    standing = replace(task.recorded.standing(), state=rules.restore(task.recorded.state))
    return pickle.dumps(play(task.sheet, standing, task.now, max(task.now, task.told)))


def _has_moved(tx: Write, task: Task) -> bool:
    """Whether something was written to the game, or to its match, since the task was taken out."""
    ends = {chain: (tx.end(chain), known) for chain, known in _ends_of(task).items()}
    return any((end.seq, end.hash) != (known.seq, known.hash) for end, known in ends.values())


def _ends_of(task: Task) -> dict[str, End]:
    """Where the chains stood that a task was made of: the game's, and its match's."""
    of = task.sheet.match
    return {task.sheet.name: task.recorded.end, **({} if of is None else {of.name: of.end})}


def _reason(died: TaskDied) -> str:
    """Why a run failed, without the words of an exception, which may quote what its seat alone may know."""
    return f"{died.kind}: {died.detail.partition(':')[0]}" if died.kind == EXCEPTION else str(died)
