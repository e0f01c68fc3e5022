"""The queue of jobs: Procrastinate's tables, in a schema of their own beside the ledger's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.util import find_spec
from typing import Any

from pbem.errors import CANNOT, Trouble
from pbem.ledger.home import home_of
from pbem.ledger.place import Place

# The queues: games and mails, which the processes of any machine take; and what leads a host.
TURNS, POST, HOUSE = "turns", "post", "house"
RESOLVE, CARRY = "resolve", "carry"
LOCK = 0x7062656D  # "pbem"
NAMED = (
    "SELECT jsonb_array_elements_text(args->'games') AS game FROM procrastinate_jobs "
    f"WHERE queue_name = '{TURNS}' AND status IN ('todo', 'doing')"
)
AT_A_TIME = 1000  # jobs deferred in one statement
MOST = 16  # games of one job: what a game costs beside its turn is shared, and little is done again after a kill


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


def shared_out(games: Sequence[str], workers: int) -> Iterator[list[str]]:
    """The games of each job: half an equal share of what is left, so the last jobs are small and all end at once."""
    first = 0
    while first < len(games):
        size = max(1, min(MOST, (len(games) - first) // (2 * max(1, workers))))
        yield list(games[first : first + size])
        first += size


class Queue:
    """The queue, for a process that puts jobs into it and looks how they go."""

    def __init__(self, app: Any) -> None:
        self.app = app

    def send(self, games: Sequence[str], **named: Any) -> list[str]:
        """Put games into the queue, several in a job; gives those that were not in one already.

        One run leads, and alone sends: so a game is named by one job at a time, and a job is in one process's hands.
        """
        known = {row["game"] for row in self._rows(NAMED)}
        fresh = [game for game in games if game not in known]
        task = self.app.configure_task(RESOLVE, queue=TURNS)
        self._defer([task.make_new_job(games=some, **named) for some in shared_out(fresh, self._workers())])
        return fresh

    def call(self, most: int, **named: Any) -> None:
        """A call for so many carriers, each once. Who comes when all is carried finds nothing to do."""
        rows = self._rows("SELECT queueing_lock FROM procrastinate_jobs WHERE status = 'todo'")
        locks = {f"{CARRY} {number}" for number in range(most)} - {row["queueing_lock"] for row in rows}
        made = (self.app.configure_task(CARRY, queue=POST, lock=lock, queueing_lock=lock) for lock in sorted(locks))
        self._defer([task.make_new_job(**named) for task in made])

    def _defer(self, jobs: Sequence[Any]) -> None:
        for first in range(0, len(jobs), AT_A_TIME):
            self.app.job_manager.batch_defer_jobs(jobs=jobs[first : first + AT_A_TIME])

    def _workers(self) -> int:
        """How many processes are at work, whatever they do."""
        return int(self._rows("SELECT count(*) FROM procrastinate_workers")[0]["count"])

    def left(self) -> int:
        """How many games are in jobs that are still to be done."""
        return int(self._rows(f"SELECT count(*) FROM ({NAMED}) AS named")[0]["count"])

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

    try:
        with closing(psycopg.connect(place.url, autocommit=True)) as connection:
            connection.execute("SELECT pg_advisory_lock(%s)", (LOCK,))  # let go of with the connection
            found = connection.execute("SELECT to_regclass(%s)", (f"{schema(place)}.procrastinate_jobs",)).fetchone()
            if found != (None,):
                return
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema(place)}")
            app = App(connector=SyncPsycopgConnector(**made))
            with app.open():
                app.schema_manager.apply_schema()
    except psycopg.Error as error:
        raise home_of(place).trouble(error, reading=False) or error from error
