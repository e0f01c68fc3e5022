"""Why an order cannot stand: code, rule, words and what would be legal, in the order of BAGH-6.3."""

import pytest

from engine import Refusal
from tests.games.bagh_chal.drawing import GAME, LAP

S = "single:1:0-0-0:t1 100"
OVER = "classic 4T/5/2T2/5/T3T over:1 15 5 off - single:1:1-0-0:t1 100"
DRAWN = f"classic T1ggT/g1ggg/gg1gg/ggg1g/TgTg1 over:0 0 4 off {LAP},{LAP},{LAP} single:1:0-0-1:t1 100"
NEW = f"classic T3T/5/5/5/T3T g 20 0 off - {S}"
PLACED = f"classic T3T/5/2g2/5/T3T g 19 0 off - {S}"
HUNT = f"classic T3T/1g3/5/5/T3T t 19 0 off - {S}"
PACK = f"classic T4/1T3/5/4g/T3T t 19 0 off - {S}"
HERD = f"classic Tg1gT/ggggg/g1g1g/gg1gg/Tgg1T g 0 4 off - {S}"
WENT = f"classic Tg1gT/ggggg/g1g1g/gg1gg/Tgg1T g 0 4 off b3-b4,d1-e1 {S}"
FLED = f"classic Tg1gT/ggggg/g1g1g/gg1gg/Tgg1T t 0 4 off d1-e1,c2-b2 {S}"
EXTRA = f"classic A4/g3T/5/5/T3T a 19 0 wait@a5 - {S}"
EARLY = f"classic T3T/1g3/5/5/A3T g 18 1 wait@a1 - {S}"
READY = f"classic T3T/1g3/5/5/A3T g 17 2 wait@a1 - {S}"
USED = f"classic T3T/1gb2/5/5/A3T g 16 2 used@a1 - {S}"
GUARD = f"classic T3T/1g3/1b3/5/A3T t 16 2 used@a1 - {S}"
BOUC_TWO = f"pulijudam A/gg1Tgg/gbg1gg/2T1gg/g3 g 0 3 used@t5 - {S}"

TABLE = [
    (OVER, "2", "c3", "game_over", "7.5", "The match ended: seat 1 has won. Nothing can be ordered."),
    (DRAWN, "1", "c3", "game_over", "7.5", "The match ended: nobody has won. Nothing can be ordered."),
    (NEW, "1", "a5-a4", "not_your_turn", "1.3", "Seat 2 (goats) is to act."),
    (HUNT, "2", "c3", "not_your_turn", "1.3", "Seat 1 (tigers) is to act."),
    (NEW, "2", "hello", "unreadable", "6.2", "Not understood: hello. Write for example place b5."),
    (HUNT, "1", "hello", "unreadable", "6.2", "Not understood: hello. Write for example a5-b5."),
    (NEW, "2", "f3", "unknown_point", "2.1", "f3 is not a point of this board."),
    (HUNT, "1", "a9-z1", "unknown_point", "2.1", "a9 is not a point of this board."),
    (HUNT, "1", "a5-z1", "unknown_point", "2.1", "z1 is not a point of this board."),
    (NEW, "2", "stay", "must_act", "9.3", "Only the Alpha's extra move can be declined. Legal: place b5, place c5,"),
    (HUNT, "1", "c3", "tigers_do_not_place", "4.2", "Tigers move. Legal: a5-b5, a5-a4, a5xc3,"),
    (HERD, "2", "b3", "hand_empty", "5.2", "All goats are placed; move one. Legal: b5-c5,"),
    (PLACED, "2", "a5", "occupied", "4.1", "a5 holds a tiger. Empty: b5, c5, d5, a4,"),
    (PLACED, "2", "c3", "occupied", "4.1", "c3 holds a goat. Empty: b5,"),
    (USED, "2", "c4", "occupied", "4.1", "c4 holds a Bouc. Empty: b5,"),
    (GUARD, "1", "bouc b4", "tigers_do_not_place", "9.5", "Only the goats have a Bouc."),
    (NEW, "2", "bouc b4", "no_bouc", "9.1", "This game has no Bouc."),
    (USED, "2", "bouc b4", "bouc_used", "9.5", "The Bouc has entered already."),
    (EARLY, "2", "bouc b4", "bouc_early", "9.5", "1 goats captured, two are needed."),
    (READY, "2", "bouc c3", "bouc_needs_goat", "9.5", "The Bouc replaces a goat; goats stand on b4."),
    (PLACED, "2", "c3-c4", "still_placing", "4.1", "19 goats are still in hand; place one."),
    (HERD, "2", "d1-c1", "not_your_piece", "5.2", "d1 holds nothing. Your pieces that can move: b5, d5, b4,"),
    (HERD, "2", "a5-b5", "not_your_piece", "5.2", "a5 holds a tiger. Your pieces that can move: b5, d5, b4,"),
    (HERD, "2", "b5-b4", "occupied", "5.2", "b4 holds a goat."),
    (HERD, "2", "c4-c2", "goats_do_not_jump", "5.2", "Goats do not jump. From c4: c4-c5."),
    (HERD, "2", "b1-c2", "no_line", "2.1", "No line joins b1 and c2. From b1: nothing."),
    (HERD, "2", "c3-c5", "goats_do_not_jump", "5.2", "Goats do not jump. From c3: c3-b3, c3-d3, c3-c2."),
    (HERD, "2", "c1xd1", "no_capture", "5.2", "Goats do not capture. c1-d1 is legal."),
    (BOUC_TWO, "2", "b3:b2", "no_capture", "5.2", "Goats do not capture. b3-b2 is legal."),
    (HUNT, "1", "b4-b3", "not_your_piece", "4.2", "b4 holds a goat. Your tigers: a5, e5, a1, e1."),
    (HUNT, "1", "c3-b3", "not_your_piece", "4.2", "c3 holds nothing. Your tigers: a5, e5, a1, e1."),
    (GUARD, "1", "b3-c3", "not_your_piece", "4.2", "b3 holds the Bouc. Your tigers: a5, e5, a1, e1."),
    (EXTRA, "1", "e4-e3", "alpha_only", "9.2", "Only the Alpha on a5 may move now. Legal: a5-b5, a5-b4, a5xa3, stay."),
    (HUNT, "1", "a5-b4", "occupied", "4.3", "b4 holds a goat."),
    (HUNT, "1", "a5-a5", "occupied", "4.3", "a5 holds a tiger."),
    (HUNT, "1", "a5xa4", "no_capture", "4.3", "a5-a4 is a walk."),
    (HUNT, "1", "e5-c3", "nothing_to_jump", "4.4", "d4 holds nothing."),
    (PACK, "1", "a5-c3", "nothing_to_jump", "4.4", "b4 holds a tiger."),
    (GUARD, "1", "a5xc3", "protected", "9.7", "The Bouc on b3 protects b4; only the Alpha captures it. a5-c3 jumps"),
    (HUNT, "1", "a5-b3", "no_line", "2.2", "No line leads from a5 to b3. From a5: a5-b5, a5-a4, a5xc3."),
    (WENT, "2", "b4-b3", "back_and_forth", "5.4", "Seat 2 (goats) just played b3-b4; the way back is"),
    (FLED, "1", "e1-d1", "back_and_forth", "5.4", "Seat 1 (tigers) just played d1-e1; the way back is"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "seat", "order", "code", "rule", "said"), TABLE)
def test_refusal(line, seat, order, code, rule, said):  # BAGH-6.3
    state = GAME.from_position(line)
    answer = GAME.read(state, seat, order)
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.rule) == (code, f"BAGH-{rule}")
    assert str(answer).startswith(said), str(answer)
    expected = [str(move) for move in GAME.moves(state, seat)]  # none for a seat that is not to act
    assert answer.to_json()["legal"] == expected


def test_every_code_is_in_the_table():  # BAGH-6.3
    assert {row[3] for row in TABLE} == {
        *("game_over", "not_your_turn", "unreadable", "unknown_point", "must_act", "tigers_do_not_place", "hand_empty"),
        *("occupied", "no_bouc", "bouc_used", "bouc_early", "bouc_needs_goat", "still_placing", "not_your_piece"),
        *("goats_do_not_jump", "no_line", "no_capture", "alpha_only", "nothing_to_jump", "protected", "back_and_forth"),
    }


@pytest.mark.parametrize(
    ("line", "seat", "order", "first"),
    [
        (OVER, "1", "nonsense", "game_over"),  # before not_your_turn and unreadable
        (NEW, "1", "nonsense", "not_your_turn"),
        (NEW, "2", "f9 to nowhere", "unreadable"),
        (HUNT, "1", "place z9", "unknown_point"),  # before tigers_do_not_place
        (HERD, "2", "place b5", "hand_empty"),  # before occupied
        (HUNT, "1", "bouc b4", "tigers_do_not_place"),  # before no_bouc
        (NEW, "2", "bouc a5", "no_bouc"),  # before bouc_early and bouc_needs_goat
        (USED, "2", "bouc a5", "bouc_used"),  # before bouc_needs_goat
        (EARLY, "2", "bouc a5", "bouc_early"),
        (NEW, "2", "a5-e5", "still_placing"),  # before not_your_piece
        (HERD, "2", "a5-e5", "not_your_piece"),  # before occupied
        (HERD, "2", "b5-d5", "occupied"),  # before goats_do_not_jump
        (HERD, "2", "c4xc2", "goats_do_not_jump"),  # before no_capture
        (HERD, "2", "b1xc2", "no_line"),  # before no_capture
        (WENT, "2", "b4xb3", "no_capture"),  # before back_and_forth
        (EXTRA, "1", "a4-e4", "not_your_piece"),  # before alpha_only
        (EXTRA, "1", "e4-a5", "alpha_only"),  # before occupied
        (HUNT, "1", "a5xb4", "occupied"),  # before no_capture
        (HUNT, "1", "e5xc3", "nothing_to_jump"),
        (HUNT, "1", "a5xb3", "no_line"),
        (FLED, "1", "e1xd1", "no_capture"),  # before back_and_forth
    ],
)
def test_the_first_reason_that_applies_is_the_answer(line, seat, order, first):  # BAGH-6.3
    answer = GAME.read(GAME.from_position(line), seat, order)
    assert answer.code == first


def test_a_long_order_is_quoted_short():
    answer = GAME.read(GAME.from_position(NEW), "2", "x" * 5000)
    assert len(str(answer)) < 160
