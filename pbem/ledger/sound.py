"""Soundness: is every row of a chain what it was when it was written? Reads the stored bytes, trusting none of them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.canon import canonical
from pbem.errors import Trouble
from pbem.ledger import chain_secrets, public
from pbem.ledger.chain import START, Content, leaf_of, link, salt_of, text_of
from pbem.ledger.packing import Sealed, unpack
from pbem.ledger.seals import Broken
from pbem.ledger.tables import HEAD, SECRET
from pbem.ledger.times import moment
from pbem.ledger.transaction import Read


class Fault(NamedTuple):
    """The first thing wrong, in a sentence; `seq` names the row (None: no single row is to blame)."""

    chain: str
    seq: int | None
    text: str


class Stored(NamedTuple):
    """One row of the journal as it lies in the file; texts as bytes, for damage may have made them no texts."""

    id: int
    types: str
    chain: bytes
    seq: int
    kind: bytes
    at: bytes
    turn: int | None
    seat: bytes | None
    body: bytes
    salt: bytes
    prev: bytes
    hash: bytes


class BadRow(ValueError):
    """What is stored is no row of a journal."""


TYPES = {
    f"text,integer,text,text,{turn},{seat},blob,blob,blob,blob"
    for turn in ("integer", "null")
    for seat in ("text", "null")
}
_NAMES = ("chain", "seq", "kind", "at", "turn", "seat", "body", "salt", "prev", "hash")
_TYPEOF = " || ',' || ".join(f"typeof({name})" for name in _NAMES)
_INSTANT = "to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
# PostgreSQL lets no value into a column of another type, so there the types are those of the table.
_SELECT = {
    "sqlite": f"SELECT id, {_TYPEOF}, CAST(chain AS BLOB), seq, CAST(kind AS BLOB), CAST(at AS BLOB), turn, "
    "CAST(seat AS BLOB), CAST(body AS BLOB), CAST(salt AS BLOB), CAST(prev AS BLOB), CAST(hash AS BLOB) FROM journal",
    "postgresql": "SELECT id, 'text,integer,text,text,' || CASE WHEN turn IS NULL THEN 'null' ELSE 'integer' END "
    "|| ',' || CASE WHEN seat IS NULL THEN 'null' ELSE 'text' END || ',blob,blob,blob,blob', "
    "convert_to(chain, 'UTF8'), seq, "
    f"convert_to(kind, 'UTF8'), convert_to({_INSTANT}, 'UTF8'), turn, convert_to(seat, 'UTF8'), body, salt, prev, hash "
    "FROM journal",
}
_CHAINS = {
    "sqlite": "SELECT CAST(chain AS BLOB) FROM secret UNION SELECT CAST(chain AS BLOB) FROM journal ORDER BY 1",
    "postgresql": "SELECT convert_to(chain, 'UTF8') FROM secret UNION SELECT convert_to(chain, 'UTF8') FROM journal "
    "ORDER BY 1",
}
_SECRET = sa.select(SECRET.c.secret, SECRET.c.since).where(SECRET.c.chain == sa.bindparam("chain"))
_END = sa.select(HEAD.c.seq, HEAD.c.hash).where(HEAD.c.chain == sa.bindparam("chain"))
BATCH = 200
PNG = b"\x89PNG\r\n\x1a\n"


def faults(tx: Read, chain: str) -> Iterator[Fault]:
    """Everything wrong with one chain, from its first row on; a sound chain gives nothing."""
    stored_secret = tx.one(_SECRET, {"chain": chain})
    if stored_secret is None:
        yield Fault(chain, None, f"rows stand on the chain {chain!r}, which was never begun")
        return
    try:
        salting = _salting(tx, chain, stored_secret)
    except Broken:
        yield Fault(chain, None, f"the secret of {chain} was changed")
        return
    seq, head, last = 0, START, None
    for row in stored(tx, chain):
        seq += 1
        try:
            content = decoded(row)
            if content.chain != chain or content.seq != seq:
                yield Fault(chain, seq, f"row {seq} of {chain} is missing or out of its place")
                return
            reason = fault_of(content, row, head, last, salting)
        except BadRow as error:
            reason = str(error)
        if reason is not None:
            yield Fault(chain, seq, f"row {seq} of {chain}: {reason}")
            return  # everything after it stands on it
        head, last = row.hash, content.at
    yield from _end_faults(tx, chain, seq, head)


def fault_at_end(tx: Read, chain: str, count: int) -> str | None:
    """What is wrong with so many of the newest rows of a chain: as cheap for a long chain as for a short one."""
    secret = tx.one(_SECRET, {"chain": chain})
    end = tx.one(_END, {"chain": chain})
    if secret is None or end is None:
        return f"{chain} has no end that was noted"
    try:
        salting = _salting(tx, chain, secret)
    except Broken:
        return "its secret was changed"
    seq, head, last = max(0, end.seq - count), None, None
    for row in stored(tx, chain, "AND seq > ?", (seq,)):
        seq += 1
        try:
            content = decoded(row)
            if content.chain != chain or content.seq != seq:
                return f"row {seq} is missing or out of its place"
            reason = fault_of(content, row, row.prev if head is None else head, last, salting)
        except BadRow as error:
            reason = str(error)
        if reason is not None:
            return f"row {seq}: {reason}"
        head, last = row.hash, content.at
    return None if (seq, head) == (end.seq, end.hash) else f"it ends at row {seq}, but was noted to end at {end.seq}"


def _end_faults(tx: Read, chain: str, seq: int, head: bytes) -> Iterator[Fault]:
    end = tx.one(_END, {"chain": chain})
    if end is None or end.seq != seq or end.hash != head:
        stated = 0 if end is None else end.seq
        says = f"the history of {chain} ends at row {seq}, but its head was noted at row {stated}"
        yield Fault(chain, min(seq, stated) + 1, says)


class Salting(NamedTuple):
    """The secret that salts a chain, and from which row on; no secret where its key is not here."""

    secret: bytes | None
    since: int = 1

    def fits(self, seq: int, salt: bytes) -> bool:
        """Return whether that can be the salt of that row. Without the secret any can: the hash still holds it."""
        return self.secret is None or seq < self.since or salt == salt_of(self.secret, seq)


def _salting(tx: Read, chain: str, row: Any) -> Salting:
    try:
        return Salting(chain_secrets.opened(tx.keys, chain, chain_secrets.SALTING, row.secret), row.since)
    except Broken:
        raise
    except Trouble:  # the key is not here, or its file cannot be read
        return Salting(None)


def fault_of(content: Content, row: Stored, head: bytes, last: datetime | None, salting: Salting) -> str | None:
    """Return what is wrong with a row that stands after `head`, as the end of a sentence."""
    if row.prev != head:
        return "it does not stand on the row before it"
    if not salting.fits(content.seq, row.salt):
        return "its salt is not the one its chain's secret gives"
    if row.hash != link(head, leaf_of(row.salt, text_of(content))):
        return f"its hash does not fit what it says (it is a row of the kind {content.kind}): it was changed"
    if last is not None and content.at < last:
        return "it is older than the row before it"
    return None


def stored(
    tx: Read, chain: str, where: str = "", values: tuple[Any, ...] = (), *, last: bool = False
) -> Iterator[Stored]:
    """The rows of a chain, or the last of them. The index only says where they are; what they say is read from the
    table itself."""
    dialect = tx.connection.dialect
    mark = "?" if dialect.paramstyle == "qmark" else "%s"
    order = "DESC LIMIT 1" if last else ""
    query = f"SELECT id FROM journal WHERE chain = ? {where} ORDER BY seq {order}".replace("?", mark)
    ids = [row[0] for row in _asked(tx, query, (chain, *values))]
    for start in range(0, len(ids), BATCH):
        batch = ids[start : start + BATCH]
        marks = ",".join([mark] * len(batch))
        rows = _asked(tx, f"{_SELECT[dialect.name]} WHERE id IN ({marks})", tuple(batch))
        by_id = {row[0]: Stored(*row) for row in rows}
        yield from (by_id[id] for id in batch if id in by_id)


def _asked(tx: Read, query: str, values: tuple[Any, ...]) -> Iterable[Sequence[Any]]:
    """The rows of a query. SQLite's driver is asked itself: SQLAlchemy works longer on one than SQLite does."""
    if tx.connection.dialect.name != "sqlite":
        return tx.connection.exec_driver_sql(query, values)
    driver: Any = tx.connection.connection.driver_connection
    found: Iterable[Sequence[Any]] = driver.execute(query, values)
    return found


def decoded(row: Stored) -> Content:
    """What a stored row says; BadRow when it is not written as this program writes."""
    if row.types not in TYPES:
        raise BadRow(f"its columns have the types {row.types}")
    content = as_it_stands(row)
    if isinstance(content.body, Sealed):
        raise BadRow("its body is sealed, and rows are not")  # one bit tells the two codecs apart
    try:
        facts = _STRICT.decode(content.body.decode())
        if canonical(facts) != content.body:
            raise BadRow("its body is not canonical JSON")
        if (reason := public.fault_of(facts)) is not None:
            raise BadRow(reason)
    except (ValueError, RecursionError) as error:
        raise _unreadable(error) from None
    return content


def as_it_stands(row: Stored) -> Content:
    """The same of a row that was found sound in this transaction: nobody looks whether it is written as we write."""
    try:
        at, seat = moment(row.at.decode()), None if row.seat is None else row.seat.decode()
        return Content(row.chain.decode(), row.seq, row.kind.decode(), at, row.turn, seat, unpack(row.body))
    except ValueError as error:
        raise _unreadable(error) from None


def _unreadable(error: Exception) -> BadRow:
    return error if isinstance(error, BadRow) else BadRow(f"it cannot be read ({error})")


def _no_float(text: str) -> Any:
    raise BadRow(f"its body holds {text}, and the ledger holds whole numbers only")


_STRICT = json.JSONDecoder(parse_float=_no_float, parse_constant=_no_float)


def gaps(tx: Read) -> Iterator[Fault]:
    """Rows of the tables that only grow are numbered without a gap: a gap is where one was taken out."""
    for table in ("journal", "letter", "mail"):
        query = f"SELECT count(id), coalesce(min(id), 1), coalesce(max(id), 0) FROM {table}"
        count, first, last = tx.connection.exec_driver_sql(query).one()
        if first != 1 or count != last:
            yield Fault("", None, f"the table {table} has {count} rows but numbers {first} up to {last}")


def file_faults(tx: Read) -> Iterator[Fault]:
    """What SQLite itself finds wrong with the file. A server looks after its own files (pg_amcheck, checksums)."""
    if tx.connection.dialect.name != "sqlite":
        return
    for row in tx.connection.exec_driver_sql("PRAGMA integrity_check(10)"):
        if row[0] != "ok":
            yield Fault("", None, f"SQLite finds the file damaged: {' '.join(str(row[0]).split())}")


_PICTURES = {  # SQLite may hold a text there, which cannot be read as one
    "sqlite": "SELECT sha256, typeof(png), CAST(png AS BLOB) FROM picture ORDER BY id",
    "postgresql": "SELECT sha256, 'blob', png FROM picture ORDER BY id",
}


def picture_faults(tx: Read) -> Iterator[Fault]:
    """Pictures of mails that are not as they were painted: each part of a PNG ends with its checksum."""
    for name, stored, png in tx.connection.exec_driver_sql(_PICTURES[tx.connection.dialect.name]):
        if stored != "blob" or not isinstance(png, bytes) or not _is_whole_png(png):
            yield Fault("", None, f"the picture {str(name)[:12]} that mails carry is damaged: it is no whole PNG")


def _is_whole_png(png: bytes) -> bool:
    at, part = len(PNG), b""
    while png.startswith(PNG) and at + 12 <= len(png) and part != b"IEND":
        length, part = int.from_bytes(png[at : at + 4], "big"), png[at + 4 : at + 8]
        end = at + 8 + length
        if zlib.crc32(png[at + 4 : end]) != int.from_bytes(png[end : end + 4], "big"):
            return False
        at = end + 4
    return part == b"IEND" and at == len(png)


def chains_of(tx: Read) -> list[str]:
    """Every chain there is a secret or a row of; a name that damage has made unreadable is shown escaped."""
    query = _CHAINS[tx.connection.dialect.name]
    return [row[0].decode(errors="backslashreplace") for row in tx.connection.exec_driver_sql(query)]


def all_faults(tx: Read) -> Iterator[Fault]:
    """Everything wrong with the file, the numbering and every chain."""
    yield from file_faults(tx)
    yield from gaps(tx)
    yield from picture_faults(tx)
    for chain in chains_of(tx):
        yield from faults(tx, chain)
