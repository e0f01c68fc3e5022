"""What a worker says when its server is away: a line that tells it, once, and no traceback."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from pbem.cluster import plainly
from pbem.cluster.plainly import AWAY, Lines

AT_5544 = 'connection to server at "127.0.0.1", port 5544 failed:'


@pytest.fixture
def said(tmp_path: Path) -> list[str]:
    return []


@pytest.fixture
def lines(said: list[str], tmp_path: Path) -> Lines:
    return Lines(tmp_path, lambda words, err: said.append(words))


def record(name: str, words: str, error: BaseException | None = None) -> logging.LogRecord:
    about: Any = None if error is None else (type(error), error, error.__traceback__)
    return logging.LogRecord(name, logging.ERROR, "file", 1, words, None, about)


def test_a_server_that_is_away_is_told_once_with_the_reason(lines: Lines, said: list[str]) -> None:
    refused = "Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?"
    for _ in range(50):
        lines.handle(record("psycopg.pool", f"error connecting in 'pool-1': connection failed: {AT_5544} {refused}"))
    lines.handle(record("procrastinate.worker", "listener error: ConnectorException('\\n    Database error.\\n    ')"))
    assert said == [f"pbem: {AWAY[:-1]} (Connection refused).", f"pbem: {AWAY}"]


def test_after_a_while_it_is_told_again(lines: Lines, said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plainly, "QUIET", 0.0)
    for _ in range(2):
        lines.handle(record("procrastinate.worker", "Database error."))
    assert said == [f"pbem: {AWAY}"] * 2


def test_a_task_that_failed_for_want_of_a_server_is_nothing_new(lines: Lines, said: list[str], tmp_path: Path) -> None:
    words = "Task exception was never retrieved"
    lines.handle(record("asyncio", words, OSError("\n    Database error.\n    ")))
    assert said == [f"pbem: {AWAY}"]
    lines.handle(record("asyncio", words, ValueError("ours")))
    assert said == [f"pbem: {AWAY}"]
    assert "ValueError" in (tmp_path / "pbem-fault.log").read_text(), "a fault of ours is written down"


def test_a_job_that_failed_is_one_line(lines: Lines, said: list[str]) -> None:
    lines.handle(record("procrastinate.worker", "Job lead[4] ended with status: Error", ValueError("two\nlines")))
    assert said == ["pbem: Job lead[4] ended with status: Error (two lines)"]
