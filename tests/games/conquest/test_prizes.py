"""What victory points are given for, and to whom: cells of the Grail and of the capitals of enemies (CONQ-12.1)."""

from __future__ import annotations

import pytest

from games.conquest import GAME
from games.conquest.ending import together, victory_points
from tests.games.conquest.builders import position

HELD = "sd6=Sk wd6=Sk wc4=Ss nd6=Sk ed6=Sk g1=Ss g2=Wk"  # south stands in all capitals


@pytest.mark.parametrize(
    ("opts", "points", "prizes"),
    [
        ("free4:exchange:all:12", (6 + 3 + 5, 4 + 1, 3, 3), ["wd6", "wc4", "nd6", "ed6", "g1"]),
        ("alliance4:exchange:all:12", (6 + 3 + 4, 4 + 1, 3, 3), ["wd6", "wc4", "ed6", "g1"]),
    ],
)
def test_a_cell_is_worth_a_point_in_the_capital_of_an_enemy(opts, points, prizes):  # CONQ-12.1, CONQ-14.2
    state = position(HELD, opts=opts)
    assert victory_points(state) == points
    held = {colour: side["held"] for colour, side in GAME.view(state, None).facts["colours"].items()}
    assert {colour: sorted(cells) for colour, cells in held.items()} == {
        "s": sorted(prizes), "w": ["g2"], "n": [], "e": [],
    }  # fmt: skip


def test_partners_win_by_their_points_together():  # CONQ-14.7
    """South alone has most, west and east have more between them."""
    many = "wd1=Ws wd2=Ws ed1=Es ed2=Es"
    state = position(f"{many} g1=Ss g2=Ss", opts="alliance4:exchange:all:12")
    assert victory_points(state) == (7, 5, 3, 5)
    assert together(state) == (0, 1, 2, 3)
    assert together(position(f"{many} ed3=Es g1=Ss g2=Ss", opts="alliance4:exchange:all:12")) == (1, 3)
