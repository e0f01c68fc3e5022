"""A host's site as a folder of files: every game as the public sees it, the matches, and files to check them with."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from pbem.audit import book as books
from pbem.audit import export
from pbem.config import Config
from pbem.errors import Trouble
from pbem.ledger import Ledger, games
from pbem.ledger.transaction import Read
from pbem.overview import Glance, details, glances
from pbem.pages.document import document
from pbem.pages.public import public_page
from pbem.reports import environment, fallback, plain, when
from pbem.rulebook import known
from pbem.standings import all_standings

INDEX = "index.html"


class Shown(NamedTuple):
    """A game on the first page."""

    name: str
    title: str
    players: tuple[str, ...]
    stands: str
    page: str
    file: str


class Written(NamedTuple):
    """What came of it."""

    games: int
    files: int


def site(ledger: Ledger, config: Config, folder: Path, now: datetime) -> Written:
    """Write the site; each file is whole or as it was before."""
    folder.mkdir(parents=True, exist_ok=True)
    lang = environment.LANGUAGES[0]
    with ledger.read() as tx:
        found = list(glances(tx, config))
        shown = {one.name: _game(tx, config, folder, one) for one in found}
        matches = list(all_standings(tx))
    files = sum(_verification(ledger, folder, one) for one in shown.values() if one.file)
    over = {one.name for one in found if one.status == games.OVER}
    page = document(
        "site.html.j2",
        lang,
        host=plain.one_line(config.host),
        made=when.told(now, config.zone, lang),
        going=[one for one in shown.values() if one.name not in over],
        over=[one for one in shown.values() if one.name in over],
        matches=matches,
    )
    _write(folder / INDEX, page)
    return Written(len(found), files + 1 + sum(bool(one.page) for one in shown.values()))


def _game(tx: Read, config: Config, folder: Path, one: Glance) -> Shown:
    """A game's public page; a game whose rules are not installed is named and no more."""
    if one.trouble is not None:
        return Shown(one.name, one.rules, (), one.trouble, "", "")
    page = f"{one.name}.html"
    _write(folder / page, public_page(tx, config, one.name, home=INDEX))
    found = details(tx, config, one.name)
    players = tuple(plain.one_line(f"{seat} {player}") for seat, player in found.players.items())
    if found.outcome is None:
        stands = f"Turn {one.turn}, {one.status}; waits for {', '.join(w.seat for w in one.waiting) or 'nobody'}."
    else:
        places = "; ".join(f"{n}. {', '.join(place)}" for n, place in enumerate(found.outcome.places, start=1))
        stands = f"{places}; {fallback.spaced(found.outcome.reason)} [{found.outcome.rule}]"
    return Shown(one.name, known(one.rules).title["en"], players, stands, page, f"{one.name}.pbem")


def _verification(ledger: Ledger, folder: Path, one: Shown) -> int:
    """The game's history in a file, sealed while it goes on."""
    fresh = folder / f".{one.file}.new"
    fresh.unlink(missing_ok=True)
    with books.of_ledger(ledger, one.name) as book:
        export.export(book, fresh)
    fresh.replace(folder / one.file)
    return 1


def _write(path: Path, text: str) -> None:
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise Trouble(f"{path} is no plain file; the site is not written over it.")
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
