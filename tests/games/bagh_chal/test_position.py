"""The position line, there and back, and the lines that no game can have reached (BAGH-11)."""

import json

import pytest

from engine import BadPosition
from engine.canon import canonical
from engine.game import BrokenInvariant
from tests.games.bagh_chal.drawing import GAME, GOING_ROUND, LAP
from tests.games.bagh_chal.test_vectors import VECTORS

S = "single:1:0-0-0:t1 100"
LINES = sorted(
    {vector["expect"] for vector in VECTORS if "expect" in vector}
    | {
        vector["position"]
        for vector in VECTORS
        if vector["position"] != "new" and vector.get("error") != "bad_position"
    }
)


@pytest.mark.parametrize("line", LINES)
def test_there_and_back(line):  # BAGH-11.1
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


FULL = "Tg1gT/ggggg/g1g1g/gg1gg/Tgg1T"

BAD = {
    # the grammar
    "an empty line": ("", "not a position line"),
    "a blank too many": (f"classic T3T/5/5/5/T3T  g 20 0 off - {S}", "not a position line"),
    "a blank at the end": (f"classic T3T/5/5/5/T3T g 20 0 off - {S} ", "not a position line"),
    "a line end": (f"classic T3T/5/5/5/T3T g 20 0 off - {S}\n", "not a position line"),
    "another variant": (f"valley T3T/5/5/5/T3T g 20 0 off - {S}", "not a position line"),
    "a leading zero": (f"classic T3T/5/2g2/5/T3T g 019 0 off - {S}", "not a position line"),
    "a leading zero in the limit": ("classic T3T/5/5/5/T3T g 20 0 off - single:1:0-0-0:t1 0100", "not a position line"),
    "digits of another script": (f"classic T3T/5/5/5/T3T g \u0662\u0660 0 off - {S}", "not a position line"),
    "a row too few": (f"classic T3T/5/5/T3T g 20 0 off - {S}", "rows do not fit"),
    "a row too long": (f"classic T3T/6/5/5/T3T g 20 0 off - {S}", "rows do not fit"),
    "two runs of blanks": (f"classic T12T/5/5/5/T3T g 20 0 off - {S}", "not written as"),
    "rows of the other board": (f"pulijudam T3T/5/5/5/T3T g 15 0 off - {S}", "rows do not fit"),
    "an unknown turn": (f"classic T3T/5/5/5/T3T x 20 0 off - {S}", "not a position line"),
    "a step that is no point": (f"classic {FULL} g 0 4 off z9-b4,d1-e1 {S}", "No step z9-b4"),
    "an entry that is a capture": (f"classic {FULL} g 0 4 off b3xb4,d1-e1 {S}", "No step b3xb4"),
    # pieces
    "goats do not add up": (f"classic T3T/5/5/5/T3T g 19 0 off - {S}", "must be 20"),
    "a tiger short": (f"classic T4/5/5/5/T3T g 20 0 off - {S}", "4 tigers"),
    "a tiger too many": (f"classic T3T/5/2T2/5/T3T g 20 0 off - {S}", "4 tigers"),
    "an Alpha without heroes": (f"classic A3T/5/5/5/T3T g 20 0 off - {S}", "is the Alpha"),
    "heroes without an Alpha": (f"classic T3T/5/5/5/T3T g 20 0 wait@a1 - {S}", "is the Alpha"),
    "two Alphas": (f"classic A3A/5/5/5/T3T g 20 0 wait@a1 - {S}", "is the Alpha"),
    "an Alpha that starts elsewhere": (f"classic A3T/5/5/5/T3T g 20 0 wait@c3 - {S}", "start point"),
    "an Alpha that starts on the other board": (f"classic A3T/5/5/5/T3T g 20 0 wait@t5 - {S}", "start point"),
    "a Bouc that waits on the board": (f"classic T3T/1b3/5/5/A3T t 18 2 wait@a1 - {S}", "The Bouc stands"),
    "a Bouc that has vanished": (f"classic T3T/5/5/5/A3T t 17 2 used@a1 - {S}", "The Bouc stands"),
    "two Boucs": (f"classic T3T/1bb2/5/5/A3T t 17 2 used@a1 - {S}", "The Bouc stands"),
    # numbers
    "five captured and going on": (f"classic T3T/5/5/5/T3T g 15 5 off - {S}", "At most 4"),
    "six captured": ("classic T3T/5/5/5/T3T over:1 14 6 off - single:1:1-0-0:t1 100", "At most 5"),
    "the Bouc after one capture": (f"classic T3T/1b3/5/5/A3T t 18 1 used@a1 - {S}", "after two captures"),
    "memory in phase I": (f"classic 4T/T4/5/5/T3T g 20 0 off a5-a4 {S}", "In phase I"),
    "a limit too low": ("classic T3T/5/5/5/T3T g 20 0 off - single:1:0-0-0:t1 19", "between 20 and 400"),
    "a limit too high": ("classic T3T/5/5/5/T3T g 20 0 off - single:1:0-0-0:t1 401", "between 20 and 400"),
    # turn
    "an extra move without heroes": (f"classic T3T/5/2g2/5/T3T a 19 0 off - {S}", "extra move"),
    "an extra move after the Bouc": (f"classic A3T/1b3/5/5/T3T a 17 2 used@a5 - {S}", "extra move"),
    "an extra move in phase II": (f"classic Ag1gT/ggggg/g1g1g/gg1gg/Tgg1T a 0 4 wait@a5 - {S}", "extra move"),
    "an extra move of a trapped Alpha": (f"classic Agg2/gg2T/g1g2/5/T3T a 14 0 wait@a5 - {S}", "extra move"),
    "all tigers trapped": (f"classic TgggT/gg1gg/g1g1g/gg1gg/TgggT g 3 0 off - {S}", "All tigers are trapped"),
    "goats that cannot move": (f"classic ggggT/ggggg/ggggg/TTggg/1Tggg g 0 0 off - {S}", "no legal action"),
    # memory
    "a memory that cannot be undone": (f"classic {FULL} g 0 4 off b4-b3,d1-e1 {S}", "b4-b3 cannot be taken back"),
    "a step without a line": (f"classic {FULL} g 0 4 off b3-b4,c2-e1 {S}", "No step c2-e1"),
    "the wrong side last": (f"classic {FULL} t 0 4 off b3-b4,d1-e1 {S}", "d1-e1 cannot be taken back"),
    "two steps of one side": (f"classic {FULL} t 0 4 off c2-c1,b3-b4 {S}", "c2-c1 cannot be taken back"),
    "a jump that captures, written as quiet": (
        f"classic 1gTgT/ggggg/g1g1g/gg1gg/Tgg1T g 0 4 off a5-c5 {S}",
        "a5-c5 was not legal",
    ),
    "a pass though the goats could move": (f"classic {FULL} t 0 4 off d1-e1,. {S}", ". was not legal"),
    "a pass of the tigers": (f"classic {FULL} g 0 4 off . {S}", "only goats pass"),
    "a pass that is missing": (f"classic ggggT/ggggg/ggggg/TTggg/1Tggg g 0 0 off a1-b2 {S}", "no legal action"),
    "going straight back": (
        f"classic Tg1gT/ggggg/g1g1g/gg1gg/TggT1 t 0 4 off b4-b3,e1-d1,b3-b4 {S}",
        "b3-b4 was not legal",
    ),
    "a memory as long as the limit": (
        f"classic ggggT/ggggg/ggggg/TTggg/1Tggg t 0 0 off {GOING_ROUND},a1-b2,. single:1:0-0-0:t1 20",
        "reached the quiet limit",
    ),
    "an end before the last entry": (
        f"classic T1ggT/g1ggg/gg1gg/ggg1g/TgT1g over:0 0 4 off {LAP},{LAP},{LAP},d1-e1 single:1:0-0-1:t1 100",
        "over before its end",
    ),
    "a pass first, though the goats could move": (f"classic {FULL} t 0 4 off . {S}", "the goats could move"),
    "a game that was over before its memory": (
        f"classic TgggT/gg1gg/g3g/ggggg/TgggT t 0 3 off c3-c2 {S}",
        "over before it",
    ),
    "a memory that ended the game": (
        f"classic T1ggT/g1ggg/gg1gg/ggg1g/TgTg1 g 0 4 off {LAP},{LAP},{LAP} {S}",
        "leads to another position",
    ),
    # score
    "game 2 of a single": ("classic T3T/5/5/5/T3T g 20 0 off - single:2:1-0-0:t1 100", "add up to the games"),
    "results that do not add up": ("classic T3T/5/5/5/T3T g 20 0 off - single:1:1-0-0:t1 100", "add up to the games"),
    "a third game after two wins": ("classic T3T/5/5/5/T3T g 20 0 off - three:3:2-0-0:t1 100", "won two games"),
    "a match over after game 1": (
        "classic 4T/5/2T2/5/T3T over:1 15 5 off - three:1:1-0-0:t1 100",
        "would not have ended",
    ),
    "a match over after one win in two": (
        "classic 4T/5/2T2/5/T3T over:0 15 5 off - three:2:1-1-0:t1 100",
        "would not have ended",
    ),
    "two wins before the last game": (
        "classic 4T/5/2T2/5/T3T over:1 15 5 off - three:3:2-1-0:t2 100",
        "would not have ended",
    ),
    "over without an end": ("classic T3T/5/5/5/T3T over:0 20 0 off - single:1:0-0-1:t1 100", "Nothing has ended"),
    "the wrong winner": ("classic 4T/5/2T2/5/T3T over:2 15 5 off - single:1:1-0-0:t1 100", "not written as"),
    "a result that is not counted": (
        "classic 4T/5/2T2/5/T3T over:2 15 5 off - single:1:0-1-0:t1 100",
        "is not counted",
    ),
    "over, and a turn besides": ("classic 4T/5/2T2/5/T3T over:1 14 5 off - single:1:1-0-0:t1 100", "must be 20"),
}


@pytest.mark.parametrize(("line", "said"), BAD.values(), ids=BAD.keys())
def test_bad_position(line, said):  # BAGH-11.2
    with pytest.raises(BadPosition) as told:
        GAME.from_position(line)
    assert said in str(told.value)
    assert "(BAGH-" in str(told.value)
    assert told.value.code == "bad_position"


@pytest.mark.parametrize(
    "line",
    [
        # the last capture took the Bouc, so a used one is missing when it is over
        "classic 4T/5/2T2/5/A3T over:1 17 2 used@a1 - single:1:1-0-0:t1 100",
        # game 3 is over: two wins of one seat are right when the last game brought the second
        "classic 4T/5/2T2/5/T3T over:1 15 5 off - three:3:2-1-0:t1 100",
        # a pass last in memory, and one first: the capture before it left the goats without a move
        "classic ggggT/ggggg/ggggg/TTggg/1Tggg t 0 0 off a1-b2,. single:1:0-0-0:t1 100",
        "classic ggggT/ggggg/ggggg/TTggg/1Tggg t 0 0 off . single:1:0-0-0:t1 100",
    ],
)
def test_positions_that_only_look_wrong(line):  # BAGH-11.2
    assert GAME.position(GAME.from_position(line)) == line


@pytest.mark.parametrize(
    "broken",
    [
        {"hand": 19},
        {"hand": -1},
        {"captured": 1},
        {"goats": 1},  # on a tiger's point
        {"goats": 1 << 25},  # off the board
        {"tigers": 0b111},
        {"bouc": 1 << 12},
        {"alpha": 1},
        {"entered": True},
        {"turn": "a"},
        {"turn": "x"},
        {"turn": "over"},
        {"memory": ("a1-b2",)},
    ],
)
def test_a_broken_state_is_noticed(broken):  # BAGH-11.2
    state = GAME.from_position(f"classic T3T/5/5/5/T3T g 20 0 off - {S}")
    GAME.check(state)
    with pytest.raises(BrokenInvariant):
        GAME.check(state._replace(**broken))


def test_a_hand_that_is_made_up_for_on_the_board_is_noticed():  # BAGH-11.2
    state = GAME.from_position(f"classic T3T/5/5/5/T3T g 20 0 off - {S}")
    everywhere = ((1 << 25) - 1) ^ state.tigers
    with pytest.raises(BrokenInvariant, match="no such hand"):
        GAME.check(state._replace(hand=-1, goats=everywhere))


def test_a_game_that_is_over_for_no_reason_has_no_outcome():
    state = GAME.from_position(f"classic T3T/5/5/5/T3T g 20 0 off - {S}")
    with pytest.raises(BrokenInvariant, match="nothing has ended it"):
        GAME.outcome(state._replace(turn="over"))
