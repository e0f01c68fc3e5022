"""Three machines: a server and two workers, each in a network of its own, as `docs/cluster.md` has them set up.

Nothing here leaves this machine: the networks are namespaces that the test makes and takes away.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.brakes import heartbeat
from pbem.brakes.heartbeat import Beat
from tests import postgres
from tests.pbem.cluster.crew import begin
from tests.pbem.host.conftest import Host, make_host

__all__ = ["make_host"]
pytest.importorskip("procrastinate", reason="procrastinate is missing: pip install pbem[cluster]")
GAMES = 30
DB, ONE, TWO = "10.77.0.1", "10.77.0.2", "10.77.0.3"
PASSWORD = "not-a-word-of-any-player"


def _networks() -> str:
    """Why there can be no networks here; empty when there can."""
    if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("setpriv"):
        return "network namespaces need root, iproute2 and util-linux"
    made = subprocess.run(["ip", "netns", "add", "pbem-try"], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", "pbem-try"], capture_output=True, check=False)
    return "" if made.returncode == 0 else "network namespaces are not allowed here"


WHY_NOT = postgres.MISSING if postgres.binaries() is None else _networks()
pytestmark = [
    pytest.mark.sqlite,
    pytest.mark.slow,
    pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT),
    pytest.mark.xdist_group("networks"),
]


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def inside(name: str) -> list[str]:
    """Before a command: it runs on that machine."""
    return ["ip", "netns", "exec", f"pbem-{name}"]


@pytest.fixture
def networks() -> Iterator[None]:
    """A bridge on the server's machine, and a cable to each of the two others."""
    names = ("db", "one", "two")
    try:
        for name in names:
            ip("netns", "add", f"pbem-{name}")
            ip("-n", f"pbem-{name}", "link", "set", "lo", "up")
        ip("-n", "pbem-db", "link", "add", "br0", "type", "bridge")
        ip("-n", "pbem-db", "addr", "add", f"{DB}/24", "dev", "br0")
        ip("-n", "pbem-db", "link", "set", "br0", "up")
        for name, address in (("one", ONE), ("two", TWO)):
            ip("-n", "pbem-db", "link", "add", f"to-{name}", "type", "veth", "peer", "cable", "netns", f"pbem-{name}")
            ip("-n", "pbem-db", "link", "set", f"to-{name}", "master", "br0", "up")
            ip("-n", f"pbem-{name}", "addr", "add", f"{address}/24", "dev", "cable")
            ip("-n", f"pbem-{name}", "link", "set", "cable", "up")
        yield
    finally:
        for name in names:
            with suppress(subprocess.CalledProcessError):
                ip("netns", "del", f"pbem-{name}")


@pytest.fixture
def database(networks: None) -> Iterator[str]:
    """The server as the how-to sets it up: it listens to the two, who must say a password."""
    # When a machine falls silent the server lets go of it within seconds, so that its locks are free.
    alive = [f"tcp_keepalives_{word}" for word in ("idle=2", "interval=1", "count=3")]
    with postgres.server(f"listen_addresses={DB}", *alive, inside=inside("db")) as server:
        with (server.room / "data" / "pg_hba.conf").open("a") as rules:
            rules.write("host all pbem 10.77.0.0/24 scram-sha-256\n")
        psql = [str(server.programs / "psql"), "-h", str(server.room), "-U", "pbem", "postgres", "-c"]
        for said in (f"ALTER ROLE pbem PASSWORD '{PASSWORD}'", "SELECT pg_reload_conf()"):
            subprocess.run([*psql, said], check=True, capture_output=True)
        yield f"postgresql://pbem@{DB}/postgres"


@pytest.fixture
def machines(make_host: Callable[..., Host], database: str, tmp_path: Path) -> dict[str, Path]:
    """Two machines with the same pbem.toml and key; the host's ledger has moved to the server."""
    host = make_host("one")
    past = datetime.now(UTC).replace(microsecond=0) - timedelta(days=2)
    begin(host, GAMES, past)
    heartbeat.keep(host.config, Beat(datetime.now(UTC).replace(microsecond=0)))  # it was at work until now
    host.ledger.close()
    passwords = tmp_path / "pgpass"
    passwords.write_text(f"{DB}:*:*:pbem:{PASSWORD}\n")
    passwords.chmod(0o600)
    folders = {"one": host.config.folder, "two": tmp_path / "two"}
    assert "schema pbem" in pbem("one", folders["one"], passwords, "migrate-to", database)
    folders["two"].mkdir()
    for name in ("pbem.toml", "ledger.key"):
        if (folders["one"] / name).exists():
            shutil.copy2(folders["one"] / name, folders["two"] / name)
    return folders | {"passwords": passwords}


def pbem(machine: str, folder: Path, passwords: Path, *words: str) -> str:
    """A command, run on that machine to its end."""
    call = [*inside(machine), sys.executable, "-m", "pbem", *words]
    env = {**os.environ, "PGPASSFILE": str(passwords)}
    done = subprocess.run(call, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def working(machines: dict[str, Path]) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """`pbem worker` on both."""
    env = {**os.environ, "PGPASSFILE": str(machines["passwords"])}
    call = [sys.executable, "-m", "pbem", "worker", "--processes", "1", "--every", "2"]
    running = {
        name: subprocess.Popen(
            [*inside(name), *call],
            cwd=machines[name],
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for name in ("one", "two")
    }
    yield running
    for one in running.values():
        with suppress(ProcessLookupError):
            os.killpg(one.pid, signal.SIGKILL)
        one.wait()


def open_at_turn_one(machines: dict[str, Path]) -> int:
    said = pbem("one", machines["one"], machines["passwords"], "status")
    return said.count(": turn 1,")


@pytest.mark.usefixtures("working")
def test_three_machines_and_a_cable_that_is_pulled(machines: dict[str, Path]) -> None:
    until = time.monotonic() + 240
    while open_at_turn_one(machines) == GAMES:
        assert time.monotonic() < until, "no game was resolved"
        time.sleep(0.2)
    ip("-n", "pbem-two", "link", "set", "cable", "down")  # what it has in hand is given to the other
    while open_at_turn_one(machines):
        assert time.monotonic() < until, "the games were not all resolved"
        time.sleep(1)
    ip("-n", "pbem-two", "link", "set", "cable", "up")
    said = pbem("two", machines["two"], machines["passwords"], "audit", "verify", "--all")
    assert f"game-{GAMES - 1}" in said
    assert not open_at_turn_one(machines)
