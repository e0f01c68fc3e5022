"""Reports of whole games as a host makes them: a few turns played with fixed dice, then what each seat learns."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from engine import Dice, Event, load
from engine.dice import commitment
from pbem.reports.report import Reader, Report, Step, Taken, menu

NAMES = ("Ann", "Ben", "Chiara", "Dawa", "Élodie", "Farid", "Goro", "Hilde")
SEED = b"pbem reports"


class Turn(NamedTuple):
    """One resolved decision point: the state before, the moves, the whole story."""

    number: int
    before: Any
    moves: dict[str, Any]
    events: tuple[Event, ...]


class Game(NamedTuple):
    """A game after some turns."""

    rules: Any
    options: Any
    state: Any
    turns: tuple[Turn, ...]


def play(game: str, turns: int, **choices: Any) -> Game:
    """So many decision points (fewer when the game ends) with moves chosen by a fixed random source."""
    rules, chance, dice = load(game), Random(7), Dice(SEED, game)
    options = rules.Options(**choices)
    setup = rules.setup(options, dice.at("0"))
    state, played = setup.state, [Turn(0, None, {}, setup.events)]
    for number in range(1, turns + 1):
        pending = rules.pending(state)
        if not pending:
            break
        moves = {seat: chance.choice(list(islice(rules.moves(state, seat), 200))) for seat in pending}
        turned = rules.resolve(state, moves, dice.at(str(number)))
        played.append(Turn(number, state, moves, turned.events))
        state = turned.state
    return Game(rules, options, state, tuple(played))


def reports(game: Game, last: int = 2) -> list[Report]:
    """The reports of the last turns to every seat, each made from what that seat may know."""
    seats = game.rules.seats(game.options)
    return [report(game, seat, last) for seat in seats]


def report(game: Game, seat: str | None, last: int = 2) -> Report:
    rules, seats = game.rules, game.rules.seats(game.options)
    players = dict(zip(seats, NAMES, strict=False))
    over = rules.outcome(game.state)
    return Report(
        game="jade-river",
        rules=rules,
        options=game.options.to_json(),
        players=players,
        zone="UTC",
        seat=seat,
        reader=Reader(players.get(seat or "", ""), "en", "Europe/Paris" if seat else "UTC"),
        counter=len(game.turns),
        turn=len(game.turns),
        view=rules.view(game.state, seat),
        steps=tuple(_step(rules, turn, seat) for turn in game.turns[-last:]),
        outcome=over,
        deadline=None if over else datetime(2026, 11, 19, 20, 0, tzinfo=UTC),
        key="" if over or seat is None else "K7Q2-9FXM",
        answer_to="orders@pbem.test",
        menu=menu(rules, game.state, seat) if seat and not over else None,
        head="3f" * 32,
        commitment=commitment(SEED, "jade-river"),
        seed=SEED.hex() if over else "",
    )


def _step(rules: Any, turn: Turn, seat: str | None) -> Step:
    moves = tuple(
        Taken(mover, rules.shown(turn.before, mover, move, seat), "given") for mover, move in turn.moves.items()
    )
    events = tuple(seen for event in turn.events if (seen := event.seen_by(seat)) is not None)
    return Step(turn.number, moves, events)
