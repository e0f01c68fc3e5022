"""The shapes of rows: every row that the program writes has its shape, and what is forged is named."""

from __future__ import annotations

import pytest

from pbem.audit.shapes import Misshapen, lost


@pytest.mark.parametrize("value", ["ab12", ["key-1", "key-2"], [["game", 3, "ab12"]], []])
def test_what_was_lost_is_said_in_three_ways(value: object) -> None:
    """The head of a game, the keys of a host, or the heads of several games."""
    lost(value, "lost")


@pytest.mark.parametrize("value", [None, 3, {}, [3], [""], [[]], [[3, "game"]], [{}], [[["game"]]]])
def test_other_words_on_what_was_lost_are_forged(value: object) -> None:
    with pytest.raises(Misshapen, match="lost"):
        lost(value, "lost")
