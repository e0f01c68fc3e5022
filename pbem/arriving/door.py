"""The door of the drop folder: what a seat sends far past its limit is refused before it is stored.

Every file is a message, and nothing keeps a program from dropping ten thousand. Those that can still matter are stored
as ever: as many as the seat may send, and the one whose answer says that its limit is reached. Of the others one row
keeps the names under which they lie in the folder `taken`. A file is only turned away when the key in it is right, so
nobody can use up what another seat may send.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from engine import Seat
from pbem.config import Config
from pbem.correspondence.speaking import speaker
from pbem.intake.characters import decode
from pbem.intake.form import Form
from pbem.intake.sketch import sketch
from pbem.ledger.transaction import Read
from pbem.submitting import budgets

Claim = tuple[str, str, int | None, str]  # whose a file says it is, and its key
MEMORY = 1000  # keys that are remembered


class Owner(NamedTuple):
    """The seat that a file is from, and whether its key is an old one."""

    game: str
    seat: Seat
    old_key: bool


class Door:
    """Counts what one run brings in for each seat. In a folder with no more files than one seat may send it is open."""

    def __init__(self, config: Config, now: datetime, files: int) -> None:
        self._config, self._now = config, now
        self._is_open = files <= config.limits.submissions
        self._room: dict[Owner, int] = {}
        self._owners: dict[Claim, Owner | None] = {}

    def turned_away(self, tx: Read, raws: Sequence[bytes]) -> Mapping[int, Owner]:
        """Those of these files that are past the limit of their seat, by their places."""
        if self._is_open:
            return {}
        owners = {place: self._owner(tx, raw) for place, raw in enumerate(raws)}
        return {place: owner for place, owner in owners.items() if owner is not None and not self._let_in(owner)}

    def _let_in(self, owner: Owner) -> bool:
        """Whether one more of that seat comes in."""
        self._room[owner] -= 1
        return self._room[owner] >= 0

    def _owner(self, tx: Read, raw: bytes) -> Owner | None:
        """The seat whose key stands in the file; None where no key is right, or the file does not begin like a form."""
        form = sketch(decode(raw[: self._config.limits.order_bytes]))
        if form is None or form.key is None:
            return None
        claim = form.game, form.seat, form.turn, form.key
        if claim not in self._owners:
            if len(self._owners) >= MEMORY:
                self._owners.clear()
            self._owners[claim] = self._proven(tx, form)
        return self._owners[claim]

    def _proven(self, tx: Read, form: Form) -> Owner | None:
        """The seat, when the key is right."""
        found = speaker(tx, self._config, form, ())
        if found is None:
            return None
        owner = Owner(found.row.name, found.seat, not found.is_current)
        if owner not in self._room:
            limits, turn = self._config.limits, found.row.turn
            self._room[owner] = budgets.room(tx, limits, owner.game, owner.seat, turn, self._now, old_key=owner.old_key)
        return owner
