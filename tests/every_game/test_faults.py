"""Each question finds the game that is wrong on purpose: a test never seen red is not counted."""

from dataclasses import replace
from xml.etree.ElementTree import ParseError

import pytest
from jinja2 import UndefinedError

from engine import Turned, load
from tests.every_game import ask_answers, ask_moves, ask_states, ask_story, ask_words, faults, rules
from tests.every_game.playing import walks
from tests.every_game.test_questions import QUESTIONS

FOUND_BY = [
    (faults.TwiceOnTheMenu, ask_moves.a_menu_has_an_order_and_no_move_twice),
    (faults.MenuInAnyOrder, ask_moves.a_menu_has_an_order_and_no_move_twice),
    (faults.DefaultThatIsNotLegal, ask_moves.silence_is_a_legal_move),
    (faults.ReadsOnlySmallLetters, ask_moves.what_stands_on_the_menu_can_be_read),
    (faults.LetsEverybodyMove, ask_moves.a_seat_that_is_not_asked_has_no_say),
    (faults.DrawsAllTheSame, ask_story.a_game_that_says_it_uses_no_dice_draws_nothing),
    (faults.ResignsInWordsItCannotRead, ask_moves.a_seat_can_resign_where_the_rules_say_so),
    (faults.BreaksOnOddOrders, ask_answers.garbage_is_refused_and_never_breaks_the_game),
    (faults.RefusesWithoutParagraph, ask_answers.garbage_is_refused_and_never_breaks_the_game),
    (faults.RefusesWithAnUnknownName, ask_answers.garbage_is_refused_and_never_breaks_the_game),
    (faults.LetsEverybodyMove, ask_answers.garbage_is_refused_and_never_breaks_the_game),
    (faults.PreviewForSomebodyElse, ask_answers.a_preview_and_a_notice_are_for_the_seat_itself),
    (faults.StandingAnswersUnchecked, ask_answers.standing_answers_are_checked_before_they_serve),
    (faults.NeverThoughPossible, ask_answers.what_no_position_takes_is_never_taken),
    (faults.ForeseesWrongly, ask_answers.what_is_foreseen_comes_true),
    (faults.ForgetsInJson, ask_states.a_state_goes_to_json_and_to_its_line_and_back),
    (faults.LineInTwoLines, ask_states.a_state_goes_to_json_and_to_its_line_and_back),
    (faults.TakesBentLines, ask_states.a_bent_line_is_no_position),
    (faults.BreaksOnBentLines, ask_states.a_bent_line_is_no_position),
    (faults.FindsItselfBroken, ask_states.pieces_and_money_add_up),
    (faults.NeverSaysHowItEnded, ask_states.a_game_is_over_when_nobody_is_asked),
    (faults.Remembers, ask_states.a_game_has_no_memory),
    (faults.EventsWithoutParagraph, ask_story.every_event_names_its_paragraph_and_plain_facts),
    (faults.FactsAreTuples, ask_story.every_event_names_its_paragraph_and_plain_facts),
    (faults.FactsAreFloats, ask_story.every_event_names_its_paragraph_and_plain_facts),
    (faults.SecretsOfStrangers, ask_story.every_event_names_its_paragraph_and_plain_facts),
    (faults.ViewOfTheWrongSeat, ask_story.a_view_is_plain_json_and_cheap),
    (faults.ViewWithSets, ask_story.a_view_is_plain_json_and_cheap),
    (faults.DearView, ask_story.a_view_is_plain_json_and_cheap),
    (faults.ForgetsASeat, ask_story.an_outcome_places_every_seat_once),
    (faults.PreviewWithoutWords, ask_words.every_event_is_told_in_one_plain_sentence),
    (faults.EventsWithoutFacts, ask_words.every_event_is_told_in_one_plain_sentence),
    (faults.EndsForAReasonWithoutWords, ask_words.every_end_is_told_in_one_plain_sentence),
    (faults.HeapsTooWide, ask_words.the_board_is_drawn_in_text_and_said_in_words),
    (faults.HeapsWithoutNames, ask_words.the_board_is_drawn_in_text_and_said_in_words),
    (faults.HeapsThatBreakThePicture, ask_words.the_board_is_pictured_with_a_title_and_a_description),
    (faults.HidesAMoveFromItsSeat, ask_story.a_move_is_told_to_its_own_seat_in_full),
]


def spoilt(game, played):
    """The same games with their stories told by the faulty game."""
    if not isinstance(game, faults.EventsWithoutParagraph):
        return played
    return tuple(
        replace(one, setup=Turned(one.setup.state, tuple(map(game.spoilt, one.setup.events)))) for one in played
    )


@pytest.mark.parametrize(("fault", "question"), FOUND_BY, ids=lambda part: part.__name__)
def test_the_question_finds_the_fault(fault, question):
    game = fault(load("nim"))
    with pytest.raises((AssertionError, KeyError, IndexError, AttributeError, UndefinedError, ParseError)):
        question(game, spoilt(game, walks("nim")))


def test_rules_for_players_that_cite_what_is_not_there(monkeypatch):
    monkeypatch.setattr(rules, "paragraphs", lambda game: frozenset({"NIM-1.1"}))
    with pytest.raises(AssertionError):
        ask_words.the_players_rules_cite_paragraphs_that_exist(load("nim"), ())


def test_every_question_has_a_fault_to_find():
    by_hand = {ask_words.the_players_rules_cite_paragraphs_that_exist}
    assert {question for _, question in FOUND_BY} | by_hand == set(QUESTIONS)


def test_a_failure_tells_how_to_repeat_it():
    with pytest.raises(AssertionError) as failure:
        ask_states.pieces_and_money_add_up(faults.FindsItselfBroken(load("nim")), walks("nim"))
    assert failure.value.__notes__[0].startswith("repeat with: python -m tests.every_game play nim heaps=3-4-5")
