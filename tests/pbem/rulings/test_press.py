"""Press, held against what issue 7 asks: to a seat, to several, to all; anonymous where the game allows it; at once or
with the report; kept in the ledger; forbidden where the rules forbid it (`tests/pbem/correspondence` has more)."""

from __future__ import annotations

import json

import pytest

from pbem.game.hosting import NewGame, new_game
from pbem.game.outgoing import JSON_FILE
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


def told(vault: Post, seat: str) -> list[dict[str, str | None]]:
    """The press of a seat's last report, as data."""
    (data,) = (part for part in vault.last(seat).iter_attachments() if part.get_filename() == JSON_FILE)
    return json.loads(data.get_payload(decode=True))["press"]  # type: ignore[arg-type, no-any-return]


@pytest.mark.parametrize("key", ["anon", "anon all", "anonyme all", "Anonymous"])
def test_somebody_says_to_all_with_the_report(vault: Post, key: str) -> None:
    form = vault.host.file("green", "pass", name="safe").replace("end:", f"say: {{{key}: psst, blue: mine}}\nend:")
    assert vault.write(form, seat="green", name="safe") == "accepted"
    vault.host.night()
    assert "Somebody says to all: | psst" in vault.text("red")
    assert ("green", "psst") in [(one["seat"], one["text"]) for one in told(vault, "green")], "he reads that he did"
    assert "Somebody says to all: | psst" in vault.text("blue")
    assert [(one["seat"], one["to"]) for one in told(vault, "blue")] == [("green", "blue"), (None, None)]


def test_masks_do_not_stand_in_the_order_of_those_who_wear_them(vault: Post) -> None:
    for seat, text in (("blue", "z"), ("red", "a"), ("green", "m")):
        form = vault.host.file(seat, "pass", name="safe").replace("end:", f"say: {{anon: {text}{text}}}\nend:")
        assert vault.write(form, seat=seat, name="safe") == "accepted"
    vault.host.night()
    assert [one["text"] for one in told(vault, "red") if one["seat"] is None] == ["mm", "zz"]


def test_two_ways_to_write_one_mask_are_one(vault: Post) -> None:
    form = vault.host.file("green", "pass", name="safe").replace("end:", "say: {anon: psst, anonyme all: boo}\nend:")
    assert vault.write(form, seat="green", name="safe") == "refused"
    assert "`anon all` stands here for the second time" in vault.text("green")


def test_in_other_games_no_form_wears_a_mask(post: Post) -> None:
    form = post.host.file("1", "heap 1 take 1").replace("end:", "say: {anon: boo}\nend:")
    assert post.write(form, seat="1") == "refused"
    assert "whoever writes to others says who he is" in post.text("1")


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
