"""A desk to sit at: `pbem` called as a user calls it, in this process, in a folder of one's own."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbem.cli import run

BEGINS = "2026-11-18T12:00Z"
LATER = "2026-11-18T14:00Z"
DEADLINE = "2026-11-18T20:00Z"
NEXT_DAY = "2026-11-19T20:00Z"


class Said(NamedTuple):
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Desk:
    """Where a user sits: a folder, and what he types."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self._capsys, self._monkeypatch = folder, capsys, monkeypatch
        self.go(folder)

    def go(self, folder: Path) -> None:
        self._monkeypatch.chdir(folder)

    def __call__(self, *args: object, code: int = 0, stdin: bytes | None = b"") -> Said:
        """The command, which must end with that code."""
        given = None if stdin is None else io.TextIOWrapper(io.BytesIO(stdin))
        self._monkeypatch.setattr(sys, "stdin", given)
        self._capsys.readouterr()
        found = run([str(arg) for arg in args])
        said = Said(found, *self._capsys.readouterr())
        assert found == code, f"pbem {' '.join(map(str, args))}: {said}"
        assert "Traceback" not in said.out + said.err
        return said

    def data(self, *args: object, code: int = 0, stdin: bytes | None = b"") -> Any:
        """The same with --json: one document on standard output."""
        return self(*args, "--json", code=code, stdin=stdin).json

    def refused(self, *args: object, code: int, says: str = "", stdin: bytes | None = b"") -> str:
        """A command that fails: nothing on standard output, and one sentence that holds these words."""
        said = self(*args, code=code, stdin=stdin)
        assert said.out == ""
        return one_sentence(said.err, says)

    def form(self, seat: str, turn: int = 1, game: str = "jade-river") -> str:
        """The order form that the seat was sent."""
        return (self.folder / "outbox" / game / seat / f"turn-{turn:04d}-report-orders.yml").read_text()

    def file(self, order: str, seat: str = "1", turn: int = 1, name: str = "orders.yml") -> Path:
        """That form with another order in it, as a file."""
        lines = [line for line in self.form(seat, turn).splitlines() if not line.startswith(("#", "  - "))]
        path = self.folder / name
        path.write_text("\n".join(lines).replace("orders:\n", f"orders:\n  - {order}\n") + "\n")
        return path


def one_sentence(err: str, says: str = "") -> str:
    """What was said, if it is one line of words."""
    assert err.endswith("\n"), err
    [line] = err.splitlines()
    assert line.startswith("pbem: "), line
    assert line.endswith((".", "?")), line
    assert says in line, line
    return line
