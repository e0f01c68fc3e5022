"""Standing answers: what they say to an exchange, and which of them cannot be kept (CONQ-18.6)."""

from __future__ import annotations

import pytest

from games.conquest import GAME
from tests.games.conquest.builders import play, position

FIGURE = "sd5=Ss sd6=Wc sd7=We(s) sc6=Ss sb6=Wk"


def given(state, wish, seat="w"):
    move = GAME.answer(state, seat, {"counter": wish})
    return None if move is None else str(move)


@pytest.fixture(scope="module")
def struck():
    return play(position(FIGURE), "s sd5-sd6")[0]


def test_it_speaks_only_for_the_seat_that_is_asked(struck):
    assert given(struck, "always") == "counter s sd7"
    assert given(struck, "always", "s") is None
    assert given(position(FIGURE), "always") is None
    assert GAME.answer(struck, "w", {}) is None  # nothing said is `ask`


def test_one_setting_serves_both_colours_of_a_seat():  # CONQ-15.2
    state, _ = play(position("sb5=Sk sb6=Ws sb7=Ek", opts="alliance2:exchange:all:12"), "k sb5-sb6")
    assert given(state, "always", "we") == "counter k sb7"


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ({}, True),
        (None, True),
        ({"by": ["s", "n"]}, True),
        ({"by": ["n"]}, False),
        ({"taker": ["s"]}, True),
        ({"taker": ["k", "e"]}, False),
        ({"at": ["sd6"]}, True),
        ({"at": ["sd5"]}, False),
        ({"at": ["capital"]}, False),  # a capital, but not the victim's
        ({"at": ["home", "grail", "v", "port"]}, False),
        ({"takes_min": "1"}, True),
        ({"takes_min": 2}, False),
        ({"points_max": "19", "points_min": "19"}, True),
        ({"points_min": "20"}, False),
        ({"by": ["s"], "takes_min": 2}, False),
    ],
)
def test_conditions(struck, when, holds):
    wish = {"rules": [{"when": when, "answer": "always"}], "else": "never"}
    assert given(struck, wish) == ("counter s sd7" if holds else "decline")


@pytest.mark.parametrize(
    ("units", "capture", "area"),
    [
        ("wc5=Sk wc4=Ws wb4=Wk", "k wc5-wc4", "capital"),
        ("wb5=Sk wb4=Ws wb3=Wk", "k wb5-wb4", "home"),
        ("wi1=Sv wp5=Wv wa3=Wk", "v wi1-wp5", "home"),
        ("wi1=Sv wp5=Wv wa3=Wk", "v wi1-wp5", "port"),
        ("g1=Sk g3=Ws wv3=Wk", "k g1-g3", "grail"),
        ("wv3=Sk wv2=Ws wv1=Wk", "k wv3-wv2", "v"),
    ],
)
def test_areas(units, capture, area):
    state, _ = play(position(units), capture)
    others = [name for name in ("grail", "v") if name != area]
    assert given(state, {"rules": [{"when": {"at": [area]}, "answer": "always"}]}).startswith("counter ")
    assert given(state, {"rules": [{"when": {"at": others}, "answer": "always"}]}) is None


def test_the_first_rule_that_gives_an_answer_decides(struck):
    rules = [
        {"when": {"by": ["n"]}, "answer": "never"},
        {"answer": ["k"]},  # no knight can answer: the next rule is asked
        {"answer": "counter k sb6"},  # not legal: the next
        {"answer": ["e", "s"]},
        {"answer": "never"},
    ]
    assert given(struck, {"rules": rules}) == "counter e sd7 drop s sc7"
    assert given(struck, {"rules": [{"answer": "ask"}, {"answer": "never"}]}) is None
    assert given(struck, {"rules": [], "else": "always"}) == "counter s sd7"


def test_the_cheapest_stakes_the_fewest_then_the_humblest():
    state, _ = play(position("sd5=Sk sd6=Wc sd7=We sd8=Wk sc6=Wc se6=Ws"), "k sd5-sd6")
    assert given(state, "always") == "counter s se6"
    state, _ = play(position("sd5=Sk sd6=Wc sd7=We sc6=Wc"), "k sd5-sd6")
    assert given(state, "always") == "counter e sd7"  # an elephant before a chariot
    state, _ = play(position("sk1=Wg(e(s)) si4=Sv sx1=Wv"), "v si4-sx1")
    assert given(state, "always") == "counter g sk1 drop e sr1"  # alone, with one drop


@pytest.mark.parametrize(
    "wish",
    [
        "sometimes",
        [],
        ["x"],
        ["k", "t"],
        {"rule": []},
        {"rules": "always"},
        {"rules": ["always"]},
        {"rules": [{"when": {}}]},
        {"rules": [{"answer": "maybe"}]},
        {"rules": [{"when": "now", "answer": "always"}]},
        {"rules": [{"when": {"weather": "fine"}, "answer": "always"}]},
        {"rules": [{"when": {"by": "s"}, "answer": "always"}]},
        {"rules": [{"when": {"by": ["q"]}, "answer": "always"}]},
        {"rules": [{"when": {"at": ["sd99"]}, "answer": "always"}]},
        {"rules": [{"when": {"takes_min": "few"}, "answer": "always"}]},
        {"rules": [{"when": {}, "answer": "always", "then": "x"}]},
        {"else": "perhaps"},
        "e sd6-sd7",
        7,
        None,
    ],
)
def test_a_setting_that_cannot_be_kept_is_refused(struck, wish):
    refusal = GAME.why_not_standing(struck, "w", {"counter": wish})
    assert (refusal.rule, refusal.code) == ("CONQ-18.6", "bad_standing")
    assert "{" not in str(refusal).replace("{when: ..., answer: ...}", "").replace("{at: [capital]}", "")
    assert refusal.legal


def test_there_is_no_other_standing_answer(struck):
    assert "There is no standing answer `consent`" in str(GAME.why_not_standing(struck, "w", {"consent": "always"}))
    assert GAME.why_not_standing(struck, "w", {}) is None
