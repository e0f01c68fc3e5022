"""Shell completion: the scripts for bash, zsh and fish, and what they complete."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine import games
from pbem.cli import COMMANDS
from tests.pbem.cli.desk import Desk

SHELLS = ("bash", "zsh", "fish")


@pytest.fixture
def complete(desk: Desk, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """What could come next after some words."""

    def ask(*words: str) -> list[str]:
        monkeypatch.setenv("_PBEM_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(["pbem", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        found = desk().out.splitlines()
        monkeypatch.delenv("_PBEM_COMPLETE")
        return [line.partition(",")[2] for line in found if line]

    return ask


def test_commands_and_options_are_completed(complete) -> None:  # type: ignore[no-untyped-def]
    assert complete("") == list(COMMANDS)
    assert complete("re") == [name for name in COMMANDS if name.startswith("re")]
    assert complete("audit", "ve") == ["verify"]
    assert complete("referee", "re") == ["release", "resume"]
    assert complete("nightly", "--dr") == ["--dry-run"]
    assert complete("report", "jade-river", "--format", "") == ["text", "html", "json", "page"]


def test_names_are_completed(complete, desk: Desk) -> None:  # type: ignore[no-untyped-def]
    for command in (("show",), ("report",), ("audit", "log"), ("audit", "verify"), ("referee", "pause")):
        assert complete(*command, "j") == ["jade-river"], command
    assert complete("show", "x") == []
    assert complete("rules", "") == list(games())
    assert complete("new", "ni") == ["nim"]
    assert complete("player", "add", "A", "a@x.org", "--zone", "Europe/Pa") == ["Europe/Paris"]
    assert complete("--config", str(desk.folder), "show", "") == ["jade-river"]


def test_completion_is_silent_where_there_is_nothing_to_say(complete, desk: Desk) -> None:  # type: ignore[no-untyped-def]
    (desk.folder / "ledger.db").write_bytes(b"nonsense\n" * 1000)
    assert complete("show", "") == []
    (desk.folder / "pbem.toml").write_text("[broken\n")
    assert complete("show", "") == []
    assert complete("--config", "/nowhere", "show", "") == []


def test_completing_a_name_needs_nothing_of_the_ledgers_own(desk: Desk) -> None:
    """Whose imports alone take longer than a key press."""
    env = {**os.environ, "_PBEM_COMPLETE": "bash_complete", "COMP_WORDS": "pbem show j", "COMP_CWORD": "2"}
    look = "import sys; from pbem.cli import run; run([]); print(*sys.modules, file=sys.stderr)"
    call = [sys.executable, "-c", look]
    done = subprocess.run(call, env=env, cwd=desk.folder, capture_output=True, text=True, check=True)
    assert done.stdout == "plain,jade-river\n"
    assert not {"sqlalchemy", "sqlmodel", "jinja2", "yaml"} & set(done.stderr.split())


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_for_a_shell(shell: str, tmp_path: Path) -> None:
    env = {**os.environ, "_PBEM_COMPLETE": f"{shell}_source"}
    done = subprocess.run([sys.executable, "-m", "pbem"], env=env, capture_output=True, text=True, check=True)
    assert "_PBEM_COMPLETE=" in done.stdout
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed: its script came out, and could not be read by it")
    script = tmp_path / "script"
    script.write_text(done.stdout)
    subprocess.run([shell, "-n", script], check=True)


def test_bash_itself_completes(desk: Desk, tmp_path: Path) -> None:
    """The README's line, and a word half typed."""
    program = tmp_path / "bin" / "pbem"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m pbem "$@"\n')
    program.chmod(0o755)
    lines = """
        eval "$(_PBEM_COMPLETE=bash_source pbem)"
        for words in "nigh" "show ja"; do
            COMP_WORDS=(pbem $words); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
            _pbem_completion pbem
            echo "${COMPREPLY[@]}"
        done
    """
    env = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    call = ["bash", "-c", lines]
    done = subprocess.run(call, cwd=desk.folder, env=env, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("nightly\njade-river\n", "")
