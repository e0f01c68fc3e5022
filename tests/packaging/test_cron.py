"""cron/: a crontab and units that work as they stand, but for their two paths."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.architecture.reading import ROOT
from tests.packaging.commands import Line, calls, faults

CRON = ROOT / "cron"
UNITS = sorted([*CRON.glob("*.service"), *CRON.glob("*.timer")])
KEPT_UP = {"pbem-listen.service"}  # no work of a moment: it waits for mail
FIELDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))  # minute, hour, day, month, weekday


def crontab() -> tuple[dict[str, str], list[str]]:
    """The variables it sets, and its entries."""
    variables, entries = {}, []
    for line in (CRON / "pbem.crontab").read_text().splitlines():
        if found := re.fullmatch(r"([A-Z_]+)=(\S+)", line):
            variables[found[1]] = found[2]
        elif line.strip() and not line.startswith("#"):
            entries.append(line)
    return variables, entries


def is_field(text: str, least: int, most: int) -> bool:
    """Whether a field of a crontab says some of these numbers."""
    for part in text.split(","):
        span, _, step = part.partition("/")
        if step and not (step.isdigit() and 0 < int(step) <= most):
            return False
        numbers = [] if span == "*" else span.split("-")
        if not all(number.isdigit() and least <= int(number) <= most for number in numbers) or len(numbers) > 2:
            return False
    return True


@pytest.mark.parametrize("entry", crontab()[1])
def test_an_entry_is_well_formed(entry: str) -> None:
    *fields, command = entry.split(None, 5)
    assert len(fields) == 5
    assert all(is_field(text, *bounds) for text, bounds in zip(fields, FIELDS, strict=True)), fields
    assert "%" not in command, "cron ends a command at a per cent sign"
    [line] = calls(entry, command)
    assert not list(faults(line))


@pytest.mark.parametrize("text", ["60", "5-", "*/0", "1,2,x", "1-2-3", "*/x", ""])
def test_a_planted_fault_in_a_field_is_found(text: str) -> None:
    assert not is_field(text, 0, 59)


def test_the_crontab_ends_a_line_and_says_where_things_are() -> None:
    """Without its last line end, cron leaves a whole crontab out."""
    text = (CRON / "pbem.crontab").read_text()
    assert text.endswith("\n")
    variables, entries = crontab()
    assert set(variables) == {"PBEM", "PBEM_CONFIG"}
    assert all(entry.split(None, 5)[5].startswith("$PBEM ") for entry in entries)
    assert {entry.split()[6] for entry in entries} >= {"nightly", "backup", "audit"}


def test_the_entries_do_their_work(tmp_path: Path) -> None:
    """Each line as cron gives it to the shell, but with this machine's program and a folder that is here."""
    import os
    import sys

    program, host = tmp_path / "pbem", tmp_path / "host"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m pbem "$@"\n')
    program.chmod(0o755)
    subprocess.run([program, "init", host], check=True, capture_output=True)
    variables, entries = crontab()
    given = {**os.environ, "PBEM": str(program), "PBEM_CONFIG": str(host / "pbem.toml")}
    for entry in entries:
        command = entry.split(None, 5)[5].replace(str(Path(variables["PBEM_CONFIG"]).parent), str(host))
        done = subprocess.run(["/bin/sh", "-c", command], env=given, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), "cron mails whatever is said"
    assert len(list((host / "backups").glob("ledger-*.db"))) == 1


def unit(path: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(path)
    return parser


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_calls_what_exists(path: Path) -> None:
    read = unit(path)
    if path.suffix == ".timer":
        assert (CRON / f"{path.stem}.service").exists()
        assert read["Timer"]["Persistent"] == "true", "a run missed while the machine was off is made up for"
        assert read["Install"]["WantedBy"] == "timers.target"
        return
    program, *words = shlex.split(read["Service"]["ExecStart"])
    assert program.endswith("/bin/pbem")
    assert not list(faults(Line(path.name, tuple(words))))
    if path.name in KEPT_UP:
        assert read["Service"]["Restart"] == "always"
        assert read["Install"]["WantedBy"] == "multi-user.target"
    else:
        assert read["Service"]["Type"] == "oneshot"


def test_the_night_that_finds_another_at_work_is_no_failure() -> None:
    from pbem.errors import BUSY

    assert unit(CRON / "pbem-nightly.service")["Service"]["SuccessExitStatus"] == str(BUSY)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed here")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    """With a program where they expect one: systemd looks for it."""
    program = tmp_path / "bin" / "pbem"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for path in UNITS:
        text = path.read_text().replace("/opt/pbem", str(tmp_path))
        (tmp_path / path.name).write_text(text)
    call = ["systemd-analyze", "verify", *(tmp_path / path.name for path in UNITS)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if str(tmp_path) in line or "pbem" in line]
    assert (done.returncode, said) == (0, [])


def test_what_the_how_to_copies_is_there() -> None:
    text = (CRON / "README.md").read_text()
    assert {path.name for path in UNITS} == set(re.findall(r"pbem-[a-z]+\.(?:service|timer)", text))
