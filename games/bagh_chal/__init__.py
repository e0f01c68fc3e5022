"""Bagh Chal (LUDOS Asia): start reading at `game.py`; the rules and where each one lives stand in README.md."""

from games.bagh_chal.game import GAME

__all__ = ["GAME"]
