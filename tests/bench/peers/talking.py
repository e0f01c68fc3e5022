"""A program that is measured, as the one that asks sees it: it sleeps until it is asked for a round.

Each is a process of its own, in the interpreter of its own room, and one line of JSON goes each way.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

WORK = Path(__file__).parent / "work"


class Lost(Exception):
    """A program that does not answer any more, with its last words."""


class Did(NamedTuple):
    """How many were done in how many seconds of the processor."""

    done: float
    seconds: float

    def __add__(self, other: object) -> Did:
        if not isinstance(other, Did):
            return NotImplemented
        return Did(self.done + other.done, self.seconds + other.seconds)

    @property
    def rate(self) -> float:
        return self.done / self.seconds


class Talker:
    """One program of `work/`, started, and ended with the block."""

    def __init__(self, python: Path, script: str, env: Mapping[str, str] | None = None) -> None:
        self.errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - see close
        self.process = subprocess.Popen(
            [python, WORK / script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            env=env,
        )
        try:
            told = self._heard()
        except Lost:
            self.close()
            raise
        self.versions: dict[str, str] = told["versions"]
        self.works: list[str] = told["works"]

    def round(self, work: str, seed: int, seconds: float) -> Did:
        """At least once, and until so many seconds were counted."""
        told = self._asked({"ask": "round", "work": work, "seed": seed, "seconds": seconds})
        return Did(told["done"], told["seconds"])

    def sizes(self, work: str) -> dict[str, float]:
        """How large its decisions are, where it is a game."""
        return self._asked({"ask": "sizes", "work": work})

    def close(self) -> None:
        """It ends when nobody asks any more."""
        with self.process, self.errors:
            assert self.process.stdin is not None
            self.process.stdin.close()

    def _asked(self, what: Mapping[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        try:
            print(json.dumps(what), file=self.process.stdin, flush=True)
        except BrokenPipeError:
            raise Lost(self._last_words()) from None
        return self._heard()

    def _heard(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise Lost(self._last_words())
        found: dict[str, Any] = json.loads(line)
        return found

    def _last_words(self) -> str:
        self.process.wait()
        self.errors.seek(0)
        lines = self.errors.read().split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it ended without a word")
