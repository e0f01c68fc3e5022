"""The whole season by hand: `python -m tests.season [--games 200] [--nights 60] [--seed 1]`; says what it came to."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from time import monotonic

from tests import conftest  # noqa: F401  (the sample games)
from tests.season.season import begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, usual in (("games", 200), ("nights", 60), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--pages", action="store_true", help="each report brings its page, as hosts have it")
    said = parser.parse_args()
    started = monotonic()
    with tempfile.TemporaryDirectory(prefix="season-") as room:
        season = begin(Path(room) / "host", said.seed, said.games, pages=said.pages)
        for night in range(said.nights):
            season.day()
            sys.stdout.write(f"night {night + 1}: {dict(season.seen)}, {monotonic() - started:.0f} s\n")
            sys.stdout.flush()
        sys.stdout.write(f"seed {said.seed}: {season.end()}\n")


if __name__ == "__main__":
    main()
