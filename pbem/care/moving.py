"""Moving a host's ledger into a database of a PostgreSQL server: whole, once, and with nothing lost meanwhile."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import sqlalchemy as sa

from pbem.brakes import heartbeat
from pbem.config import FILE, Config
from pbem.errors import NO, Trouble
from pbem.ledger import Ledger, copying, on_sqlite
from pbem.ledger.home import home_of
from pbem.ledger.place import Place, read_place
from pbem.ledger.seals import SUFFIX
from pbem.ledger.transaction import Write
from pbem.locks import JUDGING, NIGHT, alone
from pbem.syncing import sync_folder, write_whole

PATIENCE = 60.0  # seconds to wait for a run at work
SECTION = re.compile(r"^[ \t]*\[files\][^\n]*(?:\n(?![ \t]*\[)[^\n]*)*", re.MULTILINE)  # up to the next one
LINE = re.compile(r"^[ \t]*ledger[ \t]*=[^\n]*", re.MULTILINE)


def move(config: Config, url: str) -> Place:
    """Move the ledger; pbem.toml names the new place, and the old file is kept under another name.

    Broken off anywhere and begun again it comes to the same: what was copied whole is not copied again. Before
    pbem.toml names the new place the file takes no more rows, and is on disk as such: what a process that has it open
    acknowledged would be left behind in it.
    """
    target = read_place(config.folder, url)
    if config.place.url:
        if (config.place.url, config.place.schema) == (target.url, target.schema) and config.ledger.exists():
            _put_away(config.ledger)  # a move was broken off at its last step
            return target
        raise Trouble(f"The ledger is in a server already: {config.place}.", NO)
    if not target.url:
        raise Trouble(f"{url!r} is a file; name a database, such as postgresql://user@server/database.")
    with alone(config.place, NIGHT, PATIENCE), alone(config.place, JUDGING, PATIENCE):
        with closing(Ledger.open(config.place)) as old, old.write() as tx:  # nobody else writes from here on
            _copied(tx, target)
            if beat := heartbeat.recall(config, None):  # moving is no outage
                heartbeat.keep(replace(config, server=target), beat)
            tx.run(sa.text(on_sqlite.CLOSED))
        _renamed(config, target)
        _put_away(config.place.file)
    return target


def _put_away(file: Path) -> None:
    """The old file is kept, under a name that no host opens; the heartbeat has moved, and would grow old here."""
    file.with_suffix(heartbeat.SUFFIX).unlink(missing_ok=True)
    file.replace(file.with_name(f"{file.name}.moved"))
    sync_folder(file.parent)


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
        write_whole(wanted, key.read_bytes(), 0o600)
    write_whole(path, text.encode(), path.stat().st_mode & 0o777)


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
