"""Two tiny programs that move letters from one folder to a book: one survives being killed anywhere, one does not."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def careful(folder: Path) -> None:
    """Writes the new book beside the old one and changes them over; a letter leaves only when the book holds it."""
    book = folder / "book"
    for letter in sorted((folder / "in").iterdir()):
        lines = book.read_text().splitlines() if book.exists() else []
        if letter.name not in lines:
            draft = folder / "draft"
            draft.write_text("\n".join([*lines, letter.name]) + "\n")
            draft.replace(book)
        letter.unlink()


def careless(folder: Path) -> None:
    """Appends first and forgets afterwards, so that a letter may stand in the book twice."""
    for letter in sorted((folder / "in").iterdir()):
        with (folder / "book").open("a") as book:
            book.write(letter.name + "\n")
        letter.unlink()


def hasty(folder: Path) -> None:
    """Forgets first and appends afterwards, so that a letter may be lost."""
    for letter in sorted((folder / "in").iterdir()):
        letter.unlink()
        with (folder / "book").open("a") as book:
            book.write(letter.name + "\n")


def by_a_child(folder: Path) -> None:
    """The careful program, run by a process of its own."""
    pid = os.fork()
    if not pid:
        careful(folder)
        os._exit(0)
    os.waitpid(pid, 0)


def by_two(folder: Path) -> None:
    """A child does it, and its parent writes a page of its own meanwhile."""
    pid = os.fork()
    if not pid:
        careful(folder)
        os._exit(0)
    with (folder / "page").open("w", buffering=1) as page:
        for number in range(20):
            page.write(f"{number}\n")
    os.waitpid(pid, 0)


def renaming(folder: Path) -> None:
    """One draft, and two lines after it has become a book."""
    draft = folder / "draft"
    draft.write_text("a\nb\nc\n")
    os.rename(draft, folder / "book")  # noqa: PTH104
    for letter in sorted((folder / "in").iterdir()):
        letter.unlink()


def socket_in(folder: Path) -> None:
    """A name on which nobody listens any more."""
    os.mknod(folder / "socket", stat.S_IFSOCK | 0o755)


def nothing_lost_nothing_doubled(folder: Path) -> None:
    assert (folder / "book").read_text().split() == ["a", "b", "c"]
    assert not list((folder / "in").iterdir())
