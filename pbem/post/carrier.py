"""What every way out has in common: it is handed mails, and says of each what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from pbem.ledger.outbox import REFUSED, SENT, UNKNOWN, OutMail

LATER = "later"  # not taken now; it stands in the ledger as refused, and is tried again


class Parcel(NamedTuple):
    """One mail with what stands on its envelope: to whom it goes, and where it comes back to when it cannot."""

    mail: OutMail
    sender: str
    recipient: str
    raw: bytes  # as it leaves
    stored: bytes  # as it was written: a picture in it is still a drawing


class Answer(NamedTuple):
    """What became of a parcel. `trouble`: nothing is known against the mail, the way itself failed."""

    fate: str
    detail: str = ""
    trouble: bool = False


class Carrier(Protocol):
    """A way out."""

    at_a_time: int  # so many parcels are carried between two notes in the ledger
    repeatable: bool  # a mail carried twice is there once, so that no try needs to be noted before it is made

    def carry(self, parcels: Sequence[Parcel]) -> list[Answer]:
        """Carry them, and answer for each in its turn. Never raises for what the way or the other side does."""

    def close(self) -> None:
        """Let go of everything."""


__all__ = ["LATER", "REFUSED", "SENT", "UNKNOWN", "Answer", "Carrier", "Parcel"]
