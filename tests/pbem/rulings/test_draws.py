"""Agreed draws: each remaining seat's word, by mail; the game ends, and the report says so."""

from __future__ import annotations

import pytest

from pbem.audit.verify import verify_ledger
from pbem.ledger.dump import canonical_dump
from pbem.ledger.rebuild import rebuild
from pbem.people.forgetting import forget
from pbem.rulebook import NoRules
from pbem.rulings.ruling import paused, resumed, voided
from tests.pbem.correspondence.conftest import NOON, Post
from tests.pbem.host.conftest import DAY, DEADLINE
from tests.pbem.host.seating import seated
from tests.pbem.host.test_submitting import waits

HOUR = DAY / 24


@pytest.mark.parametrize(("first", "second"), [("draw", "Nulle"), ("patta", "DRAW!")])
def test_all_agree_and_the_game_is_drawn(post: Post, first: str, second: str) -> None:
    assert post.write(first, seat="1") == "accepted"
    assert "Still to agree: seat 2." in post.text("1")
    assert "Seat 1 (player-1) offers a draw." in post.text("2")
    assert post.write(second, seat="2") == "accepted"
    assert "All have agreed to a draw." in post.text("2")
    post.host.night(NOON + DAY / 24)
    assert post.host.status() == "over"
    for seat in "12":
        assert "Place 1, shared: seat 1 (player-1), seat 2 (player-2)" in post.text(seat)
        assert "greed draw" in post.text(seat)
    [over] = post.rows("over")
    assert over.facts()["outcome"]["rule"] == "host: agreed draw"
    assert [verdict.fault for verdict in verify_ledger(post.host.ledger) if not verdict.ok] == []
    before = canonical_dump(post.host.ledger)
    rebuild(post.host.ledger)
    assert canonical_dump(post.host.ledger) == before


def test_the_answer_says_once_that_the_word_is_noted(post: Post) -> None:
    assert post.write("draw", seat="1") == "accepted"
    told = " ".join(post.text("1").split())
    assert told.count("Your word is noted") == 1
    assert "It holds until you take it back. Still to agree: seat 2." in told


def test_an_offer_stands_in_the_reports_until_somebody_says_no(post: Post) -> None:
    post.write("draw", seat="1")
    post.host.night()
    assert "offers a draw" in post.text("2")
    assert post.write("draw no", seat="1", at=DEADLINE + DAY / 24) == "accepted", "one may take one's word back"
    assert "does not agree to a draw" in post.text("2")
    assert post.write("draw", seat="2", at=DEADLINE + DAY / 24) == "accepted"
    post.host.night(DEADLINE + DAY)
    assert post.host.status() == "open"


def test_who_has_resigned_is_not_asked_and_ranks_last(post: Post) -> None:
    post.host.start("bagh-chal", "hill")
    post.write("resign hill", seat="2", name="hill")
    assert post.write("draw", seat="2", name="hill") == "refused"
    assert "has resigned" in post.text("2")


def of_four(make_post) -> Post:
    """A game of four in which three have agreed to a draw."""
    post: Post = make_post()
    seated(post.host, "conquest", "game")
    for seat in "ens":
        assert post.write("draw", seat=seat) == "accepted"
    return post


@pytest.mark.parametrize("how", ["resigned", "forgotten", "forgotten in a pause"])
def test_the_draw_is_agreed_when_the_last_who_has_not_said_so_is_asked_no_more(make_post, how: str) -> None:
    """The letters say that the game ends with it once all remaining players agree."""
    post = of_four(make_post)
    if how == "resigned":
        assert post.write("resign game", seat="w") == "accepted"
    else:
        post.host.night(NOON)
        with post.host.ledger.write() as tx:
            if how == "forgotten in a pause":
                paused(tx, post.host.config, "game", NOON, "a storm")
            forget(tx, post.host.config, "player-w", NOON, anyway=True)
            if how == "forgotten in a pause":
                resumed(tx, post.host.config, "game", NOON, "it is over")
    post.host.night(NOON + HOUR)
    assert post.host.status() == "over"
    assert "greed draw" in post.text("e")
    assert [verdict.fault for verdict in verify_ledger(post.host.ledger) if not verdict.ok] == []


def test_a_player_is_forgotten_though_the_rules_of_a_game_with_a_question_are_gone(make_post, monkeypatch) -> None:
    post = of_four(make_post)
    post.host.night(NOON)

    def gone(name: str) -> object:
        raise NoRules("Its rules are not here.")

    with monkeypatch.context() as without, post.host.ledger.write() as tx:
        without.setattr("pbem.game.hosting.known", gone)
        forget(tx, post.host.config, "player-w", NOON, anyway=True)
    assert post.host.status() == "open"


def test_whose_word_is_not_asked_says_no_to_nothing(make_post) -> None:
    post = of_four(make_post)
    assert post.write("draw no", seat="e") == "accepted"
    assert post.write("resign game", seat="w") == "accepted"
    for seat in "en":
        assert post.write("draw", seat=seat) == "accepted"
    assert post.write("draw no", seat="w") == "refused"
    assert "This seat has resigned" in post.text("w")
    assert post.write("draw", seat="s") == "accepted"
    post.host.night(NOON + HOUR)
    assert post.host.status() == "over"


def test_nobody_has_asked(post: Post) -> None:
    assert post.write("draw no") == "refused"
    assert "Nobody has asked that" in post.text("1")


def test_a_program_agrees_to_no_draw(post: Post) -> None:
    from pbem.game.hosting import NewGame, new_game
    from tests.pbem.host.conftest import secret

    with post.host.ledger.write() as tx:
        wanted = NewGame(rules="nim", name="alone", seats={"1": "player-1", "2": "bot: random"},
                         options={"heaps": "7,7,7"}, secret=secret("chain alone"))  # fmt: skip
        new_game(tx, post.host.config, wanted, NOON)
    assert post.write("draw", name="alone") == "refused"
    assert "A program plays in this game" in post.text("1")


def test_the_game_of_a_match_may_be_drawn(post: Post) -> None:
    """The match counts it as it counts every draw, and goes on."""
    from pbem.matches.matching import NewMatch, new_match
    from tests.pbem.host.conftest import secret

    with post.host.ledger.write() as tx:
        new_match(tx, post.host.config, NewMatch(rules="nim", name="duel", seats={"1": "player-1", "2": "player-2"},
                  best_of=3, secret=secret("chain duel")), NOON)  # fmt: skip
    assert post.host.status("duel-1") == "open"
    for seat in "12":
        key = next(line for line in _forms(post, seat) if line.startswith("key:")).split()[1]
        to = post.tagged(seat, 1, "duel-1", key=key)
        assert post.write("draw", seat=seat, to=to) == "accepted"
    post.host.night()
    assert post.host.status("duel-1") == "over"
    assert post.host.status("duel-2") == "open"
    assert [verdict.fault for verdict in verify_ledger(post.host.ledger) if not verdict.ok] == []


def _forms(post: Post, seat: str) -> list[str]:
    mail = post.sent(f"{seat}@players.example", "duel-1")[0]
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).splitlines()


def test_g37_verify_finds_a_draw_that_nobody_agreed_to(post: Post) -> None:
    with post.host.ledger.write() as tx:
        row = post.host.row()
        facts = {"what": "draw", "word": "yes", "turn": None, "reason": "", "letter": "0" * 64, "drawn": True}
        attendance = {**(row.attendance or {}), "drawn": True}
        body = {**facts, "agreed": ["1", "2"], "attendance": attendance, "due_at": "2026-11-18T12:00:00Z"}
        tx.append("game", "consent", NOON, body, 1, "1")
    post.host.night()
    assert post.host.status() == "over"
    faults = [verdict.fault for verdict in verify_ledger(post.host.ledger) if not verdict.ok]
    assert "not all have agreed" in str(faults)


@pytest.mark.parametrize("word", ["draw", "Nulle", "{do: patta}"])
def test_a_form_may_say_it(post: Post, word: str) -> None:
    """Who drops files has no mail to write: the word is the form's only order, and what stands, stands."""
    post.host.order("1", "b3")
    assert post.host.order("1", word).fate == "accepted"
    assert waits(post.host, "1") == ["b3"]
    assert "Your word for a draw is noted." in post.text("1")
    assert "Seat 1 (player-1) offers a draw." in post.text("2")
    assert post.host.order("2", word).fate == "accepted"
    post.host.night(NOON + DAY / 24)
    assert post.host.status() == "over"
    assert [verdict.fault for verdict in verify_ledger(post.host.ledger) if not verdict.ok] == []


@pytest.mark.parametrize("what", ["order", "late order", "absent", "withdraw", "void", "outage"])
def test_nothing_that_happens_afterwards_puts_an_agreed_draw_off(post: Post, what: str) -> None:
    """Any word of anybody would have put the end off to the deadline, and an outage would have moved that for all."""
    host, last = post.host, NOON + HOUR
    host.night(NOON)
    if what == "void":
        host.order("1", "a1")
    for seat in "12":
        post.write("draw", seat=seat)
    if what == "order":
        assert host.order("1", "b3", at=NOON).fate == "accepted"
    elif what == "late order":
        last = DEADLINE + HOUR
        assert host.order("1", "b3", at=last).fate == "refused"
    elif what == "void":
        with host.ledger.write() as tx:
            voided(tx, host.config, "game", "1", NOON, "a slip")
    elif what == "outage":
        last = DEADLINE + 3 * DAY
    else:
        assert post.write({"absent": "absent 2026-11-30"}.get(what, what), seat="1") == "accepted"
    summary = host.night(last)
    assert (host.status(), summary.moved) == ("over", [])
    assert "greed draw" in post.text("1")
