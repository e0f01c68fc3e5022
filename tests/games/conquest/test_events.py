"""What is told of each action: the events, their facts and their paragraphs (section 8 of the rules)."""

from __future__ import annotations

import pytest

from engine import Dice
from games.conquest import GAME
from tests.games.conquest.builders import NO_DICE, PARKED, events, legal, line, play, position

KINDS = [
    "started",
    "turn_began",
    "moved",
    "alighted",
    "boarded",
    "captured",
    "points_changed",
    "nailed",
    "freed",
    "exchange_opened",
    "exchange_barred",
    "risked",
    "set_down",
    "answered",
    "declined",
    "refunded",
    "turn_ended",
    "calm_counted",
    "out",
    "game_over",
]
FIGURE = "sd5=Ss sd6=Wc sd7=We(s) sc6=Ss sb6=Wk"
FREE = "wg5=Ws wg6=Ws wg7=Ws ng5=Ns ng6=Ns ng7=Ns eg5=Es eg6=Es eg7=Es"  # south has no other piece


def kinds(state, *texts):
    return [kind for kind, _, _ in events(state, *texts)]


def facts_of(kind, state, *texts):
    (found,) = [(rule, facts) for name, rule, facts in events(state, *texts) if name == kind]
    return found


@pytest.mark.parametrize(("first", "chance", "starter", "by_lot"), [("lot", [3], "e", True), ("n", [], "n", False)])
def test_the_start_is_told(first, chance, starter, by_lot):  # CONQ-3.2, CONQ-4.2
    dice = Dice.script([(4, value) for value in chance])
    started, began = GAME.setup(GAME.Options(first=first), dice).events
    assert (started.kind, started.rule, started.facts) == (
        "started",
        "CONQ-3.2",
        {"starter": starter, "by_lot": by_lot},
    )
    assert (began.kind, began.rule) == ("turn_began", "CONQ-4.2")
    assert began.facts == {
        "colour": starter,
        "round": 1,
        "base": 5,
        "capital_cells": 0,
        "grail_cells": 0,
        "points": 5,
    }


def test_a_move_tells_its_route_and_its_price():  # CONQ-4.3, CONQ-5.7
    rule, facts = facts_of("moved", position("sd3=Se(s)"), "e sd3-sd5")
    assert (rule, facts) == (
        "CONQ-4.3",
        {
            "colour": "s",
            "piece": "e",
            "cargo": "s",
            "from": "sd3",
            "to": "sd5",
            "route": ["sd3", "sd4", "sd5"],
            "jumped": [],
            "cost": 2,
            "points_left": 18,
        },
    )


def test_of_several_shortest_ways_the_first_in_cell_order_is_told():  # CONQ-5.7
    _, facts = facts_of("moved", position("sd6=Sk"), "k sd6-se7")
    assert facts["route"] == ["sd6", "sd7", "se7"]  # sd7 stands before se6
    _, facts = facts_of("moved", position("sd6=Sk"), "k sd6-sc7")
    assert facts["route"] == ["sd6", "sc6", "sc7"]


def test_a_jump_is_told_with_the_cell_jumped():  # CONQ-5.3
    rule, facts = facts_of("moved", position("sd6=Sk sd7=Ss"), "k sd6-sd8")
    assert (rule, facts["route"], facts["jumped"], facts["cost"]) == ("CONQ-5.3", ["sd6", "sd7", "sd8"], ["sd7"], 2)


def test_riding_is_told():  # CONQ-6.1, CONQ-6.3, CONQ-7.2
    state = position("sa3=Se(s) sb5=Ss sp5=Sg sc9=Se")
    assert kinds(state, "s sa3-sb3") == ["alighted", "moved"]
    assert facts_of("alighted", state, "s sa3-sb3") == ("CONQ-6.3", {"piece": "s", "carrier": "e", "cell": "sa3"})
    assert facts_of("boarded", state, "s sb5-sa5", "e sa3-sp5") == (
        "CONQ-7.2",
        {"piece": "e", "carrier": "g", "cell": "sp5"},
    )
    assert facts_of("boarded", position("sd6=Se sd7=Ss"), "s sd7-sd6")[0] == "CONQ-6.1"


@pytest.mark.parametrize(
    ("units", "text", "rule", "lost", "ship_taken"),
    [
        ("sd6=Sk sd7=We(ss)", "k sd6-sd7", "CONQ-8.1", ["e", "s", "s"], False),
        ("wa3=Sk wp5=Wg", "k wa3-wp5", "CONQ-8.4", [], True),
        ("wa3=Sk wp5=Wg(c(s))", "k wa3-wp5", "CONQ-8.5", ["c", "s"], True),
        ("so3=Sv so5=Wg(k)", "v so3-so5", "CONQ-8.1", ["g", "k"], False),
    ],
)
def test_a_capture_tells_what_was_lost(units, text, rule, lost, ship_taken):
    found, facts = facts_of("captured", position(units), text)
    assert found == rule
    assert (facts["by"], facts["from_colour"], facts["lost"]) == ("s", "w", lost)
    assert (facts["ship_taken"], facts["refund_pending"]) == (ship_taken, True)


def test_an_exchange_is_opened_answered_and_told():  # CONQ-9.1, CONQ-9.6, CONQ-9.12
    state = position(FIGURE)
    assert facts_of("exchange_opened", state, "s sd5-sd6") == (
        "CONQ-9.1",
        {"victim": "w", "cell": "sd6", "answers": 5},
    )
    told = events(state, "s sd5-sd6", "counter e sd7 drop s sd8")
    assert [kind for kind, _, _ in told] == ["set_down", "answered", "points_changed"]
    assert told[0][1:] == ("CONQ-9.6", {"colour": "w", "piece": "s", "cargo": "", "cell": "sd8"})
    assert told[1][1:] == (
        "CONQ-9.12",
        {
            "colour": "w",
            "piece": "e",
            "from": "sd7",
            "route": ["sd7", "sd6"],
            "cell": "sd6",
            "lost": ["s"],
            "ship_taken": False,
        },
    )


def test_a_way_may_lead_over_an_own_carrier():  # CONQ-5.1, CONQ-6.4
    """He who comes on foot may step onto it and on; he who has just left one may not."""
    _, facts = facts_of("moved", position("sd6=Ss sd7=Se"), "s sd6-sd8")
    assert (facts["route"], facts["jumped"], facts["cost"]) == (["sd6", "sd7", "sd8"], [], 2)
    _, facts = facts_of("answered", position("sd5=Sk sd6=Ws sd7=We sd8=Ws"), "k sd5-sd6", "counter s sd8")
    assert facts["route"] == ["sd8", "sd7", "sd6"]
    assert "s sd6-sd8" not in legal(position("sd6=Se(s) sd7=Se"))


def test_declining_refunds():  # CONQ-8.6, CONQ-9.1
    told = events(position(FIGURE), "s sd5-sd6", "decline")
    assert told == [
        ("declined", "CONQ-9.1", {"colour": "w"}),
        ("refunded", "CONQ-8.6", {"colour": "s", "piece": "s", "cell": "sd6"}),
    ]


@pytest.mark.parametrize(
    ("units", "fields", "text", "rule", "why", "refund"),
    [
        ("sb5=Ss sb6=Wc sb7=Wk", {"turn": "2:s:s:19:0"}, "s sb5-sb6", "CONQ-9.8", "last_point", True),
        (
            "wc4=Sk wc8=Sk we4=Sk we8=Sk wd6=Ws wd7=Wk wd5=Sk",
            {},
            "k wd5-wd6",
            "CONQ-9.9",
            "nailed",
            True,
        ),
        ("sd6=Sk sd7=Ws", {}, "k sd6-sd7", "CONQ-9.11", "none", True),
        ("wa3=Sk wp5=Wg wb3=Ws", {"opts": "free4:quiet:all:12"}, "k wa3-wp5", "CONQ-8.4", "quiet", False),
    ],
)
def test_why_a_victim_is_not_asked(units, fields, text, rule, why, refund):
    told = events(position(units, **fields), text)
    assert ("exchange_barred", rule, {"victim": "w", "why": why}) in told
    assert ("refunded" in [kind for kind, _, _ in told]) is refund
    if why == "quiet":
        assert facts_of("captured", position(units, **fields), text)[1]["refund_pending"] is False


def test_points_go_and_come_back_with_the_cells():  # CONQ-10.1, CONQ-10.2, CONQ-10.3, CONQ-10.4
    told = events(position("sd5=Ss sd6=Wk"), "s sd5-sd6")
    assert ("points_changed", "CONQ-10.2", {"colour": "s", "cell": "sd6", "points": 4}) in told
    told = events(position("g1=Sk"), "k g1-g2")
    tolls = [(rule, facts["colour"], facts["cell"], facts["points"]) for kind, rule, facts in told if kind[0] == "p"]
    assert tolls == [
        (rule, colour, cell, points)
        for colour in "wne"
        for rule, cell, points in (("CONQ-10.4", "g1", 4), ("CONQ-10.3", "g2", -4))
    ]
    told = events(position("wd5=Sk"), "k wd5-wd6")
    assert ("points_changed", "CONQ-10.1", {"colour": "w", "cell": "wd6", "points": -4}) in told


def test_nailing_and_freeing_are_told():  # CONQ-10.5
    state = position("wc4=Sk wc8=Sk we4=Sk we8=Sk wd5=Sk")
    assert ("nailed", "CONQ-10.5", {"colour": "w"}) in events(state, "k wd5-wd6")
    assert ("freed", "CONQ-10.5", {"colour": "w"}) in events(state, "k wd5-wd6", "k wd6-wd7")
    ended = [(kind, facts.get("why")) for kind, _, facts in events(state, "k wd5-wd6", "end")]
    assert ended == [("turn_ended", "order"), ("turn_began", None), ("turn_ended", "nailed"), ("turn_began", None)]


def test_of_two_colours_that_are_left_the_one_not_nailed_wins():  # CONQ-11.2
    parked = "sg5=Ss sg6=Ss sg7=Ss wg5=Ws wg6=Ws wg7=Ws"
    state = position("wc4=Sk wc8=Sk we4=Sk we8=Sk wd5=Sk", parked=parked)
    rule, facts = facts_of("game_over", state, "k wd5-wd6")
    assert (rule, facts["winners"]) == ("CONQ-11.2", ["s"])


def test_a_risk_is_told():  # CONQ-13.3
    state = position("sb3=Ss sb5=Sk sb6=Ws sb7=Wk", parked=FREE)
    assert ("risked", "CONQ-13.3", {"colour": "s"}) in events(state, "k sb5-sb6")
    assert "risked" not in kinds(position("sb3=Ss sb5=Sk sb6=Ws sb7=Wk"), "k sb5-sb6")


@pytest.mark.parametrize(
    ("units", "turn", "text", "rule", "why", "unused"),
    [
        ("sd6=Sk", "2:s:s:3:0", "end", "CONQ-4.6", "order", 17),
        ("sd6=Sc", "2:s:s:19:0", "c sd6-sd7", "CONQ-4.8", "points", 0),
        ("sd6=Sk5", "2:s:s:9:0", "k sd6-sd7", "CONQ-4.8", "no_step", 10),
    ],
)
def test_why_a_turn_ended(units, turn, text, rule, why, unused):
    parked = PARKED if why != "no_step" else PARKED.replace("=Ss", "=Ss2")
    found, facts = facts_of("turn_ended", position(units, turn=turn, parked=parked), text)
    assert (found, facts) == (rule, {"colour": "s", "unused": unused, "why": why})


def test_a_colour_without_pieces_is_out_and_its_place_is_passed():  # CONQ-11.6, CONQ-3.3, CONQ-11.4
    parked = "sg5=Ss sg6=Ss sg7=Ss ng5=Ns ng6=Ns eg5=Es eg6=Es"
    state = position("sd6=Sk sd7=Ws", parked=parked)
    assert ("out", "CONQ-11.6", {"colour": "w"}) in events(state, "k sd6-sd7")
    told = events(state, "k sd6-sd7", "end")
    assert [(kind, rule) for kind, rule, _ in told] == [
        ("turn_ended", "CONQ-4.6"),
        ("turn_ended", "CONQ-11.6"),
        ("calm_counted", "CONQ-11.4"),
        ("turn_began", "CONQ-4.1"),
    ]
    assert told[2][2] == {"owner": "w", "n": 1}


def test_the_end_is_told_with_everybodys_points():  # CONQ-11.1, CONQ-12.1
    parked = "sg5=Ss sg6=Ss sg7=Ss ng5=Ns ng6=Ns ng7=Ns eg5=Es eg6=Es eg7=Es"
    rule, facts = facts_of("game_over", position("sd6=Sk sd7=We(s)", parked=parked), "k sd6-sd7")
    assert (rule, facts) == (
        "CONQ-11.1",
        {"rule": "11.1", "winners": ["s"], "points": {"s": 6, "w": 0, "n": 3, "e": 3}},
    )


def test_a_preview_is_what_will_be_told():
    state = position(FIGURE)
    move = GAME.read(state, "s", "s sd5-sd6")
    assert GAME.preview(state, "s", move) == GAME.resolve(state, {"s": move}, NO_DICE).events
    assert GAME.preview(state, "w", move) == ()


def test_every_kind_of_event_has_a_sentence():
    from pbem.reports.environment import environment

    told = environment("en", html=False).get_template("conquest/events.j2").module
    view = GAME.view(position(FIGURE), "s")
    said = {kind: [] for kind in KINDS}
    for state, texts in STORIES:
        for event in play(state, *texts)[1]:
            said[event.kind].append(str(getattr(told, event.kind)(event.facts, view)).strip())
    setup = GAME.setup(GAME.Options(), Dice(b"north"))
    said["started"] = [str(told.started(setup.events[0].facts, view)).strip()]
    assert all(said.values()), [kind for kind, sentences in said.items() if not sentences]
    assert all(sentence[-1] in ".:" and "  " not in sentence for found in said.values() for sentence in found)
    assert said["set_down"] == ["West sets down a soldier on sd8."]
    assert said["answered"] == ["West answers: its elephant from sd7 eliminates a soldier on sd6."]
    assert "South's elephant with 2 soldiers goes from sa3 to sp5 for 1 point; 19 left." in said["moved"]


ALONE = "sg5=Ss sg6=Ss sg7=Ss ng5=Ns ng6=Ns eg5=Es eg6=Es"
STORIES = [
    (position(FIGURE), ["s sd5-sd6"]),
    (position(FIGURE), ["s sd5-sd6", "counter e sd7 drop s sd8"]),
    (position(FIGURE), ["s sd5-sd6", "decline"]),
    (position("sa3=Se(ss) sp5=Sg"), ["e sa3-sp5"]),
    (position("sa3=Se(s)"), ["s sa3-sb3"]),
    (position("sd6=Sk sd7=Ws"), ["k sd6-sd7"]),
    (position("wc4=Sk wc8=Sk we4=Sk we8=Sk wd5=Sk"), ["k wd5-wd6"]),
    (position("wc4=Sk wc8=Sk we4=Sk we8=Sk wd5=Sk"), ["k wd5-wd6", "k wd6-wd7"]),
    (position("sb3=Ss sb5=Sk sb6=Ws sb7=Wk", parked=FREE), ["k sb5-sb6"]),
    (position("sd6=Sk sd7=Ws", parked=ALONE), ["k sd6-sd7"]),
    (position("sd6=Sk sd7=Ws", parked=ALONE), ["k sd6-sd7", "end"]),
    (position("sd6=Sk sd7=We(s)", parked=ALONE), ["k sd6-sd7"]),
]


def test_lines_of_these_tests_are_canonical():
    assert GAME.position(position(FIGURE)) == line(FIGURE)
