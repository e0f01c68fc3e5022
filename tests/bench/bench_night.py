"""A night of many due games, its parts, and the limit: `python -m tests.bench.bench_night [GAMES [GAME OPTIONS]]`.

All games are played on to the first decision that every seat is asked (Yuan's cities are founded by one seat after the
other). Then the orders of all seats come as files, are read and judged, resolved, told, and written to the outbox; and
they are delivered. The limit is made of the same parts of such a turn done bare in the same run: libyaml's events of
the order files, the rules' `resolve`, the new state as canonical JSON, the reports as text, HTML and data, their mails'
bytes, those packed, and put into SQLite in batches. All figures are processor time, that of the children included, so
that they hold beside other work; only ratios travel to other machines.
"""

from __future__ import annotations

import resource
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import yaml

from engine import Dice, load
from engine.canon import canonical
from pbem import bench, delivering, keys, resolving
from pbem.arriving import fetching
from pbem.config import Config
from pbem.ledger import Ledger, chains, games
from pbem.ledger.packing import pack
from pbem.means import Means
from pbem.pictures import painting
from pbem.reports import html, json, letter, text
from pbem.reports.form import scalar
from pbem.reports.telling import tell
from pbem.reports.words import Memo
from pbem.summary import Summary
from tests.pbem.reports.played import play, reports

FOUR = ["players=4", "tile_setup=dealt", "powers=true"]
FIRST = bench.BEGINS + timedelta(days=1, hours=12)
OPENING = 20  # so many nights may go by until every seat is asked
BATCH, SAMPLE = 500, 40


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


def night(
    config: Config, ledger: Ledger, game: str, count: int, now: datetime
) -> tuple[dict[str, Spent], list[bytes], int]:
    """What the parts of a whole night took, its order files, and which decision it was."""
    texts = []
    for name, raw in files(ledger, game, count):
        (config.inbox / f"{name}.yml").write_bytes(raw)
        texts.append(raw)
    with measured() as read:
        fetching.collect(config, ledger, now)
    summary = Summary(now)
    with measured() as resolved:
        resolving.resolve_due(config, ledger, summary, Means())
    assert summary.turns >= count, summary
    with measured() as left:
        delivering.deliver(config, ledger, now)
    with ledger.read() as tx:
        row = games.get(tx, "g0")
    assert row is not None
    spent = {"orders read, judged, answered": read[0], "turns": resolved[0], "delivery": left[0]}
    return spent, texts, row.turn - 1


def once(work: Callable[[], object], rounds: int = SAMPLE) -> float:
    """Seconds of the processor for doing it once, the first time not counted."""
    work()
    begun = time.process_time()
    for _ in range(rounds):
        work()
    return (time.process_time() - begun) / rounds


def bare(game: str, options: dict[str, str], texts: list[bytes], turn: int) -> dict[str, float]:
    """Seconds of the processor that each part of that turn takes by itself."""
    rules = load(game)
    played = play(game, turn, **rules.Options(**options).to_json())
    told, last = reports(played, last=1), played.turns[-1]

    def each(render: Callable[[Any, Memo], object]) -> Callable[[], None]:
        def work() -> None:
            memo = Memo()
            for one in told:
                render(one, memo)

        return work

    def all_three(one: Any, memo: Memo) -> None:
        text.render(one, memo)
        html.mailed(one, memo)
        json.render(one, memo)

    def events() -> None:
        for raw in texts[: len(told)]:
            list(yaml.parse(raw.decode(), Loader=yaml.CSafeLoader))

    after = rules.resolve(last.before, last.moves, Dice(b"bench", game)).state
    ready = pages(told)
    mails = [mail(page) for page in ready]
    return {
        "order files as libyaml's events": once(events),
        "resolve": once(lambda: rules.resolve(last.before, last.moves, Dice(b"bench", game))),
        "the state as canonical JSON": once(lambda: canonical(rules.dump(after))),
        "text, HTML with the map, data": once(each(all_three)),
        "mail bytes": once(lambda: [mail(page) for page in ready]),
        "mails packed": once(lambda: [pack(raw) for raw in mails]),
        "SQLite, in batches": inserted([pack(raw) for raw in mails]),
    }


class Page(NamedTuple):
    """All that a letter carries."""

    text: str
    html: str
    shown: letter.Shown
    files: tuple[letter.File, ...]


def pages(told: list[Any]) -> list[Page]:
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


def inserted(mails: list[bytes]) -> float:
    """The mails of one turn put into a table, many turns in one transaction."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as line:
        line.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, raw BLOB)")

        def batch() -> None:
            line.execute("BEGIN")
            line.executemany("INSERT INTO mail (raw) VALUES (?)", [(raw,) for raw in mails * (BATCH // len(mails))])
            line.execute("COMMIT")

        return once(batch, 4) / (BATCH // len(mails))


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
            spent, texts, turn = night(config, ledger, game, count, now)
        finally:
            painting.warm = before  # type: ignore[assignment]
    limit = bare(game, options, texts, turn)
    bound = sum(limit.values())
    print(f"{count} games of {game}, {len(texts) // count} order files each: milliseconds of the processor a turn")
    whole = 0.0
    for part, one in spent.items():
        print(f"  {1000 * one.busy / count:8.2f}  {part}, {1000 * one.children / count:.2f} of it in children")
        whole += one.busy
    print("the limit, bare:")
    for part, took in limit.items():
        print(f"  {1000 * took:8.2f}  {part}")
    turns = spent["turns"].busy
    print(f"turns to the outbox: {count / turns:.1f} a second and core; with orders and delivery {count / whole:.1f}")
    print(f"the limit: {1 / bound:.1f} a second; turns to the outbox take {turns / count / bound:.2f} times as long")
    print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB here, "
          f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB in a child")  # fmt: skip


def _unpainted() -> None:
    """Maps are painted when mails leave, and measured by bench_maps."""
    raise painting.NotPainted("not measured here")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *sys.argv[2:])
