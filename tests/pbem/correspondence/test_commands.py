"""What can be asked for by mail, in three languages, from the bytes of the mail to the letter that answers it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from pbem.correspondence.commands import days
from pbem.game.hosting import add_player
from pbem.intake.form import Absence
from pbem.intake.limits import USUAL
from pbem.ledger import players, queues
from pbem.people.forgetting import forget
from tests.pbem.correspondence.conftest import NOON, Post, words
from tests.pbem.host.conftest import DEADLINE, secret
from tests.pbem.host.test_submitting import waits

HOUR = timedelta(hours=1)


@pytest.mark.parametrize("word", ["help", "Aide", "AIUTO"])
@pytest.mark.parametrize("where", ["subject", "body"])
def test_help(post: Post, word: str, where: str) -> None:
    said = {"subject": word, "body": ""} if where == "subject" else {"subject": "Re: x", "body": word}
    assert post.write(**said) == "accepted"
    assert "resign game: gives this game up, for good" in post.text()
    assert "ORDER FORM" in post.text()


def quoted(post: Post, seat: str = "1") -> str:
    """The last letter to a seat, as programs quote it."""
    body = post.last(seat).get_body(("plain",))
    assert body is not None
    return "On Wed, 18 Nov 2026 pbem wrote:\n\n" + "".join(f"> {line}\n" for line in body.get_content().splitlines())


@pytest.mark.parametrize("word", ["help", "status", "withdraw", "say all: hello"])
def test_the_letter_quoted_below_a_command_says_whose_it_is(post: Post, word: str) -> None:
    """Most hosts have one plain address; then the key in what is quoted is all there is."""
    plain, known = post.host.config.address, post.last()["Message-ID"]
    assert post.write(f"{word}\n\n{quoted(post)}", to=plain, answers=known) == "accepted"
    assert post.write(word, to=plain, answers=known) == "quarantined"


def test_what_is_quoted_below_a_command_orders_nothing(post: Post) -> None:
    changed = quoted(post).replace(">   - a1", ">   - b3")
    assert "b3" in changed.split("orders:")[1]
    assert post.write(f"status\n\n{changed}", to=post.host.config.address, answers=post.last()["Message-ID"])
    assert not waits(post.host, "1")


def test_a_command_above_somebody_elses_letter_is_by_whose_address_it_comes_to(post: Post) -> None:
    assert post.write(f"help\n\n{quoted(post, '2')}") == "accepted"
    assert "This is what you can write to the host" in post.text()


@pytest.mark.parametrize("word", ["status", "statut", "stato"])
def test_status_tells_all_my_games(post: Post, word: str) -> None:
    post.host.start("nim", "second", heaps="1,2")
    post.host.start("bagh-chal", "third")
    post.host.order("1", "b3")
    assert post.write(word) == "accepted"
    assert (
        "game, where you are seat 1: decision 1 waits for seat 1 (player-1), until Wednesday 18 November 2026"
        in post.text()
    )
    assert "game: orders of yours are here" in post.text()
    assert "second, where you are seat 1" in post.text()
    assert "third" in post.text()


def test_status_tells_nothing_of_others(post: Post) -> None:
    post.host.order("1", "b3")
    before = post.count("2")
    post.write("status", seat="2")
    assert post.count("2") == before + 1
    assert "orders of yours are here" not in post.text("2")
    assert "b3" not in post.text("2").split()


def test_status_names_games_that_rest(post: Post) -> None:
    from pbem.rulings.ruling import paused

    with post.host.ledger.write() as tx:
        paused(tx, post.host.config, "game", NOON, "a storm")
    post.write("status")
    assert "game, where you are seat 1: it is paused at decision 1" in post.text()


def test_an_answer_asks_for_no_orders_of_a_game_that_rests(post: Post) -> None:
    """It was said beside the form that nothing can be changed now."""
    from pbem.rulings.ruling import paused

    with post.host.ledger.write() as tx:
        paused(tx, post.host.config, "game", NOON, "a storm")
    assert post.write("withdraw") == "refused"
    assert "game is paused; nothing of it can be changed now" in post.text()
    assert "ORDER FORM" not in post.text()


@pytest.mark.parametrize(("lang", "word"), [("en", "paused"), ("fr", "suspendue"), ("it", "sospesa")])
@pytest.mark.parametrize("asked", ["status", "absent 2026-12-24", "place c3"])
def test_a_game_that_rests_is_called_so_in_the_players_language(make_post, lang: str, word: str, asked: str) -> None:
    from pbem.rulings.ruling import paused

    post = make_post()
    post.host.speak(lang)
    post.host.start("bagh-chal")
    with post.host.ledger.write() as tx:
        paused(tx, post.host.config, "game", NOON, "a storm")
    [seat] = post.host.row().pending
    post.write(post.host.file(seat, asked) if asked == "place c3" else asked, seat=seat)
    assert word in words(post.last(seat))
    assert "held" not in words(post.last(seat)).split()


@pytest.mark.parametrize("word", ["report", "rapport", "rapporto"])
def test_a_report_again(post: Post, word: str) -> None:
    first = post.last()
    post.host.night()
    assert post.write(f"{word} 1", at=DEADLINE + HOUR, message_id="<ask@players.example>") == "accepted"
    again = post.last()
    assert words(again) == words(first)
    assert again["Message-ID"] != first["Message-ID"]
    assert again["In-Reply-To"] == "<ask@players.example>"
    assert again["Date"] != first["Date"]
    assert again["Auto-Submitted"] == "auto-replied"
    assert [part.get_content() for part in again.iter_attachments()] == [
        part.get_content() for part in first.iter_attachments()
    ]
    post.write(word, at=DEADLINE + HOUR)
    assert "game, decision 2" in post.text()


@pytest.mark.parametrize("turn", ["7", "0"])
def test_a_report_there_is_not(post: Post, turn: str) -> None:
    assert post.write(f"report {turn}") == "refused"
    assert "decision 1 is open" in post.text()


@pytest.mark.parametrize("word", ["history", "historique", "storico"])
def test_history(post: Post, word: str) -> None:
    post.host.order("1", "b3")
    post.host.night()
    post.host.night(DEADLINE + timedelta(days=1))
    assert post.write(word, at=DEADLINE + timedelta(days=2)) == "accepted"
    assert "Decision 1: seat 1: b3 (as ordered)." in post.text()
    assert "Decision 2: seat 2: " in post.text()
    assert "(no orders came)" in post.text()


def test_history_keeps_secrets(post: Post) -> None:
    """Bids of vault are told to their seat alone until they are opened."""
    post.host.start("vault", "safe")
    post.host.night()
    assert post.write("history", seat="red", name="safe") == "accepted"
    assert "Decision 1" in post.text("red")


def test_neither_reports_nor_history_tell_of_what_nobody_else_may_know(post: Post) -> None:
    """Standing instructions of Khan are a move of their seat's own (KHAN-17.2, KHAN-20)."""
    with post.host.ledger.write() as tx:
        add_player(tx, "player-yellow", "yellow@players.example", "en", "UTC", NOON, secret("yellow"))
    post.host.start("khan", "steppe", first_seat="red")
    before = {seat: post.count(seat) for seat in ("red", "yellow")}
    assert post.host.order("yellow", "standing consent never", name="steppe").fate == "accepted"
    assert {seat: post.count(seat) - count for seat, count in before.items()} == {"red": 0, "yellow": 2}
    for seat, told in (("red", False), ("yellow", True)):
        assert ("as ordered" in post.text(seat)) == told
        assert post.write("history", seat=seat, name="steppe") == "accepted"
        assert ("Decision 1: yellow: standing consent never (as ordered)." in post.text(seat)) == told
        assert ("yellow" in post.text(seat)) == told


@pytest.mark.parametrize("word", ["withdraw", "retirer", "ritira"])
def test_withdraw_takes_back_what_stands(post: Post, word: str) -> None:
    post.write(post.host.file("1", "b3").replace("end:", "say: hello\nend:"))
    assert post.write(word) == "accepted"
    with post.host.ledger.read() as tx:
        assert queues.of_game(tx, "game")["1"].body is None
    assert "taken back" in post.text()
    assert "This is what silence would mean" in post.text()
    post.host.night()
    [turn] = [row for row in post.rows("turn") if row.turn == 1]
    assert turn.facts()["moves"]["1"]["how"] == "default"
    assert "hello" not in post.text("2")


def test_what_changes_something_takes_the_newest_letter(post: Post) -> None:
    post.host.night()
    for text in ("withdraw", "absent", "say all: hello"):
        assert post.write(text, turn=1, at=DEADLINE + HOUR) == "refused"
        assert "decision 1, which is closed. Answer one of decision 2" in post.text()
    assert post.write("resign game", turn=1, at=DEADLINE + HOUR) == "refused"
    assert "You answered a letter of decision 1, which is closed. Answer one of decision 2." in words(post.last())
    assert post.host.row().resigned == []


@pytest.mark.parametrize("word", ["absent", "absente", "assente"])
def test_absence_is_written_down(post: Post, word: str) -> None:
    assert post.write(f"{word} 2026-12-20 2026-12-31") == "accepted"
    [row] = post.rows("absence")
    assert row.seat == "1"
    told = {"away": True, "from": "2026-12-20", "to": "2026-12-31", "mode": None}
    assert told.items() <= row.facts().items()
    assert "away from 2026-12-20 to 2026-12-31" in post.text()
    with post.host.ledger.read() as tx:
        assert queues.of_game(tx, "game")["1"].away["to"] == "2026-12-31"
    post.write(f"{word} no")
    with post.host.ledger.read() as tx:
        assert queues.of_game(tx, "game")["1"].away is None
    assert "not away any more" in post.text()


def test_absence_in_the_form(post: Post) -> None:
    form = post.host.file("1", "b3").replace("end:", "absent: 2026-12-31\nend:")
    assert post.write(form) == "accepted"
    assert post.rows("absence")[0].facts()["to"] == "2026-12-31"
    assert "away until 2026-12-31" in post.text()
    assert waits(post.host, "1") == ["b3"]


def test_absence_that_is_over_is_a_slip(post: Post) -> None:
    assert post.write("absent 2025-12-20 2025-12-31") == "refused"
    assert "that day is past" in post.text()
    assert post.write(post.host.file("1", "b3").replace("end:", "absent: 2025-12-31\nend:")) == "refused"
    assert post.rows("absence") == []


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("", Absence(True)),
        ("no", Absence(False)),
        ("2026-12-31", Absence(True, None, date(2026, 12, 31))),
        ("31.12.2026", Absence(True, None, date(2026, 12, 31))),
        ("2026-12-20 2026-12-31", Absence(True, date(2026, 12, 20), date(2026, 12, 31))),
        ("2026-12-31 2026-12-20", None),
        ("2026-02-30", None),
        ("2026-12-20 2026-12-25 2026-12-31", None),
        ("next week", None),
        ("12", None),
    ],
)
def test_days_away(text: str, read: Absence | None) -> None:
    assert days(text) == read


@pytest.mark.parametrize("word", ["resign", "abandonner", "abbandonare"])
def test_resigning_takes_the_name_of_the_game(post: Post, word: str) -> None:
    post.host.start("bagh-chal", "hill")
    assert post.write(word, seat="2", name="hill") == "refused"
    assert "write `resign hill`. Nothing has changed" in post.text("2")
    assert post.write(f"{word} game", seat="2", name="hill") == "refused"
    assert post.host.row("hill").resigned == []
    assert post.write(f"{word} hill", seat="2", name="hill") == "accepted"
    assert post.host.row("hill").resigned == ["2"]


def test_the_last_report_says_who_has_resigned(post: Post) -> None:
    post.host.start("bagh-chal", "hill")
    post.write("resign hill", seat="2", name="hill")
    post.host.night()
    assert post.host.status("hill") == "over"
    for seat in ("1", "2"):
        last = [words(mail) for mail in post.sent(f"{seat}@players.example", "hill")][-1]
        assert "Seat 2 (player-2) has given up." in last


def test_rules_that_know_resignation_have_their_own(post: Post) -> None:
    post.host.start("vault", "safe")
    assert post.write("resign safe", seat="red", name="safe") == "accepted"
    assert post.rows("at_once", "safe") or post.host.row("safe").resigned == []


# --- press ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["say all: Well met!", "dire tous: Well met!", "di tutti: Well met!"])
def test_press_to_all_leaves_at_once(post: Post, line: str) -> None:
    post.host.start("vault", "safe")
    assert post.write(f"{line}\nAnd good luck.", seat="red", name="safe") == "accepted"
    for seat in ("green", "blue"):
        text = post.text(seat)
        assert "red (player-red) says to all:" in text
        assert "| Well met! | And good luck." in text
    assert "Sent to: green, blue." in post.text("red")
    [row] = post.rows("press", "safe")
    assert row.facts()["to"] == ["green", "blue"]


def test_press_to_one_and_to_several(post: Post) -> None:
    post.host.start("vault", "safe")
    blue = post.count("blue")
    post.write("say green: psst", seat="red", name="safe")
    assert "red (player-red) says to you alone:" in post.text("green")
    assert post.count("blue") == blue
    post.write('say "player-green and blue": both', seat="red", name="safe")
    assert "Sent to: green, blue." in post.text("red")


@pytest.mark.parametrize("said", ["say blue: psst", "dire Bleu\u00a0: psst", "dire bleu : psst", "dire blu: psst"])
def test_press_to_a_seat_as_letters_call_it(post: Post, said: str) -> None:
    """Letters in French and Italian know no `blue`."""
    post.host.start("jarmo", "mat")
    post.write(said, seat="green", name="mat")
    assert "| psst" in post.text("blue")


def test_press_in_a_form_to_nobody_there_is(post: Post) -> None:
    """The seats are told as forms have them, in any language."""
    post.host.start("jarmo", "mat")
    post.write(
        post.host.file("green", "a1-c2", name="mat").replace("end:", "say: {bleu: psst}\nend:"),
        seat="green",
        name="mat",
    )
    assert "the seats are `green`, `blue`" in " ".join(post.text("green").split())


@pytest.mark.parametrize("to", ["nobody", "red", "green,nobody"])
def test_press_to_nobody_there_is(post: Post, to: str) -> None:
    post.host.start("vault", "safe")
    before = len(post.sent())
    assert post.write(f"say {to}: psst", seat="red", name="safe") == "refused"
    assert len(post.sent()) == before + 1
    assert "to write to; the seats are green, blue" in post.text("red")
    assert post.rows("press", "safe") == []


def test_press_that_the_rules_forbid(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine import Refusal, load

    post.host.start("vault", "safe")
    forbidden = Refusal("VAULT-0", "silence", "Nobody may speak.")
    monkeypatch.setattr(type(load("vault")), "why_not_say", lambda *_: forbidden)
    before = post.count("green")
    assert post.write("say green: psst", seat="red", name="safe") == "refused"
    assert post.count("green") == before
    assert "Nobody may speak" in post.text("red")


def test_press_is_too_long(post: Post) -> None:
    before = post.count("2")
    assert post.write("say all: " + "long " * 1000) == "refused"
    assert "4000 characters" in post.text()
    assert post.count("2") == before


def test_press_with_the_report_waits_for_it(post: Post) -> None:
    before = post.count("2")
    post.write(post.host.file("1", "b3").replace("end:", "say: hello\nend:"))
    assert post.count("2") == before
    post.host.night()
    assert "| hello" in post.text("2")


# --- addresses --------------------------------------------------------------------------------------------------------


def address(post: Post, name: str = "player-1") -> str | None:
    with post.host.ledger.read() as tx:
        player = players.by_name(tx, name)
        assert player is not None
        return player.address


@pytest.mark.parametrize("word", ["address", "adresse", "indirizzo"])
def test_a_change_of_address_is_confirmed_from_the_new_one(post: Post, word: str) -> None:
    """What becomes of it then is told in `test_takeover.py`."""
    assert post.write(f"{word} new@players.example") == "accepted"
    assert address(post) == "1@players.example"
    asked, warned = post.sent("new@players.example")[-1], post.last("1")
    assert "answer this mail" in words(asked)
    assert "If you did NOT ask for this, answer this mail" in words(warned)
    code = str(asked["Reply-To"].addresses[0].addr_spec)
    assert code not in words(warned)
    assert post.write("yes", to=code, sender="new@players.example") == "accepted"
    assert address(post) == "1@players.example"
    assert "go to the old one" in words(post.sent("new@players.example")[-1])


def test_a_robots_answer_confirms_nothing(post: Post) -> None:
    post.write("address new@players.example")
    code = str(post.sent("new@players.example")[-1]["Reply-To"].addresses[0].addr_spec)
    assert post.write("away", to=code, more="Auto-Submitted: auto-replied\n") == "ignored"
    assert address(post) == "1@players.example"


def test_a_guessed_code_confirms_nothing(post: Post) -> None:
    post.write("address new@players.example")
    before = len(post.sent())
    assert post.write("yes", to=f"orders+confirm.{'0' * 16}@localhost") == "quarantined"
    assert address(post) == "1@players.example"
    assert len(post.sent()) == before


def test_a_code_does_not_last_for_ever(post: Post) -> None:
    post.write("address new@players.example")
    code = str(post.sent("new@players.example")[-1]["Reply-To"].addresses[0].addr_spec)
    assert post.write("yes", to=code, at=NOON + timedelta(days=8)) == "quarantined"
    assert address(post) == "1@players.example"


def test_g30_whoever_has_a_key_fills_nobodys_mailbox(post: Post) -> None:
    """Seen red: each of these begot a mail to somebody who has nothing to do with the game."""
    for _ in range(USUAL.answers):
        assert post.write("address victim@elsewhere.example") == "accepted"
    for _ in range(5):
        assert post.write("address victim@elsewhere.example") == "refused", (
            "seen red: nothing was asked, and it counted"
        )
    assert len(post.sent("victim@elsewhere.example")) == USUAL.answers
    assert post.write("address victim@elsewhere.example", at=NOON + timedelta(days=1)) == "accepted"
    assert len(post.sent("victim@elsewhere.example")) == USUAL.answers + 1


def test_who_was_forgotten_has_no_address_to_change(post: Post) -> None:
    """Seen red: whoever still had a key of his made pbem fail three times, and was set aside."""
    with post.host.ledger.write() as tx:
        forget(tx, post.host.config, "player-1", NOON, anyway=True)
    assert post.write("address new@players.example") == "accepted"
    assert not post.sent("new@players.example")


@pytest.mark.parametrize("new", ["nonsense", "1@players.example", "orders@localhost", "-oQ/x@evil.example"])
def test_an_address_that_cannot_be(post: Post, new: str) -> None:
    assert post.write(f"address {new}") == "refused"
    assert not post.sent("evil")
