"""Reading behind a wall: forms are read in a child process, so that no file can harm the one that holds the ledger."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

from pbem.bounded import Bounded
from pbem.intake.fields import NOTHING_GIVEN, read_form
from pbem.intake.form import Reading
from pbem.intake.limits import USUAL, Limits
from pbem.intake.mail.reading import MailReading
from pbem.intake.mail.walk import read_mail


class BoundedReader(Bounded):
    """Reads forms, one after the other, each within the limits; TaskDied tells of a file that went beyond them.

    Such a file is to be kept whole and set aside. Nothing comes back from the child but JSON. The child gives up
    files, sockets and other processes (`pbem.confinement`); it may look up names only to check DKIM signatures.
    """

    def __init__(self, limits: Limits = USUAL) -> None:
        super().__init__(
            _work, limits.cpu_seconds, limits.wall_seconds, limits.memory_bytes, limits.files, confined=True
        )
        self._limits = asdict(limits)

    def read(
        self,
        raw: bytes,
        *,
        body: bool = False,
        game_keys: Collection[str] = (),
        conditions: Collection[str] = (),
        given: Mapping[str, str] = NOTHING_GIVEN,
    ) -> Reading:
        """As `read_form` reads it."""
        words = {"game_keys": sorted(game_keys), "conditions": sorted(conditions)}
        asked = {"body": body, **words, "given": dict(given), "limits": self._limits}
        return Reading.from_json(json.loads(self(json.dumps(asked).encode() + b"\n" + raw)))

    def read_mail(
        self,
        raw: bytes,
        *,
        ours: Collection[str] = (),
        authserv: str = "",
        check_dkim: bool = False,
        game_keys: Collection[str] = (),
        conditions: Collection[str] = (),
    ) -> MailReading:
        """As `pbem.intake.mail.walk.read_mail` reads it.

        `ours` are our own addresses, without what may stand behind a +; `authserv` is the name under which our own mail
        server writes Authentication-Results, "" where it writes none.
        """
        if check_dkim:
            self.allow_network()
        words = {"game_keys": sorted(game_keys), "conditions": sorted(conditions)}
        mail = {"ours": sorted(ours), "authserv": authserv, "check_dkim": check_dkim}
        asked = {"mail": mail, **words, "limits": self._limits}
        return MailReading.from_json(json.loads(self(json.dumps(asked).encode() + b"\n" + raw)))


def _work(task: bytes) -> bytes:
    head, _, raw = task.partition(b"\n")
    asked: dict[str, Any] = json.loads(head)
    if (mail := asked.pop("mail", None)) is not None:
        return json.dumps(read_mail(raw, **mail, **{**asked, "limits": Limits(**asked["limits"])}).to_json()).encode()
    return json.dumps(read_form(raw, **{**asked, "limits": Limits(**asked["limits"])}).to_json()).encode()
