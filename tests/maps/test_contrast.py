"""Every letter stands out from what is behind it: contrast AA (4.5 to 1), computed on the painted picture.

Weakened build, seen red: grey letters on Khan's mountains as they were (3.1 to 1).
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from pbem.pictures import painting
from tests.maps.boards import CROWDED, OURS, Board, boards
from tests.maps.colours import contrast, rgb
from tests.maps.measuring import Text, measured
from tests.maps.pixels import Pixels, pixels

ENOUGH = 4.5
MOST = 4  # boards of a game: painting and reading a picture takes a second

resvg = pytest.mark.skipif(not painting.able(), reason="resvg-py (the extra `png`) is not installed")


def faint(svg: str) -> list[tuple[str, float]]:
    """Texts that do not stand out, with their contrast. The picture is painted without them and looked at there."""
    picture = measured(svg)
    behind = pixels(painting.paint(_without_texts(svg).encode()))
    scale = behind.wide / picture.box[2]
    found = []
    for text in picture.texts:
        if not text.halo and (least := _contrast(text, behind, picture.box, scale)) < ENOUGH:
            found.append((text.said, round(least, 2)))
    return found


def _without_texts(svg: str) -> str:
    """Halos stay: they are what the letter on them stands on."""
    return re.sub(r"<text(?![^>]* stroke=)[^>]*>.*?</text>", "", svg, flags=re.DOTALL)


def _contrast(text: Text, behind: Pixels, box: tuple[float, float, float, float], scale: float) -> float:
    """Against the colour that most of the letters' own ground has."""
    columns = range(round((text.left - box[0]) * scale) + 1, max(round((text.right - box[0]) * scale), 2))
    rows = range(round((text.top - box[1]) * scale) + 1, max(round((text.bottom - box[1]) * scale), 2), 2)
    ground: Counter[tuple[int, int, int]] = Counter(behind.at(x, y) for y in rows for x in columns)
    if not ground:
        return 21.0
    colour = tuple(part / 255 for part in ground.most_common(1)[0][0])
    return contrast(rgb(text.fill), colour)  # type: ignore[arg-type]


def some(game: str) -> list[Board]:
    found = [board for board in boards(game) if measured(board.svg).box[2] <= CROWDED]
    return found[:: max(1, len(found) // MOST)][:MOST]


@resvg
@pytest.mark.parametrize("game", OURS)
def test_every_letter_stands_out(game):
    for board in some(game):
        assert faint(board.svg) == [], board


@resvg
def test_a_faint_letter_is_found():
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" font-size="30">'
        '<rect width="200" height="100" fill="#d6ccc2"/><text x="20" y="50" fill="#7d7468">M</text>'
        '<text x="90" y="50" fill="#26211b">I</text></svg>'
    )
    assert [said for said, _ in faint(picture)] == ["M"]
