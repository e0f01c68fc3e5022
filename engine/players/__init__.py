"""Players that are programs: they play any game over its interface, and know no more than their seat may know.

`choose` is the only way in: it hands a player an imagined state in place of the true one, so that no player can look
into hidden hands, however it is written. All luck comes from the dice it is given.
"""

from engine.players.choosing import Player, choose
from engine.players.greedy import greedy
from engine.players.monte_carlo import MonteCarlo, monte_carlo
from engine.players.random_player import random_player

PLAYERS: dict[str, Player] = {"random": random_player, "greedy": greedy, "monte-carlo": monte_carlo}

__all__ = ["PLAYERS", "MonteCarlo", "Player", "choose", "greedy", "monte_carlo", "random_player"]
