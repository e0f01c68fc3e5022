"""The child that reads strangers' mails can do nothing but read them, even where it runs code of theirs."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem import confinement
from pbem.bounded import Bounded, TaskDied
from pbem.intake.limits import USUAL
from pbem.intake.reading import BoundedReader
from tests.architecture.reading import ROOT

MEANS = confinement.means_of_this_machine()
seccomp = pytest.mark.skipif(confinement.SECCOMP not in MEANS, reason="this system has no seccomp filters")
landlock = pytest.mark.skipif(confinement.LANDLOCK not in MEANS, reason="this system has no Landlock")


def read_key(path: bytes) -> bytes:
    return Path(os.fsdecode(path)).read_bytes()


def write(path: bytes) -> bytes:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
    return b"written"


def append(path: bytes) -> bytes:
    os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
    return b"written"


def remove(path: bytes) -> bytes:
    Path(os.fsdecode(path)).unlink()
    return b"removed"


def rename(path: bytes) -> bytes:
    Path(os.fsdecode(path)).rename(os.fsdecode(path) + ".away")
    return b"renamed"


def change_mode(path: bytes) -> bytes:
    Path(os.fsdecode(path)).chmod(0o777)
    return b"changed"


def connect(path: bytes) -> bytes:
    with socket.socket() as opened:
        opened.connect_ex(("127.0.0.1", 9))
    return b"connected"


def run(path: bytes) -> bytes:
    return subprocess.check_output([sys.executable, "-c", "print('ran')"])


def fork(path: bytes) -> bytes:
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
    return b"forked"


def signal_parent(path: bytes) -> bytes:
    os.kill(os.getppid(), 0)
    return b"signalled"


ACTS: dict[Callable[[bytes], bytes], object] = {
    read_key: landlock,
    signal_parent: landlock,
    **dict.fromkeys((write, append, remove, rename, change_mode, connect, run, fork), seccomp),
}
EACH = [pytest.param(act, marks=mark, id=act.__name__) for act, mark in ACTS.items()]  # type: ignore[arg-type]


@pytest.fixture
def key(tmp_path: Path) -> bytes:
    path = tmp_path / "ledger.key"
    path.write_bytes(b"secret")
    return os.fsencode(path)


@pytest.mark.parametrize("act", EACH)
def test_a_confined_child_may_not(act: Callable[[bytes], bytes], key: bytes) -> None:
    with Bounded(act, confined=True) as bounded, pytest.raises(TaskDied, match="PermissionError"):
        bounded(key)
    assert Path(os.fsdecode(key)).read_bytes() == b"secret"


@pytest.mark.parametrize("act", [act for act in EACH if act.id not in ("write", "append")])
def test_weakened_without_it_the_child_may(act: Callable[[bytes], bytes], key: bytes) -> None:
    with Bounded(act) as bounded:
        assert bounded(key)


def test_it_still_finds_what_reading_needs() -> None:
    """Modules, character sets and threads: whatever Python loads when a text asks for it."""

    def load(task: bytes) -> bytes:
        import html.parser
        import threading

        threading.Thread(target=html.parser.HTMLParser).start()
        return b"\xe1\xc2".decode("koi8-r").encode() + b"\x83\x41".decode("shift_jis").encode()

    with Bounded(load, confined=True) as bounded:
        assert bounded(b"").decode() == "\u0410\u0431\u30a2"


def look_up(name: bytes) -> bytes:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM):
        return Path("/etc/hosts").read_bytes()[:1] or b"-"


@seccomp
@pytest.mark.skipif(not Path("/etc/hosts").is_file(), reason="there is no /etc/hosts here")
def test_names_are_looked_up_only_where_signatures_are_checked() -> None:
    with Bounded(look_up, confined=True) as bounded:
        with pytest.raises(TaskDied):
            bounded(b"")
        bounded.allow_network()
        assert bounded(b"")


@landlock
@seccomp
def test_the_reader_of_mails_is_confined(monkeypatch: pytest.MonkeyPatch, key: bytes) -> None:
    """The child that Clerk and listener use, not one made for a test."""
    from pbem.intake import reading

    for act, mark in ACTS.items():
        assert mark is not None
        monkeypatch.setattr(reading, "_work", lambda task, act=act: act(key))
        with BoundedReader(USUAL) as reader, pytest.raises(TaskDied):
            reader.read(b"orders: []")


@pytest.mark.parametrize("machine", sorted(confinement.MACHINES))
@pytest.mark.parametrize("network", [False, True])
def test_the_filter_jumps_within_itself(machine: str, network: bool) -> None:
    program = confinement.filter_program(network, machine)
    assert program is not None
    count = len(program) // 8
    for number in range(count):
        code, if_so, if_not = (
            int.from_bytes(program[number * 8 : number * 8 + 2], "little"),
            *program[number * 8 + 2 : number * 8 + 4],
        )
        if code in (confinement.EQUAL, confinement.AT_LEAST, confinement.ANY_BIT):
            assert number + 1 + max(if_so, if_not) < count
    assert confinement.filter_program(network, "pdp11") is None


def test_a_host_folder_on_the_path_is_not_readable(tmp_path: Path) -> None:
    """`python -m pbem` puts the folder it is started in before all others."""
    code = "import os; from pbem import confinement; print(os.getcwd() in confinement._readable(False))"
    call = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}"]
    done = subprocess.run(
        call, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
