"""`.ci/system-parts`: programs that tests run are installed where that can be done, and named elsewhere."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.architecture.reading import ROOT

SCRIPT = ROOT / ".ci" / "system-parts"
OURS = (
    "dovecot-imapd",
    "postfix",
    "swaks",
    "mutt",
    "s-nail",
    "chromium",
    "iproute2",
    "faketime",
    "strace",
    "libnet-ssleay-perl",
)


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    """A machine with a shell and little else."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "timeout"):
        (folder / name).symlink_to(f"/usr/bin/{name}")
    return folder


def put(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def run(folder: Path, **more: str) -> str:
    """The script on that machine, whose own system folders are out of sight."""
    script = folder.parent / "system-parts"
    script.write_text(SCRIPT.read_text().replace("PATH=$PATH:/usr/sbin:/sbin", f"PATH={folder}"))
    done = subprocess.run(
        ["/bin/sh", str(script)],
        env={"PATH": str(folder), **more},
        check=False,
        capture_output=True,
        text=True,
        timeout=30,
        stdin=subprocess.DEVNULL,
    )
    assert (done.returncode, done.stderr) == (0, ""), "whatever comes of it, it is no reason to fail"
    return done.stdout


def test_a_user_is_told_in_one_line_what_is_missing(bin_folder: Path) -> None:
    put(bin_folder, "id", "echo 1000")
    put(bin_folder, "apt-get", "echo CALLED >&2")
    [line] = run(bin_folder).splitlines()
    assert all(name in line for name in OURS)


def test_root_without_apt_is_told_the_same(bin_folder: Path) -> None:
    put(bin_folder, "id", "echo 0")
    [line] = run(bin_folder).splitlines()
    assert line.startswith("Not installed here")


def test_root_gets_what_can_be_had(bin_folder: Path, tmp_path: Path) -> None:
    """The index knows no browser, so all of them at once fail; one by one the others come. No service is started, and
    nothing that is there is removed for it."""
    made = (
        'test "$name" = postfix && { printf "#!/bin/sh\\n" > '
        + f"{bin_folder}/postfix; chmod +x {bin_folder}/postfix; }}"
    )
    (bin_folder / "chmod").symlink_to("/usr/bin/chmod")
    put(bin_folder, "id", "echo 0")
    calls = tmp_path / "calls"
    put(
        bin_folder,
        "apt-get",
        f'echo "$RUNLEVEL $DEBIAN_FRONTEND $*" >> {calls}\n'
        'case "$*" in *install*chromium*) exit 100;; *install*) for name; do :; done;; *) exit 0;; esac\n' + made,
    )
    first, last = run(bin_folder).splitlines()
    assert first.startswith("Installing")
    assert "postfix" not in last
    assert "chromium" in last
    installs = [call for call in calls.read_text().splitlines() if " install " in call]
    assert all(call.startswith("1 noninteractive install") and "--no-remove" in call for call in installs)


def test_a_machine_that_must_stay_as_it_is(bin_folder: Path) -> None:
    put(bin_folder, "id", "echo 0")
    put(bin_folder, "apt-get", "echo CALLED >&2")
    [line] = run(bin_folder, PBEM_NO_APT="1").splitlines()
    assert line.startswith("Not installed here")


def test_where_all_is_there_nothing_is_said(bin_folder: Path) -> None:
    for name in (
        "dovecot",
        "postfix",
        "swaks",
        "mutt",
        "s-nail",
        "chromium",
        "openssl",
        "perl",
        "ip",
        "faketime",
        "strace",
    ):
        put(bin_folder, name, "exit 0")
    assert run(bin_folder) == ""
