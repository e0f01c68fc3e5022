"""`python -m tests.every_game play|ask|digest|long`: repeats one game, asks it all, compares runs, plays
very many games. A run of very many may be stopped and goes on where it was."""

from __future__ import annotations

import argparse
import sys
from signal import SIGINT, SIGTERM, signal

from engine import games, load
from tests.every_game.long_run import play_one
from tests.every_game.option_sets import told
from tests.every_game.playing import walk
from tests.every_game.same_bytes import digest_of


def main(arguments: list[str]) -> int | None:
    args = _parser().parse_args(arguments)
    status: int | None = args.run(args)
    return status


def play(args: argparse.Namespace) -> None:
    """Prints every decision point of one game."""
    game, options = load(args.game), told(args.game, args.options)
    one = walk(game, options, args.seed, resigning=args.resigning, silent=args.silent, greedily=args.greedily)
    for step in one.steps:
        _say(f"{step.number} {game.position(step.state)}")
        _say(f"    {' | '.join(f'{seat}: {move}' for seat, move in step.moves.items())}")
        for event in step.turned.events:
            _say(f"    {event.rule} {event.kind} {dict(event.facts)} {dict(event.hidden) or ''}")
    _say(f"{game.position(one.last)}\n{game.outcome(one.last)}")


def digest(args: argparse.Namespace) -> None:
    for game in args.games_asked:
        _say(f"{game} {digest_of(game, args.games)}")


def ask(args: argparse.Namespace) -> None:
    """One game as the long run plays and asks it."""
    decisions = play_one(load(args.game), told(args.game, args.options), args.seed)
    _say(f"{decisions} decisions, all is well")


def long(args: argparse.Namespace) -> int:
    """Who stops it is heard after the game in hand."""
    # Imported here: `digest` is asked of other Pythons, too, which have nothing but the games.
    from tests import conftest  # noqa: F401  (the sample games)
    from tests.every_game import campaign

    asked, signals = tuple(args.games_asked) or games(), list[int]()
    for one in (SIGINT, SIGTERM):
        signal(one, lambda number, frame: signals.append(number))
    parts = campaign.go_on(asked, args.games, _say, lambda: bool(signals), only=args.only)
    broken = sum(len(part.broken) for part in parts)
    for game in asked:
        _say(campaign.reached(game))
    return 1 if broken else 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.every_game", description=__doc__)
    kinds = parser.add_subparsers(required=True)
    one = _of_one(kinds.add_parser("play", help="one game, step by step"))
    one.add_argument("--resigning", action="store_true", help="seats resign now and then")
    one.add_argument("--silent", action="store_true", help="nothing but default moves")
    one.add_argument("--greedily", action="store_true", help="what looks best one step ahead")
    one.set_defaults(run=play)
    _of_one(kinds.add_parser("ask", help="one game of the long run")).set_defaults(run=ask)
    _of_many(kinds.add_parser("digest"), 4).set_defaults(run=digest)
    many = _of_many(kinds.add_parser("long", help="all that this build has not played yet"), 10_000)
    many.add_argument("--only", type=int, nargs="+", default=(), metavar="SET", help="option sets by number, from 0")
    many.set_defaults(run=long)
    return parser


def _of_one(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("game")
    parser.add_argument("options", nargs="*", metavar="OPTION=VALUE")
    parser.add_argument("--seed", type=int, default=0)
    return parser


def _of_many(parser: argparse.ArgumentParser, usual: int) -> argparse.ArgumentParser:
    parser.add_argument("games_asked", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, default=usual, help="how many games (of each option set)")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
