"""Everything a seat can learn from the program at one moment, each thing as the bytes it consists of (G25, G26).

A function from `Moment` to bytes in `WITNESSES` is asked about every pair of moments in `test_secrets.py`, and must not
tell them apart. Those of the host (reports, receipts) stand in `letters.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import Refusal
from tests.every_game.letters import page, receipts, report
from tests.every_game.plain import bytes_of
from tests.every_game.probes import Order
from tests.every_game.witnesses_moment import Moment

STANDING = ({"challenge": "always"}, {"challenge": "ask"}, {"challenge": {"from": "4"}}, {"answer": "never"}, {})


def view(moment: Moment) -> bytes:
    game, state = moment.game, moment.state
    return bytes_of([game.view(state, moment.seat), list(game.pending(state)), game.decision(state)])


def menu(moment: Moment) -> bytes:
    return bytes_of([str(move) for move in moment.game.moves(moment.state, moment.seat)] if moment.asked else None)


def silence(moment: Moment) -> bytes:
    return bytes_of(moment.game.default(moment.state, moment.seat) if moment.asked else None)


def way_out(moment: Moment) -> bytes:
    return bytes_of(None if moment.seat is None else moment.game.resignation(moment.state, moment.seat))


def answers(moment: Moment) -> bytes:
    """What is said to 50 orders of this seat, when the others' orders have been read before."""
    if moment.seat is None:
        return b""
    for other, move in moment.moves.items():
        if other != moment.seat:
            moment.game.read(moment.state, other, str(move))
    return bytes_of([_answer(moment, order) for order in moment.probes])


def standing(moment: Moment) -> bytes:
    if moment.seat is None:
        return b""
    game, state, seat = moment.game, moment.state, moment.seat
    refusals: list[Any] = [game.why_not_standing(state, seat, wish) for wish in STANDING]
    good = [wish for wish, refusal in zip(STANDING, refusals, strict=True) if refusal is None]
    if not moment.asked:
        return bytes_of(refusals)
    return bytes_of([refusals, [game.answer(state, seat, wish) for wish in good], game.interrupts(state, seat)])


def waiting(moment: Moment) -> bytes:
    """What the queue of this seat is told: whether it may write, what its orders are meant for, what is overtaken."""
    if moment.seat is None:
        return b""
    game, state, seat = moment.game, moment.state, moment.seat
    others = [None, *sorted(set(game.seats(moment.options)) - {seat})]
    good = [wish for wish in STANDING if game.why_not_standing(state, seat, wish) is None]
    told: list[Any] = [[game.why_not_say(state, seat, to) for to in others], game.turn_now(state)]
    told += [game.kept_standing(state, seat, wish) for wish in good]
    told += [game.is_for_now(state, seat, order) for order in moment.probes[:20]]
    if moment.turned is not None:
        told += [game.overtaken(state, moment.turned, seat, order) for order in (None, *moment.probes[:20])]
        told += [
            game.remembered(state, moment.turned.state, seat),
            game.asks_anew(state, moment.turned.state, seat, True),
        ]
    return bytes_of(told)


def story(moment: Moment) -> bytes:
    """The events as this seat learns of them, and the view it has afterwards."""
    if moment.turned is None:
        return b""
    seen = [event.seen_by(moment.seat) for event in moment.turned.events]
    told = [event for event in seen if event is not None]
    return bytes_of([told, moment.game.view(moment.turned.state, moment.seat)])


def moves_made(moment: Moment) -> bytes:
    """The words in which the resolved moves are shown to this reader."""
    if moment.turned is None:
        return b""
    game, moves = moment.game, moment.moves
    return bytes_of([[seat, game.shown(moment.state, seat, moves[seat], moment.seat)] for seat in sorted(moves)])


def _answer(moment: Moment, order: Order) -> Any:
    game, state, seat = moment.game, moment.state, moment.seat
    move = game.read(state, seat, order)
    if isinstance(move, Refusal):
        return [move, game.why_never(state, seat, order)]
    ahead = game.foresee(state, seat, move)
    foreseen = None if ahead is None else game.dump(ahead)
    told = [game.preview(state, seat, move), game.notices(state, seat, move)]
    return [str(move), game.at_once(state, seat, move), foreseen, *told]


WITNESSES: dict[str, Callable[[Moment], bytes]] = {
    one.__name__: one
    for one in (view, menu, silence, way_out, answers, standing, waiting, story, moves_made, report, receipts, page)
}
