"""Refusals: the first reason that applies, in words, with what would be legal (section 6.4 of the rules)."""

from __future__ import annotations

import pytest

from games.conquest import GAME
from tests.games.conquest.builders import legal, play, position, refused

FIGURE = "sd5=Ss sd6=Wc sd7=We(s) sc6=Ss sb6=Wk"


@pytest.mark.parametrize(
    ("units", "order", "rule", "code", "said"),
    [
        ("wd6=Wk", "k wd6-wd7", "CONQ-4.1", "not_yours", "No piece of yours stands on wd6 (west's knight does)."),
        ("", "k wd6-wd7", "CONQ-4.1", "not_yours", "No piece of yours stands on wd6: it is empty."),
        ("sd6=Se(ss)", "k sd6-sd7", "CONQ-2.2", "no_such_piece", "sd6 holds e(ss): you can name e, s."),
        ("sd6=Sk", "k sd6-sd6", "CONQ-5.1", "same_cell", "From and to are the same cell."),
        ("sp5=Sg", "g sp5-sa3", "CONQ-7.1", "wrong_element", "A galleon stays on the water; sa3 is land."),
        ("sa3=Sk", "k sa3-si1", "CONQ-7.1", "wrong_element", "This knight stays on land; si1 is sea."),
        ("sa3=Se", "e sa3-si1", "CONQ-7.1", "wrong_element", "This elephant stays on land; si1 is sea."),
        ("sa3=Sk", "k sa3-sp5", "CONQ-7.3", "no_vessel", "sp5 is a port without a ship of yours."),
        ("sv3=Sc", "c sv3-g2", "CONQ-5.6", "grail", "Only knights and soldiers enter g2."),
        ("si1=Sg(s)", "s si1-sa3", "CONQ-7.3", "at_sea", "si1 is no port: nobody leaves the ship there."),
        (
            "sd6=Se sd7=Ss",
            "e sd6-sd7",
            "CONQ-6.2",
            "no_pick_up",
            "The soldier must come to the elephant: `s sd7-sd6`.",
        ),
        ("sa3=Ss sp5=Sg(k)", "s sa3-sp5", "CONQ-7.2", "hold", "The galleon carries k and takes nobody else."),
        ("sa3=Sc sp5=Sg(s)", "c sa3-sp5", "CONQ-7.2", "hold", "The galleon carries s and takes nobody else."),
        ("sd6=Sc sd7=Sk", "c sd6-sd7", "CONQ-2.1", "occupied", "Your knight stands on sd7."),
        ("so3=Sv so4=Sv", "v so3-so4", "CONQ-2.1", "occupied", "Your ship stands on so4."),
        ("sd6=Sk sd7=Sk3", "k sd6-sd7", "CONQ-2.1", "occupied", "Your knight stands on sd7."),
        ("sd6=Se1(s) sd7=Se(s1)", "e sd6-sd7", "CONQ-2.1", "occupied", "Your elephant stands on sd7."),
        ("sd6=Ss sd7=We", "s sd6-sd7", "CONQ-8.2", "cannot_take", "A soldier cannot take a unit with an elephant."),
        ("sb11=Se", "e sb11-eb1", "CONQ-5.5", "x_bridge", "Elephants do not cross the X bridges."),
        (
            "sv3=Sc",
            "c sv3-sv2",
            "CONQ-5.4",
            "v_down",
            "Elephants and chariots climb the V cells and never come down.",
        ),
        (
            "sd6=Se(s) sd7=Se",
            "s sd6-sd7",
            "CONQ-6.4",
            "direct_change",
            "No step from carrier to carrier: there must be a cell between.",
        ),
        ("sd6=Ss", "s sd6-sd9", "CONQ-4.4", "piece_limit", "The way costs 3, the soldier has 2 left."),
        ("wb11=Se", "e wb11-sb3", "CONQ-4.4", "piece_limit", "The way costs 15, the elephant has 6 left."),
        (
            "wr0=Ws sv1=Se",
            "e sv1-sr0",
            "CONQ-5.4",
            "v_down",
            "Elephants and chariots climb the V cells and never come down.",
        ),
        (
            "sd1=Ss se1=Se se2=Sk sf1=Sk",
            "e se1-se3",
            "CONQ-5.2",
            "blocked",
            "Every way from se1 to se3 is blocked.",
        ),
    ],
)
def test_a_move_is_refused_in_words(units, order, rule, code, said):
    refusal = refused(position(units), order)
    assert (refusal.rule, refusal.code, str(refusal)) == (rule, code, said)


def test_points_that_are_spent():  # CONQ-4.7
    refusal = refused(position("sd6=Sc", turn="2:s:s:19:0"), "c sd6-sd8")
    assert (refusal.rule, str(refusal)) == ("CONQ-4.7", "The way costs 2, you have 1 left.")
    assert refusal.legal == ("c sd6-sc6", "c sd6-sd5", "c sd6-sd7", "c sd6-se6")


def test_what_is_within_reach_is_offered():  # CONQ-4.4
    refusal = refused(position("sd6=Ss1"), "s sd6-sd8")
    assert refusal.legal == ("s sd6-sc6", "s sd6-sd5", "s sd6-sd7", "s sd6-se6")
    assert refused(position("sd6=Sk6"), "k sd6-sd7").legal == ("end",)


def test_what_is_offered_where_every_way_is_blocked_is_within_reach():  # CONQ-4.4, CONQ-5.2
    refusal = refused(position("sd1=Ss se2=Ss se3=Se5 sf1=Ss"), "e se3-se1")
    assert (refusal.code, refusal.legal) == ("blocked", ("e se3-sd3", "e se3-se4", "e se3-sf3"))


def test_no_way_at_all_but_for_one_rule():  # CONQ-5.4, CONQ-5.5, CONQ-6.4
    walled = "sa6=Ws sr0=Wk wb11=Wk"  # south's bridges are held: an elephant gets out over X alone
    assert refused(position(f"{walled} sd6=Se"), "e sd6-ed6").code == "x_bridge"
    assert refused(position("sv2=Se sv3=Wk"), "e sv2-sd6").code == "v_down"
    penned = "sa2=Se(s) sa3=Se sb2=Se"
    assert refused(position(penned), "s sa2-sa4").code == "direct_change"
    assert refused(position("sb11=Se sb10=Wk sa10=Wk sc11=Wk"), "e sb11-ed6").code == "x_bridge"
    assert refused(position("sv2=Se sv3=Wk wd6=Ws"), "e sv2-ed6").rule == "CONQ-5.4"


def test_an_ally_is_never_taken():  # CONQ-14.2
    refusal = refused(position("sd6=Sk sd7=Ns", opts="alliance4:exchange:all:12"), "k sd6-sd7")
    assert (refusal.code, str(refusal)) == ("ally", "That is your partner: north.")


def test_a_second_risk():  # CONQ-13.3
    parked = "wg5=Ws wg6=Ws wg7=Ws ng5=Ns ng6=Ns ng7=Ns eg5=Es eg6=Es eg7=Es"
    state, _ = play(position("sb3=Ss sb5=Sk sb6=Ws sb7=Wk sb8=Wk", parked=parked), "k sb5-sb6", "decline")
    refusal = refused(state, "k sb6-sb7")
    assert (refusal.rule, refusal.code) == ("CONQ-13.3", "vulnerable")
    assert "k sb6-sb7" not in [str(move) for move in GAME.moves(state, "s")]
    offered = refused(state, "k sb6-wb6").legal  # too far for one piece in one turn
    assert offered
    assert set(offered) <= set(legal(state))


@pytest.mark.parametrize(
    ("order", "rule", "code", "said"),
    [
        ("s sd6-sc6", "CONQ-18.2", "answer_expected", "You are asked for an answer to the loss on sd6: `decline` or "),
        ("end", "CONQ-18.2", "answer_expected", "You are asked for an answer to the loss on sd6: `decline` or "),
        ("counter e sd77", "CONQ-1.1", "unknown_cell", "There is no cell sd77; row sd runs from sd1 to sd11."),
        ("counter s sc6", "CONQ-9.1", "not_yours", "No piece of yours stands on sc6 (south's soldier does)."),
        ("counter k sd7", "CONQ-2.2", "no_such_piece", "sd7 holds e(s): you can name e, s."),
        ("counter t sd7", "CONQ-2.2", "no_such_piece", "sd7 holds e(s): you can name e, s."),
        (
            "counter e sd7 drop s sc6",
            "CONQ-9.6",
            "bad_drop",
            "These pieces cannot be set down there. Each makes one step to an empty cell: s sc7 sd8 se7.",
        ),
        ("counter e sd7 drop k sc7", "CONQ-9.6", "bad_drop", "These pieces cannot be set down there."),
        ("counter k sb6 drop s sb7", "CONQ-9.6", "bad_drop", "The knight on sb6 carries nothing."),
        ("counter k sb6", "CONQ-9.2", "out_of_reach", "No way of one or two cells leads from sb6 to sd6."),
    ],
)
def test_an_answer_is_refused_in_words(order, rule, code, said):
    state, _ = play(position(FIGURE), "s sd5-sd6")
    refusal = refused(state, order)
    assert (refusal.rule, refusal.code) == (rule, code)
    assert str(refusal).startswith(said)
    if code in ("answer_expected", "out_of_reach"):
        assert refusal.legal[:2] == ("decline", "counter e sd7")


def test_a_vessel_does_not_answer_on_land():  # CONQ-7.6
    state, _ = play(position("wa3=Ws wb3=Sk wp5=Wg(k)"), "k wb3-wa3")
    refusal = refused(state, "counter g wp5")
    assert (refusal.rule, str(refusal)) == ("CONQ-7.6", "A galleon takes only vessels.")


def test_a_nailed_partner_does_not_answer():  # CONQ-14.4, CONQ-10.5
    units = "sb5=Sk sb6=Ws sb7=Ek sb4=Wk ec4=Ss ec8=Ss ed6=Ss ee4=Ns ee8=Ns"
    state, _ = play(position(units, opts="alliance4:exchange:all:12"), "k sb5-sb6")
    refusal = refused(state, "counter k sb7")
    assert (refusal.rule, str(refusal)) == ("CONQ-10.5", "Nailed, east cannot answer.")


def test_what_cannot_be_read_is_answered_with_examples():  # CONQ-18.1
    refusal = refused(position("sd6=Sk"), "x" * 1000)
    assert (refusal.rule, refusal.code) == ("CONQ-18.1", "unreadable")
    assert "A move looks like `e sc5-sa6`" in str(refusal)
    assert len(str(refusal)) < 400
    assert refusal.legal[0] in [str(move) for move in GAME.moves(position("sd6=Sk"), "s")]


def test_an_answer_comes_from_no_further_than_two_cells():  # CONQ-9.2
    state, _ = play(position("sd5=Sk sd6=Ws sd8=Wk sd9=We"), "k sd5-sd6")
    assert str(GAME.read(state, "w", "counter k sd8")) == "counter k sd8"
    refusal = refused(state, "counter e sd9")
    assert (refusal.rule, refusal.code) == ("CONQ-9.2", "out_of_reach")
    assert refusal.legal == ("decline", "counter k sd8")
