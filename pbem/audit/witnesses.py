"""Witnesses: mails that somebody kept. Each holds the head that its game's chain had when it was written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage, Message
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import NamedTuple

from pbem.errors import Trouble
from pbem.game.outgoing import JSON_FILE

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

    @property
    def named(self) -> str:
        """The head as a sentence names it."""
        about = "" if self.turn is None else f", about decision {self.turn}"
        return f"{self.head} of {self.file}{about}," if self.file else self.head


def in_folder(folder: Path, game: str | None = None) -> tuple[Witness, ...]:
    """The heads in all mails (*.eml) of a folder and those below it, each once; of one game only where one is named.
    Trouble when there is none: nothing that was asked for would be compared."""
    found = [one for path in sorted(folder.rglob("*.eml")) for one in _in_mail(path)]
    if not found:
        raise Trouble(f"No mail in {folder} holds a head of a ledger; mails are files whose names end in .eml.")
    wanted = {one.head: one for one in found if game in (None, one.game)}
    if not wanted:
        raise Trouble(
            f"No mail in {folder} is of {game}; they are of {', '.join(sorted({one.game for one in found}))}."
        )
    return tuple(wanted.values())


def _in_mail(path: Path) -> Iterator[Witness]:
    """The heads of a mail, as its reports say them to programs (a digest holds several); where none does, as one stands
    at the end of its text."""
    try:
        mail = message_from_bytes(path.read_bytes(), policy=policy.default)
        assert isinstance(mail, EmailMessage)
        at = _dated(mail)
        said = [one for part in mail.iter_attachments() if (one := _reported(part, path.name)) is not None]
        if said:
            yield from (one._replace(at=at) for one in said)
            return
        text = mail.get_body(("plain",))
        heads = _head.findall(text.get_content() if text is not None else "")
        named = _subject.search(str(mail["Subject"] or ""))
        if heads and named:
            yield Witness(heads[-1], named[1], path.name, at=at)
    except (OSError, ValueError, KeyError, LookupError, AttributeError, TypeError):
        return  # whatever it is, it is no mail of ours


def _dated(mail: EmailMessage) -> datetime | None:
    """When it was written, where it says that as our mails do."""
    try:
        return parsedate_to_datetime(str(mail["Date"])).astimezone(UTC)
    except ValueError:
        return None


def _reported(part: Message, file: str) -> Witness | None:
    """The head that an attached report says, if it is one."""
    said = part.get_payload(decode=True)
    if not (part.get_filename() or "").endswith(JSON_FILE) or not isinstance(said, bytes):
        return None
    found = json.loads(said)
    if not isinstance(found, dict) or not _head.fullmatch(str(found.get("head"))):
        return None
    turn = found.get("turn")
    return Witness(str(found["head"]), str(found["game"]), file, turn if isinstance(turn, int) else None)
