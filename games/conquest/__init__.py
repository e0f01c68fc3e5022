"""Conquest, by Donald Benge: land and sea, counter-attacks, and a Grail that costs everybody else their points."""

from games.conquest.game import Conquest

GAME = Conquest()
