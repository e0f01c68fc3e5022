"""Yut (LUDOS Asia): start reading at `game.py`; the rules and where each one lives stand in README.md."""

from games.yut.game import GAME

__all__ = ["GAME"]
