"""Output: everything the command line prints passes here, and is escaped here; nothing else writes to a stream.

`say` prints one line, so a line end in it can only come from a value. A reader who has gone away is no failure.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import click

from pbem import escaping
from pbem.errors import Trouble


def say(words: str = "", *, err: bool = False) -> None:
    """Print one line. A line end or a control character in it came from a value, and is written out."""
    _put(f"{escaping.line(words)}\n", err)


def say_lines(words: str) -> None:
    """Print a text of ours that has several lines."""
    _put(f"{escaping.lines(words)}\n", err=False)


def emit(data: Any, *, indent: int | None = 2) -> None:
    """Print one JSON document, in UTF-8 whatever the terminal speaks."""
    _put(f"{escaping.json_text(data, indent=indent)}\n".encode(), err=False)


def emit_text(text: str) -> None:
    """Print one line that is JSON already."""
    _put(f"{escaping.in_json(text)}\n".encode("utf-8", "backslashreplace"), err=False)


def document(text: str) -> None:
    """Print a document. A file or a program gets it to the byte, but for control characters; a terminal gets it with
    everything unsafe written out."""
    shown = escaping.lines(text) if at_terminal() else escaping.document(text)
    _put(shown.encode("utf-8", "backslashreplace"), err=False)


def as_it_came(raw: bytes) -> None:
    """Print bytes of somebody else's: to a file or a program to the byte, to a terminal as safe lines of text."""
    if at_terminal():
        say_lines(raw.decode("utf-8", "replace").removesuffix("\n"))
    else:
        _put(raw, err=False)


def page_through(text: str) -> None:
    """Print a long text of ours, through a pager where somebody sits at a terminal."""
    if at_terminal():
        click.echo_via_pager(escaping.lines(text))
    else:
        say_lines(text.rstrip("\n"))


def clear_screen() -> None:
    """Empty the terminal; a file or a program gets nothing for it."""
    click.clear()


def at_terminal(*, err: bool = False) -> bool:
    """Return whether somebody at a terminal reads what is printed."""
    stream = sys.stderr if err else sys.stdout
    return stream is not None and stream.isatty()


Tell = Callable[[str, int, int], None]  # what is being done, how much of it is done, and of how much


@contextmanager
def progress_bar() -> Iterator[Tell | None]:
    """Draw a progress bar on standard error; None where nobody is there to see it."""
    if not at_terminal(err=True):
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress, TaskID

    # Drawn by us, not by a thread: worker processes are forked, and a fork copies one thread only.
    with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as shown:
        tasks: dict[str, TaskID] = {}

        def tell(what: str, done: int, of: int) -> None:
            words = escape(escaping.line(what))
            if words not in tasks:
                tasks[words] = shown.add_task(words, total=of)
            shown.update(tasks[words], completed=done, total=of)
            shown.refresh()

        yield tell


def several(count: int, one: str, many: str = "") -> str:
    """A number with its word: 1 game, 2 games."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def listed(counts: dict[str, int]) -> str:
    """What became of how many, such as `2 accepted, 1 refused`; empty when there was nothing."""
    return ", ".join(f"{count} {FATES.get(fate, fate)}" for fate, count in sorted(counts.items()))


FATES = {
    "kept": "not opened (no plain file, or too large)",
    "quarantined": "set aside (nobody's)",
    "later": "not taken yet",
    "unknown": "sent perhaps (no answer came)",
}


def _put(what: str | bytes, err: bool) -> None:
    try:
        click.echo(what, nl=False, err=err)
    except BrokenPipeError:
        _hang_up(sys.stderr if err else sys.stdout)  # whoever read us has heard enough; the work goes on
    except OSError as error:
        _hang_up(sys.stderr if err else sys.stdout)
        if not err:
            raise Trouble(f"The answer could not be written ({error.strerror}); what was done is done.") from error


def settle_streams() -> None:
    """What a terminal cannot show is spelled out, instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def last_flush() -> None:
    """Nothing is left to say when the interpreter ends, so that it has nothing to complain of."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            _hang_up(stream)


def _hang_up(stream: TextIO) -> None:
    """What is still said goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
