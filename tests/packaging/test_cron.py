"""cron/: a crontab and units that work as they stand, but for their two paths."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
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


# --- what the units may do --------------------------------------------------------------------------------------------

SERVICES = [path for path in UNITS if path.suffix == ".service"]
EXPOSED = 2.0  # of 10: what `systemd-analyze security` may find at most
analyze = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed here")
BY_KERNEL = {"landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "seccomp"}


def exposure(path: Path) -> float:
    call = ["systemd-analyze", "security", "--offline=true", str(path)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert found is not None, done.stderr
    return float(found[1])


@analyze
@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_a_unit_is_hardly_exposed(path: Path) -> None:
    assert exposure(path) <= EXPOSED


@analyze
def test_weakened_a_unit_without_its_list_is_exposed(tmp_path: Path) -> None:
    text = (CRON / "pbem-nightly.service").read_text()
    (tmp_path / "pbem-nightly.service").write_text(text[: text.index("NoNewPrivileges=yes")])
    assert exposure(tmp_path / "pbem-nightly.service") > EXPOSED


def values(path: Path, name: str) -> list[str]:
    """What stands behind a name of a unit, on all its lines."""
    return re.findall(rf"^{name}=(.*)$", path.read_text(), re.M)


def expanded(names: list[str]) -> set[str]:
    """The system calls in these sets of systemd."""
    found: set[str] = set()
    for name in names:
        if not name.startswith("@"):
            found.add(name)
            continue
        done = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True)
        lines = [line.strip() for line in done.stdout.splitlines()[1:]]
        found |= expanded([line for line in lines if line and not line.startswith("#")])
    return found


def allowed(path: Path) -> set[str]:
    """The system calls a unit may make."""
    may = expanded(["@default"])
    for line in values(path, "SystemCallFilter"):
        words = line.removeprefix("~").split()
        may = may - expanded(words) if line.startswith("~") else may | expanded(words)
    return may


def traced(tmp_path: Path, host: Path, *words: str) -> list[str]:
    """The system calls of a command and its children, as strace writes them."""
    log = tmp_path / "trace"
    call = ["strace", "-f", "-qq", "-o", str(log), sys.executable, "-m", "pbem", "--config", str(host), *words]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode in (0, 4), done.stderr
    lines = (line.partition(" ")[2].strip() for line in log.read_text(errors="replace").splitlines())
    return [line for line in lines if re.match(r"[a-z_0-9]+\(", line)]


@pytest.fixture(scope="module")
def due(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host with a game that is due, and a file that waits to be read."""
    host = tmp_path_factory.mktemp("units") / "host"
    begins = ("--now", "2026-11-18T12:00Z")
    for words in (
        ("init", str(host)),
        ("--config", str(host), "player", "add", "Anna", "anna@example.org", *begins),
        ("--config", str(host), "player", "add", "Bruno", "bruno@example.org", *begins),
        ("--config", str(host), "new", "bagh-chal", "--name", "tiger-hill", "--seat", "1=Anna", "--seat", "2=Bruno")
        + begins,
    ):
        subprocess.run([sys.executable, "-m", "pbem", *words], cwd=ROOT, check=True, capture_output=True)
    (host / "inbox" / "orders.yml").write_text("game: tiger-hill\nseat: 1\nturn: 1\nkey: AAAA-AAAA\norders: []\n")
    return host


TRACED = {
    "pbem-nightly.service": ("nightly", "--now", "2026-11-18T23:30Z"),
    "pbem-backup.service": ("backup", "--into", "backups", "--keep", "14"),
}


@analyze
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed here")
@pytest.mark.parametrize("name", sorted(TRACED))
def test_what_a_unit_does_is_what_it_may(name: str, due: Path, tmp_path: Path) -> None:
    """Its very work, traced: no system call, address family or folder that its unit does not grant."""
    words = [str(due / word) if word == "backups" else word for word in TRACED[name]]
    lines = traced(tmp_path, due, *words)
    used = {line.partition("(")[0] for line in lines}
    assert len(lines) > 1000
    as_root = {"fchown"} if os.geteuid() == 0 else set()  # SQLite keeps the owner of a file, where it may
    assert used - allowed(CRON / name) - BY_KERNEL - as_root == set()
    families = {found[1] for line in lines if (found := re.match(r"socket\((AF_\w+)", line)) and "EPERM" not in line}
    assert families - set(values(CRON / name, "RestrictAddressFamilies")[0].split()) == set()
    written = {
        found[1]
        for line in lines
        if (found := re.match(r'open(?:at)?\((?:AT_FDCWD, )?"([^"]+)", [A-Z_|]*(?:O_WRONLY|O_RDWR|O_CREAT)', line))
        and " = -1 " not in line
    }
    outside = {path for path in written if not path.startswith((str(due), "/dev/null", "/tmp/", "/dev/shm/"))}
    assert {path for path in outside if path.startswith("/") and "__pycache__" not in path} == set()
    assert any(path.startswith(str(due)) for path in written)
