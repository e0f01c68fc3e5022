"""Waiting until everything that was sent has been delivered: nothing is left in the mail server's queue."""

from __future__ import annotations

from pathlib import Path

from tests.mail.servers.postfix import Postfix
from tests.mail.servers.stack import POSTFIX, Stack
from tests.mail.servers.waiting import until


def empty(stack: Stack) -> None:
    """What stands in for Postfix delivers before it answers, and has no queue."""
    if stack.kind == POSTFIX:
        server = Postfix(Path(stack.folder) / "postfix", stack.smtp, stack.smtps)
        until(lambda: not server.queued, "an empty queue")
