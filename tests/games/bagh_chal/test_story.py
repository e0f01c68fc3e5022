"""Events: each cites the paragraph behind it, as the table of section 8 says, and goes through JSON and back."""

import pytest

from engine import Dice, Event
from tests.games.bagh_chal.drawing import GAME

S = "single:1:0-0-0:t1 100"


@pytest.mark.parametrize(
    ("line", "order", "told"),
    [
        (f"classic T3T/5/5/5/T3T g 20 0 off - {S}", "c3", "placed BAGH-4.1"),
        (f"classic Tg1gT/ggggg/g1g1g/gg1gg/Tg2T g 1 4 off - {S}", "c1", "placed BAGH-4.1, phase_two BAGH-5.1"),
        (f"classic T3T/5/2g2/5/T3T t 19 0 off - {S}", "a5-a4", "walked BAGH-4.3"),
        (f"classic A3T/5/2g2/5/T3T t 19 0 wait@a5 - {S}", "a5-a4", "walked BAGH-4.3"),
        (f"classic A3T/5/2g2/5/T3T t 19 0 wait@a5 - {S}", "e5-e4", "walked BAGH-4.3, extra_move BAGH-9.2"),
        (f"classic Agg1T/gg3/g1g2/5/T3T t 14 0 wait@a5 - {S}", "e5-e4", "walked BAGH-4.3, extra_void BAGH-9.4"),
        (f"classic A4/4T/2g2/5/T3T a 19 0 wait@a5 - {S}", "stay", "stayed BAGH-9.3"),
        (f"classic Tg1gT/ggggg/g1g1g/gg1gg/Tgg1T g 0 4 off - {S}", "c1-d1", "walked BAGH-5.2"),
        (f"pulijudam A/gg1Tgg/gbg1gg/2T1gg/g3 g 0 3 used@t5 - {S}", "b3-b2", "walked BAGH-5.2"),
        (f"classic T3T/1g3/5/5/T3T t 19 0 off - {S}", "a5xc3", "captured BAGH-4.4"),
        (f"classic A3T/1g3/5/5/T3T t 19 0 wait@a5 - {S}", "a5xc3", "captured BAGH-4.4"),
        (f"classic A3T/1g3/1b3/5/T3T t 16 2 used@a5 - {S}", "a5xc3", "captured BAGH-9.7"),
        (f"classic T3T/1g3/1b3/5/A3T t 16 2 used@a1 - {S}", "a5-c3", "leapt BAGH-9.7"),
        (f"classic T3T/1g3/5/5/A3T g 17 2 wait@a1 - {S}", "bouc b4", "bouc_entered BAGH-9.5"),
        (
            f"classic T3T/1b3/5/5/A3T t 17 2 used@a1 - {S}",
            "a5xc3",
            "captured BAGH-9.8, game_over BAGH-9.8, match_over BAGH-10.1",
        ),
        (
            f"classic TgggT/gg1gg/g1g1g/Tgggg/2ggT t 0 4 off a1-a2,b1-c1 {S}",
            "a2-a1",
            "retreat_allowed BAGH-5.4, walked BAGH-4.3",
        ),
        (
            f"classic ggggT/ggggg/ggggg/T1ggg/TTggg t 0 0 off - {S}",
            "a1-b2",
            "walked BAGH-4.3, goats_blocked BAGH-5.6",
        ),
        (
            "classic T3T/1g3/5/5/T3T t 15 4 off - three:1:0-0-0:t1 100",
            "a5xc3",
            "captured BAGH-4.4, game_over BAGH-7.1, roles BAGH-10.2, game_started BAGH-3.1",
        ),
        (
            "classic T3T/1g3/5/5/T3T t 15 4 off - three:2:0-1-0:t1 100",
            "a5xc3",
            "captured BAGH-4.4, game_over BAGH-7.1, roles BAGH-10.4, game_started BAGH-3.1",
        ),
        (
            "classic TgggT/gg1gg/g3g/gg1gg/TgggT g 4 0 off - three:2:1-0-0:t2 100",
            "c3",
            "placed BAGH-4.1, game_over BAGH-7.2, match_over BAGH-10.3",
        ),
        (
            "classic T3T/1g3/5/5/T3T t 15 4 off - three:3:1-1-0:t1 100",
            "a5xc3",
            "captured BAGH-4.4, game_over BAGH-7.1, match_over BAGH-10.5",
        ),
        (
            "classic T3T/1g3/5/5/T3T t 15 4 off - three:3:0-0-2:t1 100",
            "a5xc3",
            "captured BAGH-4.4, game_over BAGH-7.1, match_over BAGH-10.5",
        ),
    ],
)
def test_every_event_cites_its_paragraph(line, order, told):
    state = GAME.from_position(line)
    (seat,) = GAME.pending(state)
    events = GAME.resolve(state, {seat: GAME.read(state, seat, order)}, Dice(b"any")).events
    assert ", ".join(f"{event.kind} {event.rule}" for event in events) == told
    for event in events:
        assert Event.from_json(event.to_json()) == event
        assert event.seen_by("1") == event.seen_by("2") == event.seen_by(None) == event  # BAGH-1.1
