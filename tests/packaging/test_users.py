"""Listener, mail reader and nightly run are different users: they share a host through its group, and no further."""

from __future__ import annotations

import os
import shutil
import site
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.reading import ROOT

SYSTEM = "/usr/bin/python3.11"  # the one of a virtual environment may lie where other users cannot look
GROUP, ADMIN, LISTENER, NIGHT, STRANGER = 61001, 61002, 61003, 61004, 61005
MAIL = b"From: anna@example.org\r\nTo: orders@localhost\r\nSubject: hello\r\nMessage-ID: <%d@x.org>\r\n\r\nhi\r\n"


def why_not() -> str:
    if os.geteuid() != 0:
        return "only root can act as other users"
    if sys.version_info[:2] != (3, 11) or not Path(SYSTEM).exists():
        return "other users need a Python 3.11 in /usr/bin"
    return ""


pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "-")


class Club:
    """A host's folder, and users who call pbem in it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.host = folder, folder / "host"

    def run(self, user: int, *words: str, group: int = GROUP, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        code = "import sys; from pbem.cli import run; sys.exit(run(sys.argv[1:]))"
        paths = [str(self.folder / "code"), *site.getsitepackages()]
        return subprocess.run(
            [SYSTEM, "-c", code, *words],
            cwd=self.folder,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(paths), "PBEM_CONFIG": str(self.host),
                 "PYTHONDONTWRITEBYTECODE": "1", "HOME": "/nonexistent"},
            user=user, group=group, extra_groups=[], umask=0o022, input=given, capture_output=True, check=False,
        )  # fmt: skip

    def well(self, user: int, *words: str, given: bytes = b"", codes: tuple[int, ...] = (0,)) -> str:
        done = self.run(user, *words, given=given)
        assert done.returncode in codes, (words, done.stdout.decode(), done.stderr.decode())
        return done.stdout.decode()


@pytest.fixture
def club() -> Iterator[Club]:
    folder = Path(tempfile.mkdtemp(prefix="pbem-users-"))
    try:
        folder.chmod(0o755)
        code = folder / "code"
        for room in ("pbem", "engine", "games", "templates", "cron"):
            shutil.copytree(ROOT / room, code / room, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", code)
        for info in Path(site.getsitepackages()[0]).glob("pbem-*.dist-info"):
            shutil.copytree(info, code / info.name)
        host = folder / "host"
        host.mkdir()
        os.chown(host, ADMIN, GROUP)
        host.chmod(0o2770)
        yield Club(folder)
    finally:
        shutil.rmtree(folder)


def play(club: Club) -> None:
    club.well(ADMIN, "init", str(club.host))
    for name in ("Anna", "Bruno"):
        club.well(ADMIN, "player", "add", name, f"{name.lower()}@example.org")
    club.well(ADMIN, "new", "bagh-chal", "--name", "tiger-hill", "--seat", "1=Anna", "--seat", "2=Bruno")
    club.well(LISTENER, "receive", given=MAIL % 1)
    club.well(NIGHT, "nightly")
    club.well(LISTENER, "receive", given=MAIL % 2)
    club.well(NIGHT, "nightly")
    club.well(ADMIN, "deliver")


def test_each_works_as_a_user_of_its_own(club: Club) -> None:
    play(club)
    assert "tiger-hill" in club.well(NIGHT, "status", codes=(0, 1))
    said = club.well(ADMIN, "doctor", codes=(0, 1))
    assert "others may read" not in said


def test_nothing_of_it_is_open_to_strangers(club: Club) -> None:
    play(club)
    secret = [club.host / "ledger.db", club.host / "ledger.key"]
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o660 for path in secret)
    assert club.run(STRANGER, "status", group=STRANGER).returncode == 3
    club.host.chmod(0o2775)  # even where somebody opens the folder itself
    closed = [*club.host.glob("ledger.db*"), *(path for path in club.host.iterdir() if path.is_dir())]
    assert len(closed) >= 3
    assert {path.name for path in closed if path.stat().st_mode & 0o007} == set()


def test_weakened_files_of_the_owner_alone_stop_the_others(club: Club) -> None:
    (club.folder / "code/pbem/sharing.py").write_text(
        (ROOT / "pbem/sharing.py")
        .read_text()
        .replace("GROUP_FILE, GROUP_FOLDER = 0o660", "GROUP_FILE, GROUP_FOLDER = 0o600")
    )
    club.well(ADMIN, "init", str(club.host))
    assert club.run(LISTENER, "receive", given=MAIL % 1).returncode != 0
