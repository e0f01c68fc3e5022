"""Random games with all options end, keep every horse, and go to JSON and to their line and back at every step."""

import json
import random
from itertools import product

import pytest

from engine import BadOption, Dice
from engine.canon import canonical
from games.yut import GAME
from games.yut.state import HORSES

LONGEST = 2000  # decisions; the longest of many thousand games had 148 turns (ruling YUT-R19)


def combinations():
    """Every combination of players, favourite, wild and kinds of hurdles that can be played, with `game` 2 too."""
    hurdles = ("off", "default", "choose", "r20+o", "r2+r3")
    for players, favourite, wild, named, game in product((2, 3, 4), (False, True), (False, True), hurdles, (1, 2)):
        choices = {"players": players, "favourite": favourite, "wild": wild, "hurdles": named, "game": game}
        try:
            GAME.Options(**choices)
        except BadOption:
            continue
        yield choices


def test_how_many_combinations_there_are():
    assert len(list(combinations())) == 5 * (3 * 2 + 2 * 2) + 2 * 5


@pytest.mark.parametrize("choices", list(combinations()), ids=lambda choices: "-".join(map(str, choices.values())))
def test_random_games(choices):
    luck = random.Random(str(choices))
    options = GAME.Options(**choices, first=luck.randrange(1, choices["players"] + 1))
    dice = Dice(str(choices).encode(), "random")
    state, story = GAME.setup(options, dice)
    for number in range(LONGEST):
        sound(state)
        if not GAME.pending(state):
            break
        (seat,) = GAME.pending(state)
        menu = list(GAME.moves(state, seat))
        assert len(set(map(str, menu))) == len(menu) > 0
        move = luck.choice(menu)
        assert GAME.read(state, seat, str(move)) == move
        state, events = GAME.resolve(state, {seat: move}, dice.at(str(number)))
        assert events
        story += events
    ended_well(state, story)


def sound(state):
    GAME.check(state)
    assert all(side.horses == HORSES[state.terms.players] for side in state.sides)
    line = GAME.position(state)
    again = GAME.restore(json.loads(canonical(GAME.dump(state))))
    assert state == again == GAME.from_position(line)
    assert hash(state) == hash(again)
    assert line == GAME.position(again)


def ended_well(state, story):
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert sorted(seat for place in outcome.places for seat in place) == sorted(outcome.scores)
    assert story[-1].kind == "ended"
    assert [event.kind for event in story].count("ended") == 1
    ends = [event.facts for event in story if event.kind == "home"]
    assert sum(facts["horses"] for facts in ends) == sum(side.stable for side in state.sides)


def test_defaults_alone_end_a_game():
    for choices in combinations():
        dice = Dice(bytes(32), str(choices))
        state = GAME.setup(GAME.Options(**choices), dice).state
        for _ in range(LONGEST):
            if not GAME.pending(state):
                break
            (seat,) = GAME.pending(state)
            state = GAME.resolve(state, {seat: GAME.default(state, seat)}, dice).state
        assert GAME.outcome(state) is not None
