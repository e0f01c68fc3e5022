"""Moving a host's ledger into a database of a PostgreSQL server: whole, once, and with nothing lost meanwhile."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace

import sqlalchemy as sa

from pbem.brakes import heartbeat
from pbem.config import FILE, Config
from pbem.errors import NO, Trouble
from pbem.ledger import Ledger, copying
from pbem.ledger.home import home_of
from pbem.ledger.place import Place, read_place
from pbem.ledger.seals import SUFFIX
from pbem.ledger.transaction import Write
from pbem.locks import JUDGING, NIGHT, alone
from pbem.syncing import sync_folder

PATIENCE = 60.0  # seconds to wait for a run at work
SECTION = re.compile(r"^[ \t]*\[files\][^\n]*(?:\n(?![ \t]*\[)[^\n]*)*", re.MULTILINE)  # up to the next one
LINE = re.compile(r"^[ \t]*ledger[ \t]*=[^\n]*", re.MULTILINE)
# Whoever had the file open already and waits for his turn to write finds this in his way, and tries again.
CLOSED = """\
CREATE TRIGGER ledger_has_moved BEFORE INSERT ON journal
BEGIN SELECT RAISE(ABORT, 'ledger: this ledger has moved to another place'); END"""


def move(config: Config, url: str) -> Place:
    """Move the ledger; pbem.toml names the new place, and the old file is kept under another name.

    Broken off anywhere and begun again it comes to the same: what was copied whole is not copied again.
    """
    if config.place.url:
        raise Trouble(f"The ledger is in a server already: {config.place}.", NO)
    target = read_place(config.folder, url)
    if not target.url:
        raise Trouble(f"{url!r} is a file; name a database, such as postgresql://user@server/database.")
    with alone(config.place, NIGHT, PATIENCE), alone(config.place, JUDGING, PATIENCE):
        with closing(Ledger.open(config.place)) as old, old.write() as tx:  # nobody else writes from here on
            _copied(tx, target)
            if beat := heartbeat.recall(config, None):  # moving is no outage
                heartbeat.keep(replace(config, server=target), beat)
            _renamed(config, target)
            tx.run(sa.text(CLOSED))
        old_file = config.place.file
        old_file.replace(old_file.with_name(f"{old_file.name}.moved"))
        sync_folder(old_file.parent)
    return target


def _copied(tx: Write, target: Place) -> None:
    if not home_of(target).is_there():
        copying.copy(tx, target)
        return
    with closing(Ledger.open(target)) as there, there.read() as other:
        if copying.digest(other) != copying.digest(tx):
            raise Trouble(f"There is another ledger at {target} already; it is left alone. Name another schema.", NO)


def _renamed(config: Config, target: Place) -> None:
    """pbem.toml names the new place; the key of sealed orders lies where a ledger of that place looks for it."""
    path = config.folder / FILE
    text = path.read_text(encoding="utf-8")
    text = _saying(text, f'ledger = "{target.url}{"&" if "?" in target.url else "?"}schema={target.schema}"')
    key, wanted = config.place.beside(SUFFIX), target.beside(SUFFIX)
    if key != wanted and key.exists():
        wanted.write_bytes(key.read_bytes())
        wanted.chmod(0o600)
    beside = path.with_name(f".{path.name}.part")
    beside.write_text(text, encoding="utf-8")
    beside.chmod(path.stat().st_mode & 0o777)
    beside.replace(path)


def _saying(text: str, said: str) -> str:
    """pbem.toml with that line in its section [files], in the place of the one that said it before."""
    found = SECTION.search(text)
    if found is None:
        return f"{text}\n[files]\n{said}\n"
    section = found[0]
    if LINE.search(section):
        section = LINE.sub(lambda _: said, section, count=1)
    else:
        head, _, rest = section.partition("\n")
        section = f"{head}\n{said}\n{rest}"
    return text[: found.start()] + section + text[found.end() :]
