"""A server for a module's tests, and for each of them a schema of its own in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tests import postgres

_numbers = count()


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Server]:
    with postgres.server() as running:
        yield running


@pytest.fixture
def url(server: postgres.Server) -> str:
    """Where `pbem migrate-to` is told to go."""
    return f"{server.url}&schema=s{next(_numbers)}"
