"""States that no game can have: sound ones with one thing bent, and the thing is found (KHAN-22, KHAN-29.2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.game import BrokenInvariant
from games.khan import GAME
from games.khan.material import LEADER_NUMBER, NUMBERS, SHAPE_NUMBER
from games.khan.soundness import problems
from games.khan.state import Active, Laid, Needed, Standing
from tests.games.khan.table import drawn, mask

FIVE = ["RUS", "HUN", "KIP", "PER", "DAL"]
YURTS = {"red": "B8 B9", "yellow": "C8", "black": "D8"}
GODS_CARD, PROTECTED = Active(2, ""), Active(1, "")


def based(players=2, at="action 1", **given):
    """A sound position: the turns of the seats add up."""
    state = drawn(players, at=at, **given).state
    if at != "place":
        state = replace(state, turn=sum(state.own_turn))
    assert list(problems(state)) == []
    return state


BEGUN, PLAYED, THREE, FOUR = based(at="place"), based(yurts=YURTS), based(3, yurts=YURTS), based(4, yurts=YURTS)
FINAL = based(at="conquer 1", removed=FIVE, yurts=YURTS)
OVER = based(at="over", removed=FIVE, yurts=YURTS)


def asking():
    table = drawn(3, yurts={"red": "B8", "yellow": "C8"}, active={"yellow": "protection"})
    table.state = replace(table.state, turn=sum(table.state.own_turn))
    table.do("C T2 B8 C8")
    assert list(problems(table.state)) == []
    return table.state


ASKED = asking()
NEED = ASKED.proposal.need


def lay(shape, cells, *owners, turn=1):
    return Laid(SHAPE_NUMBER[shape], mask(cells), owners, turn)


def laid(state, *shapes):
    """With these shapes on the board, and what follows from them."""
    supply = list(state.supply)
    for one in shapes:
        supply[one.shape] -= 1
    return replace(state, shapes=shapes, covered=mask_of(shapes), supply=tuple(supply))


def mask_of(shapes):
    covered = 0
    for one in shapes:
        covered |= one.mask
    return covered


BENT = [
    ("somebody acts as long as the game goes on", replace(PLAYED, seat=-1)),
    ("somebody acts as long as the game goes on", replace(OVER, seat=0)),
    ("a proposal and its point belong together", replace(PLAYED, proposal=ASKED.proposal)),
    ("a proposal and its point belong together", replace(ASKED, proposal=None)),
    ("the initial yurts are all placed", replace(PLAYED, todo=(1,))),
    ("the initial yurts are all placed", replace(BEGUN, yurts=(mask("B8 B9 C8 C9"), mask("D8 D9 E8 E9"), 0))),
    ("nobody can have refused anything", replace(BEGUN, refused=(1,))),
    ("seats stand in order, each once", replace(FOUR, refused=(2, 1))),
    ("seats stand in order, each once", replace(FOUR, gone=(3, 3))),
    ("the game is over when one seat is left", replace(THREE, gone=(1, 2))),
    ("a seat does not refuse itself", replace(THREE, refused=(0,))),
    ("a seat that has resigned decides nothing", replace(THREE, gone=(0,))),
    (
        "yellow has no standing instructions any more",
        replace(THREE, gone=(1,), standing=(Standing(), Standing("never"), Standing())),
    ),
    ("red has no standing instructions any more", replace(OVER, standing=(Standing("never"), Standing()))),
    (
        "red cannot be asked by itself",
        replace(THREE, standing=(Standing(to=("always", "", "", "")), Standing(), Standing())),
    ),
    (
        "red cannot be asked by itself, or by nobody",
        replace(THREE, standing=(Standing(to=("", "", "", "always")), Standing(), Standing())),
    ),
    ("yurts and leaders stand on land", replace(PLAYED, yurts=(mask("F4"), 0, 0))),
    ("two things are on one cell: B8", replace(PLAYED, yurts=(mask("B8 B9"), mask("B8"), 0))),
    ("two things are on one cell: C7", replace(PLAYED, yurts=(mask("C7"), 0, 0))),
    ("covered cells and shapes do not agree", replace(PLAYED, covered=mask("J10"))),
    ("RUS has 6 yurts at its court", replace(PLAYED, courts=(6, *PLAYED.courts[1:]))),
    ("RUS has 1 yurts at its court", replace(FINAL, courts=(1, *FINAL.courts[1:]))),
    (
        "after the fifth leader nobody stands on the board",
        replace(
            FINAL,
            leaders=(NUMBERS["G6"], *FINAL.leaders[1:]),
            courts=(1, *FINAL.courts[1:]),
            removed=tuple(LEADER_NUMBER[name] for name in ("SEL", "HUN", "KIP", "PER", "DAL")),
        ),
    ),
    ("a leader that was removed is off the board", replace(PLAYED, removed=(LEADER_NUMBER["RUS"],))),
    ("a leader is missing", replace(PLAYED, leaders=(-1, *PLAYED.leaders[1:]), courts=(0, *PLAYED.courts[1:]))),
    ("the final phase begins with the fifth leader", replace(PLAYED, phase="final", point="conquer 1")),
    ("the turn is cut when the fifth leader leaves in step 1", replace(FINAL, phase="play", point="action 1")),
    ("the leaders stand on their start cells", replace(BEGUN, leaders=(NUMBERS["G6"], *BEGUN.leaders[1:]))),
    ("no leader has fled yet", replace(BEGUN, courts=(4, *BEGUN.courts[1:]))),
    ("no leader has fled yet", replace(BEGUN, yurts=(0, 0, mask("B8")))),
    ("no special card has been used yet", replace(BEGUN, specials=((0, 0, 0, 0), *BEGUN.specials[1:]))),
    ("no special card has been used yet", replace(BEGUN, active=(PROTECTED, None))),
    ("no special card has been used yet", replace(BEGUN, reserved=(0, None))),
    ("there are no cards before the deal", replace(BEGUN, draw=(1,))),
    ("there are no cards before the deal", replace(BEGUN, discard=(1,))),
    ("there are no cards before the deal", replace(BEGUN, hands=((1,), ()))),
    ("turn 1 has not begun", replace(BEGUN, turn=1)),
    ("turn 1 has not begun", replace(BEGUN, own_turn=(1, 0))),
    ("turn 1 has not begun", laid(BEGUN, lay("T2", "J10 K10", 0))),
    ("turn 1 has not begun", replace(BEGUN, last_special=((1, 0), (0, 0)))),
    ("the own turns of the seats add up", replace(PLAYED, turn=9)),
    ("the own turns of the seats add up", replace(PLAYED, own_turn=(11, -1))),
    ("the acting seat has begun its turn", replace(PLAYED, own_turn=(0, 10))),
    ("there are more shapes than copies", replace(PLAYED, supply=(-1, *PLAYED.supply[1:]))),
    ("T2 cannot lie on", laid(PLAYED, lay("T2", "J10 J12", 0))),
    ("the owners of a shape stand in seat order", laid(PLAYED, lay("T2", "J10 K10"))),
    ("the owners of a shape stand in seat order", laid(PLAYED, lay("T2", "J10 K10", 1, 0))),
    ("shapes stand in the order in which they were placed", laid(PLAYED, lay("T2", "J10 K10", 0, turn=11))),
    (
        "shapes stand in the order in which they were placed",
        laid(PLAYED, lay("T2", "J10 K10", 0, turn=3), lay("T2", "J12 K12", 0, turn=2)),
    ),
    ("nobody holds less than no special card", replace(PLAYED, specials=((2, -1, 1, 1), PLAYED.specials[1]))),
    ("morale is not active like that", replace(PLAYED, active=(None, Active(0, "")))),
    ("protection is not active like that", replace(PLAYED, active=(None, Active(1, "mountain")))),
    ("gods is not active like that", replace(FOUR, active=(None, GODS_CARD, None, None))),
    ("red has more special cards than were dealt", replace(PLAYED, reserved=(1, None))),
    ("yellow has more special cards than were dealt", replace(PLAYED, active=(None, PROTECTED))),
    ("a special card was used in a turn that has been", replace(PLAYED, last_special=((6, 0), (0, 0)))),
    ("a special card was used in a turn that has been", replace(PLAYED, last_special=((0, -1), (0, 0)))),
    ("only two players may not use a card twice running", replace(THREE, last_special=((1, 0), (0, 0), (0, 0)))),
    (
        "two special cards of a kind are active together",
        replace(THREE, active=(None, PROTECTED, PROTECTED), specials=(THREE.specials[0], (2, 0, 1, 1), (2, 0, 1, 1))),
    ),
    (
        "two special cards of a kind are active together",
        replace(THREE, active=(None, GODS_CARD, GODS_CARD), specials=(THREE.specials[0], (2, 1, 0, 1), (2, 1, 0, 1))),
    ),
    (
        "the acting seat has given back its special card",
        replace(PLAYED, point="special", active=(PROTECTED, None), specials=((2, 0, 1, 1), PLAYED.specials[1])),
    ),
    (
        "the acting seat has given back its special card",
        replace(PLAYED, point="special", reserved=(1, None), specials=((2, 1, 1, 0), PLAYED.specials[1])),
    ),
    (
        "two seats have reserved the same shape",
        replace(THREE, reserved=(None, 1, 1), specials=(THREE.specials[0], (2, 1, 1, 0), (2, 1, 1, 0))),
    ),
    (
        "a shape is reserved of which there is no copy",
        replace(
            THREE,
            supply=(0, *THREE.supply[1:]),
            reserved=(None, 0, None),
            specials=(THREE.specials[0], (2, 1, 1, 0), THREE.specials[2]),
        ),
    ),
    ("there are 72 cards, each once", replace(PLAYED, draw=PLAYED.draw[1:])),
    ("a hand has up to four cards, in order", replace(PLAYED, draw=PLAYED.draw[5:], hands=(PLAYED.draw[:5], ()))),
    ("a hand has up to four cards, in order", replace(PLAYED, draw=PLAYED.draw[2:], hands=(PLAYED.draw[1::-1], ()))),
    ("no conquest is proposed at 'special'", replace(ASKED, proposal=ASKED.proposal._replace(back="special"))),
    ("T3I cannot be placed as proposed", replace(ASKED, proposal=ASKED.proposal._replace(shape=SHAPE_NUMBER["T3I"]))),
    ("T2 cannot be placed as proposed", replace(ASKED, proposal=ASKED.proposal._replace(mask=mask("B8 B9")))),
    ("T2 cannot be placed as proposed", replace(ASKED, supply=(0, *ASKED.supply[1:]))),
    (
        "exactly the seats whose protection is touched are asked",
        replace(ASKED, proposal=ASKED.proposal._replace(need=(*NEED, Needed(2)))),
    ),
    ("a seat that has refused is not asked again", replace(ASKED, refused=(1,))),
    (
        "when all have answered the question is closed",
        replace(ASKED, proposal=ASKED.proposal._replace(need=(Needed(1, "agree"),))),
    ),
    ("a seat that has resigned refuses at once", replace(ASKED, gone=(1,))),
    ("there is no legal conquest", replace(FINAL, yurts=(0, 0, mask("D8")))),
    ("there is no special card to use", replace(PLAYED, point="special", specials=((0, 0, 0, 0), PLAYED.specials[1]))),
]


@pytest.mark.parametrize(("wrong", "state"), BENT, ids=[f"{number}: {wrong}" for number, (wrong, _) in enumerate(BENT)])
def test_what_cannot_be_is_found(wrong, state):
    assert any(wrong in problem for problem in problems(state))
    with pytest.raises(BrokenInvariant):
        GAME.check(state)


def test_what_may_be_is_let_pass():
    """The same things where they are as they should."""
    may = [
        replace(FOUR, refused=(1, 3), gone=(2,)),
        replace(FINAL, refused=(1,)),
        replace(THREE, standing=(Standing(to=("", "always", "never", "")), Standing(), Standing())),
        laid(PLAYED, lay("T2", "J10 K10", 0, 1, turn=10), lay("T2", "J12 K12", 0, turn=10)),
        replace(PLAYED, last_special=((5, 0), (0, 5))),
        replace(THREE, active=(None, PROTECTED, GODS_CARD), specials=(THREE.specials[0], (2, 0, 1, 1), (2, 1, 0, 1))),
        replace(PLAYED, active=(PROTECTED, None), specials=((2, 0, 1, 1), PLAYED.specials[1])),
        replace(PLAYED, draw=PLAYED.draw[4:], hands=(PLAYED.draw[:4], ())),
        replace(
            FOUR,
            reserved=(None, 1, 1, None),
            specials=(FOUR.specials[0], *[(*FOUR.specials[0][:3], 0)] * 2, FOUR.specials[3]),
        ),
    ]
    assert [list(problems(state)) for state in may] == [[]] * len(may)
