"""Moving a host's ledger into a database of a PostgreSQL server: whole, once, and with nothing lost meanwhile."""

from __future__ import annotations

import re
from contextlib import closing

import sqlalchemy as sa

from pbem.config import FILE, Config
from pbem.errors import NO, Trouble
from pbem.ledger import Ledger, copying
from pbem.ledger.place import Place, read_place
from pbem.ledger.seals import SUFFIX
from pbem.ledger.transaction import Write
from pbem.locks import JUDGING, NIGHT, alone
from pbem.syncing import sync_folder

PATIENCE = 60.0  # seconds to wait for a run at work
LINE = re.compile(r"^ledger\s*=.*$", re.MULTILINE)
SECTION = re.compile(r"^\[files\][^\n]*\n", re.MULTILINE)
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
            _renamed(config, target)
            tx.run(sa.text(CLOSED))
        old_file = config.place.file
        old_file.replace(old_file.with_name(f"{old_file.name}.moved"))
        sync_folder(old_file.parent)
    return target


def _copied(tx: Write, target: Place) -> None:
    from pbem.ledger.home import home_of

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
    said = f'ledger = "{target.url}{"&" if "?" in target.url else "?"}schema={target.schema}"'
    if LINE.search(text):
        text = LINE.sub(lambda _: said, text, count=1)
    elif SECTION.search(text):
        text = SECTION.sub(lambda found: f"{found[0]}{said}\n", text, count=1)
    else:
        text += f"\n[files]\n{said}\n"
    key, wanted = config.place.beside(SUFFIX), target.beside(SUFFIX)
    if key != wanted and key.exists():
        wanted.write_bytes(key.read_bytes())
        wanted.chmod(0o600)
    beside = path.with_name(f".{path.name}.part")
    beside.write_text(text, encoding="utf-8")
    beside.chmod(path.stat().st_mode & 0o777)
    beside.replace(path)
