"""YAML: bytes become plain data with a place for every key and value, through libyaml's flat stream of events.

The stack is our own, so nothing nests deeper than allowed. All scalars are text (`NO` is a word, `1e3` a square); an
empty value, `~` and `null` are None, with their letters kept beside, for where a name is wanted. Anchors, aliases,
tags, merge keys, directives and second documents have no place in orders. What stands below the line `end: orders` is
not read at all: signatures, adverts and quoted mails may be there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

import yaml

from engine.entries import Path
from pbem.intake.characters import decode, forbidden, settled, visible
from pbem.intake.complaints import complaint
from pbem.intake.limits import USUAL, Limits
from pbem.intake.problems import START, Mark, Unreadable, problem

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
PRESS, ORDERS = "say", "orders"
END_LINE = r"end[ ]*:[ ]+[\"']?orders[\"']?[ ]*(?:#.*)?$"
FIRST_LINE = re.compile(r"^([ ]*)(?![ #]|---|$)", re.M)


@dataclass(frozen=True, slots=True)
class Tree:
    """What a file says, and where.

    `values` and `keys` hold the event of each, whose place `mark` and `key_mark` tell. `letters` holds what was written
    where the data has None; `folded` and `blocks` name the texts that go over several lines, unmarked or after a `|`;
    `lines` is the text itself.
    """

    data: Any
    values: Mapping[Path, Any]
    keys: Mapping[Path, Any]
    letters: Mapping[Path, str]
    folded: frozenset[Path]
    blocks: frozenset[Path]
    lines: tuple[str, ...]

    def mark(self, path: Path) -> Mark:
        """Where the value of that path stands; the beginning of the file when there is none."""
        return _mark(self.values[path]) if path in self.values else START

    def key_mark(self, path: Path) -> Mark:
        """Where the key stands that a path ends with."""
        return _mark(self.keys[path])


def parse(raw: bytes, limits: Limits = USUAL) -> Tree:
    """The file as a tree; raises Unreadable with the first thing that keeps it from being one."""
    if len(raw) > limits.order_bytes:
        sentence = "The file has {size} bytes; at most {most} are read."
        _refuse("size", sentence, START, size=len(raw), most=limits.order_bytes)
    text = text_of(raw)
    if found := forbidden(text):
        _refuse(
            "character",
            "Here is the character {character}, which no order holds. Save the file as plain UTF-8 text.",
            _mark_at(text, found[0]),
            character=found[1],
        )
    builder = _Builder(limits)
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        raise Unreadable(complaint(error, text)) from None
    return builder.tree(text)


def text_of(raw: bytes) -> str:
    """The text up to and with the line `end: orders`, which stands as far in as the first key."""
    text = decode(raw)
    first = FIRST_LINE.search(text)
    if first is None:
        return text
    end = re.compile("^" + first[1] + END_LINE, re.M | re.I).search(text)
    return text[: end.end()] + "\n" if end else text


def _mark_at(text: str, index: int) -> Mark:
    line, column = text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)
    return Mark(line, column, line, column + 1)


def _refuse(code: str, sentence: str, mark: Mark, **facts: Any) -> NoReturn:
    raise Unreadable(problem(code, sentence, mark, **facts))


# --- events to data ----------------------------------------------------------------------------------------------


def _mark(event: Any) -> Mark:
    start, end = event.start_mark, event.end_mark
    return Mark(start.line + 1, start.column + 1, end.line + 1, end.column + 1)


@dataclass(slots=True)
class _Open:
    """A list or a mapping that is not closed yet; `key` waits for its value."""

    box: list[Any] | dict[str, Any]
    path: Path
    key: str | None = None


@dataclass(slots=True)
class _Builder:
    """Takes event after event and keeps what they say."""

    limits: Limits
    root: Any = None
    values: dict[Path, Any] = field(default_factory=dict)
    keys: dict[Path, Any] = field(default_factory=dict)
    letters: dict[Path, str] = field(default_factory=dict)
    folded: list[Path] = field(default_factory=list)
    blocks: list[Path] = field(default_factory=list)
    stack: list[_Open] = field(default_factory=list)
    nodes: int = 0
    document: Mark | None = None

    def tree(self, text: str) -> Tree:
        folded, blocks, lines = frozenset(self.folded), frozenset(self.blocks), tuple(text.split("\n"))
        return Tree(self.root, self.values, self.keys, self.letters, folded, blocks, lines)

    def take(self, event: Any) -> None:
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._check(event)
            self._scalar(event)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._check(event)
            self._open(event, {} if kind is yaml.MappingStartEvent else [])
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self.stack.pop()
        elif kind is yaml.AliasEvent:
            name = visible(str(event.anchor))
            sentence = "`*{name}` is an alias, which has no place in orders. If it is a word, put it in quotes."
            _refuse("alias", sentence, _mark(event), name=name)
        elif kind is yaml.DocumentStartEvent:
            self._document(event)

    def _document(self, event: Any) -> None:
        mark = _mark(event)
        if event.version or event.tags:
            _refuse("directive", "Lines that begin with % have no place in orders; take them out.", mark)
        if self.document is not None:
            sentence = "A second document begins here; the first began on line {first}. One file holds one form."
            _refuse("documents", sentence, mark, first=self.document.line)
        self.document = mark

    def _check(self, event: Any) -> None:
        """What holds for texts, lists and mappings alike."""
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            _refuse("nodes", "There are more than {most} entries in this file.", _mark(event), most=self.limits.nodes)
        if event.anchor:
            sentence = "`&{name}` is an anchor, which has no place in orders. If it is a word, put it in quotes."
            _refuse("anchor", sentence, _mark(event), name=visible(str(event.anchor)))
        if event.tag is not None:
            sentence = "`{tag}` is a tag, which has no place in orders. If it is a word, put it in quotes."
            _refuse("tag", sentence, _mark(event), tag=visible(str(event.tag)))

    def _scalar(self, event: Any) -> None:
        text, style = event.value, event.style
        if not text.isascii() or style == '"':
            text = self._settled(text, event)
        top = self.stack[-1] if self.stack else None
        if top is not None and top.key is None and type(top.box) is dict:
            self._key(top, text, event)
            return
        null = not style and text in NULLS
        path = self._add(None if null else text, event)
        if null:
            self.letters[path] = text
        elif len(text) > self.limits.text and len(text) > (most := self._most(path, style)):
            sentence = "This text has {size} characters; at most {most} are read here."
            _refuse("text", sentence, _mark(event), size=len(text), most=most)
        elif style == "|":
            self.blocks.append(path)
        elif not style and event.end_mark.line > event.start_mark.line:
            self.folded.append(path)

    def _most(self, path: Path, style: str) -> int:
        """How long a text may be: press is prose, and `orders: |` holds many orders, each a line."""
        top = str(path[0]).lower() if path else ""
        long = top == PRESS or (top == ORDERS and len(path) == 1 and style == "|")
        return max(self.limits.press, self.limits.text) if long else self.limits.text

    def _settled(self, text: str, event: Any) -> str:
        """Quoted texts may hold escapes for what could not stand in the file itself."""
        text = settled(text)
        if found := forbidden(text):
            sentence = "This text holds the character {character}, which no order holds."
            _refuse("character", sentence, _mark(event), character=found[1])
        return text

    def _key(self, top: _Open, key: str, event: Any) -> None:
        assert isinstance(top.box, dict)
        path = (*top.path, key)
        if not key or "\n" in key or len(key) > self.limits.text:
            _refuse("key", "A key is one or more words on one line; here is none.", _mark(event))
        if key == "<<":
            _refuse("merge", "`<<` merges mappings, which has no place in orders.", _mark(event))
        if key in top.box:
            sentence = "`{key}` stands here for the second time; the first is on line {first}. Keep one of them."
            first = _mark(self.keys[path]).line
            _refuse("duplicate", sentence, _mark(event), key=visible(key), first=first)
        self.keys[path] = event
        top.key = key

    def _open(self, event: Any, box: list[Any] | dict[str, Any]) -> None:
        top = self.stack[-1] if self.stack else None
        if top is not None and top.key is None and type(top.box) is dict:
            sentence = "A key is a word; put it in quotes if it begins with [ or {brace}."
            _refuse("key", sentence, _mark(event), brace="{")
        if len(self.stack) >= self.limits.depth:
            sentence = "This is nested deeper than {most} lists and mappings."
            _refuse("depth", sentence, _mark(event), most=self.limits.depth)
        self.stack.append(_Open(box, self._add(box, event)))

    def _add(self, value: Any, event: Any) -> Path:
        """Puts a value where it belongs, and gives its path."""
        path: Path = ()
        if not self.stack:
            self.root = value
        else:
            top = self.stack[-1]
            if isinstance(top.box, list):
                path = (*top.path, len(top.box))
                top.box.append(value)
            else:
                assert top.key is not None
                path = (*top.path, top.key)
                top.box[top.key] = value
                top.key = None
        self.values[path] = event
        return path
