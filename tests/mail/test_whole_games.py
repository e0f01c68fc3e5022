"""Whole games by mail alone: four players with nothing but a mailbox each, Postfix and IMAP between them and the host.

Their answers are written by fourteen mail programs in five languages, above, below and within what they quote, as HTML
and as a file. Every mail is accounted for at the end, and every game's history verifies (G3, G14, G29).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from pbem.ledger import games, letters, outbox
from tests.mail.answering import WAYS, habits
from tests.mail.conftest import Open
from tests.mail.desk import Desk
from tests.mail.mailbox import attached
from tests.mail.players import Player
from tests.mail.servers.queue import empty
from tests.mail.servers.stack import Stack
from tests.pbem.intake.mail.programs import LANGUAGES, PROGRAMS

LONG = "PBEM_LONG" in os.environ
ROUNDS = 5000 if LONG else 120
NAMES = ("Anna", "Bruno", "Chloe", "Dario")
# Yuan as its booklet has it. Conquest is shorter where its rules have an option for it: points count after the first
# round without an elimination. The long run has everything on, and Conquest's usual limit of twelve rounds.
SHORT: dict[str, dict[str, str]] = {"yuan": {}, "conquest": {"opening_limit": "1"}}
WHOLE = {"yuan": {"auction": "true", "powers": "true", "volcanoes": "true"}, "conquest": {}}
PLAYED = WHOLE if LONG else SHORT


def begin(desk: Desk, players: list[Player]) -> None:
    for player in players:
        desk.says("player", "add", player.name, player.address)
    for rules, options in PLAYED.items():
        seats = "1234" if rules == "yuan" else "swne"
        sitting = [
            word for seat, player in zip(seats, players, strict=True) for word in ("--seat", f"{seat}={player.name}")
        ]
        chosen = [word for name, value in options.items() for word in ("--option", f"{name}={value}")]
        desk.says(
            "new", rules, "--name", f"{rules}-by-mail", *sitting, *chosen, "--schedule", "all-in", "--seed", "5" * 64
        )


@pytest.mark.slow
@pytest.mark.timeout(7200 if LONG else 300)
def test_whole_games_are_played_by_mail_alone(tmp_path: Path, stack: Stack, opened: Open) -> None:
    desk = Desk(tmp_path / "host", stack, stack.account())
    every = habits()
    players = [Player(name, opened(stack, stack.account()), every, Random(name)) for name in NAMES]
    begin(desk, players)
    for _ in range(ROUNDS):
        summary = json.loads(desk.says("nightly", "--json"))
        assert not summary["failed"]
        empty(stack)
        answered = sum(player.read_and_answer() for player in players)
        empty(stack)
        if not answered:
            break
    check(desk, players)
    shown = [habit for player in players for habit in player.shown]
    assert {habit.program.name for habit in shown} == {program.name for program in PROGRAMS}
    assert {habit.lang for habit in shown} == {*LANGUAGES}
    assert {habit.way for habit in shown} == {*WAYS}
    players[0].got.pop()
    with pytest.raises(AssertionError):  # the count would notice a mail that is lost
        check(desk, players)


def check(desk: Desk, players: list[Player]) -> None:
    """Everybody was answered, nothing was lost or doubled, and the history of every game is what it was."""
    assert desk.games() == {f"{name}-by-mail": games.OVER for name in PLAYED}
    sent = [mail for name in PLAYED for mail in desk.mails(f"{name}-by-mail")]
    answers = [answer for player in players for answer in player.sent]
    assert desk.counts() == {letters.ACCEPTED: len(answers)}
    assert len(answers) > 40, "two whole games ask often"
    assert {mail.state for mail in sent} == {outbox.SENT}
    got = Counter(str(mail["Message-ID"]) for player in players for mail in player.got)
    assert got == Counter(mail.message_id for mail in sent), "each mail came once, and to somebody"
    for player in players:
        assert {str(mail["Delivered-To"]) for mail in player.got} == {player.address}
        roots = {(attached_game(mail), str(mail["References"]).split()[0]) for mail in player.got if mail["References"]}
        assert len(roots) == len(PLAYED), "a game is one thread"
    assert "fault" not in desk.says("audit", "verify", "--all")


def attached_game(mail: object) -> str:
    game: str = json.loads(attached(mail, "report.json"))["game"]  # type: ignore[arg-type]
    return game
