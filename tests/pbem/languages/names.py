"""Words that sources do not mark: what games call their decisions, and words that stand in answers' facts.

They are computed (`a red yurt`), or are names in code (`hurdle`), so that no reading of sources finds them.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.conquest.refusing import COLOUR_NAMES
from games.conquest.units import PIECE
from games.khan.material import BLACK, LEADER_NUMBER, REGIONS, SEATS, SHAPE_NUMBER, SPECIALS
from games.khan.material import SHAPES as KHAN_SHAPES
from games.yuan.dry import ACTIONS, STOCK_RULES
from games.yuan.state import DECISIONS
from games.yut.judging import SPACES_IN_WORDS
from games.yut.state import SIDES
from pbem.ledger import games
from pbem.reports.fallback import SPOKEN

NAMES: Mapping[str, tuple[str, ...]] = {
    "bagh-chal": ("over", "extra", "place", "move"),
    "conquest": ("over", "counter", "move"),
    "hasami-shogi": ("over", "move"),
    "jarmo": ("over", "move"),
    "khan": ("place", "action", "special", "third", "consent", "conquer", "over"),
    "yuan": tuple(DECISIONS.values()),
    "yut": ("over", "hurdle", "move"),
}

FACTS: Mapping[str, tuple[str, ...]] = {
    "frame": (*SPOKEN, *games.SAID.values(), "as ordered", "by standing order", "from a draft",
              "no orders came",
              "the seat has resigned", "by the stand-in"),
    "bagh-chal": ("nothing", "tiger", "goat", "Bouc", "the Bouc", "a tiger", "a goat", "nobody has won",
                  *(f"seat {seat} has won" for seat in (1, 2)),
                  *(f"Seat {seat} ({side})" for seat in (1, 2) for side in ("goats", "tigers"))),
    "conquest": (*COLOUR_NAMES.values(), *dict.fromkeys(PIECE.values())),
    "hasami-shogi": ("nothing", "nobody has won", *(f"seat {seat} has won" for seat in (1, 2)),
                     *(f"a {side} {kind}" for side in ("green", "red") for kind in ("Samurai", "Shogun")),
                     *(f"Seat {seat} ({side})" for seat in (1, 2) for side in ("green", "red"))),
    "jarmo": ("none", "drawn", "green", "blue", "green has won", "blue has won"),
    "khan": ("nothing", "the river", "black only", *SEATS, *SPECIALS, *REGIONS, "1 or 2",
             "place", "action 1", "action 2", "special", "third", "consent", "conquer 1", "conquer 2",
             *(f"{seat} {yurts}" for seat in SEATS for yurts in range(1, max(shape.size for shape in KHAN_SHAPES) + 1)),
             *(f"a {colour} yurt" for colour in (*SEATS, BLACK)),
             *(f"the leader {leader}" for leader in LEADER_NUMBER), *(f"the shape {shape}" for shape in SHAPE_NUMBER)),
    "yuan": (*DECISIONS.values(), *STOCK_RULES, *(word for _, word in ACTIONS)),
    "yut": (*dict.fromkeys(side for sides in SIDES.values() for side in sides), "finish", "wild", SPACES_IN_WORDS,
            *(f"{side}-{one}" for side in SIDES[4] for one in (1, 2))),
}  # fmt: skip
