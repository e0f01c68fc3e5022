"""What one mail said, as values: who it claims to be from, whether a person wrote it, its order form or its command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from engine.refusal import Refusal
from pbem.intake.form import Reading

# Why a mail is taken for a program's.
AUTOMATIC = (
    *("auto-submitted", "list", "bulk", "bounce", "read-receipt", "calendar", "loop", "hops", "null-sender"),
    "out-of-office",
)

SUSPECTED = frozenset({"list", "bulk"})  # what some servers make of a person's mail: its player is told once a day

# Where the orders stood.
ATTACHMENT, FENCE, BLOCK, QUOTED, HTML, NONE = "attachment", "fence", "block", "quoted", "html", "none"

TWO_FORMS = "two_forms"  # the code of a mail with several new forms that differ

COMMANDS = ("help", "status", "report", "history", "withdraw", "absent", "resign", "say", "address", "remind")


@dataclass(frozen=True, slots=True)
class Bounce:
    """A delivery status notification: which mail of ours did not reach whom. `action`: failed, delayed ..."""

    recipient: str = ""
    status: str = ""  # such as 5.1.1
    action: str = ""
    message_id: str = ""  # of the mail that came back, with its angle brackets

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**data)


@dataclass(frozen=True, slots=True)
class Command:
    """A word that asks the host for something, in its English form, and what stood behind it.

    `argument` is one line: a turn, days as they were written, the text that is to be said; `to` is whom `say` is for.
    """

    word: str
    argument: str = ""
    to: str = ""

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**data)


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the sender: by which method, with which result, and whose domain was looked at."""

    method: str  # dkim, spf, dmarc
    result: str  # pass, fail, none, softfail, neutral, temperror, permerror ...
    domain: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What our own mail server found about the sender, and what we found ourselves where the host asked for it."""

    server: str = ""  # who signs for `checks`
    checks: tuple[Check, ...] = ()
    own: tuple[Check, ...] = ()

    def passed(self, method: str, domain: str = "") -> bool:
        """Whether that method passed, for that domain where one is named."""
        return any(
            check.method == method and check.result == "pass" and domain in ("", check.domain)
            for check in (*self.checks, *self.own)
        )

    def to_json(self) -> dict[str, Any]:
        rows = {name: [[c.method, c.result, c.domain] for c in getattr(self, name)] for name in ("checks", "own")}
        return {"server": self.server, **rows}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        checks, own = (tuple(Check(*row) for row in data[name]) for name in ("checks", "own"))
        return cls(data["server"], checks, own)


@dataclass(frozen=True, slots=True)
class Block:
    """An order form that stood in a mail.

    `depth` is how often it was quoted: 0 is new. Where it is quoted it may be nothing but our own form sent back, which
    is no order until it differs from what was offered (`offered.unchanged`), and it may be old: it counts only in the
    answer to a mail of ours, or where it is `framed`: the rest of our letter stands behind it. `text` is the form as it
    was read.
    """

    found: str
    depth: int
    text: str
    reading: Reading
    framed: bool = False
    whole: bool = False  # it came whole, so that its end line may be missing: in a file that was not cut short

    @property
    def quoted(self) -> bool:
        return self.depth > 0

    def to_json(self) -> dict[str, Any]:
        data = {"found": self.found, "depth": self.depth, "text": self.text}
        return data | {"reading": self.reading.to_json(), "framed": self.framed, "whole": self.whole}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "reading": Reading.from_json(data["reading"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class MailReading:
    """One mail, read. Nothing in it proves who sent it but the keys: in `tags`, or in the form itself.

    `automatic` is "" for a person's mail, else why it must never be answered; no orders are read from such a mail. But
    where only its words say that somebody is away, or that a list sent it, `blocks` has its forms: who has filled ours
    in is a person.
    `blocks` holds the form that is new, or else the forms that were quoted back (a digest quotes several). A file may
    be one of ours that was sent along: the quoted ones follow it, and where several that are new differ all are there.
    With a `trouble` nothing may be taken from the mail; the blocks then only say whose it is, as below a command that
    stands in the text (`commanded`). One in the subject is meant when none of the forms was changed.
    """

    message_id: str = ""
    automatic: str = ""
    bounce: Bounce | None = None
    tags: tuple[str, ...] = ()  # what stands behind the + in our own address, in lower case
    sender: str = ""  # From's address, in lower case: evidence only
    subject: str = ""
    references: tuple[str, ...] = ()  # the mail this one answers first, then the others of the thread
    evidence: Evidence = Evidence()
    blocks: tuple[Block, ...] = ()
    command: Command | None = None
    commanded: bool = False
    trouble: Refusal | None = None
    shown: str = ""  # how what was read begins, clean
    unopened: tuple[str, ...] = ()  # the names of attached files that are not looked into

    @property
    def found(self) -> str:
        """Where the first form stood."""
        return (QUOTED if self.quoted else self.blocks[0].found) if self.blocks else NONE

    @property
    def quoted(self) -> bool:
        """Whether the first form stood in quoted text."""
        return bool(self.blocks) and self.blocks[0].quoted

    @property
    def reading(self) -> Reading | None:
        """The first form, read."""
        return self.blocks[0].reading if self.blocks else None

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {name: getattr(self, name) for name in (*_SAME, *_LISTS)}
        data["evidence"] = self.evidence.to_json()
        data["blocks"] = [block.to_json() for block in self.blocks]
        data |= {name: None if (it := getattr(self, name)) is None else it.to_json() for name in _PERHAPS}
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        bounce, command, why = data["bounce"], data["command"], data["trouble"]
        same: dict[str, Any] = {name: data[name] for name in _SAME}
        lists: dict[str, Any] = {name: tuple(data[name]) for name in _LISTS}
        return cls(
            **same,
            **lists,
            evidence=Evidence.from_json(data["evidence"]),
            blocks=tuple(map(Block.from_json, data["blocks"])),
            bounce=None if bounce is None else Bounce.from_json(bounce),
            command=None if command is None else Command.from_json(command),
            trouble=None if why is None else Refusal(**{**why, "legal": tuple(why["legal"])}),
        )


_SAME = ("message_id", "automatic", "sender", "subject", "commanded", "shown")
_LISTS = ("tags", "references", "unopened")
_PERHAPS = ("bounce", "command", "trouble")
