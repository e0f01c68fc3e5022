"""The protocol of seeding, as a value: who has a say in the dice of a game, and in which order.

The host fixes a secret seed first and mails a commitment to it. What is mixed into the seed comes afterwards:

- `players`: each player sends the SHA-256 of a secret text. When all have come, or at the deadline, no further one is
  taken and all are mailed to everybody. Only then do the players send the texts. If one is withheld, all texts of the
  round are void, and the other players begin again without that seat: silence never selects among known results.
- `beacon`: a public value that was named in advance, and that nobody knew when the commitment was mailed.

The rows of kind `dice` on the game's own chain are the steps of it. Host, audit and reports read them by this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

KIND, REFUSED = "dice", "dice_refused"  # of journal rows: a step, and an answer that is none
HOST, PLAYERS, BEACON = "host", "players", "beacon"
COMMIT, PASS, CLOSE, REVEAL, VOID, VALUE, MIX = "commit", "pass", "close", "reveal", "void", "beacon", "mix"
PUBLIC = "*beacon"  # under this name the public value is mixed in; no seat is called so
LEAST, MOST = 16, 100  # letters of a text
LONGEST_BEACON = 200  # letters that name a public value
DIGITS = 6  # of a public value that consists of numbers, such as a lottery draw
_hash = re.compile(r"[0-9a-f]{64}", re.ASCII)
_text = re.compile(rf"[A-Za-z0-9._-]{{{LEAST},{MOST}}}", re.ASCII)
_hex = re.compile(r"(?:0x)?([0-9a-f]{32,256})", re.ASCII)
_numbers = re.compile(r"\d{1,9}(?:[ ,;+.-]+\d{1,9})*", re.ASCII)


class Broken(ValueError):
    """A step that the protocol does not allow; the end of a sentence about it."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How the host wants the dice of a new game to be settled. `after` is when the public value becomes known."""

    by: str
    beacon: str = ""
    after: str = ""  # an instant as the ledger writes it

    def to_json(self) -> dict[str, str]:
        return {"by": self.by} | ({"beacon": self.beacon, "after": self.after} if self.by == BEACON else {})

    @classmethod
    def from_json(cls, data: Mapping[str, str]) -> Wish:
        return cls(data["by"], data.get("beacon", ""), data.get("after", ""))


@dataclass(frozen=True, slots=True)
class Origin:
    """What the dice of a game come from, as its players are told: see `Wish.by`."""

    by: str = HOST
    seats: tuple[str, ...] = ()  # whose texts were mixed in
    withheld: tuple[str, ...] = ()  # who committed to a text and did not send it
    beacon: str = ""
    value: str = ""
    source: str = ""

    @property
    def host_alone(self) -> bool:
        """Whether nothing was mixed in that the host could not know when he chose the seed."""
        return not (self.seats or self.value)

    def to_json(self) -> dict[str, Any]:
        return {
            "by": self.by,
            "host_alone": self.host_alone,
            "seats": list(self.seats),
            "withheld": list(self.withheld),
            "beacon": self.beacon,
            "value": self.value,
            "source": self.source,
        }


ALONE = Origin()


class Seeding:
    """The protocol of one game, step by step: `add` takes a row, and raises Broken where it is out of order."""

    def __init__(self, created: Mapping[str, Any]) -> None:
        self.wish = Wish.from_json(created["dice"])
        self.seats = tuple(created["seats"])
        self.round = 1
        self.closed = False
        self.commitments: dict[str, str] = {}
        self.passed: set[str] = set()
        self.revealed: dict[str, str] = {}
        self.withheld: list[str] = []
        self.value: str | None = None
        self.source = ""
        self.nonces: dict[str, str] | None = None  # what was mixed in, once it was

    @property
    def missing(self) -> tuple[str, ...]:
        """The seats whose texts are still to come."""
        return tuple(seat for seat in self.commitments if seat not in self.revealed)

    def unheard(self, seats: Iterable[str]) -> tuple[str, ...]:
        """Those of the seats that have neither committed nor passed in this round."""
        return tuple(seat for seat in seats if not {seat} & ({*self.commitments, *self.withheld} | self.passed))

    @property
    def awaits(self) -> str:
        """What is missing, for the host."""
        if self.wish.by == BEACON:
            return f"the value of {self.wish.beacon}, known at {self.wish.after} (`pbem referee beacon`)"
        return f"the players' texts, round {self.round}" if self.closed else f"the players' SHA-256, round {self.round}"

    @property
    def result(self) -> dict[str, str]:
        """What is to be mixed in as things stand."""
        if self.wish.by == BEACON:
            return {PUBLIC: self.value} if self.value else {}
        return dict(self.revealed)

    @property
    def origin(self) -> Origin:
        mixed = self.nonces or {}
        seats = tuple(seat for seat in self.seats if seat in mixed)
        return Origin(self.wish.by, seats, tuple(self.withheld), self.wish.beacon, mixed.get(PUBLIC, ""), self.source)

    def add(self, seat: str | None, facts: Mapping[str, Any]) -> None:
        """One more row of kind `dice`."""
        act = facts["act"]
        if self.nonces is not None:
            raise Broken("the dice were settled before it")
        by = BEACON if act == VALUE else self.wish.by if act == MIX else PLAYERS
        step = _STEPS.get(act)
        if step is None or by != self.wish.by:
            raise Broken(f"{act!r} is no step of dice that are settled by {self.wish.by}")
        step(self, seat, facts)

    def _own(self, seat: str | None) -> str:
        if seat not in self.seats:
            raise Broken("it is of no seat of the game")
        if seat in self.withheld:
            raise Broken(f"seat {seat} has withheld a text before, and takes no part any more")
        return str(seat)

    def _commit(self, seat: str | None, facts: Mapping[str, Any]) -> None:
        seat = self._own(seat)
        if self.closed:
            raise Broken("commitments were closed before it")
        if seat in self.commitments or seat in self.passed:
            raise Broken(f"seat {seat} has answered already in this round")
        if not _hash.fullmatch(facts["sha256"]) or facts["sha256"] in self.commitments.values():
            raise Broken("its commitment is no SHA-256 of its own")
        self.commitments[seat] = facts["sha256"]

    def _pass(self, seat: str | None, facts: Mapping[str, Any]) -> None:
        seat = self._own(seat)
        if self.closed or seat in self.commitments:
            raise Broken(f"seat {seat} has committed itself, or commitments were closed before it")
        self.passed.add(seat)

    def _close(self, seat: str | None, facts: Mapping[str, Any]) -> None:
        if self.closed or facts["round"] != self.round or facts["commitments"] != self.commitments:
            raise Broken("the commitments that it closes are not those that came")
        self.closed = True

    def _reveal(self, seat: str | None, facts: Mapping[str, Any]) -> None:
        seat, text = self._own(seat), facts["nonce"]
        if not self.closed:
            raise Broken(f"the text of seat {seat} was revealed before all commitments were closed")
        if seat not in self.commitments or seat in self.revealed:
            raise Broken(f"seat {seat} has no text to reveal")
        if hash_of(text) != self.commitments[seat]:
            raise Broken(f"the text of seat {seat} is not the one that it committed to")
        self.revealed[seat] = text

    def _void(self, seat: str | None, facts: Mapping[str, Any]) -> None:
        if not self.closed or not self.missing or tuple(facts["withheld"]) != self.missing:
            raise Broken("it voids a round, and names other seats than those whose texts are missing")
        self.withheld += self.missing
        self.round, self.closed = self.round + 1, False
        self.commitments, self.passed, self.revealed = {}, set(), {}

    def _beacon(self, seat: str | None, facts: Mapping[str, Any]) -> None:
        if self.value is not None:
            raise Broken("the public value was entered before it")
        if facts["value"] and beacon_value(facts["value"]) != facts["value"]:
            raise Broken("its public value is not written as such values are")
        if facts["at"] < self.wish.after:
            raise Broken(f"its public value was entered before {self.wish.after}")
        self.value, self.source = facts["value"], facts["source"]

    def _mix(self, seat: str | None, facts: Mapping[str, Any]) -> None:
        if self.wish.by == BEACON and self.value is None:
            raise Broken("the public value is missing before it")
        if self.wish.by == PLAYERS and (not self.closed or self.missing):
            raise Broken("texts of the players are missing before it")
        if facts["nonces"] != self.result or facts["withheld"] != self.withheld:
            raise Broken("what it mixes in is not what came")
        self.nonces = dict(facts["nonces"])


_STEPS = {
    COMMIT: Seeding._commit,
    PASS: Seeding._pass,
    CLOSE: Seeding._close,
    REVEAL: Seeding._reveal,
    VOID: Seeding._void,
    VALUE: Seeding._beacon,
    MIX: Seeding._mix,
}


def hash_of(text: str) -> str:
    """The commitment to a text: its SHA-256, as any tool gives it."""
    return sha256(text.encode()).hexdigest()


def is_hash(text: str) -> bool:
    """Whether this can be the SHA-256 of a text."""
    return _hash.fullmatch(text.lower()) is not None


def is_text(text: str) -> bool:
    """Whether a player may commit himself to this text. A SHA-256 is none: it stands for another one."""
    return _text.fullmatch(text) is not None and not is_hash(text)


def beacon_value(text: str) -> str | None:
    """A public value in the only form in which it is mixed in, so that the host has no choice how to write it: at least
    32 hexadecimal digits, in small letters; or numbers, in ascending order. None when it is neither."""
    plain = " ".join(text.lower().split())
    if found := _hex.fullmatch(plain):
        return found[1]
    if not _numbers.fullmatch(plain) or sum(map(str.isdigit, plain)) < DIGITS:
        return None
    return " ".join(map(str, sorted(int(number) for number in re.findall(r"\d+", plain))))


HOST_ALONE = (
    "The host alone chose the seed. The commitment proves that it was not changed afterwards, not that no other"
    " seed was tried first."
)


def told(origin: Origin) -> str:
    """Return in a sentence, for hosts and in the audit, what the dice come from."""
    late = f" Announced a text and did not send it: {', '.join(origin.withheld)}." if origin.withheld else ""
    if origin.host_alone:
        return HOST_ALONE + late
    if origin.value:
        where = f" (source: {origin.source})" if origin.source else ""
        return f"Mixed into the seed after its commitment: {origin.value}, as the value of {origin.beacon}{where}."
    return f"Mixed into the seed after its commitment: secret texts of {', '.join(origin.seats)}.{late}"
