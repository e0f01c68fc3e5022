"""Maps can be read on a phone: letters of nine pixels at least where the picture is 360 wide, none on another.

So in every language. Weakened builds, seen red: the lands of Khan four in a row, which Italian has no room for; the
maps as they were before (letters of 3.4 pixels); a name of four letters set as wide as it is; see also
`test_what_is_wrong_is_found`.
"""

from __future__ import annotations

import dataclasses
import re
from itertools import combinations, product
from xml.etree import ElementTree

import pytest

from engine import Dice, load
from pbem.reports.environment import LANGUAGES
from pbem.reports.words import Memo, Words
from tests.maps.boards import CROWDED, OURS, boards, spoken
from tests.maps.measuring import PHONE, Line, Measured, Text, discs, lines, measured

SMALLEST = 8.99  # pixels
MARKED = "#ffe36b"  # what the places of the last changes are filled with
HORSE = 11  # half of one that waits
LONGEST = 1500  # characters of a description; a screen reader reads it in one go


def faults(picture: Measured) -> list[str]:
    texts = [text for text in picture.texts if not text.halo]
    left, top, wide, high = picture.box
    found = [f"{text.said!r} is {text.pixels:.1f} px" for text in texts if text.pixels < SMALLEST]
    found += [f"{one.said!r} lies on {other.said!r}" for one, other in combinations(texts, 2) if one.crosses(other)]
    outside = [
        text
        for text in texts
        if text.left < left or text.right > left + wide or text.bottom > top + high or text.top < top
    ]
    return found + [f"{text.said!r} is cut off" for text in outside]


@pytest.mark.parametrize("game", OURS)
def test_every_letter_can_be_read_at_360_pixels(game):
    looked_at = 0
    for board in (*boards(game), *spoken(game)):
        picture = measured(board.svg)
        found = faults(picture)
        if picture.box[2] > CROWDED:  # all letters are large enough even so; some names touch
            found = [fault for fault in found if " lies on " not in fault]
        assert found == [], board
        assert picture.box[3] / picture.box[2] * PHONE <= 5 * PHONE, board
        looked_at += len(picture.texts)
    assert looked_at > 100


def test_the_names_of_points_lie_beside_the_lines():
    """On both boards, whatever stands there and was marked. Seen red: names on the diagonals, as they were before."""
    looked_at = 0
    for board in boards("bagh-chal"):
        picture = measured(board.svg)
        names = [text for text in picture.texts if text.said in board.view.facts["board"]["points"] and not text.halo]
        assert len(names) == len(board.view.facts["board"]["points"])
        found = [text.said for text in names for line in lines(picture.root) if line.crosses(text, gap=2)]
        assert found == [], board
        looked_at += len(names)
    assert looked_at > 500


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_horse_that_waits_hides_how_many_there_are(lang):
    """They are drawn behind the number. Seen red: French, whose words ran below the first of them."""
    rules = load("yut")
    setup = rules.setup(rules.Options(players=3), Dice(b"7" * 32, "x").at("0"))
    picture = measured(str(Words(rules, lang, Memo()).pictured(rules.view(setup.state, None), ())))
    said = [text for text in picture.texts if re.fullmatch(r"\D+ 3", text.said)]
    drawn = [float(at) for at in re.findall(r"translate\((\d+),", ElementTree.tostring(picture.root, "unicode"))]
    first = min(at for at in drawn if at > 100 and drawn.count(at) == len(said) == 3)
    assert [text.said for text in said if text.right > first - HORSE] == []


@pytest.mark.parametrize(("variant", "touched"), [("classic", set()), ("pulijudam", {("d4", "e4")})])
def test_no_mark_of_a_change_touches_a_name(variant, touched):
    """Whatever stands on a point and on those around it. Marks two pixels wider are found, where it is narrowest."""
    rules = load("bagh-chal")
    setup = rules.setup(rules.Options(variant=variant), Dice(b"7" * 32, "x").at("0"))
    view = rules.view(setup.state, None)
    points = list(view.facts["board"]["points"])

    def drawn(piece: str | None, marks: tuple[str, ...]) -> Measured:
        facts = {**view.facts, "pieces": dict.fromkeys(points, piece) if piece else {}, "threats": [], "trapped": []}
        svg = Words(rules, "en", Memo()).pictured(dataclasses.replace(view, facts=facts), marks)
        return measured(str(svg))

    largest = dict(zip(points, discs(drawn("tiger", tuple(points)).root, MARKED), strict=True))
    near = set()
    for piece, marks in product((None, "tiger"), ((), tuple(points))):
        picture = drawn(piece, marks)
        own = dict(zip(points if marks else (), discs(picture.root, MARKED), strict=True))
        names = [text for text in picture.texts if text.said in points and not text.halo]
        assert len(names) == len(points)
        for text, point in product(names, points):
            disc = largest[point] if text.said != point else own.get(point)
            assert disc is None or not disc.touches(text), (text.said, point, piece, marks)
            if disc is not None and disc.touches(text, gap=2):
                near.add((text.said, point))
    assert near == touched


@pytest.mark.parametrize(
    ("line", "lies_on_it"),
    [
        (Line(0, 0, 100, 100), True),
        (Line(0, 50, 100, 50), True),
        (Line(50, 0, 50, 30), False),
        (Line(0, 0, 60, 20), False),
        (Line(70, 0, 70, 100), False),
        (Line(50, 45, 50, 55), True),
    ],
)
def test_a_line_that_lies_under_a_text_is_found(line, lies_on_it):
    assert line.crosses(Text("name", 10, "#000000", False, 40, 40, 60, 60)) is lies_on_it


@pytest.mark.parametrize("game", OURS)
def test_the_description_is_written_from_the_state(game):
    told = set()
    for board in boards(game):
        picture = measured(board.svg)
        assert picture.title.strip(), board
        words = " ".join(picture.desc.split())
        assert len(words) > 20, board
        assert "None" not in words, board
        assert "Markup" not in words, board
        told.add((picture.title, words))
    assert len(told) > len(boards(game)) / 2, "descriptions of different states are the same"


@pytest.mark.parametrize(
    ("svg", "fault"),
    [
        ('<text x="10" y="50" font-size="8">small</text>', "'small' is 6.0 px"),
        ('<g transform="scale(.5)"><text x="10" y="50" font-size="20">small</text></g>', "'small' is 7.5 px"),
        ('<text x="10" y="50" font-size="20">one</text><text x="14" y="52" font-size="20">two</text>', "'one' lies on"),
        ('<text x="470" y="50" font-size="20">outside</text>', "'outside' is cut off"),
        ('<text x="10" y="50" font-size="20" text-anchor="end">outside</text>', "'outside' is cut off"),
    ],
)
def test_what_is_wrong_is_found(svg, fault):
    found = faults(measured(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 200">{svg}</svg>'))
    assert any(one.startswith(fault) for one in found), found
