"""Our own part beside the peers: random games, turns resolved, turns committed to a ledger, and a game without end."""

from __future__ import annotations

import atexit
import random
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from serving import Sizes, Watch, Work, serve, whole_games

sys.path.insert(0, str(Path(__file__).parents[2] / "endless"))

from engine import Dice, load
from engine.queue import SeatOrders
from pbem import bench
from pbem.game.hosting import NewGame, new_game, sheet_of, standing_of, store
from pbem.game.turning import Played, play
from pbem.ledger import games
from pbem.resolving import AT_A_TIME

SETTINGS = {
    "bagh-chal": ("", "heroes=true", "variant=pulijudam", "variant=pulijudam heroes=true"),
    "hasami-shogi": ("", "shogun=front", "shogun=back", "variant=war", "variant=war shogun=front"),
    "jarmo": ("", "golden=true camps=default", "variant=legendary", "variant=jasyr"),
    "yut": (
        "",
        "players=3",
        "players=4",
        "hurdles=default",
        "wild=true",
        "favourite=true",
        "favourite=true wild=true hurdles=default",
        "players=4 favourite=true wild=true hurdles=default",
    ),
    "conquest": ("", "players=2"),
    "khan": ("", "players=3"),
    "yuan": ("", "players=4 scenario=river_control powers=true volcanoes=true"),
}
YUAN = {"players": "4", "scenario": "river_control", "powers": "true", "volcanoes": "true"}
RECORDED = 8  # games whose turns are resolved again and again
TURNS = 10  # of the game without end, at a time
AHEAD = 100  # turns that its seats order at once until then
BEHIND = 890  # turns: ten more to warm up, and then come the last hundred of a thousand


# --- random play ------------------------------------------------------------------------------------------------------


def one_game(rules: Any, options: Any, luck: random.Random, saw: Sizes | None = None) -> int:
    """One game by pending, moves, resolve; the story is made too. Every seat's own choice counts as a move."""
    dice = Dice(b"bench")
    state, made = rules.setup(options, dice).state, 0
    while pending := rules.pending(state):
        moves = {}
        for seat in pending:
            legal = list(rules.moves(state, seat))
            if saw:
                saw.saw(len(legal), len(rules.position(state)))
            moves[seat] = luck.choice(legal)
        state = rules.resolve(state, moves, dice).state
        made += len(pending)
    return made


def sizes(rules: Any, options: Any, luck: random.Random) -> Sizes:
    seen = Sizes()
    one_game(rules, options, luck, seen)
    return seen


def random_play(game: str, setting: str) -> Work:
    rules = load(game)
    options = rules.Options(**dict(word.split("=") for word in setting.split()))
    return Work(whole_games(partial(one_game, rules, options)), partial(sizes, rules, options))


# --- turns of Yuan, resolved ------------------------------------------------------------------------------------------


class Turn(NamedTuple):
    """A decision of all seats at once, and what they chose."""

    state: Any
    moves: dict[str, Any]


def recorded(rules: Any, luck: random.Random) -> list[Turn]:
    """The turns of some random games in which plans are revealed; what comes between them is left out."""
    found = []
    for number in range(RECORDED):
        dice = Dice(f"bench {number}".encode())
        state = rules.setup(rules.Options(**YUAN), dice).state
        while pending := rules.pending(state):
            turn = Turn(state, {seat: luck.choice(list(rules.moves(state, seat))) for seat in pending})
            if rules.decision(state) == "plan":
                found.append(turn)
            state = rules.resolve(state, turn.moves, dice).state
    return found


def resolved(*, reading: bool) -> Work:
    """All recorded turns once; `reading` begins with the words of the orders."""
    rules = load("yuan")
    turns, dice = recorded(rules, random.Random(0)), Dice(b"bench")
    words = [{seat: str(move) for seat, move in turn.moves.items()} for turn in turns]

    def bare(luck: random.Random, watch: Watch) -> int:
        with watch:
            for state, moves in turns:
                rules.resolve(state, moves, dice)
        return len(turns)

    def read(luck: random.Random, watch: Watch) -> int:
        with watch:
            for (state, _), said in zip(turns, words, strict=True):
                rules.resolve(state, {seat: rules.read(state, seat, word) for seat, word in said.items()}, dice)
        return len(turns)

    return Work(read if reading else bare)


# --- turns in a ledger ------------------------------------------------------------------------------------------------


class Hosted:
    """Games in a ledger of their own, every seat a program's: it gets no letters, so a turn is all that is written."""

    def __init__(self, rules: str, options: dict[str, str]) -> None:
        self.rules, self.options = load(rules), options
        kept = ExitStack()
        self.config, self.ledger = kept.enter_context(bench.host())
        atexit.register(kept.close)
        self.numbers, self.now = count(), bench.BEGINS

    def new(self) -> str:
        """One more game."""
        name, seats = f"g{next(self.numbers)}", self.rules.seats(self.rules.Options(**self.options))
        wanted = NewGame(
            rules=self.rules.id, name=name, seats=dict.fromkeys(seats, "bot: random"), options=self.options
        )
        with self.ledger.write() as tx:
            new_game(tx, self.config, wanted, self.now)
        return name

    def taken_out(self, name: str) -> tuple[Any, Any]:
        """A game as values, as the night takes it out."""
        with self.ledger.read() as tx:
            row = games.get(tx, name)
            assert row is not None
            return sheet_of(tx, self.config, row), standing_of(tx, row)

    def commit(self, turns: list[tuple[Any, Played]]) -> None:
        """One transaction, as the night writes it: where its chains end is asked before anything is written."""
        with self.ledger.write() as tx:
            for sheet, _ in turns:
                tx.end(sheet.name)
            for sheet, played in turns:
                store(tx, sheet, played, self.now)

    def goes_on(self) -> None:
        self.now += timedelta(days=1)


def ordered(standing: Any, orders: dict[str, tuple[str, ...]]) -> Any:
    """The game with these words of its seats waiting."""
    return replace(standing, orders={**standing.orders, **{seat: SeatOrders(said) for seat, said in orders.items()}})


def at_random(rules: Any, state: Any, luck: random.Random) -> dict[str, tuple[str, ...]]:
    return {seat: (str(luck.choice(list(rules.moves(state, seat)))),) for seat in rules.pending(state)}


class Night:
    """So many games of Yuan side by side, each at its next plans; those that end are followed by new ones."""

    def __init__(self, games_at_once: int) -> None:
        self.host, self.names = Hosted("yuan", YUAN), [""] * games_at_once

    def ready(self, place: int, luck: random.Random) -> tuple[Any, Any]:
        """The next plans of one game: what comes between is played and written without counting."""
        while True:
            self.names[place] = self.names[place] or self.host.new()
            sheet, standing = self.host.taken_out(self.names[place])
            if not self.host.rules.pending(standing.state):
                self.names[place] = ""
                continue
            standing = ordered(standing, at_random(self.host.rules, standing.state, luck))
            if self.host.rules.decision(standing.state) == "plan":
                return sheet, standing
            self.play([(sheet, standing)])

    def play(self, tasks: list[tuple[Any, Any]]) -> None:
        """Resolved, made into rows, chained, committed."""
        done = []
        for sheet, standing in tasks:
            played = play(sheet, standing, self.host.now)
            assert played is not None, "every seat has ordered"
            done.append((sheet, played))
        self.host.commit(done)

    def committed(self, luck: random.Random, watch: Watch) -> int:
        self.host.goes_on()
        tasks = [self.ready(place, luck) for place in range(len(self.names))]
        with watch:
            self.play(tasks)
        return len(tasks)

    def from_ledger(self, luck: random.Random, watch: Watch) -> int:
        """One game: the taking out counts, too."""
        self.host.goes_on()
        _, standing = self.ready(0, luck)
        with watch:
            sheet, again = self.host.taken_out(self.names[0])
            self.play([(sheet, replace(again, orders=standing.orders))])
        return 1


# --- a game without end -----------------------------------------------------------------------------------------------


def endless(behind: int) -> Work:
    """Some turns more of a game with so many behind it: taken out of the ledger, resolved, committed, one by one."""
    host = Hosted("endless", {"rounds": "100000"})
    name = host.new()

    def run(turns: int = 1) -> None:
        host.goes_on()
        sheet, standing = host.taken_out(name)
        played = play(sheet, ordered(standing, {"1": ("tock",) * turns, "2": ("tock",) * turns}), host.now)
        assert played is not None, "every seat has ordered"
        host.commit([(sheet, played)])

    for ahead in range(0, behind, AHEAD):
        run(min(AHEAD, behind - ahead))

    def some(luck: random.Random, watch: Watch) -> int:
        with watch:
            for _ in range(TURNS):
                run()
        return TURNS

    return Work(some)


def works() -> dict[str, Callable[[], Work]]:
    """All that can be asked for, by name."""
    played = {
        f"{game} {setting}".strip(): partial(random_play, game, setting)
        for game, settings in SETTINGS.items()
        for setting in settings
    }
    return played | {
        "turn": partial(resolved, reading=False),
        "orders and turn": partial(resolved, reading=True),
        "turn and commit": lambda: Work(Night(AT_A_TIME).committed),
        "turn out of the ledger and back": lambda: Work(Night(1).from_ledger),
        "endless at its beginning": partial(endless, 0),
        "endless after 890 turns": partial(endless, BEHIND),
    }


if __name__ == "__main__":
    serve(("pbem",), works())
