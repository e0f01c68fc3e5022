"""pbem as a process of its own: pipes that close, disks that are full, Ctrl-C, and terminals that speak no UTF-8."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PBEM = (sys.executable, "-m", "pbem")


@pytest.fixture
def host(prepared: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(prepared, tmp_path / "host"))


def shell(line: str, host: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A line of shell in the host's folder, with `$PBEM` for the program."""
    env = {**os.environ, "PBEM": " ".join(PBEM), **environment}
    return subprocess.run(["bash", "-c", line], cwd=host, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "command",
    ["report jade-river --format html", "audit log jade-river", "rules nim", "games", "status --json", "--help"],
)
def test_a_reader_who_has_heard_enough_is_no_failure(host: Path, command: str) -> None:
    done = shell(f"$PBEM {command} | true; echo ${{PIPESTATUS[0]}}", host)
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_the_answer_of_a_check_outlives_its_reader(host: Path) -> None:
    done = shell(f"$PBEM audit verify jade-river --head {'ab' * 32} | true; echo ${{PIPESTATUS[0]}}", host)
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_an_answer_that_cannot_be_written_is_told(host: Path) -> None:
    for command in ("status", "games --json"):
        done = shell(f"$PBEM {command} > /dev/full", host)
        assert done.returncode == 3
        said = "pbem: The answer could not be written (No space left on device); what was done is done.\n"
        assert done.stderr == said
    done = shell("$PBEM --help > /dev/full", host)
    assert done.stderr.startswith("pbem: What was to be written could not be written (No space left on device)")


def test_closed_streams(host: Path) -> None:
    assert shell("$PBEM status >&-", host).returncode == 0
    assert shell("$PBEM status 2>&-", host).stdout.startswith("jade-river (nim)")
    assert shell("$PBEM show nowhere 2>&-", host).returncode == 3
    done = shell("$PBEM check - <&-", host)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_ctrl_c_is_one_word(host: Path) -> None:
    child = subprocess.Popen(
        [*PBEM, "bench", "--seconds", "60"],
        cwd=host,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.default_int_handler
        ),  # a shell in the background bars it
    )
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    try:
        _, err = child.communicate(timeout=20)
    finally:
        child.kill()
    assert (child.returncode, err.strip()) == (130, "pbem: stopped.")


def test_a_terminal_that_speaks_no_utf8(host: Path) -> None:
    assert shell("$PBEM player add Łucja lucja@example.org", host).returncode == 0
    words = shell("$PBEM player list", host, PYTHONIOENCODING="latin-1")
    assert "\\u0141ucja <lucja@example.org>" in words.stdout
    data = shell("$PBEM player list --json", host, PYTHONIOENCODING="latin-1")
    assert '"Łucja"' in data.stdout, "JSON is UTF-8 wherever it is printed"
    refused = shell("$PBEM show Łucja", host, PYTHONIOENCODING="latin-1")
    assert refused.stderr.startswith("pbem: There is no game named '\\u0141ucja'")


def test_json_stands_alone_on_standard_output(host: Path) -> None:
    done = shell("$PBEM nightly --now 2026-11-18T20:00Z --json | $PYTHON -m json.tool", host, PYTHON=sys.executable)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_progress_bar_is_for_terminals_only(host: Path) -> None:
    """Under a terminal it is drawn, on standard error; the words on standard output are the same."""
    plain = shell("$PBEM nightly --now 2026-11-18T20:00Z", host)
    assert plain.stderr == ""
    drawn = shell("script -qec '$PBEM nightly --now 2026-11-19T20:00Z --jobs 1 >words' seen </dev/null >&2", host)
    if "script: command not found" in drawn.stderr:
        pytest.skip("script(1) is not installed, so there is no terminal")
    assert "resolving" in (host / "seen").read_text()
    assert (host / "words").read_text().startswith("Night of 2026-11-19 20:00 UTC.")
