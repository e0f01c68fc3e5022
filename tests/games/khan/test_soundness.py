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


def asking():
    table = drawn(3, yurts={"red": "B8", "yellow": "C8"}, active={"yellow": "protection"})
    table.state = replace(table.state, turn=sum(table.state.own_turn))
    table.do("C T2 B8 C8")
    assert list(problems(table.state)) == []
    return table.state


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


def bent():
    """What is wrong, and where it is so. Made when it is asked for: nothing of the rules runs before the tests do."""
    begun, played, three, four = based(at="place"), based(yurts=YURTS), based(3, yurts=YURTS), based(4, yurts=YURTS)
    final = based(at="conquer 1", removed=FIVE, yurts=YURTS)
    over = based(at="over", removed=FIVE, yurts=YURTS)
    asked = asking()
    need = asked.proposal.need
    return [
        ("somebody acts as long as the game goes on", replace(played, seat=-1)),
        ("somebody acts as long as the game goes on", replace(over, seat=0)),
        ("a proposal and its point belong together", replace(played, proposal=asked.proposal)),
        ("a proposal and its point belong together", replace(asked, proposal=None)),
        ("the initial yurts are all placed", replace(played, todo=(1,))),
        ("the initial yurts are all placed", replace(begun, yurts=(mask("B8 B9 C8 C9"), mask("D8 D9 E8 E9"), 0))),
        ("nobody can have refused anything", replace(begun, refused=(1,))),
        ("seats stand in order, each once", replace(four, refused=(2, 1))),
        ("seats stand in order, each once", replace(four, gone=(3, 3))),
        ("the game is over when one seat is left", replace(three, gone=(1, 2))),
        ("a seat does not refuse itself", replace(three, refused=(0,))),
        ("a seat that has resigned decides nothing", replace(three, gone=(0,))),
        (
            "yellow has no standing instructions any more",
            replace(three, gone=(1,), standing=(Standing(), Standing("never"), Standing())),
        ),
        ("red has no standing instructions any more", replace(over, standing=(Standing("never"), Standing()))),
        (
            "red cannot be asked by itself",
            replace(three, standing=(Standing(to=("always", "", "", "")), Standing(), Standing())),
        ),
        (
            "red cannot be asked by itself, or by nobody",
            replace(three, standing=(Standing(to=("", "", "", "always")), Standing(), Standing())),
        ),
        ("yurts and leaders stand on land", replace(played, yurts=(mask("F4"), 0, 0))),
        ("two things are on one cell: B8", replace(played, yurts=(mask("B8 B9"), mask("B8"), 0))),
        ("two things are on one cell: C7", replace(played, yurts=(mask("C7"), 0, 0))),
        ("covered cells and shapes do not agree", replace(played, covered=mask("J10"))),
        ("RUS has 6 yurts at its court", replace(played, courts=(6, *played.courts[1:]))),
        ("RUS has 1 yurts at its court", replace(final, courts=(1, *final.courts[1:]))),
        (
            "after the fifth leader nobody stands on the board",
            replace(
                final,
                leaders=(NUMBERS["G6"], *final.leaders[1:]),
                courts=(1, *final.courts[1:]),
                removed=tuple(LEADER_NUMBER[name] for name in ("SEL", "HUN", "KIP", "PER", "DAL")),
            ),
        ),
        ("a leader that was removed is off the board", replace(played, removed=(LEADER_NUMBER["RUS"],))),
        ("a leader is missing", replace(played, leaders=(-1, *played.leaders[1:]), courts=(0, *played.courts[1:]))),
        ("the final phase begins with the fifth leader", replace(played, phase="final", point="conquer 1")),
        ("the turn is cut when the fifth leader leaves in step 1", replace(final, phase="play", point="action 1")),
        ("the leaders stand on their start cells", replace(begun, leaders=(NUMBERS["G6"], *begun.leaders[1:]))),
        ("no leader has fled yet", replace(begun, courts=(4, *begun.courts[1:]))),
        ("no leader has fled yet", replace(begun, yurts=(0, 0, mask("B8")))),
        ("no special card has been used yet", replace(begun, specials=((0, 0, 0, 0), *begun.specials[1:]))),
        ("no special card has been used yet", replace(begun, active=(PROTECTED, None))),
        ("no special card has been used yet", replace(begun, reserved=(0, None))),
        ("there are no cards before the deal", replace(begun, draw=(1,))),
        ("there are no cards before the deal", replace(begun, discard=(1,))),
        ("there are no cards before the deal", replace(begun, hands=((1,), ()))),
        ("turn 1 has not begun", replace(begun, turn=1)),
        ("turn 1 has not begun", replace(begun, own_turn=(1, 0))),
        ("turn 1 has not begun", laid(begun, lay("T2", "J10 K10", 0))),
        ("turn 1 has not begun", replace(begun, last_special=((1, 0), (0, 0)))),
        ("the own turns of the seats add up", replace(played, turn=9)),
        ("the own turns of the seats add up", replace(played, own_turn=(11, -1))),
        ("the acting seat has begun its turn", replace(played, own_turn=(0, 10))),
        ("there are more shapes than copies", replace(played, supply=(-1, *played.supply[1:]))),
        ("T2 cannot lie on", laid(played, lay("T2", "J10 J12", 0))),
        ("the owners of a shape stand in seat order", laid(played, lay("T2", "J10 K10"))),
        ("the owners of a shape stand in seat order", laid(played, lay("T2", "J10 K10", 1, 0))),
        ("shapes stand in the order in which they were placed", laid(played, lay("T2", "J10 K10", 0, turn=11))),
        (
            "shapes stand in the order in which they were placed",
            laid(played, lay("T2", "J10 K10", 0, turn=3), lay("T2", "J12 K12", 0, turn=2)),
        ),
        ("nobody holds less than no special card", replace(played, specials=((2, -1, 1, 1), played.specials[1]))),
        ("morale is not active like that", replace(played, active=(None, Active(0, "")))),
        ("protection is not active like that", replace(played, active=(None, Active(1, "mountain")))),
        ("gods is not active like that", replace(four, active=(None, GODS_CARD, None, None))),
        ("red has more special cards than were dealt", replace(played, reserved=(1, None))),
        ("yellow has more special cards than were dealt", replace(played, active=(None, PROTECTED))),
        ("a special card was used in a turn that has been", replace(played, last_special=((6, 0), (0, 0)))),
        ("a special card was used in a turn that has been", replace(played, last_special=((0, -1), (0, 0)))),
        ("only two players may not use a card twice running", replace(three, last_special=((1, 0), (0, 0), (0, 0)))),
        (
            "two special cards of a kind are active together",
            replace(
                three, active=(None, PROTECTED, PROTECTED), specials=(three.specials[0], (2, 0, 1, 1), (2, 0, 1, 1))
            ),
        ),
        (
            "two special cards of a kind are active together",
            replace(
                three, active=(None, GODS_CARD, GODS_CARD), specials=(three.specials[0], (2, 1, 0, 1), (2, 1, 0, 1))
            ),
        ),
        (
            "the acting seat has given back its special card",
            replace(played, point="special", active=(PROTECTED, None), specials=((2, 0, 1, 1), played.specials[1])),
        ),
        (
            "the acting seat has given back its special card",
            replace(played, point="special", reserved=(1, None), specials=((2, 1, 1, 0), played.specials[1])),
        ),
        (
            "two seats have reserved the same shape",
            replace(three, reserved=(None, 1, 1), specials=(three.specials[0], (2, 1, 1, 0), (2, 1, 1, 0))),
        ),
        (
            "a shape is reserved of which there is no copy",
            replace(
                three,
                supply=(0, *three.supply[1:]),
                reserved=(None, 0, None),
                specials=(three.specials[0], (2, 1, 1, 0), three.specials[2]),
            ),
        ),
        ("there are 72 cards, each once", replace(played, draw=played.draw[1:])),
        ("a hand has up to four cards, in order", replace(played, draw=played.draw[5:], hands=(played.draw[:5], ()))),
        (
            "a hand has up to four cards, in order",
            replace(played, draw=played.draw[2:], hands=(played.draw[1::-1], ())),
        ),
        ("no conquest is proposed at 'special'", replace(asked, proposal=asked.proposal._replace(back="special"))),
        (
            "T3I cannot be placed as proposed",
            replace(asked, proposal=asked.proposal._replace(shape=SHAPE_NUMBER["T3I"])),
        ),
        ("T2 cannot be placed as proposed", replace(asked, proposal=asked.proposal._replace(mask=mask("B8 B9")))),
        ("T2 cannot be placed as proposed", replace(asked, supply=(0, *asked.supply[1:]))),
        (
            "exactly the seats whose protection is touched are asked",
            replace(asked, proposal=asked.proposal._replace(need=(*need, Needed(2)))),
        ),
        ("a seat that has refused is not asked again", replace(asked, refused=(1,))),
        (
            "when all have answered the question is closed",
            replace(asked, proposal=asked.proposal._replace(need=(Needed(1, "agree"),))),
        ),
        ("a seat that has resigned refuses at once", replace(asked, gone=(1,))),
        ("there is no legal conquest", replace(final, yurts=(0, 0, mask("D8")))),
        (
            "there is no special card to use",
            replace(played, point="special", specials=((0, 0, 0, 0), played.specials[1])),
        ),
    ]


def test_what_cannot_be_is_found():
    for wrong, state in bent():
        assert any(wrong in problem for problem in problems(state)), wrong
        with pytest.raises(BrokenInvariant):
            GAME.check(state)


def test_what_may_be_is_let_pass():
    """The same things where they are as they should."""
    played, three, four = based(yurts=YURTS), based(3, yurts=YURTS), based(4, yurts=YURTS)
    final = based(at="conquer 1", removed=FIVE, yurts=YURTS)
    may = [
        replace(four, refused=(1, 3), gone=(2,)),
        replace(final, refused=(1,)),
        replace(three, standing=(Standing(to=("", "always", "never", "")), Standing(), Standing())),
        laid(played, lay("T2", "J10 K10", 0, 1, turn=10), lay("T2", "J12 K12", 0, turn=10)),
        replace(played, last_special=((5, 0), (0, 5))),
        replace(three, active=(None, PROTECTED, GODS_CARD), specials=(three.specials[0], (2, 0, 1, 1), (2, 1, 0, 1))),
        replace(played, active=(PROTECTED, None), specials=((2, 0, 1, 1), played.specials[1])),
        replace(played, draw=played.draw[4:], hands=(played.draw[:4], ())),
        replace(
            four,
            reserved=(None, 1, 1, None),
            specials=(four.specials[0], *[(*four.specials[0][:3], 0)] * 2, four.specials[3]),
        ),
    ]
    assert [list(problems(state)) for state in may] == [[]] * len(may)
