"""What a seat is shown of a position, fact by fact (KHAN-20.3)."""

from __future__ import annotations

from games.khan import GAME
from games.khan.material import BOARD, NUMBERS
from tests.games.khan.table import drawn

BRIDGE = {"id": "B3I", "cells": "F3 F4 F5", "owners": ["red", "blue"]}
TILE = {"id": "T2", "cells": "J10 K10", "owners": ["yellow"]}
GIVEN = {
    "shapes": [BRIDGE, TILE],
    "yurts": {"red": "B8 B9", "yellow": "C8", "blue": "D8", "black": "C9"},
    "hands": {"red": "RUS-JO SEL-MO", "yellow": "HUN-RI"},
    "active": {"yellow": "protection"},
    "reserved": {"blue": "T3I"},
    "removed": ["RUS"],
    "standing": {"red": {"consent": "never", "to": {"blue": "always"}, "special": "skip"}},
}
FIVE = ["RUS", "HUN", "KIP", "PER", "DAL"]


def facts(table, seat):
    return GAME.view(table.state, seat).facts


def test_the_course_of_the_game_is_shown():
    """KHAN-4.2, KHAN-20.5."""
    found = facts(drawn(3, **GIVEN), None)
    course = ("phase", "at", "seat", "seats", "turn", "own_turn", "first", "todo", "refused", "gone", "over")
    assert {name: found[name] for name in course} == {
        "phase": "play",
        "at": "action 1",
        "seat": "red",
        "seats": ["red", "yellow", "blue"],
        "turn": 9,
        "own_turn": {"red": 5, "yellow": 5, "blue": 5},
        "first": "red",
        "todo": [],
        "refused": [],
        "gone": [],
        "over": False,
    }


def test_everything_on_the_board_is_shown():
    """KHAN-1.7, KHAN-14.1."""
    found = facts(drawn(3, **GIVEN), None)
    assert found["yurts"] == {"red": ["B8", "B9"], "yellow": ["C8"], "blue": ["D8"], "black": ["C9"]}
    assert (found["removed"], found["removed_to_end"]) == (["RUS"], 5)
    leaders = {leader["id"]: (leader["cell"], leader["court"], leader["fate"]) for leader in found["leaders"]}
    assert (leaders["RUS"], leaders["SEL"]) == ((None, 0, "removed"), ("C7", 5, "board"))
    assert [(laid["letter"], laid["id"], laid["kind"], laid["each"], laid["turn"]) for laid in found["shapes"]] == [
        ("a", "B3I", "bridge", 2, 1),
        ("b", "T2", "tile", 2, 1),
    ]
    assert [(laid["cells"], laid["owners"]) for laid in found["shapes"]] == [
        (["F3", "F4", "F5"], ["red", "blue"]),
        (["J10", "K10"], ["yellow"]),
    ]
    assert (found["supply"]["T2"], found["supply"]["B3I"], found["supply"]["T5X"]) == (3, 4, 1)
    assert found["holds"]["C9"] == {"what": "yurt", "who": "black"}
    assert found["holds"]["C7"] == {"what": "leader", "who": "SEL"}
    assert found["holds"]["F4"] == {"what": "bridge", "who": "a"}
    assert found["holds"]["K10"] == {"what": "tile", "who": "b"}
    assert len(found["holds"]) == 5 + 7 + 5


def test_a_leader_that_left_with_the_fifth_is_off_the_board():
    """KHAN-12.1: the leaders that stood last are gone, too, but were not removed one by one."""
    found = facts(drawn(at="conquer 1", removed=FIVE, yurts={"red": "B8 B9"}), None)
    fates = {leader["id"]: leader["fate"] for leader in found["leaders"]}
    assert {id_ for id_, fate in fates.items() if fate == "removed"} == set(FIVE)
    assert set(fates.values()) == {"removed", "replaced"}


def test_the_outline_of_a_shape_is_the_sides_that_are_not_inside_it():
    (bridge, tile) = facts(drawn(3, **GIVEN), None)["shapes"]
    assert len(bridge["edges"]) == 8
    assert sorted(tile["edges"]) == [
        [9, 9, 9, 10],
        [9, 9, 10, 9],
        [9, 10, 10, 10],
        [10, 9, 11, 9],
        [10, 10, 11, 10],
        [11, 9, 11, 10],
    ]


def test_the_map_says_of_each_cell_where_it_lies_and_what_it_is():
    board = facts(drawn(3), None)["board"]
    cells = {cell["name"]: cell for cell in board["cells"]}
    assert cells["B1"] == {"name": "B1", "x": 1, "y": 0, "ground": "ice", "riverside": False, "border": True}
    assert (cells["K10"]["x"], cells["K10"]["y"]) == BOARD.xy(NUMBERS["K10"]) == (10, 9)
    assert (cells["F3"]["riverside"], cells["F8"]["border"]) == (True, False)
    assert [shape["id"] for shape in board["shapes"]][:2] == ["T2", "T3I"]
    assert board["shapes"][1]["form"] == [[0, 0], [1, 0], [2, 0]]


def test_special_cards_lie_open():
    """KHAN-20: held, active and reserved, and with two players when each was used last."""
    found = facts(drawn(3, **GIVEN), None)
    assert found["active"] == [{"seat": "yellow", "card": "protection", "region": None}]
    assert found["reserved"] == [{"seat": "blue", "shape": "T3I"}]
    assert found["specials"]["red"] == {"morale": 2, "protection": 1, "gods": 1, "explore": 1}
    assert (found["specials"]["yellow"]["protection"], found["specials"]["blue"]["explore"]) == (0, 0)
    two = facts(drawn(last={"yellow": {"gods": "previous turn"}}), None)
    assert two["last_special"] == {"red": {"protection": 0, "gods": 0}, "yellow": {"protection": 0, "gods": 4}}
    four = facts(drawn(4, active={"yellow": ["gods", "mountain"]}), None)
    assert four["active"] == [{"seat": "yellow", "card": "gods", "region": "mountain"}]


def test_a_hand_is_shown_to_its_owner_with_the_cells_it_allows():
    """KHAN-20.3: free cells only; the others see how many cards there are."""
    table = drawn(3, **GIVEN)
    found = facts(table, "red")
    assert (found["hands"], found["draw_pile"]) == ({"red": 2, "yellow": 1, "blue": 0}, 69)
    assert (found["discard"], found["hands_open"]) == ([], None)
    joker, grey = found["hand"]
    assert (joker["card"], joker["leader"], joker["direction"], joker["face"]) == ("RUS-JO", "RUS", "W", "joker")
    assert (grey["card"], grey["leader"]) == ("SEL-MO", "SEL")
    assert "B1" in joker["cells"]
    assert not {"B8", "C9", "C7", "K10"} & set(joker["cells"])
    assert facts(table, None)["hand"] is None


def test_what_the_asked_seat_may_do_is_counted_and_its_conquests_are_listed():
    """KHAN-20.3: with points, sharers and the seats that would have to agree, the best first."""
    table = drawn(3, **GIVEN)
    found = facts(table, "red")
    assert (found["asked"], found["default"]) == (True, str(GAME.default(table.state, "red")))
    menu = [str(move) for move in GAME.moves(table.state, "red")]
    kinds = {kind: [text for text in menu if text.split()[0] == kind] for kind in "ABCD"}
    assert found["choices"] == {
        "kinds": {kind: {"count": len(texts), "first": texts[0]} for kind, texts in kinds.items()},
        "all": None,
    }
    assert found["conquests"]["count"] == len(found["conquests"]["best"]) == len(kinds["C"])
    assert found["conquests"]["best"][:2] == [
        {"shape": "T3V", "cells": ["B8", "B9", "C9"], "each": 4, "sharers": ["red"], "need": []},
        {
            "shape": "T4S",
            "cells": ["C8", "D8", "B9", "C9"],
            "each": 2,
            "sharers": ["red", "yellow", "blue"],
            "need": ["yellow"],
        },
    ]
    other = facts(table, "yellow")
    assert (other["asked"], other["choices"], other["conquests"], other["default"]) == (False, None, None, None)
    assert (other["standing"], found["standing"][0], facts(table, None)["standing"]) == ([], "consent never", None)


def test_at_a_short_point_every_choice_is_listed():
    found = facts(drawn(at="special"), "red")
    assert found["choices"]["all"][:2] == ["S none", "S morale"]
    assert len(found["choices"]["all"]) == found["choices"]["kinds"]["S"]["count"]
    assert found["conquests"] is None
    final = facts(drawn(at="conquer 1", removed=FIVE, yurts={"red": "B8 B9"}), "red")
    assert final["conquests"]["count"] == 1


def test_a_proposal_is_shown_with_what_everybody_would_get():
    """KHAN-10.1, KHAN-20."""
    table = drawn(3, yurts={"red": "B8", "yellow": "C8"}, active={"yellow": "protection"})
    assert facts(table, None)["proposal"] is None
    table.do("C T2 B8 C8")
    assert facts(table, None)["proposal"] == {
        "seat": "red",
        "shape": "T2",
        "cells": ["B8", "C8"],
        "sharers": ["red", "yellow"],
        "each": 1,
        "need": ["yellow"],
    }
    found = facts(table, "yellow")
    assert found["choices"]["all"] == ["agree", "refuse"]
    assert found["conquests"] is None


def test_the_scores_are_shown_and_the_places_when_it_is_over():
    """KHAN-14.5, KHAN-15.2, KHAN-20.4."""
    found = facts(drawn(3, **GIVEN), None)
    assert found["scores"]["red"] == {"shapes": 2, "territories": [3], "bonus": 10, "total": 12}
    assert found["scores"]["yellow"] == {"shapes": 2, "territories": [2], "bonus": 6, "total": 8}
    assert (found["ranking"], found["winners"]) == (None, None)
    table = drawn(at="over", removed=FIVE, shapes=[TILE], hands={"red": "RUS-JO"})
    over = facts(table, None)
    assert (over["over"], over["seat"], over["winners"]) == (True, None, ["yellow"])
    assert over["ranking"] == [["yellow"], ["red"]]
    assert over["hands_open"] == {"red": ["RUS-JO"], "yellow": []}
    outcome = GAME.outcome(table.state)
    assert outcome.details == {"red": [0, 0], "yellow": [2, 10, 2]}
    assert (outcome.rule, outcome.scores) == ("KHAN-13.6", {"red": 0, "yellow": 12})


def test_who_is_left_alone_has_won():
    """KHAN-17.7."""
    table = drawn()
    table.do("red: resign")
    outcome = GAME.outcome(table.state)
    assert (outcome.rule, outcome.places) == ("KHAN-17.7", (("yellow",), ("red",)))
