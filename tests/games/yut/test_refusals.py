"""Refusals: the first that applies, with its paragraph, facts and what would be legal (section 6)."""

import pytest

from tests.games.yut.table import menu, refused

BASE = "2 1 4,3 1 3/0/r4;3/0/r9 - - 6 -"
PLACING = "2 2 hurdle 0 4/0/-;4/0/- r10/r10/0 - 0 -"
SECOND = "2 1 hurdle 0 4/0/-;4/0/- - r4 0 -"
FULL = "2 1 3 0 0/1/r4x3;4/0/- - - 20 -"
FAVOURITE = "2f 1 3,1 1 0/0/r1,r4x2,r5;4/0/- - - 6 -"
WILD = "2 1 4,2 1 4/0/-;4/0/- r4/r10/0 - 6 -"


@pytest.mark.parametrize(
    ("line", "order", "code", "rule"),
    [
        ("2 1 - 0 0/4/-;3/0/r2 - - 40 finish:1>2", "nonsense", "over", "YUT-8.4"),
        (BASE, "nonsense", "unreadable", "YUT-3.1"),
        (PLACING, "9 z9", "hurdles-first", "YUT-12.1"),
        (BASE, "hurdle z9", "no-hurdle-now", "YUT-12.1"),
        (PLACING, "hurdle z9", "no-such-space", "YUT-1.3"),
        (SECOND, "hurdle r4", "hurdle-taken", "YUT-12.1"),
        (PLACING, "hurdle r10", "hurdle-on-wild", "YUT-12.1"),
        (BASE, "2 z9", "no-such-throw", "YUT-3.1"),  # the throw before the horse
        (FULL, "3 new", "none-waiting", "YUT-3.4"),
        (FULL, "3 new short", "none-waiting", "YUT-3.4"),
        (BASE, "3 z9 short", "no-such-space", "YUT-1.3"),
        (BASE, "3 r9", "no-horse", "YUT-3.1"),  # a rival's
        (BASE, "3 r9 short - z9", "no-horse", "YUT-3.1"),
        (FAVOURITE, "3 r5 short", "not-exact-five", "YUT-10.3"),
        (FAVOURITE, "3 r5 short - z9", "not-exact-five", "YUT-10.3"),
        (BASE, "3 r4 short", "no-shortcut", "YUT-4.2"),
        (BASE, "3 new short", "no-shortcut", "YUT-4.2"),
        (BASE, "3 r4 - z9", "no-such-space", "YUT-1.3"),
        (BASE, "3 r4 - r8", "wrong-landing", "YUT-3.1"),
        (BASE, "3 r4 - home", "wrong-landing", "YUT-3.1"),
        ("2 1 5,1 1 3/0/r15;4/0/- - r20+a1 10 -", "5 r15-home", "two-ways", "YUT-4.2"),
        (WILD, "4 new", "wild-horse", "YUT-11.3"),
        (WILD, "4 new - r4", "wild-horse", "YUT-11.3"),
        (WILD, "4 new - r5", "wrong-landing", "YUT-3.1"),  # the landing before the wild horse
        (FAVOURITE, "3 r1", "pile-full", "YUT-10.4"),
    ],
)
def test_the_first_that_applies(line, order, code, rule):
    refusal = refused(line, order, "orange" if code == "over" else None)
    assert (refusal.code, refusal.rule) == (code, rule)
    assert order in str(refusal)
    assert list(refusal.legal) == ([] if code == "over" else menu(line))


def test_a_seat_that_is_not_asked():  # YUT-1.5
    refusal = refused(BASE, "nonsense", "blue")
    assert (refusal.code, refusal.rule) == ("not-your-turn", "YUT-1.5")
    assert "It is the turn of orange" in str(refusal)


@pytest.mark.parametrize(
    ("line", "order", "words"),
    [
        (BASE, "2 new", "2 is not among your unused throws (YUT-3.1): 4, 3."),
        (BASE, "3 r5", "Your horses: 3 waiting; on the track: r4; 0 in the stable."),
        (FULL, "3 new", "Your horses: 0 waiting; on the track: r4 x3; 1 in the stable."),
        ("2 1 3 0 3/0/r5;4/0/- - - 4 -", "3 r5 - r9", "but here: 3 r5 - r8, 3 r5 short - o."),
        (FAVOURITE, "3 r5 short", "It may go on: 3 r5."),
        ("2 1 5,1 1 3/0/r15;4/0/- - r20+a1 10 -", "5 r15-home", "Write 5 r15 or 5 r15 short."),
        (WILD, "4 new", "Legal: 2 new."),
        (PLACING, "3 new", "Write for example hurdle r8."),
    ],
)
def test_a_message_says_what_would_be_legal(line, order, words):
    assert words in str(refused(line, order))


def test_what_was_written_is_quoted_within_limits():
    assert len(str(refused(BASE, "x" * 5000))) < 300
    assert "{order}" in str(refused(BASE, "{order} {0}"))
    assert "throw: 9, horse: r4" in str(refused(BASE, {"throw": "9", "horse": "r4"}))
