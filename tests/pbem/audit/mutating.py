"""A mutation fuzzer for exports and ledgers: forged files go through every command that reads them.

It knows how the files are made: values, types, keys, nesting and order of rows are changed and the hashes made anew, so
that the change is read and not only the hash refused; bytes of the zip and pages of SQLite are changed as well.
`python -m tests.pbem.audit.mutating 5000` runs so many and prints what came of them.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import runpy
import shutil
import signal
import sqlite3
import sys
import tempfile
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pbem.audit import book as books
from pbem.audit import checker
from pbem.audit.export import export
from pbem.cli import run
from pbem.escaping import is_unsafe
from pbem.ledger.packing import pack, unpack
from pbem.ledger.store import Ledger
from pbem.ledger.triggers import sqlite_triggers
from tests.pbem import hosted

EXPECTED = (0, 1, 2, 3, 5)
SLOW = 30  # seconds for one command, on a machine that does other things, too
POISON = "\x1b[2J\rgame true\n\x9b31m\u202e\u2028\u200b\x7f"
ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 1 << 62, 1 << 63, 1 << 70, 10**400, 1.5, float("nan"), float("inf"), "", "x", POISON),
    *("\ud800", "a" * 5000, " " * 300 + "x", [], {}, [[]], {"": None}, {"x": {"y": []}}, [None], ["a", 1, {}]),
    *("2026-11-18T20:00:00Z", "0000", "ab" * 32, "..", "/etc/passwd", "1", -0.0, "all", "sealed:", "sealed:00:x:y:zz"),
)  # fmt: skip


def deep(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


class Trial(NamedTuple):
    """One command on one file: what was wrong with how it ended, or nothing."""

    command: str
    code: int
    wrong: str


def commands(file: Path, other: Path, target: Path) -> list[tuple[str, ...]]:
    """Every command that takes an export."""
    name = str(file)
    return [
        ("audit", "check", name),
        ("audit", "verify", name),
        ("audit", "log", name),
        ("audit", "log", name, "--json"),
        ("audit", "show", name, "1"),
        ("audit", "show", name, "1", "--seat", "all"),
        ("audit", "show", name, "0", "--seat", "red", "--json"),
        ("audit", "replay", name),
        ("audit", "why", name, "1", "1"),
        ("audit", "rolls", name),
        ("audit", "rolls", name, "--json"),
        ("audit", "diff", name, str(other)),
        ("audit", "diff", name, "--turns", "0", "1", "--seat", "all"),
        ("audit", "page", name, str(target)),
    ]


# --- changes ---


def places(value: Any, above: Any = None, key: Any = None) -> Iterator[tuple[Any, Any, Any]]:
    """Every value in a value, with what it lies in and under which key."""
    if above is not None:
        yield above, key, value
    if isinstance(value, dict):
        for name, one in value.items():
            yield from places(one, value, name)
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from places(one, value, number)


def change_value(luck: Random, row: Any) -> None:
    """Change one value of a row: another type, an odd value, a missing or another key, deep nesting."""
    above, key, value = luck.choice(list(places(row)))
    match luck.randrange(9):
        case 0 if isinstance(above, dict):
            del above[key]
        case 1 if isinstance(above, dict):
            above[luck.choice(["x", POISON, ""])] = above.pop(key)
        case 2:
            above[key] = deep(luck.choice([30, 70, 300, 900]))
        case 3:
            above[key] = [value]
        case 4 if isinstance(value, str):
            above[key] = value + POISON
        case 5 if isinstance(value, int):
            above[key] = value + luck.choice([-1, 1, 1000])
        case 6 if isinstance(value, list) and value:
            luck.shuffle(value) if luck.random() < 0.5 else value.append(json.loads(json.dumps(luck.choice(value))))
        case 7:
            above[key] = json.loads(json.dumps(luck.choice(list(places(row)))[2]))
        case _:
            above[key] = json.loads(json.dumps(luck.choice(ODD)))


def change_rows(luck: Random, lines: list[Any]) -> None:
    """Change the order of the rows, or take some away."""
    one, other = luck.randrange(1, len(lines)), luck.randrange(1, len(lines))
    match luck.randrange(3):
        case 0:
            lines[one], lines[other] = lines[other], lines[one]
        case 1:
            del lines[one]
        case _:
            lines.insert(one, json.loads(json.dumps(lines[other])))


def resealed(lines: list[Any]) -> None:
    """Number the rows and make their hashes anew, as far as what they hold allows it."""
    head = bytes(32)
    for place, row in enumerate(lines[1:], 1):
        with contextlib.suppress(Exception):
            if luckily_a_row(row):
                row["row"]["seq"] = row["seq"] = place
                leaf = hashlib.sha256(bytes.fromhex(row["salt"]) + checker.canonical(row["row"])).digest()
                row["prev"], head = head.hex(), hashlib.sha256(head + leaf).digest()
                row["hash"] = head.hex()
    if isinstance(lines[0], dict):
        lines[0] |= {"head": head.hex(), "rows": len(lines) - 1}


def luckily_a_row(row: Any) -> bool:
    return isinstance(row, dict) and isinstance(row.get("row"), dict)


def forged_export(luck: Random, source: bytes, target: Path) -> None:
    """Write a changed copy of an export."""
    with zipfile.ZipFile(io.BytesIO(source)) as old:
        history, others = old.read("history.jsonl"), [(name, old.read(name)) for name in ("README.txt", "checker.py")]
    kind = luck.randrange(10)
    if kind == 0:  # the bytes of the zip
        raw = bytearray(source)
        for _ in range(luck.choice([1, 3, 20])):
            raw[luck.choice([luck.randrange(len(raw)), -luck.randrange(1, 200)])] = luck.randrange(256)
        target.write_bytes(bytes(raw))
        return
    if kind == 1:  # the bytes of the history
        raw = bytearray(history)
        for _ in range(luck.choice([1, 5])):
            raw[luck.randrange(len(raw))] = luck.randrange(256)
        history = bytes(raw)
    else:
        lines = [json.loads(line) for line in history.split(b"\n") if line]
        for _ in range(luck.choice([1, 1, 1, 2, 5])):
            if luck.random() < 0.1:
                change_rows(luck, lines)
            else:
                change_value(luck, lines[luck.choice([0, 1, luck.randrange(len(lines)), luck.randrange(len(lines))])])
        if luck.random() < 0.85:
            resealed(lines)
        history = b"\n".join(json.dumps(line).encode() for line in lines) + b"\n"
    with warnings.catch_warnings(), zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        warnings.simplefilter("ignore")  # two files of one name are meant so
        new.writestr("history.jsonl", history)
        for name, data in others:
            new.writestr(luck.choice([name, name, f"mails/{POISON}"]), data)


# --- trials ---


class TooSlow(BaseException):
    """A command did not end."""


def _late(*_: object) -> None:
    raise TooSlow


@contextmanager
def heard() -> Iterator[Callable[[], str]]:
    """Take what is printed."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", errors="surrogateescape") for _ in range(2))
    old = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = out, err
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(SLOW)
    try:
        yield lambda: "".join(
            stream.flush() or stream.buffer.getvalue().decode("utf-8", "surrogateescape")  # type: ignore[attr-defined]
            for stream in (out, err)
        )
    finally:
        signal.alarm(0)
        sys.stdout, sys.stderr = old


def tried(args: tuple[str, ...]) -> Trial:
    """Run one command and judge how it ended."""
    with heard() as said:
        try:
            code = run(list(args))
        except TooSlow:
            return Trial(args[1], -1, "did not end")
        words = said()
    return Trial(args[1], code, judged(code, words))


def judged(code: int, words: str) -> str:
    """What is wrong with an answer; empty when nothing is."""
    if code not in EXPECTED:
        return f"exit code {code}: {words[-300:]}"
    letters = sorted({one for one in words if one not in "\n\t" and is_unsafe(one)})
    if letters:
        return f"prints {letters!a}"
    return "a traceback" if "Traceback (most recent" in words else ""


def alone(file: Path) -> Trial:
    """Run the stand-alone checker."""
    with heard() as said:
        before = sys.argv
        try:
            sys.argv = ["checker.py", str(file)]
            runpy.run_path(checker.__file__, run_name="__main__")
            code: Any = 0
        except SystemExit as end:
            code = end.code
        except TooSlow:
            return Trial("checker.py", -1, "did not end")
        except Exception as error:
            return Trial("checker.py", 70, f"{type(error).__name__}: {error}")
        finally:
            sys.argv = before
        words = said()
    if isinstance(code, str):
        words, code = words + code, 1
    return Trial("checker.py", code, judged(code, words))


class Found(NamedTuple):
    """What a campaign came to."""

    files: int
    trials: int
    codes: Counter[int]
    bad: list[str]


def exported(folder: Path, game: str, turns: int, **options: Any) -> Path:
    """An honest export with every row opened."""
    ledger = Ledger.create(folder / f"{game}.db", secret=hosted.key("fuzz"))
    hosted.play(ledger, "jade", game, seed=3, turns=turns, **options)
    with books.of_ledger(ledger, "jade") as book:
        export(book, folder / f"{game}.pbem", referee=True, mails=True)
    ledger.close()
    return folder / f"{game}.pbem"


def exports(folder: Path, files: int, seed: int = 0, sample: int = 15) -> Found:
    """Give so many forged exports to `sample` of the commands each."""
    luck, codes, bad, count = Random(seed), Counter[int](), list[str](), 0
    honest = [exported(folder, "yut", 200), exported(folder, "khan", 4, players="2"), exported(folder, "bagh-chal", 6)]
    forged, target = folder / "forged.pbem", folder / "page.html"
    for number in range(files):
        source = luck.choice(honest)
        forged_export(luck, source.read_bytes(), forged)
        asked = commands(forged, source, target)
        for args in luck.sample(asked, min(sample, len(asked))):
            trial = tried(args)
            target.unlink(missing_ok=True)
            count, codes[trial.code] = count + 1, codes[trial.code] + 1
            if trial.wrong:
                shutil.copy(forged, folder / f"bad-{seed}-{number}.pbem")
                bad.append(f"{number} {' '.join(args[:2])}: {trial.wrong}")
        trial = alone(forged)
        count, codes[trial.code] = count + 1, codes[trial.code] + 1
        if trial.wrong:
            bad.append(f"{number} checker.py: {trial.wrong}")
    return Found(files, count, codes, bad)


# --- ledgers ---


def of_host(name: str) -> list[tuple[str, ...]]:
    """Commands that read a game of a host's own ledger and change nothing."""
    return [
        ("audit", "verify", "--all"), ("audit", "verify", name), ("audit", "log", name), ("audit", "log", "@host"),
        ("audit", "show", name, "0"), ("audit", "show", name, "0", "--seat", "all"), ("audit", "replay", name),
        ("audit", "why", name, "1", "1"), ("audit", "rolls", name), ("status",), ("status", "--json"), ("show", name),
        ("forecast",), ("player", "list"), ("quarantine", "list"), ("doctor",), ("report", name),
        ("report", name, "--seat", "1"),
    ]  # fmt: skip


def forged_ledger(luck: Random, source: Path, target: Path) -> None:
    """Write a changed copy of a ledger's file: a body or a column by SQL, or bytes of the file."""
    shutil.copy(source, target)
    for beside in ("-wal", "-shm"):
        target.with_name(target.name + beside).unlink(missing_ok=True)
    if luck.random() < 0.3:
        raw = bytearray(target.read_bytes())
        at = luck.randrange(100, len(raw))
        if luck.random() < 0.5:
            page = at // 4096 * 4096
            raw[page : page + 4096] = bytes(len(raw[page : page + 4096]))
        else:
            raw[at] ^= 1 << luck.randrange(8)
        target.write_bytes(bytes(raw))
        return
    with closing(sqlite3.connect(target)) as connection, connection:
        for name in sqlite_triggers():
            connection.execute(f"DROP TRIGGER IF EXISTS {name}")
        if luck.random() < 0.6:
            id, body = luck.choice(connection.execute("SELECT id, body FROM journal").fetchall())
            facts = {"body": json.loads(unpack(body))}
            change_value(luck, facts)
            changed = json.dumps(facts.get("body"), sort_keys=True, separators=(",", ":")).encode()
            connection.execute("UPDATE journal SET body = ? WHERE id = ?", (pack(changed), id))
        else:
            tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            with contextlib.suppress(sqlite3.Error, OverflowError, UnicodeError):
                table = luck.choice([name for name in tables if not name.startswith("sqlite_")])
                column = luck.choice([row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')])
                odd = luck.choice([None, POISON, "", -1, 1 << 62, b"\xff\x00", "x", 0])
                connection.execute(f'UPDATE "{table}" SET "{column}" = ?', (odd,))
        for statement in sqlite_triggers().values():
            connection.execute(statement)


def ledgers(host: Path, name: str, files: int, seed: int = 0, sample: int = 3) -> Found:
    """Give so many forged ledgers to `sample` of the commands each. `host` is the folder of a host; it is changed."""
    luck, codes, bad, count = Random(seed), Counter[int](), list[str](), 0
    ledger = host / "ledger.db"
    with closing(sqlite3.connect(ledger)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    honest = Path(shutil.copy(ledger, host / "honest.db"))
    for number in range(files):
        forged_ledger(luck, honest, ledger)
        for args in luck.sample(of_host(name), sample):
            trial = tried(("--config", str(host), *args))
            count, codes[trial.code] = count + 1, codes[trial.code] + 1
            if trial.wrong:
                shutil.copy(ledger, host / f"bad-{seed}-{number}.db")
                bad.append(f"{number} {' '.join(args)}: {trial.wrong}")
    return Found(files, count, codes, bad)


def _main() -> None:
    files, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    folder = Path(tempfile.mkdtemp())
    found = exports(folder, files, seed, sample=2)
    sys.stdout.write("\n".join(sorted(found.bad)) + f"\n{folder}\n{found._replace(bad=[])}\n")


if __name__ == "__main__":
    _main()
