"""Quoting: which lines of a mail are new, and which were written before and only stand in it again.

Three marks are known: `>` before lines, a line such as "Anna wrote:" above unmarked ones, and the block of From, Sent,
To and Subject that some programs put there. In English, French, Italian, German and Spanish.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.intake.mail.phrases import DATED, FIELD, FIELDS, FORWARDED, FORWARDS, HINTS, LEADS, ORIGINAL, SENDERS, WROTE

MARK = re.compile(r"[ \t]{0,3}(?:[A-Z]{1,3})?>(?:[ \t]?>)* ?")

WRAPPED = 58  # columns: where a line that was broken ended, at least, had its next word stood there
LONGEST = 400  # characters of a line that says who wrote what follows
HAS_SENDER = re.compile(r"\d|@")
FORWARD, ORIGINAL_HEAD, FIELDS_BLOCK, WROTE_LINE = "forward", "original", "fields", "wrote"


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a text without their marks, how deep each was quoted, and whether it was forwarded."""

    texts: tuple[str, ...]
    depths: tuple[int, ...]
    forwarded: tuple[bool, ...]
    widths: tuple[int, ...]  # of each line as it came, marks included

    @property
    def new(self) -> list[str]:
        """The first lines that are not quoted, without those that announce a quotation, up to the next one."""
        kept: list[str] = []
        begun = False
        for number, (text, depth) in enumerate(zip(self.texts, self.depths, strict=True)):
            if depth or self.forwarded[number] or _announces(self, number):
                if begun:
                    break
            elif not self.is_tail(number):
                kept.append(text)
                begun = begun or bool(text.strip())
        return kept

    def is_tail(self, number: int) -> bool:
        """Whether a line is the rest of the one above, which a program broke that knows nothing of quoting."""
        text = self.texts[number]
        return number > 0 and (
            self.depths[number] < self.depths[number - 1]
            and bool(text.strip())
            and self.widths[number - 1] + len(text.partition(" ")[0]) > WRAPPED
        )


def lines_of(text: str, subject: str = "") -> Lines:
    """A text taken apart. Below the head of a quotation whose lines have no mark, all is quoted once more."""
    raw = text.split("\n")
    if ">" not in text and not HINTS.search(text):
        nought = (0,) * len(raw)
        return Lines(tuple(raw), nought, (False,) * len(raw), tuple(map(len, raw)))
    texts, depths, forwards = [], [], []
    region, forwarded, in_head = 0, False, False
    is_forward = bool(FORWARDS.match(subject.strip()))
    for number, line in enumerate(raw):
        mark = MARK.match(line) if ">" in line else None
        depth = mark[0].count(">") if mark else 0
        if mark:
            line = line[mark.end() :]
        else:
            in_head = in_head and (not line.strip() or line[0] in " \t" or bool(_is_field(line)))
            if not in_head and (kind := _head(raw, number)):
                region, in_head = region + 1, True
                # Outlook writes the same line above what is answered and what is forwarded; the subject says which.
                forwarded |= kind == FORWARD or (kind in (ORIGINAL_HEAD, FIELDS_BLOCK) and is_forward)
        texts.append(line)
        depths.append(depth + region)
        forwards.append(forwarded or bool(depth and FORWARDED.match(line)))
    return Lines(tuple(texts), tuple(depths), tuple(forwards), tuple(map(len, raw)))


def _head(raw: list[str], number: int) -> str | None:
    """Whether the quotation of unmarked lines begins here, and by which mark."""
    line = raw[number]
    if FORWARDED.match(line):
        return FORWARD
    if ORIGINAL.match(line) or (_is_field(line) and _is_header_block(raw, number)):
        kind = ORIGINAL_HEAD if ORIGINAL.match(line) else FIELDS_BLOCK
        below = (text for text in raw[number + 1 : number + 14] if text.strip() and not _is_field(text))
        return None if MARK.match(next(below, "")) else kind
    if (
        len(line) <= LONGEST
        and WROTE.search(line)
        and HAS_SENDER.search(" ".join(raw[max(0, number - 2) : number + 1]))
    ):
        after = next((text for text in raw[number + 1 : number + 6] if text.strip()), "")
        return None if MARK.match(after) else WROTE_LINE
    return None


def _is_field(line: str) -> str:
    found = FIELD.match(line)
    name = found[1].lower() if found else ""
    return name if name in FIELDS else ""


def _is_header_block(raw: Sequence[str], number: int) -> bool:
    """Whether three fields of a mail's head stand here together, a sender and a subject or date among them."""
    found: set[str] = set()
    for line in raw[number : number + 12]:
        if name := _is_field(line):
            found.add(name)
        elif line.strip() and not line.startswith((" ", "\t")) and ":" in line[:20]:
            break
    return len(found) >= 3 and bool(found & SENDERS) and bool(found & DATED)


def _announces(lines: Lines, number: int) -> bool:
    """Whether a line says that somebody wrote what follows, or is the beginning of a line that says so."""
    if _is_field(lines.texts[number]) and _is_header_block(lines.texts, number):
        return True
    for later in range(number, min(number + 3, len(lines.texts))):
        if lines.depths[later] or len(lines.texts[later]) > LONGEST:
            return False
        if WROTE.search(lines.texts[later]):
            joined = " ".join(lines.texts[number : later + 1])
            return later == number or bool(LEADS.match(joined))
    return False
