"""A second program, made from the rules document alone, gives the same positions, lists, defaults and refusals."""

import random

import pytest

from engine import Dice, Refusal
from games.yut import GAME, legal
from games.yut.moves import NEW
from tests.faults import figures
from tests.games.yut import second

SETTINGS = (
    {},
    {"players": 3, "first": 3},
    {"players": 4, "hurdles": "default"},
    {"players": 2, "wild": True},
    {"players": 3, "wild": True, "hurdles": "choose"},
    {"favourite": True},
    {"players": 4, "favourite": True, "hurdles": "o+r20"},
    {"favourite": True, "wild": True, "hurdles": "r3+r4"},
    {"favourite": True, "wild": True, "game": 2, "hurdles": "choose"},
    {"hurdles": "r20+a1"},
    {"players": 3, "hurdles": "r5+d2"},
)
GAMES = 6


@pytest.mark.parametrize("choices", SETTINGS, ids=str)
def test_both_programs_agree_on_random_games(choices):
    for number in range(GAMES):
        luck = random.Random(f"{choices} {number}")
        dice = Dice(source=Sticks(luck))
        state = GAME.setup(GAME.Options(**choices), dice).state
        steps = 0
        while GAME.pending(state):
            state, steps = one_step(state, luck, dice), steps + 1
        figures.counted(1, "games of Yut played by both")
        figures.counted(steps, "positions with the same actions in both programs")
        assert second.write(second.parse(GAME.position(state))) == GAME.position(state)


class Sticks:
    def __init__(self, luck):
        self.luck = luck

    def below(self, n, why, index):
        return self.luck.randrange(n)


def one_step(state, luck, dice):
    line = GAME.position(state)
    game = second.parse(line)
    assert second.write(game) == line
    (seat,) = GAME.pending(state)
    menu = list(GAME.moves(state, seat))
    assert [str(move) for move in menu] == second.legal(game), line
    assert str(GAME.default(state, seat)) == second.default(game), line
    same_answer(state, game, luck)
    move = luck.choice(menu) if luck.random() < 0.9 else GAME.default(state, seat)
    drawn = len(dice.draws)
    after = GAME.resolve(state, {seat: move}, dice).state
    sticks = [draw.value for draw in dice.draws[drawn:]]
    second.do(game, str(move), sticks)
    assert sticks == []
    assert second.write(game) == GAME.position(after), f"{line} {move}"
    return after


def same_answer(state, game, luck):
    """A move written in parts by chance, with a landing or without."""
    seats = GAME.seats(GAME.Options(players=state.terms.players))
    number = state.seat if luck.random() < 0.95 else luck.randrange(len(seats)) + 1
    throw = luck.choice([*state.throws, *state.throws, luck.randrange(1, 6)])
    own = [group.space for group in state.sides[state.side].groups]
    name = luck.choice([NEW, *own, *own, *own, luck.choice(second.ORDER), "z9"])
    short = luck.random() < 0.4
    landing = luck.choice([None, None, "home", "q", *second.ORDER, *stops(game)])
    text = f"{throw} {name}{' short' if short else ''}{f' - {landing}' if landing else ''}"
    answer = GAME.read(state, seats[number - 1], text)
    said = answer.code if isinstance(answer, Refusal) else str(answer)
    assert said == second.judge(game, number, throw, name, short, landing), f"{GAME.position(state)} {number}: {text}"


def stops(game):
    return [option[4][-1] for option in second.options(game)] * 2


def test_g21_weakened_a_changed_rule_is_found(monkeypatch):
    """Seen red: a build in which a pile of three may stand in a favourite's game (YUT-10.4)."""
    monkeypatch.setattr(legal, "may_overfill", lambda groups: False)
    with pytest.raises(AssertionError):
        list(map(test_both_programs_agree_on_random_games, SETTINGS))
