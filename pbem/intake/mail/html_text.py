"""HTML mail as text: what a person sees, line by line, with quoted parts marked by `>` as in plain mail.

The tokenizer is our own: that of the standard library needs 40 seconds for a quarter megabyte of opened comments. Here
each letter is looked at a few times at most, whatever stands there. Hidden text is never shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import NamedTuple

from pbem.intake.mail.phrases import names

TAG = re.compile(r"</?([A-Za-z][^\s/<>]{0,40})((?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+)>")
ANY_TAG = re.compile(r"</?([A-Za-z][^\s/>]{0,40})([^>]*)>")
LONGEST_TAG = 4000
ATTRIBUTE = re.compile(r"""(?<![A-Za-z-])([A-Za-z-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))|\b(hidden)\b""")
NAMED = re.compile(r"[.#][\w-]+")
HIDES = re.compile(
    r"(?<![\w-])(?:display:none|visibility:(?:hidden|collapse)|mso-hide:all|opacity:0(?![.\d])|opacity:0?\.0|"
    r"color:transparent|font-size:(?:0(?![.\d])|1(?:px|pt|%))|(?:max-)?(?:height|width):0(?![.\d])|"
    r"text-indent:-\d{3}|(?:left|top):-\d{3}|clip:rect\(0|clip-path:inset\((?:50|100)%)"
)
WHITE = re.compile(r"(?<![\w-])color:(?:#fff(?:fff)?\b|white|rgba?\(255,255,255)")
GROUND = re.compile(r"background(?:-color)?:(?!(?:#fff(?:fff)?\b|white|transparent|none|inherit|initial))")
KEEPS_BLANKS = re.compile(r"white-space:(?:pre|break-spaces)")
BLANKS = re.compile(r"[ \t\r\n\f]+")

UNSEEN = names("head title style script template noscript noframes select option textarea svg math object")
RAW = {  # whose content holds no tags, and how each is closed
    name: re.compile(rf"</{name}(?:[\s/][^>]*)?>", re.I) for name in ("style", "script", "title", "textarea")
}
BLOCKS = names(
    "p div li tr blockquote pre ul ol dl dt dd table h1 h2 h3 h4 h5 h6 section article header footer hr center form "
    "address fieldset figure main body"
)
EMPTY = names("br hr img input meta link base area col embed source track wbr")
APART = frozenset({"td", "th"})
QUOTED = re.compile(r"yahoo_quoted|protonmail_quote|quoted-content|tutanota_quote")
DASH = "- "
DEEPEST = 200  # tags inside each other that are told apart


@dataclass(slots=True)
class _Open:
    """A tag that is open, and what holds inside it."""

    name: str
    hidden: bool = False
    pre: bool = False
    quotes: int = 0
    ground: bool = False


@dataclass(slots=True)
class _Page:
    """The text that comes out."""

    lines: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    quotes: int = 0
    open: list[_Open] = field(default_factory=lambda: [_Open("")])
    hiding: set[str] = field(default_factory=set)

    def end_line(self) -> None:
        text = "".join(self.line).rstrip(" ")
        self.lines.append(f"{'>' * self.quotes} {text}" if self.quotes else text)
        self.line = []

    def break_line(self) -> None:
        """Ends a line that has begun, unless it is but the dash before a paragraph in a list."""
        if self.line and self.line != [DASH]:
            self.end_line()

    def say(self, text: str) -> None:
        top = self.open[-1]
        if top.hidden:
            return
        if top.quotes != self.quotes:
            self.break_line()
            self.quotes = top.quotes
        if top.pre:
            first, *more = text.replace("\r\n", "\n").split("\n")
            self.line += [first] if first else []
            for line in more:
                self.end_line()
                self.line += [line] if line else []
            return
        text = BLANKS.sub(" ", text)
        if not self.line or self.line[-1].endswith(" "):
            text = text.lstrip(" ")
        if text:
            self.line.append(text)


def text_of(html: str) -> str:
    """What a person would see."""
    page = _Page()
    at = 0
    for tag in _tags(html):
        if tag.start > at:
            page.say(unescape(html[at : tag.start]))
        at = tag.end
        if tag.name == "style" and not tag.closes:
            page.hiding |= _hiding(tag.inside)
        elif tag.closes:
            _close(page, tag.name)
        elif tag.name not in RAW:
            _enter(page, tag.name, tag.inside)
    if at < len(html):
        page.say(unescape(html[at:]))
    page.break_line()
    return "\n".join(page.lines)


class _Tag(NamedTuple):
    """Where a tag begins and ends, and its attributes; of a style sheet the content. Comments have no name."""

    start: int
    end: int
    name: str = ""
    inside: str = ""
    closes: bool = False


def _tags(html: str) -> Iterator[_Tag]:
    at = 0
    while (start := html.find("<", at)) >= 0:
        sign = html[start + 1 : start + 2]
        if sign in ("!", "?"):
            at = _after_comment(html, start)
            yield _Tag(start, at)
        elif (found := TAG.match(html, start, start + LONGEST_TAG)) or (found := _long(html, start)):
            at, name = found.end(), found[1].lower()
            if name in RAW and sign != "/":
                close = RAW[name].search(html, at)
                at = close.end() if close else len(html)
                yield _Tag(start, at, name, html[found.end() : close.start() if close else at])
            else:
                yield _Tag(start, at, name, found[2], sign == "/")
        else:
            at = start + 1


def _after_comment(html: str, start: int) -> int:
    """What is behind a comment or a declaration; of one that is never closed no program shows the rest."""
    sign = "-->" if html.startswith("<!--", start) else ">"
    end = html.find(sign, start + 2)
    return end + len(sign) if end >= 0 else len(html)


def _long(html: str, start: int) -> re.Match[str] | None:
    """A tag with a picture in it, or with a quotation mark that is never closed: up to the next `>`."""
    end = html.find(">", start)
    if end < start + LONGEST_TAG:
        return None
    return ANY_TAG.match(html, start)


def _hiding(sheet: str) -> set[str]:
    """The classes and ids that a style sheet hides."""
    found: set[str] = set()
    for rule in sheet.split("}"):
        names, _, style = rule.rpartition("{")
        if HIDES.search(_squeezed(style)):
            found.update(NAMED.findall(names[-400:]))
    return found


def _squeezed(style: str) -> str:
    return re.sub(r"\s+", "", unescape(style)).lower()


def _enter(page: _Page, name: str, attributes: str) -> None:
    if name == "br":
        if not page.open[-1].hidden:
            page.quotes = page.quotes if page.line else page.open[-1].quotes
            page.end_line()
        return
    if name in BLOCKS:
        page.break_line()
    elif name in APART and page.line:
        page.line.append(" ")
    if name in EMPTY:
        return
    if len(page.open) < DEEPEST:
        page.open.append(_opened(page, name, attributes))
    if name == "li" and not page.open[-1].hidden:
        page.quotes = page.open[-1].quotes
        page.line.append(DASH)


def _opened(page: _Page, name: str, attributes: str) -> _Open:
    above = page.open[-1]
    new = _Open(name, above.hidden or name in UNSEEN, above.pre or name == "pre", above.quotes, above.ground)
    new.quotes += name == "blockquote"
    if not attributes.strip():
        return new
    style = ""
    for key, double, single, bare, hidden in ATTRIBUTE.findall(attributes):
        value = double or single or bare
        match key.lower():
            case "style":
                style = _squeezed(value)
            case "class" | "id" | "name":
                new.quotes += bool(QUOTED.search(value))
                sign = "#" if key.lower() == "id" else "."
                new.hidden |= bool(page.hiding) and any(sign + word in page.hiding for word in value.split())
            case "bgcolor":
                new.ground = True
            case "hidden":
                new.hidden = True
            case "color":
                style += f"color:{value.lower()};"
        new.hidden |= bool(hidden)
    new.ground |= bool(GROUND.search(style))
    new.pre = new.pre or bool(KEEPS_BLANKS.search(style))
    new.hidden |= bool(HIDES.search(style)) or (not new.ground and bool(WHITE.search(style)))
    return new


def _close(page: _Page, name: str) -> None:
    if name in BLOCKS:
        page.break_line()
    for number in range(len(page.open) - 1, 0, -1):
        if page.open[number].name == name:
            del page.open[number:]
            return
