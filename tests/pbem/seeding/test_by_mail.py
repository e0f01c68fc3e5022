"""The whole story by mail: a letter with the commitment, an answer with a SHA-256, one with the text, the game."""

from __future__ import annotations

import hashlib

import pytest

from pbem.ledger import games
from tests.pbem.correspondence.conftest import Post, make_post, quoted
from tests.pbem.host.conftest import DEADLINE
from tests.pbem.seeding.conftest import BY_BEACON, BY_PLAYERS, SECOND, THIRD, Seeded, hash_of, text_of

__all__ = ["make_post"]


@pytest.fixture
def table(make_post) -> tuple[Seeded, Post]:
    post = make_post()
    return Seeded(post.host, BY_PLAYERS), post


def answer(post: Post, seat: str, nonce: str) -> str:
    """What a mail program writes: our last letter with a form, quoted, with one line of it filled in."""
    asked = next(mail for mail in reversed(post.sent(f"{seat}@players.example")) if "nonce:\n" in body(mail))
    text = quoted(body(asked).replace("nonce:\n", f"nonce: {nonce}\n"))
    return post.write(text, seat=seat, to=post.host.config.address, answers=str(asked["Message-ID"]))


def body(mail) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def test_two_players_settle_the_dice_by_answering_letters(table: tuple[Seeded, Post]) -> None:
    game, post = table
    for seat in game.seats:
        assert answer(post, seat, hash_of(seat)) == "accepted"
        assert "is noted" in post.text(seat) or "have come" in post.text(seat)
    for seat in game.seats:
        assert hash_of(game.seats[0]) in post.text(seat) or hash_of(game.seats[1]) in post.text(seat)
        assert answer(post, seat, text_of(seat)) == "accepted"
    assert game.status == games.OPEN
    for seat in game.seats:
        assert "from secret texts of" in post.text(seat)
        assert "Decision 1" in str(post.last(seat)["Subject"])


def test_the_form_itself_may_be_sent(table: tuple[Seeded, Post]) -> None:
    game, post = table
    seat = game.seats[0]
    form = f"game: game\nseat: {seat}\nturn: 0\nkey: {post.host.key(seat, 0)}\nnonce: {hash_of(seat)}\nend: orders\n"
    assert post.write(form, seat=seat, to=post.host.config.address) == "accepted"
    assert game.acts == ["commit"]


def test_a_wrong_answer_is_answered_with_the_reason(table: tuple[Seeded, Post]) -> None:
    game, post = table
    seat = game.seats[0]
    assert answer(post, seat, text_of(seat)) == "refused"
    assert "the host knows it now" in post.text(seat)
    assert answer(post, seat, hash_of(seat, 2)) == "accepted"


def test_a_letter_sent_back_unchanged_is_no_answer(table: tuple[Seeded, Post]) -> None:
    game, post = table
    seat = game.seats[0]
    asked = post.last(seat)
    fate = post.write(quoted(body(asked)), seat=seat, to=post.host.config.address, answers=str(asked["Message-ID"]))
    assert fate != "accepted"
    assert "commit" not in game.acts


@pytest.mark.parametrize(
    "word", ["help", "status", "history", "report", "withdraw", "draw", "resign game", "take-back 1"]
)
def test_commands_are_answered_while_the_dice_are_settled(table: tuple[Seeded, Post], word: str) -> None:
    game, post = table
    seat, before = game.seats[0], post.count(game.seats[0])
    text = f"{word}\n\n{quoted(body(post.last(seat)))}"
    post.write(text, seat=seat, to=post.host.config.address, answers=str(post.last(seat)["Message-ID"]))
    assert post.fates().get("quarantined", 0) == 0
    assert post.count(seat) == before + 1
    assert game.status == games.SEEDING


def test_too_many_answers_are_not_taken(table: tuple[Seeded, Post]) -> None:
    game, post = table
    seat, most = game.seats[0], post.host.config.limits.submissions
    for number in range(most + 2):
        answer(post, seat, f"wrong {number}")
    assert len(game.rows("dice_refused")) == most
    assert len(game.rows("too_many")) == 1


@pytest.mark.parametrize("lang", ["fr", "it"])
def test_players_are_told_in_their_language(make_post, lang: str) -> None:
    post = make_post()
    post.host.speak(lang)
    game = Seeded(post.host, BY_PLAYERS)
    post.host.speak(lang)
    game.commit(game.seats[0])
    post.host.night(DEADLINE)
    said = {"fr": "Plus aucun SHA-256 n’est accepté", "it": "Non si accettano più SHA-256"}[lang]
    assert said in post.text(game.seats[0])
    post.host.night(SECOND)
    post.host.night(THIRD)
    alone = {"fr": "L’hôte a choisi seul la graine", "it": "L’host ha scelto da solo il seme"}[lang]
    assert alone in post.text(game.seats[0])


def test_the_letter_of_a_beacon_names_it_and_its_hour(make_post) -> None:
    post = make_post()
    game = Seeded(post.host, BY_BEACON)
    letter = post.text(game.seats[0])
    assert BY_BEACON.beacon in letter
    assert "2026" in letter
    assert game.sheet.commitment in letter
    assert "nonce:" not in letter


def test_the_tool_for_players_gives_what_the_host_checks(capsys: pytest.CaptureFixture[str]) -> None:
    import json

    from pbem.cli import run

    assert run(["nonce", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert hashlib.sha256(made["text"].encode()).hexdigest() == made["sha256"]
    assert run(["nonce", "too short"]) == 2
