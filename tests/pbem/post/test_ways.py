"""The other ways out: Maildir, the machine's mail command, files; readable copies beside any of them."""

from __future__ import annotations

import json
import mailbox
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pbem import faults
from pbem.ledger import outbox, rebuild
from pbem.ledger.dump import canonical_dump
from pbem.ledger.outbox import REFUSED, SENT
from pbem.ledger.store import Ledger
from pbem.post import sendmail
from pbem.post.settings import MAILDIR, SENDMAIL
from tests.pbem.post.conftest import NOON, Sender, by_smtp
from tests.pbem.post.rude import Rude
from tests.pbem.post.test_faults import Killed, killed_at


def unix(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n")


# --- Maildir ---


def test_a_maildir_holds_every_mail_once_with_its_envelope(sender: Sender, tmp_path: Path) -> None:
    post = {"by": MAILDIR, "maildir": tmp_path / "box", "tags": True}
    assert sender.deliver(NOON, **post) == {SENT: 5}
    box = mailbox.Maildir(tmp_path / "box", create=False)
    found = {message["Message-ID"]: bytes(message) for message in box}
    assert found.keys() == sender.raws().keys()
    for file in (tmp_path / "box" / "new").iterdir():
        above, _, rest = file.read_bytes().partition(b"Message-ID: ")
        raw = sender.raws()[rest.partition(b"\n")[0].decode()]
        assert b"Message-ID: " + rest == unix(raw)[unix(raw).index(b"Message-ID: ") :]
        assert unix(raw).partition(b"Message-ID: ")[0] in above
        assert above.startswith(b"Return-Path: <orders+bounce.")
        assert b"\nDelivered-To: " in above


def test_a_maildir_that_was_read_meanwhile_gets_nothing_twice(sender: Sender, tmp_path: Path) -> None:
    post = {"by": MAILDIR, "maildir": tmp_path / "box"}
    faults.arm(killed_at("mails-written", 0))
    with pytest.raises(Killed):
        sender.deliver(NOON, **post)
    faults.arm(None)
    for file in (tmp_path / "box" / "new").iterdir():
        file.rename(tmp_path / "box" / "cur" / f"{file.name}:2,S")
    assert sender.deliver(NOON, **post) == {SENT: 5}
    assert not list((tmp_path / "box" / "new").iterdir())


def test_a_maildir_that_cannot_be_written_loses_nothing(sender: Sender, tmp_path: Path) -> None:
    (tmp_path / "box").write_text("a file")
    counts = sender.deliver(NOON, by=MAILDIR, maildir=tmp_path / "box")
    assert counts == {"later": 5}
    assert all("box" in mail.detail and mail.next_try_at for mail in sender.mails())


# --- the mail command ---

COMMAND = """\
#!{python}
import json, pathlib, sys, time
here = pathlib.Path(__file__).parent
wants = json.loads((here / "wants.json").read_text())
with (here / "calls.jsonl").open("a") as calls:
    calls.write(json.dumps([sys.argv[1:], sys.stdin.buffer.read().decode()]) + "\\n")
sys.stderr.write(wants["says"])
sys.stderr.flush()
time.sleep(wants["sleeps"])
sys.exit(wants["code"])
"""


@pytest.fixture
def command(tmp_path: Path) -> Path:
    path = tmp_path / "sendmail"
    path.write_text(COMMAND.format(python=sys.executable))
    path.chmod(0o700)
    return path


def told(command: Path, code: int = 0, says: str = "", sleeps: float = 0) -> dict[str, Any]:
    (command.parent / "wants.json").write_text(json.dumps({"code": code, "says": says, "sleeps": sleeps}))
    return {"by": SENDMAIL, "sendmail": (str(command), "-i"), "tags": True}


def calls(command: Path) -> list[tuple[list[str], str]]:
    return [tuple(json.loads(line)) for line in (command.parent / "calls.jsonl").read_text().splitlines()]


def test_the_command_gets_addresses_after_two_hyphens(sender: Sender, command: Path) -> None:
    assert sender.deliver(NOON, **told(command)) == {SENT: 5}
    raws = sender.raws()
    for arguments, text in calls(command):
        message_id = text.partition("Message-ID: ")[2].partition("\n")[0]
        assert text.encode() == unix(raws[message_id])
        assert arguments[:2] == ["-i", "-f"]
        assert arguments[2] == f"orders+bounce.{message_id[1:31]}@pbem.test"
        assert arguments[3] == "--"
        assert len(arguments) == 5


@pytest.mark.parametrize(
    ("code", "counts", "state"),
    [
        (0, {SENT: 5}, "sent"),
        (65, {REFUSED: 5}, "refused"),
        (67, {REFUSED: 5}, "refused"),
        (68, {REFUSED: 5}, "refused"),
        (75, {"later": 3}, "refused"),
        (78, {"later": 3}, "refused"),
        (1, {"later": 3}, "refused"),
    ],
)
def test_what_the_command_ends_with_is_read(
    sender: Sender, command: Path, code: int, counts: dict[str, int], state: str
) -> None:
    assert sender.deliver(NOON, **told(command, code, "sorry\x1b[31m\nno")) == counts
    tried = [mail for mail in sender.mails() if mail.tries]
    assert {mail.state for mail in tried} == {state}
    if code:
        assert all("sorry" in mail.detail and "\x1b" not in mail.detail for mail in tried)
        assert all((mail.next_try_at is None) == (code in sendmail.REFUSALS) for mail in tried)


def test_so_much_of_what_a_command_says_is_looked_at(sender: Sender, command: Path) -> None:
    sender.deliver(NOON, **told(command, 1, " " * 499 + "xyz"))
    assert sender.mails()[0].detail == f"{command} ended with 1: x"


def test_a_command_that_hangs_is_killed_and_its_mail_sent_again(sender: Sender, command: Path) -> None:
    post = told(command, sleeps=60)
    assert sender.deliver(NOON, mail_seconds=1, **post) == {"unknown": 3}
    post = told(command)
    sender.until_all_is_said(NOON, **post)
    texts = [text for _, text in calls(command)]
    assert len(set(texts)) == 5  # those sent twice are the same to the byte
    assert len(texts) <= 8, "where the machine is slow a command was killed before it had begun"


def test_a_command_that_is_not_there(sender: Sender) -> None:
    assert sender.deliver(NOON, by=SENDMAIL, sendmail=("/nowhere/sendmail",)) == {"later": 3}
    assert "No such file" in sender.mails()[0].detail


# --- files, and copies beside another way ---


def test_copies_are_what_the_files_would_be(sender: Sender) -> None:
    with Rude() as server:
        sender.deliver(NOON, copies=True, **by_smtp(server.port))
    copied = {path.relative_to(sender.config.outbox): path.read_bytes() for path in files(sender)}
    with opened(sender) as ledger, ledger.write() as tx:
        for mail in sender.mails():
            outbox.fate(tx, mail, outbox.QUEUED, NOON, next_try_at=NOON)
    sender.deliver(NOON)
    as_files = {path.relative_to(sender.config.outbox): path.read_bytes() for path in files(sender)}
    assert copied == {name: data for name, data in as_files.items() if name.parts[0] != "mail"}
    assert len([name for name in as_files if name.parts[0] == "mail"]) == 5


def opened(sender: Sender) -> closing[Ledger]:
    return closing(Ledger.open(sender.config.ledger))


def files(sender: Sender) -> list[Path]:
    return [path for path in sender.config.outbox.rglob("*") if path.is_file()]


def test_a_ledger_that_was_sent_from_can_be_rebuilt(sender: Sender) -> None:
    with Rude(plan=lambda n: {1: "550 at RCPT", 2: "452 at the dot", 3: "drop after the dot"}.get(n, "")) as server:
        sender.deliver(NOON, **by_smtp(server.port))
    with opened(sender) as ledger:
        before = canonical_dump(ledger)
        rebuild.rebuild(ledger)
        assert canonical_dump(ledger) == before
