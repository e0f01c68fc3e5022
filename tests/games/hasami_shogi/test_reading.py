"""What players may write (HASAMI-6.1, HASAMI-6.2)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Refusal
from games.hasami_shogi import GAME
from games.hasami_shogi.moves import Move

NEW = GAME.from_position("base ppppppppp/ppppppppp/9/9/9/9/9/PPPPPPPPP/PPPPPPPPP g - g1 100")
TAKING = GAME.from_position("base 4ppppp/9/9/9/1Pp6/9/9/3P5/PPPPP4 g - g1 100")


def read(state, order):
    answer = GAME.read(state, GAME.pending(state)[0], order)
    return answer.code if isinstance(answer, Refusal) else str(answer)


FORMS = [
    (NEW, "e2-e5", ["e2-e5", "E2-E5", "e2e5", "e2 e5", "e2 - e5", "e2->e5", "e2 -> e5", "e2 to e5", "E2 TO E5"]),
    (NEW, "e2-e5", [f"e2{dash}e5" for dash in "\u2010\u2011\u2012\u2013\u2014\u2212"]),
    (NEW, "e2-e5", [" e2-e5\n", "e2\t-\u00a0e5", "e2\u202fe5", "e2 \r\n e5", "e2\u2192e5", "e2 \u2192 e5"]),
    (NEW, "e2-e5", [{"do": "move", "from": "e2", "to": "e5"}, {"action": "Move", "from": " E2", "to": "e5 "}]),
    (NEW, "e2-e5", [{"do": "e2-e5"}, {"action": "e2 to e5"}]),
    (TAKING, "d2-d5", ["d2-d5", "d2xd5", "d2:d5", "d2 x d5", "d2\u00d7d5", "D2 X D5", "d2d5", "d2 : d5"]),
    (TAKING, "d2-d5", [{"do": "capture", "from": "d2", "to": "d5"}, {"do": "d2xd5"}]),
    (NEW, "no_capture", ["e2xe5", "e2:e5", {"do": "capture", "from": "e2", "to": "e5"}, {"do": "e2\u00d7e5"}]),
]


@pytest.mark.parametrize(
    ("state", "meant", "order"), [(state, meant, order) for state, meant, orders in FORMS for order in orders]
)
def test_forms_that_are_understood(state, meant, order):  # HASAMI-6.1, HASAMI-6.2
    assert read(state, order) == meant


@pytest.mark.parametrize(
    "order",
    [
        *("", " ", "e2", "e2-", "-e5", "e2--e5", "e2-e5-e6", "e2=e5", "e2>e5", "e2toe5", "e2 to  the e5", "e2xxe5"),
        *(
            "move e2-e5",
            "e2-e5.",
            "e22-e5",
            "2e-5e",
            "\u0435" + "2-e5",
            "e\u0662-e5",
            "e2-e5\x00",
            "e\u200b2-e5",
            "pass",
        ),
        *({}, {"do": "move"}, {"from": "e2", "to": "e5"}, {"do": "move", "from": "e2"}, {"do": "move", "at": "e2"}),
        *({"do": "jump", "from": "e2", "to": "e5"}, {"do": "e2-e5", "to": "e5"}, {"do": {"from": "e2"}}),
        *({"do": "move", "action": "move", "from": "e2", "to": "e5"}, {"do": "move", "from": ["e2"], "to": "e5"}),
        *({"do": "move", "from": "e2", "to": "->e5"}, {"do": "move", "from": "", "to": ""}),
    ],
)
def test_forms_that_are_not(order):  # HASAMI-6.2
    assert read(NEW, order) == "unreadable"


@pytest.mark.parametrize(
    ("text", "move", "same"),
    [
        ("E2 to E5", "e2-e5", True),
        ("e2xe5", "e2-e5", True),
        ("e2-e4", "e2-e5", False),
        ("e5-e2", "e2-e5", False),
        ("anything", "e2-e5", False),
    ],
)
def test_words_for_what_another_seat_did(text, move, same):
    assert GAME.same_move(text, move) is same


@settings(max_examples=100, deadline=None)
@given(
    st.text(max_size=12)
    | st.from_regex(r"[a-j][0-9] ?(-|x|:|->| to | |) ?[a-j][0-9]", fullmatch=True)
    | st.dictionaries(st.sampled_from(["do", "action", "from", "to", "x"]), st.text(max_size=6))
)
def test_any_words_get_an_answer(order):
    """Nothing a player writes breaks the reader: he gets a legal move or a refusal that can be told."""
    for state in (NEW, TAKING):
        (seat,) = GAME.pending(state)
        answer = GAME.read(state, seat, order)
        if isinstance(answer, Refusal):
            assert str(answer)
            assert answer.to_json()["legal"] == [str(move) for move in GAME.moves(state, seat)]
        else:
            assert isinstance(answer, Move)
            assert answer in list(GAME.moves(state, seat))
