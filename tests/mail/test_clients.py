"""Real mail programs answer a real report through Postfix, with TLS and passwords; the host fetches it by IMAP.

And what becomes of a report that cannot be delivered: Postfix's bounce is read back to the seat.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from email.message import Message
from pathlib import Path

import pytest

from pbem.ledger import letters, outbox
from tests.mail import clients
from tests.mail.conftest import Open
from tests.mail.desk import Desk
from tests.mail.mailbox import Mailbox, attached, words
from tests.mail.servers.queue import empty
from tests.mail.servers.stack import Stack
from tests.mail.servers.waiting import until

GAME = "tiger-hill"
SWAKS, MUTT, S_NAIL = "swaks", "mutt", "s-nail"


def begin(desk: Desk, *addresses: str) -> None:
    """A game of two; the first reports leave."""
    names = ("Anna", "Bruno")
    for name, address in zip(names, addresses, strict=True):
        desk.says("player", "add", name, address)
    seats = [word for number, name in enumerate(names, 1) for word in ("--seat", f"{number}={name}")]
    desk.says("new", "bagh-chal", "--name", GAME, *seats, "--schedule", "all-in")
    desk.says("deliver")


def asked(boxes: list[Mailbox]) -> tuple[Mailbox, Message, str]:
    """The mailbox whose report asks for a decision, that report, and a legal move that silence does not mean."""
    for box in boxes:
        [report] = box.wait_for(1)
        if menu := json.loads(attached(report, "report.json"))["menu"]:
            return box, report, next(move for move in menu["examples"] if move != menu["default"])
    raise AssertionError("nobody is asked")


def write(program: str, desk: clients.Desk, report: Message, move: str) -> None:
    if program == MUTT:
        clients.mutt(desk, report, [move])
    else:
        by: Callable[[clients.Desk, Message, list[str], str], None]
        by = clients.swaks if program == SWAKS else clients.s_nail
        by(desk, report, [move], words(report))


@pytest.mark.parametrize("program", [SWAKS, MUTT, S_NAIL])
def test_a_mail_program_answers_a_report(program: str, tmp_path: Path, stack: Stack, opened: Open) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed here")
    host = stack.account()
    desk = Desk(tmp_path / "host", stack, host)
    boxes = [opened(stack, stack.account()) for _ in range(2)]
    begin(desk, *(box.account.address for box in boxes))
    box, report, move = asked(boxes)
    home = tmp_path / "home"
    home.mkdir()
    write(program, clients.Desk(stack, box.account, home), report, move)
    arrived = opened(stack, host)
    until(lambda: arrived.size, f"the mail that {program} sent")
    desk.says("fetch")
    assert desk.counts() == {letters.ACCEPTED: 1}
    desk.says("deliver")
    [receipt] = box.wait_for(1)
    letter = json.loads(attached(receipt, "report.json"))
    assert [one["order"] for one in letter["understood"]] == [move]
    assert receipt["References"].split()[0] == report["References"].split()[0], "a game is one thread"


def test_a_bounce_is_read_back_to_its_seat(tmp_path: Path, postfixed: Stack, opened: Open) -> None:
    """An address that nobody has any more: Postfix takes the mail and sends it back later. The mail is lost, its seat
    and the referee are told of it, and the bounce itself is neither an order nor answered."""
    stack, host, referee = postfixed, postfixed.account(), postfixed.account()
    desk = Desk(tmp_path / "host", stack, host, f'referee = "{referee.address}"')
    anna = opened(stack, stack.account())
    begin(desk, anna.account.address, "nobody-has-this@pbem.test")
    assert {mail.state for mail in desk.mails(GAME)} == {outbox.SENT}, "the server took them all"
    came_back = opened(stack, host)
    until(lambda: came_back.size, "Postfix's bounce")
    desk.says("fetch")
    assert desk.counts() == {letters.IGNORED: 1}
    assert {mail.seat: mail.state for mail in desk.mails(GAME) if mail.seat} == {"1": outbox.SENT, "2": outbox.REFUSED}
    told = json.loads(desk.says("status", "--json"))["bounces"]
    assert "nobody-has-this" in json.dumps(told) or "Bruno" in json.dumps(told)
    desk.says("deliver")
    empty(stack)
    [notice] = opened(stack, referee).wait_for(1)
    assert GAME in words(notice)
    assert "5.1.1" in words(notice)
    assert len(anna.wait_for(1)) == 1, "the other player is told nothing of it"
