"""Ten thousand games of each option set of each game (G22). The run may be stopped and goes on where it was, on this
machine or on another one.

What was played is noted in `played.jsonl`, which is committed: a line for each build, option set and day, with spans of
seeds. The build of a game is what it is made of: `engine` and its own folder, as games import nothing else. Option sets
take turns, so a run that was stopped has played about as many games of each. Who adds a question that old games should
be asked, too, takes the lines of those games out of the notes.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

from engine import load
from tests.every_game.long_run import play_one
from tests.every_game.option_sets import option_sets, words
from tests.played import ROOT, Lines, add, build_of, changed, commit, lines_of, played_again, seeds_of

NOTES = Path(__file__).with_name("played.jsonl")
GOAL = 10_000  # games of each option set
AT_A_TIME = 100  # of one set, before the next one has its turn
SAME = ("game", "options", "build", "commit", "on")  # what all games of a line of the notes have in common


@dataclass
class Part:
    """What some games of one option set came to."""

    game: str
    options: str
    seeds: list[int] = field(default_factory=list)
    decisions: int = 0
    longest: int = 0
    worked: float = 0  # seconds of a processor
    broken: dict[int, str] = field(default_factory=dict)

    def add(self, seed: int, decisions: int) -> None:
        self.seeds.append(seed)
        self.decisions += decisions
        self.longest = max(self.longest, decisions)

    def __str__(self) -> str:
        counts = f"{self.decisions} decisions, longest {self.longest}, {self.worked:.0f} s, {len(self.broken)} broke"
        return f"{self.game} {self.options}: {len(self.seeds)} games, {counts}"


def repeats(game_id: str, options: str, seed: int) -> str:
    """The command that plays the game of that seed again and asks it all."""
    return f"python -m tests.every_game ask {game_id} {options} --seed {seed}"


@cache
def build(game_id: str) -> str:
    """The name of all that a game is made of."""
    return build_of(
        (path.relative_to(folder.parent).as_posix(), path)
        for folder in (ROOT / "engine", _home(game_id))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix not in (".pyc", ".so", ".md")
    )


def _home(game_id: str) -> Path:
    """The folder of a game."""
    file = sys.modules[type(load(game_id)).__module__].__file__
    assert file is not None
    return Path(file).parent


def go_on(
    game_ids: Iterable[str],
    games: int = GOAL,
    tell: Callable[[str], object] = lambda text: None,
    stop: Callable[[], bool] = lambda: False,
    notes: Path = NOTES,
    only: Collection[int] = (),
) -> Iterator[Part]:
    """Play, of each option set of these games (or `only` of those of these numbers), the first so many that this build
    has not played yet, or until it is to stop; what each part of them came to."""
    for game_id, variant, seeds in _missing(tuple(game_ids), games, notes):
        if only and variant not in only:
            continue
        part = play(game_id, variant, seeds, stop)
        note(part, notes)
        tell(str(part))
        for seed, why in part.broken.items():
            tell(f"{why}\n  repeat it: {repeats(game_id, part.options, seed)}")
        yield part
        if stop():
            break


def play(game_id: str, variant: int, seeds: Iterable[int], stop: Callable[[], bool] = lambda: False) -> Part:
    """These games of an option set, or as many as there is time for."""
    game, options = load(game_id), option_sets(game_id)[variant]
    part, began = Part(game_id, words(options)), process_time()
    for seed in seeds:
        if stop():
            break
        try:
            part.add(seed, play_one(game, options, seed))
        except Exception as broken:  # a fault of the rules is found by any kind of error
            part.add(seed, 0)
            part.broken[seed] = f"{type(broken).__name__}: {broken}"
    part.worked = process_time() - began
    return part


def _missing(game_ids: Sequence[str], games: int, notes: Path) -> Iterator[tuple[str, int, list[int]]]:
    """The seeds that are still to be played: some of each option set in turn."""
    held = {game_id: done(game_id, notes) for game_id in game_ids}
    for first in range(0, games, AT_A_TIME):
        for game_id in game_ids:
            for variant, options in enumerate(option_sets(game_id)):
                played = held[game_id].get(words(options), Played()).held
                seeds = [seed for seed in range(first, min(first + AT_A_TIME, games)) if seed not in played]
                if seeds:
                    yield game_id, variant, seeds


@dataclass
class Played:
    """What this build has played of one option set so far: the seeds that held, what broke, and what it took."""

    held: set[int] = field(default_factory=set)
    broken: dict[int, str] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        return len(self.held) + len(self.broken)


def done(game_id: str, notes: Path = NOTES) -> Mapping[str, Played]:
    """What the notes say of a game as it is now, by option sets. A seed that broke is not done; it is played again."""
    found = {words(options): Played() for options in option_sets(game_id)}
    for line in lines_of(notes):
        if (line["game"], line["build"]) == (game_id, build(game_id)) and line["options"] in found:
            one = found[line["options"]]
            one.broken |= {int(seed): why for seed, why in line["broken"].items()}
            one.held |= set(seeds_of(line)) - one.broken.keys()
            one.seen.update(decisions=line["decisions"], seconds=line["seconds"])
    return found


def reached(game_id: str, notes: Path = NOTES) -> str:
    """The same in one sentence."""
    counts = [one.games for one in done(game_id, notes).values()]
    broke = sum(len(one.broken) for one in done(game_id, notes).values())
    least, most = min(counts), max(counts)
    each = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return f"{game_id}: {each} games of each of {len(counts)} option sets, {broke} broke"


def note(part: Part, notes: Path = NOTES) -> None:
    """Write down what was played. A seed that broke before and holds now is not broken any more."""
    now = f"{datetime.now(UTC):%F}"
    new = dict(zip(SAME, (part.game, part.options, build(part.game), commit(), now), strict=True))
    with changed(notes, "long run") as lines:
        for line in lines:
            if all(line[name] == new[name] for name in SAME[:3]):
                played_again(line, part.seeds)
        _add(_line_of(lines, new), part)


def _line_of(lines: Lines, new: dict[str, Any]) -> dict[str, Any]:
    """The line that these games belong to; a new one where there is none."""
    for line in lines:
        if all(line[name] == value for name, value in new.items()):
            return line
    lines.append({**new, "seeds": [], "decisions": 0, "longest": 0, "seconds": 0, "broken": {}})
    return lines[-1]


def _add(line: dict[str, Any], part: Part) -> None:
    add(line, part.seeds, part.broken)
    line["decisions"] += part.decisions
    line["longest"] = max(line["longest"], part.longest)
    line["seconds"] = round(line["seconds"] + part.worked, 1)
