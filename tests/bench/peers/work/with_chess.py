"""Random games of python-chess, each with its test whether the game is over."""

from __future__ import annotations

import random

import chess
from serving import Sizes, Work, serve, whole_games


def one_game(luck: random.Random) -> int:
    board, made = chess.Board(), 0
    while not board.is_game_over():
        board.push(luck.choice(list(board.legal_moves)))
        made += 1
    return made


def sizes(luck: random.Random) -> Sizes:
    board, seen = chess.Board(), Sizes()
    while not board.is_game_over():
        legal = list(board.legal_moves)
        seen.saw(len(legal), len(board.fen()))
        board.push(luck.choice(legal))
    return seen


if __name__ == "__main__":
    serve(("chess",), {"chess": lambda: Work(whole_games(one_game), sizes)})
