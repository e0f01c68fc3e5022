"""Command lines of `pbem` as they stand in documents, held against the program: the command and its options exist."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from pbem.cli import pbem

# In a block of shell, or between backticks in running text.
BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.M | re.S)
SYNOPSIS = str.maketrans("[]\n", "   ")  # what may be left out is held against the program, too
SHELLS = ("sh", "bash", "console")
INLINE = re.compile(r"`(pbem(?: [^`]*)?)`")


class Line(NamedTuple):
    """A command line somewhere."""

    place: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.place}: {' '.join(self.words)}"


def in_document(path: Path) -> Iterator[Line]:
    """Every line of a Markdown file that calls pbem."""
    text = path.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(2)) + 1
        for number, line in enumerate(block[2].splitlines() if block[1] in SHELLS else (), first):
            yield from calls(f"{path.name}:{number}", line)
    running = BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text)
    for found in INLINE.finditer(running):
        place = f"{path.name}:{running.count(chr(10), 0, found.start()) + 1}"
        yield from calls(place, found[1].translate(SYNOPSIS).replace("...", " "))


def calls(place: str, line: str) -> Iterator[Line]:
    """The calls of pbem in a line of shell."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = "#"
    words: list[str] = []
    for word in [*lexer, ";"]:
        if set(word) <= set("();<>|&"):
            if words and re.fullmatch(r"(?:\$PBEM|(?:.*/)?pbem)", words[0]):
                yield Line(place, tuple(words[1:]))
            words = []
        else:
            words.append(word)


def faults(line: Line, group: click.Group = pbem) -> Iterator[str]:
    """What the program would not know in that line. Words in capitals stand for what a reader puts there."""
    command: click.Command = group
    context = click.Context(command, info_name="pbem", help_option_names=["-h", "--help"])
    words = iter(line.words)
    free = 0
    for word in words:
        if word.startswith("-") and len(word) > 1:
            name, equals, _ = word.partition("=")
            option = next((one for one in command.get_params(context) if name in one.opts), None)
            if option is None:
                yield f"{context.command_path} has no option {name}"
            elif isinstance(option, click.Option) and not option.is_flag and not equals and next(words, None) is None:
                yield f"{name} needs a value"
        elif isinstance(command, click.Group):
            found = command.get_command(context, word)
            if found is None:
                yield f"{context.command_path} has no command {word!r}"
                return
            command, context = found, click.Context(found, context, info_name=word)
        else:
            free += 1
    takes = [one for one in command.params if isinstance(one, click.Argument)]
    if not isinstance(command, click.Group) and free > len(takes) and all(one.nargs == 1 for one in takes):
        yield f"{context.command_path} takes {len(takes)} words, and here are {free}"
