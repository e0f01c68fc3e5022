"""A night of many due games, its parts, and the limit: `python -m tests.bench.bench_night [GAMES [GAME OPTIONS]]`.

All games are played on to the first decision that every seat is asked (Yuan's cities are founded by one seat after the
other). Then the orders of all seats come as files, are read and judged, resolved, told, and written to the outbox; and
they are delivered. The limit is made of the same parts done bare in the same run, of the very turns that some games of
that night played, each once: libyaml's events of the order files, the rules' `resolve`, the new state as canonical
JSON, the reports as text, HTML and data, their mails' bytes, those packed, and put into SQLite in batches: a table in a
file beside the ledger, under the ledger's settings. All figures are processor time, that of the children included, so
that they hold beside other work; only ratios travel to other machines.
"""

from __future__ import annotations

import resource
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import yaml

from engine import load
from engine.canon import canonical
from engine.queue import GIVEN
from pbem import bench, delivering, keys, resolving
from pbem.arriving import fetching
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
WARM, SAMPLE = 20, 100  # games whose turns are done bare: first some that do not count


class Spent(NamedTuple):
    """Seconds of the processor, here and in children that have ended, and on the wall."""

    here: float
    children: float
    wall: float

    @property
    def busy(self) -> float:
        return self.here + self.children


@contextmanager
def measured() -> Iterator[list[Spent]]:
    found: list[Spent] = []
    before, begun = _used(), time.monotonic()
    yield found
    after = _used()
    found.append(Spent(after[0] - before[0], after[1] - before[1], time.monotonic() - begun))


def _used() -> tuple[float, float]:
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime, others.ru_utime + others.ru_stime


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


def night(config: Config, ledger: Ledger, game: str, count: int, now: datetime) -> tuple[dict[str, Spent], list[Turn]]:
    """What the parts of a whole night took, and some of its turns."""
    texts: dict[str, list[bytes]] = {}
    for name, raw in files(ledger, game, count):
        (config.inbox / f"{name}.yml").write_bytes(raw)
        texts.setdefault(name.rpartition("-")[0], []).append(raw)
    with measured() as read:
        collected = fetching.collect(config, ledger, now - EARLY)
    assert collected.counts == {"accepted": sum(map(len, texts.values()))}, collected.counts
    some = [turn_of(config, ledger, name, now, raws) for name, raws in islice(texts.items(), WARM + SAMPLE)]
    summary = Summary(now)
    with measured() as resolved:
        resolving.resolve_due(config, ledger, summary, Means())
    assert summary.turns >= count, summary
    with measured() as left:
        delivering.deliver(config, ledger, now)
    return {"orders read, judged, answered": read[0], "turns": resolved[0], "delivery": left[0]}, some


class Page(NamedTuple):
    """All that a letter carries."""

    text: str
    html: str
    shown: letter.Shown
    files: tuple[letter.File, ...]


def bare(turns: Sequence[Turn], room: Path) -> dict[str, float]:
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
    return {**{part: took / count for part, took in spent.items()}, "SQLite, in batches": inserted(stored, room)}


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


def inserted(stored: Sequence[list[bytes]], room: Path) -> float:
    """The mails of a turn put into a table of a file that loses nothing, many turns in one transaction."""
    path = room / "bare.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as line:
        settle(line, path)
        line.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, raw BLOB)")
        begun = time.process_time()
        for first in range(0, BATCHES * AT_A_TIME, AT_A_TIME):
            line.execute("BEGIN IMMEDIATE")
            turns = [stored[number % len(stored)] for number in range(first, first + AT_A_TIME)]
            line.executemany("INSERT INTO mail (raw) VALUES (?)", [(raw,) for mails in turns for raw in mails])
            line.execute("COMMIT")
        return (time.process_time() - begun) / (BATCHES * AT_A_TIME)


def main(count: int = 500, game: str = "yuan", *choices: str) -> None:
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
            spent, turns = night(config, ledger, game, count, now)
            limit = bare(turns, config.folder)
        finally:
            painting.warm = before  # type: ignore[assignment]
    bound = sum(limit.values())
    print(f"{count} games of {game}, {len(turns[0].texts)} order files each: milliseconds of the processor a turn")
    whole = 0.0
    for part, one in spent.items():
        print(f"  {1000 * one.busy / count:8.2f}  {part}, {1000 * one.children / count:.2f} of it in children")
        whole += one.busy
    print("the limit, bare:")
    for part, took in limit.items():
        print(f"  {1000 * took:8.2f}  {part}")
    busy = spent["turns"].busy
    print(f"turns to the outbox: {count / busy:.1f} a second and core; with orders and delivery {count / whole:.1f}")
    print(f"the limit: {1 / bound:.1f} a second; turns to the outbox take {busy / count / bound:.2f} times as long")
    print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB here, "
          f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB in a child")  # fmt: skip


def _unpainted() -> None:
    """Maps are painted when mails leave, and measured by bench_maps."""
    raise painting.NotPainted("not measured here")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *sys.argv[2:])
