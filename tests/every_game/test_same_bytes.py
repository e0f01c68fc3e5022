"""Same seed and same moves, same bytes: under any PYTHONHASHSEED, time zone and language (G11)."""

import itertools
import os
import subprocess
import sys

import pytest

from engine import games
from tests.every_game.rules import ROOT

LONG = "PBEM_LONG" in os.environ
COUNT = int(os.environ.get("PBEM_LONG", "0")) // 100 or 4
HASH_SEEDS, ZONES, LANGUAGES = (
    ("0", "1", "4711"),
    ("UTC", "America/St_Johns", "Asia/Kathmandu"),
    ("C", "fr_FR.UTF-8", "tr_TR"),
)
# Every two values meet once; in a usual run each value comes once.
SQUARE = [(HASH_SEEDS[a], ZONES[b], LANGUAGES[(a + b) % 3]) for a, b in itertools.product(range(3), repeat=2)]
SOME = SQUARE if LONG else SQUARE[::4]


def digests(count, hash_seed, zone, language):
    """One line per game, from a process of its own."""
    setting = {"PYTHONHASHSEED": hash_seed, "TZ": zone, "LANG": language, "LC_ALL": language}
    command = [sys.executable, "-m", "tests.every_game", "digest", *games(), "--games", str(count)]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **setting}, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.timeout(0 if LONG else 300)
def test_every_environment_gives_the_same_bytes():
    found = {setting: digests(COUNT, *setting) for setting in SOME}
    first, *others = found.values()
    assert [line.split()[0] for line in first] == list(games())
    assert all(other == first for other in others), found


@pytest.mark.parametrize("weakened", ["hash", "zone", "language"])
def test_a_game_that_looks_around_is_found(weakened):
    """The comparison bites: a set in print order, the local time and the locale do differ between these settings."""
    looks = {
        "hash": "print({'tiger', 'goat', 'bouc', 'alpha'})",
        "zone": "import time; print(time.localtime(0))",
        "language": "import os; print(os.environ['LANG'])",
    }
    said = set()
    for hash_seed, zone, language in SOME:
        setting = {"PYTHONHASHSEED": hash_seed, "TZ": zone, "LANG": language}
        command = [sys.executable, "-c", looks[weakened]]
        said.add(subprocess.run(command, env={**os.environ, **setting}, capture_output=True, check=True).stdout)
    assert len(said) > 1
