"""Every event with its facts and paragraph, in the order of section 8."""

from games.yut.sticks import FALLS, RETHROW_ON
from tests.games.yut.table import kinds, play


def test_an_entering_horse():
    _, story = play("2 1 3 0 4/0/-;4/0/- - - 0 -", "3 new", then=(1,))
    assert story[0][:3] == (
        "entered",
        "YUT-3.4",
        {"seat": "orange", "side": "orange", "horses": 1, "throw": 3, "from": None, "to": "r3", "shortcut": False},
    )


def test_a_pile_on_the_shortcut():
    _, story = play("4 2 3 0 4/0/-;2/0/r5x2 - - 4 -", "3 b *", then=(1,))
    assert story[0][:3] == (
        "moved",
        "YUT-4.2",
        {"seat": "blue-1", "side": "blue", "horses": 2, "throw": 3, "from": "r5", "to": "o", "shortcut": True},
    )


def test_the_whole_order():
    """Move, jump, catch without throw, forfeit, wild horse with jump and blow, and the next seat's throws."""
    before = "2 1 3,1 2 0/3/r5;2/0/r9,r17 r19/r10/0 r8+r18 9 -"
    line, story = play(before.replace("3,1 2", "3 2"), "3 r5", then=(4, 1))
    assert kinds(story) == [
        *("moved", "jumped", "caught", "no_extra_throw"),
        *("wild_jumped", "wild_moved", "wild_struck", "thrown", "thrown"),
    ]
    assert [event.rule for event in story] == [
        *("YUT-3.1", "YUT-12.3", "YUT-6.1", "YUT-2.5"),
        *("YUT-12.6", "YUT-11.2", "YUT-11.4", "YUT-2.3", "YUT-2.4"),
    ]
    assert line == "2 2 4,1 1 0/3/r9;4/0/- r17/r10/0 r8+r18 10 -"


def test_every_throw_can_be_told():
    assert len(FALLS) == 7
    for seat, by_why in FALLS.items():
        assert list(by_why) == ["turn", "again", "catch"]
        for why, falls in by_why.items():
            assert len(falls) == 16
            for event, (value,), again in falls:
                assert (event.kind, event.facts["seat"], event.facts["why"]) == ("thrown", seat, why)
                assert (event.facts["sticks"].count("flat") or 5) == event.facts["value"] == value
                assert again == (value in RETHROW_ON)
