"""Why an order cannot stand: code, rule, words and what would be legal, in the order of HASAMI-6.3."""

import pytest

from engine import Dice, Refusal
from games.hasami_shogi import GAME

OVER = "base 4pppp1/9/9/9/1P1P5/9/9/9/PPPP5 over:1 - g1 100"
DRAWN = "base 4ppppp/9/9/9/9/9/9/9/PPPPP4 over:0 a1-a2,i9-i8,a2-a1,i8-i9,a1-a2,i9-i8,a2-a1,i8-i9 g1 100"
NEW = "base ppppppppp/ppppppppp/9/9/9/9/9/PPPPPPPPP/PPPPPPPPP g - g1 100"
OPEN = "base 4ppppp/4s4/9/9/3p5/P3P4/6S2/9/PPPPP4 g - g1 100"
STUCK = "base 4ppppp/9/9/9/p8/PP7/PP7/PP7/PP7 g - g2 100"
SLANT = "base 4ppppp/9/9/9/4p4/9/6S2/9/PPPPP4 g - g1 100"
REDS = "base 4ppppp/p8/p8/P8/9/9/9/9/PPPPP4 r - g1 100"
WAR = "war 2pp3P1/8P/8p/9/9/9/9/9/P8 r - g1 100"

TABLE = [
    (OVER, "2", "e9-e7", "game_over", "7.7", "The game ended: seat 1 has won. Nothing can be ordered."),
    (DRAWN, "1", "a1-a2", "game_over", "7.7", "The game ended: nobody has won. Nothing can be ordered."),
    (NEW, "2", "e8-e5", "not_your_turn", "1.1", "Seat 1 (green) is to move. Your order is kept for your next turn if"),
    (REDS, "1", "a1-a2", "not_your_turn", "1.1", "Seat 2 (red) is to move."),
    (NEW, "1", "forward", "unreadable", "6.2", "Not understood: forward. Write for example a2-a7."),
    (NEW, "1", "e2-j2", "unknown_square", "2.1", "j2 is not on the board (a1 to i9)."),
    (NEW, "1", "e0-j2", "unknown_square", "2.1", "e0 is not on the board (a1 to i9)."),
    (NEW, "1", "e5-e6", "not_your_piece", "4.1", "e5 holds nothing."),
    (NEW, "1", "e8-e5", "not_your_piece", "4.1", "e8 holds a red Samurai."),
    (OPEN, "1", "e8-e5", "not_your_piece", "4.1", "e8 holds a red Shogun."),
    (REDS, "2", "a6-a5", "not_your_piece", "4.1", "a6 holds a green Samurai."),
    (NEW, "1", "e2-e8", "occupied", "4.2", "e8 holds a red Samurai. From e2: e2-e7, e2-e6, e2-e5, e2-e4, e2-e3."),
    (NEW, "1", "e2-e2", "occupied", "4.2", "e2 holds a green Samurai. From e2: e2-e7,"),
    (OPEN, "1", "e4-g3", "occupied", "4.2", "g3 holds a green Shogun. From e4: e4-e7,"),
    (STUCK, "2", "a1-b1", "occupied", "4.2", "b1 holds a green Samurai. From a1: a1-c1."),
    (STUCK, "2", "a3-a2", "occupied", "4.2", "a2 holds a green Samurai. From a3: a3-c3."),
    (OPEN, "1", "e4-f6", "not_straight", "4.2", "e4 and f6 are not on one line. From e4: e4-e7,"),
    (OPEN, "1", "g3-h5", "not_straight", "4.2", "g3 and h5 are not on one line. From g3:"),
    (OPEN, "1", "e4-f5", "diagonal_is_for_shogun", "9.2", "A Samurai moves along rows and columns. From e4: e4-e7,"),
    (OPEN, "1", "e4-e2", "own_camp_closed", "4.5", "e4 has left the camp and may not return. From e4: e4-e7,"),
    (OPEN, "1", "g3-f2", "own_camp_closed", "4.5", "g3 has left the camp and may not return. From g3:"),
    (REDS, "2", "a7-a9", "own_camp_closed", "4.5", "a7 has left the camp and may not return. From a7:"),
    (OPEN, "1", "a4-a8", "enemy_camp_closed", "4.6", "The enemy camp may not be entered. From a4: a4-a7,"),
    (OPEN, "1", "g3-b8", "enemy_camp_closed", "4.6", "The enemy camp may not be entered. From g3:"),
    (NEW, "1", "e1-e4", "blocked", "4.3", "e2 is in the way; only a single neighbouring piece can be jumped, to the"),
    (OPEN, "1", "a4-f4", "blocked", "4.2", "e4 is in the way; only a single neighbouring piece can be jumped, to the"),
    (OPEN, "1", "a1-i1", "blocked", "4.3", "b1 is in the way;"),
    (SLANT, "1", "g3-c7", "blocked", "4.2", "e5 is in the way;"),
    (OPEN, "1", "e4xe5", "no_capture", "5.1", "e4-e5 captures nothing. It is legal as a move."),
    (WAR, "2", "i7:i9", "no_capture", "5.1", "i7-i9 captures nothing. It is legal as a move."),
]  # fmt: skip


@pytest.mark.parametrize(("line", "seat", "order", "code", "rule", "said"), TABLE)
def test_refusal(line, seat, order, code, rule, said):  # HASAMI-6.3
    state = GAME.from_position(line)
    answer = GAME.read(state, seat, order)
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.rule) == (code, f"HASAMI-{rule}")
    assert str(answer).startswith(said), str(answer)
    expected = [str(move) for move in GAME.moves(state, seat)]  # none for a seat that is not to move
    assert answer.to_json()["legal"] == expected


def test_every_code_is_in_the_table():  # HASAMI-6.3
    assert list(dict.fromkeys(row[3] for row in TABLE)) == [
        *("game_over", "not_your_turn", "unreadable", "unknown_square", "not_your_piece", "occupied", "not_straight"),
        *("diagonal_is_for_shogun", "own_camp_closed", "enemy_camp_closed", "blocked", "no_capture"),
    ]


@pytest.mark.parametrize(
    ("line", "seat", "order", "first"),
    [
        (OVER, "2", "nonsense", "game_over"),  # before not_your_turn and unreadable
        (NEW, "2", "nonsense", "not_your_turn"),
        (NEW, "1", "e0 to nowhere", "unreadable"),
        (NEW, "1", "e5-e0", "unknown_square"),  # before not_your_piece
        (NEW, "1", "e5-e8", "not_your_piece"),  # before occupied
        (NEW, "1", "a1-b8", "occupied"),  # before not_straight
        (OPEN, "1", "e4-f2", "not_straight"),  # before own_camp_closed
        (OPEN, "1", "e4-c2", "diagonal_is_for_shogun"),  # before own_camp_closed
        (OPEN, "1", "e4-a8", "diagonal_is_for_shogun"),  # before enemy_camp_closed
        (STUCK, "2", "a4-a8", "enemy_camp_closed"),  # before blocked
        ("base 4ppppp/9/9/9/P8/P8/P8/9/1PPPP4 g - g1 100", "1", "a5-a2", "own_camp_closed"),  # before blocked
        (OPEN, "1", "a4xf4", "blocked"),  # before no_capture
    ],
)
def test_the_first_reason_that_applies_is_the_answer(line, seat, order, first):  # HASAMI-6.3
    assert GAME.read(GAME.from_position(line), seat, order).code == first


def test_a_long_order_is_quoted_short():
    answer = GAME.read(GAME.from_position(NEW), "1", "x" * 5000)
    assert len(str(answer)) < 160


def test_several_moves_are_used_one_after_the_other():
    """HASAMI-6.5: what is refused now is judged again at its own time; only what can never stand is said at once."""
    state = GAME.from_position(NEW)
    assert GAME.read(state, "1", "e5-c5").code == "not_your_piece"
    assert GAME.why_never(state, "1", "e5-c5") is None
    for seat, order in (("1", "e2-e5"), ("2", "a8-a7")):
        state = GAME.resolve(state, {seat: GAME.read(state, seat, order)}, Dice()).state
    assert str(GAME.read(state, "1", "e5-c5")) == "e5-c5"


@pytest.mark.parametrize(
    ("order", "code"),
    [
        *(("e2-e5", None), ("e8-e5", None), ("e2-e2", None), ("a1-i9", None), ("e2xe5", None)),
        *(("nonsense", "unreadable"), ("e2-k5", "unknown_square"), ("e2-f4", "not_straight")),
    ],
)
@pytest.mark.parametrize("seat", ["1", "2"])
def test_what_no_position_would_take(order, code, seat):
    """HASAMI-6.2, HASAMI-2.1, HASAMI-4.2: the spelling of an order for later is judged at once, whoever is to move."""
    fault = GAME.why_never(GAME.from_position(NEW), seat, order)
    assert (fault and fault.code) == code
