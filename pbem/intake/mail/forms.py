"""Forms: where in the lines of a mail an order form stands, and its text as it was before mail programs bent it.

First a fence, then a block of known keys around a line `game:`. A form ends at its line `end: orders`; one without it
is taken as far as keys, list entries and indented lines go, and refused later for the missing line.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from pbem.intake.characters import words
from pbem.intake.form import END, GAME, KEY, KEYS, ORDERS, SEAT, TURN
from pbem.intake.mail.quoting import WRAPPED, Lines

FENCE = re.compile(
    r"[ \t]*(?:={3,}|-{3,}|~{3,}|`{3,})[ \t]*(?:orders?|ordres?|ordini|ordine|yaml|yml)[ \t]*[=~`-]*[ \t]*$", re.I
)
FENCE_END = re.compile(
    r"[ \t]*(?:={3,}|-{3,}|~{3,}|`{3,})[ \t]*(?:end|fin|fine)?(?:[ \t]+\w+)?[ \t]*[=~`-]*[ \t]*$", re.I
)
END_LINE = re.compile(rf"[ \t]*{END}[ ]*:[ ]*[\"']?{ORDERS}[\"']?[ ]*\.?[ ]*(?:#.*)?$", re.I)
GAME_LINE = re.compile(rf"[ \t]*[\"']?{GAME}[\"']?[ ]*:(?:[ \t]|$)", re.I)
KEY_LINE = re.compile(rf"[ \t]*[\"']?{KEY}[\"']?[ ]*:[ ]*\S", re.I)
ORDERS_LINE = re.compile(rf"[ \t]*{ORDERS}[ ]*:(?:[ \t]|$)", re.I)

# Lists as programs type them for people: a tab or more blanks behind the sign, an asterisk, a bullet behind a tab.
LISTED = re.compile(r"([ ]*)(?:[-*](?:\t[ \t]*|[ ]{2,}(?![ #]))|\*[ ](?=\S))")
BULLET = re.compile(r"[ \t]*[\u2022\u2023\u25aa\u25cf\u25e6\u00b7\uf0b7\u2043][ \t]*(?=\S)|[ \t]*[\u2013\u2014][ \t]+")
KEYLIKE = re.compile(r"[ \t]*(?:-(?:[ \t]|$)|[\"']?[\w][\w -]{0,40}[\"']?[ ]*:(?:[ \t]|$)|#)")
HASH = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")

NARROW = 40  # columns: a line that was broken is at least so long
WHOSE = frozenset({GAME, SEAT, TURN, KEY})
BEHIND = 40  # lines behind a form in which the last lines of our own letter are looked for


@dataclass(frozen=True, slots=True)
class Found:
    """A form in the lines of a mail: where it begins and what it says."""

    line: int  # counted from 1, in the text it stood in
    depth: int
    text: str
    fenced: bool
    forwarded: bool
    framed: bool = False  # the rest of our own letter stands behind it

    @property
    def has_key(self) -> bool:
        """Whether it says by what right it speaks."""
        return any(KEY_LINE.match(line) for line in self.text.split("\n"))

    @property
    def words(self) -> str:
        """What it says, without comments and blanks, to tell whether two forms are the same."""
        return squeezed(self.text)


def squeezed(text: str) -> str:
    """What a form says, without comments, its end line, blanks, and what mail programs change in letters."""
    lines = (line for line in text.split("\n") if not line.lstrip().startswith("#") and not END_LINE.match(line))
    return "".join(words("".join(lines)).split()).casefold()


def same_words(one: str, other: str) -> bool:
    """Whether two forms say the same, letter by letter."""
    return squeezed(one) == squeezed(other)


def forms(lines: Lines, game_keys: Collection[str]) -> list[Found]:
    """All the forms in the text, in their order, quoted ones among them."""
    finder = _Finder(lines, known_key(game_keys))
    found: list[Found] = []
    at = 0
    while (form := finder.next(at)) is not None:
        at, start, fenced = form.end + 1, form.start, form.fenced
        after_ours = bool(found) and found[-1].framed and lines.depths[start] == found[-1].depth
        depth, framed = finder.depth(form, after_ours), finder.is_ours(form)
        found.append(Found(start + 1, depth, finder.text(form), fenced, lines.forwarded[start], framed))
    return _worth_reading(found, finder.known)


def _worth_reading(found: list[Found], known: re.Pattern[str]) -> list[Found]:
    """Those with two known keys at least; of these, where there are others, not a mere head."""
    keyed = [(form, {_key_of(line) for line in form.text.split("\n") if known.match(line)}) for form in found]
    forms = [(form, keys) for form, keys in keyed if form.fenced or len(keys) > 1]
    full = [form for form, keys in forms if form.fenced or keys - WHOSE]
    return full or [form for form, _ in forms]


def known_key(game_keys: Collection[str]) -> re.Pattern[str]:
    """A line that begins with a key of the form."""
    return re.compile(
        rf"[ \t]*[\"']?(?:{'|'.join(map(re.escape, sorted({*KEYS, *game_keys})))})[\"']?[ ]*:(?:[ \t]|$)", re.I
    )


@dataclass(frozen=True, slots=True)
class _Span:
    """The first and the last line of a form."""

    start: int
    end: int
    fenced: bool


class _Finder:
    """Looks for forms from top to bottom. Where lines of a kind stand is noted once."""

    def __init__(self, lines: Lines, known: re.Pattern[str]) -> None:
        self.lines, self.known = lines, known
        self.ends = [number for number, text in enumerate(lines.texts) if END_LINE.match(text)]
        self.games = [
            number for number, text in enumerate(lines.texts) if GAME_LINE.match(text) and text[0] not in " \t"
        ]
        self.deeper = _next_deeper(lines.depths)

    def next(self, at: int) -> _Span | None:
        """The first form that begins at that line or below it."""
        texts, barren = self.lines.texts, at
        for number in range(at, len(texts)):
            text = texts[number]
            if FENCE.match(text) and (span := self._fenced(number)):
                return span
            if ":" in text and self.known.match(text):
                if GAME_LINE.match(text):
                    return self._block(self._first(number, at), number)
                if number >= barren:
                    end, barren = self._without_game(number)
                    if end is not None:
                        return _Span(number, end, False)
        return None

    def _fenced(self, fence: int) -> _Span | None:
        """What stands inside a fence; None when nothing does."""
        texts, depths = self.lines.texts, self.lines.depths
        end = fence
        for number in range(fence + 1, len(texts)):
            if depths[number] > depths[fence] or FENCE_END.match(texts[number]) or FENCE.match(texts[number]):
                break
            end = number
            if END_LINE.match(texts[number]):
                break
        first = next((number for number in range(fence + 1, end + 1) if texts[number].strip()), None)
        return None if first is None else _Span(first, end, True)

    def _first(self, game: int, least: int) -> int:
        """The first line of the form that `game:` stands in, which need not be its first key; no key is there twice."""
        first, seen = game, set(self._keys_below(game))
        for number in range(game - 1, least - 1, -1):
            text = self.lines.texts[number]
            if self.lines.depths[number] != self.lines.depths[game] or END_LINE.match(text):
                break
            if self.known.match(text):
                if (key := _key_of(text)) in seen:
                    break
                seen.add(key)
                first = number
            elif text.strip() and not text.startswith((" ", "\t", "-", "#")):
                break
        return first

    def _keys_below(self, game: int) -> Iterator[str]:
        """The keys of the lines that follow `game:`, up to the first line that is none."""
        for text in self.lines.texts[game : game + len(KEYS)]:
            if not self.known.match(text):
                return
            yield _key_of(text)

    def _without_game(self, first: int) -> tuple[int | None, int]:
        """The end of a form whose line `game:` is missing: known keys, `orders:` among them, up to its end line.

        Beside it, up to which line no such form begins where there is none here.
        """
        texts, has_orders = self.lines.texts, False
        limit = self.deeper[first] if not self.lines.depths[first] else len(texts)
        for number in range(first, limit):
            text = texts[number]
            if END_LINE.match(text):
                return (number if has_orders else None), number + 1
            if GAME_LINE.match(text) or (text.strip() and not KEYLIKE.match(text) and text[0] not in " \t"):
                return None, number
            has_orders = has_orders or bool(ORDERS_LINE.match(text))
        return None, limit

    def _block(self, first: int, game: int) -> _Span:
        """The form with that line, down to its end line unless another form or deeper quotation begins before it."""
        end = _next(self.ends, game)
        before = min(_next(self.games, game), self.deeper[game])
        return _Span(first, end, False) if end < before else _Span(first, self._last(game), False)

    def _last(self, game: int) -> int:
        """The last line of a form that has no end line."""
        last, gap = game, False
        for number in range(game + 1, len(self.lines.texts)):
            text = self.lines.texts[number]
            if self.lines.depths[number] != self.lines.depths[game] or GAME_LINE.match(text):
                break
            if not text.strip():
                gap = True
            elif self.known.match(text) or text[0] == "#" or (text.startswith("  ") and ":" in text):
                last, gap = number, False
            elif not gap and text[0] in " \t-":
                last = number
            else:
                break
        return last

    def depth(self, span: _Span, after_ours: bool) -> int:
        """How deep a form is quoted. Our own letter around it means once at least, as no mark may be left of it.

        What stands behind the form of our letter at the same depth was written below it, and is a quotation less deep.
        """
        depth = self.lines.depths[span.start]
        ours = self.is_ours(span)
        if after_ours and depth and not ours and not self._marked(span):
            return depth - 1
        return max(depth, 1) if ours else depth

    def _marked(self, span: _Span) -> bool:
        return self.lines.widths[span.start] > len(self.lines.texts[span.start])

    def is_ours(self, span: _Span) -> bool:
        """Whether the last lines of our letters, with the ledger's head, follow the form before anything else does."""
        for number in range(span.end + 1, min(span.end + BEHIND, len(self.lines.texts))):
            text = self.lines.texts[number]
            if self.lines.depths[number] != self.lines.depths[span.start] or GAME_LINE.match(text):
                return False
            if HASH.search(text):
                return True
        return False

    # --- the text ---

    def text(self, span: _Span) -> str:
        """The form from the first column on, wrapped lines joined, lists with the signs of YAML."""
        kept: list[str] = []
        widths: list[int] = []
        for number in range(span.start, span.end + 1):
            line = _straight(self.lines.texts[number])
            if kept and _is_tail(kept[-1], widths[-1], line):
                kept[-1] = f"{kept[-1].rstrip()} {line.strip()}"
                widths[-1] = self.lines.widths[number]
            else:
                kept.append(line)
                widths.append(self.lines.widths[number])
        return "\n".join(_from_the_first_column(kept)) + "\n"


def _key_of(line: str) -> str:
    return line.partition(":")[0].strip(" \t\"'").casefold()


def _next(numbers: list[int], after: int) -> int:
    """The first of the numbers, which are in order, that is greater; past all lines where none is."""
    at = bisect_right(numbers, after)
    return numbers[at] if at < len(numbers) else sys.maxsize


def _next_deeper(depths: Sequence[int]) -> list[int]:
    """For each line the next one that is quoted more often."""
    found = [len(depths)] * len(depths)
    waiting: list[int] = []
    for number, depth in enumerate(depths):
        while waiting and depths[waiting[-1]] < depth:
            found[waiting.pop()] = number
        waiting.append(number)
    return found


def _straight(line: str) -> str:
    """A line with the signs of a list as YAML has them."""
    if END_LINE.match(line):
        return line[: len(line) - len(line.lstrip())] + f"{END}: {ORDERS}"
    if (found := BULLET.match(line)) is not None:
        indent = line[: len(line) - len(line.lstrip())].replace("\t", "  ")
        return f"{indent}- {line[found.end() :]}"
    if (found := LISTED.match(line)) is not None and not line[found.end() :].startswith("*"):
        return f"{found[1]}- {line[found.end() :]}"
    return line


def _is_tail(before: str, width: int, line: str) -> bool:
    """Whether a line is the rest of the one before, which a mail program found too long."""
    if not line or line[0] in " \t" or width < NARROW or KEYLIKE.match(line) or not before.strip():
        return False
    return width + 1 + len(line.partition(" ")[0]) > WRAPPED


def _from_the_first_column(lines: list[str]) -> list[str]:
    """The lines without the blanks that stand before all of them."""
    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip(" \t"))]
    return [line.removeprefix(indent) for line in lines] if indent else lines
