"""The paragraphs a game has, as far as its events and refusals may cite them."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

from engine import load

ROOT = Path(__file__).parent.parent.parent
PARAGRAPH = re.compile(r"\b[A-Z]+-\d+\.\d+[a-z]?\b")


@cache
def paragraphs(game_id: str) -> frozenset[str]:
    """Ids of the project's own list, or else of the player's rules that the game's package brings."""
    listed = ROOT / "tests" / "paragraphs" / f"{game_id}.txt"
    source = listed if listed.exists() else _player_rules(game_id)
    assert source.exists(), f"{game_id} cites paragraphs that nobody can look up: write its player's rules in {source}"
    return frozenset(PARAGRAPH.findall(source.read_text(encoding="utf-8")))


def is_paragraph(game_id: str, rule: str) -> bool:
    return bool(PARAGRAPH.fullmatch(rule)) and (rule in paragraphs(game_id) or rule[:-1] in paragraphs(game_id))


def _player_rules(game_id: str) -> Path:
    package = sys.modules[type(load(game_id)).__module__.split(".")[0]].__file__
    assert package is not None
    return Path(package).parent / "templates" / game_id / "rules.en.md"
