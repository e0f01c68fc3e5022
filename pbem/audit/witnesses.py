"""Witnesses: mails that somebody kept. Each holds the head that its game's chain had when it was written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

from pbem.errors import Trouble
from pbem.game.outgoing import JSON_FILE

_head = re.compile(r"(?<![0-9a-zA-Z])[0-9a-f]{64}(?![0-9a-zA-Z])")
_subject = re.compile(r"\[([a-z0-9-]+)\]")


class Witness(NamedTuple):
    """A head that left in a mail: of which game, and in which file."""

    game: str
    head: str
    file: str


def in_folder(folder: Path) -> list[Witness]:
    """The heads in all mails (*.eml) of a folder and those below it; Trouble when there is none."""
    found = [one for path in sorted(folder.rglob("*.eml")) for one in _in_mail(path)]
    if not found:
        raise Trouble(f"No mail in {folder} holds a head of a ledger; mails are files whose names end in .eml.")
    return found


def heads(witnesses: list[Witness], game: str | None = None) -> tuple[str, ...]:
    """The heads, of one game or of all, each once."""
    return tuple(dict.fromkeys(one.head for one in witnesses if game in (None, one.game)))


def _in_mail(path: Path) -> Iterator[Witness]:
    """The head of a mail, as its report says it to programs; where it has none, as it stands at the end of its text."""
    try:
        mail = message_from_bytes(path.read_bytes(), policy=policy.default)
        assert isinstance(mail, EmailMessage)
        data = _data(mail)
        if data is not None:
            yield Witness(data["game"], data["head"], path.name)
            return
        text = mail.get_body(("plain",))
        said = _head.findall(text.get_content() if text is not None else "")
        named = _subject.search(str(mail["Subject"] or ""))
        if said and named:
            yield Witness(named[1], said[-1], path.name)
    except (OSError, ValueError, KeyError, LookupError, AttributeError, TypeError):
        return  # whatever it is, it is no mail of ours


def _data(mail: EmailMessage) -> dict[str, str] | None:
    for part in mail.iter_attachments():
        if part.get_filename() == JSON_FILE:
            said = part.get_payload(decode=True)
            found = json.loads(said) if isinstance(said, bytes) else {}
            if isinstance(found, dict) and _head.fullmatch(str(found.get("head"))):
                return {"game": str(found["game"]), "head": str(found["head"])}
    return None
