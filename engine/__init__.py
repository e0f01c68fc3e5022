"""The kernel: what a game is, and what host and games share. It knows no game, no database, no clock and no file."""

from engine.dice import Coins, Dice, Draw
from engine.events import Event
from engine.game import Game, Move, Notice, Outcome, Overtaken, Seat, Turned, View
from engine.options import BadOption, OptionSet, choice, flag, text, whole
from engine.refusal import BadPosition, Refusal
from engine.registry import UnknownGame, games, load

__all__ = [
    "BadOption",
    "BadPosition",
    "Coins",
    "Dice",
    "Draw",
    "Event",
    "Game",
    "Move",
    "Notice",
    "OptionSet",
    "Outcome",
    "Overtaken",
    "Refusal",
    "Seat",
    "Turned",
    "UnknownGame",
    "View",
    "choice",
    "flag",
    "games",
    "load",
    "text",
    "whole",
]
