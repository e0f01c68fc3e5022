"""The game against a second program written from the rules alone: the same actions, the same positions (G21)."""

import random

import pytest

from engine import Dice, load
from games.bagh_chal import legal
from tests.faults import figures
from tests.games.bagh_chal.second import Table, count
from tests.games.bagh_chal.test_vectors import VECTORS
from tests.games.vectors import sequences

GAME = load("bagh-chal")
SETTINGS = [{"variant": variant, "heroes": heroes} for variant in ("classic", "pulijudam") for heroes in (False, True)]
AFFORDABLE = 4_000


def positions(setting, number, seed):
    """That many positions out of random games, spread over their length, in both phases."""
    luck = random.Random(f"{seed} {setting}")
    found = []
    while len(found) < number:
        limit = luck.choice((20, 100))  # a low limit now and then, so that games also end by it
        state = GAME.setup(GAME.Options(**setting, quiet_limit=limit), Dice(seed.encode())).state
        game = []
        while GAME.pending(state):
            game.append(state)
            (seat,) = GAME.pending(state)
            # Captures are mostly left aside: they would end most games before phase II.
            moves = list(GAME.moves(state, seat))
            quiet = [move for move in moves if move.kind != "capture"]
            move = luck.choice(quiet if quiet and luck.random() < 0.8 else moves)
            state = GAME.resolve(state, {seat: move}, Dice()).state
        found += luck.sample(game, min(3, len(game)))
    return found[:number]


def same_below(state, depth):
    """Both programs list the same actions in the same order, and each leads to the same position line."""
    table = Table(GAME.position(state))
    (seat,) = GAME.pending(state) or ("",)
    moves = list(GAME.moves(state, seat)) if seat else []
    assert [str(move) for move in moves] == table.actions(), GAME.position(state)
    compared = 1
    for move in moves:
        after = GAME.resolve(state, {seat: move}, Dice.script([])).state
        assert GAME.position(after) == table.after(str(move)).line(), f"{GAME.position(state)} then {move}"
        if depth > 1:
            compared += same_below(after, depth - 1)
    return compared


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_same_actions_and_same_positions(setting):
    """BAGH-6.4, BAGH-11.1: 60 positions of each setting, and all that follow within two actions."""
    compared = sum(same_below(state, 2) for state in positions(setting, 60, "second program"))
    figures.counted(compared, "positions with the same actions in both programs")


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_same_counts(setting):
    """Counted positions: 50 of each setting, 200 in all, to depth 3, and to depth 4 where that is quick."""
    for state in positions(setting, 50, "counts"):
        depth = 4 if sequences(GAME, state, 4) <= AFFORDABLE else 3
        line = GAME.position(state)
        assert sequences(GAME, state, depth) == count(Table(line), depth), f"depth {depth}: {line}"
        figures.counted(1, f"of Bagh Chal counted to depth {depth}, equal")


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_same_defaults(setting):
    """BAGH-6.6: 150 positions of each setting."""
    for state in positions(setting, 150, "defaults"):
        (seat,) = GAME.pending(state)
        assert str(GAME.default(state, seat)) == Table(GAME.position(state)).silent(), GAME.position(state)


@pytest.mark.parametrize(
    "line",
    sorted({vector["expect"] for vector in VECTORS if " single:" in vector.get("expect", "")}),
)
def test_same_from_the_vectors(line):
    same_below(GAME.from_position(line), 1)


def test_the_positions_compared_reach_everything():
    """Both phases, the Alpha's extra move, the Bouc on the board and the memory occur among them."""
    lines = [GAME.position(state) for setting in SETTINGS for state in positions(setting, 60, "second program")]
    fields = [line.split() for line in lines]
    assert {field[2] for field in fields} == {"g", "t", "a"}
    assert {field[5][:4] for field in fields} == {"off", "wait", "used"}
    assert any("b" in field[1] for field in fields)
    assert sum(field[3] == "0" for field in fields) > 20
    assert max(field[6].count(",") for field in fields) > 10


def test_g21_weakened_a_changed_rule_is_found(monkeypatch):
    """Seen red: a build in which a piece may go straight back at once (BAGH-5.4)."""
    monkeypatch.setattr(legal, "without_way_back", lambda state, found: found)
    with pytest.raises(AssertionError):
        list(map(test_same_actions_and_same_positions, SETTINGS))
