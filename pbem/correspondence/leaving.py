"""Fewer letters, or none: one mail a night instead of many, and what somebody can do whose mail program unsubscribes.

A mail program sends that word at one click, so that it changes nothing: the answer says what does.
"""

from __future__ import annotations

from engine import Notice
from pbem.correspondence.desk import Desk
from pbem.ledger import players

ON, OFF = "on", "off"
WISHED = {
    ON: Notice("", "digest", "All letters of one night come to you as one from now on."),
    OFF: Notice("", "digest", "Each letter comes to you by itself from now on."),
}
WAYS = (
    "Nothing has changed by this: letters come to you as long as you sit in a game that goes on.",
    "digest: all letters of one night come as one; digest off: each by itself.",
    "resign {game}: gives this game up, for good.",
    "Ask the host to forget you, and your name and your address are taken out of all that is kept.",
)


def in_digests(desk: Desk, wished: str) -> None:
    """One mail a night from now on, or each by itself."""
    player = players.get(desk.tx, desk.speaker.player)
    if player is not None and player.name is not None:
        players.wish(desk.tx, player, digest=wished == ON, at=desk.now)
        desk.answer("noted", (WISHED[wished],))


def ways_out(desk: Desk) -> None:
    """What a player can do who wants fewer letters, or none."""
    desk.answer("help", [Notice("", "unsubscribe", text, {"game": desk.sheet.name}) for text in WAYS])
