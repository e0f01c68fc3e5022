"""Complaints: what libyaml says of a text it cannot read, in words a player can act on."""

from __future__ import annotations

import re
from typing import NamedTuple

import yaml

from pbem.intake.problems import START, Mark, Problem, problem

TAB = re.compile(r"^ *\t")


class Told(NamedTuple):
    """How a complaint begins, or the words for what was being done, and the code and sentence a player gets for it."""

    begins: str
    code: str
    sentence: str
    at_context: bool = False  # libyaml points at the end of the file, a person looks for the beginning


ALIAS = "`*` begins an alias, which has no place in orders. Put the text in quotes."
ANCHOR = "`&` begins an anchor, which has no place in orders. Put the text in quotes."
BLOCK = "`|` or `>` begins a text of several lines and must end its own line. Put the text in quotes."
BRACKETS = "The list in [brackets] is not closed here, or a comma is missing."
BRACES = "The mapping in braces is not closed here, or a comma is missing."
COLON = "A colon and a blank make a key, and none can stand here. If it belongs to a text, put the text in quotes."
COLUMN = "This fits neither as a key nor as a list entry. Begin what belongs together in one column."
DASH = "A dash cannot stand here: begin each entry on a line of its own."
DIRECTIVE = "Lines that begin with % have no place in orders; take them out."
DOCUMENT = "The text above ended with `...` or a bracket, and here is more. One file holds one form."
ESCAPE = "A backslash in double quotes begins an escape, and this is none. Use single quotes."
NO_COLON = "This line should be `key: value`, with a colon and a blank."
NOTHING = "Nothing can stand here that begins with this sign; put the text in quotes."
QUESTION = "A question mark cannot stand here; put the text in quotes."
QUOTE = "The quotation mark that opens here is never closed."
TAG = "`!` begins a tag, which has no place in orders. Put the text in quotes."

KNOWN = (
    Told("mapping values are not allowed", "colon", COLON),
    Told("block sequence entries are not allowed", "dash", DASH),
    Told("block mapping entries are not allowed", "question", QUESTION),
    Told("mapping keys are not allowed", "question", QUESTION),
    Told("found character that cannot start any token", "sign", NOTHING),
    Told("did not find expected node content", "sign", NOTHING),
    Told("found unknown escape character", "escape", ESCAPE),
    Told("did not find expected hexdecimal number", "escape", ESCAPE),
    Told("found invalid Unicode character escape", "escape", ESCAPE),
    Told("could not find expected ':'", "no_colon", NO_COLON, at_context=True),
    Told("found undefined tag handle", "tag", TAG),
    Told("did not find expected '-' indicator", "indent", COLUMN),
    Told("did not find expected key", "indent", COLUMN),
    Told("did not find expected ',' or ']'", "bracket", BRACKETS, at_context=True),
    Told("did not find expected ',' or '}'", "brace", BRACES, at_context=True),
    Told("did not find expected <document start>", "documents", DOCUMENT),
    Told("while scanning an alias", "alias", ALIAS),
    Told("while scanning an anchor", "anchor", ANCHOR),
    Told("while scanning a tag directive", "directive", DIRECTIVE),
    Told("while scanning a tag", "tag", TAG),
    Told("while scanning a directive", "directive", DIRECTIVE),
    Told("while scanning a block scalar", "block", BLOCK),
    Told("found incompatible YAML document", "directive", DIRECTIVE),
    Told("found duplicate %", "directive", DIRECTIVE),
    Told("found unexpected end of stream", "quote", QUOTE, at_context=True),
    Told("found unexpected document indicator", "quote", QUOTE, at_context=True),
)
OTHER = Told("", "syntax", "This cannot be read as YAML; look at the line before it, too.")


def complaint(error: yaml.MarkedYAMLError, text: str) -> Problem:
    """libyaml's complaint as a problem, at the place where a person would mend it."""
    said, doing = error.problem or "", error.context or ""
    told = next((told for told in KNOWN if said.startswith(told.begins) or doing.startswith(told.begins)), OTHER)
    where = (error.context_mark if told.at_context else None) or error.problem_mark or error.context_mark
    if where is None:
        return problem(told.code, told.sentence, START)
    if (tab := _tab_near(text, where.line)) is not None:
        return problem("tab", "This line is indented with a tab. Use spaces.", tab)
    mark = Mark(where.line + 1, where.column + 1, where.line + 1, where.column + 2)
    return problem(told.code, told.sentence, mark)


def _tab_near(text: str, line: int) -> Mark | None:
    """The tab that indents this line or the one before it, if one does."""
    lines = text.split("\n")
    for number in (line, line - 1):
        if 0 <= number < len(lines) and (found := TAB.match(lines[number])):
            return Mark(number + 1, found.end(), number + 1, found.end() + 1)
    return None
