"""The position lines of the rules document: there and back, redacted, and those that must be refused (KHAN-29)."""

from __future__ import annotations

import pytest

from engine import BadPosition
from games.khan import GAME
from games.khan.notation import read, write
from games.khan.soundness import problems
from tests.games.khan.table import VECTORS

LINES = [each for each in VECTORS if "line" in each]
VIEWS = [pytest.param(each, viewer, id=f"{each['vector']}-{viewer}") for each in LINES for viewer in each["views"]]
REFUSED = [
    pytest.param(each["line"], one, id=f"{each['vector']}-{one['why']}")
    for each in LINES
    for one in each.get("refused", ())
]


@pytest.mark.parametrize("found", [pytest.param(each, id=each["vector"]) for each in LINES])
def test_line(found):
    assert set(found) <= {"vector", "what", "rules", "line", "pending", "views", "refused"}
    state, queues = read(found["line"])
    assert list(problems(state)) == []
    assert write(state, None, queues) == found["line"]
    assert list(GAME.pending(state)) == found["pending"]
    GAME.check(state)
    without = found["line"].partition(";queue=")[0]
    assert GAME.position(state) == without
    assert GAME.from_position(without) == state == GAME.restore(GAME.dump(state))


@pytest.mark.parametrize(("found", "viewer"), VIEWS)
def test_redacted_line(found, viewer):
    state, queues = read(found["line"])
    assert write(state, viewer, queues) == found["views"][viewer]
    if not queues:
        seat = None if viewer == "public" else viewer
        assert GAME.view(state, seat).position == found["views"][viewer]
    with pytest.raises(BadPosition):
        GAME.from_position(found["views"][viewer])  # a view is not a state


def sound(line):
    state, _ = read(line)
    for problem in problems(state):
        raise BadPosition(problem)


@pytest.mark.parametrize(("line", "one"), REFUSED)
def test_refused_line(line, one):
    assert set(one) == {"why", "piece", "by"}
    assert line.count(one["piece"]) >= 1
    bent = line.replace(one["piece"], one["by"], 1)
    assert bent != line
    with pytest.raises(BadPosition) as refused:
        sound(bent)
    assert refused.value.code == "bad_position"
    assert str(refused.value)
    without_queue = bent.partition(";queue=")[0]
    if without_queue != line.partition(";queue=")[0]:
        with pytest.raises(BadPosition):
            GAME.from_position(without_queue)


@pytest.mark.parametrize("pair", ["nothing", "weather=fine", "khan=1"])
def test_what_is_no_pair_of_the_line_is_named(pair):
    """KHAN-29.1: known keys, each once."""
    with pytest.raises(BadPosition, match=f"not a pair of a position line, or one too many: '{pair}'"):
        GAME.from_position(f"{LINES[0]['line']};{pair}")
