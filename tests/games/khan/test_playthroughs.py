"""Two whole games by order files, played again through `submit` and `nightly` to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import games
from tests.playthroughs.transcript import parse, replay

STORED = sorted((Path(__file__).parent / "playthroughs").glob("*.txt"))


@pytest.mark.skipif("khan" not in games(), reason="the host plays installed games only")
@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_stored_game_comes_out_the_same(path, tmp_path):
    text = path.read_text(encoding="utf-8")
    assert replay(tmp_path / "host", parse(text)) == text


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_whole_turn_needs_one_file(path):
    """KHAN-17.3: nights are about as many as turns of seats, though a turn has two decisions or three."""
    text = path.read_text(encoding="utf-8")
    nights, decisions = text.count("\nnight "), text.count("\n  turn ")
    assert decisions > 2 * nights
    assert "over: " in text
