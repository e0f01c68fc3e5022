"""The tests of the host, their ledgers in PostgreSQL: `pytest -p tests.on_postgres tests/pbem/host tests/pbem/ledger`.

Every ledger that a test would make in a file is made in a schema called after that file. Tests of SQLite's own ways are
marked `sqlite` and left out.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

import pbem.config
import pbem.ledger.store
import pbem.locks
from pbem.ledger import Ledger
from pbem.ledger.home import Home, home_of
from pbem.ledger.place import Place, read_place
from tests import postgres

SERVER = "PBEM_TEST_SERVER"
opened: list[Ledger] = []
_running, _begin = ExitStack(), Ledger.__init__


def pytest_configure(config: pytest.Config) -> None:
    if postgres.binaries() is None:
        pytest.exit(f"Not run with ledgers in a server: {postgres.MISSING}", returncode=0)
    if SERVER not in os.environ:  # the first process of the run, before its workers
        os.environ[SERVER] = _running.enter_context(postgres.server()).url
        config.add_cleanup(_running.close)
    # A test may leave its ledgers open: a file minds that less than a server.
    config.addinivalue_line("filterwarnings", "ignore:.*was deleted while still open:ResourceWarning")
    pbem.config.read_place = moved
    pbem.ledger.store.home_of = home
    pbem.locks.home_of = home
    Ledger.__init__ = _noted  # type: ignore[method-assign]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Let go of what the test left open: a server has only so many lines."""
    while opened:
        opened.pop()._engine.dispose()


def _noted(ledger: Ledger, *args: Any, **named: Any) -> None:
    _begin(ledger, *args, **named)
    opened.append(ledger)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left = [item for item in items if item.get_closest_marker("sqlite")]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if not item.get_closest_marker("sqlite")]


def home(place: Place | Path | str) -> Home:
    return home_of(place if isinstance(place, Place) and place.url else in_server(place))


def moved(folder: Path, text: str, file: str = "ledger.db") -> Place:
    return in_server(read_place(folder, text, file))


def in_server(place: Place | Path | str) -> Place:
    """The schema called after that file."""
    file = place.file if isinstance(place, Place) else Path(place)
    return Place(file, os.environ[SERVER], f"t{crc32(str(file.absolute()).encode()):x}")
