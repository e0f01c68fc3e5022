"""The rooms whose tests are put to the trial, with the tests that belong to each and the share they must notice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
CORE, RULES = 0.95, 0.90  # GUARANTEES, G24


@dataclass(frozen=True)
class Room:
    """Files (patterns under the root, without those that begin with one of `but`), tests, and the goal."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    goal: float
    but: tuple[str, ...] = ()

    def files(self) -> list[Path]:
        found = {path for pattern in self.sources for path in ROOT.glob(pattern)}
        return sorted(path for path in found if not str(path.relative_to(ROOT)).startswith(self.but or ("\0",)))


# Whole games by chance of the large games: each runs nearly every line, and takes as long as hundreds of other tests. A
# mutant must be noticed without them.
BY_CHANCE = {"conquest": "test_random_play.py", "khan": "test_walks.py", "yuan": "test_random_games.py"}


def _game(room: str) -> Room:
    """The rules of a game. How its robots value a position is no rule, as another weight is as good; nor is how a page
    lays out its choices, which `tests/pages` and `tests/every_game` look at."""
    no_rules = (f"games/{room}/appraisal.py", f"games/{room}/composing.py")
    tests = sorted(path for path in ROOT.glob(f"tests/games/{room}/test_*.py") if path.name != BY_CHANCE.get(room))
    return Room((f"games/{room}/**/*.py",), tuple(str(path.relative_to(ROOT)) for path in tests), RULES, but=no_rules)


# What harms a reader is tried by tests of their own, with children that are bounded; they would take a night.
INTAKE = tuple(
    f"test_{word}.py"
    for word in ("characters", "corners", "fields", "judge", "reading", "settings", "sketch", "yaml_events")
)
# The server's side has tests that need a server; figures are looked at by the tests of the command line.
SERVER = (
    "pbem/ledger/on_postgres.py",
    "pbem/ledger/postgres_guards.py",
    "pbem/ledger/lanes.py",
    "pbem/ledger/moving.py",
)
LEDGER = tuple(
    str(path.relative_to(ROOT))
    for path in sorted(ROOT.glob("tests/pbem/ledger/test_*.py"))
    if path.name != "test_postgres.py"
)

ROOMS = {
    "dice": Room(("engine/dice.py",), ("tests/engine/test_dice.py",), CORE),
    "ledger": Room(
        ("pbem/ledger/*.py",),
        (*LEDGER, "tests/pbem/correspondence/test_forgetting.py", "tests/pbem/audit/test_verify.py"),
        CORE,
        but=(*SERVER, "pbem/ledger/figures.py"),
    ),
    "intake": Room(("pbem/intake/*.py",), tuple(f"tests/pbem/intake/{name}" for name in INTAKE), CORE),
    "mail": Room(
        ("pbem/intake/mail/*.py", "pbem/arriving/*.py", "pbem/post/*.py"),
        ("tests/pbem/intake/mail", "tests/pbem/arriving", "tests/pbem/post"),
        CORE,
    ),
    **{room: _game(room) for room in ("bagh_chal", "conquest", "hasami_shogi", "jarmo", "khan", "yuan", "yut")},
}
