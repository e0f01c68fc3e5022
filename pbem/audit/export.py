"""Exports: one game in one portable file, which is also a program that checks itself.

The file is a zip: `history.jsonl` (a line about the file, then one line a row), the stand-alone checker, so that
`python3 FILE` checks the file, and a README. Once the game is over it also holds the rules as source, so that
`python3 FILE TURN SEAT` plays the game again and shows a turn as a seat saw it. While the game runs its rows are
sealed, all but the first: whoever holds the file can later prove that history was not rewritten, and learns nothing
now. Opened it is for the referee alone, until the game is over.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.canon import canonical
from engine.registry import origin
from pbem.audit.book import BACK, Book, Line, created, is_over
from pbem.audit.recompute import rules_of
from pbem.audit.shipping import sources
from pbem.errors import Trouble
from pbem.ledger.chain import text_of
from pbem.ledger.times import stamp
from pbem.ledger.troubles import LedgerExists

FORMAT = 1
HISTORY, README, MAILS, RULES = "history.jsonl", "README.txt", "mails", "rules"
PROGRAMS = {"__main__.py": "running.py", "checker.py": "checker.py", "seen.py": "seen.py"}  # named there, and here
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same history gives the same file


def export(book: Book, target: Path, *, referee: bool = False, mails: bool = False) -> int:
    """Write the file; gives the number of rows in it. `mails` adds the mails as they were sent (referee only)."""
    if target.exists():
        raise LedgerExists(f"There is a file {target} already; name another one.")
    if not target.parent.is_dir():
        raise Trouble(f"There is no folder {target.parent}; make it first.")
    created(book)  # there is no file of a match, or of the host's own rows
    opened = referee or is_over(book)
    rows = list(_rows(book, opened))
    header, files = _header(book, rows, opened), dict[str, bytes]()
    if opened:
        header |= _seal(book)
        header |= _shipped(book, files)
    if mails and referee:
        header |= _forgotten(book)
        files |= {f"{MAILS}/{name}": raw for name, raw in _mails(book)}
    beside = target.with_name(f".{target.name}.part")
    beside.unlink(missing_ok=True)
    beside.touch(0o600)  # it may hold secrets while it is written, and for ever if that is broken off
    with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, HISTORY, b"".join(canonical(row) + b"\n" for row in [header, *rows]))
        for name, ours in PROGRAMS.items():
            _add(archive, name, Path(__file__).with_name(ours).read_bytes())
        _add(archive, README, _readme(book.game, opened).encode())
        for name, content in files.items():
            _add(archive, name, content)
    beside.chmod(0o600 if referee else 0o644)
    beside.replace(target)
    return len(rows)


def _rows(book: Book, opened: bool) -> Iterator[dict[str, Any]]:
    lines = list(book.lines())
    if not opened:
        # Rows after what was told to all would tell who has answered since.
        told = [line.seq for line in lines if line.opened.kind in ("turn", BACK)]
        lines = [line for line in lines if told and line.seq <= told[-1]]
    for line in lines:
        yield _row(line, opened or line.seq == 1)


def _row(line: Line, opened: bool) -> dict[str, Any]:
    place = {"seq": line.seq, "prev": line.prev.hex(), "hash": line.hash.hex()}
    if not opened or line.content is None or line.salt is None:
        return {**place, "leaf": line.leaf.hex()}
    return {**place, "salt": line.salt.hex(), "row": json.loads(text_of(line.content))}


def _header(book: Book, rows: list[dict[str, Any]], opened: bool) -> dict[str, Any]:
    head = rows[-1]["hash"] if rows else bytes(32).hex()
    header = {"pbem_export": FORMAT, "game": book.game, "rows": len(rows), "head": head, "opened": opened}
    last = last_turn(book)
    end = book.line(len(rows))
    if is_over(book) or last is None or end is None:
        return header
    return header | {"last_turn": last, "until": stamp(end.opened.at)}


def last_turn(book: Book) -> int | None:
    """The last turn that stands at the end of a history: after a take-back, the one before what it opened."""
    course = [(line.opened.turn or 0) - (line.opened.kind == BACK) for line in book.lines(("turn", BACK))]
    return course[-1] if course else None


def _shipped(book: Book, files: dict[str, bytes]) -> dict[str, Any]:
    """The rules as source, where they are installed here; the header says where they begin."""
    try:
        rules = rules_of(book)
    except Trouble:
        return {}
    files |= {f"{RULES}/{name}": content for name, content in sources(rules)}
    return {"rules": origin(rules)}


def _seal(book: Book) -> dict[str, Any]:
    """The key of orders that lie encrypted in the rows."""
    seal = book.seal()
    return {"seal": seal} if seal and created(book).get("sealed") else {}


def _forgotten(book: Book) -> dict[str, Any]:
    """The hashes of mails that are not in the file because a person was forgotten."""
    gone = [sha256 for sha256 in (line.facts()["sha256"] for line in book.lines(("mail",))) if book.forgot(sha256)]
    return {"forgotten": gone} if gone else {}


def _mails(book: Book) -> Iterator[tuple[str, bytes]]:
    for line in book.lines(("mail",)):
        facts = line.facts()
        raw = book.mail(facts["message_id"])
        if raw:
            yield f"{facts['sha256']}.eml", raw


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, LONG_AGO)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)


def _readme(game: str, opened: bool) -> str:
    state = "All rows are opened." if opened else "The game is not over: rows are sealed, only their hashes are shown."
    return f"""\
{game}: a game of pbem, as a file that can be checked anywhere. {state}

  python3 THIS-FILE             checks the hash chain, the seed and every draw, and lists all rolls (Python 3.7+)
  python3 THIS-FILE 9 red       plays the game again by the rules in rules/, checks every state, and shows turn 9 as
                                seat red saw it (Python 3.11+; once the game is over; `all` and `public` are seats, too)
  python3 THIS-FILE help        these lines
  pbem audit check THIS-FILE    also plays the whole game again by its rules, and compares every turn, and holds
                                every move against what its seat had ordered

All of them end with exit code 0 when everything is as it was written, and with another one and a sentence when not.
Whoever made this file put the programs into it, too. Who does not trust him reads checker.py (120 lines), or takes the
one of his own pbem (pbem/audit/checker.py) and runs `python3 checker.py THIS-FILE`; pbem uses its own rules.

history.jsonl holds one line about the file and then one line a row. For every row
  leaf = SHA-256(salt + canonical JSON of the row)      hash = SHA-256(hash of the row before + leaf)
and the first row stands on 32 zero bytes. The hash of a turn's row is the head printed in that turn's reports: compare
it with a mail of your own. If it is there, everything before it is what it was when the mail was sent.

What this cannot show: whoever runs a host knows the seed, so he could look ahead. He cannot change a draw.
"""
