"""What is said: words or one JSON document on standard output, and a reader who has gone away is no failure."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, TextIO

import click

from pbem.errors import Trouble


def say(words: str = "", *, err: bool = False) -> None:
    """One line of words."""
    _put(f"{words}\n", err)


def emit(data: Any) -> None:
    """One JSON document, in UTF-8 whatever the terminal speaks."""
    exactly(json.dumps(data, ensure_ascii=False, indent=2, default=str) + "\n")


def exactly(text: str) -> None:
    """A text to the byte, as it was written when it was first sent."""
    _put(text.encode("utf-8", "backslashreplace"), err=False)


def as_it_came(raw: bytes) -> None:
    """Bytes of somebody else's, to the byte: for a file or another program."""
    _put(raw, err=False)


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
