"""What the referee's commands share: histories out of the ledger or a file, heads that were mailed, looks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from pbem.cli.frame import F, Session, digest, moment, whoever
from pbem.cli.output import say, several
from pbem.errors import Trouble
from pbem.intake.characters import visible

if TYPE_CHECKING:
    from pbem.audit.book import Book
    from pbem.audit.witnesses import KeptMail, Witness
    from pbem.ledger import Ledger

_SQLITE = b"SQLite format 3\0"


class PublicKey(click.ParamType[str]):
    """A host's public key, as reports show it."""

    name = "key"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from pbem.signature import is_key

        if not is_key(value):
            self.fail(f"{visible(value)!r} is no public key; they are written ed25519: and 43 letters.", param, ctx)
        return value


def key_known(command: F) -> F:
    """Add the option `--key`, a public key of the host that somebody was told."""
    help = "A public key of the host, as your first report tells it: mails signed with it are the host's."
    return click.option("--key", "keys", multiple=True, type=PublicKey(), metavar="KEY", help=help)(command)


def heads_known(command: F) -> F:
    """Add the options `--head`, once for each head that somebody holds in his hands, `--mails`, a folder of mails, and
    `--key`."""
    folder = click.Path(exists=True, file_okay=False, path_type=Path)
    help = "A folder of mails (*.eml) that somebody kept: what the host signed in them must be in the history."
    command = key_known(click.option("--mails", type=folder, metavar="FOLDER", help=help)(command))
    help = "A head that was mailed: it must be in the history."
    return click.option("--head", "heads", multiple=True, type=digest, metavar="HEX", help=help)(command)


class Evidence(NamedTuple):
    """What somebody holds against a history: heads, and mails."""

    heads: tuple[Witness, ...] = ()
    mails: Sequence[KeptMail] = ()


def evidence(heads: tuple[str, ...], mails: Path | None, keys: Collection[str], game: str | None = None) -> Evidence:
    """Return the heads that were named and those in the mails, and the mails; of one game only where one is named."""
    if not heads and mails is None:
        return Evidence()
    from pbem.audit.witnesses import Witness, heads_of, in_folder, of_game

    named = tuple(map(Witness, dict.fromkeys(heads)))
    if mails is None:
        return Evidence(named)
    found = in_folder(mails, keys)
    found = found if game is None else of_game(found, game, mails)
    return Evidence((*named, *heads_of(found, game)), found)


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
