"""The way out that needs nothing: mails become files in the outbox, and files that can be read as they are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from pbem.game.outgoing import JSON_FILE
from pbem.ledger.outbox import SENT, OutMail
from pbem.mailparts import parts
from pbem.post.carrier import Answer, Parcel
from pbem.sharing import make_folder

FEW = 16  # so many files are synced one by one; for more, everything is synced at once


class Files:
    """The outbox folder. A mail that is carried again is the same file under the same name."""

    at_a_time = 200
    repeatable = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def carry(self, parcels: Sequence[Parcel]) -> list[Answer]:
        letters = []
        for parcel in parcels:
            letters.append(put(self.folder, parcel.mail, parcel.raw))
            copy(self.folder, parcel.mail, parcel.stored)
        make_last(letters)  # before the ledger says they have left
        return [Answer(SENT)] * len(letters)

    def close(self) -> None:
        """There is nothing to let go of."""


def put(folder: Path, mail: OutMail, raw: bytes) -> Path:
    """One mail as an .eml file."""
    letter = folder / "mail" / f"{name_of(mail.message_id)}.eml"
    write(letter, raw)
    return letter


def copy(folder: Path, mail: OutMail, stored: bytes) -> None:
    """A mail's parts beside the other letters of its seat, as files that can be read as they are.

    Made from what was stored: the map on a page stays a drawing, which prints at any size.
    """
    found = parts(stored)
    seat = folder / mail.game / (mail.seat or "host")
    stem = _free(seat, f"turn-{found.turn:04d}-{found.kind}", found.text.encode())
    for suffix, text in ((".txt", found.text), (".html", found.html)):
        if text:
            write(seat / f"{stem}{suffix}", text.encode())
    for name, data in found.files.items():
        write(seat / (f"{stem}.json" if name == JSON_FILE else f"{stem}-{name}"), data)


def _free(seat: Path, stem: str, text: bytes) -> str:
    """A name for the readable copies: the files of a seat sort as they were written.

    Several reports of one turn (moves out of turn make them) stand beside each other; the same one written again by
    a run that was killed takes its own name.
    """
    name, number = stem, 1
    while (path := seat / f"{name}.txt").exists() and path.read_bytes() != text:
        number += 1
        name = f"{stem}-{number}"
    return name


def make_last(letters: Sequence[Path]) -> None:
    """Make the mails last through a power cut. The readable copies beside them could be made again."""
    if len(letters) > FEW:
        os.sync()
        return
    # The folder above too: the letters' own folder may have been made just now, and its name must last as well.
    folders = {above for letter in letters for above in (letter.parent, letter.parent.parent)}
    for path in [*letters, *folders]:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def name_of(message_id: str) -> str:
    """A file name for a mail: the part of its id that we made of hexadecimal digits ourselves."""
    return message_id.strip("<>").partition("@")[0]


def write(path: Path, data: bytes) -> None:
    """The whole file or none: it gets its name when all of it is there."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(data)
    except FileNotFoundError:
        make_folder(path.parent)
        part.write_bytes(data)
    part.replace(path)
