"""Expected failures: one sentence for a person, one exit code for a script. Anything else is a fault of ours."""

from __future__ import annotations

OK = 0
NO = 1  # the answer is no: orders refused, a check failed, a game was halted
USAGE = 2  # the command line itself was wrong
CANNOT = 3  # the folder, the ledger or a name given cannot be used
BUSY = 4  # another run is at work
PARTLY = 5  # all that could be checked is true, and something could not be checked
INTERNAL = 70  # a fault of ours; the log has the traceback
TRY_AGAIN = 75  # could not be stored: the mail server keeps the message and offers it again


class Trouble(Exception):
    """Something a person did or can mend. The message is one whole sentence."""

    exit_code = CANNOT

    def __init__(self, message: str, exit_code: int | None = None) -> None:
        super().__init__(message)
        if exit_code is not None:
            self.exit_code = exit_code


class CannotGoOn(Trouble):
    """Something that one game needs is not here; the other games go on."""


class Busy(Trouble):
    """Another process holds what this one needs."""

    exit_code = BUSY


class NotStored(Trouble):
    """A message could not be stored; whoever brought it must keep it."""

    exit_code = TRY_AGAIN
