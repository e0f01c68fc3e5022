"""Units as texts: one spelling for each, and what cannot be (CONQ-2.2, CONQ-4.4, CONQ-6.1, CONQ-7.2)."""

from __future__ import annotations

import pytest

from games.conquest.units import parse, parted, refunded, rested


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "names no colour"),
        ("Xs", "names no colour"),
        ("ss", "names no colour"),
        ("Sx", "is no unit"),
        ("Se(ss)s", "is not how that unit is written"),
        ("Se(s1s)", "is not how that unit is written"),
        ("Sv(", "is no unit"),
        ("Se(k)", "does not carry k"),
        ("Sk(s)", "does not carry s"),
        ("Sv(kk)", "does not carry kk"),
        ("Sk3(k)", "does not carry k"),
        ("Ss3", "has 2 points a turn"),
        ("Sv7", "has 6 points a turn"),
    ],
)
def test_a_text_that_is_no_unit(text, wrong):
    with pytest.raises(ValueError, match=wrong):
        parse(text)


def test_what_a_unit_is_follows_from_its_text():  # CONQ-2.2, CONQ-2.4
    ship = parse("Wg1(e2(ss1))")
    assert (ship.colour, ship.letter, ship.spent, ship.count) == (1, "g", 1, 4)
    assert (ship.elephant, ship.tired, ship.land, ship.vessel) == (True, True, True, True)
    assert (ship.shape, ship.hold, ship.pieces) == ("g(e(ss))", "e(ss)", ["g", "e", "s", "s"])
    assert ship.named == (("g", 1), ("e", 2), ("s", 0), ("t", 1))
    assert parse("Se(ss1)") == parse("Se(ss1)") != parse("Se(ss)")
    empty = parse("Sv")
    assert (empty.elephant, empty.tired, empty.land, empty.hold) == (False, False, False, "")
    assert (parse("Sv(k1)").tired, parse("Sk").land) == (True, True)


def test_each_piece_pays_for_itself():  # CONQ-6.5, CONQ-8.6
    ship = parse("Wg1(e2(ss1))")
    assert [piece.text if piece else None for piece in parted(ship, "t")] == ["Wg1(e2(s))", "Ws1"]
    assert [piece.text if piece else None for piece in parted(ship, "s")] == ["Wg1(e2(s1))", "Ws"]
    assert [piece.text if piece else None for piece in parted(ship, "g")] == [None, "Wg1(e2(ss1))"]
    assert rested(ship).text == "Wg(e(ss))"
    assert (refunded(ship, "g").text, refunded(ship, "e").text) == ("Wg(e2(ss1))", "Wg1(e(ss1))")
