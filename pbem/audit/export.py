"""Exports: one game in one portable file, which is also a program that checks itself.

The file is a zip: `history.jsonl` (a line about the file, then one line a row), the stand-alone checker, so that
`python3 FILE` checks the file, and a README. There are four kinds:

- public, of a game that runs: the first row, and the head of each turn as all reports print it. The number of rows
  between two turns would tell how much the players write, so no other row is in it, not even as a hash.
- public, of a game that is over: every row; those that are public (`pbem.ledger.public`) opened without their private
  facts, the others as hashes. It also holds the rules as source, so that `python3 FILE TURN SEAT` plays the game again.
- of one seat, once the game is over: the same, with that seat's own rows opened whole.
- the referee's: every row opened whole, at any time.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.canon import canonical
from engine.registry import origin
from pbem.audit.book import BACK, Book, Line, created, is_over, known_seat
from pbem.audit.published import PublishedBook
from pbem.audit.recompute import rules_of
from pbem.audit.shipping import sources
from pbem.errors import Trouble
from pbem.ledger.chain import text_of
from pbem.ledger.public import PRIVATE
from pbem.ledger.times import stamp
from pbem.ledger.troubles import LedgerExists

FORMAT = 1
PUBLISHED = "published"  # of a game that runs: the heads of its turns
HISTORY, README, MAILS, RULES = "history.jsonl", "README.txt", "mails", "rules"
PROGRAMS = {  # what they are called there, and where they lie here
    "__main__.py": "running.py",
    "checker.py": "checker.py",
    "settled.py": "settled.py",
    "seen.py": "seen.py",
    "signature.py": "../signature.py",
}
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same history gives the same file


def export(book: Book, target: Path, *, referee: bool = False, mails: bool = False, seat: str | None = None) -> int:
    """Write the file; return the number of rows in it. `mails` adds the mails as they were sent (referee only), `seat`
    opens that seat's own rows."""
    if target.exists():
        raise LedgerExists(f"There is a file {target} already; name another one.")
    if not target.parent.is_dir():
        raise Trouble(f"There is no folder {target.parent}; make it first.")
    created(book)  # there is no file of a match, or of the host's own rows
    known_seat(book, seat)
    over = is_over(book)
    if seat is not None and not over:
        raise Trouble(f"{book.game} is not over; a seat's own file is written once it is.")
    opened = referee or over
    rows = list(_rows(book, referee=referee, over=over, seat=seat))
    header, files = _header(book, rows, opened), dict[str, bytes]()
    header |= {"signing_keys": sorted(keys)} if (keys := book.signing_keys()) else {}
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
        # Hashes compress a little better or worse by chance: what is not opened has one size.
        _add(archive, HISTORY, b"".join(canonical(row) + b"\n" for row in [header, *rows]), packed=opened)
        for name, ours in PROGRAMS.items():
            _add(archive, name, Path(__file__).parent.joinpath(ours).read_bytes())
        _add(archive, README, _readme(book.game, _STATES[_state(referee=referee, over=over, seat=seat)]).encode())
        for name, content in files.items():
            _add(archive, name, content)
    beside.chmod(0o600 if referee else 0o644)
    beside.replace(target)
    return len(rows)


def _rows(book: Book, *, referee: bool, over: bool, seat: str | None) -> Iterator[dict[str, Any]]:
    """Return the rows of the file, each opened as far as its readers may know it."""
    if not referee and not over:
        yield from map(_row, filter(None, [PublishedBook(book).line(1)]))
        return
    if referee:
        yield from (_row(line, whole=True) for line in book.lines())
        return
    since = _since(book, seat)
    for line, shown in zip(book.lines(), PublishedBook(book).lines(), strict=True):
        own = seat is not None and line.opened.seat == seat and line.seq > since
        yield _row(line if own else shown, whole=own)


def _since(book: Book, seat: str | None) -> int:
    """Return the last row by which a seat changed hands: what its player before wrote is his."""
    handed = (line.seq for line in book.lines(("ruling",)) if line.opened.seat == seat and "tenure" in line.facts())
    return 0 if seat is None else max(handed, default=0)


def _row(line: Line, *, whole: bool = False) -> dict[str, Any]:
    place = {"seq": line.seq, "prev": line.prev.hex(), "hash": line.hash.hex()}
    if line.content is None or line.salt is None:
        return {**place, "leaf": line.leaf.hex()}
    row = {**place, "salt": line.salt.hex(), "row": json.loads(text_of(line.content))}
    kept = json.loads(line.content.body).get(PRIVATE)
    return row | {PRIVATE: kept} if whole and isinstance(kept, dict) else row


def _header(book: Book, rows: list[dict[str, Any]], opened: bool) -> dict[str, Any]:
    header = {"pbem_export": FORMAT, "game": book.game, "rows": len(rows), "head": rows[-1]["hash"], "opened": opened}
    told = list(book.lines(("turn", BACK)))
    if is_over(book) or not told:
        return header
    if opened:
        end = list(book.lines())[-1]
        return header | {"last_turn": last_turn(book), "until": stamp(end.opened.at)}
    # Older programs take a head about a later turn than `last_turn` for one that is newer than the file.
    heads = [[line.opened.turn, line.opened.kind, line.hash.hex()] for line in told]
    return header | {"last_turn": 0, "until": stamp(told[-1].opened.at), PUBLISHED: heads}


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


def _add(archive: zipfile.ZipFile, name: str, data: bytes, *, packed: bool = True) -> None:
    entry = zipfile.ZipInfo(name, LONG_AGO)
    entry.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)


RUNNING, OVER, OF_SEAT, REFEREE = "running", "over", "seat", "referee"
_STATES = {
    RUNNING: """\
The game is not over. This file holds its first row (rules, options, seats, and the commitment to the dice) and the
head of each turn. What it proves now: every player was told the same head for the same turn, if that head stands in
his report, too; so the host has not told different histories to different people. What it proves later: the file of
the finished game must hold each of these heads, or history was rewritten. What it cannot prove yet: that the turns
follow from orders and dice. The rows themselves, and even their number, would tell how much the players write.""",
    OVER: """\
The game is over. Rows that are public are opened: turns, orders, rulings, draws by consent, the seed. Of the others
(mails, words between seats, appeals, days away, what failed) only salted hashes are here, and of submissions what was
written beside the orders, how they came and their Message-ID is replaced by a salted hash. So the chain of hashes holds
to its end, every draw and every state can be played again, and nobody's private words are here. The number of hashes
between two turns says how many such rows there are, and not of which kind or seat they are.""",
    OF_SEAT: """\
The game is over. This file is for one player: it holds what the public file holds, and the rows of his own seat whole,
with his own words to others. Give it away only if you want them read.""",
    REFEREE: "This file is the referee's: all rows are opened whole, private words included.",
}


def _state(*, referee: bool, over: bool, seat: str | None) -> str:
    return REFEREE if referee else RUNNING if not over else OVER if seat is None else OF_SEAT


def _readme(game: str, state: str) -> str:
    return f"""\
{game}: a game of pbem, as a file that can be checked anywhere.

{state}

  python3 THIS-FILE             checks the hash chain, the seed, what was mixed into it and when, and every draw, and
                                lists all rolls (Python 3.7+)
  python3 THIS-FILE 9 red       plays the game again by the rules in rules/, checks every state, and shows turn 9 as
                                seat red saw it (Python 3.11+; once the game is over; `all` and `public` are seats, too)
  python3 THIS-FILE mail MAIL   tells whether the host sent the mail in the file MAIL, and whether this history agrees;
                                name a public key (ed25519:...) behind it that you were told in your first report
  python3 THIS-FILE help        these lines
  pbem audit check THIS-FILE    also plays the whole game again by its rules, and compares every turn, and holds
                                every move against what its seat had ordered

All of them end with exit code 0 when everything is as it was written, and with another one and a sentence when not.
Whoever made this file put the programs into it, too. Who does not trust him reads checker.py (120 lines), or takes the
one of his own pbem (pbem/audit/checker.py) and runs `python3 checker.py THIS-FILE`; pbem uses its own rules.

history.jsonl holds one line about the file and then one line a row. For every row
  leaf = SHA-256(salt + canonical JSON of the row)      hash = SHA-256(hash of the row before + leaf)
and the first row stands on 32 zero bytes. A row's private facts are replaced, before it is hashed, by
SHA-256(salt of their own + their canonical JSON). The hash of a turn's row is the head printed in that turn's reports:
compare it with a mail of your own. If it is there, everything before it is what it was when the mail was sent.

The host signs its mails. history.jsonl names its public keys (signing_keys, and signing_key in the first row); compare
them with the one in your first report, for whoever made this file could put in another one.

What this cannot show: whoever runs a host knows the seed, so he could look ahead. He cannot change a draw. Where it
says that the host alone chose the seed, he could have tried many seeds before he committed to one. Where texts or a
public value were mixed in, the letter with the commitment must have reached you before that: compare its head.
"""
