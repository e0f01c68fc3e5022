"""Players who know nothing but their mailboxes: they read what came, choose from what it names, and answer it."""

from __future__ import annotations

import json
import smtplib
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parseaddr
from random import Random
from typing import Any

from tests.mail.answering import Habit, answer, fitting
from tests.mail.mailbox import Mailbox, attached, words


@dataclass(slots=True)
class Player:
    """One player: his mailbox, his habits, and all that he got and sent."""

    name: str
    box: Mailbox
    habits: Iterator[Habit]  # shared by all, so that together they show many
    luck: Random
    got: list[Message] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)  # how each answer was written
    shown: list[Habit] = field(default_factory=list)
    ordered: dict[str, str] = field(default_factory=dict)  # the last order for each game

    @property
    def address(self) -> str:
        return self.box.account.address

    def read_and_answer(self) -> int:
        """Answer every report that asks for a decision; gives how many did. Of several about one game the last one
        asks."""
        asking: dict[tuple[str, str], tuple[Message, Any]] = {}
        for mail in self.box.new():
            self.got.append(mail)
            letter = json.loads(attached(mail, "report.json"))
            if letter["letter"] == "receipt":
                self._check(letter, mail)
            if letter["letter"] == "report":
                asking.pop((letter["game"], letter["seat"]), None)
                if letter["menu"]:
                    asking[letter["game"], letter["seat"]] = mail, letter["menu"]
        for mail, menu in asking.values():
            self._send(mail, self.luck.choice(menu["examples"] or [menu["default"]]))
        return len(asking)

    def _check(self, letter: Any, mail: Message) -> None:
        """What was read is what was written, and not what was quoted with it."""
        read = [one["order"] for one in letter["understood"]]
        right = letter["fate"] == "accepted" and read == [self.ordered[letter["game"]]]
        assert right, f"{self.sent}\n{words(mail)}"

    def _send(self, report: Message, order: str) -> None:
        habit = fitting(next(self.habits), report, [order])
        raw = answer(report, [order], habit, self.address)
        account = self.box.account
        with smtplib.SMTP(self.box.stack.host, self.box.stack.smtp) as line:
            line.starttls(context=self.box.stack.trust)
            line.login(account.address, account.password)
            line.sendmail(account.address, [parseaddr(str(report["Reply-To"] or report["From"]))[1]], raw)
        self.sent.append(f"{habit}: {order}")
        self.shown.append(habit)
        self.ordered[json.loads(attached(report, "report.json"))["game"]] = order
