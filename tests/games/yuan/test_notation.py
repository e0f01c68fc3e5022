"""Position lines beyond the vectors: what is never written, what every line of random games must survive (YUAN-18)."""

import pytest

from engine import BadPosition, Dice
from games.yuan import GAME
from games.yuan.moves import RESIGN, Bid, LayTile, Plan, SetCity, TakeCapital
from games.yuan.notation import KEYS, Line, read
from tests.games.yuan.vectors import of_kind

N1 = of_kind("position")[0]["line"]
OVER = of_kind("position")[6]["line"]


def test_keys_stand_in_the_order_of_the_table():  # YUAN-18.1
    line = Line(GAME.from_position(N1))
    found = [pair.split("=")[0] for pair in str(line).split(";")]
    assert found == [key for key in KEYS if key in found]
    assert not {"need", "filed", "win", "gone", "view"} & set(found)


@pytest.mark.parametrize(
    ("piece", "by"),
    [
        ("BAI:c HAI", "BAI:c/w+1 HAI"),
        ("t=5", "t=16"),
        ("tem=AN DU", "tem=AN CHI DU"),
        ("mu=2 1", "mu=2 100"),
    ],
)
def test_other_positions_that_can_be_open(piece, by):  # YUAN-18.2
    changed = N1.split(";filed=")[0].replace(piece, by)
    assert GAME.position(GAME.from_position(changed)) == changed


@pytest.mark.parametrize(
    ("piece", "by"),
    [
        ("ph=plan", "ph=war"),
        ("ph=plan", "ph=over"),
        ("players:3", "players:three"),
        ("scenario:crossing", "scenario:crossing scenario:crossing"),
        ("GAI F2 M1", "GAI F2 M1 CROSS"),
        ("filed=1:", "filed=9:"),
        ("filed=1:PLAN DAR D2 F2 M2", "filed=1:plan DAR D2 F2 M2"),
        ("AN:v CHA:v", "AN:v+0 CHA:v"),
        ("PO:c", "PO:ccc"),
        ("xiangi=3 0", "xiangi=3"),
        ("mu=2 1", "mu=x 1"),
    ],
)
def test_lines_nobody_would_write(piece, by):  # YUAN-18.2
    assert piece in N1
    with pytest.raises(BadPosition):
        read(N1.replace(piece, by, 1))


def test_everyone_sees_who_has_filed_and_only_the_seat_what():  # YUAN-18.3
    line = read(N1)
    assert [seat for seat, move in line.redacted("2").filed.items() if move is None] == ["1"]
    assert set(line.redacted("public").filed.values()) == {None}
    views = {seat: GAME.view(line.state, seat) for seat in ("1", "2", "3", None)}
    assert len({view.position.split(";", 2)[2] for view in views.values()}) == 1  # nothing else is hidden
    assert views["2"].facts is views[None].facts


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Plan("HU", 2, 3, 1, True), "PLAN HU D2 F3 M1 CROSS"),
        (Plan("HU", mil=1), "PLAN HU M1"),
        (RESIGN, "RESIGN"),
        (SetCity("HU"), "CITY HU"),
        (Bid(3), "BID 3"),
        (TakeCapital("HU"), "CAPITAL HU"),
        (LayTile("M-C", (1, -1), 4), "TILE M-C 1,-1 R4"),
    ],
)
def test_canonical_short_texts(move, text):  # YUAN-18.4
    assert str(move) == text


def test_filed_orders_are_checked_and_left_to_the_host():  # YUAN-18.1
    assert GAME.position(GAME.from_position(N1)) == N1.split(";filed=")[0]
    assert {seat: str(move) for seat, move in read(N1).filed.items()} == {
        "1": "PLAN DAR D2 F2 M2",
        "2": "PLAN GAI F2 M1",
    }


def test_the_end_reads_back():
    state = GAME.from_position(OVER)
    assert GAME.pending(state) == ()
    assert GAME.decision(state) == "over"
    assert GAME.outcome(state).places[0] == ("1",)
    assert GAME.resolve(state, {}, Dice.script([])).state == state
