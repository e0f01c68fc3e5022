"""Judging at once: what is stored is judged and answered, and a game that waits for nobody goes on before the night."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import NoReturn

import pytest

from pbem import messages
from pbem.arriving import judging
from pbem.errors import Trouble
from pbem.ledger import letters, outbox
from pbem.locks import NIGHT, alone
from tests.pbem.host.conftest import DEADLINE, NOON, Host, host, make_host

__all__ = ["host", "make_host"]


def arrive(host: Host, *texts: str) -> None:
    with host.ledger.write() as tx:
        for text in texts:
            letters.arrive(tx, text.encode(), NOON, "drop", f"drop:{text}")


def waiting(host: Host) -> int:
    with host.ledger.read() as tx:
        return len(letters.waiting(tx))


def test_a_game_that_resolves_on_arrival_goes_on_when_everyone_has_answered(host: Host) -> None:
    host.start("nim", schedule="on-arrival 20:00", heaps="3,4,5")
    arrive(host, host.file("1", "b3"))
    judging.judge_at_once(host.config, host.ledger, NOON)
    assert waiting(host) == 0
    assert host.row().turn == 2
    assert [mail.kind for mail in host.mails("2")] == ["report", "report"]
    assert (host.config.folder / ".templates").is_dir()
    with host.ledger.read() as tx:
        assert outbox.due(tx, NOON) == [], "the answers have left"


def test_other_games_wait_for_the_night(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    arrive(host, host.file("1", "b3"))
    judging.judge_at_once(host.config, host.ledger, NOON)
    assert waiting(host) == 0
    assert host.row().turn == 1
    judging.judge_at_once(host.config, host.ledger, DEADLINE + timedelta(hours=1))
    assert host.row().turn == 1, "what a clock ends is the night's"


def test_a_night_at_work_does_it_itself(host: Host) -> None:
    host.start("nim", schedule="on-arrival 20:00", heaps="3,4,5")
    arrive(host, host.file("1", "b3"))
    with alone(host.config.place, NIGHT):
        judging.judge_at_once(host.config, host.ledger, NOON)
    assert (waiting(host), host.row().turn) == (0, 1)
    judging.judge_at_once(host.config, host.ledger, NOON)
    assert host.row().turn == 2


@pytest.mark.parametrize("written", [True, False])
def test_no_failure_comes_out_of_it(host: Host, monkeypatch: pytest.MonkeyPatch, written: bool) -> None:
    """A fault of ours is written down; trouble with the ledger is told of by whoever stores in it."""

    def fail(*_: object) -> NoReturn:
        raise RuntimeError("tripped") if written else Trouble("The ledger is busy.")

    monkeypatch.setattr(messages, "settle_waiting", fail)
    judging.judge_at_once(host.config, host.ledger, NOON)
    assert (host.config.folder / "pbem-fault.log").exists() == written


def test_a_folder_that_cannot_be_written_to_stops_nothing(host: Host, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    arrive(host, "nonsense")
    judging.judge_at_once(replace(host.config, folder=tmp_path / "file"), host.ledger, NOON)
    assert waiting(host) == 0


def test_a_game_whose_rules_are_gone_holds_up_no_other(host: Host) -> None:
    for name in ("lost", "game"):
        host.start("nim", name=name, schedule="on-arrival 20:00", heaps="3,4,5")
        arrive(host, host.file("1", "b3", name=name))
    with closing(sqlite3.connect(host.config.ledger)) as line, line:
        line.execute("UPDATE game SET rules = 'nowhere' WHERE name = 'lost'")
    judging.judge_at_once(host.config, host.ledger, NOON)
    assert host.row("game").turn == 2
    assert host.row("lost").turn == 1
