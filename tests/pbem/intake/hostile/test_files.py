"""F, G34: in the drop folder only plain files of ours are opened, and no name from outside becomes a path."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.arriving import drop
from pbem.arriving.message import LARGEST
from tests.faults.figures import counted
from tests.pbem.host.conftest import NOON, Host
from tests.pbem.intake.hostile.table import EARLIER, LATER, Table

AS_ROOT = os.geteuid() == 0
NOBODY = 65534


def link(path: Path, secret: Path) -> None:
    path.symlink_to(secret)


def hard_link(path: Path, secret: Path) -> None:
    path.hardlink_to(secret)


def pipe(path: Path, secret: Path) -> None:
    os.mkfifo(path)


def folder(path: Path, secret: Path) -> None:
    path.mkdir()


def plug(path: Path, secret: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def large(path: Path, secret: Path) -> None:
    path.write_bytes(secret.read_bytes() + b"#" * LARGEST)


def sparse(path: Path, secret: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


def link_to_itself(path: Path, secret: Path) -> None:
    path.symlink_to(path.name)


def link_to_nothing(path: Path, secret: Path) -> None:
    path.symlink_to("nowhere")


def link_to_a_device(path: Path, secret: Path) -> None:
    path.symlink_to("/dev/zero")


def link_to_a_folder(path: Path, secret: Path) -> None:
    path.symlink_to("/etc", target_is_directory=True)


def device(path: Path, secret: Path) -> None:
    if not AS_ROOT:
        pytest.skip("only the superuser can make a device")
    try:
        os.mknod(path, 0o20600, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("no device can be made here")


def anothers(path: Path, secret: Path) -> None:
    if not AS_ROOT:
        pytest.skip("only the superuser can give files away")
    path.write_bytes(secret.read_bytes())
    os.chown(path, NOBODY, NOBODY)


STRANGE: dict[str, Callable[[Path, Path], None]] = {
    "F01-link": link,
    "F01-hard-link": hard_link,
    "F01-pipe": pipe,
    "F01-folder": folder,
    "F01-socket": plug,
    "F01-device": device,
    "F02-large": large,
    "F02-sparse": sparse,
    "F03-link-to-itself": link_to_itself,
    "F03-link-to-nothing": link_to_nothing,
    "F03-link-to-a-device": link_to_a_device,
    "F03-link-to-a-folder": link_to_a_folder,
    "F04-of-somebody-else": anothers,
}
NAMES = [
    *(
        "x.yml",
        "X.YML",
        "orders",
        "orders.yml.exe",
        "con.yml",
        "aux",
        "-rf",
        "--",
        "-",
        "~",
        "~root",
        "*",
        "?",
        "[a]",
        "a b",
    ),
    *(
        "$(id).yml",
        "`id`.yml",
        "a;b",
        "a|b",
        "a&b",
        "a'b",
        'a"b',
        "a\\b",
        "%00",
        "%2e%2e%2f",
        "a\nb",
        "a\rb",
    ),
    *(
        "a\tb",
        "a\x1b[2Jb.yml",
        "\u202elmy.exe",
        "\u200b",
        "<script>.yml",
        "=?utf-8?q?x?=",
        "x" * 250,
        "é" * 100,
        "\udcff.yml",
    ),
    *("C:\\x.yml", "nul:", "report.json", "ledger.db"),
]
HIDDEN = [".hidden.yml", "..%2f", "...", "..x", ".orders.yml.swp"]
opens: list[str] = []
watching = False


def _watch(event: str, args: tuple[object, ...]) -> None:
    if watching and event == "open" and isinstance(args[0], (str, bytes, os.PathLike)):
        opens.append(os.fsdecode(args[0]))


sys.addaudithook(_watch)


@contextmanager
def watched() -> Iterator[list[str]]:
    """What Python opens meanwhile."""
    global watching
    opens.clear()
    watching = True
    try:
        yield opens
    finally:
        watching = False


@pytest.fixture
def table(host: Host) -> Table:
    table = Table(host, 1)
    table.open()
    return table


def order(table: Table, move: str = LATER) -> bytes:
    return table.host.file("1", move, name="game0").encode()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", STRANGE)
def test_what_is_no_plain_file_of_ours_is_never_opened(table: Table, tmp_path: Path, name: str) -> None:
    secret = tmp_path / "secret.yml"
    secret.write_bytes(order(table))
    STRANGE[name](table.host.config.inbox / "x.yml", secret)
    (table.host.config.inbox / "good.yml").write_bytes(order(table, "b2"))
    with watched() as seen:
        brought = drop.gather(table.host.config, table.host.ledger, NOON)
    assert brought.left == ("x.yml",)
    assert brought.new == 1, "the others are taken"
    wrong = [path for path in seen if path.endswith(("x.yml", "secret.yml"))]
    assert wrong == []
    counted(1, "things that are no plain file of ours")
    counted(len(wrong), "of them opened")
    assert drop.strange(table.host.config) == ["x.yml"]
    table.settle()
    assert table.stands(0) == ["b2"]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name_is_no_path(table: Table, name: str) -> None:
    config = table.host.config
    (config.inbox / name).write_bytes(order(table))
    before = {path for path in config.folder.parent.rglob("*") if drop.TAKEN not in path.parts}
    with watched() as seen:
        brought = drop.gather(config, table.host.ledger, NOON)
    assert (brought.new, brought.left) == (1, ())
    outside = [path for path in seen if Path(path).parent != config.inbox and "ledger" not in path]
    assert outside == []
    counted(1, "names from outside")
    counted(len(seen), "opens while they were taken")
    counted(len(outside), "opens outside the spool")
    after = {path for path in config.folder.parent.rglob("*") if drop.TAKEN not in path.parts}
    assert after <= before
    [away] = (config.inbox / drop.TAKEN).iterdir()
    assert len(away.stem) == 24
    assert set(away.stem) <= set("0123456789abcdef")
    assert table.settle() == {"accepted": 1}
    assert table.stands(0) == [LATER]


@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_files_are_left_alone(table: Table, name: str) -> None:
    (table.host.config.inbox / name).write_bytes(order(table))
    brought = drop.gather(table.host.config, table.host.ledger, NOON)
    assert (brought.new, brought.left) == (0, ())
    assert (table.host.config.inbox / name).exists()


def test_a_file_that_grows_is_waited_for(table: Table) -> None:
    path = table.host.config.inbox / "x.yml"
    path.write_bytes(order(table).partition(b"end:")[0])
    assert drop.gather(table.host.config, table.host.ledger, NOON).new == 0
    path.write_bytes(order(table))
    assert drop.gather(table.host.config, table.host.ledger, NOON).new == 1
    table.settle()
    assert table.stands(0) == [LATER]


def test_links_that_are_followed_are_found(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weakened build."""
    secret = tmp_path / "secret.yml"
    secret.write_bytes(order(table))
    (table.host.config.inbox / "x.yml").symlink_to(secret)

    @contextmanager
    def followed(path: Path) -> Iterator[int | None]:
        with path.open("rb") as file:
            yield file.fileno()

    monkeypatch.setattr(drop, "opened", followed)
    monkeypatch.setattr(drop, "_is_plain", lambda *_: True)
    assert drop.gather(table.host.config, table.host.ledger, NOON).new == 1
    assert table.stands(0) == [EARLIER]
    table.settle()
    assert table.stands(0) == [LATER]
