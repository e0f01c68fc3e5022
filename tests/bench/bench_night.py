"""A night of many due games, its parts, and the limit: `python -m tests.bench.bench_night [GAMES [GAME OPTIONS]]`.

All games are played on to the first decision that every seat is asked (Yuan's cities are founded by one seat after the
other). Then the orders of all seats come as files, are read and judged, resolved, told, and written to the outbox; and
they are delivered. The limit is made of the same parts done bare, of the very turns that some games of that night
played, each once: libyaml's events of the order files, the rules' `resolve`, the new state as canonical JSON, the
reports as text, HTML and data, their mails' bytes, those packed, and put into SQLite in batches, which is a table in a
file beside the ledger, under the ledger's settings.

A machine that others use grows slower and faster, and two cores at work are slower than one. So games are resolved in
rounds, each followed by the bare parts of some of its turns, done by as many processes at once as play games; a ratio
is taken within a round, and the median counts. All figures are processor time, that of the children included, so that
they hold beside other work; only ratios travel to other machines.
"""

from __future__ import annotations

import resource
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

import yaml

from engine import load
from engine.canon import canonical
from engine.queue import GIVEN
from pbem import bench, delivering, keys, resolving
from pbem.arriving import fetching
from pbem.bounded import Pool
from pbem.config import Config
from pbem.game import outgoing, turning
from pbem.game.hosting import sheet_of, standing_of
from pbem.game.sheet import Sheet
from pbem.ledger import Ledger, chains, games
from pbem.ledger.connect import settle
from pbem.ledger.packing import pack
from pbem.means import Means
from pbem.pictures import painting
from pbem.reports import html, json, letter, text
from pbem.reports.form import scalar
from pbem.reports.report import Report
from pbem.reports.telling import tell
from pbem.reports.words import Memo
from pbem.resolving import AT_A_TIME
from pbem.summary import Summary

FOUR = ["players=4", "tile_setup=dealt", "powers=true"]
FIRST = bench.BEGINS + timedelta(days=1, hours=12)
OPENING = 20  # so many nights may go by until every seat is asked
BATCHES = 10  # of as many turns as the night writes in one transaction
EARLY = timedelta(hours=3)  # so long before the night the orders come: in time
ROUNDS = 11
WARM, SAMPLE = 10, 30  # games of a round whose turns are done bare: first some that do not count


class Spent(NamedTuple):
    """Seconds of the processor, here and in children."""

    here: float
    children: float

    @property
    def busy(self) -> float:
        return self.here + self.children


@contextmanager
def measured(pool: Pool | None = None) -> Iterator[list[Spent]]:
    """What was spent inside, by this process and by children, those of the pool that are still at work included."""
    found: list[Spent] = []
    before = _used(pool)
    yield found
    after = _used(pool)
    found.append(Spent(after[0] - before[0], after[1] - before[1]))


def _used(pool: Pool | None) -> tuple[float, float]:
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    at_work = sum(_run_by(worker.pid) for worker in pool._workers if worker.pid) if pool else 0.0
    return own.ru_utime + own.ru_stime, others.ru_utime + others.ru_stime + at_work


def _run_by(pid: int) -> float:
    """Seconds that a living process has run; the system counts them in nanoseconds here."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def opened(config: Config, ledger: Ledger, game: str, options: dict[str, str]) -> datetime:
    """Nights in which nobody orders anything, until every seat is asked; gives the first after them."""
    rules = load(game)
    seats = rules.seats(rules.Options(**options))
    for day in range(OPENING):
        now = FIRST + timedelta(days=day)
        with ledger.read() as tx:
            row = games.get(tx, "g0")
        assert row is not None
        if set(row.pending) == set(seats):
            return now
        resolving.resolve_due(config, ledger, Summary(now), Means())
        delivering.deliver(config, ledger, now)
    raise AssertionError("no decision of this game asks every seat")


def files(ledger: Ledger, game: str, count: int) -> Iterator[tuple[str, bytes]]:
    """An order file of every seat that is asked, in every game."""
    rules, chance = load(game), Random(7)
    for number in range(count):
        with ledger.read() as tx:
            row, secret = games.get(tx, f"g{number}"), chains.secret_of(tx, f"g{number}").secret
        assert row is not None
        state = rules.restore(row.state)
        for seat in row.pending:
            move = chance.choice(list(islice(rules.moves(state, seat), 200)))
            key = keys.key(secret, seat, row.turn)
            head = f"game: {row.name}\nseat: '{seat}'\nturn: {row.turn}\nkey: {key}\n"
            yield f"{row.name}-{seat}", f"{head}orders:\n  - {scalar(str(move))}\nend: orders\n".encode()


class Turn(NamedTuple):
    """One game's turn as the night plays it, with its order files."""

    sheet: Sheet
    before: Any
    moves: dict[str, Any]
    after: Any
    told: list[Report]
    texts: list[bytes]


def turn_of(config: Config, ledger: Ledger, name: str, now: datetime, texts: list[bytes]) -> Turn:
    """What the night will play in that game: played beside it, and nothing of it written."""
    with ledger.read() as tx:
        row = games.get(tx, name)
        assert row is not None
        sheet, standing = sheet_of(tx, config, row), standing_of(tx, row)
    found: list[Turn] = []

    def reports(_: Sheet, before: Any, result: Any, after: Any, outcome: Any, *__: Any) -> tuple[()]:
        told = [outgoing.report_of(sheet, before.state, result.steps, after, outcome, seat) for seat in sheet.sitters]
        step = result.steps[0]
        moves = {seat: made.move for seat, made in step.moves.items()}
        assert {made.how for made in step.moves.values()} == {GIVEN}
        found.append(Turn(sheet, before.state, moves, step.state, told, texts))
        return ()

    real, turning.reports = turning.reports, reports  # type: ignore[assignment]
    try:
        turning.play(sheet, standing, now)
    finally:
        turning.reports = real
    return found[0]


class Round(NamedTuple):
    """Some games of the night: how many, what resolving them took, and what their turns take bare."""

    games: int
    spent: Spent
    bare: dict[str, float]

    @property
    def times_the_limit(self) -> float:
        return self.spent.busy / self.games / sum(self.bare.values())


def night(config: Config, ledger: Ledger, game: str, count: int, now: datetime) -> tuple[Spent, list[Round], Spent]:
    """What the orders, the turns round by round, and the delivery of a whole night took."""
    texts: dict[str, list[bytes]] = {}
    for name, raw in files(ledger, game, count):
        (config.inbox / f"{name}.yml").write_bytes(raw)
        texts.setdefault(name.rpartition("-")[0], []).append(raw)
    with measured() as read:
        collected = fetching.collect(config, ledger, now - EARLY)
    assert collected.counts == {"accepted": sum(map(len, texts.values()))}, collected.counts
    names = list(texts)
    with resolving.players_of(config) as pool:
        rounds = [
            resolved(config, ledger, pool, {name: texts[name] for name in names[number::ROUNDS]}, now)
            for number in range(ROUNDS)
        ]
    with measured() as left:
        delivering.deliver(config, ledger, now)
    return read[0], rounds, left[0]


def resolved(config: Config, ledger: Ledger, pool: Pool, texts: dict[str, list[bytes]], now: datetime) -> Round:
    """These games resolved, and then the bare parts of some of them."""
    turns = [turn_of(config, ledger, name, now, raws) for name, raws in islice(texts.items(), WARM + SAMPLE)]
    summary = Summary(now)
    with measured(pool) as spent:
        resolving.resolve_due(config, ledger, summary, Means(pool=pool), among=texts.keys())
    assert summary.turns >= len(texts), summary
    return Round(len(texts), spent[0], at_once(turns, config.folder, len(pool._workers)))


def at_once(turns: Sequence[Turn], room: Path, processes: int) -> dict[str, float]:
    """The bare parts, done by so many processes at the same time: what each takes on the average."""
    with ProcessPoolExecutor(processes, get_context("fork"), initializer=_hold, initargs=(turns,)) as pool:
        gate = f"{time.monotonic() + 0.3}"  # they begin together
        found = list(pool.map(_bare, [(gate, f"{room / f'bare-{number}.db'}") for number in range(processes)]))
    return {part: sum(one[part] for one in found) / processes for part in found[0]}


_held: list[Turn] = []


def _hold(turns: Sequence[Turn]) -> None:
    """A process that was forked has them already."""
    _held[:] = turns


def _bare(task: tuple[str, str]) -> dict[str, float]:
    time.sleep(max(0.0, float(task[0]) - time.monotonic()))
    return bare(_held, Path(task[1]))


class Page(NamedTuple):
    """All that a letter carries."""

    text: str
    html: str
    shown: letter.Shown
    files: tuple[letter.File, ...]


def bare(turns: Sequence[Turn], path: Path) -> dict[str, float]:
    """Seconds of the processor that each part of such a turn takes: turn by turn, as any program must that keeps no
    more than a few of them at hand, and nothing in between. The first turns do not count."""
    spent = Counter[str]()
    stored: list[list[bytes]] = []
    for number, turn in enumerate(turns):
        watch = Watch(spent if number >= WARM else Counter())
        for raw in turn.texts:
            list(yaml.parse(raw.decode(), Loader=yaml.CSafeLoader))
        watch.was("order files as libyaml's events")
        turn.sheet.rules.resolve(turn.before, turn.moves, turn.sheet.dice("1"))
        watch.was("resolve")
        canonical(turn.sheet.rules.dump(turn.after))
        watch.was("the state as canonical JSON")
        pages = rendered(turn.told)
        watch.was("text, HTML with the map, data")
        mails = [mail(page) for page in pages]
        watch.was("mail bytes")
        stored.append([pack(raw) for raw in mails])
        watch.was("mails packed")
    count = len(turns) - WARM
    return {**{part: took / count for part, took in spent.items()}, "SQLite, in batches": inserted(stored, path)}


class Watch:
    """Adds up what the processor did since the last look."""

    def __init__(self, spent: Counter[str]) -> None:
        self._spent, self._since = spent, time.process_time()

    def was(self, part: str) -> None:
        self._spent[part] += time.process_time() - self._since
        self._since = time.process_time()


def rendered(told: list[Report]) -> list[Page]:
    """The forms of each report, with the map and the order form that go with them."""
    memo, found = Memo(), []
    for one in told:
        page, drawn = html.mailed(one, memo)
        assert drawn is not None
        form = letter.File("orders.yml", "text/yaml", tell(one, memo).form.encode())
        data = letter.File("report.json", "application/json", json.render(one, memo).encode())
        found.append(Page(text.render(one, memo), page, letter.Shown(drawn.cid, drawn.svg), (form, data)))
    return found


def mail(page: Page) -> bytes:
    """One mail with nothing in it but the report."""
    host = letter.Address("host", "host@host.example")
    envelope = letter.Envelope("<1@host.example>", FIRST, host, host, "a turn")
    return letter.write(envelope, page.text, page.html, page.files, page.shown)


def inserted(stored: Sequence[list[bytes]], path: Path) -> float:
    """The mails of a turn put into a table of a file that loses nothing, many turns in one transaction."""
    with closing(sqlite3.connect(path, isolation_level=None)) as line:
        settle(line, path)
        line.execute("DROP TABLE IF EXISTS mail")
        line.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, raw BLOB)")
        begun = time.process_time()
        for first in range(0, BATCHES * AT_A_TIME, AT_A_TIME):
            line.execute("BEGIN IMMEDIATE")
            turns = [stored[number % len(stored)] for number in range(first, first + AT_A_TIME)]
            line.executemany("INSERT INTO mail (raw) VALUES (?)", [(raw,) for mails in turns for raw in mails])
            line.execute("COMMIT")
        return (time.process_time() - begun) / (BATCHES * AT_A_TIME)


def main(count: int = 600, game: str = "yuan", *choices: str) -> None:
    options = dict(choice.split("=", 1) for choice in choices or FOUR)
    with bench.host() as (config, ledger):
        config = replace(config, post=replace(config.post, page=False))
        painting.warm()
        bench.start_games(config, ledger, game, options, count)
        before = painting.warm
        painting.warm = _unpainted  # type: ignore[assignment]
        try:
            delivering.deliver(config, ledger, bench.BEGINS)
            now = opened(config, ledger, game, options)
            read, rounds, left = night(config, ledger, game, count, now)
        finally:
            painting.warm = before  # type: ignore[assignment]
    for line in told(count, game, read, rounds, left):
        print(line)


def told(count: int, game: str, read: Spent, rounds: list[Round], left: Spent) -> Iterator[str]:
    """What came out, line by line."""
    turns = Spent(sum(one.spent.here for one in rounds), sum(one.spent.children for one in rounds))
    limit = {part: median(one.bare[part] for one in rounds) for part in rounds[0].bare}
    ratios = sorted(one.times_the_limit for one in rounds)
    yield f"{count} games of {game}: milliseconds of the processor a turn"
    for part, one in (("orders read, judged, answered", read), ("turns", turns), ("delivery", left)):
        yield f"  {1000 * one.busy / count:8.2f}  {part}, {1000 * one.children / count:.2f} of it in children"
    yield "the limit, bare:"
    yield from (f"  {1000 * took:8.2f}  {part}" for part, took in limit.items())
    whole = read.busy + turns.busy + left.busy
    yield f"turns to the outbox: {count / turns.busy:.1f} a second and core; with the rest {count / whole:.1f}"
    yield (
        f"the limit: {1 / sum(limit.values()):.1f} a second; turns to the outbox take {median(ratios):.2f} times as "
        f"long, the median of {len(ratios)} rounds ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    )
    yield (
        f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB here, "
        f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB in a child"
    )


def _unpainted() -> None:
    """Maps are painted when mails leave, and measured by bench_maps."""
    raise painting.NotPainted("not measured here")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *sys.argv[2:])
