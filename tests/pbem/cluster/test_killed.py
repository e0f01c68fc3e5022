"""Processes of a cluster are killed, one after the other, until the night is done: every game once, every mail once.

A share in every run. `PBEM_LONG=1 python -m pytest -n0 -s tests/pbem/cluster/test_killed.py -k every_second` has ten
thousand games and kills a process each second (`PBEM_LONG=300`: so many games); what it counted is in docs/cluster.md.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from threading import Event
from typing import NamedTuple

import psycopg
import pytest

from pbem.cluster import queue
from pbem.config import Config
from pbem.ledger import Ledger, journal
from tests import postgres
from tests.faults.figures import so_many, told
from tests.pbem.cluster.crew import SLOW, Workers, all_resolved, all_sent, crowded, mails_of, slowed, turns_of
from tests.pbem.cluster.test_carrying import posting
from tests.pbem.host.conftest import Host, make_host
from tests.pbem.post.rude import Rude, Taken

__all__ = ["make_host"]
pytest.importorskip("procrastinate", reason="procrastinate is missing: pip install pbem[cluster]")
LONG = "PBEM_LONG" in os.environ
GAMES = so_many(40, 10_000)
PAUSE = 1.0 if LONG else 0.25  # seconds between two kills; forty games are done in a few
FEW = 8  # kills, when there are few games
MACHINES = 60 if LONG else 4  # one kill in so many is of a whole machine, the first of them
pytestmark = [
    pytest.mark.timeout(0 if LONG else 300),
    pytest.mark.sqlite,
    pytest.mark.slow,
    pytest.mark.skipif(postgres.binaries() is None, reason=postgres.MISSING),
]
# Counts, in the server itself, each job that was taken from a process that is not heard any more.
COUNTING = """
CREATE TABLE interrupted (task text, games int);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO interrupted VALUES (OLD.task_name, coalesce(jsonb_array_length(OLD.args->'games'), 0));
  RETURN NULL; END $$;
CREATE TRIGGER note AFTER UPDATE ON procrastinate_jobs FOR EACH ROW
  WHEN (OLD.status = 'doing' AND NEW.status = 'todo') EXECUTE FUNCTION note();
"""
# A build in which nothing keeps two processes from one game: a job is given on while somebody is at it, and neither
# looks whether the game went on, nor does a mail's name tell that it was written before. Jobs are given on each third
# second, and taken by whoever is done with its own: as a rule no two of them
# are equally fast, so that one comes to a job while another is at it.
NOTHING_LOOKS = f"""
{slowed("os.getppid() % 7 / 3")}
from dataclasses import replace
from pbem import resolving
from pbem.cluster import worker
from pbem.game import hosting
def store(tx, sheet, played, now):
    for row in played.rows:
        tx.append(sheet.name, row.kind, now, row.body, row.turn, row.seat)
    for mail in played.mails:
        name = f"<{{os.getpid()}}.{{mail.message_id[1:]}}"
        hosting.outbox.post(tx, sheet.name, mail.seat, mail.kind, name, mail.kept, now, now, mail.turn)
worker.BEAT, worker.SILENT = 60.0, 1.0
resolving._has_moved, resolving.store = lambda *_: False, store
"""
# A build that notes a mail as sent, and then carries it.
NOTED_BEFORE = """
from pbem.ledger import outbox
fate = outbox.fate
def early(tx, mail, said, at, detail="", next_try_at=None):
    begun = said == outbox.BEGUN
    return fate(tx, mail, outbox.SENT if begun else said, at, detail, None if begun else next_try_at)
outbox.fate = early
"""


class Night(NamedTuple):
    """What a night that was done under kills came to."""

    games: int
    kills: int
    seconds: float
    interrupted: dict[str, int]  # jobs taken from the dead, by what they were
    in_hand: int  # games in those jobs
    failed: int  # games whose own process was killed under them
    turns: Counter[tuple[str, int]]
    mails: Counter[str]  # those that were written
    left: Counter[str]  # and how often each left
    texts: int  # how many different ones

    @property
    def whole(self) -> bool:
        """Every game once, each mail of it written once, and carried."""
        once = self.turns.values(), self.mails.values()
        turns, mails = (set(counts) == {1} for counts in once)
        return turns and mails and len(self.turns) == 2 * self.games and len(self.mails) == 4 * self.games

    def __str__(self) -> str:
        jobs = ", ".join(f"{count} x {task}" for task, count in sorted(self.interrupted.items()))
        due, twice = 2 * self.games, sum(self.left.values()) - len(self.left)
        doubled, missing = sum(self.turns.values()) - len(self.turns), 2 * self.games - len(self.turns)
        return (
            f"{self.games:,} games, {self.kills:,} kills in {self.seconds:.0f} s; jobs taken from the dead: {jobs}, "
            f"with {self.in_hand:,} games in them; {self.failed} games whose own process died; {doubled} turns "
            f"doubled, {missing} missing; of {due:,} mails {due - len(self.left)} lost, {twice} sent again"
        )


class Ids(list[Taken]):
    """What the mail server took, without the bytes: there are many."""

    def append(self, one: Taken) -> None:
        super().append(Taken(one.message_id, (), hash(one.raw).to_bytes(8, "big", signed=True)))


@pytest.fixture
def config(make_host: Callable[..., Host], url: str) -> Config:
    begun = time.monotonic()
    config = crowded(make_host(), url, GAMES)
    if LONG:
        told(f"{GAMES:,} games begun and moved in {time.monotonic() - begun:.0f} s")
    queue.set_up(config.place)
    with psycopg.connect(config.place.url, options=f"-c search_path={queue.schema(config.place)}") as server:
        server.execute(COUNTING)
    return config


@contextmanager
def at_work(config: Config, before: str = "", **more: object) -> Iterator[tuple[Workers, Rude]]:
    """Two machines, four games at a time, and the server that takes their mails."""
    with posting(config, taken=Ids(), **more) as (config, server):
        workers = Workers(config, before)
        try:
            workers.start(2)
            workers.start(2)
            yield workers, server
        finally:
            workers.stop()


def done(ledger: Ledger) -> bool:
    return all_resolved(ledger) and all_sent(ledger)


def until(what: Callable[[Ledger], bool], config: Config, step: Callable[[], None]) -> None:
    """That step again and again, as long as it takes."""
    with closing(Ledger.open(config.place)) as ledger:
        while not what(ledger):
            step()


def killed_all_along(config: Config, before: str = "", most: int = 100_000) -> Night:
    """The night, with a process killed each time, or all those of one machine, whatever they are and have in hand."""
    luck, kills, begun = random.Random(9), 0, time.monotonic()
    with at_work(config, before) as (workers, server):

        def kill() -> None:
            nonlocal kills
            time.sleep(PAUSE)
            if kills >= most or not in_hand(config):
                return
            if kills % MACHINES == 0:
                workers.kill_machine(luck.randrange(2))
            elif children := workers.children():
                workers.kill(luck.choice(children))
            kills += 1

        until(done, config, kill)
        seconds = time.monotonic() - begun
        workers.end()
    return found(config, kills, seconds, server)


def in_hand(config: Config) -> bool:
    """Whether anybody is at games or mails."""
    query = "SELECT 1 FROM procrastinate_jobs WHERE status = 'doing' AND task_name IN ('resolve', 'carry') LIMIT 1"
    with psycopg.connect(config.place.url, options=f"-c search_path={queue.schema(config.place)}") as line:
        return line.execute(query).fetchone() is not None


def found(config: Config, kills: int, seconds: float, server: Rude) -> Night:
    with psycopg.connect(config.place.url, options=f"-c search_path={queue.schema(config.place)}") as line:
        jobs = line.execute("SELECT task, count(*), sum(games) FROM interrupted GROUP BY task").fetchall()
    with closing(Ledger.open(config.place)) as ledger, ledger.read() as tx:
        failed = len(list(journal.rows(tx, kinds=("failed",))))
    return Night(
        GAMES,
        kills,
        seconds,
        {task: count for task, count, _ in jobs},
        sum(int(games) for _, _, games in jobs),
        failed,
        turns_of(config),
        mails_of(config),
        Counter(one.sender for one in server.taken),
        len({one.raw for one in server.taken}),
    )


def test_killed_every_second_every_game_once_and_every_mail(config: Config) -> None:
    night = killed_all_along(config) if LONG else killed_all_along(config, SLOW, FEW)
    told(night)
    assert night.whole
    assert sum(night.interrupted.values()), "some had a job in hand"
    # The first reports had left before; of a carrier that dies the mail in hand leaves again, in the same bytes.
    assert len(night.left) == 2 * GAMES
    assert night.left.keys() < night.mails.keys()
    assert night.texts == len(night.left)
    assert sum(night.left.values()) - len(night.left) <= night.kills


@pytest.mark.skipif(LONG, reason="a weakened build is found with few games")
def test_weakened_nothing_looks_and_turns_are_doubled(config: Config) -> None:
    """Seen red: jobs are given on while somebody is at them, as when a process is killed and its hand lives on."""
    with at_work(config, NOTHING_LOOKS) as (workers, _):
        until(all_resolved, config, lambda: time.sleep(PAUSE))
        time.sleep(2)  # for those that are still at what others have done
        workers.stop()
    assert max(turns_of(config).values()) > 1


@pytest.mark.skipif(LONG, reason="a weakened build is found with few games")
def test_weakened_noted_before_it_is_carried_a_mail_is_lost(config: Config) -> None:
    """Seen red: all processes are killed with a mail in hand, and none comes to it again."""
    ready, gone = Event(), Event()

    def hold() -> None:
        if not gone.is_set():
            ready.set()
            gone.wait(60)

    with at_work(config, NOTED_BEFORE, on_mail=hold) as (workers, server):
        assert ready.wait(120)
        for pid in workers.children():
            workers.kill(pid)
        gone.set()
        until(done, config, lambda: time.sleep(PAUSE))
        workers.end()
        night = found(config, 1, 0, server)
    assert set(night.turns.values()) == {1}
    assert len(night.left) < 2 * GAMES
