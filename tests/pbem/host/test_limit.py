"""A run that reaches the limit of one advance goes on at once, and comes to the same as if there had been none."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from pbem.attending.attendance import Attendance
from pbem.game import turning
from pbem.ledger import journal
from tests.pbem.host.conftest import DEADLINE, Host
from tests.pbem.host.seating import GAMES, seated

NIGHTS = 4


def came_to(host: Host, rules: str) -> tuple[Any, ...]:
    """What so many silent nights make of a game: where it stands, every move and how it came, and the records."""
    from datetime import timedelta

    seated(host, rules, "game")
    for night in range(NIGHTS):
        host.night(DEADLINE + timedelta(days=night))
    with host.ledger.read() as tx:
        rows = [row.facts() for row in journal.rows(tx, "game", kinds=("turn", "at_once"))]
    row = host.row()
    moves = [{seat: (made["move"], made["how"]) for seat, made in facts["moves"].items()} for facts in rows]
    return row.turn, row.state, row.deadline_at, moves, Attendance.from_json(row.attendance).records


@pytest.mark.parametrize("rules", GAMES)
def test_the_same_with_a_limit_of_one(make_host, rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = came_to(make_host("whole"), rules)
    monkeypatch.setattr(turning, "advance", partial(turning.advance, limit=1))
    assert came_to(make_host("parts"), rules) == expected


def test_weakened_without_the_rest_of_those_who_are_late(make_host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: a late seat that is asked again in the middle of its own decisions."""
    real = turning.advance

    def forgetful(*args: Any, **more: Any) -> Any:
        from dataclasses import replace

        return replace(real(*args, **more, limit=1), late=frozenset())

    expected = came_to(make_host("whole"), "yut")
    monkeypatch.setattr(turning, "advance", forgetful)
    assert came_to(make_host("weak"), "yut") != expected
