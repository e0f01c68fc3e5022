"""Asking a program for orders, inside the bounded child: one of our players, or one that somebody else wrote.

A program outside is given what its seat may know and nothing else: the view, the position line as the seat sees it,
the menu. It may write no file, and its time and memory are bounded beside those of the child itself.
"""

from __future__ import annotations

import json
import resource
import shlex
import shutil
import subprocess
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from engine import Dice, Seat, load
from engine.players import PLAYERS, MonteCarlo, Player
from engine.registry import AnyGame
from pbem.bots import robots
from pbem.errors import Trouble

LISTED = 3000  # moves of a menu; `complete` says whether there are more
ORDERS = 200  # in one answer
ORDER = 2000  # letters in one of them


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedProgram:
    """A question on its way to the child."""

    game: str
    rules: str
    state: Any  # as JSON
    seat: Seat
    turn: int
    bot: str
    folder: str
    luck: int
    seconds: int
    memory: int

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self)).encode()


class NoOrders(Exception):
    """What a program said is no answer."""


def think(raw: bytes) -> bytes:
    """The work of the child: the orders as JSON, a list of texts."""
    asked = AskedProgram(**json.loads(raw))
    rules = load(asked.rules)
    state = rules.restore(asked.state)
    player = built_in(asked.bot)
    if player is not None:
        orders = robots.line(player, rules, state, asked.seat, Dice(asked.luck.to_bytes(8, "big")))
    else:
        orders = read_answer(_told(asked, json.dumps(question(rules, state, asked))))
    return json.dumps(orders).encode()


def built_in(bot: str) -> Player | None:
    """One of our players by its name, `monte-carlo` with a budget if wanted; None: it is a program."""
    name, _, budget = bot.partition(" ")
    if name == "monte-carlo" and budget.isdecimal():
        return MonteCarlo(int(budget))
    return PLAYERS.get(bot)


def known_bot(bot: str, folder: Path) -> str:
    """The bot as it is written down, or Trouble."""
    words = " ".join(bot.split())
    if built_in(words) is not None:
        return words
    command = words.partition(" ")[0]
    if "/" not in command:
        ours = ", ".join(PLAYERS)
        raise Trouble(f"There is no bot {words!r}. Ours are {ours}; a program of yours is named with a path: ./mybot.")
    if shutil.which(folder / command) is None:
        raise Trouble(f"{command} is no program that can be run; paths of bots begin in {folder}.")
    return words


def question(rules: AnyGame, state: Any, asked: AskedProgram) -> dict[str, Any]:
    """What a program is told. The rules make it for the seat from an imagined state: nothing hidden is even near."""
    known = rules.imagine(state, asked.seat, Dice(asked.luck.to_bytes(8, "big"), "asked"))
    view = rules.view(known, asked.seat)
    menu = list(islice(rules.moves(known, asked.seat), LISTED + 1))
    return {
        "do": "choose",
        "game": asked.game,
        "rules": rules.id,
        "seat": asked.seat,
        "turn": asked.turn,
        "decision": view.decision,
        "position": view.position,
        "default": str(rules.default(known, asked.seat)),
        "moves": [str(move) for move in menu[:LISTED]],
        "complete": len(menu) <= LISTED,
        "view": view.facts,
    }


def read_answer(said: str) -> list[str]:
    """Its orders: a JSON object with `move` or `orders`, or plain lines with one order each."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if lines and lines[0].startswith("{"):
        answer = json.loads(lines[0])
        orders = answer.get("orders", [answer["move"]] if "move" in answer else [])
    else:
        orders = lines
    if not isinstance(orders, list) or not orders or not all(isinstance(order, str) for order in orders):
        raise NoOrders("it said nothing that could be an order")
    if len(orders) > ORDERS or any(not order or len(order) > ORDER or not order.isprintable() for order in orders):
        raise NoOrders("it said too much, or what cannot be printed")
    return orders


def _told(asked: AskedProgram, line: str) -> str:
    """What the program writes when it is told that line. Its words do not go into errors: they may be secrets."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (asked.memory, asked.memory))
        resource.setrlimit(resource.RLIMIT_CPU, (asked.seconds, asked.seconds))

    done = subprocess.run(
        shlex.split(asked.bot),
        input=line + "\n",
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        cwd=asked.folder,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"},
        timeout=asked.seconds,
        check=False,
        preexec_fn=limit,
    )
    if done.returncode:
        raise NoOrders(f"it ended with code {done.returncode}")
    return done.stdout
