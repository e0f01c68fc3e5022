"""Warnings about an action that is legal but looks like a slip."""

from __future__ import annotations

from collections.abc import Iterator

from engine import Notice
from games.jarmo.legal import legal
from games.jarmo.moves import PLACE, RECALL, Move
from games.jarmo.scoring import winner
from games.jarmo.state import SIDES, State
from games.jarmo.turn import play
from games.jarmo.variants import VARIANTS


def warnings(state: State, move: Move) -> Iterator[Notice]:
    """An end that is no win, and a soldier that could come in and does not."""
    menu = legal(state)
    after = play(state, move).state
    rule = VARIANTS[state.terms.variant].ends
    if after.end and winner(after) is None:
        if len(menu) > 1:
            reason = after.end.partition(":")[0]
            yield Notice(rule[reason], "ends-drawn", "{action} ends the game, and nobody wins.", {"action": move.text})
        return
    if after.end and winner(after) != state.side:
        facts = {"action": move.text, "side": SIDES[1 - state.side]}
        text = "{action} ends the game at once, and {side} wins."
        yield Notice(rule[after.end.partition(":")[0]], "ends-lost", text, facts)
    if after.end or move.how:
        return
    for how, code, words in ADDITIONS:
        fuller = [each.text for each in menu if each.how == how and each[:4] == (move.kind, each.text, *move[2:4])]
        if fuller:
            yield Notice(RULES[how], code, words, {"action": move.text, "list": fuller})


RULES = {PLACE: "JARMO-5.2", RECALL: "JARMO-11.2"}
ADDITIONS = (
    (PLACE, "could-place", "{action} leaves a soldier in your hand that could be placed in this turn: {list}."),
    (RECALL, "could-recall", "{action} leaves the retired camps unused, where you could recall a soldier: {list}."),
)
