"""What is to be tapped on a page, worked out from what the game says, and the script that taps it there.

The script sends events to the elements that a player would touch, one move after the other in one page, and reads the
order from the form that would be sent. It looks at nothing inside the page's own script.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from engine import Dice, load
from engine.composing import Part
from pbem.pages.choices import END
from pbem.pages.offer import MOST, offer
from pbem.pages.told import PICTURE
from pbem.reports import json as json_report
from pbem.reports.report import Report
from pbem.reports.words import Memo, Words
from tests.every_game.option_sets import option_sets
from tests.pages.test_size import page_of
from tests.pages.walking import Edge, Walk

STEPS = 20  # decisions, at most, between two positions that are looked at

RUN = (Path(__file__).parent / "tapping.js").read_text("utf-8")


class Answer(NamedTuple):
    """The answer to one question of a move: where it stands in the offer, and what is tapped for it."""

    step: int
    edge: int
    places: list[str]
    alone: bool  # nothing else begins with these places, so that tapping them is enough
    name: str

    def to_json(self) -> dict[str, Any]:
        return self._asdict()


@dataclass(frozen=True)
class Task:
    """What is to be done in the page: a move, or (`pair`) two taps that no move has, after the answers."""

    answers: tuple[Answer, ...]
    text: str = ""
    pair: tuple[str, str] | None = None
    typed: bool = False  # with Enter on the keyboard

    def to_json(self) -> dict[str, Any]:
        answers = [answer.to_json() for answer in self.answers]
        return {"answers": answers, "text": self.text, "pair": self.pair, "typed": self.typed}


class Table:
    """A position with all that may be tapped in it."""

    def __init__(self, rules: Any, state: Any, seat: str, source: Random) -> None:
        self.rules, self.state, self.seat, self.source = rules, state, seat, source
        offered = offer(rules, state, seat, "en")
        assert offered is not None
        self.on_map: bool = offered.get("on_map", False)
        self.offered, self.walk = offered, Walk(offered["choices"]) if offered["choices"] else None
        composer = rules.composer(state, seat)
        self.moves = [composer.parts(move) for move in islice(rules.moves(state, seat), MOST)]

    def page(self, folder: Path, picture: str | None = None) -> Path:
        """Write the page of this position, with the picture that came with its letter if one is given."""
        view = self.rules.view(self.state, self.seat)
        report = Report(game="coral", rules=self.rules, seat=self.seat, turn=1, view=view, steps=())
        told = json_report.plain(report) | ({PICTURE: picture} if picture else {})
        file = folder / "page.html"
        file.write_text(page_of(self.rules, self.state, self.seat, [told]), encoding="utf-8")
        return file

    def picture(self) -> str:
        """Draw the board of this position."""
        return str(Words(self.rules, "en", Memo()).pictured(self.rules.view(self.state, self.seat), ()))

    # --- legal moves ----------------------------------------------------------------------------------------------

    def tapped(self, most: int, covering: bool) -> list[Task]:
        """All moves where they are not more than `most`; else so many, or (`covering`) until each choice is in one."""
        assert self.walk is not None
        moves = self.moves
        if len(moves) > most:
            self.source.shuffle(moves)
            needed = list(self._covering(moves)) if covering else []
            moves = [*needed, *moves[: max(0, most - len(needed))]]
        return [self._task(parts) for parts in moves]

    def _covering(self, moves: list[tuple[Part, ...]]) -> Iterator[tuple[Part, ...]]:
        """So many of the moves that each choice of each question is made in one of them."""
        seen = set[tuple[int, int]]()
        for parts in moves:
            made = {(node, at) for node, at, _ in self._path(parts)}
            if not made <= seen:
                seen |= made
                yield parts

    def _task(self, parts: tuple[Part, ...]) -> Task:
        answers = []
        for step, ((node, at, edge), part) in enumerate(zip(self._path(parts), parts, strict=True)):
            assert edge.places.split() == list(part.places), "the page has other places than the game"
            if edge.text:
                answers.append(self._answer(step, node, at, part))
        text = "".join(part.text for part in parts)
        return Task(tuple(answers), text, typed=self.source.random() < 0.2)

    def _path(self, parts: tuple[Part, ...]) -> Iterator[tuple[int, int, Edge]]:
        """Where each part stands in the offer: its question, which answer it is, and that answer."""
        assert self.walk is not None
        node = self.walk.start
        for part in parts:
            edges = self.walk.nodes[node]
            [at] = [i for i, edge in enumerate(edges) if edge.text == part.text]
            yield node, at, edges[at]
            node = edges[at].to
        assert node == END

    def _answer(self, step: int, node: int, at: int, part: Part) -> Answer:
        assert self.walk is not None
        edges = self.walk.nodes[node]
        places = list(part.places)
        if part.any_order:
            self.source.shuffle(places)
        others = [edge for i, edge in enumerate(edges) if i != at and begins(edge, places)]
        return Answer(step, at, places, not others, self._named(edges[at]))

    def _named(self, edge: Edge) -> str:
        name = edge.text.strip().removeprefix("-") if edge.label < 0 else self.offered["choices"]["says"][edge.label][0]
        return f"{name} ({edge.cost})" if edge.cost and self.offered["purse"] else name

    # --- pairs that no move has -----------------------------------------------------------------------------------

    def pairs(self, count: int, places: list[str]) -> list[Task]:
        """Pairs of places of the map with which no legal move can be tapped."""
        mapped = [parts for parts in self.moves if any(part.places for part in parts)]
        found = list[Task]()
        for _ in range(20 * count):
            if len(found) == count or not mapped:
                break
            parts = self.source.choice(mapped)
            before = _before_the_map(parts)
            begun = [other for other in mapped if other[: len(before)] == before]
            pair = self._pair([_places(other) for other in begun], places)
            if pair[0] != pair[1] and not any(_has(other[len(before) :], pair) for other in begun):
                answers = self._task(parts).answers[: len(before)]
                found.append(Task(answers, pair=pair, typed=self.source.random() < 0.2))
        return found

    def _pair(self, moves: list[tuple[str, ...]], places: list[str]) -> tuple[str, str]:
        """Two places, mostly such as are easily taken for a move: of two moves, or of one the wrong way round."""
        one, other = self.source.choice(moves), self.source.choice(moves)
        kind = self.source.randrange(5)
        if kind == 0:
            return self.source.choice(places), self.source.choice(places)
        if kind == 1:
            return one[-1], one[0]
        return one[0], self.source.choice(places) if kind == 2 else other[-1]


def begins(edge: Edge, places: list[str]) -> bool:
    """Whether these places are the first ones of a choice."""
    own = edge.places.split()
    return set(places) <= set(own) if edge.any_order else own[: len(places)] == places


def _before_the_map(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The choices that are made in a list before the map is used."""
    count = next(i for i, part in enumerate(parts) if part.places)
    return parts[:count]


def _places(parts: tuple[Part, ...]) -> tuple[str, ...]:
    """All places of a move, in their order."""
    return tuple(place for part in parts for place in part.places)


def _has(parts: tuple[Part, ...], pair: tuple[str, str]) -> bool:
    """Whether the two taps, or one of them, are all it takes to choose this."""
    if any(part.text and not part.places for part in parts):
        return False  # something is left to be chosen in a list
    places = _places(parts)
    if any(part.any_order for part in parts) and set(places) == set(pair):
        return True
    return places in (pair, pair[:1], pair[1:])


def tables(game: str, count: int, source: Random) -> Iterator[Table]:
    """So many positions of a game that can be tapped, of all its sets of options in turn."""
    rules = load(game)
    along = [_along(rules, options, f"{number}", source) for number, options in enumerate(option_sets(game))]
    source.shuffle(along)
    found = 0
    while found < count:
        for positions in along:
            table = next(one for one in positions if one.on_map)
            yield table
            found += 1
            if found == count:
                return


def _along(rules: Any, options: Any, name: str, source: Random) -> Iterator[Table]:
    """Positions of random games with these options, whatever is decided in them."""
    look = source.randrange(STEPS)
    for game in range(10_000):
        dice = Dice(b"tapped" * 6, f"{rules.id} {name} {game}")
        state, step = rules.setup(options, dice.at("setup")).state, 0
        while pending := rules.pending(state):
            if step == look:
                yield Table(rules, state, source.choice(pending), source)
                look = step + 1 + source.randrange(STEPS)
            moves = {seat: source.choice(list(islice(rules.moves(state, seat), 3000))) for seat in pending}
            state = rules.resolve(state, moves, dice.at(str(step))).state
            step += 1
        look = source.randrange(min(STEPS, max(1, step)))
