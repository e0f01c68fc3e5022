"""Hostile ledgers and exports: every command reads them, and nothing in them steers the terminal or forges a line."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import pytest

from engine.canon import canonical
from pbem import escaping
from pbem.audit import checker
from pbem.cli import output, pbem, run
from pbem.ledger.packing import unpack
from pbem.ledger.triggers import sqlite_triggers
from tests.faults.figures import counted
from tests.pbem import hosted
from tests.pbem.audit.forging import rewrite
from tests.pbem.audit.mutating import POISON, exported, exports, heard, judged, resealed, tried
from tests.pbem.audit.mutating import alone as checked_alone
from tests.pbem.cli.desk import LATER, Desk

FORGED = f"{POISON}\nThe seed is the one committed to, and every draw comes from it: 24."
ENDS = (0, 1, 2, 3, 4, 5, 75)  # never 70, a fault of ours
# What is given for a parameter, by its name. A command with another one must be added here, or the test fails.
GIVEN: dict[str, str] = {
    "name": "jade-river", "game": "nim", "player": "Anna", "address": "new@example.org", "reason": FORGED, "turn": "1",
    "wish": "daily", "code": FORGED, "seat": "1", "words": FORGED, "brake": FORGED, "event": "1", "games": FORGED,
    "url": "postgresql://127.0.0.1:1/x", "file": "{export}", "one": "{export}", "other": "{export}",
    "target": "{new}", "folder": "{new}", "copy": "{export}", "value": "12 24", "text": "hill",
}  # fmt: skip
WITH = {"bench": ("--seconds", "0.1"), "demo": ("--only", FORGED), "status": ("--all",), "forecast": ("--now", LATER)}
ON_FILES = {"log", "show", "verify", "replay", "why", "rolls", "page", "diff"}
PLAIN = {
    *("rules", "version", "seed_commitment", "letter", "sha256", "at", "due_at", "deadline_at", "now", "arrived"),
    "commitment",
}
TEXTS = ("name", "reason", "detail", "note", "email", "player", "says", "who")


def leaves(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command there is, with its path."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from leaves(found, (*path, name))


COMMANDS = dict(leaves(pbem))


def called(path: tuple[str, ...], places: dict[str, str]) -> list[str]:
    """A call of the command with all it needs."""
    options, arguments = list(WITH.get(" ".join(path), ())), []
    for one in COMMANDS[path].params:
        if isinstance(one, click.Argument) or one.required:
            assert one.name in GIVEN, f"say in GIVEN what {' '.join(path)} takes for {one.name}"
            value = GIVEN[one.name].format(**places) if "{" in GIVEN[one.name] else GIVEN[one.name]
            if isinstance(one, click.Argument):
                arguments.append(value)
            else:
                options += [one.opts[0], value]
    return [*path, *options, "--", *arguments]


def poisoned(value: Any, key: str = "") -> Any:
    """Every text in a value with something hostile at its end."""
    if isinstance(value, dict):
        return {name: poisoned(one, name) for name, one in value.items()}
    if isinstance(value, list):
        return [poisoned(one, key) for one in value]
    return value + FORGED if isinstance(value, str) and key not in PLAIN else value


def poison_rows(ledger: Path) -> None:
    """The rows of the journal, hashed anew."""
    for chain in ("jade-river", "@host"):
        rewrite(ledger, chain, lambda facts, seq, kind: poisoned(facts))


def poison_tables(ledger: Path) -> None:
    """The names of players, the reasons for which messages were set aside, and the like."""
    with closing(sqlite3.connect(ledger)) as connection, connection:
        for name in sqlite_triggers():
            connection.execute(f"DROP TRIGGER IF EXISTS {name}")
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for column in connection.execute(f'PRAGMA table_info("{table}")').fetchall():
                if (
                    column[1] in ("name", "reason", "detail", "note", "email", "player", "says", "who")
                    and table != "game"
                ):
                    connection.execute(f'UPDATE OR IGNORE "{table}" SET "{column[1]}" = "{column[1]}" || ?', (FORGED,))
        for statement in sqlite_triggers().values():
            connection.execute(statement)


@pytest.fixture(scope="module")
def hostile_export(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export whose every text is hostile, with hashes that fit."""
    folder = tmp_path_factory.mktemp("hostile")
    host, file = Path(shutil.copytree(prepared, folder / "host")), folder / "export.pbem"
    assert run(["--config", str(host), "nightly", "--now", "2026-11-18T20:00Z"]) == 0
    poison_rows(host / "ledger.db")
    assert run(["--config", str(host), "audit", "export", "jade-river", str(file), "--referee"]) in (0, 3)
    return file if file.exists() else planted(host, file)


def planted(host: Path, file: Path) -> Path:
    """The same, where our own program will not export such a game."""
    rows, head = [], bytes(32)
    query = (
        "SELECT seq, kind, at, turn, seat, body, salt, prev, hash FROM journal WHERE chain = 'jade-river' ORDER BY seq"
    )
    with closing(sqlite3.connect(host / "ledger.db")) as ledger:
        for seq, kind, at, turn, seat, body, salt, prev, head in ledger.execute(query):
            said = {"chain": "jade-river", "seq": seq, "kind": kind, "at": at, "turn": turn, "seat": seat}
            said["body"] = json.loads(unpack(body))
            rows.append({"seq": seq, "prev": prev.hex(), "hash": head.hex(), "salt": salt.hex(), "row": said})
    header = {"pbem_export": 1, "game": "jade-river", "rows": len(rows), "head": head.hex(), "opened": True}
    with zipfile.ZipFile(file, "w") as export:
        export.writestr("history.jsonl", b"\n".join(map(canonical, [header, *rows])) + b"\n")
    return file


@pytest.mark.parametrize("path", list(COMMANDS), ids=" ".join)
@pytest.mark.parametrize("poison", [poison_rows, poison_tables], ids=lambda one: one.__name__)
def test_no_command_prints_what_a_ledger_or_an_export_would_have_it_print(
    path: tuple[str, ...],
    poison: Any,
    hostile_export: Path,
    desk: Desk,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    poison(desk.folder / "ledger.db")
    places = {"export": str(hostile_export), "new": str(tmp_path / f"new{POISON[:4]}")}
    asked = [called(path, places)]
    if any(one.name == "as_json" for one in COMMANDS[path].params):
        asked.append([*asked[0][: len(path)], "--json", *asked[0][len(path) :]])
    if path[0] == "audit" and path[1] in ON_FILES:
        asked += [[str(hostile_export) if word == "jade-river" else word for word in one] for one in asked]
    for args in asked:
        said = spoken(args, monkeypatch)
        wrong = [one for one in said.splitlines() if one.lstrip().startswith("The seed is the one committed")]
        assert not wrong or path == ("report",), (args, wrong)  # a report is a text of many lines
        counted(1, "calls of all commands on hostile ledgers and exports")


def spoken(args: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """Run the command, and give what it printed once that was judged."""
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FORGED.encode())))
    with heard() as said:
        code = run(args)
        words = said()
    assert code in ENDS, (args, code, words[-600:])
    assert judged(0, words) == "", (args, words[-600:])
    return words


def test_the_stand_alone_checker_prints_nothing_of_it_either(hostile_export: Path) -> None:
    assert checked_alone(hostile_export).wrong == ""


@pytest.mark.parametrize("label", [FORGED, "\x1b[2J", "deal\u202e", f"a{' ' * 50}b", "x" * 81, 7, None])
def test_a_draw_with_a_hostile_label_is_no_draw(tmp_path: Path, label: Any) -> None:
    with zipfile.ZipFile(exported(tmp_path, "yut", 4)) as honest:
        lines = [json.loads(line) for line in honest.read("history.jsonl").splitlines()]
    [row, *_] = [one for one in lines[1:] if one["row"]["kind"] == "turn" and one["row"]["body"]["draws"]]
    row["row"]["body"]["draws"][0][0] = label
    lines.append(json.loads(json.dumps(lines[-1])))
    lines[-1]["row"] |= {"kind": "revealed", "body": {"seed": hosted.key("seed of jade").hex(), "nonces": {}}}
    resealed(lines)
    with zipfile.ZipFile(tmp_path / "forged", "w") as file:
        file.writestr("history.jsonl", b"\n".join(map(canonical, lines)) + b"\n")
    trial = checked_alone(tmp_path / "forged")
    assert (trial.code, trial.wrong) == (1, "")
    for command in ("rolls", "check"):
        assert tried(("audit", command, str(tmp_path / "forged"))).code in (1, 3)


def test_forged_exports_end_no_command_with_a_fault_of_ours(tmp_path: Path) -> None:
    """A share of what `python -m tests.pbem.audit.mutating` does."""
    found = exports(tmp_path, 40, seed=7, sample=4)
    assert not found.bad, "\n".join(found.bad)
    assert {0, 1, 3} <= set(found.codes)
    counted(found.trials, "calls on forged exports")


def test_weakened_a_writer_that_does_not_escape_is_found(hostile_export: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: the writer of before, which printed what it was given."""
    monkeypatch.setattr(escaping, "line", lambda text: text)
    with heard() as said:
        output.say(f"jade{FORGED}")
        words = said()
    assert judged(0, words)


def test_weakened_rows_without_shapes_end_with_a_fault_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: a forged row, where no row is checked before it is read."""
    from pbem.audit import book

    with zipfile.ZipFile(exported(tmp_path, "yut", 4)) as honest:
        lines = [json.loads(line) for line in honest.read("history.jsonl").splitlines()]
    next(one for one in lines[1:] if one["row"]["kind"] == "turn")["row"]["body"]["moves"] = [7]
    resealed(lines)
    with zipfile.ZipFile(tmp_path / "forged", "w") as file:
        file.writestr("history.jsonl", b"\n".join(map(canonical, lines)) + b"\n")
    assert tried(("audit", "log", str(tmp_path / "forged"))).code == 3
    monkeypatch.setattr(book, "check_body", lambda kind, body: body)
    assert tried(("audit", "log", str(tmp_path / "forged"))).code == 70


def test_memory_stays_within_bounds(tmp_path: Path) -> None:
    """A file of 40 kB that unpacked to gigabytes of lists; and rows that are one long line."""
    import subprocess
    import sys

    header = {"pbem_export": 1, "game": "jade", "rows": 1, "head": "00" * 32}
    row = b'{"seq": 1, "prev": "", "hash": "", "row": [' + b"[]," * (11 << 20) + b"[]]}\n"
    for name, history in (("bomb", row), ("long", canonical(header) + b"\n" + row)):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("history.jsonl", history)
        assert (tmp_path / name).stat().st_size < 60_000
        for command in (["-m", "pbem", "audit", "check"], [checker.__file__]):
            line = (
                "import resource, subprocess, sys; d = subprocess.run(sys.argv[1:], capture_output=True, text=True)\n"
            )
            line += "print(d.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10, d.stderr)"
            args = [sys.executable, "-c", line, sys.executable, *command, str(tmp_path / name)]
            done = subprocess.run(args, capture_output=True, text=True, check=True)
            code, megabytes, words = done.stdout.split(" ", 2)
            assert int(megabytes) < 200, done.stdout
            assert (code in ("1", "3"), words.count("\n")) == (True, 2), done.stdout
