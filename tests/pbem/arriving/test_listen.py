"""`pbem listen`: no 250 before a mail is on the disk; each recipient answered; bounded; stopped well (G1, G3, G7)."""

from __future__ import annotations

import os
import resource
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from pbem.arriving import committing, listening, lmtp
from pbem.arriving.committing import Committer
from pbem.arriving.message import LARGEST, arrived_by
from pbem.cli import run
from pbem.errors import Trouble
from pbem.ledger.troubles import LedgerBusy, NotWritten
from tests.pbem.arriving.conftest import NOON, Store, mail
from tests.pbem.arriving.lmtp_client import Client

pytest.importorskip("aiosmtpd")

STORED = "250 2.1.5 Stored"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    assert run(["init", str(tmp_path / "host")]) == 0
    night(tmp_path / "host")
    return tmp_path / "host"


def night(folder: Path) -> None:
    """Nothing is judged at once."""
    config = folder / "pbem.toml"
    config.write_text(config.read_text().replace('judge = "at-once"', 'judge = "night"'))


def at_once(folder: Path) -> None:
    config = folder / "pbem.toml"
    config.write_text(config.read_text().replace('judge = "night"', 'judge = "at-once"'))


class Listener:
    """The program, in a process of its own."""

    def __init__(self, folder: Path, *args: str, before: str = "", **more: Any) -> None:
        program = f"import sys\n{before}\nfrom pbem.cli import main\nmain()"
        command = [sys.executable, "-c", program, "listen", "--on", "lmtp.sock", *args]
        self.place = folder / "lmtp.sock"
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, cwd=folder, text=True, **pipes, **more)
        assert self.process.stdout is not None
        self.ready = self.process.stdout.readline()

    def stop(self, sign: int = signal.SIGTERM) -> tuple[int, str, str]:
        self.process.send_signal(sign)
        return self.ended()

    def ended(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=40)
        return self.process.returncode, out, err


@pytest.fixture
def listener(folder: Path) -> Iterator[Callable[..., Listener]]:
    made: list[Listener] = []

    def make(*args: str, **more: Any) -> Listener:
        made.append(Listener(folder, *args, **more))
        return made[-1]

    yield make
    for one in made:
        if one.process.poll() is None:
            one.process.kill()
            one.process.communicate()


def stored(folder: Path) -> Counter[str]:
    with closing(sqlite3.connect(folder / "ledger.db")) as line:
        return Counter(row[0] for row in line.execute("SELECT message_id FROM inbox"))


def test_mails_are_taken_and_the_program_stops_when_told(folder: Path, listener: Callable[..., Listener]) -> None:
    program = listener()
    assert program.ready == f"Listening on {program.place}.\n"
    assert stat.S_IMODE(program.place.stat().st_mode) == 0o660
    with Client(program.place) as client:
        assert client.banner.startswith("220 localhost pbem")
        assert {"250-PIPELINING", "250-ENHANCEDSTATUSCODES", f"250-SIZE {LARGEST}"} <= set(client.greeting.split("\n"))
        assert client.mail(mail(1)) == [STORED]
        assert stored(folder) == Counter(["<1@players.example>"])
        assert client.mail(mail(2), ["orders+a@localhost", "orders+b@localhost", "orders@localhost"]) == [STORED] * 3
        assert client.mail(mail(1), ["other@localhost"]) == [STORED]  # delivered again
        assert client("QUIT").startswith("221")
    code, out, err = program.stop()
    assert (code, out, err) == (0, "Stopped. Mails: 3, in 3 commits.\n", "")
    assert stored(folder) == Counter(["<1@players.example>", "<2@players.example>"])
    assert not program.place.exists()


def test_what_is_stored_is_what_was_sent(folder: Path, listener: Callable[..., Listener]) -> None:
    from pbem.ledger import Ledger
    from pbem.ledger import letters as letters_of

    hard = [
        mail(1) + b".\r\n..\r\n.hidden\r\n\r\n.\r\n",
        mail(2) + b"a\n.\nb\r.\rc\n.\r\nd\r\n",  # nothing but CR LF . CR LF ends a mail
        mail(3) + b"x" * 100_000 + b"\r\n",
        mail(4) + bytes(range(256)) + b"\r\n",
        b".\r\nno header\r\n",
        b"",
    ]
    program = listener()
    with Client(program.place) as client:
        for raw in hard:
            assert client.mail(raw, ["orders@localhost"], sender="") == [STORED]
    program.stop()
    with closing(sqlite3.connect(folder / "ledger.db")) as line:
        names = [row[0] for row in line.execute("SELECT sha256 FROM letter ORDER BY id")]
    with closing(Ledger.open(folder / "ledger.db")) as ledger, ledger.read() as tx:
        raws = [letters_of.get(tx, name) for name in names]
    for raw, kept in zip(hard, raws, strict=True):
        above = [b"Return-Path: <>", b"Delivered-To: orders@localhost"]
        end = b"\r\n" if b"\r\n" in raw else b"\n"
        assert kept == end.join([*above, b""]) + raw


def test_the_limit_and_one_past_it(folder: Path, listener: Callable[..., Listener]) -> None:
    program = listener()
    fits = mail(1) + b"x" * (LARGEST - len(mail(1)) - 2) + b"\r\n"
    with Client(program.place) as client:
        assert client.mail(fits) == [STORED]
        answers = client.mail(b"y" + fits, ["a@localhost", "b@localhost"])
        assert [answer[:9] for answer in answers] == ["552 5.3.4", "552 5.3.4"]
        assert client.mail(b"z" * 3_000_000)[0].startswith("552")
        assert client("MAIL FROM:<a@b> SIZE=1200000").startswith("552")
        client("RSET")
        assert client.mail(mail(2)) == [STORED]
    program.stop()
    assert stored(folder) == Counter(["<1@players.example>", "<2@players.example>"])


def test_the_limit_is_the_hosts(folder: Path, listener: Callable[..., Listener]) -> None:
    from pbem.ledger import Ledger
    from pbem.ledger import letters as letters_of

    config = folder / "pbem.toml"
    config.write_text(config.read_text().replace("message_kilobytes = 1024", "message_kilobytes = 300"))
    program = listener()
    fits = mail(1).ljust((300 << 10) - 2, b"x") + b"\r\n"
    with Client(program.place) as client:
        assert "250-SIZE 307200" in client.greeting.split("\n")
        assert client.mail(b"y" + fits)[0].startswith("552")
        assert client.mail(fits) == [STORED]
    program.stop()
    with closing(sqlite3.connect(folder / "ledger.db")) as line:
        [(name,)] = line.execute("SELECT sha256 FROM letter").fetchall()
    with closing(Ledger.open(folder / "ledger.db")) as ledger, ledger.read() as tx:
        raw = letters_of.get(tx, name)
    assert raw is not None
    assert raw.endswith(fits)
    assert b"X-Cut-Short" not in raw


def test_rude_clients_harm_nobody(folder: Path, listener: Callable[..., Listener]) -> None:
    program = listener()
    with Client(program.place, greet=False) as client:
        for said in (
            b"",
            b"\x00" * 600,
            b"x" * 200_000,
            b"EHLO x",
            b"HELO x",
            b"DATA",
            b"RCPT TO:<a@b>",
            b"MAIL FROM:<",
        ):
            assert client(said)[:1] == "5", said
    with Client(program.place) as client:
        for odd in ("MAIL FROM:<a@@>", "MAIL FROM:<\xff@b>", "MAIL FROM:<(a>", 'MAIL FROM:<"a@b>', "RCPT TO:<@>"):
            assert client(odd)[:1] in "25", odd
    with Client(program.place) as client:
        client("MAIL FROM:<a@b>")
        assert [client(f"RCPT TO:<r{n}@localhost>")[:3] for n in range(102)] == ["250"] * 100 + ["452"] * 2
    for cut in (0, 10, 60, len(mail(5)) - 1):
        with Client(program.place) as client:
            client.begin(["orders@localhost"])
            client.line.sendall(mail(5)[:cut])
    with Client(program.place) as client:
        assert client.mail(mail(6)) == [STORED]
    code, _, err = program.stop()
    assert (code, err) == (0, "")
    assert stored(folder) == Counter(["<6@players.example>"])


def test_pipelined_commands_are_answered_in_order(listener: Callable[..., Listener]) -> None:
    program = listener()
    with Client(program.place) as client:
        envelope = b"MAIL FROM:<a@b>\r\nRCPT TO:<x@localhost>\r\nRCPT TO:<y@localhost>\r\nDATA\r\n"
        client.line.sendall(envelope)
        assert [client.answer()[:3] for _ in range(4)] == ["250", "250", "250", "354"]
        client.line.sendall(mail(1) + b".\r\nNOOP\r\nQUIT\r\n")
        assert [client.answer()[:3] for _ in range(4)] == ["250", "250", "250", "221"]
    program.stop()


def test_connections_are_bounded(listener: Callable[..., Listener]) -> None:
    program = listener(before="from pbem.arriving import lmtp; lmtp.CONNECTIONS = 3")
    held = [Client(program.place) for _ in range(3)]
    with Client(program.place, greet=False) as fourth:
        assert fourth.banner.startswith("421 4.3.2")
    held.pop().close()
    deadline = time.monotonic() + 10
    while True:  # until the server has seen that one has gone
        with Client(program.place, greet=False) as again:
            if again.banner.startswith("220"):
                break
        assert time.monotonic() < deadline
    for one in held:
        one.close()
    assert program.stop()[0] == 0


def test_who_is_idle_is_sent_away_also_in_the_middle_of_a_mail(listener: Callable[..., Listener]) -> None:
    program = listener(before="from pbem.arriving import lmtp; lmtp.PATIENCE = 0.3")
    with Client(program.place) as silent, Client(program.place) as slow:
        assert slow.begin(["orders@localhost"])[-1].startswith("354")
        begun = time.monotonic()
        with suppress(OSError):
            while time.monotonic() < begun + 10:
                slow.line.sendall(b"x")
                time.sleep(0.02)
        assert silent.answer() == ""
        assert time.monotonic() < begun + 5
    assert program.stop()[0] == 0


def test_a_mail_in_hand_is_taken_before_it_stops(folder: Path, listener: Callable[..., Listener]) -> None:
    """The signal may come before the mail is in hand; then it is still its sender's, who tries again."""
    for _ in range(3):
        if _taken_in_hand(listener()):
            assert stored(folder) == Counter(["<1@players.example>"])
            return
        assert stored(folder) == Counter()
    pytest.fail("no mail that was in hand was taken")


def _taken_in_hand(program: Listener) -> bool:
    with Client(program.place) as client, Client(program.place) as idle:
        client.begin(["orders@localhost"])
        program.process.send_signal(signal.SIGTERM)
        while True:  # until it takes nobody else
            try:
                with Client(program.place, greet=False):
                    continue
            except OSError:
                break
        try:
            client.send(mail(1))
        except BrokenPipeError:
            assert program.ended()[0] == 0
            return False
        assert client.answer() == STORED
        assert idle.answer() == ""
    assert program.ended()[0] == 0
    return True


def test_what_is_stored_is_judged_by_the_child(folder: Path, listener: Callable[..., Listener]) -> None:
    at_once(folder)
    program = listener()
    with Client(program.place) as client:
        assert client.mail(mail(1)) == [STORED]
    assert program.stop()[0] == 0  # it ends when the judge is done
    with closing(sqlite3.connect(folder / "ledger.db")) as line:
        [(state,)] = line.execute("SELECT state FROM inbox").fetchall()
    assert state != "waiting"


def test_systemd_is_told(folder: Path, listener: Callable[..., Listener]) -> None:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as told:
        told.bind(str(folder / "notify"))
        told.settimeout(20)
        program = listener(env={**os.environ, "NOTIFY_SOCKET": str(folder / "notify")})
        assert told.recv(100) == b"READY=1"
        program.stop()
        assert told.recv(100) == b"STOPPING=1"


# --- places -----------------------------------------------------------------------------------------------------------


def test_a_port_of_this_machine(folder: Path, listener: Callable[..., Listener]) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    program = listener("--on", f"127.0.0.1:{port}")
    with Client(("127.0.0.1", port)) as client:
        assert client.mail(mail(1)) == [STORED]
    assert program.stop(signal.SIGINT)[0] == 0


def test_a_socket_left_over_is_taken_and_one_in_use_is_not(folder: Path, listener: Callable[..., Listener]) -> None:
    first = listener()
    first.stop(signal.SIGKILL)
    assert first.place.exists()
    second = listener()
    assert second.ready.startswith("Listening")
    third = listener()
    code, _, err = third.ended()
    assert (code, err) == (4, f"pbem: Another `pbem listen` is at work on {second.place}.\n")
    assert second.stop()[0] == 0


@pytest.mark.parametrize(
    ("place", "code", "says"),
    [
        ("pbem.toml", 3, "pbem.toml is no socket; it is left alone."),
        ("192.0.2.1:24", 3, "192.0.2.1 is not this machine"),
        ("no/such/folder", 3, "cannot be listened on (No such file or directory)."),
        ("x" * 300, 3, "cannot be listened on ("),
    ],
)
def test_places_that_are_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], place: str, code: int, says: str
) -> None:
    monkeypatch.chdir(folder)
    assert run(["listen", "--on", place]) == code
    assert says in capsys.readouterr().err


def test_without_a_place_or_without_aiosmtpd(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert run(["listen"]) == 2
    assert "Name a place with --on" in capsys.readouterr().err
    monkeypatch.setattr(listening, "find_spec", lambda name: None)
    assert run(["listen", "--on", "x.sock"]) == 3
    assert capsys.readouterr().err == "pbem: `pbem listen` needs aiosmtpd; install it with `pip install pbem[mail]`.\n"


# --- trouble of ours --------------------------------------------------------------------------------------------------


def test_a_ledger_that_is_held_is_451_and_the_next_mail_is_taken(
    folder: Path, listener: Callable[..., Listener]
) -> None:
    program = listener(before="from pbem.ledger import connect; connect.SETTINGS['busy_timeout'] = ('50', 50)")
    with Client(program.place) as client:
        holder = sqlite3.connect(folder / "ledger.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        assert client.mail(mail(1), ["a@localhost", "b@localhost"]) == ["451 4.3.0 Not stored: try again later"] * 2
        holder.close()
        assert client.mail(mail(1)) == [STORED]
    assert program.stop()[0] == 0


@pytest.mark.faults
def test_g7_a_full_disk_is_452_and_the_program_ends_with_75(folder: Path, listener: Callable[..., Listener]) -> None:
    limits = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    limits += "resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, resource.RLIM_INFINITY))"
    program = listener(before=limits)
    answers = []
    with Client(program.place) as client:
        for number in range(40):
            big = mail(number) + os.urandom(3000).hex().encode() + b"\r\n"
            answers += client.mail(big)
            if not answers[-1].startswith("250"):
                break
    assert answers[-1] == "452 4.3.1 Not stored: there is no room"
    code, _, err = program.ended()
    assert code == 75
    assert err.endswith("could not be written, so no more mail is taken.\n")
    assert sum(stored(folder).values()) == len(answers) - 1


def test_a_fault_of_ours_keeps_out_only_the_mail_that_trips_it(store: Store, tmp_path: Path, monkeypatch: Any) -> None:
    real = committing.store

    def trip(ledger: Any, messages: Any, route: str) -> Any:
        if any(b"poison" in message.raw for message in messages):
            raise RuntimeError("tripped")
        return real(ledger, messages, route)

    monkeypatch.setattr(committing, "store", trip)
    committer = Committer(store.ledger, tmp_path, lambda: None, lambda: None)
    answers = [committer.put(arrived_by(mail(n, "poison" if n == 3 else "good"), NOON)) for n in range(6)]
    committer.start()
    committer.close()
    assert [type(answer.exception(0)).__name__ for answer in answers] == [
        "NoneType" if n != 3 else "NotStored" for n in range(6)
    ]
    assert sum(store.raws().values()) == 5
    assert (tmp_path / "pbem-fault.log").exists()


def test_of_two_mails_the_one_that_trips_us_keeps_out_itself_alone(
    store: Store, tmp_path: Path, monkeypatch: Any
) -> None:
    real = committing.store

    def trip(ledger: Any, messages: Any, route: str) -> Any:
        if any(b"poison" in message.raw for message in messages):
            raise RuntimeError("tripped")
        return real(ledger, messages, route)

    monkeypatch.setattr(committing, "store", trip)
    committer = Committer(store.ledger, tmp_path, lambda: None, lambda: None)
    good, bad = (committer.put(arrived_by(mail(n, words), NOON)) for n, words in ((1, "good"), (2, "poison")))
    committer.start()
    committer.close()
    assert (good.exception(0), type(bad.exception(0)).__name__) == (None, "NotStored")


def test_no_more_mails_share_a_commit_than_they_may(store: Store, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(committing, "AT_A_TIME", 2)
    committer = Committer(store.ledger, tmp_path, lambda: None, lambda: None)
    for number in range(5):
        committer.put(arrived_by(mail(number), NOON))
    committer.start()
    committer.close()
    assert (committer.messages, committer.commits) == (5, 3)


def test_mails_that_come_together_share_a_commit_and_who_went_away_gets_none(store: Store, tmp_path: Path) -> None:
    woken: list[int] = []
    committer = Committer(store.ledger, tmp_path, lambda: woken.append(1), lambda: None)
    answers = [committer.put(arrived_by(mail(number), NOON)) for number in range(450)]
    assert answers[7].cancel()
    committer.start()
    committer.close()
    assert (committer.messages, committer.commits, len(woken)) == (449, 3, 3)
    assert all(answer.result(0).new for answer in answers if not answer.cancelled())
    assert sum(store.raws().values()) == 449


def test_a_program_that_fails_is_not_held_up_by_the_thread_that_stores(store: Store, tmp_path: Path) -> None:
    assert Committer(store.ledger, tmp_path, lambda: None, lambda: None)._thread.daemon


def test_nobody_is_woken_for_a_mail_that_is_known(store: Store, tmp_path: Path) -> None:
    woken: list[int] = []
    for _ in range(2):
        committer = Committer(store.ledger, tmp_path, lambda: woken.append(1), lambda: None)
        answer = committer.put(arrived_by(mail(1), NOON))
        committer.start()
        committer.close()
        assert answer.done()
        assert committer.commits == 1
    assert woken == [1]


@pytest.mark.parametrize(("trouble", "broken"), [("busy", False), ("full", True)])
def test_trouble_is_everybodys_answer(
    store: Store, tmp_path: Path, monkeypatch: Any, trouble: str, broken: bool
) -> None:
    raised: Trouble = LedgerBusy(store.path) if trouble == "busy" else NotWritten(store.path, "full")

    def fail(*_: Any) -> None:
        raise raised

    monkeypatch.setattr(committing, "store", fail)
    told: list[int] = []
    committer = Committer(store.ledger, tmp_path, lambda: None, lambda: told.append(1))
    answers = [committer.put(arrived_by(mail(number), NOON)) for number in range(3)]
    committer.start()
    committer.close()
    assert [answer.exception(0) for answer in answers] == [raised] * 3, "who closes it has all the answers"
    assert bool(told) == broken


# --- killed -----------------------------------------------------------------------------------------------------------


@contextmanager
def senders(place: Path, count: int, acked: list[int], stop: threading.Event) -> Iterator[None]:
    """Clients that send mail after mail, and note what was answered with 250."""

    def work(first: int) -> None:
        number = first
        while not stop.is_set():
            try:
                with Client(place, timeout=5) as client:
                    while not stop.is_set():
                        if client.mail(mail(number)) == [STORED]:
                            acked.append(number)
                            number += count
            except OSError:
                if stop.wait(0.01):
                    return

    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


SLOW = """
import time
import pbem.arriving.storing as storing
real = storing.fault
def late(point):
    time.sleep(0.005 if point == "mails-fetched" else 0)
    real(point)
storing.fault = late
"""
TOO_EARLY = """
import asyncio
from pbem.arriving import lmtp
async def early(self, raw, envelope):
    self.kept = asyncio.ensure_future(self.event_handler.put(lmtp.arrived_by(raw, lmtp.clock.system())))
    return lmtp.STORED
lmtp.Speaking._stored = early
"""


@pytest.mark.faults
@pytest.mark.parametrize("before", ["", TOO_EARLY], ids=["as it is", "weakened"])
def test_g1_killed_under_load_nothing_acknowledged_is_lost(
    folder: Path, listener: Callable[..., Listener], before: str
) -> None:
    """The weakened build answers 250 before the commit; of what it acknowledged, some is lost."""
    acked: list[int] = []
    for _ in range(4):
        program = listener(before=SLOW + before)
        with senders(program.place, 6, acked, threading.Event()):
            enough = len(acked) + 40
            while len(acked) < enough:
                time.sleep(0.002)
            program.stop(signal.SIGKILL)
    found = stored(folder)
    missing = [number for number in set(acked) if not found[f"<{number}@players.example>"]]
    assert set(found.values()) <= {1}, "none is there twice"
    assert bool(missing) == bool(before), len(missing)


def test_a_listener_takes_little_memory_however_much_is_sent(folder: Path, listener: Callable[..., Listener]) -> None:
    program = listener()
    with Client(program.place) as client:
        client.mail(b"z" * 1000)
        before = _memory(program.process.pid)
        client.begin(["orders@localhost"])
        for _ in range(60):
            client.line.sendall(b"z" * 1_000_000)
        client.line.sendall(b"\r\n.\r\n")
        assert client.answer().startswith("552")
    assert _memory(program.process.pid) - before < 20 << 20
    program.stop()


def _memory(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def test_the_bounds_are_those_that_are_told() -> None:
    assert (lmtp.CONNECTIONS, lmtp.RECIPIENTS, lmtp.PATIENCE, lmtp.BUFFER) == (50, 100, 120.0, 65_536)
