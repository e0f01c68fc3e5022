"""What must not stand in a template: text that is not escaped, bare attributes, anything fetched or run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.architecture.reading import ROOT, Finding

FORBIDDEN = {
    "text that is not escaped": re.compile(r"\|\s*safe\b|autoescape\s+false|Markup\("),
    "something that runs": re.compile(r"<script|\bon(?:click|load|error)\s*=|javascript:", re.IGNORECASE),
    "something fetched": re.compile(r"<link\b|@import|url\(\s*['\"]?https?:|<img[^>]+src=['\"]https?:", re.IGNORECASE),
}
# Markup that is neither text to escape nor fetched: the name of a namespace, and a page that carries its own script.
PARTIAL = {"a drawing that needs a browser": re.compile(r"<style|var\(--|<foreignObject", re.IGNORECASE)}


COMMENT, CODE = re.compile(r"\{#.*?#\}", re.DOTALL), re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
QUOTED = re.compile(r"=\s*(\"[^\"]*\"|'[^']*')", re.DOTALL)
BARE = re.compile(r"<[a-z][^<>]*\s[a-z:-]+=[^\"'\s>]", re.IGNORECASE)


def templates() -> list[tuple[str, str]]:
    """Place and text of every template, those of the sample games included."""
    files = [*(ROOT / "templates").rglob("*.j2"), *(ROOT / "tests" / "sample_games").rglob("*.j2")]
    return [(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")) for file in sorted(files)]


def forbidden(place: str, text: str) -> Iterator[Finding]:
    rules = FORBIDDEN | (PARTIAL if place.endswith(".svg.j2") else {})
    plain = COMMENT.sub(_lines, text)
    for what, pattern in rules.items():
        for found in pattern.finditer(plain):
            yield Finding(f"{place}:{_line(plain, found)}", what)
    # What Jinja puts in, and then whatever stands in quotes, is out of the way before bare attributes are looked for.
    bare = QUOTED.sub(lambda value: '=""' + _lines(value), CODE.sub(lambda code: "x" + _lines(code), plain))
    for found in BARE.finditer(bare):
        yield Finding(f"{place}:{_line(bare, found)}", "an attribute without quotes")


def _lines(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _line(text: str, found: re.Match[str]) -> int:
    return text.count("\n", 0, found.end()) + 1
