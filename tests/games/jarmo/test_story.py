"""Events: their order within a turn, the paragraph each cites, and their facts (section 8)."""

import pytest

from engine import Event
from tests.games.jarmo.table import START, at, told, turn


@pytest.mark.parametrize(
    ("position", "order", "story"),
    [
        (START, "a1-c2", "moved 2.2"),
        ("base aaaa1/4a/2A2/5/1AAAA g 0.0 0.0 - 8 - -", "c3-e4", "moved 2.2, captured 3.1, promoted 3.2"),
        (
            "base aaaaa/4G/5/5/1AAA1 g 1.0 0.0 - 20 - -",
            "e4-c5 +e1",
            "moved 2.2, captured 3.1, entered 4.1, turned_over 4.2, recovered 4.3, placed 5.2",
        ),
        (
            "base aa1a1/4G/A3A/5/5 g 2.0 2.0 a3+e3 30 - -",
            "e4-c5 recall a1",
            "moved 2.2, entered 4.1, turned_over 4.2, recovered 4.3, kept 5.2, recalled 11.2, camps_removed 11.3",
        ),
        ("jasyr aaaa1/4a/2A2/5/1AAAA g 0.0 0.0 - 8 - -", "c3-e4", "moved 2.2, captured 9.5, promoted 3.2"),
        ("jasyr aaaa1/4g/2A2/5/1AAAA g 0.0 0.0 - 8 - -", "c3-e4", "moved 2.2, captured 9.6, promoted 3.2"),
        ("jasyr AA2A/5/A4/a1a2/2a2 g 0.0 0.0 - 28 - -", "pass", "passed 2.4"),
        ("jasyr aaaa1/4G/5/5/1AAAA b 0.0 0.1 - 9 - -", "place e5", "placed 5.4"),
        ("legendary aaGaa/5/5/5/1AAA1 g 1.0 1.0 - 22 - -", "flip c5", "turned_over 8.3, recovered 8.3, kept 5.2"),
        ("legendary aa1aa/4G/5/5/1AAA1 g 1.0 1.0 - 20 - -", "e4-c5", "moved 2.2, entered 4.1"),
        (
            "base 5/4g/3(eEg)1/3G1/AA3 g 0.0 0.0 - 19 - -",
            "d2-d3",
            "moved 2.2, captured 3.1, saved 10.5",
        ),
        (
            "base 5/4a/3(EG)1/3g1/AA3 g 0.0 0.0 - 19 - -",
            "d3-d2",
            "moved 2.2, freed 10.4, captured 3.1",
        ),
        ("base 2A2/5/3a1/3A1/5 g 3.0 4.0 - 60 - -", "d2-d3", "moved 2.2, captured 3.1, promoted 3.2, ended 6.2"),
        ("base,limit=50 aaaaa/5/5/2A2/1AAAA b 0.0 0.0 - 49 a1-c2 -", "d5-e3", "moved 2.2, ended 6.6"),
        ("jasyr 1A3/5/A4/a4/2a2 b 0.0 0.0 - 31 pass -", "pass", "passed 2.4, ended 9.1"),
    ],
)
def test_the_story_of_a_turn(position, order, story):
    found = told(at(position), order)
    assert ", ".join(found).replace("JARMO-", "") == story


def facts(position, order):
    return {event.kind: event.facts for event in turn(at(position), order).events}


def test_facts():
    entering = facts("base aaaaa/4G/5/5/1AAA1 g 1.0 0.0 - 20 - -", "e4-c5 +e1")
    assert entering == {
        "moved": {"side": "green", "from": "e4", "to": "c5", "piece": "guard"},
        "captured": {"side": "green", "piece": "archer", "at": "c5", "fate": "pool"},
        "entered": {"side": "green", "at": "c5"},
        "turned_over": {"side": "green", "at": "c5", "piece": "archer"},
        "recovered": {"side": "green", "pool": 0},
        "placed": {"side": "green", "at": "e1", "hand": 0},
    }
    recalling = facts("base aaaa1/5/A4/2A2/1AA2 g 1.0 1.0 a3+e3 20 - -", "c2-e3 ^e1")
    assert recalling["recalled"] == {"side": "green", "at": "e1"}
    assert recalling["camps_removed"] == {"points": ["a3", "e3"]}
    blue = facts("base d1aaa/1a3/3D1/5/AAAA1 b 0.0 0.0 - 12 - -", "b4-d3")
    assert blue["captured"] == {"side": "blue", "piece": "golden guard", "at": "d3", "fate": "hostage"}
    assert facts("base d1aaa/5/3(Eg)1/5/AAAA1 g 0.0 0.0 - 13 - -", "c1-d3")["saved"] == {"side": "green", "at": "d3"}
    assert facts("base d1aa1/5/3(Eg)1/5/AA1A1 b 1.0 1.0 - 17 - -", "d3-e5")["freed"] == {"side": "green", "at": "d3"}
    assert facts("jasyr AA2A/5/A4/a1a2/2a2 g 0.0 0.0 - 28 - -", "pass") == {"passed": {"side": "green"}}
    kept = facts("base aa1aa/4G/5/5/1AAA1 g 1.0 1.0 - 20 - -", "e4-c5")
    assert kept["kept"] == {"side": "green", "hand": 1}


def test_the_end_is_told_with_points_where_they_decide():  # JARMO-6.7, JARMO-8.1
    assert facts("base aA1aA/4A/5/5/2a2 g 2.0 2.0 - 30 - -", "e4-c5")["ended"] == {
        "reason": "camp",
        "winner": "green",
        "points": {"green": 6, "blue": 4},
        "in_camp": {"green": 3, "blue": 1},
    }
    drawn = facts("jasyr 1A3/5/A4/a4/2a2 b 0.0 0.0 - 31 pass -", "pass")["ended"]
    assert drawn == {"reason": "blocked", "winner": None, "points": None, "in_camp": {"green": 1, "blue": 1}}


def test_the_outcome_tells_what_was_lost():
    from games.jarmo import GAME

    outcome = GAME.outcome(at("base 1AA2/5/3(Eg)1/5/2a2 g 2.0 3.0 - 51 - camp:g"))
    assert outcome.details == {"in_camp": {"green": 2, "blue": 1}, "lost": {"green": 3, "blue": 3}}
    assert (outcome.reason, outcome.rule, outcome.places) == ("camp", "JARMO-6.1", (("green",), ("blue",)))


def test_everybody_learns_of_everything():
    for event in turn(at("base aaaa1/4a/2A2/5/1AAAA g 0.0 0.0 - 8 - -"), "c3-e4").events:
        assert Event.from_json(event.to_json()) == event
        assert event.seen_by("green") is event.seen_by("blue") is event.seen_by(None) is event
