"""What the last trial of each room came to: kept beside the tool, and told in the table of guarantees (G24)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

KEPT = Path(__file__).with_name("measured.json")
Measured = dict[str, dict[str, dict[str, Any]]]


def known(kept: Path = KEPT) -> Measured:
    """Kind (`mutants`, `branches`) -> room -> what was counted."""
    found: Measured = json.loads(kept.read_text()) if kept.exists() else {}
    return found


def keep(kind: str, room: str, counted: Mapping[str, Any], kept: Path = KEPT) -> None:
    measured = known(kept)
    measured.setdefault(kind, {})[room] = dict(counted)
    kept.write_text(json.dumps(measured, indent=1, sort_keys=True) + "\n")


def well(counted: Mapping[str, Any]) -> bool:
    return bool(counted["share"] >= counted["goal"])


def in_words(kind: str, counted: Mapping[str, Mapping[str, Any]]) -> str:
    """One line: each room's share of those that were drawn, in percent; too long a test counts as one that failed."""
    shares = (
        f"{room} {100 * found['share']:.1f} % ({found['tried']} drawn of {found['of']}, {found['too long']} by time)"
        for room, found in sorted(counted.items())
    )
    return f"{kind}: {', '.join(shares)}"


def covered_in_words(counted: Mapping[str, Mapping[str, Any]]) -> str:
    """One line: of each room's branches, how many its tests run, and on which day that was counted."""
    shares = (
        f"{room} {found['covered']} of {found['of']} (goal {100 * found['goal']:.0f} %; {found['on']})"
        for room, found in sorted(counted.items())
    )
    return f"branches run: {', '.join(shares)}"
