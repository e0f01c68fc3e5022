"""`pbem listen` within the test's own process, so that its lines are looked at; as a program it is in `test_listen`."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from pbem.arriving import committing, listening, lmtp
from pbem.arriving.message import LARGEST
from pbem.config import Config
from pbem.errors import Busy, Trouble
from pbem.ledger import letters
from pbem.ledger.troubles import LedgerBusy, NotWritten
from pbem.settings import Place
from tests.mail.servers.places import free_port
from tests.pbem.arriving.conftest import mail
from tests.pbem.arriving.lmtp_client import Client
from tests.pbem.host.conftest import NOON as NOW
from tests.pbem.host.conftest import Host, host, make_host

__all__ = ["host", "make_host"]

pytest.importorskip("aiosmtpd")

STORED = "250 2.1.5 Stored"


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """asyncio leaves them as if nobody had ever asked for them."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def at_night(host: Host) -> Config:
    return replace(host.config, mail=replace(host.config.mail, at_once=False))


def while_listening(
    config: Config, where: Path | Place, talk: Callable[[], object], *, stops: bool = True
) -> list[str]:
    """What is said by the listener, which is told to stop when the talk is over."""
    said: list[str] = []
    wrong: list[BaseException] = []

    def client() -> None:
        try:
            talk()
        except BaseException as error:
            wrong.append(error)
        if stops or wrong:
            os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=client)

    def say(words: str) -> None:
        said.append(words)
        if not said[1:]:
            thread.start()

    try:
        code = listening.listen(config, where, say)
    finally:
        if said:
            thread.join()
        assert wrong == []
        assert "committer" not in {one.name for one in threading.enumerate()}
    assert code == 0
    return said


def waiting(host: Host) -> list[bytes]:
    with host.ledger.read() as tx:
        return [letters.get(tx, one.sha256) or b"" for one in letters.waiting(tx)]


def test_each_recipient_has_an_answer_and_every_mail_is_stored_as_it_was_sent(host: Host) -> None:
    hard = [
        mail(2) + b".\r\n..\r\n.hidden\r\n\r\n.\r\n",
        mail(3) + b"a\n.\nb\r.\rc\n.\r\nd\r\n",  # nothing but CR LF . CR LF ends a mail
        mail(4) + b"x" * 100_000 + b"\r\n",
    ]
    place = host.config.folder / "lmtp.sock"

    def talk() -> None:
        assert stat.S_IMODE(place.stat().st_mode) == 0o660
        with Client(place) as client:
            assert {"250-SMTPUTF8", "250-PIPELINING", "250-ENHANCEDSTATUSCODES", f"250-SIZE {LARGEST}"} <= set(
                client.greeting.split("\n")
            )
            assert client.greeting.split("\n")[-1].startswith("250 ")
            assert client.mail(mail(1), ["orders+a@localhost", "orders@localhost"]) == [STORED] * 2
            for raw in hard:
                assert client.mail(raw, sender="") == [STORED]

    mask = os.umask(0o022)
    os.umask(mask)
    said = while_listening(at_night(host), place, talk)
    assert said == [f"Listening on {place}.", "Stopped. Mails: 4, in 4 commits."]
    assert not place.exists()
    assert os.umask(mask) == mask
    first, *others = waiting(host)
    assert first.startswith(b"Return-Path: <anna@players.example>\r\nDelivered-To: orders+a@localhost\r\n")
    assert [raw.partition(b"Delivered-To: orders@localhost\r\n")[2] for raw in others] == hard


def test_what_is_too_large_is_read_to_its_end_and_refused(host: Host) -> None:
    fits = mail(1) + b"x" * (LARGEST - len(mail(1)) - 2) + b"\r\n"
    place = host.config.folder / "lmtp.sock"

    def talk() -> None:
        with Client(place) as client:
            assert client.mail(fits) == [STORED]
            for large in (b"y" + fits, b"line\r\n" * (LARGEST // 5), b"z" * 3 * LARGEST):
                assert client.mail(large, ["a@localhost", "b@localhost"]) == [lmtp.TOO_LARGE] * 2
            assert client.mail(mail(2)) == [STORED]

    while_listening(at_night(host), place, talk)
    assert len(waiting(host)) == 2


def test_a_mail_in_pieces_is_bounded_in_memory() -> None:
    """What is beyond the limit is not kept, also when a later line would fit again."""

    async def read(raw: bytes) -> bytes | None:
        reader = asyncio.StreamReader(limit=lmtp.BUFFER)
        reader.feed_data(raw)
        return await lmtp.content(reader)

    assert asyncio.run(read(b"..a\r\n.\r\n")) == b".a\r\n"
    assert asyncio.run(read(b"x" * lmtp.BUFFER + b".y\r\n.\r\n")) == b"x" * lmtp.BUFFER + b".y\r\n"
    line = b"x" * 1022 + b"\r\n"
    whole = line * (LARGEST // 1024)
    assert asyncio.run(read(whole + b".\r\n")) == whole
    assert asyncio.run(read(whole + b"\r\n.\r\n")) is None
    assert asyncio.run(read(whole + line + b"\r\n.\r\n")) is None


def test_commands_out_of_order_and_odd_ones_are_answered(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lmtp, "RECIPIENTS", 2)
    place = host.config.folder / "lmtp.sock"

    def talk() -> None:
        with Client(place, greet=False) as client:
            assert client("DATA").startswith("503")
            assert client("RCPT TO:<a@b>")[:1] == "5"
        with Client(place) as client:
            assert client("DATA").startswith("503 5.5.1 No recipient yet")
            assert client('MAIL FROM:<"a@b>')[:1] in "25"
            client("RSET")
            client("MAIL FROM:<a@b>")
            assert [client(f"RCPT TO:<r{n}@localhost>")[:3] for n in range(3)] == ["250", "250", "452"]
            assert client("DATA now").startswith("501 5.5.4 DATA takes nothing")
            assert client("DATA").startswith("354")
            client.send(mail(1))
            assert [client.answer(), client.answer()] == [STORED, STORED]

    while_listening(at_night(host), place, talk)
    assert len(waiting(host)) == 1


def test_what_the_parser_of_addresses_trips_over_is_refused() -> None:
    counter = lmtp.Counter(lambda message: asyncio.sleep(0))
    assert asyncio.run(counter.handle_exception(ValueError("x"))) == "501 5.5.4 That cannot be understood"


def test_it_is_idle_when_the_last_mail_in_hand_is_taken() -> None:
    counter = lmtp.Counter(lambda message: asyncio.sleep(0))
    assert counter.idle.is_set()
    counter.begin()
    counter.begin()
    counter.end()
    assert not counter.idle.is_set()
    counter.end()
    assert counter.idle.is_set()


def test_only_so_many_connections_are_open(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lmtp, "CONNECTIONS", 2)
    place = host.config.folder / "lmtp.sock"

    def talk() -> None:
        with Client(place), Client(place) as second:
            with Client(place, greet=False) as third:
                assert third.banner.startswith("421 4.3.2")
                with suppress(ConnectionError):
                    assert third.answer() == ""
            assert second.mail(mail(1)) == [STORED]

    while_listening(at_night(host), place, talk)


def test_who_is_idle_is_sent_away(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lmtp, "PATIENCE", 0.2)
    place = host.config.folder / "lmtp.sock"

    def talk() -> None:
        with Client(place) as client:
            assert client.answer() == ""

    while_listening(at_night(host), place, talk)


def test_a_mail_in_hand_is_taken_before_it_stops_and_the_idle_are_sent_away(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = host.config.folder / "lmtp.sock"
    closing_down = threading.Event()
    real = listening._close

    async def close(server: asyncio.Server, counter: lmtp.Counter) -> None:
        closing_down.set()
        await real(server, counter)

    monkeypatch.setattr(listening, "_close", close)

    def talk() -> None:
        with Client(place) as client, Client(place) as idle:
            client.begin(["orders@localhost"])
            os.kill(os.getpid(), signal.SIGTERM)
            assert closing_down.wait(20)
            until(lambda: nobody_listens(place))
            client.send(mail(1))
            assert client.answer() == STORED
            assert idle.answer() == ""

    while_listening(at_night(host), place, talk, stops=False)
    assert len(waiting(host)) == 1


def stopped_while_held(host: Host, place: Path, begin: Callable[[Client], object]) -> bool:
    """Stop listening while a client keeps its line open after what it has begun; whether it was still there then."""
    begun, over = threading.Event(), threading.Event()

    def hold() -> None:
        with Client(place) as client:
            begin(client)
            begun.set()
            over.wait(60)

    holder = threading.Thread(target=hold)

    def talk() -> None:
        holder.start()
        assert begun.wait(60)

    while_listening(at_night(host), place, talk)
    still_there = holder.is_alive()
    over.set()
    holder.join()
    return still_there


def test_a_mail_that_never_ends_is_waited_for_no_longer_than_a_grace(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "GRACE", 0.2)
    place = host.config.folder / "lmtp.sock"
    assert stopped_while_held(host, place, lambda client: client.begin(["orders@localhost"]))
    assert waiting(host) == []


def test_who_does_not_read_our_answers_keeps_nobody_from_stopping(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: it ran in circles, a whole processor long, until he went away himself."""
    monkeypatch.setattr(listening, "GOODBYE", 0.2)
    place = host.config.folder / "lmtp.sock"

    def shout(client: Client) -> None:
        client.line.settimeout(1)
        with suppress(TimeoutError):
            while True:
                client.line.sendall(b"LHLO client.example\r\n" * 100)

    assert stopped_while_held(host, place, shout)


@pytest.mark.parametrize(
    ("trouble", "answer"),
    [(NotWritten(Path("x"), "full"), lmtp.NO_ROOM), (LedgerBusy(Path("x")), lmtp.LATER)],
    ids=["full", "busy"],
)
def test_trouble_with_the_ledger_is_told_to_the_mail_server(
    host: Host, monkeypatch: pytest.MonkeyPatch, trouble: Trouble, answer: str
) -> None:
    def fail(*_: Any) -> NoReturn:
        raise trouble

    monkeypatch.setattr(committing, "store", fail)
    place = host.config.folder / "lmtp.sock"
    full = isinstance(trouble, NotWritten)

    def talk() -> None:
        with Client(place) as client:
            assert client.mail(mail(1)) == [answer]

    if full:
        with pytest.raises(Trouble, match="could not be written, so no more mail is taken") as ended:
            while_listening(at_night(host), place, talk, stops=False)
        assert ended.value.exit_code == 75
    else:
        while_listening(at_night(host), place, talk)
    assert waiting(host) == []


def test_a_port_of_this_machine_and_one_in_use(host: Host) -> None:
    place = Place("127.0.0.1", free_port())

    def talk() -> None:
        with Client((place.host, place.port)) as client:
            assert client.mail(mail(1)) == [STORED]
        with pytest.raises(Trouble, match="cannot be listened on"):
            asyncio.run(listening._server(place, asyncio.Protocol))

    assert while_listening(at_night(host), place, talk)[0] == f"Listening on {place}."


def test_a_socket_that_is_left_over_is_taken_and_nothing_else(host: Host) -> None:
    place = host.config.folder / "lmtp.sock"
    config = at_night(host)
    with closing(socket.socket(socket.AF_UNIX)) as left:
        left.bind(str(place))
    while_listening(config, place, lambda: Client(place).close())
    with closing(socket.socket(socket.AF_UNIX)) as other:
        other.bind(str(place))
        other.listen()
        with pytest.raises(Busy, match="Another `pbem listen` is at work"):
            listening.listen(config, place, lambda words: None)
    place.unlink()
    place.write_text("no socket")
    with pytest.raises(Trouble, match="is no socket; it is left alone"):
        listening.listen(config, place, lambda words: None)
    assert place.read_text() == "no socket"
    with pytest.raises(Trouble, match="cannot be listened on"):
        listening.listen(config, host.config.folder / "no" / "such.sock", lambda words: None)


@pytest.mark.parametrize("hidden", [False, True])
def test_who_started_it_is_told(host: Host, monkeypatch: pytest.MonkeyPatch, hidden: bool) -> None:
    """By a path, or by a name that stands in no folder."""
    path = str(host.config.folder / "notify")
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as told:
        told.bind(f"\0{path}" if hidden else path)
        told.settimeout(20)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{path}" if hidden else path)
        while_listening(at_night(host), host.config.folder / "lmtp.sock", lambda: None)
        assert [told.recv(100), told.recv(100)] == [b"READY=1", b"STOPPING=1"]
    monkeypatch.setenv("NOTIFY_SOCKET", f"{path}-nobody")
    listening._tell_systemd("READY=1")  # nobody listens: that is no trouble


def test_a_child_judges_what_was_stored_before_and_what_comes(host: Host) -> None:
    place = host.config.folder / "lmtp.sock"
    with host.ledger.write() as tx:
        letters.arrive(tx, mail(9), NOW, "mail", "<9@players.example>")

    def talk() -> None:
        until(lambda: not waiting(host))
        with Client(place) as client:
            assert client.mail(mail(1)) == [STORED]
        until(lambda: not waiting(host))

    while_listening(replace(host.config, mail=replace(host.config.mail, at_once=True)), place, talk)
    assert waiting(host) == []


def nobody_listens(place: Path) -> bool:
    with closing(socket.socket(socket.AF_UNIX)) as knock:
        return knock.connect_ex(str(place)) != 0


class Judged:
    """What stands for the child."""

    def __init__(self, config: Config) -> None:
        self.heard: list[str] = []
        judges.append(self)

    def wake(self) -> None:
        self.heard.append("wake")

    def close(self) -> None:
        self.heard.append("close")


judges: list[Judged] = []


def test_the_child_is_woken_at_the_start_and_by_mails_and_let_go_at_the_end(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    judges.clear()
    monkeypatch.setattr(listening, "Judge", Judged)
    place = host.config.folder / "lmtp.sock"

    def talk() -> None:
        with Client(place) as client:
            client.mail(mail(1))

    while_listening(replace(host.config, mail=replace(host.config.mail, at_once=True)), place, talk)
    assert [one.heard for one in judges] == [["wake", "wake", "close"]]
    while_listening(at_night(host), place, lambda: None)
    assert len(judges) == 1, "at night there is none"
    nowhere = replace(host.config, ledger=host.config.folder / "nowhere.db")
    with pytest.raises(Trouble):
        listening.listen(nowhere, place, lambda words: None)
    assert len(judges) == 1, "nor where the ledger cannot be opened"


def handles() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_child_takes_one_handle_and_leaves_nothing(host: Host) -> None:
    before = handles()
    judge = listening.Judge(host.config)
    assert handles() == before + 1
    assert not os.get_blocking(judge._said)
    judge.close()
    assert handles() == before
    with pytest.raises(ProcessLookupError):
        os.kill(judge._pid, 0)


def test_a_socket_that_somebody_took_away_stops_nobody(host: Host) -> None:
    place = host.config.folder / "lmtp.sock"
    assert while_listening(at_night(host), place, place.unlink)[-1] == "Stopped. Mails: 0, in 0 commits."


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)


class Ended(BaseException):
    """The child would end here."""


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(code: int) -> NoReturn:
        assert code == 0
        raise Ended

    monkeypatch.setattr(os, "_exit", ends)


def heard(words: bytes) -> int:
    reads, writes = os.pipe()
    os.write(writes, words)
    os.close(writes)
    return reads


@pytest.mark.usefixtures("child")
def test_the_child_judges_whenever_it_is_woken_and_ends_with_its_parent(host: Host) -> None:
    with host.ledger.write() as tx:
        letters.arrive(tx, mail(1), NOW, "mail", "<1@players.example>")
    with pytest.raises(Ended):
        listening._judge(host.config, heard(b".."))
    assert waiting(host) == []
    assert signal.getsignal(signal.SIGINT) == signal.getsignal(signal.SIGTERM) == signal.SIG_IGN


@pytest.mark.usefixtures("child")
def test_a_child_that_cannot_open_the_ledger_waits_for_the_next_word(host: Host) -> None:
    nowhere = replace(host.config, ledger=host.config.folder / "nowhere.db")
    with pytest.raises(Ended):
        listening._judge(nowhere, heard(b"."))
    assert not (host.config.folder / "pbem-fault.log").exists()


@pytest.mark.usefixtures("child")
def test_a_fault_of_the_child_is_written_down(host: Host) -> None:
    gone = heard(b"")
    os.close(gone)
    with pytest.raises(Ended):
        listening._judge(host.config, gone)
    assert "Bad file descriptor" in (host.config.folder / "pbem-fault.log").read_text()


def test_a_child_that_is_deaf_or_dead_is_woken_in_vain(host: Host) -> None:
    judge = object.__new__(listening.Judge)
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    judge._said = writes
    for _ in range(70_000):  # a pipe holds 65,536
        judge.wake()
    os.close(reads)
    judge.wake()
    os.close(writes)
