"""Which option sets of a game are played: every value of every option, and pairs of values as far as they go."""

from __future__ import annotations

import random
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import Any

from engine import BadOption, load
from engine.options import Spec

# Sets that cannot be derived: texts that the game reads itself, and combinations too rare to be met by chance.
EXTRA: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "bagh-chal": (
        {"heroes": True, "alpha": "e5", "match": "three"},
        {"heroes": True, "alpha": "d4", "variant": "pulijudam", "quiet_limit": 20},
    ),
    "yuan": (
        {"players": 2, "clans": "mu,xiangi", "powers": True, "tile_setup": "dealt"},
        {"players": 5, "clans": "mu,suhey,weyu,xiangi,jinhe", "powers": True, "rivers": True, "auction": True},
    ),
    "khan": ({"players": 3, "leader_setup": "custom", "leaders": "F2 C7 C2 L3 K7 C11 G12 L11"},),
    "jarmo": ({"camps": "b2+d4", "golden": True},),
    "yut": (
        {"players": 3, "wild": True, "hurdles": "r5+b1"},
        {"players": 4, "favourite": True, "wild": True, "game": 2, "first": 3, "hurdles": "r20+o"},
    ),
    "nim": ({"heaps": "1"}, {"heaps": "7-20-1", "misere": True}, {"heaps": "2-2-2-2-2-2", "most": 1}),
}
TRIES = 3000

Chosen = tuple[str, Any]


@cache
def option_sets(game_id: str, most: int = 12) -> tuple[Any, ...]:
    """The default set, the extra ones, then sets that add values and then pairs of values not played yet."""
    kind = load(game_id).Options
    found = [kind(), *(kind(**choices) for choices in EXTRA.get(game_id, ()))]
    candidates = list(_possible(game_id))
    for width, limit in ((1, TRIES), (2, most)):
        covered = {part for options in found for part in _parts(options, width)}
        while len(found) < limit:
            best = max(candidates, key=lambda options: len(_parts(options, width) - covered), default=None)
            if best is None or not (new := _parts(best, width) - covered):
                break
            covered |= new
            found.append(best)
    return tuple(dict.fromkeys(found))


def words(options: Any) -> str:
    """A set as it is written on a command line, from which `told` makes it again."""
    said = options.to_json().items()
    texts = ((name, ",".join(value) if isinstance(value, list) else value) for name, value in said)
    return shlex.join(f"{name}={text}" for name, text in texts)


def told(game_id: str, pairs: Iterable[str]) -> Any:
    """The set that such words mean."""
    return load(game_id).Options(**dict(pair.split("=", 1) for pair in pairs))


def values_of(default: Any, spec: Spec) -> tuple[Any, ...]:
    """The values to try for one option, told from how it describes itself."""
    if bounds := re.fullmatch(r"(-?\d+) to (-?\d+)", spec.values):
        low, high = int(bounds[1]), int(bounds[2])
        return tuple(range(low, high + 1)) if high - low < 10 else tuple(sorted({low, high, default}))
    words = tuple(spec.values.split(" | "))
    return words if len(words) > 1 and all(re.fullmatch(r"[\w-]+", word) for word in words) else (default,)


def unplayed(game_id: str) -> list[Chosen]:
    """Values that no option set uses."""
    kind = load(game_id).Options
    wanted = {
        (name, spec.read(name, value))
        for name, (default, spec) in kind.specs().items()
        for value in values_of(default, spec)
    }
    used = {part for options in option_sets(game_id) for (part,) in _parts(options, 1)}
    return sorted(wanted - used, key=str)


def _possible(game_id: str) -> Iterator[Any]:
    """Different sets the game accepts, met by chance; the same ones in every run."""
    kind = load(game_id).Options
    menus = {name: values_of(*given) for name, given in kind.specs().items()}
    luck = random.Random(game_id)
    met = set()
    for _ in range(TRIES):
        choices = {name: luck.choice(values) for name, values in menus.items()}
        key = tuple(choices.values())
        if key in met:
            continue
        met.add(key)
        try:
            yield kind(**choices)
        except BadOption:
            continue


def _parts(options: Any, width: int) -> set[tuple[Chosen, ...]]:
    chosen = sorted(((name, getattr(options, name)) for name in options.specs()), key=lambda pair: pair[0])
    return set(combinations(chosen, width))
