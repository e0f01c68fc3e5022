"""Mails through the machine's own mail command. Addresses stand after `--`: none can be taken for an option."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from tempfile import TemporaryFile
from typing import IO

from pbem.ledger.outbox import REFUSED, SENT, UNKNOWN
from pbem.post.carrier import LATER, Answer, Parcel
from pbem.post.words import said_by

REFUSALS = {65: "its form", 67: "its reader is not known", 68: "the reader's host is not known"}  # of sysexits.h
HEARD = 500  # so many bytes of what a command says are looked at


class Sendmail:
    """A command that takes one mail on its standard input."""

    at_a_time = 1
    repeatable = False

    def __init__(self, command: tuple[str, ...], seconds: float) -> None:
        self.command = command
        self.seconds = seconds

    def carry(self, parcels: Sequence[Parcel]) -> list[Answer]:
        return [self._one(parcel) for parcel in parcels]

    def _one(self, parcel: Parcel) -> Answer:
        with TemporaryFile() as letter, TemporaryFile() as words:
            letter.write(parcel.raw.replace(b"\r\n", b"\n"))  # such a command speaks the language of this machine
            letter.seek(0)
            command = [*self.command, "-f", parcel.sender, "--", parcel.recipient]
            try:
                code = self._run(command, letter, words)
            except OSError as error:
                return Answer(LATER, f"{self.command[0]}: {error.strerror}", trouble=True)
            words.seek(0)
            return self._answer(code, said_by(words.read(HEARD)))

    def _run(self, command: list[str], letter: IO[bytes], words: IO[bytes]) -> int | None:
        """The exit code; None when it took too long or was killed."""
        with subprocess.Popen(
            command, stdin=letter, stdout=subprocess.DEVNULL, stderr=words, start_new_session=True
        ) as running:
            try:
                code = running.wait(self.seconds)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                return None
        return code if code >= 0 else None

    def _answer(self, code: int | None, words: str) -> Answer:
        told = f": {words}" if words else ""
        if code == 0:
            return Answer(SENT)
        if code is None:
            return Answer(UNKNOWN, f"{self.command[0]} took too long or was killed{told}", trouble=True)
        if code in REFUSALS:
            return Answer(REFUSED, f"{self.command[0]} refused it ({REFUSALS[code]}){told}")
        return Answer(LATER, f"{self.command[0]} ended with {code}{told}", trouble=True)

    def close(self) -> None:
        """There is nothing to let go of."""
