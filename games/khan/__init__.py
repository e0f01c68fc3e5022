"""Khan (Christwart Conrad): start reading at `game.py`; the rules and where each one lives stand in README.md."""

from games.khan.game import GAME

__all__ = ["GAME"]
