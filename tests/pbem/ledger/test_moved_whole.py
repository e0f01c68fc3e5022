"""A host in the midst of everything moves into a server, and back: what comes next is the same, to the byte."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbem.audit.verify import verify_ledger
from pbem.care import moving
from pbem.config import Config, load
from pbem.game.hosting import add_player
from pbem.ledger import Ledger, backup, letters, outbox
from pbem.ledger.dump import canonical_dump
from pbem.ledger.letters import QUARANTINED
from pbem.people.forgetting import forget
from tests import postgres
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, make_host, secret
from tests.pbem.host.test_matches import begin

__all__ = ["make_host"]
pytest.importorskip("psycopg", reason="psycopg is missing: pip install pbem[cluster]")
pytestmark = [
    pytest.mark.sqlite,
    pytest.mark.skipif(postgres.binaries() is None, reason=postgres.MISSING),
]


@pytest.fixture
def url() -> Iterator[str]:
    with postgres.server() as running:
        yield f"{running.url}&schema=whole"


def in_the_midst(host: Host) -> Host:
    """Orders, mails, a letter and a reminder wait; a message is set aside; a match is open; a player is forgotten."""
    host.start("nim", "over", heaps="1,1,1")
    for seat, move, day in (("1", "a1", 0), ("2", "b1", 1), ("1", "c1", 2)):
        assert host.order(seat, move, name="over").fate == "accepted"
        host.night(DEADLINE + day * DAY)
    assert host.status("over") == "over"
    with host.ledger.write() as tx:
        forget(tx, host.config, "player-2", DEADLINE + 3 * DAY, anyway=True)
        add_player(tx, "player-2", "new@players.example", "en", "UTC", DEADLINE + 3 * DAY, secret("new"))
    host.start("nim", "waits")
    host.start("vault", "safe", rounds="2")
    host.order("1", "b3", name="waits", at=NOON)
    host.order("red", "pass", name="safe", at=NOON)
    begin(host, "nim")
    for word, fate in (("aside", QUARANTINED), ("later", "")):
        with host.ledger.write() as tx:
            sha256, _ = letters.arrive(tx, f"nothing of sense: {word}\n".encode(), NOON, "drop", f"drop:{word}")
            if fate:
                letters.settle(tx, sha256, f"drop:{word}", fate, NOON, {"reason": "a fault of pbem"})
    with host.ledger.read() as tx:
        assert outbox.waiting(tx)
        assert letters.waiting(tx)
    return host


def whole_night(config: Config, at: int) -> tuple[bytes, dict[str, bytes]]:
    """The next night, and all that it leaves: the ledger, and every file of the outbox."""
    with closing(Ledger.open(config.place)) as ledger:
        Host(config, ledger).night(DEADLINE + at * DAY)
        assert all(verdict.ok for verdict in verify_ledger(ledger)), "verified, and replayed from the orders"
        files = {path.name: path.read_bytes() for path in sorted(config.outbox.rglob("*")) if path.is_file()}
        return canonical_dump(ledger), files


def folder_like(folder: Path, name: str) -> Path:
    """The same host once more."""
    other = folder.with_name(name)
    shutil.copytree(folder, other)
    return other


def test_there_and_back_the_nights_are_the_same(make_host: Callable[..., Host], url: str) -> None:
    stayed = in_the_midst(make_host())
    stayed.ledger.close()
    folder = folder_like(stayed.config.folder, "moved")
    moving.move(load(folder / "pbem.toml"), url)
    there = load(folder / "pbem.toml")
    assert there.place.url
    assert whole_night(there, 5) == whole_night(load(stayed.config.folder / "pbem.toml"), 5)
    back = folder_like(folder, "back")
    (back / "pbem.toml").write_bytes((stayed.config.folder / "pbem.toml").read_bytes())
    kept = backup.backup(there.place, folder / "copy.db")
    backup.restore(kept, load(back / "pbem.toml").place)
    found, wanted = (whole_night(load(one / "pbem.toml"), 6) for one in (back, stayed.config.folder))
    assert [line for line in found[0].splitlines() if line not in wanted[0].splitlines()] == []
    assert found == wanted
