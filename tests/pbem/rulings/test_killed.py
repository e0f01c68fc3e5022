"""The last word of consent comes in, and the host is killed at any line: run again, the game went back once."""

from __future__ import annotations

import os
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from pbem import messages
from pbem.agreed.consenting import agreed
from pbem.arriving.message import arrived_by
from pbem.arriving.storing import store
from pbem.game.hosting import game_named
from pbem.ledger import games
from tests.faults import a_host
from tests.faults.line_killer import campaign, memory_folder

ROOT = Path(__file__).parents[3]
WATCH = (ROOT / "pbem", ROOT / "engine")
LONG = "PBEM_LONG" in os.environ
AT = a_host.NIGHT + timedelta(hours=2)

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.timeout(0 if LONG else 300)]


@pytest.fixture
def prepared():
    """A night has passed, seat 1 has asked to go back, and the mail of seat 2 lies there."""
    with memory_folder() as room:
        folder = room / "prepared"
        a_host.build(folder)
        a_host.night(folder)
        with a_host.opened(folder) as (config, ledger):
            with ledger.write() as tx:
                row = game_named(tx, "heaps")
                agreed(tx, config, row, "1", "take-back", 1, AT, {})
            key = a_host.keys.key(a_host.secret("chain heaps"), "2", row.turn).replace("-", "").lower()
            local, _, host = config.address.rpartition("@")
            to = f"{local}+{key}.{row.turn}.2.heaps@{host}"
            raw = f"To: {to}\r\nFrom: 2@players.example\r\nMessage-ID: <b@c>\r\nSubject: Re\r\n\r\ntake-back 1\r\n"
            store(ledger, [arrived_by(raw.encode(), AT)], "lmtp")
        yield folder


def judged(folder: Path) -> None:
    """What any run does with mails that lie there."""
    with a_host.opened(folder) as (config, ledger):
        messages.settle_waiting(config, ledger, AT)


def test_it_goes_back_whole_or_not_at_all(prepared: Path) -> None:
    whole = prepared.parent / "whole"
    shutil.copytree(prepared, whole)
    judged(whole)
    wanted = a_host.remains(whole)
    with a_host.opened(whole) as (_, ledger), ledger.read() as tx:
        assert games.get(tx, "heaps").turn == 1

    def check(folder: Path) -> None:
        assert a_host.remains(folder) == wanted

    done = campaign(prepared, run=judged, again=judged, check=check, watch=WATCH, most=2000 if LONG else 40)
    assert done.points >= 20
    assert done.killed >= 2
