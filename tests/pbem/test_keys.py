"""Keys: right for one seat and one turn, however they were typed; wrong for all else (G28).

Weakened: an `untag` that searches instead of matching the whole text fails at `test_other_texts_are_no_tags`.
"""

import pytest

from pbem import keys
from tests.faults.figures import counted

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


def test_letters_of_other_alphabets_that_look_alike_are_the_same_letter() -> None:
    turn = next(turn for turn in range(1, 500) if set("AC") & set(keys.key(SECRET, "red", turn)))
    key = keys.key(SECRET, "red", turn)
    assert keys.matches(key.replace("A", "\u0410").replace("C", "\u0441"), SECRET, "red", turn)


@pytest.mark.parametrize(
    ("seat", "turn", "secret"), [("blue", 12, SECRET), ("red", 13, SECRET), ("red", 12, b"t" * 32), ("re", 12, SECRET)]
)
def test_no_other_seat_turn_or_game_has_the_same_key(seat: str, turn: int, secret: bytes) -> None:
    assert not keys.matches(keys.key(SECRET, "red", 12), secret, seat, turn)


def test_ten_thousand_guesses_open_nothing() -> None:
    guesses = {keys.key(b"guess", "red", number) for number in range(10_000)}
    opened = sum(keys.matches(guess, SECRET, "red", 12) for guess in guesses)
    assert len(guesses) == 10_000
    assert opened == 0
    counted(len(guesses), "keys of another secret compared")
    counted(opened, "of them fit")


@pytest.mark.parametrize("typed", ["", "-", "K7Q2", "K7Q2-9FXM-0000", "é" * 8, "\0" * 8])
def test_other_texts_are_no_keys(typed: str) -> None:
    assert not keys.matches(typed, SECRET, "red", 12)


@pytest.mark.parametrize("address", ["orders@example.org", "pbem+test@example.org", "o@localhost"])
def test_a_reply_address_says_what_the_form_says(address: str) -> None:
    key = keys.key(SECRET, "red", 12)
    tagged = keys.tag(address, key, 12, "red", "jade-river")
    local, _, host = tagged.rpartition("@")
    assert tagged == tagged.lower()
    assert host == address.rpartition("@")[2]
    found = keys.untag(local.removeprefix(address.rpartition("@")[0] + "+").upper())  # a server may change the case
    assert found is not None
    assert found[1:] == (12, "red", "jade-river")
    assert keys.matches(found.key, SECRET, "red", 12)


def test_an_address_that_would_grow_too_long_stays_plain() -> None:
    local, key = "jeux-par-lettre", keys.key(SECRET, "red", 12)
    room = keys.LONGEST_LOCAL - len(f"{local}+{key.replace('-', '')}.12.red.")
    fits, too_long = (keys.tag(f"{local}@example.org", key, 12, "red", "x" * n) for n in (room, room + 1))
    assert len(fits.rpartition("@")[0]) == keys.LONGEST_LOCAL
    assert too_long == f"{local}@example.org"


@pytest.mark.parametrize(
    "text",
    ["", "k7q29fxm", "k7q29fxm.12.red", "k7q29fxm.0.red.x", "k7q29fxm.-1.red.x", "k7q29fxm.12.red.x.y", "k7.1.red.x",
     "k7q29fxm.12.red.x@y", "k7q29fxm.12.red.x\nBcc: y", "k7q29fxm.9999999999.red.x", "٣" * 8 + ".1.red.x"],
)  # fmt: skip
def test_other_texts_are_no_tags(text: str) -> None:
    assert keys.untag(text) is None


@pytest.mark.parametrize("seat", ["red>", "a b", "é", "\r\nBcc", "a.b", ""])
def test_a_seat_that_cannot_stand_in_an_address_leaves_it_plain(seat: str) -> None:
    assert keys.tag("orders@example.org", keys.key(SECRET, seat, 1), 1, seat, "x") == "orders@example.org"
