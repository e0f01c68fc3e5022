"""Positions that no game can have: those of the document with one thing bent, and that thing is named (18.2)."""

from dataclasses import replace

import pytest

from engine import BadPosition
from engine.game import BrokenInvariant
from games.yuan import GAME
from games.yuan.notation import read
from games.yuan.options import Options
from games.yuan.pieces import settled
from games.yuan.position_checks import check, stage
from tests.games.yuan.board import drawn
from tests.games.yuan.vectors import of_kind

LINES = {vector["id"]: vector["line"] for vector in of_kind("position")}
STATES = {name: read(line).state for name, line in LINES.items()}
PLAN, BIDS, TILES, CITIES, CAPITAL, LATER, OVER = (STATES[f"N{n}"] for n in range(1, 8))
DEALT = Options(players=2, tile_setup="dealt")


def setup(state, **changes):
    return replace(state, opening=replace(state.opening, **changes))


def clan(state, place, **changes):
    clans = list(state.clans)
    clans[place] = clans[place]._replace(**changes)
    return replace(state, clans=tuple(clans))


BENT = [
    ("winners belong to the end", replace(PLAN, winners=("1",))),
    ("winners belong to the end", replace(OVER, winners=None)),
    ("winners are listed once, ascending", replace(OVER, winners=("2", "1"))),
    ("winners are listed once, ascending", replace(OVER, winners=("1", "1"))),
    ("a winner is a seat that has not resigned, unlike 2", replace(OVER, gone=("2",), winners=("1", "2"))),
    ("the turn is 0 in the set-up", replace(PLAN, turn=0)),
    ("the turn is 0 in the set-up", replace(BIDS, turn=1)),
    ("the placing order is of no use any more", setup(BIDS, order=("1", "2", "3"))),
    ("no tiles are in hand any more", setup(CITIES, hands=(("1", ("M-A",)),))),
    ("no bidding is open", setup(CITIES, attempt=1)),
    ("no winner chooses a capital", setup(CITIES, won=("1", 3))),
    ("no seat has a clan yet", replace(CITIES, clans=BIDS.clans)),
    ("no capitals stand yet", setup(TILES, capitals=(("RA", "mu"),))),
    ("a seat is none of this game", replace(PLAN, gone=("9",))),
    ("a seat is none of this game", setup(CITIES, order=("3", "1", "4", "9"))),
    ("a seat is none of this game", setup(BIDS, bidders=("1", "4"))),
    ("a seat is none of this game", setup(CAPITAL, won=("4", 1))),
    ("a seat is none of this game", clan(PLAN, 0, seat="4")),
    ("seats are listed once, ascending", replace(LATER, gone=("5", "2"))),
    ("seats are listed once, ascending", setup(BIDS, bidders=("3", "1"))),
    ("seats are listed once, ascending", setup(TILES, hands=TILES.opening.hands[::-1])),
    ("with fewer than two seats left", replace(PLAN, gone=("1", "2"))),
    ("the placing order is not of all seats", setup(CITIES, order=("3", "1", "4"))),
    ("the placing order is not of all seats", setup(TILES, order=("2", "2"))),
    ("all capitals stand", setup(CITIES, capitals=(("RA", "mu"), ("HU", "suhey"), ("BAI", "weyu"), ("NE", "xiangi")))),
    ("somebody that has not resigned has to decide", replace(CAPITAL, gone=("3",))),
    ("the clans in play are not right", setup(BIDS, clans=("suhey", "mu", "xiangi"))),
    ("the clans in play are not right", setup(BIDS, clans=("mu", "suhey"))),
    ("the clans in play are not right", replace(PLAN, clans=PLAN.clans[:2])),
    ("a clan that is not in play has a seat", setup(BIDS, clans=("suhey", "weyu", "xiangi"))),
    ("the option names other clans", setup(TILES, clans=("mu", "xiangi"))),
    ("a seat has two clans", clan(PLAN, 1, seat="2")),
    (
        "the tiles of an imposed scenario are given",
        replace(CITIES, phase="tiles", opening=replace(CITIES.opening, capitals=())),
    ),
    ("a tile is missing, or there twice", setup(TILES, hands=(("1", ("M-E", "M-F")), TILES.opening.hands[1]))),
    ("dealt tiles all lie from the start", replace(TILES, options=replace(TILES.options, tile_setup="dealt"))),
    ("tiles in hand are listed by id", setup(TILES, hands=(("1", ("M-F", "M-E", "M-H")), TILES.opening.hands[1]))),
    ("seat 2 should hold 3 tiles", setup(TILES, hands=(("1", ("M-E", "M-F")), ("2", ("M-A", "M-D", "M-G", "M-H"))))),
    ("lies unturned at 0,0", replace(TILES, tiles=(TILES.tiles[0]._replace(rot=1), TILES.tiles[1]))),
    ("lies unturned at 0,0", replace(TILES, tiles=(TILES.tiles[0]._replace(slot=(1, 0)), TILES.tiles[1]))),
    ("M-B lies beside no earlier tile", replace(TILES, tiles=(TILES.tiles[0], TILES.tiles[1]._replace(slot=(9, 9))))),
    ("nobody places capitals here", replace(CITIES, options=replace(CITIES.options, auction=True))),
    ("the i-th capital is of the i-th clan", setup(CITIES, capitals=(("RA", "suhey"), ("HU", "mu")))),
    ("a round has one to three attempts", setup(BIDS, attempt=4)),
    ("a seat that has a clan does not bid", setup(BIDS, bidders=("1", "2"))),
    ("at least two seats bid", setup(BIDS, bidders=("3",))),
    (
        "at the first attempt all seats without a clan bid",
        setup(replace(BIDS, clans=(), opening=replace(BIDS.opening, capitals=CAPITAL.opening.capitals)), attempt=1),
    ),
    (
        "the winner of the round has a clan already",
        setup(replace(BIDS, phase="capital"), attempt=0, bidders=(), won=("2", 1)),
    ),
    ("at most 6 chao are left", setup(CAPITAL, won=("3", 7))),
    (
        "there is no auction in this game",
        setup(replace(CITIES, phase="bids"), order=(), attempt=1, bidders=("1", "2", "3", "4")),
    ),
    ("with one capital left there is nothing to bid for", setup(BIDS, capitals=BIDS.opening.capitals[:1])),
    ("each clan in play is seated or has a capital", setup(BIDS, capitals=(("NE", "mu"), ("PO", "xiangi")))),
    ("mu holds its capital only", clan(BIDS, 0, armies=((1, 1),))),
    ("mu holds its capital only", clan(BIDS, 0, doubled=BIDS.clans[0].lands)),
    ("mu holds its capital only", clan(BIDS, 0, walled=BIDS.clans[0].lands)),
    ("mu holds its capital only", clan(BIDS, 0, cities=0)),
    ("mu holds its capital only", clan(BIDS, 0, lands=BIDS.clans[0].lands | 1, cities=BIDS.clans[0].lands | 1)),
    ("mu has more chao than the auction began with", clan(BIDS, 0, chao=7)),
    ("imposed capitals are those of the data", setup(BIDS, capitals=(("PO", "suhey"), ("NE", "xiangi")))),
    ("a capital is no province of this map", setup(CITIES, capitals=(("XX", "mu"), ("HU", "suhey")))),
    ("a province is held twice", clan(PLAN, 0, lands=PLAN.clans[0].lands | PLAN.clans[1].lands & -PLAN.clans[1].lands)),
    ("a province is held twice", setup(CITIES, capitals=(("RA", "mu"), ("RA", "suhey")))),
    ("mu has more than 3 armies on a province", clan(PLAN, 0, armies=((PLAN.land.number["HAI"], 4),))),
    ("mu has more pieces on the map than there are", clan(PLAN, 0, armies=tuple((n, 3) for n in range(4)))),
    ("no temples stand before the map is complete", replace(TILES, temples=1)),
    ("in the set-up the temples stand on the hills", replace(CITIES, temples=0)),
    ("the temple of a hills province is missing", replace(PLAN, temples=0)),
    ("there are 18 temples", replace(PLAN, temples=PLAN.land.all)),
]


@pytest.mark.parametrize(("wrong", "state"), BENT, ids=[f"{number}: {wrong}" for number, (wrong, _) in enumerate(BENT)])
def test_what_cannot_be_is_named(wrong, state):  # YUAN-18.2
    with pytest.raises(BadPosition, match=wrong):
        check(state)


@pytest.mark.parametrize("name", STATES)
def test_what_can_be_is_let_pass(name):
    check(STATES[name])
    GAME.check(STATES[name])


def test_a_game_that_ended_in_its_set_up_is_judged_by_the_stage_it_ended_in():
    ended = {state.phase: replace(state, phase="over", winners=()) for state in (TILES, CITIES, BIDS, CAPITAL, PLAN)}
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


BROKEN = drawn("S4: DC=cc/w DD=v DE=c+1\nX9: EA=c")
PLACE = BROKEN.land.number
DC, DD, EA = (1 << PLACE[name] for name in ("DC", "DD", "EA"))


@pytest.mark.parametrize(
    ("wrong", "changes"),
    [
        ("holds a province that has an owner already", {"lands": BROKEN.clans[0].lands | EA}),
        (
            "has a negative stock",
            {"armies": tuple((PLACE[name], 3) for name in ("DC", "DD", "DE")) + ((PLACE["DE"], 1),)},
        ),
        ("has negative chao", {"chao": -1}),
        ("wall or doubling that is not on a city of its own", {"walled": DD}),
        ("wall or doubling that is not on a city of its own", {"stone": DD}),
        ("wall or doubling that is not on a city of its own", {"doubled": DD}),
        ("wall or doubling that is not on a city of its own", {"cities": BROKEN.clans[0].cities | EA}),
        ("armies abroad, or more than 3", {"armies": ((PLACE["EA"], 1),)}),
        ("armies abroad, or more than 3", {"armies": ((PLACE["DD"], 4),)}),
        ("armies abroad, or more than 3", {"armies": ((PLACE["DD"], 0),)}),
    ],
)
def test_pieces_that_do_not_add_up_are_found(wrong, changes):  # YUAN-1.9, YUAN-2.1, YUAN-2.8, YUAN-13.2
    GAME.check(BROKEN)
    with pytest.raises(BrokenInvariant, match=wrong):
        GAME.check(clan(BROKEN, 0, **changes))


def test_temples_and_provinces_that_are_none_are_found():
    beyond = 1 << len(BROKEN.land.names)
    for state in (replace(BROKEN, temples=beyond), clan(BROKEN, 0, lands=BROKEN.clans[0].lands | beyond)):
        with pytest.raises(BrokenInvariant, match="where no province is"):
            GAME.check(state)
    with pytest.raises(BrokenInvariant, match="more temples than in the boxes"):
        GAME.check(replace(BROKEN, temples=BROKEN.land.all))


def test_villages_are_put_on_these_provinces_only():  # YUAN-2.3
    poor = BROKEN.clans[1]._replace(lands=sum(1 << n for n in range(17)), cities=0)
    assert poor.village_stock == 1
    assert settled(poor, 1 << 20 | 1 << 30)[1] == 1 << 20
    assert settled(poor, 1 << 20 | 1 << 30, 1 << 30)[1] == 1 << 30
    assert settled(poor, 1 << 20, 1 << 30)[1] == 1 << 20
