"""Victory, the last turn, resignation, outcome (YUAN-14)."""

from dataclasses import replace

import pytest

from engine import Dice, Refusal
from games.yuan import GAME
from games.yuan.moves import PASS, RESIGN, Bid
from games.yuan.notation import read
from tests.games.yuan.board import drawn, play, told
from tests.games.yuan.table import Table
from tests.games.yuan.vectors import of_kind


def winners(before: str, **facts) -> tuple[tuple[str, ...] | None, str]:
    """The clans that win when all pass, and the paragraph."""
    after, events = play(drawn(before, **facts))
    ended = [event for event in events if event.kind.startswith("victory")]
    return (tuple(ended[0].facts["clans"]), ended[0].rule) if ended else (after.winners, "YUAN-14.4")


def test_one_clan_qualifies():  # YUAN-14.1
    found = winners("S0: AA=c AB=v\nX0: GA=c", temples="AA AB GA", need=2)
    assert found == (("suhey",), "YUAN-14.1")


@pytest.mark.parametrize(
    ("suhey", "xiangi", "best"),
    [
        ("S0: AA=c AB=v", "X9: GA=c+3", ("suhey",)),  # more temples
        ("S0: AA=c BA=v", "X9: GA=c+3", ("suhey",)),  # then mines
        ("S0: AA=c", "X1: GA=c", ("xiangi",)),  # then chao
        ("S0: AA=c+1", "X0: GA=c", ("suhey",)),  # then armies
    ],
)
def test_several_qualify(suhey, xiangi, best):  # YUAN-14.2
    assert winners(f"{suhey}\n{xiangi}", temples="AA AB GA", terrain="BA=M", need=1) == (best, "YUAN-14.2")


def test_still_equal_clans_win_together():  # YUAN-14.3
    assert winners("S1: AA=c\nX1: GA=c", temples="AA GA", need=1) == (("suhey", "xiangi"), "YUAN-14.3")


def test_nobody_qualifies_and_the_next_turn_starts():  # YUAN-14.4
    assert winners("S1: AA=c\nX1: GA=c", temples="AA GA", need=2) == (None, "YUAN-14.4")


def test_the_last_turn_ends_the_game():  # YUAN-14.5
    last = {"need": 9, "turn": 16, "last": True}
    assert winners("S1: AA=c\nX9: GA=c", temples="AA", **last) == (("suhey",), "YUAN-14.5")
    assert winners("S1: AA=c\nX9: GA=c", temples="AA GA", **last) == (("xiangi",), "YUAN-14.5")
    assert winners("S1: AA=c\nX1: GA=c", temples="AA GA", **last) == (("suhey", "xiangi"), "YUAN-14.5")
    assert winners("M0: AA=c\nX9: GA=c", temples="AA GA", options=["powers"], **last) == (("mu",), "YUAN-14.5")


# --- YUAN-14.6 ----------------------------------------------------------------------------------------------------

THREE = "S4: AA=c\nW4: GA=c\nX4: GD=c"


def test_a_resignation_is_filed_while_planning_and_taken_back_by_a_plan():  # YUAN-14.6
    state = drawn(THREE)
    assert GAME.resignation(state, "1") == RESIGN
    assert GAME.read(state, "1", {"do": "resign"}) == RESIGN
    assert not GAME.at_once(state, "1", RESIGN)
    assert RESIGN not in GAME.moves(state, "1")
    table = Table(state, Dice.script([]))
    table.file("1", "resign")
    table.file("1", "AA F1")
    table.close()
    assert table.state.gone == ()


def test_a_resigned_clan_passes_for_ever_and_cannot_win():  # YUAN-14.6
    state = drawn(THREE, temples="AA", need=1)
    table = Table(state, Dice.script([]))
    table.file("1", "RESIGN")
    table.close()
    assert table.state.gone == ("1",)
    assert table.state.winners is None  # left out of 14.1
    assert GAME.pending(table.state) == ("2", "3")
    assert table.state.clans[0].chao == 10  # the pass income
    assert {"clan": "suhey"} not in told(table.events, "plan_defaulted")
    assert table.file("1", "PASS") == "Y-SEAT"
    assert table.file("1", "RESIGN") is None  # changes nothing
    assert table.state.turn == 2


def test_the_last_seat_wins_at_once_and_the_turn_is_not_resolved():  # YUAN-14.6
    state = drawn("S4: AA=c\nX4: GD=c")
    after, events = GAME.resolve(state, {"1": RESIGN, "2": GAME.read(state, "2", "GD F2")}, Dice.script([]))
    assert (after.phase, after.winners, after.turn) == ("over", ("2",), 1)
    assert after.clans == state.clans
    assert [event.kind for event in events] == ["plan_revealed", "plan_revealed", "resigned", "victory"]
    refusal = GAME.read(after, "2", "RESIGN")
    assert isinstance(refusal, Refusal)
    assert str(refusal) == "The game is over."
    assert GAME.resignation(after, "2") is None


def test_a_resignation_in_the_set_up_is_taken_at_once_even_out_of_turn():  # YUAN-14.6
    draws = Dice(b"resign")
    state, _ = GAME.setup(GAME.Options(players=3), draws)
    first, second, _ = state.setup.order
    table = Table(state, draws)
    assert table.file(second, "RESIGN") is None
    assert table.state.gone == (second,)
    assert table.events[-1].kind == "resigned"
    table.close()  # the first seat is silent; the second is not asked at all
    laid = [event.facts for event in table.events if event.kind == "tile_placed"]
    assert [(fact["seat"], fact["defaulted"]) for fact in laid] == [(first, True), (second, True)]
    while table.state.phase != "plan":
        table.close()
    assert table.state.clan_of(second) is not None  # its clan stays
    assert second not in GAME.pending(table.state)


def test_all_bidders_gone_still_ends_the_round():  # YUAN-14.6
    line = (
        "yuan=house-1;opt=players:4 scenario:river_control auction;ph=bids;t=0;to=1 3;clans=mu suhey weyu xiangi;"
        "cap=NE:suhey PO:xiangi;try=1 1 3;tem=AN BO DU GAI HE KE ME NI SO TO WA XO;mu=2 2 BAI:c;weyu=4 6 HU:c"
    )
    table = Table(GAME.from_position(line), Dice.script([(2, 1)]))
    table.file("1", "RESIGN")
    assert table.state.phase == "bids"
    table.file("3", "RESIGN")
    assert table.state.phase == "plan"
    assert {clan.seat: clan.id for clan in table.state.clans}["3"] == "suhey"
    bids = [event.facts["bids"] for event in table.events if event.kind == "bids_opened"]
    assert bids == [{"1": 0, "3": 0}] * 3


def test_a_clan_without_provinces_plays_on():  # YUAN-14.6
    state = drawn("S7:\nX4: GD=c")
    moves = list(GAME.moves(state, "1"))
    assert PASS in moves
    assert {move.dev for move in moves if move != PASS} == {3}


def test_what_stands_in_a_full_queue_of_bids_is_void():  # YUAN-14.6
    state = GAME.from_position(
        "yuan=house-1;opt=players:3 scenario:crossing auction;ph=bids;t=0;to=1 2 3;clans=mu suhey weyu;"
        "cap=BAI:mu NE:suhey PO:weyu;try=1 1 2 3;tem=AN DU GAI HE KE ME NI SO TO WA"
    )
    after, _ = GAME.resolve(state, {"2": RESIGN}, Dice.script([]))
    _, events = GAME.resolve(after, {"1": Bid(2), "3": Bid(1)}, Dice.script([]))
    assert events[0].facts["bids"] == {"1": 2, "2": 0, "3": 1}


# --- YUAN-14.7 ----------------------------------------------------------------------------------------------------


def test_the_ranking():  # YUAN-14.7
    state = drawn("M1: AA=c\nS1: AB=c\nW1: AC=c AD=v\nX0: GA=c\nH0: GB=c", temples="AC AD GA GB AB", need=2)
    after, _ = GAME.resolve(state, {"4": RESIGN}, Dice.script([]))
    outcome = GAME.outcome(after)
    # Weyu has two temples and wins; then Suhey and Shanyin with one each, Suhey with more chao; Mu; the resigned last.
    assert outcome.places == (("3",), ("2",), ("5",), ("1",), ("4",))
    assert dict(outcome.scores) == {"1": 0, "2": 1, "3": 2, "4": 1, "5": 1}
    assert outcome.rule == "YUAN-14.1"
    assert GAME.outcome(state) is None


def test_a_stranger_cannot_resign():  # YUAN-14.6
    for state in (drawn(THREE), GAME.setup(GAME.Options(players=3), Dice(b"stranger"))[0]):
        refusal = GAME.read(state, "8", "RESIGN")
        assert isinstance(refusal, Refusal)
        assert refusal.code == "Y-SEAT"


def test_in_a_game_that_ended_in_its_set_up_a_seat_with_a_clan_stands_before_one_without():  # YUAN-14.6, YUAN-14.7
    bids = read(next(vector["line"] for vector in of_kind("position") if vector["id"] == "N2")).state
    ended = replace(bids, phase="over", winners=("1",))
    assert GAME.outcome(ended).places == (("1",), ("2",), ("3",))
    assert GAME.outcome(replace(ended, gone=("2",))).places == (("1",), ("3",), ("2",))
