"""Sets of placements as bits: what is asked of all at once is what each of them would answer."""

import random

import pytest

from games.khan.material import BOARD
from games.khan.placements import PLACEMENTS, differing, greater, numbers_of, tally, touching, within

CELLS = BOARD.cells


def some(luck, share):
    return sum(1 << cell for cell in CELLS if luck.random() < share)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_bits_say_what_each_placement_would(share):
    luck = random.Random(f"bits {share}")
    one, other = some(luck, share), some(luck, 0.5)
    tallied, against = tally(one), tally(other)
    asked = {
        "touching": (touching(one), lambda mask: mask & one),
        "within": (within(one), lambda mask: not mask & ~one),
        "greater": (greater(tallied, against), lambda mask: (mask & one).bit_count() > (mask & other).bit_count()),
        "differing": (differing(tallied, against), lambda mask: (mask & one).bit_count() != (mask & other).bit_count()),
    }
    for name, (found, wanted) in asked.items():
        assert numbers_of(found) == [each.number for each in PLACEMENTS if wanted(each.mask)], name


def test_placements_are_numbered_in_their_order():
    assert [placement.number for placement in PLACEMENTS] == list(range(len(PLACEMENTS)))
