"""Maps are told apart by everybody: colours that no colour blindness brings together, and never a colour alone.

Weakened builds, seen red: the colours as they were before (Yuan's blue and purple 3.4 apart for deuteranopes, Khan's
rock desert and rain forest 1.6 for protanopes); a map whose pieces differ by colour only.
"""

from __future__ import annotations

import re

import pytest

from tests.maps.boards import OURS, boards, drawn, story
from tests.maps.colours import BLINDNESS, contrast, distance, nearest, rgb

APART = 10  # CIEDE2000: seen at a glance
# Colours whose difference means something, as groups of which any two must be told apart.
MEANINGS: dict[str, dict[str, dict[str, str]]] = {
    "bagh-chal": {"pieces": {"goat": "#d5e8f8", "bouc": "#0b5394", "tiger": "#c8410e"}},
    "hasami-shogi": {"pieces": {"green": "#00785c", "red": "#ffb9a3", "changed": "#ffe36b"}},
    "jarmo": {
        "sides": {"green": "#12714a", "blue": "#1f4796", "gold": "#f4c430"},
        "camps": {"green": "#e6f5d0", "blue": "#c3d3f6", "changed": "#ffe36b"},
    },
    "yut": {"sides": {"orange": "#e69f00", "blue": "#0072b2", "green": "#5cc48c", "wild": "#2b2b2b"}},
    "khan": {
        "seats": {"red": "#b5401a", "yellow": "#f7e11b", "blue": "#2250ac", "green": "#25b8a6", "nobody": "#1d1b19"},
        "ground": {
            "mountain": "#b3b1bd", "ice": "#eaf3ff", "tundra": "#c6f3cf", "rock desert": "#dcb39d",
            "sand desert": "#fdf3a0", "rain forest": "#86bd5c", "river": "#77b0f8",
        },
    },
    "conquest": {
        "sides": {"south": "#c8321f", "west": "#1567c4", "north": "#26262b", "east": "#8fd694"},
        "ground": {"sea": "#c9e2f1", "land": "#f6efdd", "changed": "#ffe45c", "grail": "#ffd65c"},
    },
    "yuan": {
        "clans": {
            "black": "#26221e", "red": "#971901", "green": "#006e54", "orange": "#e08412", "blue": "#0f62d6",
            "yellow": "#ffdf8a", "white": "#ffffff", "purple": "#5f0b87",
        },
        "ground": {
            "rice": "#fdf6a4", "mine": "#c3bfca", "forest": "#c0e4c4", "hills": "#dfb07c", "lake": "#9cc4fa",
            "mountain": "#858b86",
        },
    },
}  # fmt: skip
ALONE = {("conquest", "ground", "changed", "grail")}  # one is a square with a dashed edge, the other round and lettered
GROUPS = [(game, group) for game, groups in MEANINGS.items() for group in groups]


def test_every_game_has_said_what_its_colours_mean():
    assert set(MEANINGS) == set(OURS)


@pytest.mark.parametrize(("game", "group"), GROUPS)
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_no_two_meanings_look_alike(game, group, blindness):
    colours = MEANINGS[game][group]
    away, one, other = nearest(colours, blindness)
    if (game, group, one, other) in ALONE:
        away, one, other = nearest({name: colour for name, colour in colours.items() if name != other}, blindness)
    assert away >= APART, (one, other, away)


@pytest.mark.parametrize("game", OURS)
def test_the_maps_use_these_colours(game):
    """So that the table above cannot grow old: every colour of it stands in the templates."""
    from pbem.paths import data

    source = "".join(file.read_text("utf-8") for file in (data("templates") / game).glob("*.svg.j2"))
    missing = {colour for group in MEANINGS[game].values() for colour in group.values() if colour not in source}
    assert not missing


@pytest.mark.parametrize("game", OURS)
def test_colour_is_never_the_only_sign(game):
    """Without any colour the maps of different positions still differ, wherever they differed with them."""
    seen: dict[str, str] = {}
    for state, events in story(game)[:150]:
        svg = _body(drawn(game, state, events))
        bare = _colourless(svg)
        assert seen.setdefault(bare, svg) == svg, "these two differ in nothing but colours"
    assert len(seen) > 10


def test_a_map_of_colours_alone_would_be_found():
    one, other = ('<circle r="5" fill="#c0301f"/>', '<circle r="5" fill="#1667a8"/>')
    assert one != other
    assert _colourless(one) == _colourless(other)
    assert nearest({"rock": "#e9cfb3", "forest": "#bcd6ae"}, "protan")[0] < APART
    assert nearest({"blue": "#2360a8", "purple": "#7a3d96"}, "deutan")[0] < APART


def test_the_measures_are_the_published_ones():
    """WCAG's own examples, and pairs of the CIEDE2000 test data (Sharma, Wu, Dalal 2005) as sRGB has them."""
    assert round(contrast(rgb("#000000"), rgb("#ffffff")), 2) == 21
    assert round(contrast(rgb("#777777"), rgb("#ffffff")), 2) == 4.48
    assert distance(rgb("#102030"), rgb("#102030")) == 0
    assert round(distance(rgb("#000000"), rgb("#ffffff")), 1) == 100
    assert boards  # the maps are made by the same builder everywhere


def _body(svg: str) -> str:
    return svg[svg.index("</desc>") :]


def _colourless(svg: str) -> str:
    return re.sub(r'(fill|stroke)="(#[0-9a-f]{3,6}|none)"', "", svg)
