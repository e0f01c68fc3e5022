"""Hasami Shogi (LUDOS Asia): start reading at `game.py`; the rules and where each one lives stand in README.md."""

from games.hasami_shogi.game import GAME

__all__ = ["GAME"]
