"""The game against a second, plain program: the same actions in the same order, on thousands of random positions."""

from __future__ import annotations

import random

import pytest

from games.conquest import GAME
from games.conquest.geography import COLOURS, INDEX, KIND, NAMES, XY
from games.conquest.units import parted
from games.conquest.ways import is_way, sight, way
from tests.faults import figures
from tests.games.conquest import reference
from tests.games.conquest.builders import NO_DICE

STACKS = {
    "dry": ["s", "s", "k", "k", "e", "e(s)", "e(ss)", "c", "c(s)"],
    "wet": ["v", "g", "v(s)", "g(ss)", "v(k)", "g(e)", "v(e(s))", "g(e(ss))", "g(c(s))", "v(c)"],
}
CENTRES = ["g1", "sv2", "sr1", "sk1", "sb11", "sa6", "sp5", "sa3", "sp1", "sd6", "wr2", "si2", "sx2", "so3", "eb1"]


def crowded(luck):
    """A crowd of units of all colours about some place where rules meet."""
    x, y = XY[INDEX[luck.choice(CENTRES)]]
    near = [at for at, (a, b) in enumerate(XY) if abs(a - x) + abs(b - y) <= luck.choice((4, 6))]
    units = {}
    for at in luck.sample(near, min(len(near), luck.randrange(4, 16))):
        kind = KIND[at]
        stack = luck.choice(STACKS["wet" if kind in ("sea", "port") else "dry"])
        if kind == "grail" and stack[0] in "ec":
            stack = "k"
        colour = luck.choice("SSSSWWWNE")
        units[at] = colour + (spent(stack, luck) if colour == "S" else stack)
    for colour in COLOURS:
        for at in (INDEX[f"{colour}g5"], INDEX[f"{colour}g7"], INDEX[f"{colour}f1"]):
            units.setdefault(at, f"{colour.upper()}s")
    mode = luck.choice(("free4", "free4", "alliance4"))
    ship = luck.choice(("exchange", "quiet"))
    placed = ",".join(f"{NAMES[at]}={units[at]}" for at in sorted(units))
    paid = luck.choice((0, 0, 0, 12, 17, 18, 19))
    return f"cq1 {mode}:{ship}:all:12 2:s:s:{paid}:0 0/0/0/0 0/0/0/0 - move {placed}"


def spent(stack, luck):
    """The stack with some of its pieces tired, soldiers in their order."""
    limits = {"v": 3, "g": 5, "e": 4, "c": 6, "k": 4, "s": 2}
    tired = "".join(
        sign + (str(luck.randrange(1, limits[sign] + 1)) if sign in limits and luck.random() < 0.3 else "")
        for sign in stack
    )
    for wrong in ("s1s", "s2s", "s2s1"):
        if wrong in tired and not tired.replace(wrong, "").strip("("):
            return stack
    return tired


def positions(seed, count):
    luck = random.Random(seed)
    while count:
        try:
            state = GAME.from_position(crowded(luck))
        except ValueError:
            continue  # two soldiers in the wrong order
        count -= 1
        yield luck, state


@pytest.mark.parametrize("seed", range(4))
def test_both_programs_list_the_same_actions(seed):  # CONQ-18.4
    asked = 0
    for luck, state in positions(seed, 150):
        assert state.risks == 0  # the second program knows nothing of vulnerability
        menu = [str(move) for move in GAME.moves(state, "s")]
        line = GAME.position(state)
        assert menu == [*reference.steps(line), "end"], line
        figures.counted(1, "positions with the same actions in both programs")
        captures = [move for move in menu[:-1] if state.enemies(0) >> INDEX[move.split("-")[1]] & 1]
        for capture in luck.sample(captures, min(3, len(captures))):
            after = GAME.resolve(state, {"s": GAME.read(state, "s", capture)}, NO_DICE).state
            if after.exchange is not None:
                asked += 1
                (seat,) = GAME.pending(after)
                line = GAME.position(after)
                assert [str(move) for move in GAME.moves(after, seat)] == reference.answers(line), line
    assert asked > 20


def test_routes_are_the_first_of_the_cheapest_in_canonical_order():  # CONQ-5.7
    compared = 0
    for luck, state in positions("routes", 60):
        position = reference.Position(GAME.position(state))
        menu = [move for move in GAME.moves(state, "s") if hasattr(move, "to")]
        for move in luck.sample(menu, min(6, len(menu))):
            cell, there = NAMES[move.start], NAMES[move.to]
            root = position.units[cell][1]
            piece = position.named(cell)[move.piece]
            leaving = None if piece is root else root
            cost = reference.ways(position, "s", piece, cell, 8, leaving)[there]
            first = min(walks(position, piece, cell, there, cost, "ride" if leaving else "foot"))
            unit = GAME.from_position(GAME.position(state)).board.unit(move.start)
            seen = sight(state.board, state.friends(0), parted(unit, move.piece)[1])
            route = way(move.piece, move.start, move.to, leaving is not None, 20, seen)
            assert list(route.cells) == [INDEX[cell], *first], str(move)
            compared += 1
    assert compared > 200


def walks(position, piece, here, goal, cost, how):
    """Every way of that many steps to the goal, or to anywhere, as cell numbers without the start."""
    for there, kind in reference.EDGES[here]:
        if not reference.may_step(piece, here, there, kind):
            continue
        for to, then in reference.step_onto(position, "s", position.friends("s"), piece, there, how, None):
            if cost == 1:
                if goal in (None, to) and then != "over":
                    yield [INDEX[to]]
            elif then != "take":
                yield from ([INDEX[to], *rest] for rest in walks(position, piece, to, goal, cost - 1, then))


def test_a_way_that_a_player_writes_is_judged_as_it_is_walked():  # CONQ-5.1, CONQ-5.3, CONQ-6.4, CONQ-7.3
    """Every way over the map of up to three steps, not only the cheapest ones."""
    judged = {True: 0, False: 0}
    for luck, state in positions("written", 200):
        position = reference.Position(GAME.position(state))
        cell = luck.choice([name for name, (colour, _) in position.units.items() if colour == "s"])
        root = position.units[cell][1]
        for letter, piece in position.named(cell).items():
            how = "foot" if piece is root else "ride"
            seen = sight(state.board, state.friends(0), parted(state.board.unit(INDEX[cell]), letter)[1])
            for steps in (1, 2, 3):
                tried = [way for way in over_the_map(cell, steps) if INDEX[cell] not in way]
                walked = {tuple(way) for way in walks(position, piece, cell, None, steps, how)}
                for cells in luck.sample(tried, min(len(tried), 60)):
                    assert is_way(letter, (INDEX[cell], *cells), piece is not root, seen) == (cells in walked), cells
                    judged[cells in walked] += 1
    assert min(judged.values()) > 2000


def over_the_map(here, steps):
    """Every way of that many steps that follows the edges, whoever may use them."""
    for there, _ in reference.EDGES[here]:
        if steps == 1:
            yield (INDEX[there],)
        else:
            yield from ((INDEX[there], *rest) for rest in over_the_map(there, steps - 1))
