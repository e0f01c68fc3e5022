"""Witnesses: mails that somebody kept, and the heads in them that a chain had when they were written.

Anybody can change a mail. So a head accuses the host only where the host's signature covers it, or where whoever asks
names it on the command line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage, Message
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import NamedTuple

from pbem.errors import Trouble
from pbem.game.outgoing import JSON_FILE
from pbem.intake.characters import visible
from pbem.reports.letter import KIND
from pbem.signature import GENUINE, LARGEST, Checked, check

_head = re.compile(r"(?<![0-9a-zA-Z])[0-9a-f]{64}(?![0-9a-zA-Z])")
_subject = re.compile(r"\[([a-z0-9-]+)\]")


class Witness(NamedTuple):
    """A head that left in a mail; of which game it is, in which file it lies, which decision it was about, and when the
    mail says that it was written."""

    head: str
    game: str = ""  # "" for a head that somebody read out: it is a row of whatever history knows it
    file: str = ""
    turn: int | None = None
    at: datetime | None = None
    proves: bool = True  # whether the host's signature covers it, or it was named on the command line

    @property
    def named(self) -> str:
        """The head as a sentence names it."""
        about = "" if self.turn is None else f", about decision {self.turn}"
        return f"{self.head} of {self.file}{about}," if self.file else self.head


class KeptMail(NamedTuple):
    """A mail that somebody kept: what its signature comes to, and the heads in it."""

    file: str
    checked: Checked
    heads: tuple[Witness, ...] = ()
    at: datetime | None = None  # when it says that it was written ...
    dated: bool = False  # ... and whether the host's signature covers that
    claims: bool = False  # whether it looks like a mail of a host

    @property
    def games(self) -> set[str]:
        """The games that it is about, or says to be."""
        signed = self.checked.signed
        return {one.game for one in self.heads} | ({signed.chain} if signed is not None else set())


def in_folder(folder: Path, keys: Collection[str]) -> list[KeptMail]:
    """Return all mails (*.eml) of a folder and those below it that are a host's or say to be; Trouble when there is
    none: nothing that was asked for would be compared."""
    found = [one for path in sorted(folder.rglob("*.eml")) if (one := _kept_in(path, keys)) is not None and one.claims]
    if not found:
        raise Trouble(f"No mail in {folder} is signed or holds a head of a ledger; mails are files that end in .eml.")
    return found


def of_game(mails: Collection[KeptMail], game: str, folder: Path) -> list[KeptMail]:
    """Return those about one game, and those that do not say what they are about; Trouble when there is none."""
    wanted = [one for one in mails if not one.games or game in one.games]
    if not wanted:
        others = ", ".join(sorted({name for one in mails for name in one.games}))
        raise Trouble(f"No mail in {folder} is of {game}; they are of {others}.")
    return wanted


def heads_of(mails: Collection[KeptMail], game: str | None = None) -> tuple[Witness, ...]:
    """Return the heads in mails, each once; of one game only where one is named. One that is signed counts first."""
    found = sorted((head for mail in mails for head in mail.heads), key=lambda one: one.proves)
    return tuple({one.head: one for one in found if game in (None, one.game)}.values())


def _kept_in(path: Path, keys: Collection[str]) -> KeptMail | None:
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except OSError:
        return None
    return kept(path.name, raw, keys) if len(raw) <= LARGEST else None


def kept(file: str, raw: bytes, keys: Collection[str]) -> KeptMail:
    """Check a mail against the keys of a host, and read its heads."""
    file, checked = visible(file), check(raw, keys)
    covered = set() if checked.signed is None else set(checked.signed.items) & set(checked.items)
    try:
        mail = message_from_bytes(raw, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        at = _dated(mail)
        heads = tuple(one._replace(at=at) for one in _heads(mail, file, {name for name, _ in covered}))
        claims = bool(heads) or checked.verdict in (GENUINE,) or mail[KIND] is not None
    except (OSError, ValueError, KeyError, LookupError, AttributeError, TypeError, RecursionError):
        at, heads, claims = None, (), False  # whatever it is, it is no mail of ours
    dated = any(name == "header/date" for name, _ in covered)
    return KeptMail(file, checked, heads, at, dated, claims or checked.signed is not None)


def _heads(mail: EmailMessage, file: str, covered: Collection[str]) -> Iterator[Witness]:
    """The heads of a mail, as its reports say them to programs (a digest holds several); where none does, as one stands
    at the end of its text."""
    said = [one for part in mail.iter_attachments() if (one := _reported(part, file, covered)) is not None]
    if said:
        yield from said
        return
    text = mail.get_body(("plain",))
    heads = _head.findall(text.get_content() if text is not None else "")
    named = _subject.search(str(mail["Subject"] or ""))
    if heads and named:
        yield Witness(heads[-1], named[1], file, proves={"text/plain", "header/subject"} <= set(covered))


def _dated(mail: EmailMessage) -> datetime | None:
    """When it was written, where it says that as our mails do."""
    try:
        return parsedate_to_datetime(str(mail["Date"])).astimezone(UTC)
    except ValueError:
        return None


def _reported(part: Message, file: str, covered: Collection[str]) -> Witness | None:
    """The head that an attached report says, if it is one."""
    said, name = part.get_payload(decode=True), part.get_filename() or ""
    if not name.endswith(JSON_FILE) or not isinstance(said, bytes):
        return None
    found = json.loads(said)
    if not isinstance(found, dict) or not _head.fullmatch(str(found.get("head"))):
        return None
    turn = found.get("turn")
    proves = f"file/{name}" in covered
    return Witness(str(found["head"]), str(found["game"]), file, turn if isinstance(turn, int) else None, proves=proves)
