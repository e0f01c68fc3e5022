"""What small changes of the code could hide in: words, limits of lists, who is whose partner, lines out of order."""

from __future__ import annotations

import pytest

from engine import BadOption, BadPosition
from games.conquest import GAME
from games.conquest.actions import Step
from games.conquest.filing import turns_ended
from games.conquest.geography import COLOURS, INDEX
from games.conquest.legal import captures
from tests.games.conquest.builders import events, legal, line, play, position, refused

FIGURE = "sd5=Ss sd6=Wc sd7=We(s) sc6=Ss sb6=Wk"
FIGHT = "sb5=Sk sb6=Ws sb7=Wk"


def test_two_of_the_same_cell_or_out_of_order_make_no_position():  # CONQ-18.2
    good = line("sb5=Sk")
    with pytest.raises(BadPosition, match="each cell stands once, in canonical order"):
        GAME.from_position(good.replace("sb5=Sk,", "").replace("sg5=Ss,sg6=Ss", "sg6=Ss,sg5=Ss"))
    with pytest.raises(BadPosition, match="each cell stands once, in canonical order"):
        GAME.from_position(good.replace("sb5=Sk", "sb5=Sk,sb5=Sk"))


@pytest.mark.parametrize("players", [1, 5])
def test_so_many_players_there_are_not(players):  # CONQ-3.1
    with pytest.raises(BadOption):
        GAME.Options(players=players)


@pytest.mark.parametrize("word", ["ship", "vessel", "boat", "navire", "bateau", "nave", "v"])
def test_a_ship_has_many_names(word):  # CONQ-18.1
    assert str(GAME.read(position("sp1=Sv"), "s", f"{word} sp1 so1")) == "v sp1-so1"


def test_after_the_end_nobody_can_do_anything():  # CONQ-18.2
    state = position("sb5=Sk", parked="", phase="over:11.3:s")
    assert list(GAME.moves(state, "s")) == []
    assert GAME.pending(state) == ()


def test_whether_a_step_takes_something():  # CONQ-8.1
    state = position(FIGHT)
    assert captures(state, Step("k", INDEX["sb5"], INDEX["sb6"]))
    assert not captures(state, Step("k", INDEX["sb5"], INDEX["sb4"]))


@pytest.mark.parametrize(
    ("mover", "ends", "ended"), [("s", 1, "s"), ("n", 1, "n"), ("n", 2, "ne"), ("e", 3, "esw"), ("w", 4, "wnes")]
)
def test_whose_turns_have_ended(mover, ends, ended):  # CONQ-18.5
    before = position(turn=f"2:s:{mover}:0:0")
    after = play(before, *["end"] * ends)[0]
    assert "".join(turns_ended(before, after)) == ended


def test_countered_is_false_while_nothing_was_taken():  # CONQ-18.5
    state = position(FIGHT)
    assert GAME.holds(state, "s", {"countered": "false"}, ())
    assert not GAME.holds(state, "s", {"countered": "true"}, ())


def test_the_answers_that_are_named_begin_with_the_first():  # CONQ-18.2
    state, _ = play(position(FIGURE), "s sd5-sd6")
    refusal = refused(state, "end")
    assert tuple(refusal.facts["answers"]) == refusal.legal[1:13]
    assert refusal.legal[1] == legal(state)[1]


def test_no_more_than_twelve_are_named():  # CONQ-18.2
    """Two soldiers that an elephant may set down first make many answers of one."""
    state, _ = play(position("sd5=Ss sd6=Ws sd7=We(ss) sc6=We(ss)"), "s sd5-sd6")
    refusal = refused(state, "end")
    assert len(refusal.legal) > 13
    assert tuple(refusal.facts["answers"]) == refusal.legal[1:13]


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ([], "here stands -."),
        (["x", "q"], "here stands x, q."),
        (True, "`True` is none of `never`"),
        ({"rules": 5}, "`rules` takes a list"),
        ({"rules": [{"when": 5, "answer": "ask"}]}, "Under `when` stand conditions"),
    ],
)
def test_what_is_wrong_with_a_setting_is_named(wish, said):  # CONQ-18.6
    state, _ = play(position(FIGURE), "s sd5-sd6")
    assert said in str(GAME.why_not_standing(state, "w", {"counter": wish}))


def test_no_written_by_yaml_means_never():  # CONQ-18.6
    state, _ = play(position(FIGURE), "s sd5-sd6")
    assert GAME.why_not_standing(state, "w", {"counter": False}) is None


def test_partners_are_named_in_alliance_alone():  # CONQ-14.1
    def partners(**fields):
        return {
            name: one["partner"] for name, one in GAME.view(position(FIGHT, **fields), "s").facts["colours"].items()
        }

    assert partners() == dict.fromkeys(COLOURS)
    assert partners(opts="alliance4:exchange:all:12") == {"s": "n", "w": "e", "n": "s", "e": "w"}


@pytest.mark.parametrize(("left", "entered"), [("g4", "g5"), ("g5", "g4"), ("g5", "g1")])
def test_each_cell_of_the_grail_costs_by_its_own_paragraph(left, entered):  # CONQ-10.3, CONQ-10.4
    told = events(position(f"{left}=Sk"), f"k {left}-{entered}")
    changed = {(rule, facts["cell"]) for kind, rule, facts in told if kind == "points_changed"}
    assert changed == {("CONQ-10.4", left), ("CONQ-10.3", entered)}
