"""Events: each cites the paragraph behind it, as the table of section 8 says, and goes through JSON and back."""

import pytest

from engine import Dice, Event
from games.hasami_shogi import GAME
from tests.games.hasami_shogi.story import lines


@pytest.mark.parametrize(
    ("line", "order", "told"),
    [
        (
            "base ppppppppp/ppppppppp/9/9/9/9/9/PPPPPPPPP/PPPPPPPPP g - g1 100",
            "e2-e5",
            "moved HASAMI-4.2, left_camp HASAMI-4.5",
        ),
        ("base 4ppppp/9/9/9/9/Pp7/9/9/PPPPP4 g - g1 100", "a4-c4", "jumped HASAMI-4.3"),
        ("base 4ppppp/9/9/9/9/2p6/1S7/9/PPPPP4 g - g1 100", "b3-d5", "jumped HASAMI-9.2"),
        ("base 4ppppp/9/9/9/9/2p6/1S7/9/PPPPP4 g - g1 100", "b3-b4", "moved HASAMI-9.2"),
        ("base 4ppppp/9/9/9/1Pp6/9/9/3P5/PPPPP4 g - g1 100", "d2-d5",
         "moved HASAMI-4.2, left_camp HASAMI-4.5, captured HASAMI-5.1"),
        ("war 2pp3Pp/2P6/9/9/9/9/9/9/P8 g - g1 100", "c8-i8", "moved HASAMI-4.2, captured HASAMI-8.3"),
        ("war 2pp4P/2P5p/8P/9/9/9/9/9/P8 g - g1 100", "c8-h8", "moved HASAMI-4.2"),
        ("base 9/9/ppPP2PPp/ppPP4P/PP2P4/PP7/9/9/9 g - g1 100", "e5-i5", "moved HASAMI-4.2, blocked HASAMI-7.6"),
        ("base 4pppp1/9/9/9/1Pp6/9/9/3P5/PPPP5 g - g1 100", "d2-d5",
         "moved HASAMI-4.2, left_camp HASAMI-4.5, captured HASAMI-5.1, game_over HASAMI-7.2"),
    ],
)  # fmt: skip
def test_paragraphs(line, order, told):
    state = GAME.from_position(line)
    (seat,) = GAME.pending(state)
    events = GAME.resolve(state, {seat: GAME.read(state, seat, order)}, Dice()).events
    assert ", ".join(f"{event.kind} {event.rule}" for event in events) == told
    for event in events:
        assert Event.from_json(event.to_json()) == event
        assert event.seen_by("1") == event.seen_by(None) == event


def test_a_corner_and_a_line_are_one_event():  # HASAMI-5.2, HASAMI-8.3
    state = GAME.from_position("war 6ppp/7P1/9/9/1P7/9/9/P8/p1pP5 g - g1 100")
    events = GAME.resolve(state, {"1": GAME.read(state, "1", "b5-b1")}, Dice()).events
    assert lines(events) == ["moved samurai b5 b1", "captured a1,c1 6"]
