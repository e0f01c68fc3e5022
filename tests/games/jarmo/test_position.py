"""The position line, what is refused of it, and the options a game starts from (sections 3 and 7)."""

import pytest

from engine import BadOption, BadPosition
from engine.game import BrokenInvariant
from games.jarmo import GAME
from tests.games.jarmo.table import NO_LUCK, START, at, line, ordered
from tests.games.jarmo.test_vectors import VECTORS

LINES = sorted(
    {vector[key] for vector in VECTORS for key in ("position", "expect") if key in vector and "refused" not in vector}
)


@pytest.mark.parametrize("text", LINES)
def test_there_and_back(text):
    state = GAME.from_position(text)
    assert GAME.position(state) == text
    assert GAME.restore(GAME.dump(state)) == state
    GAME.check(state)


@pytest.mark.parametrize(
    "text",
    [
        *("", START, f"jarmo {START} ", f"jarmo  {START}", f"Jarmo {START}", f"jarmo {START}\n"),
        "jarmo chess aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 - -",
        "jarmo jasyr,late=turn aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 - -",
        "jarmo base,late=move aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 - -",
        "jarmo base,limit=300 aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 - -",
        "jarmo base,limit=49 aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 - -",
        "jarmo base,limit=1001 aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 - -",
        "jarmo base,limit=050 aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 - -",
        "jarmo base,limit=50,late=turn aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 - -",
        "jarmo base aaaaa/5/5/5 g 0.0 0.0 - 0 - -",
        "jarmo base aaaaa/5/5/4/AAAAA g 0.0 0.0 - 0 - -",
        "jarmo base aaaaa/5/23/5/AAAAA g 0.0 0.0 - 0 - -",
        "jarmo base aaaaa/5/(A)4/5/1AAAA g 0.0 0.0 - 0 - -",
        "jarmo base aaaaa/5/(E4/5/1AAAA g 0.0 0.0 - 0 - -",
        "jarmo base aaaaa/5/5/5/AAAAA r 0.0 0.0 - 0 - -",
        "jarmo base aaaaa/5/5/5/AAAAA g 00.0 0.0 - 0 - -",
        "jarmo base aaaaa/5/5/5/AAAAA g 1.0 0.0 - 0 - -",
        "jarmo base aaaaa/5/5/5/AAAAA g 0.0 0.1 - 0 - -",
        "jarmo base aaaaa/5/5/5/AAAAA g 0.0 0.0 e3+a3 0 - -",
        "jarmo base aaaaa/5/5/5/AAAAA g 0.0 0.0 a3+a3 0 - -",
        "jarmo base aaaaa/5/5/5/AAAAA g 0.0 0.0 a1+a3 0 - -",
        "jarmo jasyr aaaaa/5/5/5/AAAAA g 0.0 0.0 a3+e3 0 - -",
        "jarmo base aaaaa/5/5/5/AAAAA g 0.0 0.0 - 00 - -",
        "jarmo base aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 pass -",
        "jarmo base aaaaa/5/5/5/AAAAA g 0.0 0.0 - 9 pas -",
        "jarmo base aaaaa/5/5/5/AAAAA g 0.0 0.0 - 9 - camp:x",
        "jarmo base aaaaa/5/5/5/AAAAA g 0.0 0.0 - 9 - won:g",
        "jarmo base 1aaaa/5/5/(Dd)4/1AAAA g 0.0 0.0 - 9 - -",
        "jarmo base 1aaaa/5/5/(EeE)4/1AAA1 g 0.0 0.0 - 9 - -",
    ],
)
def test_lines_that_are_refused(text):
    with pytest.raises(BadPosition):
        GAME.from_position(text)


def test_below_the_top_there_are_golden_archers_only():  # JARMO-10.3
    for column in ("Dd", "Ae", "EaE"):
        with pytest.raises(BadPosition, match="golden archers only"):
            at(f"base 1aaa1/5/5/({column})4/1AAA1 g 0.0 0.0 - 9 - -")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("base aaaaa/5/5/5/AAAAA b 0.0 0.0 - 9 a1-c2 -", "with that one piece alone"),  # nobody stands on c2
        ("base aaaaa/5/5/2A2/1AAAA g 0.0 0.0 - 9 a1-c2 -", "with that one piece alone"),  # green is to move
        ("base daaaa/5/5/2(EA)2/1AAA1 b 0.0 0.0 - 9 a1-c2 -", "with that one piece alone"),
        ("base aaaAa/5/5/5/1AAAA b 0.0 1.0 - 9 e3-d5 -", "neither leaves nor enters"),
        ("base aaaa1/5/4A/5/1AAAA b 0.0 1.0 - 9 d5-e3 -", "neither leaves nor enters"),
        ("base aaaaa/5/5/2A2/1AAAA b 0.0 0.0 - 9 b1-c2 -", "no line allows it"),
        ("base aaaaa/5/1A3/5/1AAAA b 0.0 0.0 - 9 c3-b3 -", "no line allows it"),
        ("jasyr aaaaa/5/5/A4/1AAAA b 0.0 0.0 - 9 c3-a2 -", "no line allows it"),  # backward
        ("base aaaaa/5/5/2A2/AAAA1 b 0.0 0.0 - 9 a1-c2 -", "is taken"),
        ("base aaaa1/5/5/2A2/D2AA b 0.0 0.0 - 9 a1-c2 -", "is taken"),  # a golden guard cannot have been below
    ],
)
def test_tails_that_cannot_be_walked_back(text, why):  # JARMO-6.3
    with pytest.raises(BadPosition, match=why):
        at(text)


@pytest.mark.parametrize(
    "text",
    [
        "base d1aaa/3G1/3E1/5/AA1A1 b 0.0 1.0 - 16 d3-d4 -",  # back on top of the golden archer
        "base 1gaaa/1E3/3e1/2A2/1AAA1 b 0.0 0.0 - 24 d3-d4,a1-c2,d4-b5,d3-b4 -",
        "base aaaaa/5/5/5/AAAAA g 0.0 0.0 - 2 pass,pass -",
        "base aaaaa/5/2A2/5/1AAAA b 0.0 0.0 - 9 c3-a2,d5-b4,a2-c3 -".replace("aaaaa/5", "aaa1a/1a3"),
    ],
)
def test_tails_that_can(text):  # JARMO-6.3
    assert line(at(text)) == text


def test_with_no_end_told_the_game_goes_on():
    """Ends are looked for after the next turn only."""
    state = at("base aaaaa/5/5/5/AAAAA g 0.0 0.0 - 300 pass,pass -")
    assert GAME.pending(state) == ("green",)
    assert ordered(state, "a1-c2").end == "limit:="


def test_a_broken_state_is_noticed():
    state = at("base aaaaa/5/5/2A2/1AAAA b 0.0 0.0 - 1 a1-c2 -")
    for broken in (
        state._replace(turn=0),
        state._replace(tail=((state.board, "a1-c2"),)),
        state._replace(tail=((state.board, "b1-c2"),)),
        state._replace(tail=((state.board, "c2"),)),
        state._replace(camps=1),
        state._replace(pools=(-1, 0)),
        state._replace(terms=state.terms._replace(limit=5)),
        state._replace(board=state.board._replace(tops=(3, 1))),
        state._replace(board=state.board._replace(guards=1)),
        state._replace(board=state.board._replace(under=((1, 0),))),
    ):
        with pytest.raises(BrokenInvariant):
            GAME.check(broken)
    GAME.check(state)


# --- options (section 3) --------------------------------------------------------------------------------------------


def test_what_holds_where_nothing_is_said():
    assert GAME.Options().to_json() == {
        "variant": "base",
        "golden": False,
        "camps": "off",
        "late": "move",
        "limit": 300,
        "series": 1,
    }


@pytest.mark.parametrize(
    ("choices", "camps", "late"),
    [
        ({}, "off", "move"),
        ({"variant": "jasyr"}, "off", "turn"),
        ({"variant": "jasyr", "late": "turn"}, "off", "turn"),
        ({"variant": "legendary", "late": "TURN", "camps": "E3 + a3"}, "a3+e3", "turn"),
        ({"camps": True}, "a3+e3", "move"),
        ({"camps": False}, "off", "move"),
        ({"camps": "on"}, "a3+e3", "move"),
        ({"camps": "default"}, "a3+e3", "move"),
        ({"camps": "d2+b4"}, "d2+b4", "move"),
    ],
)
def test_options(choices, camps, late):
    options = GAME.Options(**choices)
    assert (options.camps, options.late) == (camps, late)
    assert GAME.Options(**options.to_json()) == options


@pytest.mark.parametrize(
    "choices",
    [
        {"variant": "jasyr", "late": "move"},  # JARMO-9.6
        {"variant": "jasyr", "camps": "default"},
        {"variant": "jasyr", "camps": "b2+b4"},
        {"camps": "a1+c3"},  # JARMO-11.1
        {"camps": "c3+c3"},
        {"camps": "c3"},
        {"camps": "c3+d3+e3"},
        {"camps": ""},
        {"late": "never"},
        {"limit": 49},
        {"limit": 1001},
        {"variant": "chess"},
        {"golden": "perhaps"},
    ],
)
def test_options_that_are_refused(choices):
    with pytest.raises(BadOption):
        GAME.Options(**choices)


def test_the_set_up_is_told():  # JARMO-1.4
    (event,) = GAME.setup(GAME.Options(golden=True, camps="default", limit=60), NO_LUCK).events
    assert (event.kind, event.rule) == ("started", "JARMO-1.4")
    assert event.facts == {"variant": "base", "golden": True, "camps": ["a3", "e3"], "late": "move", "limit": 60}
