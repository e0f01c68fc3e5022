"""Reading orders: words, French, accents, routes, mappings, and what is not understood (CONQ-18.1)."""

from __future__ import annotations

import pytest

from engine import Refusal
from games.conquest import GAME
from games.conquest.reading import understood
from tests.games.conquest.builders import play, position, refused

OPEN = "sd6=Sk sc5=Se(s) sp5=Sg sa3=Ss"


@pytest.mark.parametrize(
    ("order", "means"),
    [
        ("K SD6-SD8", "k sd6-sd8"),
        ("  rider   sd6 → sd8. ", "k sd6-sd8"),
        ("le cavalier de sd6 vers sd8", "k sd6-sd8"),
        ("attack sd8 with", None),
        ("Éléphant sc5 – sb5", "e sc5-sb5"),
        ("the elephant sc5 to sb5", "e sc5-sb5"),
        ("sc5 sb5", "e sc5-sb5"),
        ("soldat sc5>sb5", "s sc5-sb5"),
        ("galion sp5 à si1", "g sp5-si1"),
        ("« s sa3 » sp5", "s sa3-sp5"),
        ({"piece": "k", "from": "sd6", "to": "sd8"}, "k sd6-sd8"),
        ({"do": "move", "piece": "K", "from": "SD6", "to": "sd8"}, "k sd6-sd8"),
        ({"from": "sd6", "to": "sd8"}, "k sd6-sd8"),
        ({"piece": "k", "route": ["sd6", "sd7", "sd8"]}, "k sd6-sd8"),
        ({"action": "end"}, "end"),
        ({"end": "true"}, "end"),
        ({"end": "false"}, None),
        ({"do": "dance"}, None),
        ({"piece": "k", "from": "sd6"}, None),
        ({"piece": "k", "route": "sd6"}, None),
        ({"piece": "k", "from": "sd6", "to": "sd8", "by": "sea"}, None),
        ({}, None),
        ("", None),
        ("k", None),
        ("sd6", None),
        ("k k sd6 sd8", None),
        ("pass the salt", None),
        ("STOP", "end"),
        ("done!", None),
    ],
)
def test_a_move_is_read(order, means):
    state = position(OPEN)
    read = GAME.read(state, "s", order)
    if means is None:
        assert isinstance(read, Refusal)
        assert (read.rule, read.code) == ("CONQ-18.1", "unreadable")
    else:
        assert str(read) == means


@pytest.mark.parametrize(
    ("order", "means"),
    [
        ("no", "decline"),
        ("Refuse", "decline"),
        ("NEVER", "decline"),
        ("false", "decline"),
        (False, "decline"),
        ({"do": "decline"}, "decline"),
        ("Counter-attack with the elephant sd7", "counter e sd7"),
        ("contre sd7", "counter e sd7"),
        ("counter soldier sd7", "counter s sd7"),
        ("counter e sd7 drop soldat sd8", "counter e sd7 drop s sd8"),
        ("counter e sd7 drop t sd8", "counter e sd7 drop s sd8"),
        ({"do": "counter", "piece": "e", "from": "sd7"}, "counter e sd7"),
        ({"counter": "e", "from": "sd7", "drop": []}, "counter e sd7"),
        ({"counter": "e", "from": "sd7", "drop": [{"s": "sd8"}]}, "counter e sd7 drop s sd8"),
        ({"counter": "e", "from": "sd7", "drop": [{"s": "sd8", "t": "sc7"}]}, None),
        ({"counter": "e", "from": "sd7", "drop": "s"}, None),
        ({"counter": "e"}, None),
        ("counter", None),
        ("counter e", None),
        ("counter e sd7 drop", None),
        ("counter e sd7 drop s", None),
        ("counter e sd7 with s sd8", None),
        ("counter e sd7 drop s sd8 k", None),
        ("counter e sd7 drop x sd8", None),
    ],
)
def test_an_answer_is_read(order, means):
    state, _ = play(position("sd5=Ss sd6=Wc sd7=We(s) sc6=Ss sb6=Wk"), "s sd5-sd6")
    read = GAME.read(state, "w", order)
    if means is None:
        assert isinstance(read, Refusal)
        assert read.code == "unreadable"
    else:
        assert str(read) == means


@pytest.mark.parametrize("word", ["k", "sd6 sd7 sd888", "counter e 7", "e sc5-s5x", "drop s sd8"])
def test_what_no_position_could_take_is_not_understood(word):
    assert understood(word) is None


@pytest.mark.parametrize(
    ("units", "order", "rule"),
    [
        ("sd6=Sk", "k sd6-sd7-sd8-se8-se7", "CONQ-5.7"),  # four steps for what costs two
        ("sd6=Sk", "k sd6-sd8-sd7", "CONQ-5.7"),  # no step leads over a cell
        ("sd6=Sk sd7=Ws", "k sd6-sd7-se7", "CONQ-5.7"),  # through an enemy
        ("sd6=Ss sd7=Sk", "s sd6-sd7-se7", "CONQ-5.7"),  # soldiers do not jump
        ("sd6=Sk sd7=Ss se7=Ss", "k sd6-sd7-se7-se8", "CONQ-5.7"),  # never over two
    ],
)
def test_a_route_that_breaks_a_rule_is_refused(units, order, rule):
    refusal = refused(position(units), order)
    assert (refusal.rule, refusal.code) == (rule, "route")
    assert refusal.legal == (f"{order[0]} {order[2:5]}-{order[-3:]}",)


@pytest.mark.parametrize(
    ("units", "order"),
    [
        ("sd6=Sk sd7=Ss", "k sd6-sd7-sd8"),  # the cell jumped belongs to the route
        ("sd6=Ss sd7=Se", "s sd6-sd7-sd8"),  # over his own elephant
        ("sd6=Sk sd8=Ws", "k sd6-sd7-sd8"),  # to a capture
        ("sa3=Ss sp5=Sg sb3=Sk", "s sa3-sp5"),
        ("sd5=Sk sd6=Ss sd7=Ws", "k sd5-sd6-sd7"),  # over a friend onto an enemy
    ],
)
def test_a_route_that_is_one_of_the_cheapest_is_taken(units, order):  # CONQ-5.7
    read = GAME.read(position(units), "s", order)
    assert str(read) == f"{order[0]} {order[2:5]}-{order[-3:]}"


@pytest.mark.parametrize(
    ("text", "move", "same"),
    [
        ("Éléphant sc5 – sb5", "e sc5-sb5", True),
        ("k sc3-sc2-sb2-sb1", "k sc3-sb1", True),
        ("sc5 sb5", "e sc5-sb5", True),
        ("k sc5-sb5", "e sc5-sb5", False),
        ("e sc5-sb6", "e sc5-sb5", False),
        ("tired sc5-sb5", "s sc5-sb5", False),
        ("contre sd7", "counter e sd7", True),
        ("counter e sd7 drop s sd8 s sc7", "counter e sd7 drop s sc7 s sd8", True),
        ("counter e sd7", "counter e sd7 drop s sc7", False),
        ("counter e sd7", "e sd7-sd6", False),
        ("fin", "end", True),
        ("refuser", "decline", True),
        ("refuser", "end", False),
        ("end", "e sc5-sb5", False),
        ("nonsense", "e sc5-sb5", False),
    ],
)
def test_an_if_means_the_same_action_in_any_words(text, move, same):
    assert GAME.same_move(text, move) is same
