"""What goes wrong around a command: its files, its disk, its terminal, its own faults. One sentence, and a code."""

from __future__ import annotations

import resource
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest

from pbem import errors, faultlog
from pbem.cli import COMMANDS
from pbem.errors import CANNOT, TRY_AGAIN
from tests.pbem.cli.desk import DEADLINE, LATER, Desk, one_sentence
from tests.pbem.cli.powerless import powerless

ADD = ("player", "add", "Chiara", "chiara@example.org")


# --- pbem.toml --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"[host\n", "pbem.toml cannot be read: Expected ']'"),
        (b"\xff\xfe", "pbem.toml cannot be read: it is not UTF-8 text."),
        (b"\x00", "pbem.toml cannot be read: "),
        (b"[hots]\n", "there is no section [hots]; did you mean host?"),
        (b"[host]\nnam = 'x'\n", "[host] has no key 'nam'; did you mean name?"),
        (b"host = 3\n", "write [host] and its keys below it."),
        (b"[[host]]\n", "write [host] and its keys below it."),
        (b"[host]\nname = 3\n", "host.name must be a text in quotes."),
        (b"[host]\nname = ''\n", "host.name must be some words on one line."),
        (b'[host]\nname = "a\\nb"\n', "host.name must be some words on one line."),
        (b"[host]\naddress = 'nowhere'\n", "host.address: 'nowhere' is not a mail address"),
        (
            b"[host]\nzone = 'Europe/Pariss'\n",
            "host.zone: 'Europe/Pariss' is not a time zone; did you mean Europe/Paris",
        ),
        (b"[schedule]\ndefault = 'often'\n", "schedule.default: 'often' is neither"),
        (b"[files]\nledger = ''\n", "files.ledger must be some words on one line."),
        (b"[night]\njobs = -1\n", "night.jobs must be at least 0."),
        (b"[night]\njobs = 1.5\n", "night.jobs must be a whole number."),
        (b"[night]\nseconds = 0\n", "night.seconds must be at least 1."),
    ],
)
def test_a_slip_in_the_configuration(desk: Desk, text: bytes, says: str) -> None:
    (desk.folder / "pbem.toml").write_bytes(text)
    assert str(desk.folder / "pbem.toml") in desk.refused("status", code=3, says=says)


def test_a_configuration_that_is_no_file(desk: Desk) -> None:
    (desk.folder / "pbem.toml").unlink()
    (desk.folder / "pbem.toml").mkdir()
    desk.refused("status", code=3, says="`pbem init` makes a host")
    desk.refused("--config", "inbox", "status", code=3, says="There is no inbox/pbem.toml")


def test_a_folder_that_is_gone(desk: Desk, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    desk.go(gone)
    gone.rmdir()
    desk.refused("status", code=3, says="The folder this runs in is gone")
    assert desk.data("--config", desk.folder, "status")["games"]


# --- the ledger -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "There is no ledger at"),
        (b"", "There is no ledger at"),
        (b"hello\n", "is damaged (file is not a database); restore a backup."),
        (b"hello\n" * 5000, "is damaged (file is not a database); restore a backup."),
        ("another", "is not a ledger of pbem."),
        ("cut", "is damaged (database disk image is malformed); restore a backup."),
        ("folder", "There is no ledger at"),
    ],
)
@pytest.mark.parametrize("args", [("status",), ("nightly",), ("submit", "-"), ("audit", "verify", "--all")])
def test_a_ledger_that_is_none(desk: Desk, content: bytes | str | None, says: str, args: tuple[str, ...]) -> None:
    ledger = desk.folder / "ledger.db"
    raw = ledger.read_bytes()
    ledger.unlink()
    if isinstance(content, bytes):
        ledger.write_bytes(content)
    elif content == "another":
        with sqlite3.connect(ledger) as other:
            other.execute("CREATE TABLE a (b)")
    elif content == "cut":
        ledger.write_bytes(raw[: len(raw) // 2])
    elif content == "folder":
        ledger.mkdir()
    desk.refused(*args, code=3, says=says, stdin=b"x")


# --- the disk ---------------------------------------------------------------------------------------------------------


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """Files cannot grow beyond that many bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


@pytest.mark.faults
@pytest.mark.parametrize(
    ("command", "size"),
    [
        ("submit", 0),
        ("submit", 5000),
        *((command, size) for command in ("new", "backup") for size in (0, 5000, 40_000)),
    ],
)
def test_a_full_disk_stores_nothing_and_says_so(desk: Desk, command: str, size: int) -> None:  # G7
    args = {
        "submit": ("submit", desk.file("b3"), "--now", LATER),
        "new": ("new", "nim", "--name", "other", "--seat", "1=Anna", "--seat", "2=Bruno", "--now", LATER),
        "backup": ("backup", "copy.db"),
    }[command]
    before = desk.data("status", "--now", LATER)
    with no_file_beyond(size):
        desk.refused(*args, code=75, says="could not be ")
    assert desk.data("status", "--now", LATER) == before
    assert all(verdict["ok"] for verdict in desk.data("audit", "verify", "--all"))
    desk(*args)


@pytest.mark.faults
def test_an_order_that_was_stored_before_the_disk_was_full_need_not_be_sent_again(desk: Desk) -> None:
    with no_file_beyond(40_000):  # the letter fits, its receipt does not
        says = "orders.yml is stored, but the ledger took no more; `pbem nightly` judges it."
        desk.refused("submit", desk.file("b3"), "--now", LATER, code=1, says=says)
    assert desk.data("fetch", "--now", LATER) == {"accepted": 1}


@pytest.mark.faults
@pytest.mark.parametrize("size", [0, 100, 5000, 60_000])
def test_a_host_that_did_not_fit_can_be_made_when_there_is_room(bare: Desk, size: int) -> None:
    with no_file_beyond(size):
        bare.refused("init", code=75, says="could not be written")
    bare("init")
    bare(*ADD)


@pytest.mark.faults
@pytest.mark.parametrize(
    "args",
    [
        ADD,
        ("nightly", "--now", DEADLINE),
        ("fetch",),
        ("deliver",),
        ("submit", "-"),
        ("backup", "copy.db"),
        ("init", "x"),
    ],
    ids=lambda args: args[0],
)
def test_a_folder_that_cannot_be_written_to(desk: Desk, args: tuple[str, ...]) -> None:
    form = desk.file("b3").read_bytes()
    for path in (*desk.folder.rglob("*"), desk.folder):
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        with powerless():
            said = desk(*args, code=CANNOT if args[0] == "init" else TRY_AGAIN, stdin=form)
    finally:
        for path in (desk.folder, *desk.folder.rglob("*")):
            path.chmod(0o700 if path.is_dir() else 0o600)
    assert said.out == ""
    one_sentence(said.err, "x cannot be used (" if args[0] == "init" else "ledger.db could not be ")


@pytest.mark.faults
def test_files_that_cannot_be_read(desk: Desk) -> None:
    file = desk.file("b3")
    file.chmod(0)
    with powerless():
        for command in ("check", "submit"):
            desk.refused(command, file, code=3, says="cannot be used (Permission denied)")
    for name in ("pbem.toml", "ledger.db"):
        path = desk.folder / name
        mode = path.stat().st_mode
        path.chmod(0)
        with powerless():
            desk.refused("status", code=75 if name == "ledger.db" else 3)
        path.chmod(mode)


# --- faults of ours ---------------------------------------------------------------------------------------------------


@pytest.fixture
def fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in two commands: one that belongs to a host, and one that does not."""

    def broken(*args: object) -> None:
        raise ZeroDivisionError("a fault that was planted")

    monkeypatch.setattr("pbem.game.overview.glances", broken)
    monkeypatch.setattr("pbem.rulebook.entry", broken)


@pytest.mark.usefixtures("fault")
def test_a_fault_is_told_in_one_sentence_and_logged_in_the_hosts_folder(desk: Desk, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    desk.go(elsewhere)
    log = desk.folder / faultlog.NAME
    line = desk.refused("--config", desk.folder, "status", code=70, says="this is a fault of pbem, not of yours")
    assert "(ZeroDivisionError at test_failures.py:" in line
    assert line.endswith(f"The details are in {log}.")
    assert "ZeroDivisionError: a fault that was planted" in log.read_text()
    assert log.stat().st_mode & 0o077 == 0
    desk("--config", desk.folder, "status", code=70)
    assert log.read_text().count("Traceback") == 2, "a later fault is added"
    assert not list(elsewhere.iterdir()), "nothing is left where somebody happens to stand"


@pytest.mark.usefixtures("fault")
def test_a_fault_where_there_is_no_host_is_logged_with_the_users_own_state(bare: Desk, tmp_path: Path) -> None:
    log = tmp_path / "state" / "pbem" / faultlog.NAME
    bare.refused("games", code=70, says=f"The details are in {log}.")
    assert log.exists()
    assert not list(bare.folder.iterdir())


@pytest.mark.usefixtures("fault")
def test_a_fault_that_can_be_written_nowhere(bare: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    bare.refused("games", code=70, says="The details could not be written down.")


@pytest.mark.usefixtures("fault")
def test_a_long_log_is_put_aside_once(desk: Desk) -> None:
    log = desk.folder / faultlog.NAME
    log.write_text("old\n" * (faultlog.LONG // 4 + 1))
    desk("status", code=70)
    assert log.read_text().startswith("--- ")
    assert log.with_name(f"{faultlog.NAME}.1").read_text().startswith("old\n")


@pytest.mark.usefixtures("fault")
def test_a_link_in_the_place_of_the_log_is_not_followed(desk: Desk, tmp_path: Path) -> None:
    target = tmp_path / "target"
    (desk.folder / faultlog.NAME).symlink_to(target)
    desk("status", code=70)
    assert not target.exists()


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
        (EOFError(), 70),
        (MemoryError(), 70),
        (RecursionError(), 70),
        (OSError(28, "No space left on device"), 75),
        (OSError(5, "Input/output error"), 75),
        (PermissionError(13, "Permission denied", "/a/b"), 3),
        (FileNotFoundError(2, "No such file or directory"), 70),
        (ConnectionResetError(104, "Connection reset by peer"), 70),
        (errors.Busy("Busy."), 4),
        (errors.NotStored("Not stored."), 75),
        (BrokenPipeError(32, "Broken pipe"), 0),
    ],
    ids=repr,
)
def test_every_failure_has_a_code(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, failure: BaseException, code: int
) -> None:
    def fails(*args: object) -> None:
        raise failure

    monkeypatch.setattr("pbem.game.overview.glances", fails)
    said = desk("status", code=code)
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == (code != 0)


def test_the_exit_codes_are_told_where_people_look(bare: Desk) -> None:
    root = Path(__file__).parents[3]
    words = " ".join(bare("--help").out.split())
    for code in (0, 1, 2, 3, 4, 5, 70, 75, 130):
        assert f" {code} " in words.split("Exit codes:")[1]
    codes = {value for name, value in vars(errors).items() if name.isupper() and isinstance(value, int)}
    assert codes == {0, 1, 2, 3, 4, 5, 70, 75}
    told = (root / "README.md").read_text().split("Exit codes:")[1]
    assert all(f"{code} " in told for code in codes)


# --- usage ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [*COMMANDS])
def test_an_option_that_there_is_not(bare: Desk, command: str) -> None:
    code = 75 if command == "receive" else 2  # a mail server would give the mail up for any code it does not know
    bare.refused(command, "--frobnicate", code=code, says="No such option '--frobnicate'.")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("stauts",), "There is no command 'stauts'; did you mean 'status'? See `pbem --help`."),
        (("zzz",), "There is no command 'zzz'; there are init, games, "),
        (("",), "There is no command ''; there are init, games, "),
        (("--confg", "x", "status"), "--config"),
        (("--config",), "Option '--config' requires an argument."),
    ],
)
def test_a_command_that_there_is_not(bare: Desk, args: tuple[str, ...], says: str) -> None:
    bare.refused(*args, code=2, says=says)


@pytest.mark.parametrize("args", [(), ("audit",), ("player",), ("referee",)])
def test_a_group_alone_shows_its_help(bare: Desk, args: tuple[str, ...]) -> None:
    said = bare(*args, code=2)
    assert said.err.startswith(f"Usage: {' '.join(('pbem', *args))} [OPTIONS] COMMAND [ARGS]...\n")
