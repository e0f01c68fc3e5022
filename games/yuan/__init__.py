"""Yuan, l'Art de la Guerre: see README.md for players, words, rulings, and where each section lives."""

from games.yuan.game import GAME

__all__ = ["GAME"]
