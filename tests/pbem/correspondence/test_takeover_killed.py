"""A change of address takes effect in a night that is killed at any line: run again, it took effect once."""

from __future__ import annotations

import os
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from pbem import delivering, nightly
from pbem.correspondence import addresses
from pbem.ledger import players
from tests.faults import a_host
from tests.faults.line_killer import campaign, memory_folder

ROOT = Path(__file__).parents[3]
WATCH = (ROOT / "pbem" / "correspondence", ROOT / "pbem" / "nightly.py", ROOT / "pbem" / "ledger")
LONG = "PBEM_LONG" in os.environ
AT = a_host.NIGHT + timedelta(hours=2)
DUE = AT + timedelta(days=3)

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.timeout(0 if LONG else 300)]


@pytest.fixture
def prepared():
    """The first night has passed; a change was asked for, the old address was told, and the new one has confirmed."""
    with memory_folder() as room:
        folder = room / "prepared"
        a_host.build(folder)
        a_host.night(folder)
        with a_host.opened(folder) as (config, ledger):
            with ledger.write() as tx:
                player = players.by_name(tx, "player 1")
                code = addresses.ask(tx, config, player, "new@players.example", AT, by_mail=True)
            delivering.deliver(config, ledger, AT)
            with ledger.write() as tx:
                addresses.confirm(tx, config, code, AT)
            delivering.deliver(config, ledger, AT)
        yield folder


def due(folder: Path) -> None:
    with a_host.opened(folder) as (config, ledger):
        nightly.night(config, ledger, DUE, jobs=1)


def test_g39_it_takes_effect_once(prepared: Path) -> None:
    whole = prepared.parent / "whole"
    shutil.copytree(prepared, whole)
    due(whole)
    wanted = a_host.remains(whole)
    with a_host.opened(whole) as (_, ledger), ledger.read() as tx:
        assert players.by_name(tx, "player 1").address == "new@players.example"

    def check(folder: Path) -> None:
        assert a_host.remains(folder) == wanted

    done = campaign(prepared, run=due, again=due, check=check, watch=WATCH, most=2000 if LONG else 40)
    assert done.points >= 20
    assert done.killed >= 2
