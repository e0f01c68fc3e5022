"""A small season in every run of the tests (G19); the whole one is `python -m tests.season`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.brakes.heartbeat import Beat
from tests.season.season import Broken, play


def test_a_season_keeps_every_promise(tmp_path: Path) -> None:
    season = play(tmp_path / "host", 1, 8, 7)
    season.end()
    assert season.seen["killed"] > 0
    assert season.seen["accepted"] > 15
    assert season.seen["turns"] > 15


def test_one_seed_repeats_it(tmp_path: Path) -> None:
    assert len({play(tmp_path / name, 3, 3, 3).end() for name in ("one", "two")}) == 1


def test_weakened_a_host_that_was_off_and_does_not_know_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: silence that counts though nothing ran, so that nobody who came could be heard."""
    from tests.season import season

    monkeypatch.setattr(season, "OFF", 0.4)
    monkeypatch.setattr(Beat, "off_since", lambda self, now: None)
    with pytest.raises(Broken, match="is prompt, and on record as"):
        play(tmp_path / "host", 5, 8, 8)
