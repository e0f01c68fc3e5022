"""The queue of jobs: Procrastinate's tables, in a schema of their own beside the ledger's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from importlib.util import find_spec
from typing import Any

from pbem.errors import CANNOT, Trouble
from pbem.ledger.place import Place

# The queues: games and mails, which the processes of any machine take; and what leads a host.
TURNS, POST, HOUSE = "turns", "post", "house"
RESOLVE, CARRY = "resolve", "carry"
LOCK = 0x7062656D  # "pbem"
AT_A_TIME = 1000  # jobs deferred in one statement


def settings(place: Place) -> dict[str, Any]:
    """What a connector is made with."""
    if not place.url:
        raise Trouble("Workers need a ledger in PostgreSQL; `pbem migrate-to` moves this host's.", CANNOT)
    if find_spec("procrastinate") is None:
        raise Trouble("Workers need Procrastinate; install it with `pip install pbem[cluster]`.", CANNOT)
    few = {"min_size": 1, "max_size": 4}  # lines to the server: there are many processes, and it has only so many
    return {"conninfo": place.url, "kwargs": {"options": f"-c search_path={schema(place)}"}, **few}


def schema(place: Place) -> str:
    return f"{place.schema}_jobs"


class Queue:
    """The queue, for a process that puts jobs into it and looks how they go."""

    def __init__(self, app: Any) -> None:
        self.app = app

    def send(self, games: Sequence[str], **named: Any) -> None:
        """A job for each game, one at a time for a game."""
        self._defer({game: (RESOLVE, TURNS, {"game": game, **named}) for game in games})

    def call(self, most: int, **named: Any) -> None:
        """A call for so many carriers. Who comes when all is carried finds nothing to do."""
        self._defer({f"{CARRY} {number}": (CARRY, POST, named) for number in range(most)})

    def _defer(self, wanted: Mapping[str, tuple[str, str, dict[str, Any]]]) -> None:
        """Put jobs into the queue, each under its lock. What was left by a leader that died is not sent again."""
        rows = self._rows("SELECT queueing_lock FROM procrastinate_jobs WHERE status = 'todo'")
        waiting = {row["queueing_lock"] for row in rows}
        jobs = [self._job(lock, *job) for lock, job in wanted.items() if lock not in waiting]
        for first in range(0, len(jobs), AT_A_TIME):
            self.app.job_manager.batch_defer_jobs(jobs=jobs[first : first + AT_A_TIME])

    def _job(self, lock: str, task: str, queue: str, named: dict[str, Any]) -> Any:
        return self.app.configure_task(task, queue=queue, lock=lock, queueing_lock=lock).make_new_job(**named)

    def left(self) -> int:
        """How many games are still to be done."""
        query = "SELECT count(*) FROM procrastinate_jobs WHERE queue_name = 'turns' AND status IN ('todo', 'doing')"
        return int(self._rows(query)[0]["count"])

    def _rows(self, query: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.app.connector.execute_query_all(query)
        return found


@contextmanager
def queue_at(place: Place) -> Iterator[Queue]:
    """The queue beside that ledger."""
    from procrastinate import App, SyncPsycopgConnector

    app = App(connector=SyncPsycopgConnector(**settings(place)))
    with app.open():
        yield Queue(app)


def set_up(place: Place) -> None:
    """Procrastinate's tables, once: machines that start together wait for the first."""
    made = settings(place)
    import psycopg
    from procrastinate import App, SyncPsycopgConnector

    with closing(psycopg.connect(place.url, autocommit=True)) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (LOCK,))  # let go of with the connection
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema(place)}")
        found = connection.execute("SELECT to_regclass(%s)", (f"{schema(place)}.procrastinate_jobs",)).fetchone()
        if found != (None,):
            return
        app = App(connector=SyncPsycopgConnector(**made))
        with app.open():
            app.schema_manager.apply_schema()
