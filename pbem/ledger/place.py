"""Where a ledger is: a file, or a schema in a database of a PostgreSQL server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pbem.errors import Trouble

SCHEMES = ("postgresql", "postgres")
SCHEMA = "pbem"


@dataclass(frozen=True, slots=True)
class Place:
    """The file; with a `url` the database, and then the file only names what lies beside it in the host's folder."""

    file: Path
    url: str = ""
    schema: str = SCHEMA

    def __str__(self) -> str:
        return f"{self.url} (schema {self.schema})" if self.url else str(self.file)

    def beside(self, suffix: str) -> Path:
        """A file of the host that goes with this ledger."""
        return self.file.with_suffix(suffix)


def read_place(folder: Path, text: str, file: str = "ledger.db") -> Place:
    """What pbem.toml says: a path, or postgresql://user@server/database?schema=pbem, which holds no password."""
    if "://" not in text:
        return Place(folder / text)
    parts = urlsplit(text)
    try:
        _ = parts.port
    except ValueError:
        raise Trouble("the port is no number; write postgresql://user@server:5432/database.") from None
    if parts.scheme not in SCHEMES:
        raise Trouble(f"{parts.scheme}:// is no ledger; name a file, or postgresql://user@server/database.")
    if parts.password is not None:
        raise Trouble("a password does not stand here; PostgreSQL reads it from ~/.pgpass or $PGPASSFILE.")
    if not parts.path.strip("/"):
        raise Trouble("the database is missing; write postgresql://user@server/database.")
    asked = dict(parse_qsl(parts.query))
    schema = asked.pop("schema", SCHEMA)
    if not (schema.isascii() and schema.isidentifier() and schema == schema.lower() and len(schema) <= 63):
        raise Trouble(f"{schema!r} cannot name a schema; use small letters, digits and underscores.")
    url = urlunsplit(("postgresql", parts.netloc, parts.path, urlencode(asked, safe="/"), ""))
    return Place(folder / file, url, schema)
