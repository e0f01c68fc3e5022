"""A short run of each fuzzer, and all inputs that are kept: none breaks anything."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.intake.mail import walk
from tests.architecture.reading import ROOT
from tests.faults.figures import counted, so_many
from tests.fuzz.__main__ import CORPUS
from tests.fuzz.targets import TARGETS, mail

RUNS = {"mail": 1500, "orders": 3000, "signatures": 3000, "export": 150, "ledger": 60, "position": 1500, "engine": 500}


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_each_target_has_inputs_that_are_kept(name: str) -> None:
    kept = sorted((CORPUS / name).iterdir())
    assert kept
    for path in kept:
        TARGETS[name](path.read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(TARGETS))
def test_a_short_run_finds_nothing(name: str, tmp_path: Path) -> None:
    pytest.importorskip("atheris")
    runs = so_many(RUNS[name], 20 * RUNS[name])
    call = [sys.executable, "-m", "tests.fuzz", name, f"-runs={runs}", "-seed=1", f"-artifact_prefix={tmp_path}/"]
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path)}
    done = subprocess.run(call, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found = re.findall(r"#\d+\s+(?:INITED|DONE)\s+cov: (\d+)", done.stderr)
    first, last = int(found[0]), int(found[-1])
    assert last >= first > 0
    counted(runs, f"inputs for {name}")
    counted(last - first, f"branches more for {name} than its kept inputs reach")


def test_weakened_a_reader_that_fails_on_some_text_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The targets see what a reader raises, and what it lets through to a terminal."""
    raw = (CORPUS / "mail" / "mutt.eml").read_bytes()
    mail(raw)
    with monkeypatch.context() as patched:
        patched.setattr(walk, "visible", lambda text, most=60: f"\x1b[2J{text}")
        with pytest.raises(AssertionError):
            mail(raw)


def test_weakened_a_verdict_for_any_signature_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    dkim = pytest.importorskip("dkim")
    forged = (CORPUS / "signatures" / "signed.eml").read_bytes().replace(b"anna@", b"eve@")
    TARGETS["signatures"](forged)
    monkeypatch.setattr(dkim.DKIM, "verify_sig", lambda self, *rest: True)
    with pytest.raises(AssertionError):
        TARGETS["signatures"](forged)


@pytest.mark.slow
def test_weakened_a_planted_fault_is_found_by_its_coverage(tmp_path: Path) -> None:
    """A fault behind three letters in a row, which chance alone would need millions of inputs for."""
    pytest.importorskip("atheris")
    code = (
        "import atheris, sys\n"
        "@atheris.instrument_func\n"
        "def target(data):\n"
        "    if data[:1] == b'k':\n"
        "        if data[1:2] == b'e':\n"
        "            if data[2:3] == b'y':\n"
        "                raise ValueError('found')\n"
        "atheris.Setup(sys.argv, target)\n"
        "atheris.Fuzz()\n"
    )
    call = [sys.executable, "-c", code, "-runs=200000", "-seed=1", f"-artifact_prefix={tmp_path}/"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "ValueError: found" in done.stderr + done.stdout
