"""The position vectors: full lines, redacted lines, and lines that must be refused (N1-N7)."""

import pytest

from engine import BadPosition
from games.yuan import GAME
from games.yuan.notation import Line, read
from tests.games.yuan.vectors import of_kind, words

POSITIONS = of_kind("position")
KEYS = words("id kind name rules line pending views refused")
REFUSED = [(vector, case) for vector in POSITIONS for case in vector.get("refused", ())]
VIEWS = [(vector, view) for vector in POSITIONS for view in vector.get("views", {})]


def test_no_key_is_left_unread():
    assert not {key for vector in POSITIONS for key in vector} - KEYS


@pytest.mark.parametrize("vector", POSITIONS, ids=lambda v: v["id"])
def test_a_line_reads_and_writes(vector):
    line = read(vector["line"])
    assert str(line) == vector["line"]
    assert list(GAME.pending(line.state)) == [str(seat) for seat in vector["pending"]]
    bare = GAME.position(line.state)
    assert GAME.from_position(bare) == line.state
    assert bare == str(Line(line.state))  # filed orders are the host's: the game's own line has none
    assert GAME.restore(GAME.dump(line.state)) == line.state


@pytest.mark.parametrize(("vector", "view"), VIEWS, ids=[f"{vector['id']}-{view}" for vector, view in VIEWS])
def test_a_redacted_line(vector, view):
    redacted = read(vector["line"]).redacted(str(view))
    assert str(redacted) == vector["views"][view]
    assert read(vector["views"][view]) == redacted
    with pytest.raises(BadPosition):
        GAME.from_position(vector["views"][view])
    seat = None if view == "public" else str(view)
    assert GAME.view(redacted.state, seat).position == str(Line(redacted.state, {}, str(view)))


@pytest.mark.parametrize(("vector", "case"), REFUSED, ids=[f"{vector['id']}-{case['why']}" for vector, case in REFUSED])
def test_a_line_that_is_refused(vector, case):
    assert vector["line"].count(case["piece"]) >= 1
    with pytest.raises(BadPosition) as bad:
        read(vector["line"].replace(case["piece"], case["by"], 1))
    assert str(bad.value)
    assert bad.value.code == "bad_position"
