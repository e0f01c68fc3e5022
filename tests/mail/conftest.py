"""The servers that the tests of this folder share, and the reasons to skip where a program is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.mail.mailbox import Mailbox
from tests.mail.servers import postfix
from tests.mail.servers.places import program
from tests.mail.servers.sharing import shared_stack
from tests.mail.servers.stack import POSTFIX, Account, Stack

Open = Callable[[Stack, Account], Mailbox]


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Stack]:
    """Real servers: Dovecot, and Postfix before it where we are root (else aiosmtpd)."""
    for name in ("dovecot", "openssl"):
        if program(name) is None:
            pytest.skip(f"{name} is not installed here")
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if hasattr(request.config, "workerinput") else base
    with shared_stack(Path(shared) / "mail-servers") as stack:
        yield stack


@pytest.fixture
def postfixed(stack: Stack) -> Stack:
    """The same, where it must be a Postfix that delivers."""
    if stack.kind != POSTFIX:
        pytest.skip(postfix.why_not())
    return stack


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens mailboxes, and closes them again."""
    boxes: list[Mailbox] = []

    def open_one(stack: Stack, account: Account) -> Mailbox:
        boxes.append(Mailbox(stack, account))
        return boxes[-1]

    yield open_one
    for box in boxes:
        box.forget()
