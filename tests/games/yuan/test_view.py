"""What everybody is shown of a position, fact by fact (chapter 6)."""

from __future__ import annotations

from dataclasses import replace

from games.yuan import GAME
from games.yuan.notation import read
from tests.games.templates import template
from tests.games.yuan.board import drawn, play
from tests.games.yuan.vectors import of_kind

BEFORE = "S4: DC=cc DD=v DE=c+1\nX9: CD=v/w+2 EA=c/s"


def facts(**given):
    return GAME.view(drawn(BEFORE, terrain="DB=V DF=X", temples="DD EA", turn=3, **{"need": 2, **given}), "1").facts


def test_the_course_of_the_game():
    found = facts(last=True)
    assert (found["phase"], found["turn"], found["last_turn"], found["need"]) == ("plan", 3, 3, 2)
    assert (found["seats"], found["resigned"], found["winners"], found["setup"]) == (["1", "2"], [], None, None)
    assert facts()["last_turn"] == 4
    assert found["cards"]["suhey"] == {"name": "Suhey", "letter": "S", "colour": "red"}
    assert list(found["cards"]) == ["suhey", "xiangi"]


def test_every_piece_on_its_province():  # YUAN-1.3
    found = facts()
    plain = {"owner": "suhey", "letter": "S", "city": False, "doubled": False, "ramparts": 0, "armies": 0}
    xiangi = plain | {"owner": "xiangi", "letter": "X"}
    assert found["provinces"] == {
        "DC": plain | {"city": True, "doubled": True},
        "DD": plain,
        "DE": plain | {"city": True, "armies": 1},
        "CD": xiangi | {"ramparts": 1, "armies": 2},
        "EA": xiangi | {"city": True, "ramparts": 2},
    }
    assert (found["temples"], found["temple_stock"]) == (["DD", "EA"], 16)


def test_what_a_clan_has_and_what_it_reaches():  # YUAN-2.1, YUAN-4.2
    suhey, xiangi = facts()["clans"]
    assert (suhey["id"], suhey["seat"], suhey["chao"], xiangi["id"], xiangi["chao"]) == ("suhey", "1", 4, "xiangi", 9)
    assert suhey["stock"] == {"villages": 17, "cities": 11, "armies": 8, "ramparts": 6}
    assert xiangi["stock"] == {"villages": 17, "cities": 13, "armies": 7, "ramparts": 3}
    assert (suhey["levels"], suhey["armies"], xiangi["armies"]) == ({"T": 1, "R": 0, "F": 0, "M": 0}, 1, 2)
    assert (suhey["groups"], xiangi["groups"]) == ([["DC", "DD", "DE"]], [["CD"], ["EA"]])
    assert suhey["reach_free"] == ["CB", "CC", "CE", "EB", "EC", "ED", "EE"]
    assert (suhey["reach_enemy"], xiangi["reach_enemy"]) == (["CD"], ["DD", "DE"])


def test_prices_follow_from_the_levels():  # YUAN-4.3
    state = drawn("S4: DC=cc DD=v DE=c+1\nX9: EA=c", terrain="DC=R DD=M DE=F")
    found = GAME.view(state, None).facts["clans"][0]
    assert found["levels"] == {"T": 0, "R": 2, "F": 1, "M": 1}  # a doubled city counts twice
    assert found["prices"] == {"dev": [0, 2, 5], "fort": [0, 3, 6], "mil": [0, 3, 6]}


def test_who_would_win_now_is_said():  # YUAN-14.1, YUAN-14.6
    assert [clan["qualifies"] for clan in facts()["clans"]] == [False, False]
    assert [clan["qualifies"] for clan in facts(need=1)["clans"]] == [True, True]
    state, _ = play(drawn("S4: DC=cc\nX9: EA=c\nM3: GA=c", temples="DC EA", need=9), "S DC D1")
    gone = GAME.resolve(state, {"1": GAME.resignation(state, "1")}, None).state
    assert [clan["resigned"] for clan in GAME.view(gone, None).facts["clans"]].count(True) == 1


def test_the_map_is_drawn_cell_by_cell():
    found = facts()["map"]
    cells = {cell["name"]: cell for cell in found["cells"] if cell["name"]}
    assert len(found["cells"]) == 37
    middle = cells["DD"]
    assert (middle["q"], middle["r"], middle["x"], middle["y"], middle["word"]) == (0, 0, 0, 0, "hills")
    assert (cells["DE"]["x"], cells["ED"]["x"], cells["ED"]["y"]) == (52, 26, 45)
    assert middle["points"] == "26,-15 0,-30 -26,-15 -26,15 0,30 26,15"
    assert found["adjacent"]["DD"] == ["CC", "CD", "DC", "DE", "EC", "ED"]
    assert found["beside_volcano"] == ["CA", "CB", "DA", "DC", "EA", "EB"]
    assert (found["rivers"], found["banks"]) == ([], [])


def test_the_frame_leaves_a_margin_and_the_text_is_cut_into_bands():
    """The outermost corners are 8 pixels from the frame, and every cell stands in one band of text, at its column."""
    found = facts()
    corners = [pair.split(",") for cell in found["map"]["cells"] for pair in cell["points"].split()]
    xs, ys = sorted(int(x) for x, _ in corners), sorted(int(y) for _, y in corners)
    assert found["box"] == [xs[0] - 8, ys[0] - 8, xs[-1] - xs[0] + 16, ys[-1] - ys[0] + 16]
    (band,) = found["map"]["bands"]
    assert [row["number"] for row in band] == [1, 2, 3, 4, 5, 6, 7]
    assert [row["names"].split() for row in band][3] == ["DA", "/\\**/\\", "DC", "DD", "DE", "/\\/\\", "DG"]
    assert [len(row["names"]) - len(row["names"].lstrip()) for row in band] == [12, 8, 4, 0, 4, 8, 12]
    assert [cell["before"] for cell in band[0]["cells"]] == [" " * 12, "", "", ""]


def test_a_wide_map_is_cut_into_even_bands():
    state = GAME.from_position(next(v["line"] for v in of_kind("position") if v["id"] == "N6"))
    bands = GAME.view(state, None).facts["map"]["bands"]
    assert len(bands) > 1
    names = sorted(cell["name"] for band in bands for row in band for cell in row["cells"] if cell["name"])
    assert names == sorted(state.land.names)
    widths = [max(len(row["names"]) for row in band) for band in bands]
    assert max(widths) <= 8 * 9
    assert max(widths) - min(widths) <= 8
    north = {row["number"] for band in bands for row in band}
    assert north == set(range(1, max(north) + 1))


def test_a_river_is_drawn_between_its_banks():  # YUAN-17.5
    state = drawn("S4: DC=c\nX9: EA=c", options=["rivers"], rivers=["DC-DD CC-DD"])
    found = GAME.view(state, None).facts["map"]
    assert found["banks"] == [["CC", "DD"], ["DC", "DD"]]
    assert found["rivers"] == [[-26, 15, -26, -15], [-26, -15, 0, -30]]  # the western edges of the middle, upwards


def of_the_document(name):
    line = next(vector["line"] for vector in of_kind("position") if vector["id"] == name)
    return GAME.view(read(line).state, None).facts


def test_the_set_up_shows_who_does_what_and_where_a_tile_may_lie():  # YUAN-3.6, YUAN-3.9, YUAN-3.13
    tiles, bids, chosen = (of_the_document(name)["setup"] for name in ("N3", "N2", "N5"))
    assert (tiles["order"], tiles["hands"]["2"], tiles["clans"]) == (["2", "1"], ["M-A", "M-D", "M-G"], ["mu", "weyu"])
    assert [slot["slot"] for slot in tiles["open_slots"]] == [
        [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -2], [1, 0], [2, -2], [2, -1],
    ]  # fmt: skip
    west = tiles["open_slots"][0]
    assert (west["x"], west["y"], len(west["cells"])) == (-130, -45, 7)
    assert west["cells"][0] == "-104,-60 -130,-75 -156,-60 -156,-30 -130,-15 -104,-30"
    assert (bids["attempt"], bids["bidders"], bids["capitals"]) == (2, ["1", "3"], {"NE": "suhey", "PO": "xiangi"})
    assert (bids["winner"], bids["winner_chao"], bids["open_slots"]) == (None, None, [])
    assert (chosen["winner"], chosen["winner_chao"], chosen["attempt"]) == ("3", 1, 0)


def test_the_map_grows_by_the_tiles_that_lie():
    found = of_the_document("N3")
    assert found["tiles"] == [{"tile": "M-C", "slot": [0, 0], "rot": 0}, {"tile": "M-B", "slot": [1, -1], "rot": 4}]
    assert (len(found["map"]["cells"]), list(found["cards"])) == (14, ["mu", "weyu"])
    assert found["box"] == [-216, -308, 536, 526]  # the open slots are within
    assert (found["phase"], found["turn"], found["need"], found["temples"]) == ("tiles", 0, 8, [])
    assert of_the_document("N7")["winners"] == ["1"]
    assert of_the_document("N4")["resigned"] == ["1"]


def test_who_resigned_is_said_of_a_clan_or_else_of_a_seat():  # YUAN-14.6
    bids = read(next(vector["line"] for vector in of_kind("position") if vector["id"] == "N2")).state
    for seat, said in (("2", "is played by seat 2, who has resigned,"), ("3", "Resigned: seats 3.")):
        words = template("yuan/words.txt.j2").render(view=GAME.view(replace(bids, gone=(seat,)), None))
        assert said in words
        assert words.lower().count("resigned") == 1
