"""Frames: what was told at each turn, with its picture, packed so that sixty turns take little more than one.

They are made of reports as JSON, so a page can tell no more than the letters did. Two boards of one game differ in few
lines, so the lines of all pictures and words stand in one table, each once, and a frame names them by runs of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine import Event, View
from engine.registry import AnyGame
from pbem.reports import environment, plain
from pbem.reports.words import Memo, Words, marks

Told = Mapping[str, Any]  # a report as JSON


class Table:
    """Lines, each kept once; a text is runs of them: the number of a first line and how many follow each other."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    @property
    def lines(self) -> list[str]:
        return list(self._numbers)

    def packed(self, text: str) -> list[int]:
        runs: list[int] = []
        for line in text.split("\n"):
            number = self._numbers.setdefault(line, len(self._numbers))
            if runs and number == runs[-2] + runs[-1]:
                runs[-1] += 1
            else:
                runs += (number, 1)
        return runs


def packed(rules: AnyGame, reports: Iterable[Told]) -> dict[str, Any]:
    """The frames of these reports, oldest first, and the table of their lines."""
    table = Table()
    frames = [_frame(rules, told, table) for told in reports]
    return {"lines": table.lines, "frames": frames}


def _frame(rules: AnyGame, told: Told, table: Table) -> dict[str, Any]:
    picture = _picture(rules, told)
    return {
        "turn": told["turn"],
        "picture": table.packed(picture) if picture else [],
        "words": table.packed("\n".join(told["words"])),
        "position": plain.one_line(told["position"], 100_000),
        "steps": [_step(step) for step in told["steps"]],
    }


def _step(step: Told) -> dict[str, Any]:
    moves = [[plain.one_line(made["seat"]), _move(made["move"]), made["how"]] for made in step["moves"]]
    return {"turn": step["turn"], "moves": moves, "told": [[said["told"], said["rule"]] for said in step["events"]]}


def _move(move: str | None) -> str | None:
    return None if move is None else plain.one_line(move)


def _picture(rules: AnyGame, told: Told) -> str:
    """The board as its seat saw it then; the letter holds everything that it is drawn from."""
    view = View(told["seat"], tuple(told["pending"]), told["decision"], told["position"], told["facts"])
    events = (Event(said["kind"], said["rule"], said["facts"]) for step in told["steps"] for said in step["events"])
    lang = environment.language(told["reader"]["lang"], rules)
    return plain.clean(str(Words(rules, lang, Memo()).pictured(view, marks(events)) or ""))
