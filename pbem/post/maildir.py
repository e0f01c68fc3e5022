"""Mails into a Maildir, for whatever reads it: another mail system, a mail program, a test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.ledger.outbox import SENT
from pbem.post.carrier import LATER, Answer, Parcel
from pbem.post.files import make_last, name_of


class Maildir:
    """One Maildir. A mail that is carried again is known by its name, even when it was read meanwhile."""

    at_a_time = 200
    repeatable = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def carry(self, parcels: Sequence[Parcel]) -> list[Answer]:
        try:
            for room in ("tmp", "new", "cur"):
                (self.folder / room).mkdir(mode=0o700, parents=True, exist_ok=True)
            make_last([path for parcel in parcels if (path := self._put(parcel)) is not None])
        except OSError as error:
            return [Answer(LATER, f"{self.folder}: {error.strerror}", trouble=True)] * len(parcels)
        return [Answer(SENT)] * len(parcels)

    def _put(self, parcel: Parcel) -> Path | None:
        """The file of a mail, made whole before it is seen; None when it is there already."""
        name = f"{name_of(parcel.mail.message_id)}.pbem"
        letter = self.folder / "new" / name
        if letter.exists() or any((self.folder / "cur").glob(f"{name}*")):
            return None
        envelope = f"Return-Path: <{parcel.sender}>\nDelivered-To: {parcel.recipient}\n".encode("ascii")
        beside = self.folder / "tmp" / name
        beside.write_bytes(envelope + parcel.raw.replace(b"\r\n", b"\n"))
        beside.replace(letter)
        return letter

    def close(self) -> None:
        """There is nothing to let go of."""
