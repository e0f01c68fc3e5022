"""`make bench`: the same work beside every peer, in one run: `python -m tests.bench.peers [--write] [--only PEER]...`.

Each peer has a room of its own under `.bench/`, made from the index when it is first needed; one that cannot be had is
named and left out. What comes out are ratios; `--write` puts them into docs/speed.md. The exit code says whether every
goal was met.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from pbem import clock
from tests.bench.peers import comparing, telling
from tests.bench.peers.comparing import Table
from tests.bench.peers.measuring import ROUNDS, Work, asking, known, rounds
from tests.bench.peers.rooms import OURS, PEERS, invited
from tests.bench.peers.talking import Talker

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs" / "speed.md"
PARTS = ("play", "turns", "flat")


def asked_for() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.peers", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/speed.md")
    parser.add_argument("--only", action="append", choices=sorted(PEERS), help="this peer (again for another)")
    parser.add_argument("--part", action="append", choices=PARTS, help="this part (again for another)")
    parser.add_argument("--game", action="append", choices=comparing.SEVEN, help="of random play, this game of ours")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=0.1, help="of each work, twice in each round")
    parser.add_argument("--rooms", type=Path, default=ROOT / ".bench", help="where the peers' rooms are")
    return parser.parse_args()


class Run:
    """Who came, and what is measured among them."""

    def __init__(self, talkers: Mapping[str, Talker], many: int, seconds: float, games: list[str] | None) -> None:
        self.talkers, self.many, self.seconds, self.games = talkers, many, seconds, games
        self.lost: dict[str, str] = {}

    def measured(self, works: list[Work], seconds: float) -> dict[Work, list[float]]:
        found = rounds(known(self.talkers, works), asking(self.talkers), seconds, self.many)
        self.lost |= {f"{work.room}: {work.name}": why for work, why in found.lost.items()}
        return found.rates

    def play(self) -> list[Table]:
        own = [name for name in self.talkers[OURS].works if name.split()[0] in (self.games or comparing.SEVEN)]
        works = [Work(OURS, name) for name in own]
        for room in ("baghchal", "chess", "open_spiel"):
            works += [Work(room, name) for name in (self.talkers[room].works if room in self.talkers else ())]
        sizes = {work: self.talkers[work.room].sizes(work.name) for work in works}
        rates = self.measured(works, self.seconds)
        tables = [comparing.random_play(rates)]
        if "open_spiel" in self.talkers:
            tables += [comparing.beside_open_spiel(rates, sizes, python=python) for python in (True, False)]
        if "chess" in self.talkers:
            tables.append(comparing.beside_ludii(rates))
        return tables

    def turns(self) -> list[Table]:
        works = [Work(OURS, row.ours) for row in comparing.TURNS] + [row.theirs for row in comparing.TURNS]
        return [comparing.turns(self.measured(list(dict.fromkeys(works)), self.seconds))]

    def flat(self) -> list[Table]:
        works = [work for _, late, early, _ in comparing.FLAT for work in (late, early)]
        return [comparing.flat(self.measured(works, 0.0))]


def main() -> int:
    asked = asked_for()
    with ExitStack() as kept:
        names = {name: peer for name, peer in PEERS.items() if name in (asked.only or PEERS)}
        talkers, absent = invited(asked.rooms, names, kept)
        for name, why in absent.items():
            print(f"{name} is left out: {why}", file=sys.stderr)
        run, tables = Run(talkers, asked.rounds, asked.seconds, asked.game), []
        for part in asked.part or PARTS:
            for table in getattr(run, part)():
                print(telling.plain(table), flush=True)
                tables.append(table)
        versions = {name: version for talker in talkers.values() for name, version in talker.versions.items()}
    absent |= run.lost
    if asked.write:
        part = telling.measured(tables, versions, absent, asked.rounds, clock.system())
        DOCUMENT.write_text(telling.written(DOCUMENT.read_text(encoding="utf-8"), part), encoding="utf-8")
    missed = [one for table in tables for one in table.missed]
    print("", *(f"missed: {one}" for one in missed), sep="\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
