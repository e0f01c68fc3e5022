"""Any game on a host under test: players for all its seats, and what a seat could order first."""

from __future__ import annotations

from engine import load
from pbem.game.hosting import add_player
from pbem.ledger import players
from tests.pbem.host.conftest import NOON, Host, secret

GAMES = ("bagh-chal", "conquest", "hasami-shogi", "jarmo", "khan", "yuan", "yut")


def seated(host: Host, rules: str, name: str, silence: str = "", schedule: str = "nightly 20:00") -> None:
    """A game of those rules, with a player named after each seat."""
    chosen = load(rules)
    with host.ledger.write() as tx:
        for seat in chosen.seats(chosen.Options()):
            if players.by_name(tx, f"player-{seat}") is None:
                add_player(tx, f"player-{seat}", f"{seat}@players.example", "en", "UTC", NOON, secret(f"p{seat}"))
    host.start(rules, name, schedule, silence)


def some_order(host: Host, name: str, seat: str) -> str:
    """A legal order that waits for the deadline, and is not what silence means where there is another one."""
    row = host.row(name)
    rules = load(row.rules)
    state = rules.restore(row.state)
    default = str(rules.default(state, seat))
    waiting = [move for move in _first(rules.moves(state, seat)) if not rules.at_once(state, seat, move)]
    return next((str(move) for move in waiting if str(move) != default), default)


def _first(moves, count: int = 50):
    from itertools import islice

    return islice(moves, count)
