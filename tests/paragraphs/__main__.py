"""`python -m tests.paragraphs [GAME ...]`: prints rule paragraph -> code -> tests, and fails on a gap."""

from __future__ import annotations

import sys

from tests.paragraphs.matrix import Matrix, listed, matrix


def main(names: list[str]) -> int:
    found = [matrix(game) for game in names or listed()]
    for one in found:
        sys.stdout.write(table(one) + "\n")
    wrong = [line for one in found for line in (*one.gaps, *(f"no such paragraph: {line}" for line in one.strangers))]
    sys.stdout.write(("\n".join(wrong) or "Every paragraph is cited by code and by a test.") + "\n")
    return 1 if wrong else 0


def table(one: Matrix) -> str:
    """A line per paragraph, and the totals."""
    lines = [f"# {one.game}"]
    for paragraph in one.paragraphs:
        code, tests = (" ".join(places.get(paragraph, ("-",))) for places in (one.code, one.tests))
        lines.append(f"{paragraph:14} {code}  |  {tests}")
    both = sum(1 for paragraph in one.paragraphs if paragraph in one.code and paragraph in one.tests)
    lines.append(f"{one.game}: {len(one.paragraphs)} paragraphs, {both} cited by both code and tests\n")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
