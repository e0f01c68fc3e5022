"""A host with two players and a game, made once by the commands themselves and copied for every test."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.arriving import drop
from pbem.cli import run
from pbem.clock import read_instant
from tests.pbem.cli.desk import BEGINS, Desk

SEED = "5eed" * 16


@pytest.fixture(autouse=True)
def nobody_elses_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the developer's own machine holds does not reach a test, nor the other way."""
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(autouse=True)
def dropped_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the calendar says today: files are dropped at one, and the deadline is at eight."""
    monkeypatch.setattr(drop, "_dropped_at", lambda about: read_instant(BEGINS) + timedelta(hours=1))


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Anna and Bruno at a game of nim whose first reports have left."""
    folder = tmp_path_factory.mktemp("prepared") / "host"
    at = ("--config", str(folder))
    for args in (
        ("init", str(folder)),
        (*at, "player", "add", "Anna", "anna@example.org", "--now", BEGINS),
        (*at, "player", "add", "Bruno", "bruno@example.org", "--zone", "Europe/Rome", "--now", BEGINS),
        (*at, "new", "nim", "--name", "jade-river", "--seat", "1=Anna", "--seat", "2=Bruno")
        + ("--seed", SEED, "--option", "heaps=3,4,5", "--now", BEGINS),
        (*at, "deliver", "--now", BEGINS),
    ):
        assert run(list(args)) == 0, args
    return folder


@pytest.fixture
def bare(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk in an empty folder."""
    folder = tmp_path / "empty"
    folder.mkdir()
    return Desk(folder, capsys, monkeypatch)


@pytest.fixture
def desk(prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk in a host where a game is being played."""
    folder = tmp_path / "host"
    shutil.copytree(prepared, folder)
    return Desk(folder, capsys, monkeypatch)
