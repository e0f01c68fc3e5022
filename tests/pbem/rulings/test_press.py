"""Press, held against what issue 7 asks: to a seat, to several, to all; anonymous where the game allows it; at once or
with the report; kept in the ledger; forbidden where the rules forbid it (`tests/pbem/correspondence` has more)."""

from __future__ import annotations

import pytest

from pbem.game.hosting import NewGame, new_game
from pbem.intake.limits import USUAL
from pbem.intake.mail.commands import from_text
from pbem.intake.mail.reading import Command
from tests.pbem.correspondence.conftest import NOON, Post
from tests.pbem.host.conftest import secret


@pytest.fixture
def vault(post: Post) -> Post:
    """A game of three in which one may write without saying who one is."""
    with post.host.ledger.write() as tx:
        seats = {seat: f"player-{seat}" for seat in ("red", "green", "blue")}
        wanted = NewGame(rules="vault", name="safe", seats=seats, masks=True, secret=secret("chain safe"))
        new_game(tx, post.host.config, wanted, NOON)
    return post


@pytest.mark.parametrize("word", ["say anon", "dire anonyme", "DICI anonimo"])
def test_somebody_says_to_all(vault: Post, word: str) -> None:
    assert vault.write(f"{word} all: green cannot be trusted", seat="red", name="safe") == "accepted"
    for seat in ("green", "blue"):
        assert "Somebody says to all:" in vault.text(seat)
        assert "green cannot be trusted" in vault.text(seat)
        assert "red" not in vault.text(seat).replace("cannot", "").split()
        assert "player-red" not in vault.last(seat).as_string()
    [row] = vault.rows("press", "safe")
    assert (row.seat, row.facts()["masked"]) == ("red", True), "the ledger knows"


def test_somebody_says_to_one_and_to_some(vault: Post) -> None:
    assert vault.write("say anon blue: come with me", seat="red", name="safe") == "accepted"
    assert "Somebody says to you alone:" in vault.text("blue")
    before = vault.count("green")
    assert vault.write('say anon "blue": and again', seat="red", name="safe") == "accepted"
    assert vault.count("green") == before


def test_in_other_games_whoever_writes_says_who_he_is(post: Post) -> None:
    before = post.count("2")
    assert post.write("say anon all: boo", seat="1") == "refused"
    assert "whoever writes to others says who he is" in post.text("1")
    assert post.count("2") == before
    assert post.rows("press") == []


def test_at_once_and_with_the_report(vault: Post) -> None:
    vault.write("say green, blue: let us wait", seat="red", name="safe")
    for seat in ("green", "blue"):
        assert "red (player-red) says to all: | let us wait" in vault.text(seat)
    form = vault.host.file("red", "pass", name="safe").replace("end:", "say: {green: with the report}\nend:")
    vault.write(form, seat="red", name="safe")
    assert "with the report" not in vault.text("green")
    vault.host.night()
    assert "with the report" in vault.text("green")
    assert "with the report" not in vault.text("blue")


@pytest.mark.parametrize(
    ("line", "to", "text"),
    [
        ("say green, blue: let us wait", "green, blue", "let us wait"),
        ("say green and blue : let us wait", "green and blue", "let us wait"),
        ("dire green et blue: on y va", "green et blue", "on y va"),
        ("say anon green & blue: psst", "anon green & blue", "psst"),
        ("say green: blue, and red: both", "green", "blue, and red: both"),
        ("say green I think, so: yes", "green", "I think, so: yes"),
    ],
)
def test_words_to_several_never_go_to_the_first_alone(line: str, to: str, text: str) -> None:
    assert from_text([line], USUAL) == Command("say", text, to)
