"""Frames: what was told at each turn, with its picture, packed so that sixty turns take little more than one.

They are made of reports as JSON, so a page can tell no more than the letters did. Two boards of one game differ in few
lines: a text is packed as what it says anew, and as stretches of the lines that the texts before it consist of.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from engine import Event, View
from engine.registry import AnyGame
from pbem.pages.told import PICTURE, Told
from pbem.reports import environment, plain
from pbem.reports.words import Memo, Words, marks

Packed = list[str | int]  # a line; or two numbers: the line of the log where a stretch begins, and its length


class Log:
    """The lines of all texts so far, one after another. Whoever unpacks the texts in their order has the same log."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._last: dict[str, int] = {}  # where a line stood last
        self._pair: dict[tuple[str, str], int] = {}  # and where two in a row did: mostly in the text before

    def packed(self, text: str) -> Packed:
        """The text as new lines and stretches of the log, which then goes on with it."""
        lines, found = text.split("\n"), Packed()
        i = shift = 0  # the last stretch lay so far from where it is repeated; the next one often does
        while i < len(lines):
            length, start = max((self._alike(start, lines, i), start) for start in self._starts(lines, i, shift))
            if length:
                shift = start - i
                found += (start, length)
            else:
                found.append(lines[i])
            i += length or 1
        self._add(lines)
        return found

    def _starts(self, lines: list[str], i: int, shift: int) -> set[int]:
        pair = (lines[i], lines[i + 1]) if i + 1 < len(lines) else None
        return {shift + i, self._pair.get(pair, -1) if pair else -1, self._last.get(lines[i], -1)}

    def _alike(self, start: int, lines: list[str], i: int) -> int:
        """How many lines from there on are those from `i` on."""
        if not 0 <= start < len(self.lines) or self.lines[start] != lines[i]:
            return 0
        log, most = self.lines, min(len(lines) - i, len(self.lines) - start)
        count, leap, grows = 0, 8, True  # mostly they are many: compared in leaps, which shrink again where one fails
        while leap:
            end = count + leap
            if end <= most and log[start + count : start + end] == lines[i + count : i + end]:
                count, leap = end, leap * 2 if grows else leap // 2
            else:
                leap, grows = leap // 2, False
        return count

    def _add(self, lines: list[str]) -> None:
        here = len(self.lines)
        self._last.update(zip(lines, range(here, here + len(lines)), strict=True))
        self._pair.update(zip(pairwise(lines), range(here, here + len(lines)), strict=False))
        self.lines += lines


def packed(rules: AnyGame, reports: Iterable[Told]) -> list[dict[str, Any]]:
    """The frames of these reports, oldest first. Their texts are to be unpacked in the order they have here."""
    log = Log()
    return [_frame(rules, told, log) for told in reports]


def _frame(rules: AnyGame, told: Told, log: Log) -> dict[str, Any]:
    return {
        "turn": told["turn"],
        "picture": log.packed(_picture(rules, told)),
        "words": log.packed("\n".join(told["words"])),
        "position": log.packed(plain.one_line(told["position"], 100_000).replace(" ", "\n")),
        "steps": [_step(step) for step in told["steps"]],
    }


def _step(step: Told) -> dict[str, Any]:
    moves = [[plain.one_line(made["seat"]), _move(made["move"]), made["how"]] for made in step["moves"]]
    told = [[said["told"], said["rule"]] for said in step["events"] if said["told"]]
    return {"turn": step["turn"], "moves": moves, "told": told}


def _move(move: str | None) -> str | None:
    return None if move is None else plain.one_line(move)


def _picture(rules: AnyGame, told: Told) -> str:
    """The board as its seat saw it then: as the letter brought it, or drawn from all that the letter holds."""
    if PICTURE in told:
        return str(told[PICTURE])
    view = View(told["seat"], tuple(told["pending"]), told["decision"], told["position"], told["facts"])
    events = (Event(said["kind"], said["rule"], said["facts"]) for step in told["steps"] for said in step["events"])
    lang = environment.language(told["reader"]["lang"], rules)
    return plain.clean(str(Words(rules, lang, Memo()).pictured(view, marks(events)) or ""))
