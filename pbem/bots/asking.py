"""Bots: seats whose player is a program. The night asks them, and what they say goes the way of every order.

`bot: greedy` (or `random`, `monte-carlo`, `monte-carlo 500`) is one of ours; `bot: ./mybot` is a program in the host's
folder: it is given one line of JSON on its standard input and writes its orders (`pbem/engine_protocol.md`). Both run
in a bounded child process. A bot that fails or is too slow is silent: that is written down, and its default move counts
at the deadline. It never sees more than its seat may know.
"""

from __future__ import annotations

import hmac
import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from engine import Dice, Seat
from pbem.attending.answers import has_answered
from pbem.bots.programs import AskedProgram, think
from pbem.bounded import Bounded, TaskDied
from pbem.clock import stamp
from pbem.config import Config
from pbem.faults import fault
from pbem.game.hosting import sheet_of, standing_of
from pbem.game.sheet import BOT, Sheet, Standing
from pbem.ledger import Ledger, games, letters, players
from pbem.ledger.letters import ACCEPTED, Waiting
from pbem.messages import Clerk, judging, settle
from pbem.reports.form import scalar
from pbem.submitting.decision import Manner

ROUTE = "bot"
SILENT = "bot_silent"
SECONDS = 20  # for one answer, of the processor or of the clock


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that is open to a bot."""

    sheet: Sheet
    standing: Standing
    seat: Seat

    @property
    def key(self) -> tuple[str, int, int, Seat]:
        return self.sheet.name, self.standing.turn, self.standing.at_once, self.seat

    @property
    def bot(self) -> str:
        bot = self.sheet.sitters[self.seat].bot
        assert bot is not None, "only bots are asked"
        return bot

    @property
    def dice(self) -> Dice:
        """The bot's own luck, which tells nothing of the game's dice: the same however often a run is begun again."""
        seed = hmac.digest(self.sheet.secret, f"bot\0{self.seat}".encode(), "sha256")
        return Dice(seed, f"{self.standing.turn}+{self.standing.at_once}")


def answer(config: Config, ledger: Ledger, now: datetime, asked: set[Any], only: str | None = None) -> int:
    """Ask every bot that has to decide in a game that is due, unless it was `asked` already; how many have answered."""
    answered = 0
    questions = [question for question in _open(config, ledger, now, only) if question.key not in asked]
    if not questions:
        return 0
    memory = config.megabytes << 20
    with Bounded(think, SECONDS, SECONDS + 5, memory) as bounded, Clerk(config.limits) as clerk:
        for question in questions:
            asked.add(question.key)
            try:
                orders = json.loads(bounded(_task(config, question)))
                why = _submit(config, ledger, question, orders, now, clerk)
            except TaskDied as died:
                why = f"it gave no orders ({died})"
            if why:
                _silent(ledger, question, why, now)
            answered += not why
    return answered


def _open(config: Config, ledger: Ledger, now: datetime, only: str | None) -> list[Question]:
    """The decisions that bots have not answered yet."""
    found = []
    with ledger.read() as tx:
        bots = players.named_from(tx, BOT)
        for name in games.due(tx, now) if bots else ():
            row = games.get(tx, name)
            if row is None or only not in (None, name) or bots.isdisjoint(row.seats.values()):
                continue
            # A game whose rules are missing or broken is told of when the night cannot resolve it.
            with suppress(Exception):
                sheet = sheet_of(tx, config, row)
                standing = standing_of(tx, row)
                seats = [seat for seat in row.pending if sheet.sitters[seat].bot is not None]
                found += [Question(sheet, standing, s) for s in seats if not has_answered(sheet, standing, s)]
    return found


def _task(config: Config, question: Question) -> bytes:
    """All that the child needs. What a program outside may see of it is made there, from the seat's view alone."""
    sheet, seat = question.sheet, question.seat
    asked = AskedProgram(
        game=sheet.name,
        rules=sheet.rules_id,
        state=sheet.rules.dump(question.standing.state),
        seat=seat,
        turn=question.standing.turn,
        bot=question.bot,
        folder=str(config.folder),
        luck=question.dice.pick(1 << 63, "luck"),
        seconds=SECONDS,
        memory=config.megabytes << 20,
    )
    return asked.to_bytes()


def _submit(config: Config, ledger: Ledger, question: Question, orders: list[str], now: datetime, clerk: Clerk) -> str:
    """The orders as a file like any other; why they are none, when they are not taken."""
    sheet, standing, seat = question.sheet, question.standing, question.seat
    head = [f"game: {sheet.name}", f"seat: {seat}", f"turn: {standing.turn}", f"key: {sheet.key(seat, standing.turn)}"]
    raw = "\n".join([*head, "orders:", *(f"  - {scalar(order)}" for order in orders), "end: orders", ""]).encode()
    # A bot is asked by the night itself, which may begin at the deadline: that does not make its answer late.
    at = now if standing.deadline is None else min(now, standing.deadline - timedelta(seconds=1))
    message_id = f"bot:{sheet.name}:{standing.turn}:{standing.at_once}:{seat}:{standing.end.seq}"
    with judging(config):
        with ledger.write() as tx:
            sha256, _ = letters.arrive(tx, raw, at, ROUTE, message_id)
        fault("bot-answered")
        settled = settle(
            config, ledger, Waiting(message_id, sha256, ROUTE, at), now, clerk, Manner(ROUTE, limited=False)
        )
    return "" if settled.fate == ACCEPTED else f"its orders were not taken ({settled.reason})"


def _silent(ledger: Ledger, question: Question, why: str, now: datetime) -> None:
    """Written down, without what it said, which may be a secret of its seat. The game waits for its deadline."""
    deadline = question.standing.deadline
    body = {"bot": question.bot, "why": why, "due_at": None if deadline is None else stamp(deadline)}
    with ledger.write() as tx:
        row = games.get(tx, question.sheet.name)
        if row is not None and row.status == games.OPEN and row.turn == question.standing.turn:
            tx.append(question.sheet.name, SILENT, now, body, row.turn, question.seat)
