"""Keys: right for one seat and one turn, however they were typed; wrong for all else (G28)."""

import pytest

from pbem import keys

SECRET = b"s" * 32


@pytest.mark.parametrize("typed", ["{}", " {} ", "{lower}", "{bare}", "{spaced}"])
def test_a_key_may_be_typed_carelessly(typed: str) -> None:
    key = keys.key(SECRET, "red", 12)
    text = typed.format(key, lower=key.lower(), bare=key.replace("-", ""), spaced=key.replace("-", " "))
    assert keys.matches(text, SECRET, "red", 12)


def test_letters_that_look_alike_are_the_same_letter() -> None:
    turn = next(turn for turn in range(1, 500) if set("01") <= set(keys.key(SECRET, "red", turn)))
    key = keys.key(SECRET, "red", turn)
    assert keys.matches(key.replace("0", "o").replace("1", "l"), SECRET, "red", turn)


@pytest.mark.parametrize(
    ("seat", "turn", "secret"), [("blue", 12, SECRET), ("red", 13, SECRET), ("red", 12, b"t" * 32), ("re", 12, SECRET)]
)
def test_no_other_seat_turn_or_game_has_the_same_key(seat: str, turn: int, secret: bytes) -> None:
    assert not keys.matches(keys.key(SECRET, "red", 12), secret, seat, turn)


def test_ten_thousand_guesses_open_nothing() -> None:
    guesses = (keys.key(b"guess", "red", number) for number in range(10_000))
    assert not any(keys.matches(guess, SECRET, "red", 12) for guess in guesses)


@pytest.mark.parametrize("typed", ["", "-", "K7Q2", "K7Q2-9FXM-0000", "é" * 8, "\0" * 8])
def test_other_texts_are_no_keys(typed: str) -> None:
    assert not keys.matches(typed, SECRET, "red", 12)
