"""G14: each report leaves at least once under one Message-ID; twice only if the server's answer was unknown.

Twelve faults, each at each mail of a night, our own process killed before, between and behind, on a real ledger.
Weakened builds that fail here: see `test_weakened.py`.
"""

from __future__ import annotations

import sqlite3
import ssl
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from pbem import faults
from pbem.ledger.outbox import REFUSED, SENT
from pbem.post.files import name_of
from tests.faults.figures import counted
from tests.pbem.post.conftest import NOON, Sender, by_smtp, sender_in
from tests.pbem.post.rude import FAULTS, NEVER, SLOW, TLS_CUT, UNKNOWN, Rude, count_by_id

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.timeout(300)]

MAILS = 5
KILLS = ("", "mail-begun", "mail-answered")
QUICK = {"connect_seconds": 0.4, "mail_seconds": 0.4}


class Killed(BaseException):
    """Stands for kill -9: nothing that comes after it is done."""


def killed_at(point: str, number: int) -> Callable[[str], None]:
    """Die at the n-th time this point is passed."""
    passed = 0

    def act(name: str) -> None:
        nonlocal passed
        if name == point:
            passed += 1
            if passed > number:
                raise Killed(name)

    return act


def campaign(waiting: Path, room: Path, fault: str, settings: dict[str, Any], tls: ssl.SSLContext | None) -> int:
    """One fault at each mail, with each kill; gives the number of runs."""
    runs, sums = 0, Counter[str]()
    for number in range(MAILS):
        for kill in KILLS:
            sender = sender_in(waiting, room / f"{number}-{kill}")
            sums.update(one_night(sender, fault, number, kill, settings, tls))
            runs += 1
    counted(1, f"faults, each at each of {MAILS} mails, killed before it, after it and not at all")
    counted(runs, "deliveries of that kind")
    for what, number in sums.items():
        counted(number, what)
    return runs


def one_night(
    sender: Sender, fault: str, number: int, kill: str, settings: dict[str, Any], tls: ssl.SSLContext | None
) -> dict[str, int]:
    """A delivery with one fault and one kill, and those after it until nothing waits; gives what was found."""
    with Rude(plan=lambda n: fault if n == number else "", tls=tls) as server:
        server.on_mail = lambda: begun_before(sender, server)
        post = by_smtp(server.port, **QUICK, **settings)
        faults.arm(killed_at(kill, number) if kill else None)
        with suppress(Killed):
            sender.deliver(NOON, **post)
        faults.arm(None)
        sender.until_all_is_said(NOON, **post)
    return check(sender, server, fault, kill)


def begun_before(sender: Sender, server: Rude) -> None:
    """When the server hears of a mail, the ledger on the disk says that one is begun."""
    with closing(sqlite3.connect(sender.config.ledger)) as ledger:
        [[begun]] = ledger.execute("SELECT count(*) FROM outbox WHERE state = 'begun'")
    if not begun:
        server.wrong.append("a mail was tried that the ledger does not call begun")


def check(sender: Sender, server: Rude, fault: str, kill: str) -> dict[str, int]:
    """Nothing is missing, nothing is there twice without a reason, and everything is as the ledger has it; how many."""
    where = f"{fault}, killed at {kill or 'nothing'}"
    assert not server.wrong, where
    raws, came = sender.raws(), count_by_id(server.taken)
    for one in server.taken:
        assert one.raw == raws[one.message_id], where
        assert len(one.recipients) == 1
    reports = [mail for mail in sender.mails() if mail.game != "@host"]
    lost = [mail for mail in reports if mail.state != SENT]
    assert len(lost) == (fault in NEVER), where
    for mail in lost:
        assert (mail.state, mail.next_try_at) == (REFUSED, None)
        assert mail.message_id not in came
        tried = sum(line.startswith(b"MAIL") and name_of(mail.message_id).encode() in line for line in server.lines)
        assert tried <= 1 + (kill == "mail-answered"), f"{where}: tried {tried} times though refused"
    missing = [mail for mail in reports if mail.state == SENT and mail.message_id not in came]
    assert not missing, where
    doubles = sum(count - 1 for count in came.values())
    assert doubles <= (fault in UNKNOWN) + (kill == "mail-answered"), f"{where}: {doubles} doubles"
    if not kill and fault in UNKNOWN:
        assert doubles == 1, "the fault did not bite"
    return {
        "reports in them": len(reports),
        "missing": len(missing),
        "refused for good": len(lost),
        "doubles, byte-equal, each where the answer was never heard": doubles,
    }


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault not in (SLOW, TLS_CUT)])
def test_g14_every_fault_at_every_mail(fault: str, waiting: Path, tmp_path: Path) -> None:
    assert campaign(waiting, tmp_path, fault, {}, None) == MAILS * len(KILLS)


def test_g14_a_server_that_says_one_byte_a_second(waiting: Path, tmp_path: Path) -> None:
    """The time for a mail is for the whole of it: no byte begins it anew."""
    assert campaign(waiting, tmp_path, SLOW, {}, None) == MAILS * len(KILLS)


def test_g14_a_line_that_is_cut_while_it_is_encrypted(waiting: Path, tmp_path: Path, certificate: Path) -> None:
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate)
    settings = {"tls": "starttls", "ca_file": certificate}
    assert campaign(waiting, tmp_path, TLS_CUT, settings, tls) == MAILS * len(KILLS)


def test_a_mail_that_was_refused_is_tried_once(sender: Sender) -> None:
    with Rude(plan=lambda n: "550 at RCPT" if n == 1 else "") as server:
        post = by_smtp(server.port)
        assert sender.deliver(NOON, **post) == {"refused": 1, SENT: 4}
        sender.until_all_is_said(NOON, **post)
        assert server.tried == MAILS
