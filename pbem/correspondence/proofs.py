"""Proof: what a mail must show before it may do something. It is declared beside each act and checked in one place.

Keys leak: a forwarded report, or a reply with a copy to the opponent, carries one. A key that has been answered to is
an old key. It shows whose mail it is, so that the player can be told; it changes nothing, in the game or outside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine import Refusal
from pbem.correspondence.speaking import Speaker
from pbem.game.eras import Spoken
from pbem.ledger import games
from pbem.submitting.verdict import lost_time


class Proof(Enum):
    """What a mail shows.

    `SEAT_KEY` is any key the seat's player was ever given. `CURRENT_KEY` is that of the newest decision of a game that
    is not over. `CODE` is a code that was mailed to one address, for one purpose, and has not expired.
    """

    NOTHING = "nothing"
    SEAT_KEY = "a key of the seat"
    CURRENT_KEY = "the current key"
    CODE = "a code mailed to the address"


@dataclass(frozen=True, slots=True)
class Needs:
    """What an act needs. There is no default for the proof: an act that names none cannot be made."""

    proof: Proof
    open_game: bool = False  # whether the game must be taking orders, and not be paused or halted

    def __post_init__(self) -> None:
        if not isinstance(self.proof, Proof):
            raise TypeError(f"{self.proof!r} is no proof")


def proof_of(speaker: Speaker | None) -> Proof:
    """Return what the key of a mail proves."""
    if speaker is None:
        return Proof.NOTHING
    current = speaker.is_current and speaker.row.status != games.OVER
    return Proof.CURRENT_KEY if current else Proof.SEAT_KEY


def why_not(speaker: Speaker, needs: Needs) -> Refusal | None:
    """Return why the key of this mail does not suffice, or why the game takes nothing now; None where all is well."""
    if needs.proof is Proof.CODE:
        raise AssertionError("a code is found by its address, not by a key")
    if needs.proof is Proof.CURRENT_KEY and proof_of(speaker) is not Proof.CURRENT_KEY:
        return _why_old(speaker)
    if needs.open_game and speaker.row.status != games.OPEN:
        facts = {"game": speaker.row.name, "status": games.SAID[speaker.row.status]}
        return Refusal("", "game_closed", "{game} is {status}; nothing of it can be changed now.", facts)
    return None


def _why_old(speaker: Speaker) -> Refusal:
    """Return what is wrong with a key that is not the current one, and which one would do."""
    row = speaker.row
    if row.status == games.OVER:
        text = (
            "{game} is over, and its keys change nothing any more. Answer your newest letter of a game that goes on;"
            " if you have none, ask the host."
        )
        return Refusal("", "game_over", text, {"game": row.name})
    if speaker.spoke is Spoken.LOST:
        return lost_time(row.turn)
    if speaker.spoke is Spoken.BEFORE:
        text = (
            "You answered a letter of before the game was taken back. Answer your newest one; decision {open} is open."
        )
        return Refusal("", "taken_back", text, {"open": row.turn})
    text = "You answered a letter of decision {turn}, which is closed. Answer one of decision {open}."
    return Refusal("", "turn_closed", text, {"turn": speaker.turn, "open": row.turn})
