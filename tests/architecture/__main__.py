"""`python -m tests.architecture`: how long functions are, in every room, and which are the longest."""

from __future__ import annotations

import sys
from statistics import median

from tests.architecture.reading import ROOMS, sources
from tests.architecture.reading_well import lengths


def main() -> None:
    for room in ROOMS:
        found = sorted((length for source in sources(room) for length in lengths(source)), reverse=True)
        if found:
            numbers = [length for length, _ in found]
            sys.stdout.write(f"{room}: {len(found)} functions, median {median(numbers):g} lines, longest:\n")
            sys.stdout.writelines(f"  {length:3} {place}\n" for length, place in found[:8])


if __name__ == "__main__":
    main()
