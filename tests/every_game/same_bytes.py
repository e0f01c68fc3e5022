"""One digest over all that a few games say, to compare runs under other hash seeds, zones and languages (G11)."""

from __future__ import annotations

import hashlib

from engine import load
from engine.canon import canonical
from tests.every_game.option_sets import option_sets
from tests.every_game.plain import bytes_of
from tests.every_game.playing import Walk, walk


def digest_of(game_id: str, count: int) -> str:
    """The digest of so many games, from their first option sets on."""
    game, sets = load(game_id), option_sets(game_id)
    total = hashlib.sha256()
    for seed in range(count):
        total.update(everything(walk(game, sets[seed % len(sets)], seed)))
    return total.hexdigest()


def everything(one: Walk) -> bytes:
    """Draws, moves, stories and states of a game, and what each seat sees at the end."""
    game, parts = one.game, [bytes_of(one.setup)]
    for step in one.steps:
        moves = {seat: str(step.moves[seat]) for seat in sorted(step.moves)}
        parts += [bytes_of(moves), bytes_of([list(draw) for draw in step.draws]), bytes_of(step.turned)]
        parts += [canonical(game.dump(step.turned.state)), game.position(step.turned.state).encode()]
        parts += [bytes_of(game.preview(step.state, seat, step.moves[seat])) for seat in sorted(step.moves)]
    parts += [bytes_of(game.view(one.last, seat)) for seat in (*one.seats, None)]
    return b"\n".join([*parts, bytes_of(game.outcome(one.last))])
