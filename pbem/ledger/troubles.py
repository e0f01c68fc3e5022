"""What can be wrong with a ledger, each in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.errors import TRY_AGAIN, Busy, Trouble

if TYPE_CHECKING:
    from pbem.ledger.place import Place


class LedgerTrouble(Trouble):
    """Something about the ledger that a person can mend."""


class NoLedger(LedgerTrouble):
    """There is no ledger, or what is there is none."""


class LedgerExists(LedgerTrouble):
    """A ledger would be written over."""


class WeakLedger(LedgerTrouble):
    """A setting without which acknowledged orders could be lost is not in force."""


class WrongVersion(LedgerTrouble):
    """The ledger was written by another version of this program."""


class OlderVersion(WrongVersion):
    """It was an earlier one, and this one can bring it up to date."""


class DamagedLedger(LedgerTrouble):
    """The file is not as this program leaves it."""


class LedgerBusy(Busy):
    """Another run holds the ledger and does not let go."""

    def __init__(self, place: Place | Path) -> None:
        super().__init__(f"The ledger {place} is held by another run; try again in a minute.")


class NotWritten(LedgerTrouble):
    """The disk did not take what was written, so nothing of it counts; this process must not go on writing."""

    exit_code = TRY_AGAIN

    def __init__(self, place: Place | Path, reason: str) -> None:
        super().__init__(
            f"The ledger {place} could not be written ({reason}), so nothing was stored; make room and run again."
        )


class ReadOnly(LedgerTrouble):
    """The ledger lies where this user may not write, such as on read-only media: it can be read and no more."""

    def __init__(self, place: Place | Path) -> None:
        super().__init__(
            f"The ledger {place} is on read-only media or may not be written to by this user, so nothing was stored; "
            "checks such as `pbem audit verify` still work."
        )


class LogBeside(LedgerTrouble):
    """Rows of the ledger lie in its write-ahead log only, and SQLite may not replay it there."""

    def __init__(self, place: Place | Path, log: Path) -> None:
        super().__init__(
            f"The ledger {place} cannot be read where it lies: its last rows are in {log.name} beside it, and SQLite "
            "must write there to read them. Copy both files into a folder where you may write, and read them there."
        )


class Moved(NotWritten):
    """What is written here would be left behind."""

    def __init__(self, place: Place | Path) -> None:
        LedgerTrouble.__init__(
            self,
            f"The ledger {place} has moved to a server, so nothing was stored in it; pbem.toml names the new place, "
            "or the move was broken off: run the same `pbem migrate-to` again.",
        )


class NotRead(LedgerTrouble):
    """The file could not be read: a full disk or a folder that may not be written to can be the cause as well."""

    exit_code = TRY_AGAIN

    def __init__(self, place: Place | Path, reason: str) -> None:
        super().__init__(f"The ledger {place} could not be read ({reason}), so nothing was stored.")


class NotReached(LedgerTrouble):
    """The server of the ledger does not let us in, for now at least."""

    exit_code = TRY_AGAIN

    def __init__(self, place: Place, reason: str, advice: str) -> None:
        super().__init__(f"The server of {place} was not reached ({reason}), so nothing was stored; {advice}.")


class NotAllowed(LedgerTrouble):
    """The server lets us in, but not do what is needed."""


class NotItsKey(LedgerTrouble):
    """What lies sealed in the ledger is under another key than the one beside it."""

    def __init__(self, path: Path | None, missing: Sequence[str]) -> None:
        super().__init__(
            f"{path} is not the key of this ledger, which is {', '.join(missing)}, so nothing is done with it; put the "
            "right file back, or see `pbem doctor --help` on --new-key."
        )


class OlderThanMailed(LedgerTrouble):
    """The ledger does not know what has already been mailed, so it is an old copy."""
