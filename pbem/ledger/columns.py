"""Column types of the ledger: instants, packed bytes and canonical JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

from engine.canon import canonical
from pbem.ledger.packing import pack, unpack
from pbem.ledger.times import LETTERS, moment, stamp

RowId = sa.BigInteger().with_variant(sa.Integer(), "sqlite")  # only INTEGER is SQLite's own row number


class UtcDateTime(TypeDecorator[datetime]):
    """Aware instants in, aware UTC out; times without a zone are refused. SQLite keeps the text of `stamp`."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(sa.String(LETTERS) if dialect.name == "sqlite" else sa.DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        text = stamp(value)
        return text if dialect.name == "sqlite" else value

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        at: datetime = moment(value) if dialect.name == "sqlite" else value.astimezone(UTC)
        return at


class Packed(TypeDecorator[bytes]):
    """Bytes, compressed where that helps; the first stored byte names the codec."""

    impl = sa.LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        return None if value is None else pack(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        return None if value is None else unpack(value)


class CanonicalJson(TypeDecorator[Any]):
    """JSON as its one canonical text. Not the database's own JSON type, which would reorder keys."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else canonical(value).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


class PackedJson(TypeDecorator[Any]):
    """JSON that may be long: canonical, then packed."""

    impl = sa.LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes | None:
        return None if value is None else pack(canonical(value))

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(unpack(value).decode())
