"""Volunteering by mail: a player would take over a seat that is not waited for any more, in any game or in some."""

from __future__ import annotations

from engine import Notice, Refusal
from pbem.correspondence.desk import Desk
from pbem.ledger import players
from pbem.people.substituting import ALL_GAMES, volunteered
from pbem.rulebook import NoRules, known

NO = "no"


def answered(desk: Desk, argument: str) -> Refusal | None:
    """`volunteer`, `volunteer` and names of games, or `volunteer no`."""
    player = players.get(desk.tx, desk.speaker.player)
    assert player is not None, "a seat that is proven has its player"
    wanted = None
    if argument != NO:
        try:
            wanted = [known(word).id for word in argument.split()] or [ALL_GAMES]
        except NoRules:
            return Refusal("", "no_game", "There is no game of that name here. Write `volunteer` alone for any game.")
    volunteered(desk.tx, desk.config, player, wanted, desk.now, desk.apart.ask)
    text = "It is noted that you would take over a seat; you are written to when one is free."
    if wanted is None:
        text = "It is noted that you take over no seat."
    desk.answer("noted", (Notice("", "volunteer", text),))
    return None
