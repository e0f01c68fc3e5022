"""Positions that no game can have: those of the document with one thing bent, and that thing is named (18.2)."""

from dataclasses import replace

import pytest

from engine import BadPosition
from engine.game import BrokenInvariant
from games.yuan import GAME
from games.yuan.notation import read
from games.yuan.pieces import settled
from games.yuan.position_checks import check, stage
from tests.games.yuan.board import drawn
from tests.games.yuan.vectors import of_kind

LINES = {vector["id"]: vector["line"] for vector in of_kind("position")}


def of_the_document():
    """A game while it is planned, its stages before, and its end."""
    return [read(LINES[f"N{number}"]).state for number in range(1, 8)]


def setup(state, **changes):
    return replace(state, opening=replace(state.opening, **changes))


def clan(state, place, **changes):
    clans = list(state.clans)
    clans[place] = clans[place]._replace(**changes)
    return replace(state, clans=tuple(clans))


def bent():
    """What is wrong, and where it is so. Made when it is asked for: nothing of the rules runs before the tests do."""
    plan, bids, tiles, cities, capital, later, over = of_the_document()
    return [
        ("winners belong to the end", replace(plan, winners=("1",))),
        ("winners belong to the end", replace(over, winners=None)),
        ("winners are listed once, ascending", replace(over, winners=("2", "1"))),
        ("winners are listed once, ascending", replace(over, winners=("1", "1"))),
        ("a winner is a seat that has not resigned, unlike 2", replace(over, gone=("2",), winners=("1", "2"))),
        ("the turn is 0 in the set-up", replace(plan, turn=0)),
        ("the turn is 0 in the set-up", replace(bids, turn=1)),
        ("the placing order is of no use any more", setup(bids, order=("1", "2", "3"))),
        ("no tiles are in hand any more", setup(cities, hands=(("1", ("M-A",)),))),
        ("no bidding is open", setup(cities, attempt=1)),
        ("no winner chooses a capital", setup(cities, won=("1", 3))),
        ("no seat has a clan yet", replace(cities, clans=bids.clans)),
        ("no capitals stand yet", setup(tiles, capitals=(("RA", "mu"),))),
        ("a seat is none of this game", replace(plan, gone=("9",))),
        ("a seat is none of this game", setup(cities, order=("3", "1", "4", "9"))),
        ("a seat is none of this game", setup(bids, bidders=("1", "4"))),
        ("a seat is none of this game", setup(capital, won=("4", 1))),
        ("a seat is none of this game", clan(plan, 0, seat="4")),
        ("seats are listed once, ascending", replace(later, gone=("5", "2"))),
        ("seats are listed once, ascending", setup(bids, bidders=("3", "1"))),
        ("seats are listed once, ascending", setup(tiles, hands=tiles.opening.hands[::-1])),
        ("with fewer than two seats left", replace(plan, gone=("1", "2"))),
        ("the placing order is not of all seats", setup(cities, order=("3", "1", "4"))),
        ("the placing order is not of all seats", setup(replace(tiles, phase="over", winners=()), order=())),
        ("the winner of the round is missing", setup(capital, won=None)),
        ("the placing order is not of all seats", setup(tiles, order=("2", "2"))),
        (
            "all capitals stand",
            setup(cities, capitals=(("RA", "mu"), ("HU", "suhey"), ("BAI", "weyu"), ("NE", "xiangi"))),
        ),
        ("somebody that has not resigned has to decide", replace(capital, gone=("3",))),
        ("the clans in play are not right", setup(bids, clans=("suhey", "mu", "xiangi"))),
        ("the clans in play are not right", setup(bids, clans=("mu", "suhey"))),
        ("the clans in play are not right", replace(plan, clans=plan.clans[:2])),
        ("a clan that is not in play has a seat", setup(bids, clans=("suhey", "weyu", "xiangi"))),
        ("the option names other clans", setup(tiles, clans=("mu", "xiangi"))),
        ("a seat has two clans", clan(plan, 1, seat="2")),
        (
            "the tiles of an imposed scenario are given",
            replace(cities, phase="tiles", opening=replace(cities.opening, capitals=())),
        ),
        ("a tile is missing, or there twice", setup(tiles, hands=(("1", ("M-E", "M-F")), tiles.opening.hands[1]))),
        ("dealt tiles all lie from the start", replace(tiles, options=replace(tiles.options, tile_setup="dealt"))),
        ("tiles in hand are listed by id", setup(tiles, hands=(("1", ("M-F", "M-E", "M-H")), tiles.opening.hands[1]))),
        (
            "seat 2 should hold 3 tiles",
            setup(tiles, hands=(("1", ("M-E", "M-F")), ("2", ("M-A", "M-D", "M-G", "M-H")))),
        ),
        ("lies unturned at 0,0", replace(tiles, tiles=(tiles.tiles[0]._replace(rot=1), tiles.tiles[1]))),
        ("lies unturned at 0,0", replace(tiles, tiles=(tiles.tiles[0]._replace(slot=(1, 0)), tiles.tiles[1]))),
        (
            "M-B lies beside no earlier tile",
            replace(tiles, tiles=(tiles.tiles[0], tiles.tiles[1]._replace(slot=(9, 9)))),
        ),
        ("nobody places capitals here", replace(cities, options=replace(cities.options, auction=True))),
        ("the i-th capital is of the i-th clan", setup(cities, capitals=(("RA", "suhey"), ("HU", "mu")))),
        ("a round has one to three attempts", setup(bids, attempt=4)),
        ("a seat that has a clan does not bid", setup(bids, bidders=("1", "2"))),
        ("at least two seats bid", setup(bids, bidders=("3",))),
        (
            "at the first attempt all seats without a clan bid",
            setup(replace(bids, clans=(), opening=replace(bids.opening, capitals=capital.opening.capitals)), attempt=1),
        ),
        (
            "the winner of the round has a clan already",
            setup(replace(bids, phase="capital"), attempt=0, bidders=(), won=("2", 1)),
        ),
        ("at most 6 chao are left", setup(capital, won=("3", 7))),
        (
            "there is no auction in this game",
            setup(replace(cities, phase="bids"), order=(), attempt=1, bidders=("1", "2", "3", "4")),
        ),
        ("with one capital left there is nothing to bid for", setup(bids, capitals=bids.opening.capitals[:1])),
        ("each clan in play is seated or has a capital", setup(bids, capitals=(("NE", "mu"), ("PO", "xiangi")))),
        ("mu holds its capital only", clan(bids, 0, armies=((1, 1),))),
        ("mu holds its capital only", clan(bids, 0, doubled=bids.clans[0].lands)),
        ("mu holds its capital only", clan(bids, 0, walled=bids.clans[0].lands)),
        ("mu holds its capital only", clan(bids, 0, cities=0)),
        ("mu holds its capital only", clan(bids, 0, lands=bids.clans[0].lands | 1, cities=bids.clans[0].lands | 1)),
        ("mu has more chao than the auction began with", clan(bids, 0, chao=7)),
        ("imposed capitals are those of the data", setup(bids, capitals=(("PO", "suhey"), ("NE", "xiangi")))),
        ("a capital is no province of this map", setup(cities, capitals=(("XX", "mu"), ("HU", "suhey")))),
        (
            "a province is held twice",
            clan(plan, 0, lands=plan.clans[0].lands | plan.clans[1].lands & -plan.clans[1].lands),
        ),
        ("a province is held twice", setup(cities, capitals=(("RA", "mu"), ("RA", "suhey")))),
        ("mu has more than 3 armies on a province", clan(plan, 0, armies=((plan.land.number["HAI"], 4),))),
        ("mu has more pieces on the map than there are", clan(plan, 0, armies=tuple((n, 3) for n in range(4)))),
        ("no temples stand before the map is complete", replace(tiles, temples=1)),
        ("in the set-up the temples stand on the hills", replace(cities, temples=0)),
        ("the temple of a hills province is missing", replace(plan, temples=0)),
        ("there are 18 temples", replace(plan, temples=plan.land.all)),
    ]


def test_what_cannot_be_is_named():  # YUAN-18.2
    for wrong, state in bent():
        with pytest.raises(BadPosition, match=wrong):
            check(state)


def test_what_can_be_is_let_pass():
    for state in of_the_document():
        check(state)
        GAME.check(state)


def test_a_game_that_ended_in_its_set_up_is_judged_by_the_stage_it_ended_in():
    plan, bids, tiles, cities, capital, _, _ = of_the_document()
    ended = {state.phase: replace(state, phase="over", winners=()) for state in (tiles, cities, bids, capital, plan)}
    assert {phase: stage(state) for phase, state in ended.items()} == {phase: phase for phase in ended}


@pytest.mark.parametrize(
    ("line", "piece", "by", "wrong"),
    [
        ("N1", ";ph=plan", ";view=7;ph=plan", "no pair|neither public nor a seat|is written"),
        ("N1", "ph=plan", "ph=war", "there is no phase war"),
        ("N1", "t=5;", "", "the key t is missing"),
        ("N1", "t=5;", "t=05;", "no number without leading zero"),
        ("N1", "mu=2 1 ", "mu=2;x=", "no pair of a known key"),
        ("N1", "mu=2 1 BAI:c HAI:v KHO:v KU:v LAI:c/s+2 LE:v LO:v", "mu=2", "mu=2 lacks its seat or chao"),
        ("N1", "HAI:v", "HAI", "'HAI' lacks its colon"),
        ("N1", "HAI:v", "HAI:v/w", "v/w are no pieces"),
        ("N1", "HAI:v", "XXX:v", "there is no province XXX"),
        ("N1", "filed=1:", "filed=4:", "seat 4 has no open decision"),
        ("N1", "filed=1:PLAN DAR D2 F2 M2", "filed=1:?", "an order is hidden in a full line"),
        ("N2", "filed=3:BID 4", "filed=3:RESIGN", "takes effect at once and is not filed"),
        ("N2", "filed=3:BID 4", "filed=3:BID 9", "BID 9"),
        ("N5", "won=3:1", "won=3", "'3' lacks its colon|won"),
        ("N5", "won=3:1;", "", "the winner of the round is missing"),
    ],
)
def test_what_cannot_be_read_is_named(line, piece, by, wrong):  # YUAN-18.1
    assert piece in LINES[line]
    with pytest.raises(BadPosition, match=wrong):
        read(LINES[line].replace(piece, by, 1))


def test_whose_eyes_a_line_is_for():  # YUAN-18.3
    for_two = str(read(LINES["N1"]).redacted("2"))
    assert read(for_two).view == "2"
    with pytest.raises(BadPosition, match="neither public nor a seat"):
        read(for_two.replace("view=2", "view=9"))
    with pytest.raises(BadPosition, match="hides the orders of other seats"):
        read(for_two.replace("1:?", "1:PLAN DAR D2 F2 M2"))
    with pytest.raises(BadPosition, match="or from its own seat"):
        read(for_two.replace("2:PLAN GAI F2 M1", "2:?"))
    with pytest.raises(BadPosition, match="a view, not as a state"):
        GAME.from_position(for_two)
    bare = LINES["N1"].partition(";to=")[0] + ";mu=2 1;weyu=1 1;xiangi=3 0"
    with pytest.raises(BadPosition, match="the temple of a hills province"):
        read(bare)  # two words are a clan without a province


def broken():
    return drawn("S4: DC=cc/w DD=v DE=c+1\nX9: EA=c")


def test_pieces_that_do_not_add_up_are_found():  # YUAN-1.9, YUAN-2.1, YUAN-2.8, YUAN-13.2
    state = broken()
    suhey, place = state.clans[0], state.land.number
    village, foreign = 1 << place["DD"], 1 << place["EA"]
    full = tuple((place[name], 3) for name in ("DC", "DD", "DE"))
    GAME.check(state)
    for wrong, changes in (
        ("holds a province that has an owner already", {"lands": suhey.lands | foreign}),
        ("has a negative stock", {"armies": (*full, (place["DE"], 1))}),
        ("has negative chao", {"chao": -1}),
        ("wall or doubling that is not on a city of its own", {"walled": village}),
        ("wall or doubling that is not on a city of its own", {"stone": village}),
        ("wall or doubling that is not on a city of its own", {"doubled": village}),
        ("wall or doubling that is not on a city of its own", {"cities": suhey.cities | foreign}),
        ("armies abroad, or more than 3", {"armies": ((place["EA"], 1),)}),
        ("armies abroad, or more than 3", {"armies": ((place["DD"], 4),)}),
        ("armies abroad, or more than 3", {"armies": ((place["DD"], 0),)}),
    ):
        with pytest.raises(BrokenInvariant, match=wrong):
            GAME.check(clan(state, 0, **changes))


def test_temples_and_provinces_that_are_none_are_found():
    state = broken()
    beyond = 1 << len(state.land.names)
    for bad in (replace(state, temples=beyond), clan(state, 0, lands=state.clans[0].lands | beyond)):
        with pytest.raises(BrokenInvariant, match="where no province is"):
            GAME.check(bad)
    with pytest.raises(BrokenInvariant, match="more temples than in the boxes"):
        GAME.check(replace(state, temples=state.land.all))


def test_villages_are_put_on_these_provinces_only():  # YUAN-2.3
    poor = broken().clans[1]._replace(lands=sum(1 << n for n in range(17)), cities=0)
    assert poor.village_stock == 1
    assert settled(poor, 1 << 20 | 1 << 30)[1] == 1 << 20
    assert settled(poor, 1 << 20 | 1 << 30, 1 << 30)[1] == 1 << 30
    assert settled(poor, 1 << 20, 1 << 30)[1] == 1 << 20
