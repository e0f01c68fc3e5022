"""Questions about the menu: its order, its default, and that every move on it can be written and read."""

from __future__ import annotations

import random
from itertools import islice

from engine.registry import AnyGame
from tests.every_game.playing import Walk, at, sample
from tests.every_game.probes import menu_texts


def a_menu_has_an_order_and_no_move_twice(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    """Also for an equal state made anew, whose sets may be stored in another order."""
    for one, step in sample(walks, 150):
        with at(one, step):
            anew = game.restore(game.dump(step.state))
            for seat in game.pending(step.state):
                menu = list(game.moves(step.state, seat))
                assert menu == list(game.moves(step.state, seat)) == list(game.moves(anew, seat))
                assert len(set(menu)) == len(menu) == len({str(move) for move in menu})


def silence_is_a_legal_move(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    for one, step in sample(walks, 200):
        with at(one, step):
            for seat in game.pending(step.state):
                default = game.default(step.state, seat)
                assert default == game.read(step.state, seat, str(default))
                assert default in islice(game.moves(step.state, seat), 20_000)


def what_stands_on_the_menu_can_be_read(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    """In the canonical text, in capitals, and with other blanks between the words."""
    luck = random.Random("reading")
    for one, step in sample(walks, 150):
        with at(one, step):
            for seat in game.pending(step.state):
                by_text = {str(move): move for move in game.moves(step.state, seat)}
                for text in menu_texts(game, step.state, seat, 25, luck):
                    for written in (text, text.upper(), text.lower(), f"  {text.replace(' ', '   ')} \n"):
                        assert game.read(step.state, seat, written) == by_text[text], f"seat {seat}: {written!r}"
                    assert game.same_move(text, text)
                    assert game.same_move(text.upper(), text)


def a_seat_that_is_not_asked_has_no_say(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    """But for moves that take effect at once."""
    luck = random.Random("waiting")
    for one, step in sample(walks, 100):
        pending = game.pending(step.state)
        texts = [text for seat in pending for text in menu_texts(game, step.state, seat, 5, luck)]
        for seat in set(one.seats) - set(pending):
            for text in texts:
                with at(one, step):
                    answer = game.read(step.state, seat, text)
                    assert hasattr(answer, "rule") or game.at_once(step.state, seat, answer), f"seat {seat}: {text}"


def a_seat_can_resign_where_the_rules_say_so(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    for one, step in sample(walks, 100):
        for seat in one.seats:
            with at(one, step):
                move = game.resignation(step.state, seat)
                if move is None:
                    continue
                assert game.read(step.state, seat, str(move)) == move
                assert game.at_once(step.state, seat, move) or move in game.moves(step.state, seat)


QUESTIONS = (
    a_menu_has_an_order_and_no_move_twice,
    silence_is_a_legal_move,
    what_stands_on_the_menu_can_be_read,
    a_seat_that_is_not_asked_has_no_say,
    a_seat_can_resign_where_the_rules_say_so,
)
