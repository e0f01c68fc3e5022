"""`python -m tests.bench.scale [--measure] [--check] [--write]`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.bench.scale.plan import FIGURES, renewed

PAGE = Path(__file__).parents[3] / "docs" / "scale.md"

if __name__ == "__main__":
    figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    if "--measure" in sys.argv:
        from tests.bench.scale.measuring import measure

        figures = {**figures, **measure()}
    if "--check" in sys.argv:
        from tests.bench.scale.checking import check

        figures["check"] = check(figures)
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n")
    text = renewed(PAGE.read_text())
    if "--write" in sys.argv:
        PAGE.write_text(text)
    else:
        print(text)
