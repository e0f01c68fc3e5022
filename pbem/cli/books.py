"""What the referee's commands share: histories out of the ledger or a file, heads that were mailed, looks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.frame import F, Session, digest, moment, whoever
from pbem.cli.output import say, several
from pbem.errors import Trouble

if TYPE_CHECKING:
    from pbem.audit.book import Book
    from pbem.audit.witnesses import Witness
    from pbem.ledger import Ledger

_SQLITE = b"SQLite format 3\0"


def heads_known(command: F) -> F:
    """The options `--head`, once for each head that somebody holds in his hands, and `--mails`, a folder of them."""
    folder = click.Path(exists=True, file_okay=False, path_type=Path)
    help = "A folder of mails (*.eml) that somebody kept: their heads must be in the history."
    command = click.option("--mails", type=folder, metavar="FOLDER", help=help)(command)
    help = "A head that was mailed: it must be in the history."
    return click.option("--head", "heads", multiple=True, type=digest, metavar="HEX", help=help)(command)


def all_heads(heads: tuple[str, ...], mails: Path | None, game: str | None = None) -> tuple[Witness, ...]:
    """The heads that were named, and those in the mails; of one game only where one is named."""
    if not heads and mails is None:
        return ()
    from pbem.audit.witnesses import Witness, in_folder

    return (*map(Witness, dict.fromkeys(heads)), *(in_folder(mails, game) if mails is not None else ()))


@contextmanager
def book(session: Session, name: str) -> Iterator[Book]:
    """The history of a game of this host."""
    from pbem.audit.book import of_ledger

    with session.ledger() as ledger, of_ledger(ledger, name) as found:
        yield found


def seen(session: Session, name: str, what: str, now: str | None, turn: int | None = None) -> None:
    """Write into the ledger that secrets of a running game are about to be shown; an exported file has no ledger."""
    if not is_file(name):
        noted(session, name, what, now, turn)


def noted(session: Session, name: str, what: str, now: str | None, turn: int | None = None) -> None:
    """The same where it is known that they come out of the ledger, whatever files lie here."""
    from pbem.audit import looks

    with session.ledger() as ledger:
        looks.note(ledger, name, what, whoever(), moment(now), turn=turn)


def say_sealed(book: Book) -> None:
    """Say how much of a history this file does not tell, lest "none" be taken for the whole of it."""
    if book.published:
        say(f"{book.game} goes on: of its rows only the first is in this file.")
        return
    sealed = sum(line.content is None for line in book.lines())
    if sealed:
        say(f"{several(sealed, 'row')} of {book.game} {'is' if sealed == 1 else 'are'} sealed, and not looked into.")


def is_file(name: str) -> bool:
    """Whether that names a file rather than a game of this host."""
    return Path(name).is_file()


def is_ledger(name: str) -> bool:
    """Whether that is the file of a ledger."""
    if not is_file(name):
        return False
    with Path(name).open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


@contextmanager
def ledger_in(name: str) -> Iterator[Ledger]:
    """A ledger in a file, such as a backup, to be read only."""
    from pbem.ledger import Ledger

    with closing(Ledger.open(Path(name), readonly=True)) as ledger:
        yield ledger


@contextmanager
def history(session: Session, name: str, game: str = "") -> Iterator[Book]:
    """A history by what names it: an exported file, a ledger (and which game of it), or a game of this host."""
    from pbem.audit.book import of_ledger
    from pbem.audit.exported import ExportBook

    if is_ledger(name):
        if not game:
            raise Trouble(f"{name} is a ledger, which holds many games; name one of this host, or an exported file.")
        with ledger_in(name) as ledger, of_ledger(ledger, game) as found:
            yield found
    elif is_file(name):
        yield ExportBook(Path(name))
    else:
        with book(session, name) as found:
            yield found
