"""Questions about the menu: its order, its default, and that every move on it can be written and read."""

from __future__ import annotations

import random
from itertools import islice

from engine.registry import AnyGame
from tests.every_game.playing import Walk, at, sample, turns
from tests.every_game.probes import menu_texts


def a_menu_has_an_order_and_no_move_twice(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    """Also for an equal state made anew, whose sets may be stored in another order."""
    for one, step, seat in turns(walks, 60):
        with at(one, step):
            menu = list(game.moves(step.state, seat))
            again, anew = game.moves(step.state, seat), game.moves(game.restore(game.dump(step.state)), seat)
            assert menu == list(again) == list(anew)
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
    for one, step, seat in turns(walks, 200):
        with at(one, step):
            menu = list(game.moves(step.state, seat))
            for move in menu if len(menu) <= 25 else luck.sample(menu, 25):
                text = str(move)
                for written in (text, text.upper(), text.lower(), f"  {text.replace(' ', '   ')} \n"):
                    assert game.read(step.state, seat, written) == move, f"seat {seat}: {written!r}"
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
                assert game.at_once(step.state, seat, move) or seat in game.pending(step.state)


QUESTIONS = (
    a_menu_has_an_order_and_no_move_twice,
    silence_is_a_legal_move,
    what_stands_on_the_menu_can_be_read,
    a_seat_that_is_not_asked_has_no_say,
    a_seat_can_resign_where_the_rules_say_so,
)
