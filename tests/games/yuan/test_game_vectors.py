"""The game vectors: set-up with scripted draws, resignation, order of events, outcome (P1-P19)."""

import pytest

from engine import BadOption
from games.yuan import GAME
from games.yuan.notation import read
from games.yuan.options import Options
from tests.games.yuan.scripted import Picks, dice
from tests.games.yuan.table import Table
from tests.games.yuan.vectors import of_kind, words

GAMES = of_kind("game")
KEYS = words("id kind name rules params line picks error steps events not_events kinds outcome")


def plain(value):
    """Seats are texts with us and numbers in the vectors."""
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def begun(vector, picks) -> Table:
    if "line" in vector:
        line = read(vector["line"])
        return Table(line.state, dice(picks), dict(line.filed))
    draws = dice(picks)
    state, events = GAME.setup(Options(**vector["params"]), draws)
    table = Table(state, draws)
    table.events += events
    return table


def step(table: Table, what) -> None:
    errors = {}
    for seat, orders in what.get("file", {}).items():
        for order in [orders] if isinstance(orders, str) else orders:
            code = table.file(str(seat), order)
            if code:
                errors[order] = code
    assert errors == what.get("errors", {})
    if what.get("close"):
        table.close()
    if "line" in what:
        assert table.line == what["line"]
        assert str(read(table.line)) == table.line
    assert GAME.restore(GAME.dump(table.state)) == table.state


def matches(event, wanted) -> bool:
    fields = {"ev": event.kind, "rule": event.rule, **plain(dict(event.facts))}
    return all(fields.get(key) == plain(value) for key, value in wanted.items())


def test_no_key_is_left_unread():
    assert not {key for vector in GAMES for key in vector} - KEYS
    steps = [step for vector in GAMES for step in vector.get("steps", ())]
    assert not {key for step in steps for key in step} - {"file", "errors", "close", "line"}


@pytest.mark.parametrize("vector", [v for v in GAMES if "error" not in v], ids=lambda v: v["id"])
def test_the_game(vector):
    picks = Picks(vector.get("picks", ()))
    table = begun(vector, picks)
    for what in vector["steps"]:
        step(table, what)
    assert not picks.left
    left = iter(table.events)
    for wanted in vector.get("events", ()):
        assert any(matches(event, wanted) for event in left), wanted
    for unwanted in vector.get("not_events", ()):
        assert not any(matches(event, unwanted) for event in table.events), unwanted
    if "kinds" in vector:
        assert [event.kind for event in table.events] == vector["kinds"]
    if "outcome" in vector:
        outcome = GAME.outcome(table.state)
        assert plain(outcome.places) == vector["outcome"]["ranking"]
        assert plain(dict(outcome.scores)) == vector["outcome"]["scores"]
        assert outcome.rule == vector["outcome"]["reason"]


@pytest.mark.parametrize("vector", [v for v in GAMES if "error" in v], ids=lambda v: v["id"])
def test_parameters_that_are_refused(vector):
    with pytest.raises(BadOption) as bad:
        Options(**vector["params"])
    assert bad.value.code == vector["error"]
