"""The position line, there and back, and the lines that no game can have reached (HASAMI-10)."""

import json

import pytest

from engine import BadPosition
from engine.canon import canonical
from engine.game import BrokenInvariant
from games.hasami_shogi import GAME
from tests.games.hasami_shogi.test_vectors import VECTORS

LINES = sorted(
    {vector["expect"] for vector in VECTORS if "expect" in vector}
    | {
        vector["position"]
        for vector in VECTORS
        if vector["position"] != "new" and vector.get("error") != "bad_position"
    }
)
CAMPS = "4ppppp/9/9/9/9/9/9/9/PPPPP4"
FRO = "a1-a2,i9-i8,a2-a1,i8-i9"


@pytest.mark.parametrize("line", LINES)
def test_there_and_back(line):  # HASAMI-10.1
    state = GAME.from_position(line)
    assert GAME.position(state) == line
    assert GAME.view(state, "1").position == GAME.view(state, "2").position == line
    GAME.check(state)


@pytest.mark.parametrize("line", LINES)
def test_as_json_there_and_back(line):
    state = GAME.from_position(line)
    again = GAME.restore(json.loads(canonical(GAME.dump(state))))
    assert again == state
    assert hash(again) == hash(state)
    assert canonical(GAME.dump(again)) == canonical(GAME.dump(state))


BAD = {
    # the grammar
    "an empty line": ("", "not a position line"),
    "a blank too many": (f"base {CAMPS}  g - g1 100", "not a position line"),
    "a blank at the end": (f"base {CAMPS} g - g1 100 ", "not a position line"),
    "a line end": (f"base {CAMPS} g - g1 100\n", "not a position line"),
    "another variant": (f"peace {CAMPS} g - g1 100", "not a position line"),
    "a leading zero": (f"base {CAMPS} g - g1 020", "not a position line"),
    "digits of another script": (f"base {CAMPS} g - g1 \u0661\u0660\u0660", "not a position line"),
    "a seat too many": (f"base {CAMPS} g - g3 100", "not a position line"),
    "an unknown turn": (f"base {CAMPS} x - g1 100", "not a position line"),
    "over without a winner": (f"base {CAMPS} over - g1 100", "not a position line"),
    "a row too few": ("base 4ppppp/9/9/9/9/9/9/PPPPP4 g - g1 100", "nine rows"),
    "a row too long": ("base 4ppppp/9/9/9/9/9/9/91/PPPPP4 g - g1 100", "nine rows"),
    "two runs of blanks": ("base 4ppppp/9/9/45/9/9/9/9/PPPPP4 g - g1 100", "not written as"),
    "a square off the board": (f"base {CAMPS} g j1-j2 g1 100", "No piece can ever move j1-j2"),
    "an entry that is no move": (f"base {CAMPS} g a1 g1 100", "No piece can ever move a1"),
    "an entry that is empty": (f"base {CAMPS} g a1-a2, g1 100", "No piece can ever move "),
    # pieces
    "too many in base": ("base ppppppppp/ppppppppp/8p/9/9/9/9/9/PPPPP4 g - g1 100", "more than 18"),
    "too many in war": ("war ppppppppp/8p/9/9/9/9/9/9/PPPPP4 g - g1 100", "more than 9"),
    "two Shoguns": ("war 4ppppp/9/9/9/9/9/9/9/SSPPP4 g - g1 100", "more than one Shogun"),
    "green in red's camp": ("base P3ppppp/9/9/9/9/9/9/9/PPPP5 g - g1 100", "enemy camp"),
    "red in green's camp": ("base 4pppp1/9/9/9/9/9/9/8p/PPPPP4 g - g1 100", "enemy camp"),
    # numbers
    "a limit too low": (f"base {CAMPS} g - g1 19", "between 20 and 400"),
    "a limit too high": (f"base {CAMPS} g - g1 401", "between 20 and 400"),
    "a memory as long as the limit": (f"base {CAMPS} g {','.join([FRO] * 5)} g1 20", "reached the quiet limit"),
    "a memory longer than the limit": (f"base {CAMPS} over:0 {','.join([FRO] * 6)} g1 20", "reached the quiet limit"),
    # turn
    "too few in base": ("base 4pppp1/9/9/9/9/9/9/9/PPPPP4 g - g1 100", "green has won"),
    "too few in war": ("war 8p/9/9/9/9/9/9/9/PPPPP4 g - g1 100", "green has won"),
    "five in a row": ("base 4ppppp/9/9/9/9/1PPPPP3/9/9/9 r - g1 100", "green has won"),
    "no legal move": ("base 9/9/ppPP2PPp/ppPP4P/PP6P/PP7/9/9/9 r - g1 100", "no legal move"),
    # memory
    "a memory that cannot be undone": (f"base {CAMPS} g a1-b1 g1 100", "a1-b1 cannot be taken back"),
    "from a taken square": (f"base {CAMPS} r b1-a1 g1 100", "b1-a1 cannot be taken back"),
    "the wrong side last": (f"base {CAMPS} g a2-a1 g1 100", "a2-a1 cannot be taken back"),
    "two moves of one side": (f"base {CAMPS} g a2-a1,b2-b1 g1 100", "cannot be taken back"),
    "a diagonal of a Samurai": (
        "base 4ppppp/9/9/9/4P4/9/9/9/PPPP5 r d4-e5 g1 100",
        "d4-e5 was not legal",
    ),
    "a blocked slide": (f"base {CAMPS} r a4-a1 g1 100", "a4-a1 was not legal"),
    "a camp exit": (
        "base 4ppppp/9/9/9/4P4/9/9/9/PPPP5 r e2-e5 g1 100",
        "after e2-e5 the memory would not go on like this",
    ),
    "a capture": (
        "base 4pppp1/8p/9/9/1PpP5/9/9/9/PPPP5 g d4-d5,i9-i8 g1 100",
        "after d4-d5 the memory would not go on like this",
    ),
    "a move that would have captured": (
        "base 4ppppp/9/9/9/1PpP5/9/9/9/PPPP5 r d4-d5 g1 100",
        "after d4-d5 the memory would not go on like this",
    ),
    "a pass though the side could move": (f"base {CAMPS} r . g1 100", "the side to move could move"),
    "a pass in the midst": (f"base {CAMPS} g a2-a1,. g1 100", ". was not legal"),
    "a pass that is missing": (
        "base 9/9/ppPP2PPp/ppPP4P/PP6P/PPP6/9/9/9 g d4-c4,e5-i5,. g1 100",
        "cannot be taken back",
    ),
    "an end before the last entry": (f"base {CAMPS} g {FRO},{FRO},{FRO} g1 100", "over before its end"),
    "won before the memory": (
        "base 4ppppp/9/9/9/9/1PPPPP3/9/P8/9 over:1 a1-a2 g1 100",
        "over before it",
    ),
    # over
    "nothing has ended it": (f"base {CAMPS} over:0 - g1 100", "Nothing has ended"),
    "the wrong winner": ("base 4pppp1/9/9/9/1P1P5/9/9/9/PPPP5 over:2 - g1 100", "not written as"),
    "a winner, said to be drawn": ("base 4pppp1/9/9/9/1P1P5/9/9/9/PPPP5 over:0 - g1 100", "not written as"),
    "both have won": ("base 9/9/1ppppp3/9/9/1PPPPP3/9/9/9 over:1 - g1 100", "Both sides have won"),
    "drawn, and going on": (f"base {CAMPS} g {FRO},{FRO} g1 100", "another position"),
    "over, memory of passes alone": ("base 4pppp1/9/9/9/1P1P5/9/9/9/PPPP5 over:1 . g1 100", "nobody has moved"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "said"), BAD.values(), ids=BAD.keys())
def test_bad_position(line, said):  # HASAMI-10.2
    with pytest.raises(BadPosition) as told:
        GAME.from_position(line)
    assert said in str(told.value)
    assert "HASAMI-" in str(told.value)
    assert told.value.code == "bad_position"


@pytest.mark.parametrize(
    "line",
    [
        # a win by a quiet move keeps the memory; the winner moved last
        "base 4ppppp/9/9/9/9/1PPPPp2/9/9/PPPPP4 r - g1 100",
        "base 4ppppp/9/9/9/9/1PPPPPp2/9/9/PPPPP4 over:1 h4-f4 g1 100",
        # over with nobody left of the loser
        "war 9/9/9/9/9/1P2P4/9/9/P8 over:2 - g2 100",
        # a pass right after progress
        "base 9/9/ppPP2PPp/ppPP4P/PP4P1P/PP7/9/9/9 g . g1 100",
        # the limit is reached exactly when it is over
        "base 9/9/ppPP2PPp/ppPP4P/PP6P/PP4P2/9/9/9 over:0 e5-i5,.,f4-f3,.,f3-g3,.,g3-g4,.,g4-h4,.,h4-h3,.,h3-g3,.,"
        "g3-f3,.,f3-f4,.,f4-g4,. g1 20",
    ],
)
def test_positions_that_only_look_wrong(line):  # HASAMI-10.2
    line = line.replace("1PPPPp2/", "1PPPPp3/")
    assert GAME.position(GAME.from_position(line)) == line


@pytest.mark.parametrize(
    "broken",
    [
        {"green": 0b11},  # on a red piece's square, and too few
        {"green": (1 << 91) - 1},
        {"red": 1 << 9},  # off the board
        {"shoguns": 1 << 50},
        {"shoguns": 0b110000 | 0b1000000},
        {"turn": "x"},
        {"turn": "over"},
        {"memory": ("a1-z9",)},
        {"memory": ("a1-a2",)},
        {"trail": (0, 5)},
    ],
)
def test_a_broken_state_is_noticed(broken):  # HASAMI-10.2
    state = GAME.from_position(f"base {CAMPS} g - g1 100")
    GAME.check(state)
    with pytest.raises(BrokenInvariant):
        GAME.check(state._replace(**broken))


def test_an_end_without_a_reason_is_no_outcome():
    state = GAME.from_position(f"base {CAMPS} g - g1 100")
    with pytest.raises(BrokenInvariant, match="nothing has ended it"):
        GAME.outcome(state._replace(turn="over"))
