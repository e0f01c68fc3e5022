"""Options and seats, whose decision it is, silence, time, talk, outcome, and what a view holds (CONQ-3, 14 to 18)."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import pytest

from engine import BadOption, BadPosition, Refusal
from engine.game import BrokenInvariant
from games.conquest import GAME
from games.conquest.ending import on_points
from games.conquest.state import Over
from tests.games.conquest.builders import legal, line, play, position, refused

FIGHT = "sb5=Sk sb6=Ws sb7=Wk"


@pytest.mark.parametrize(("players", "seats"), [(4, ("s", "w", "n", "e")), (3, ("s", "n", "we")), (2, ("sn", "we"))])
def test_seats(players, seats):  # CONQ-3.1, CONQ-15.1, CONQ-15.2
    assert GAME.seats(GAME.Options(players=players, mode="alliance")) == seats


def test_three_and_two_seats_play_in_alliance():  # CONQ-15.3
    assert GAME.Options().mode == "free"
    assert [GAME.Options(players=players).mode for players in (3, "2")] == ["alliance", "alliance"]
    for choices in ({"players": 3, "mode": "free"}, {"alliance_win": "land"}, {"alliance_win": "land", "mode": "free"}):
        with pytest.raises(BadOption, match="mode alliance is for 4, 3 or 2"):
            GAME.Options(**choices)
    with pytest.raises(BadOption, match="free, alliance"):
        GAME.Options(mode="teams")
    assert GAME.Options(**GAME.Options(players=2).to_json()) == GAME.Options(players=2)


@pytest.mark.parametrize("limit", [0, 100, "many"])
def test_the_opening_limit_has_bounds(limit):  # CONQ-11.5
    with pytest.raises(BadOption):
        GAME.Options(opening_limit=limit)


def test_a_seat_that_is_not_asked_has_no_say():  # CONQ-18.3
    state = position(FIGHT)
    refusal = GAME.read(state, "w", "end")
    assert (refusal.rule, refusal.code) == ("CONQ-18.3", "not_asked")
    after, _ = play(state, "k sb5-sb6")
    assert GAME.pending(after) == ("w",)
    assert str(GAME.read(after, "s", "end")) == "It is the decision of seat w, not of seat s."
    assert GAME.decision(after) == "counter"
    assert list(GAME.moves(after, "s")) == []


def test_silence_ends_the_turn_and_what_was_moved_stays_moved():  # CONQ-17.1, CONQ-17.3
    state, _ = play(position("sd6=Sk"), "k sd6-sd7")
    silent = GAME.default(state, "s")
    after = GAME.resolve(state, {"s": silent}, None).state
    assert str(silent) == "end"
    assert silent == GAME.read(state, "s", "end")
    told = {"colour": "s", "unused": 19, "why": "silence"}
    assert GAME.resolve(state, {"s": silent}, None).events[0].facts == told
    assert GAME.resolve(state, {"s": silent}, None).events[0].rule == "CONQ-17.3"
    assert "sd7=Sk," in GAME.position(after)
    assert GAME.pending(after) == ("w",)


def test_while_an_answer_is_awaited_the_movers_turn_stands_still():  # CONQ-17.2
    state, _ = play(position(FIGHT), "k sb5-sb6")
    assert GAME.interrupts(state, "w")
    assert not GAME.interrupts(state, "s")
    after = GAME.resolve(state, {"w": GAME.default(state, "w")}, None).state
    assert GAME.pending(after) == ("s",)  # asked again, for a new deadline
    assert not GAME.interrupts(after, "s")
    assert (GAME.turn_now(state), GAME.turns_ended(state, after)) == ("s", ())


def test_the_next_turn_begins_at_once():  # CONQ-17.4
    _, events = play(position("sd6=Sk"), "end")
    assert [event.kind for event in events] == ["turn_ended", "turn_began"]


def test_in_the_free_game_everybody_writes_to_everybody():  # CONQ-16.1
    state = position("sd6=Sk")
    assert [GAME.why_not_say(state, "s", to) for to in ("w", "n", "e", None)] == [None] * 4


def test_partners_do_not_write_to_each_other():  # CONQ-16.2
    state = position("sd6=Sk", opts="alliance4:exchange:all:12")
    refusals = {to: GAME.why_not_say(state, "s", to) for to in ("w", "n", "e", None)}
    assert {to: refusal and refusal.rule for to, refusal in refusals.items()} == {
        "w": None,
        "n": "CONQ-16.2",
        "e": None,
        None: "CONQ-16.2",
    }
    assert "n would read this" in str(refusals["n"])
    two = position("sd6=Sk", opts="alliance2:exchange:all:12")
    assert GAME.why_not_say(two, "sn", None) is None  # nobody else plays on that side
    three = position("sd6=Sk", opts="alliance3:exchange:all:12")
    assert GAME.why_not_say(three, "we", None) is None
    over = position("sd6=Sk", opts="alliance4:exchange:all:12", phase="over:14.5:s+n")
    assert GAME.why_not_say(over, "s", "n") is None


def test_resignation_is_the_hosts_matter():
    assert GAME.resignation(position(FIGHT), "s") is None


def test_shared_wins_and_losses_are_ranked():  # CONQ-12.2, CONQ-14.7
    state = position("wd6=Wk", opts="alliance4:exchange:all:12", turn="2:s:w:0:0", kills="1/0/1/1", calm="w:3")
    after, _ = play(state, "end")
    assert GAME.outcome(after).places == (("s", "w", "n", "e"),)
    assert after.over == Over("14.7", (0, 1, 2, 3))


def test_when_all_are_nailed_nobody_wins():  # CONQ-12.2, CONQ-10.6
    nailed = "sc4=Ws sc8=Ws se4=Ws se8=Ns sd6=Ns wc4=Ss wc8=Ss we4=Ss we8=Es wd6=Es"
    nailed += " nc4=Ws nc8=Ws ne4=Ws ne8=Es nd6=Es ec4=Ss ec8=Ss ee4=Ns ee8=Ns ed6=Ns"
    state = position(nailed, turn="12:s:e:0:0", phase="over:11.5:-")
    outcome = GAME.outcome(state)
    assert all(state.nailed(colour) for colour in range(4))
    assert outcome.details["winners"] == []
    assert on_points(state) == ()
    assert outcome.scores == {"s": 13, "w": 15, "n": 13, "e": 11}  # pieces and enemy capital cells held
    assert outcome.details["ranking"] == {"w": 1, "s": 2, "n": 2, "e": 4}


def test_a_view_is_the_same_for_everybody_but_for_whose_it_is():
    state, _ = play(position(FIGHT), "k sb5-sb6")
    views = {seat: GAME.view(state, seat) for seat in ("s", "w", None)}
    assert {seat: view.facts["own"] for seat, view in views.items()} == {"s": ["s"], "w": ["w"], None: []}
    shared = [{name: fact for name, fact in view.facts.items() if name != "own"} for view in views.values()]
    assert shared[0] == shared[1] == shared[2]
    facts = json.loads(json.dumps(views["w"].facts))
    assert facts["exchange"] == {
        "victim": "w",
        "seat": "w",
        "by": "s",
        "cell": "sb6",
        "piece": "knight",
        "answers": ["decline", "counter k sb7"],
    }
    assert facts["threatened"]["s"][0] == {
        "cell": "sb6",
        "by": [{"colour": "w", "piece": "knight", "from": "sb7"}],
    }
    assert facts["colours"]["w"]["victory_points"] == 4
    assert facts["units"]["sb6"]["left"] == {"k": 5}
    assert len(facts["map"]["cells"]) == 425


def test_a_view_foresees_the_points_of_the_next_turns():  # CONQ-4.2, CONQ-10.3
    state = position("g1=Ss", turn="1:s:w:0:0")
    points = {
        name: (side["next_base"], side["next_points"]) for name, side in GAME.view(state, "n").facts["colours"].items()
    }
    assert points == {"s": (20, 20), "w": (10, 6), "n": (15, 11), "e": (20, 16)}


def test_states_are_values():
    state = position(FIGHT)
    again = GAME.from_position(GAME.position(state))
    assert again == state
    assert hash(again) == hash(state)
    assert pickle.loads(pickle.dumps(state)) == state
    assert again is not state
    assert state != play(state, "k sb5-sb6")[0]


def test_a_broken_state_is_found():
    GAME.check(position(FIGHT))
    with pytest.raises(BrokenInvariant, match="pieces and kills together"):
        GAME.check(replace(position(FIGHT), kills=(90, 0, 0, 0)))


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"calm": "w:-1"}, "its owner's own turn"),
        ({"calm": "w:4"}, "makes the calm 4"),
        ({"calm": "w:7"}, "makes the calm 4"),
        ({"phase": "over:14.5:s+n"}, "no game ends as"),
        ({"phase": "over:11.3:w+s"}, "no game ends as"),
        ({"phase": "pause"}, "no phase"),
        ({"phase": "counter:s:sb5:k"}, "not his victim"),
        ({"phase": "counter:w:sb99:k"}, "no such capturing piece"),
        ({"turn": "2:s:s:x:0"}, "not a position"),
    ],
)
def test_positions_that_cannot_be(fields, wrong):
    with pytest.raises(BadPosition, match=wrong):
        GAME.from_position(line(FIGHT, **fields))


def test_an_order_for_later_must_be_one_at_all():  # CONQ-18.1, CONQ-1.1
    state = position(FIGHT)
    assert GAME.why_never(state, "w", "k sb7-sb6") is None
    assert GAME.why_never(state, "w", "counter k sb7") is None
    assert GAME.why_never(state, "w", "end") is None
    assert GAME.why_never(state, "w", "k sb7-sb99").code == "unknown_cell"
    assert GAME.why_never(state, "w", "counter e sb7 drop s zz1").code == "unknown_cell"
    assert GAME.why_never(state, "w", "march on").code == "unreadable"


def test_a_nailed_mover_of_a_position_can_only_end():  # CONQ-10.5
    state = position("sd6=Ws sc4=Ws sc8=Ws se4=Ws se8=Ws sb6=Sk")
    assert legal(state) == ["end"]
    refusal = refused(state, "k sb6-sb7")
    assert (refusal.rule, refusal.code) == ("CONQ-10.5", "nailed")


def test_there_is_nothing_left_to_order_after_the_end():  # CONQ-18.2
    state = position("sd6=Sk", phase="over:11.3:s")
    refusal = GAME.read(state, "s", "end")
    assert isinstance(refusal, Refusal)
    assert str(refusal) == "The game ended by CONQ-11.3; nothing can be ordered."
    assert GAME.pending(state) == ()
    assert list(GAME.moves(state, "s")) == []
