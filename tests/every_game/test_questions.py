"""Every question to every installed game, the sample games included."""

import pytest

from engine import BadOption, games, load
from tests.every_game import ask_answers, ask_moves, ask_states, ask_story, ask_words
from tests.every_game.option_sets import option_sets, unplayed
from tests.every_game.playing import dice_of, walk, walks

ROOMS = (ask_moves, ask_answers, ask_states, ask_story, ask_words)
QUESTIONS = tuple(question for room in ROOMS for question in room.QUESTIONS)


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_question(question, game):
    question(load(game), walks(game))


@pytest.mark.parametrize("game", games())
def test_every_value_of_every_option_is_played(game):
    assert not unplayed(game), "tests/every_game/option_sets.py must say how these can be chosen"
    assert len(option_sets(game)) >= 3


@pytest.mark.parametrize("game", games())
def test_a_game_that_nobody_answers_ends_too(game):
    for options in option_sets(game)[:6]:
        silent = walk(load(game), options, 1, silent=True)
        assert load(game).outcome(silent.last) is not None


@pytest.mark.parametrize("game", games())
def test_an_unknown_option_is_refused_by_name(game):
    with pytest.raises(BadOption, match="there is no such option"):
        load(game).Options(no_such_option="1")


@pytest.mark.parametrize("game", games())
def test_what_is_shown_first_can_be_set_up(game):
    rules = load(game)
    assert rules.showcase
    for choices in rules.showcase:
        assert rules.pending(rules.setup(rules.Options(**choices), dice_of(1, 0)).state)
