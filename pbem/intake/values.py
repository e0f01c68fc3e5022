"""Values: what stands behind a key, as words. Every scalar is text; nothing empty and no huge number gets through."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from engine.entries import DOES, ELSE, IF, SEAT, THEN, Path
from pbem.intake.characters import visible, words
from pbem.intake.limits import Limits
from pbem.intake.problems import Mark, Problem, problem
from pbem.intake.yaml_events import Tree

OURS = frozenset({IF, THEN, ELSE, SEAT, DOES})


class Values:
    """Reads the values of one file. What is wrong goes to `problems`; `paths` tells where in the file it found what."""

    def __init__(self, tree: Tree, limits: Limits) -> None:
        self.tree, self.limits = tree, limits
        self.problems: list[Problem] = []
        self.paths: dict[Path, Path] = {}  # our path of a value -> its path in the file, whose keys may look otherwise
        self.line_marks: dict[Path, Mark] = {}  # of the lines of a `|` text, which have no path in the file
        self._huge = re.compile(rf"\d{{{len(str(limits.number))},}}")

    def wrong(self, code: str, sentence: str, path: Path, **facts: Any) -> None:
        """There is something wrong with the value at that path of the file."""
        self.problems.append(problem(code, sentence, self.tree.mark(path), **facts))

    def mark(self, place: Path) -> Mark:
        """Where a value stands that was read; the place of what holds it, if need be."""
        while place and place not in self.paths and place not in self.line_marks:
            place = place[:-1]
        return self.line_marks.get(place) or self.tree.mark(self.paths.get(place, ()))

    def key_mark(self, place: Path) -> Mark:
        """Where the key of a value stands, or the value itself when it has none."""
        path = self.paths.get(place, ())
        return self.tree.key_mark(path) if path in self.tree.keys else self.mark(place)

    def name(self, key: str) -> str | None:
        """The text behind a top key, in the letters in which it was written: `NO` and `~` may be names."""
        path, value = (key,), self.tree.data[key]
        text = self.tree.letters.get(path, "") if value is None else value
        if not isinstance(text, str):
            self.wrong("not_text", "`{key}:` takes a text, not a list or more keys.", path, key=visible(key))
            return None
        if not words(text):
            self.wrong("empty", "Nothing stands behind `{key}:`.", path, key=visible(key))
        return words(text) or None

    def deep(self, value: Any, path: Path, place: Path) -> Any:
        """A value with all that is in it, each text as words. `place` is its path for us, `path` that in the file."""
        return self._deep(value, path, place, words)

    def orders(self, key: str, place: Path) -> list[Any] | Any:
        """What stands behind `orders:`: a list of entries (a `|` text is one for each line), or one entry alone."""
        path, value = (key,), self.tree.data[key]
        if path in self.tree.blocks:
            return self._lines(value, path, place)
        return self._deep(value, path, place, _order_key)

    def _deep(self, value: Any, path: Path, place: Path, key_of: Callable[[str], str]) -> Any:
        self.paths[place] = path
        if isinstance(value, str):
            return self._text(value, path, place)
        if isinstance(value, dict):
            return self._mapping(value, path, place, key_of)
        if isinstance(value, list):
            return [self._deep(item, (*path, i), (*place, i), key_of) for i, item in enumerate(value)]
        return self._text(self.tree.letters[path], path, place)

    def _mapping(self, value: dict[str, Any], path: Path, place: Path, key_of: Callable[[str], str]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for written, item in value.items():
            key, at = key_of(written), (*path, written)
            if key in found:
                first = self.key_mark((*place, key)).line
                sentence = "`{key}` stands here for the second time; the first is on line {first}. Keep one of them."
                second = self.tree.key_mark(at)
                self.problems.append(problem("duplicate", sentence, second, place, key=visible(key), first=first))
                continue
            if item is None and not self.tree.letters[at]:
                sentence = "Nothing stands behind `{key}:`. Write its value, or put the text in quotes if it is none."
                self.problems.append(problem("empty", sentence, self.tree.key_mark(at), place, key=visible(key)))
            found[key] = self._deep(item, at, (*place, key), key_of)
        return found

    def _text(self, text: str, path: Path, place: Path) -> str:
        if self._huge.search(text):
            self._refuse_huge_numbers(text, self.tree.mark(path), place)
        if path in self.tree.folded:
            self._refuse_hidden_dashes(self.tree.mark(path), place)
        return words(text)

    def _refuse_huge_numbers(self, text: str, mark: Mark, place: Path) -> None:
        for digits in self._huge.findall(text):
            if len(digits.lstrip("0")) > len(str(self.limits.number)) or int(digits) > self.limits.number:
                sentence = "No number goes beyond {most}; here stands {number}."
                facts = {"most": self.limits.number, "number": visible(digits)}
                self.problems.append(problem("number", sentence, mark, place, **facts))

    def _refuse_hidden_dashes(self, mark: Mark, place: Path) -> None:
        """YAML takes a dash that stands too far in for a part of the text above it, which nobody means."""
        for number in range(mark.line + 1, mark.end_line + 1):
            line = self.tree.lines[number - 1]
            start = line.lstrip()
            if start.startswith("- ") or start == "-":
                column = len(line) - len(start) + 1
                sentence = "This dash stands too far in, so that the line was read as part of the one above it."
                self.problems.append(problem("indent", sentence, Mark(number, column, number, column + 1), place))

    def _lines(self, text: str, path: Path, place: Path) -> list[str]:
        """The lines of a `|` text as entries. Comments and empty lines are none; a dash may stand before an order."""
        first = self.tree.mark(path).line + 1
        found: list[str] = []
        for number, line in enumerate(text.split("\n"), first):
            order = line.strip().removeprefix("- ").strip()
            if not order or order.startswith("#"):
                continue
            written = self.tree.lines[number - 1]
            mark = Mark(number, len(written) - len(written.lstrip()) + 1, number, len(written) + 1)
            self.line_marks[(*place, len(found))] = mark
            self._refuse_huge_numbers(order, mark, (*place, len(found)))
            self._refuse_long_lines(order, mark, (*place, len(found)))
            found.append(words(order))
        return found

    def _refuse_long_lines(self, text: str, mark: Mark, place: Path) -> None:
        if len(text) > self.limits.text:
            sentence = "This text has {size} characters; at most {most} are read here."
            self.problems.append(problem("text", sentence, mark, place, size=len(text), most=self.limits.text))


def _order_key(written: str) -> str:
    """A key of an order; those of a conditional in any case, as phones begin lines with a capital."""
    key = words(written)
    return key.casefold() if key.casefold() in OURS else key
