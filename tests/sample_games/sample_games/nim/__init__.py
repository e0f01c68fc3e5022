"""Nim: take from one heap at a time; the last object decides."""

from sample_games.nim.game import Nim

GAME = Nim()
