"""What is fuzzed: functions that take any bytes and fail only where the program does.

Each asks of its input what a host must be able to rely on: there is an answer, it is of the promised kind, it goes to
JSON and back, and nothing in it can steer a terminal. Whatever else is raised is a bug that was found.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from engine import BadPosition, games, load
from pbem.audit.exported import ExportBook
from pbem.audit.verify import verify
from pbem.cli import run
from pbem.engine_protocol import Session
from pbem.errors import Trouble
from pbem.intake.fields import read_form
from pbem.intake.limits import USUAL
from pbem.intake.mail import evidence
from pbem.intake.mail.headers import split
from pbem.intake.mail.reading import MailReading
from pbem.intake.mail.walk import read_mail
from tests.fuzz_orders import RELAY, ask

Target = Callable[[bytes], None]
OURS, MX, SIGNER = ("orders@pbem.test",), "mx.pbem.test", "mail.example"
RESULTS = {"pass", "fail", "policy", "permerror", "temperror", "neutral", "none", "softfail", "unchecked"}
SAMPLES, HISTORY = Path(__file__).parent / "samples", "history.jsonl"
EXIT_CODES = (0, 1, 2, 3, 5)


def mail(data: bytes) -> None:
    """Read any bytes as a mail."""
    found = read_mail(data, ours=OURS, authserv=MX)
    assert MailReading.from_json(json.loads(json.dumps(found.to_json()))) == found
    assert found.shown.isprintable()
    assert not (found.automatic and found.command)
    for block in found.blocks:
        assert block.reading.form is not None or block.reading.problems


def orders(data: bytes) -> None:
    """Read any bytes as a file of orders, and judge them."""
    for body in (False, True):
        ask(data, read_form(data, body=body), RELAY)


@cache
def signed_mail() -> tuple[bytes, bytes]:
    """Return a mail that its domain has signed, and the record of its key; kept, so that each run has the same."""
    return (SAMPLES / "mail.eml").read_bytes(), (SAMPLES / "record.txt").read_bytes()


def signatures(data: bytes) -> None:
    """Check any bytes as a signed mail, or as an Authentication-Results header."""
    genuine, record = signed_mail()
    headers, _ = split(data, USUAL)
    wanted, _ = split(genuine, USUAL)
    for check in evidence.own_dkim(data, headers, lambda name, timeout: record):
        assert check.result in RESULTS
        if check.result == "pass":  # nobody here has the private key: it must be the genuine mail
            assert check.domain == SIGNER
            assert (headers.all("from"), headers.all("subject")) == (wanted.all("from"), wanted.all("subject"))
    line = data.replace(b"\r", b" ").replace(b"\n", b" ")
    headers, _ = split(b"Authentication-Results: " + line + b"\r\n\r\n", USUAL)
    for check in evidence.from_server(b"From: a@b.example\r\n\r\n", headers, MX).checks:
        assert check.method in evidence.METHODS
        assert check.result.isalpha()
        assert not check.domain or evidence.DOMAIN.fullmatch(check.domain)


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="pbem-fuzz-"))


@cache
def _sample() -> dict[str, bytes]:
    """Return the members of an export that is true."""
    with zipfile.ZipFile(SAMPLES / "true.pbem") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def export(data: bytes) -> None:
    """Check any bytes as an exported file: as they are, and as the history within one that is whole."""
    file = _folder() / "game.pbem"
    file.write_bytes(data)
    _checked(file)
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in _sample().items():
            archive.writestr(name, data if name == HISTORY else content)
    _checked(file)


def _checked(file: Path) -> None:
    with contextlib.suppress(Trouble):
        verify(ExportBook(file), ())


@cache
def _host() -> Path:
    """A host with a game, whose ledger is put back before each input."""
    host = _folder() / "host"
    for words in (
        ("init", str(host)),
        ("--config", str(host), "player", "add", "Anna", "anna@example.org"),
        ("--config", str(host), "player", "add", "Bruno", "bruno@example.org"),
        ("--config", str(host), "new", "bagh-chal", "--name", "tiger-hill", "--seat", "1=Anna", "--seat", "2=Bruno"),
    ):
        with contextlib.redirect_stdout(io.StringIO()):
            assert run(list(words)) == 0
    shutil.copytree(host, host.with_name("whole"))
    return host


def ledger(data: bytes) -> None:
    """Change a ledger's bytes where the input says (an offset of three bytes, then what stands there) and verify it."""
    host = _host()
    raw = bytearray((host.with_name("whole") / "ledger.db").read_bytes())
    for at in range(0, len(data) - 3, 8):
        place = int.from_bytes(data[at : at + 3], "big") % len(raw)
        raw[place : place + 5] = data[at + 3 : at + 8]
    for beside in host.glob("ledger.db-*"):
        beside.unlink()
    (host / "ledger.db").write_bytes(raw)
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = run(["--config", str(host), "audit", "verify", "--all"])
    assert code in EXIT_CODES, said.getvalue()
    assert all(letter.isprintable() or letter == "\n" for letter in said.getvalue())


def position(data: bytes) -> None:
    """Read any bytes as the position line of each game."""
    line = data.decode("utf-8", "replace")
    for name in games():
        rules = load(name)
        with contextlib.suppress(BadPosition):
            state = rules.from_position(line)
            said = rules.position(state)
            assert rules.position(rules.from_position(said)) == said
            rules.pending(state)


def engine(data: bytes) -> None:
    """Put any lines to a session of `pbem engine`."""
    for name in games()[:2]:
        session = Session(load(name), {})
        for line in data.decode("utf-8", "replace").split("\n")[:6]:
            said: Any = json.loads(session.answer(line))
            assert said["ok"] or said["error"]["code"] != "fault", said
            if session.over:
                break


TARGETS: dict[str, Target] = {
    target.__name__: target for target in (mail, orders, signatures, export, ledger, position, engine)
}


def shown(data: bytes) -> str:
    """An input as one line, to be put into a test."""
    return base64.b64encode(data).decode()
