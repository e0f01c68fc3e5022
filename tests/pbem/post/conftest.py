"""A host with the mails of one night waiting, and servers to send them to."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.care.settling import settle
from pbem.config import Config, load
from pbem.delivering import deliver
from pbem.game.hosting import NewGame, add_player, new_game
from pbem.ledger import Ledger, outbox
from pbem.ledger.outbox import OutMail
from pbem.ledger.signing import signer
from pbem.pictures.finishing import finished
from pbem.post.settings import SMTP, Post, Smtp
from pbem.post.signing import signed
from pbem.settings import Place

NOON = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
GAMES = {"heaps": ("nim", ("1", "2")), "safe": ("vault", ("red", "green", "blue"))}
SOON = timedelta(minutes=70)  # longer than any pause between two tries


def secret(word: str) -> bytes:
    return hashlib.sha256(word.encode()).digest()


@dataclass
class Sender:
    """A host that sends."""

    config: Config

    def deliver(self, now: datetime = NOON, **post: Any) -> dict[str, int]:
        """One run, as `pbem deliver` does it."""
        config = replace(self.config, post=replace(self.config.post, **post))
        with closing(Ledger.open(config.ledger)) as ledger:
            return deliver(config, ledger, now)

    def until_all_is_said(self, now: datetime, **post: Any) -> int:
        """Run after run, until nothing is tried any more; gives how many runs that took."""
        for run in range(1, 200):
            now += SOON
            self.deliver(now, **post)
            with self.reading() as tx:
                if not outbox.waiting(tx):
                    return run
        raise AssertionError("mails wait for ever")

    def reading(self) -> Any:
        return _Reading(self.config.ledger)

    def mails(self) -> list[OutMail]:
        with self.reading() as tx:
            return [mail for game in ("@host", *GAMES) for mail in outbox.of_game(tx, game)]

    def raws(self) -> dict[str, bytes]:
        """Every mail as it leaves."""
        mails = self.mails()
        with self.reading() as tx:
            stored = {mail.message_id: outbox.raw(tx, mail.message_id) for mail in mails}
        with closing(Ledger.open(self.config.ledger)) as ledger:
            ready, key = finished(ledger, stored, 1), signer(ledger.keys)
        assert key is not None
        return {mail.message_id: signed(key, mail, stored[mail.message_id], ready[mail.message_id]) for mail in mails}


class _Reading:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> Any:
        self.ledger = Ledger.open(self.path)
        self.context = self.ledger.read()
        return self.context.__enter__()

    def __exit__(self, *_: Any) -> None:
        self.context.__exit__(None, None, None)
        self.ledger.close()


@pytest.fixture(scope="session")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a host whose games have just begun: five reports wait."""
    folder = tmp_path_factory.mktemp("post") / "host"
    settle(folder, secret=secret("host"))
    path = folder / "pbem.toml"
    path.write_text(path.read_text().replace("orders@localhost", "orders@pbem.test"))
    config = load(path)
    with closing(Ledger.open(config.ledger)) as ledger, ledger.write() as tx:
        for seat in sorted({seat for _, seats in GAMES.values() for seat in seats}):
            add_player(tx, f"player-{seat}", f"{seat}@players.example", "en", "UTC", NOON, secret(seat))
        for name, (rules, seats) in GAMES.items():
            secrets = {"seed": secret(f"seed {name}"), "secret": secret(f"chain {name}")}
            players = {seat: f"player-{seat}" for seat in seats}
            new_game(
                tx,
                replace(config, post=Post(tags=True, page=False)),  # pages are asked about in tests/pages
                NewGame(rules=rules, name=name, seats=players, **secrets),
                NOON,
            )
    return folder


@pytest.fixture
def sender(waiting: Path, tmp_path: Path) -> Sender:
    return sender_in(waiting, tmp_path / "host")


def sender_in(waiting: Path, folder: Path) -> Sender:
    """A host of its own that is as the prepared one."""
    shutil.copytree(waiting, folder)
    return Sender(load(folder / "pbem.toml"))


def by_smtp(port: int, **more: Any) -> dict[str, Any]:
    """The settings of a host that sends through a server on this machine."""
    smtp = {name: more.pop(name) for name in ("tls", "user", "password_file", "ca_file") if name in more}
    return {"by": SMTP, "tags": True, "smtp": Smtp(Place("127.0.0.1", port), **{"tls": "none", **smtp}), **more}


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for this machine, with its key, in one file."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    key, cert, both = folder / "key.pem", folder / "cert.pem", folder / "both.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)]
    subprocess.run(command, check=True, capture_output=True)
    both.write_bytes(key.read_bytes() + cert.read_bytes())
    return both
