"""All routes together: one message counts once by whichever came first; what is silent is named; the night goes on."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.arriving import fetching, imap, storing
from pbem.arriving.brought import Brought, told
from pbem.arriving.fetching import collect
from pbem.arriving.message import arrived_by, with_envelope
from pbem.arriving.settings import Arriving
from pbem.cli import run
from pbem.ledger import journal, letters
from pbem.ledger.opening import facts_of
from tests.pbem.arriving.rude_imap import PASSWORD, Box, Manners, served
from tests.pbem.host.conftest import DEADLINE, NOON, Host, host, make_host

__all__ = ["host", "make_host"]

SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)


def order(host: Host, move: str, number: int = 1) -> bytes:
    """An order mail of seat 1."""
    head = f"Message-ID: <{number}@players.example>\r\nFrom: 1@players.example\r\nSubject: orders\r\n\r\n"
    return head.encode() + host.file("1", move).replace("\n", "\r\n").encode()


def maildir(host: Host) -> Path:
    folder = host.config.folder / "Maildir"
    for name in ("tmp", "new", "cur"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    host.config = replace(host.config, mail=replace(host.config.mail, maildir=folder))
    return folder


def deliver(folder: Path, name: str, raw: bytes, at: float) -> None:
    path = folder / "new" / name
    path.write_bytes(raw)
    os.utime(path, (at, at))


def submissions(host: Host) -> list[list[str]]:
    with host.ledger.read() as tx:
        return [facts_of(tx, row.facts())["orders"] for row in journal.rows(tx, "game", kinds=["submission"])]


def fates(host: Host) -> dict[str, int]:
    with host.ledger.read() as tx:
        return letters.counts(tx)


@pytest.mark.parametrize("times", [2, 5])
def test_g4_one_mail_by_every_route_is_one_submission(host: Host, times: int) -> None:
    host.start("nim", heaps="3,4,5")
    raw = order(host, "b3")
    folder = maildir(host)
    with served(Box({uid: b"Received: by way %d\r\n" % uid + raw for uid in range(11, 11 + times)})) as server:
        host.config = replace(host.config, mail=replace(host.config.mail, imap=server.imap))
        for number in range(times):
            deliver(folder, f"m{number}", raw.replace(b"\r\n", b"\n"), NOON.timestamp())
            for route in (storing.MAIL, storing.LMTP):
                whole = with_envelope(raw, f"{number}@players.example", ["orders@localhost"])
                storing.store(host.ledger, [arrived_by(whole, NOON)], route)
            collect(host.config, host.ledger, NOON)
    assert submissions(host) == [["b3"]]
    assert fates(host) == {"accepted": 1}
    assert [mail.kind for mail in host.mails("1")] == ["report", "receipt-1"]


def test_g4_a_then_b_then_a_again_ends_in_a_and_a_redelivered_a_changes_nothing(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    folder = maildir(host)
    sent = [
        order(host, "b3", 1),
        order(host, "a1", 2),
        order(host, "b3", 3),
        order(host, "a1", 2),
        order(host, "b3", 1),
    ]
    for number, raw in enumerate(sent):
        deliver(folder, f"m{number}", raw, NOON.timestamp() + number)
        collect(host.config, host.ledger, NOON + timedelta(hours=1))
    assert submissions(host) == [["b3"], ["a1"], ["b3"]]


DATES = [
    b"",
    b"Date: Thu, 1 Jan 1970 00:00:00 +0000\r\n",
    b"Date: Mon, 1 Jan 2099 00:00:00 -0000\r\n",
    b"Date: soon\r\n",
]


@pytest.mark.parametrize("date", DATES)
@pytest.mark.parametrize(("late", "fate"), [(-1, "accepted"), (0, "refused"), (1, "refused")])
@pytest.mark.parametrize("route", ["maildir", "imap", "lmtp"])
def test_g16_the_hour_of_arrival_counts_whenever_it_is_fetched(
    host: Host, date: bytes, late: int, fate: str, route: str
) -> None:
    """A second before the deadline, on it, after it; fetched an hour later; whatever the mail says of its date."""
    host.start("nim", heaps="3,4,5")
    raw, at = date + order(host, "b3"), DEADLINE + late * SECOND
    if route == "maildir":
        deliver(maildir(host), "m", raw, at.timestamp())
    elif route == "lmtp":
        storing.store(host.ledger, [arrived_by(raw, at)], storing.LMTP)
    box = Box({11: raw}, dates={11: f"{at:%d-%b-%Y %H:%M:%S} +0000"})
    with served(box if route == "imap" else Box({})) as server:
        host.config = replace(host.config, mail=replace(host.config.mail, imap=server.imap))
        found = collect(host.config, host.ledger, DEADLINE + timedelta(hours=1))
    assert found.counts == {fate: 1}


def test_the_night_fetches_before_it_resolves(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    deliver(maildir(host), "m", order(host, "b3"), NOON.timestamp())
    night = host.night()
    assert (night.collected, night.turns, night.well) == ({"accepted": 1}, 1, True)
    assert submissions(host) == [["b3"]]


def test_a_dead_server_costs_nobody_a_turn(host: Host) -> None:
    """Orders may lie in its mailbox that came in time: what is due waits until it can be read, or the referee knows."""
    host.start("nim", heaps="3,4,5")
    deliver(maildir(host), "m", order(host, "b3"), NOON.timestamp())
    with served(Box({})) as server:
        gone = server.imap
    host.config = replace(host.config, mail=replace(host.config.mail, imap=gone))
    night = host.night()
    assert (night.collected, night.turns, night.well) == ({"accepted": 1}, 0, False)
    assert "orders may lie where they could not be fetched" in night.held[0]
    [_, reached, silent] = night.routes
    assert (reached.reachable, silent.reachable, silent.silent) == (True, False, "connection refused")
    assert night.to_json()["routes"][1] == silent.to_json()
    host.config = replace(host.config, mail=replace(host.config.mail, imap=None))
    assert host.night(DEADLINE + timedelta(hours=1)).turns == 1


def test_a_fault_of_ours_in_one_route_is_written_down_and_stops_no_other(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    def trip(*_: object, **__: object) -> None:
        raise RuntimeError("tripped")

    monkeypatch.setattr(imap, "gather", trip)
    with served(Box({})) as server:
        host.config = replace(host.config, mail=replace(host.config.mail, imap=server.imap))
    deliver(maildir(host), "m", b"Subject: x\n\nhello\n", NOON.timestamp())
    found = collect(host.config, host.ledger, NOON)
    assert sum(found.counts.values()) == 1
    assert found.routes[-1].silent.startswith("a fault of pbem, test_fetching.py:")
    assert (host.config.folder / "pbem-fault.log").exists()


def test_nothing_is_asked_that_is_not_set_up(host: Host) -> None:
    assert host.config.mail == Arriving()
    assert [one.route for one in fetching.gather(host.config, host.ledger, NOON)] == ["drop"]


@pytest.mark.parametrize(
    ("brought", "lines"),
    [
        (Brought("imap", "The box"), []),
        (Brought("imap", "The box", left=("a\x1b",), warning="odd"),
         ["The box: left there, as it cannot be taken: a\\x1b.", "The box: odd."]),
        (Brought("imap", "The box", left=tuple("abcde")),
         ["The box: left there, as it cannot be taken: a, b, c, d, e."]),
        (Brought("imap", "The box", left=tuple("abcdefg")),
         ["The box: left there, as it cannot be taken: a, b, c, d, e and 2 more."]),
        (Brought("imap", "The box", left=("x" * 81,)),
         [f"The box: left there, as it cannot be taken: {'x' * 79}\u2026."]),
        (Brought("drop", "The folder", left=("a",)), []),  # told by the count of what was kept
        (Brought("imap", "The box", silent="gone"),
         ["The box was NOT read to its end (gone); what is there waits for the next run."]),
    ],
)  # fmt: skip
def test_what_somebody_should_know_of_a_route(brought: Brought, lines: list[str]) -> None:
    assert told([brought]) == lines
    assert (brought.new, brought.known) == (0, 0)


# --- as it is told ----------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    assert run(["init", str(tmp_path / "host")]) == 0
    monkeypatch.chdir(tmp_path / "host")
    return tmp_path / "host"


def set_up(folder: Path, *lines: str) -> None:
    with (folder / "pbem.toml").open("a") as file:
        file.write("".join(f"{line}\n" for line in lines))


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def call(*args: str, code: int) -> str:
        capsys.readouterr()
        assert run(list(args)) == code
        return capsys.readouterr().out

    return call


def test_fetch_by_the_command(folder: Path, said: Callable[..., str]) -> None:
    (folder / "imap.pass").write_text(f"{PASSWORD}\n")
    (folder / "imap.pass").chmod(0o600)
    text = (folder / "pbem.toml").read_text()
    box = Box({11: b"Subject: x\r\n\r\nhello\r\n", 12: b"y" * 1_200_000})
    with served(box) as server:
        mail = [
            f'imap = "127.0.0.1:{server.port}"',
            'imap_tls = "none"',
            'imap_user = "orders"',
            'imap_password_file = "imap.pass"',
        ]
        (folder / "pbem.toml").write_text(text.replace('judge = "at-once"', "\n".join(mail)))
        out = said("fetch", code=0)
        assert out == "2 set aside (nobody's)\n", "also the one that is too large"
        assert '"reachable": true' in said("fetch", "--json", code=0)
        server.manners.answers = {"SELECT": "NO not today"}
        out = said("nightly", code=1)
        assert "was NOT read to its end (it does not open the folder INBOX: not today)" in out
        server.manners = Manners(greeting=None)
        assert PASSWORD not in out
    assert "was NOT read to its end (connection refused); what is there waits" in said("fetch", code=1)
    assert '"silent": "connection refused"' in said("fetch", "--json", code=1)


def test_a_password_file_that_others_can_read_is_said(folder: Path, said: Callable[..., str]) -> None:
    (folder / "imap.pass").write_text(f"{PASSWORD}\n")
    (folder / "imap.pass").chmod(0o644)
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
        mail = [
            f'imap = "127.0.0.1:{port}"',
            'imap_tls = "none"',
            'imap_user = "o"',
            'imap_password_file = "imap.pass"',
        ]
        text = (folder / "pbem.toml").read_text()
        (folder / "pbem.toml").write_text(text.replace('judge = "at-once"', "\n".join(mail)))
        out = said("fetch", code=1)
    assert "Others than its owner can use the password file" in out
    assert PASSWORD not in out
