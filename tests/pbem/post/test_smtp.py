"""The way out through a polite server: STARTTLS, AUTH, one connection for many mails; and what is refused outright."""

from __future__ import annotations

import ssl
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email import policy
from email.parser import BytesParser
from pathlib import Path
from typing import Any

import pytest

from pbem.config import load
from pbem.errors import Trouble
from pbem.ledger.outbox import SENT
from pbem.ledger.transaction import Write
from pbem.post.backoff import pause
from pbem.post.settings import Post
from tests.mail.servers.places import free_port
from tests.pbem.post.conftest import NOON, Sender, by_smtp
from tests.pbem.post.rude import Rude, count_by_id
from tests.pbem.post.scripted import Scripted

aiosmtpd = pytest.importorskip("aiosmtpd.controller", reason="aiosmtpd is not installed")
PASSWORD = "correct horse"


class Box:
    """What a polite server was given."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, list[str], bytes]] = []
        self.peers: set[Any] = set()
        self.encrypted: list[bool] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.taken.append((envelope.mail_from, list(envelope.rcpt_tos), envelope.original_content))
        self.peers.add(session.peer)
        self.encrypted.append(session.ssl is not None)
        return "250 OK"


def right(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> Any:
    from aiosmtpd.smtp import AuthResult, LoginPassword

    good = isinstance(data, LoginPassword) and (data.login, data.password) == (b"orders", PASSWORD.encode())
    return AuthResult(success=good, handled=good)


@contextmanager
def polite(certificate: Path | None = None, **more: Any) -> Iterator[tuple[Box, int]]:
    from aiosmtpd.controller import Controller

    box = Box()
    if certificate is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate)
        more |= {"tls_context": context, "require_starttls": True, "authenticator": right, "auth_required": True}
    port = free_port()
    controller = Controller(box, hostname="127.0.0.1", port=port, **more)
    controller.start()
    try:
        yield box, port
    finally:
        controller.stop()


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o600)
    return path


def test_many_mails_on_one_connection_encrypted_and_logged_in(
    sender: Sender, certificate: Path, tmp_path: Path
) -> None:
    password = written(tmp_path / "smtp.pass", f"{PASSWORD}\n")
    with polite(certificate) as (box, port):
        post = by_smtp(port, tls="starttls", user="orders", password_file=password, ca_file=certificate)
        assert sender.deliver(NOON, **post) == {SENT: 5}
    assert len(box.peers) == 1
    assert box.encrypted == [True] * 5
    raws = sorted(sender.raws().values())
    assert sorted(raw for _, _, raw in box.taken) == raws
    for mail_from, recipients, raw in box.taken:
        message = BytesParser(policy=policy.default).parsebytes(raw)
        assert recipients == [message["To"].addresses[0].addr_spec]
        assert mail_from == f"orders+bounce.{message['Message-ID'][1:31]}@pbem.test"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"user": "orders", "password": "wrong"}, "535"),
        ({"user": "orders", "password": ""}, "is empty"),
        ({"user": "orders", "password": PASSWORD, "ca": False}, "TLS failed"),
        ({}, "530"),
    ],
)
def test_who_is_not_let_in_loses_nothing(
    sender: Sender, certificate: Path, tmp_path: Path, more: dict[str, Any], said: str
) -> None:
    settings = {"user": more["user"], "password_file": tmp_path / "p"} if more else {}
    written(tmp_path / "p", more.get("password", ""))
    with polite(certificate) as (box, port):
        post = by_smtp(port, tls="starttls", ca_file=certificate if more.get("ca", True) else None, **settings)
        counts = sender.deliver(NOON, **post)
    assert set(counts) == {"later"}
    assert not box.taken
    details = [mail.detail for mail in sender.mails() if mail.tries]
    assert all(said in detail for detail in details), details
    assert not any(PASSWORD in detail or "wrong" in detail for detail in details)


@pytest.mark.parametrize("ways", ["PLAIN LOGIN", "login plain"])
def test_a_password_may_have_any_letter(sender: Sender, tmp_path: Path, ways: str) -> None:
    """Seen red: smtplib writes ASCII only, and its words, which the journal keeps, quoted the letter and its place."""
    password = written(tmp_path / "smtp.pass", "perché no\n")
    with Scripted({"EHLO": f"250-scripted\r\n250 AUTH {ways}", "AUTH": "235 good"}) as server:
        assert sender.deliver(NOON, **by_smtp(server.port, user="orders", password_file=password)) == {SENT: 5}
    assert b64decode(server.heard[1].removeprefix("AUTH PLAIN ")).decode() == "\0orders\0perché no"


@pytest.mark.parametrize(
    ("ways", "answer", "said"),
    [("LOGIN CRAM-MD5", "235 good", "no way to log in"), ("PLAIN", "535 no", "does not let orders in")],
)
def test_such_a_password_that_is_not_taken_stands_in_no_words(
    sender: Sender, tmp_path: Path, ways: str, answer: str, said: str
) -> None:
    password = written(tmp_path / "smtp.pass", "perché no\n")
    with Scripted({"EHLO": f"250-scripted\r\n250 AUTH {ways}", "AUTH": answer}) as server:
        assert set(sender.deliver(NOON, **by_smtp(server.port, user="orders", password_file=password))) == {"later"}
    details = [mail.detail for mail in sender.mails() if mail.tries]
    assert all(said in detail and "xe9" not in detail for detail in details), details


def test_a_server_without_starttls_gets_nothing_in_the_clear(sender: Sender, certificate: Path) -> None:
    with Rude() as server:
        counts = sender.deliver(NOON, **by_smtp(server.port, tls="starttls", ca_file=certificate))
        assert counts == {"later": 3}
        assert not [line for line in server.lines if line.upper().startswith((b"MAIL", b"AUTH"))]


def test_tls_from_the_first_byte(sender: Sender, certificate: Path) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    with Rude(tls=context, implicit=True) as server:
        assert sender.deliver(NOON, **by_smtp(server.port, tls="tls", ca_file=certificate)) == {SENT: 5}
    assert len(server.taken) == 5


def test_after_trouble_there_is_a_new_connection(sender: Sender) -> None:
    with Rude(plan=lambda n: "drop after the dot" if n == 1 else "") as server:
        assert sender.deliver(NOON, **by_smtp(server.port)) == {SENT: 4, "unknown": 1}
        assert server.connections == 2
        assert sorted(count_by_id(server.taken).values()) == [1] * 5


def test_a_dead_server_is_left_alone_after_three_tries(sender: Sender) -> None:
    with Rude() as gone:
        port = gone.port
    assert sender.deliver(NOON, **by_smtp(port)) == {"later": 3}
    assert [mail.tries for mail in sender.mails()] == [1, 1, 1, 0, 0]
    with Rude() as server:
        assert sender.deliver(NOON, **by_smtp(server.port)) == {SENT: 2}  # the others rest a while
        assert sender.deliver(NOON + Post().retry, **by_smtp(server.port)) == {SENT: 3}


def test_an_endless_answer_is_cut_off(sender: Sender) -> None:
    """Weakened: without the bound on what is heard the process would fill its memory until the time is over."""

    def babble(server: Rude) -> None:
        line = b"250-" + b"x" * 500 + b"\r\n"
        with suppress(OSError):
            for _ in range(8000):
                server._open[-1].sendall(line)

    with Rude() as server:
        server.on_mail = lambda: babble(server)
        counts = sender.deliver(NOON, **by_smtp(server.port))
    assert counts == {"later": 3}
    assert all("far too much" in mail.detail for mail in sender.mails() if mail.tries)


def test_the_pauses_grow_from_five_minutes_to_sixty_seven() -> None:
    minutes = [pause(tries, Post()).total_seconds() / 60 for tries in range(1, 8)]
    assert minutes == [5, 10, 20, 40, 67, 67, 67]
    assert pause(10_000, Post()) == Post().retry_most


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('by = "pigeon"', "by: 'pigeon' is none of files, maildir, smtp, sendmail"),
        ('by = "smtp"', "smtp: it is missing; where do mails go?"),
        ('by = "smtp"\nsmtp = "h:x"', "line 3: post.smtp: 'h:x' is no server and port"),
        ('smtp_user = "x"', "smtp_user: it goes with smtp"),
        ('smtp = "mail.example.org"\nsmtp_tls = "none"\nsmtp_user = "x"', "must not travel in the clear"),
        ('smtp = "mail.example.org"\nsmtp_tls = "ssl"', "none of starttls, tls, none"),
        ('by = "sendmail"\nsendmail = "\'"', "is no command"),
        ("mail_seconds = 0", "at least 1"),
        ("copies = 1", "must be true or false"),
        ("copy = true", "did you mean copies"),
    ],
)
def test_slips_in_the_section_are_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "pbem.toml").write_text(f"[post]\n{text}\n")
    with pytest.raises(Trouble, match=r"pbem\.toml[:,] .*post") as refused:
        load(tmp_path / "pbem.toml")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("text", "tls", "port"),
    [
        ('smtp = "mail.example.org"', "starttls", 587),
        ('smtp = "mail.example.org"\nsmtp_tls = "tls"', "tls", 465),
        ('smtp = "mail.example.org"\nsmtp_tls = "none"', "none", 25),
        ('smtp = "localhost"', "none", 25),
        ('smtp = "[::1]:2525"', "none", 2525),
        ('smtp = "localhost:26"\nsmtp_tls = "starttls"', "starttls", 26),
    ],
)
def test_starttls_is_usual_but_on_this_machine(tmp_path: Path, text: str, tls: str, port: int) -> None:
    (tmp_path / "pbem.toml").write_text(f'[post]\nby = "smtp"\n{text}\n')
    post = load(tmp_path / "pbem.toml").post
    assert post.smtp is not None
    assert (post.smtp.tls, post.smtp.place.port, post.tags) == (tls, port, True)


def test_the_fate_of_one_and_the_beginning_of_the_next_are_written_at_once(
    sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, flush = [], Write.flush
    monkeypatch.setattr(Write, "flush", lambda tx: (written.append(tx) if tx._waiting else None, flush(tx))[1])
    with Rude() as server:
        sent = sender.deliver(**by_smtp(server.port))["sent"]
    times = [written.count(tx) for tx in {id(tx): tx for tx in written}.values()]
    assert len(times) > sent, "a transaction for each mail, and one for the fate of the last"
    assert set(times) == {1}, "each is handed on as a whole, of whatever games its mails are"
