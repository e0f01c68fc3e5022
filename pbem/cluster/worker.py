"""A worker: so many processes that take games from the queue, so many that carry mails, one that looks after the house.

Each process is Procrastinate's worker with a hand of its own. The one that started them starts another in the place of
one that died, and the job it had in hand is given to another when its heart has not been heard for a while.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import closing
from threading import Thread
from typing import Any

from pbem import faultlog
from pbem.cluster import queue
from pbem.cluster.hand import Hand, HandDied
from pbem.cluster.plainly import say_plainly
from pbem.cluster.queue import CARRY, HOUSE, POST, RESOLVE, TURNS
from pbem.config import Config
from pbem.ledger import Ledger, own_key

BEAT = 1.0  # seconds between two beats of a worker's heart
SILENT = 5.0  # after so long without one, its jobs are given to others
AGAIN = 1.0  # seconds before a process is started in the place of one that died

Say = Callable[..., None]


def run(config: Config, processes: int, carriers: int, every: int, say: Say) -> None:
    """Work until SIGTERM or Ctrl-C; what is in hand is finished before."""
    queue.settings(config.place)
    with closing(Ledger.open(config.place)) as ledger:  # what is wrong with it is said here, once
        own_key.guard(ledger)
    queue.set_up(config.place)
    config.inbox.mkdir(exist_ok=True)  # each machine has a drop folder of its own, and a run that leads looks into it
    crew = Crew(config, [TURNS] * processes + [POST] * carriers + [HOUSE], every, say)
    at_work = f"Waiting for games and mails of {config.place}, {processes} and {carriers} at a time"
    say(f"{at_work}; a night is looked for every {every} seconds.")
    crew.work()


class Crew:
    """The processes of one worker. They end when the one that started them lets go of a pipe, or ends itself."""

    def __init__(self, config: Config, queues: list[str], every: int, say: Say) -> None:
        self.config, self.every, self.say = config, every, say
        self._wanted = list(enumerate(queues))
        self._there: dict[int, tuple[int, str]] = {}
        self._ending = False
        self._over, self._held = os.pipe()

    def work(self) -> None:
        for sign in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sign, self._end)
        for number, name in self._wanted:
            self._start(number, name)
        while self._there:
            pid, _ = os.wait()
            one = self._there.pop(pid, None)
            if one is not None and not self._ending:
                time.sleep(AGAIN)
                if not self._ending:  # the signal may have come while we slept
                    self._start(*one)

    def _start(self, number: int, name: str) -> None:
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that started us; it tells us
            self._let_go()
            _work(self.config, name, number, self.every, self.say, self._over)
        self._there[pid] = (number, name)

    def _end(self, *_: object) -> None:
        self._ending = True
        self._let_go()

    def _let_go(self) -> None:
        held, self._held = self._held, -1
        if held >= 0:
            os.close(held)


def _work(config: Config, name: str, number: int, every: int, say: Say, over: int) -> None:
    """One process's whole life."""
    code = 1
    try:
        say_plainly(config.folder, say)  # for the hand, too
        hand = Hand(config, over)  # before there are threads
        Thread(target=_end_with, args=(over,), daemon=True).start()
        app = _app(config, hand, every if name == HOUSE else 0, say)
        app.run_worker(
            queues=[name],
            name=f"{os.uname().nodename}-{number}",
            concurrency=3 if name == HOUSE else 1,
            delete_jobs="successful",
            fetch_job_polling_interval=1.0,
            update_heartbeat_interval=BEAT,
            stalled_worker_timeout=SILENT,
        )
        hand.close()
        code = 0
    except Exception as ours:
        faultlog.write_down(ours, config.folder)
    finally:
        os._exit(code)


def _end_with(over: int) -> None:
    """When the one that started us is gone, or says that it is over: what is in hand is finished, and no more begun."""
    os.read(over, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def cron_of(every: int) -> str:
    """So many seconds as Procrastinate's clock reads them: a part of a minute or of an hour, or an hour."""
    if every < 60:
        return f"* * * * * */{every}"  # seconds stand last
    return f"*/{every // 60} * * * *" if every < 3600 else "0 * * * *"


def _app(config: Config, hand: Hand, every: int, say: Say) -> Any:
    """The tasks. Only the process that looks after the house has those that come by the clock."""
    from procrastinate import App, PsycopgConnector, RetryStrategy
    from procrastinate.exceptions import UniqueViolation
    from procrastinate.jobs import Status

    app = App(connector=PsycopgConnector(**queue.settings(config.place)))

    def do(work: str, **named: Any) -> Any:
        try:
            return hand.do(work, **named)
        except HandDied:
            os._exit(1)  # a new process has a new hand; this job is found to be silent and given to another

    @app.task(name=RESOLVE, queue=TURNS, retry=RetryStrategy(max_attempts=3, wait=1))
    def resolve(games: list[str], now: str, told: str) -> None:
        do("resolve", games=games, now=now, told=told)

    @app.task(name=CARRY, queue=POST)
    def carry(now: str) -> None:
        do("carry", now=now)

    if every:

        @app.periodic(cron=cron_of(every))
        @app.task(name="lead", queue=HOUSE, lock="lead", queueing_lock="lead")
        def lead(timestamp: int) -> None:
            for trouble in do("lead"):
                say(f"pbem: {trouble}", err=True)

        @app.periodic(cron="* * * * * */3")
        @app.task(name="give_on", queue=HOUSE, queueing_lock="give_on", pass_context=False)
        async def give_on(timestamp: int) -> None:
            for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=SILENT):
                try:
                    await app.job_manager.retry_job(job)
                except UniqueViolation:  # the same waits to be done already
                    await app.job_manager.finish_job(job, Status.FAILED, delete_job=True)

    return app
