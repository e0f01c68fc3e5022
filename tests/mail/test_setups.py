"""The set-ups of cron/mail, each made by the very lines of the how-to: a report leaves, its answer comes in, a receipt
follows. Where the ledger cannot take a mail, Postfix keeps it and offers it again."""

from __future__ import annotations

import json
import re
import smtplib
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage, Message
from pathlib import Path

import pytest

from tests.mail import machine as machines
from tests.mail.conftest import Open
from tests.mail.machine import CRON, Machine
from tests.mail.mailbox import attached
from tests.mail.servers.places import listens
from tests.mail.servers.stack import Stack
from tests.mail.servers.waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("set-ups")]
GAME = "tiger-hill"


@pytest.fixture(scope="module")
def postfix_machine() -> Iterator[Machine]:
    if why := machines.why_not():
        pytest.skip(why)
    with machines.machine() as machine:
        yield machine


@pytest.fixture
def machine(postfix_machine: Machine) -> Machine:
    """A machine with a host on it, by the lines that all set-ups share."""
    here = postfix_machine
    here.clear()
    here.moved |= {"localhost:25": f"localhost:{here.server.smtp}", "127.0.0.1:2424": f"127.0.0.1:{here.lmtp}"}
    here.follow("Mail")
    return here


def begin(here: Machine) -> Message:
    """A game of two whose first reports have left; gives the one to the seat that decides first."""
    for name in machines.NAMES:
        here.pbem("player", "add", name.title(), f"{name}@{machines.PLAYERS}")
    here.pbem("new", "bagh-chal", "--name", GAME, "--seat", "1=Anna", "--seat", "2=Bruno", "--schedule", "all-in")
    here.pbem("deliver")
    reports = [here.wait_for_mail(name, 1)[0] for name in machines.NAMES]
    return next(report for report in reports if menu_of(report))


def answer(report: Message) -> EmailMessage:
    """What a mail program makes of a player's answer: to the address that the report asks for, the form filled in."""
    form, order = attached(report, "orders.yml").decode(), menu_of(report)[0]
    head = "\n".join(line for line in form.splitlines() if line.startswith(("game:", "seat:", "turn:", "key:")))
    mail = EmailMessage()
    mail["From"], mail["To"] = report["To"], report["Reply-To"] or report["From"]
    mail["Subject"], mail["In-Reply-To"] = f"Re: {report['Subject']}", report["Message-ID"]
    mail["Message-ID"] = f"<answer.{report['Message-ID'][1:13]}@players.test>"
    mail.set_content(f"{head}\norders:\n  - {order}\nend: orders\n")
    return mail


def send(here: Machine, mail: EmailMessage) -> None:
    with smtplib.SMTP("localhost", here.server.smtp) as line:
        line.send_message(mail)


def menu_of(report: Message) -> list[str]:
    """Legal moves that the report names; none where the seat has nothing to decide."""
    menu = json.loads(attached(report, "report.json"))["menu"]
    return menu["examples"] if menu else []


def player_of(report: Message) -> str:
    return str(report["To"]).partition("<")[2].partition("@")[0]


def came(here: Machine) -> dict[str, int]:
    """How many messages have which fate, as the host counts them."""
    from pbem.ledger import Ledger, letters

    ledger = Ledger.open(here.host / "ledger.db")
    try:
        with ledger.read() as tx:
            return letters.counts(tx)
    finally:
        ledger.close()


def play(here: Machine, at_once: bool) -> None:
    """An order by mail is taken, and its receipt comes back by mail."""
    report = begin(here)
    send(here, answer(report))
    if at_once:
        until(lambda: came(here).get("accepted") == 1, f"an order that counts\n{here.server.log[-3000:]}")
    else:
        until(lambda: here.pbem("fetch") and came(here), "a mail that is collected", pause=0.2)
    assert came(here) == {"accepted": 1}
    here.pbem("deliver")
    receipt = here.wait_for_mail(player_of(report), 2)[1]
    assert receipt["X-Pbem-Kind"] == "receipt-1"
    assert receipt["In-Reply-To"], "a game is one thread"
    assert json.loads(attached(receipt, "report.json"))["fate"] == "accepted"


def test_alias(machine: Machine) -> None:
    machine.follow("Postfix: an alias")
    play(machine, at_once=True)


def test_a_mail_that_cannot_be_stored_is_offered_again(machine: Machine) -> None:
    """The folder is away for a while, as a disk is that was not mounted: exit code 75, and Postfix keeps the mail."""
    machine.follow("Postfix: an alias")
    report = begin(machine)
    away = machine.host.with_name("away")
    machine.host.rename(away)
    try:
        send(machine, answer(report))
        until(lambda: "status=deferred" in machine.server.log, "a mail that is put off")
        assert machine.server.queued == 1
    finally:
        away.rename(machine.host)
    machine.server.flush()
    until(lambda: came(machine) == {"accepted": 1}, f"a mail that is offered again\n{machine.server.log[-3000:]}")
    until(lambda: machine.server.queued == 0, "an empty queue")


def test_maildir(machine: Machine) -> None:
    """Postfix makes the Maildir; what was taken lies in a folder of it that mail programs show."""
    machine.follow("Postfix: a Maildir")
    play(machine, at_once=False)
    assert [path.parent.name for path in (machine.host / "Maildir" / ".Taken").rglob("*") if path.is_file()] == ["cur"]


@contextmanager
def listening(here: Machine) -> Iterator[subprocess.Popen[bytes]]:
    """The service of the unit, started by its own line."""
    unit = (here.root / "etc/systemd/system/pbem-listen.service").read_text()
    program = here.here(re.search(r"^ExecStart=(.*)$", unit, re.M)[1])  # type: ignore[index]
    name, value = here.here(re.search(r"^Environment=(.*)$", unit, re.M)[1]).split("=")  # type: ignore[index]
    call = [*here.as_pbem(), "env", f"{name}={value}", *program.split()]
    with subprocess.Popen(call, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        try:
            until(lambda: process.poll() is not None or listens(here.lmtp), "`pbem listen`")
            yield process
        finally:
            process.terminate()
            assert process.wait(20) == 0


def test_lmtp(machine: Machine) -> None:
    """While nobody listens the mail waits in Postfix's queue; then it comes by itself."""
    (machine.root / "etc/systemd/system").mkdir(parents=True, exist_ok=True)
    machine.follow("Postfix: LMTP")
    report = begin(machine)
    send(machine, answer(report))
    until(lambda: "status=deferred" in machine.server.log.rpartition("lmtp[")[2], "a mail that is put off")
    with listening(machine):
        machine.server.flush()
        until(lambda: came(machine) == {"accepted": 1}, f"an order that counts\n{machine.server.log[-3000:]}")
    machine.pbem("deliver")
    assert machine.wait_for_mail(player_of(report), 2)[1]["X-Pbem-Kind"] == "receipt-1"


def test_imap(machine: Machine, stack: Stack, opened: Open) -> None:
    """A mailbox at a provider: our own Dovecot, with passwords and TLS, and nothing on this machine but pbem."""
    account = stack.account()
    believed = f'_ca_file = "{stack.certificate}"'
    machine.moved.clear()
    machine.moved |= {
        '"imap.example.org"': f'"localhost:{stack.imaps}"\nimap{believed}',
        '"smtp.example.org"': f'"localhost:{stack.smtp}"\nsmtp{believed}\nsmtp_tls = "starttls"',
        "orders@example.org": account.address,
    }
    machine.follow("IMAP")
    for name in ("imap.pass", "smtp.pass"):  # as the how-to says: on one line
        path = machine.host / name
        assert (path.stat().st_mode & 0o777, path.stat().st_uid) == (0o600, machine.me.uid)
        path.write_text(f"{account.password}\n")
    boxes = []
    for name in ("Anna", "Bruno"):
        boxes.append(opened(stack, stack.account()))
        machine.pbem("player", "add", name, boxes[-1].account.address)
    machine.pbem("new", "bagh-chal", "--name", GAME, "--seat", "1=Anna", "--seat", "2=Bruno", "--schedule", "all-in")
    machine.pbem("deliver")
    reports = [box.wait_for(1)[0] for box in boxes]
    decides = 0 if menu_of(reports[0]) else 1
    with smtplib.SMTP(stack.host, stack.smtp) as line:
        line.send_message(answer(reports[decides]))
    until(lambda: machine.pbem("fetch") and came(machine), "a mail that is fetched", pause=0.2)
    assert came(machine) == {"accepted": 1}
    machine.pbem("deliver")
    [receipt] = boxes[decides].wait_for(1)
    assert receipt["X-Pbem-Kind"] == "receipt-1"
    mails = [path for name in ("new", "cur") for path in (stack.mail / account.name).rglob(f"{name}/*")]
    assert [path.parent.parent.name for path in mails] == [".Taken"], "moved when it was in the ledger"


def test_every_file_of_the_set_ups_is_used_by_the_how_to() -> None:
    text = (CRON / "README.md").read_text()
    files = {path.relative_to(CRON).as_posix() for path in (CRON / "mail").rglob("*") if path.is_file()}
    assert {name for name in files if f" {name} " in text} == files


def test_a_configuration_of_a_set_up_is_one_that_pbem_reads(tmp_path: Path) -> None:
    from pbem.config import load

    for path in CRON.glob("mail/*/pbem.toml"):
        copy = tmp_path / path.parent.name / "pbem.toml"
        copy.parent.mkdir()
        copy.write_text(path.read_text())
        assert load(copy).address == "orders@example.org"
