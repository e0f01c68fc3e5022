"""`python -m tests.every_game play|digest|long`: repeats one game, compares runs, plays very many games."""

from __future__ import annotations

import argparse
import sys

from engine import games, load
from tests.every_game.long_run import long_run
from tests.every_game.playing import walk
from tests.every_game.same_bytes import digest_of


def main(arguments: list[str]) -> None:
    args = _parser().parse_args(arguments)
    args.run(args)


def play(args: argparse.Namespace) -> None:
    """Prints every decision point of one game."""
    game = load(args.game)
    options = game.Options(**dict(pair.split("=", 1) for pair in args.options))
    one = walk(game, options, args.seed, resigning=args.resigning, silent=args.silent)
    for step in one.steps:
        _say(f"{step.number} {game.position(step.state)}")
        _say(f"    {' | '.join(f'{seat}: {move}' for seat, move in step.moves.items())}")
        for event in step.turned.events:
            _say(f"    {event.rule} {event.kind} {dict(event.facts)} {dict(event.hidden) or ''}")
    _say(f"{game.position(one.last)}\n{game.outcome(one.last)}")


def digest(args: argparse.Namespace) -> None:
    for game in args.games_asked:
        _say(f"{game} {digest_of(game, args.games)}")


def long(args: argparse.Namespace) -> None:
    for count in long_run(tuple(args.games_asked) or games(), args.games, args.jobs):
        _say(str(count))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.every_game", description=__doc__)
    kinds = parser.add_subparsers(required=True)
    one = kinds.add_parser("play", help="one game, step by step")
    one.add_argument("game")
    one.add_argument("options", nargs="*", metavar="OPTION=VALUE")
    one.add_argument("--seed", type=int, default=0)
    one.add_argument("--resigning", action="store_true", help="seats resign now and then")
    one.add_argument("--silent", action="store_true", help="nothing but default moves")
    one.set_defaults(run=play)
    for name, run, number in (("digest", digest, 4), ("long", long, 10_000)):
        many = kinds.add_parser(name)
        many.add_argument("games_asked", nargs="*", metavar="GAME")
        many.add_argument("--games", type=int, default=number, help="how many games (of each variant)")
        many.add_argument("--jobs", type=int, default=1)
        many.set_defaults(run=run)
    return parser


if __name__ == "__main__":
    main(sys.argv[1:])
