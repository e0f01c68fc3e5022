"""Substitutes: a seat changes hands with a briefing, time, new keys and a new record; nobody inherits a mailbox."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem import rulebook
from pbem.agreed.taking_back import here
from pbem.attending.attendance import Attendance, Record
from pbem.attending.silence import Policy
from pbem.audit.verify import verify_ledger
from pbem.errors import Trouble
from pbem.game.hosting import player_named
from pbem.intake.limits import USUAL
from pbem.ledger import outbox, players, queues
from pbem.ledger.dump import canonical_dump
from pbem.ledger.rebuild import rebuild
from pbem.people.substituting import ALL_GAMES, substituted, volunteered
from pbem.rulebook import NoRules
from pbem.rulings.ruling import voided
from tests.pbem.correspondence.conftest import NOON, Post, words
from tests.pbem.host.conftest import DAY, DEADLINE
from tests.pbem.host.seating import seated

HOUR = timedelta(hours=1)


def replaced(post: Post, seat: str = "1", player: str = "player-3", at=NOON, name: str = "game") -> str:
    with post.host.ledger.write() as tx:
        return substituted(tx, post.host.config, name, seat, player, at, "he has moved away")


def attendance(post: Post) -> Attendance:
    return Attendance.from_json(post.host.row().attendance)


def all_to(post: Post, seat: str) -> str:
    return " ".join(words(mail) for mail in post.sent(f"{seat}@players.example"))


def sound(post: Post) -> None:
    assert [verdict.fault for verdict in verify_ledger(post.host.ledger) if not verdict.ok] == []
    before = canonical_dump(post.host.ledger)
    rebuild(post.host.ledger)
    assert canonical_dump(post.host.ledger) == before


def test_a_seat_changes_hands(post: Post) -> None:
    post.host.night()
    post.host.night(DEADLINE + DAY)
    post.host.order("1", "c1", at=DEADLINE + DAY + HOUR)
    at = DEADLINE + 2 * DAY - HOUR
    assert replaced(post, at=at) == "2026-11-21T20:00:00Z", "a day more to think"
    assert "Seat 1 is played by player-3 from now on. The reason: he has moved away" in post.text("2")
    assert "Somebody else plays seat 1 in game from now on." in post.text("1")
    briefing, report = post.sent("3@players.example")[-2:]
    assert "You play seat 1 in game from now on." in words(briefing)
    assert "Decision 1: seat 1: " in words(briefing)
    assert "You have nothing to decide now." not in words(briefing), "the seat is to decide"
    assert "Your orders are due on Saturday 21 November 2026" in words(report)
    assert "c1" in words(report), "what stands, stands"
    assert "ORDER FORM" in words(report)
    sound(post)


def test_what_happened_to_the_seat_before_is_not_said_of_who_sits_there_now(post: Post) -> None:
    post.host.order("1", "c1")
    with post.host.ledger.write() as tx:
        voided(tx, post.host.config, "game", "1", NOON, "sent by a friend")
    assert "declared orders of seat 1 (player-1) void: sent by a friend" in post.text("2")
    replaced(post)
    post.host.order("1", "c1")
    with post.host.ledger.write() as tx:
        voided(tx, post.host.config, "game", "1", NOON, "another one")
    post.host.night(DEADLINE + DAY)
    for told in (post.text("2"), words(post.sent("3@players.example")[-1])):
        assert "The referee has declared orders of seat 1 void: sent by a friend" in told
        assert "Seat 1 is played by player-3 from now on." in told
        assert "The referee has declared orders of seat 1 (player-3) void: another one" in told
    sound(post)


def test_records_are_kept_for_each_tenure(post: Post) -> None:
    post.host.night()
    replaced(post, at=DEADLINE + HOUR)
    assert attendance(post).of("1") == Record(tenure=2)
    [past] = attendance(post).past
    assert (past.seat, past.record) == ("1", Record(silent=1, row=1))
    with post.host.ledger.read() as tx:
        assert players.get(tx, past.player).name == "player-1"
    log = post.rows("ruling")[0].facts()
    assert "player-3" not in str({name: log[name] for name in ("seats", "former", "act")}), "the chain names nobody"


def test_only_the_new_key_speaks(post: Post) -> None:
    """G28: the former player proves nothing any more, neither by form nor by address."""
    old, address = post.host.file("1", "b3"), post.tagged("1")
    replaced(post)
    before = post.count("3")
    assert post.write(old, seat="1", to=address) == "quarantined"
    assert post.write("status", seat="1", to=address) == "quarantined"
    assert post.host.submit(old).fate == "quarantined"
    assert post.count("3") == before
    assert post.host.order("1", "b3").fate == "accepted"


def test_what_the_former_player_sent_is_not_counted_for_the_new_one(post: Post) -> None:
    """Else his first orders are one too many, refused, and not even answered."""
    form = post.host.file("1", "b1")
    fates = [post.write(form, seat="1") for _ in range(USUAL.submissions + 1)]
    assert fates[-1] == "refused"
    replaced(post)
    post.host.night(NOON)
    assert post.write(post.host.file("1", "b2"), seat="1", sender="3@players.example") == "accepted"
    assert "Your orders are taken." in post.text("3")
    post.host.night()
    [turn] = [row for row in post.rows("turn") if row.turn == 1]
    assert turn.facts()["moves"]["1"]["move"] == "b2"


def test_g28_weakened_without_a_tenure_in_it_the_old_key_speaks(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.game import eras

    monkeypatch.setattr(eras.Era, "__str__", lambda era: "")
    with pytest.raises(AssertionError):
        test_only_the_new_key_speaks(post)


def test_nobody_inherits_a_mailbox(post: Post) -> None:
    post.write("say 1: the left heap is mine", seat="2")
    post.host.night()
    post.write(post.host.file("2", "b1").replace("end:", "say: {1: a secret for anna}\nend:"), seat="2",
               at=DEADLINE + HOUR)  # fmt: skip
    replaced(post, at=DEADLINE + HOUR)
    assert "Your words to seat 1 were not passed on" in all_to(post, "2")
    post.host.night(DEADLINE + DAY)
    assert post.write("report 1", seat="1", at=DEADLINE + DAY + HOUR) == "refused"
    assert "You were sent no report of decision 1" in all_to(post, "3")
    assert post.write("history", seat="1", at=DEADLINE + DAY + HOUR) == "accepted"
    for secret in ("left heap", "secret for anna"):
        assert secret not in all_to(post, "3"), secret
    assert "secret for anna" not in all_to(post, "1")


def test_a_page_holds_what_the_seat_knows_and_no_words(post: Post) -> None:
    from pbem.game.hosting import game_named
    from pbem.pages.seat import _mailed

    post.write(post.host.file("2", "x").replace("orders:\n  - x", "say: {1: a word}"), seat="2")
    post.host.night()
    replaced(post, at=DEADLINE + HOUR)
    with post.host.ledger.read() as tx:
        told = _mailed(tx, game_named(tx, "game"), "1", 99)
    assert [one["turn"] for one in told] == [1, 2, 2]
    assert all(one["press"] == [] for one in told)
    assert [bool(one["key"]) for one in told] == [False, False, True]


def test_a_mail_that_comes_back_is_counted_for_whom_it_went_to(post: Post) -> None:
    from pbem.correspondence.bounces import player_of

    with post.host.ledger.read() as tx:
        first = next(mail for mail in outbox.of_game(tx, "game") if mail.seat == "1")
    replaced(post)
    with post.host.ledger.read() as tx:
        assert player_of(tx, first.message_id) is None
        new = [mail for mail in outbox.of_game(tx, "game") if mail.seat == "1"][-1]
        assert player_of(tx, new.message_id) == player_named(tx, "player-3").commitment


@pytest.mark.parametrize(
    ("seat", "player", "says"),
    [("1", "player-2", "plays game already, seat 2"), ("9", "player-3", "no seat '9'"), ("1", "nobody", "no player")],
)
def test_who_cannot(post: Post, seat: str, player: str, says: str) -> None:
    with pytest.raises(Trouble, match=says):
        replaced(post, seat, player)


def test_a_game_that_is_over_and_a_seat_that_resigned(post: Post) -> None:
    post.host.start("nim", "short", heaps="1")
    post.host.night()
    with pytest.raises(Trouble, match="over"):
        replaced(post, name="short")
    post.write("resign game", at=DEADLINE + HOUR)
    if "1" in post.host.row().resigned:
        with pytest.raises(Trouble, match="resigned, for good"):
            replaced(post)


def test_a_program_may_take_over(post: Post) -> None:
    replaced(post, player="bot: greedy")
    post.host.night()
    [turn] = [row for row in post.rows("turn") if row.turn == 1]
    assert turn.facts()["moves"]["1"]["how"] == "given"
    sound(post)


def test_a_program_takes_over_from_the_last_whose_word_was_missing(make_post) -> None:
    """It agrees to a take-back as persons do, and to no draw: nobody is asked any more for what cannot come about."""
    post: Post = make_post()
    seated(post.host, "conquest", "game")
    post.host.night()
    for seat in "ens":
        assert post.write("draw", seat=seat, at=DEADLINE) == "accepted"
    for seat in "ens":
        assert post.write("take-back 1", seat=seat, at=DEADLINE) == "accepted"
    replaced(post, "w", "bot: greedy", DEADLINE)
    assert (post.host.row().turn, post.host.status()) == (1, "open")
    assert "The game was taken back to decision 1" in post.text("e")
    assert "offers a draw" not in post.text("e")
    sound(post)


@pytest.mark.parametrize("player", ["player-4", "bot: greedy"])
def test_a_draw_is_offered_on_to_a_person_only(post: Post, player: str) -> None:
    post.host.order("1", "b3")
    assert post.write("draw", seat="1") == "accepted"
    replaced(post, "2", player)
    post.host.night()
    assert ("offers a draw" in post.text("1")) == (player == "player-4")
    sound(post)


def test_a_take_back_leaves_the_new_player_where_he_is(post: Post) -> None:
    post.host.night()
    post.host.night(DEADLINE + DAY)
    replaced(post, at=DEADLINE + DAY + HOUR)
    at = DEADLINE + DAY + 2 * HOUR
    for seat in "12":
        assert post.write("take-back 1", seat=seat, at=at) == "accepted"
    assert post.host.row().turn == 1
    assert attendance(post).of("1") == Record(tenure=2)
    assert "taken back to decision 1" in post.text("3")
    assert post.host.order("1", "b3", at=at).fate == "accepted"
    sound(post)


# --- volunteers -------------------------------------------------------------------------------------------------------


def test_a_volunteer_takes_over_when_a_seat_is_not_waited_for(post: Post) -> None:
    post.host.start("nim", "long", silence="drop=1 substitute", heaps="9,9,9")
    with post.host.ledger.write() as tx:
        volunteered(tx, post.host.config, player_named(tx, "player-4"), [ALL_GAMES], NOON, here)
    post.host.night()
    row = post.host.row("long")
    with post.host.ledger.read() as tx:
        assert players.get(tx, row.seats["1"]).name == "player-4"
        assert player_named(tx, "player-4").volunteers is None, "one seat for one word"
        assert players.get(tx, post.host.row().seats["1"]).name == "player-1", "the other game has another policy"
    assert "You play seat 1 in long from now on." in all_to(post, "4")
    sound(post)


def test_a_volunteer_is_answered_though_a_game_that_needs_one_cannot_be_read(post: Post, monkeypatch) -> None:
    """Else his mail would wait until its rules are here again, and that of everybody who volunteers."""
    post.host.start("vault", "gone", silence="drop=1 substitute")
    post.host.night()

    def known(name: str) -> object:
        if name.startswith("vault"):
            raise NoRules("Its rules are not here.")
        return rulebook.known(name)

    monkeypatch.setattr("pbem.game.hosting.known", known)
    assert post.write("volunteer", seat="1", at=DEADLINE + HOUR) == "accepted"
    assert "you would take over a seat" in post.text("1")


@pytest.mark.parametrize("word", ["volunteer", "volontaire nim", "VOLONTARIO"])
def test_who_volunteers_later_takes_what_waits(post: Post, word: str) -> None:
    post.host.start("nim", "long", silence="drop=1 substitute", heaps="9,9,9")
    post.host.start("bagh-chal", "hill")
    post.host.night()
    assert Attendance.from_json(post.host.row("long").attendance).of("1").gone
    with post.host.ledger.write() as tx:
        substituted(tx, post.host.config, "hill", "1", "player-3", DEADLINE, "to have him here")
    key = post.host.key("1", name="hill")
    to = post.tagged("1", name="hill", key=key)
    assert post.write(word, seat="3", to=to, at=DEADLINE + HOUR) == "accepted"
    assert "you would take over a seat" in all_to(post, "3")
    assert "You play seat 1 in long from now on." in all_to(post, "3")
    assert post.write("volunteer no", seat="3", to=to, at=DEADLINE + HOUR) == "accepted"
    assert "you take over no seat" in all_to(post, "3")
    assert post.write("volunteer chess", seat="3", to=to, at=DEADLINE + HOUR) == "refused"


def test_the_policy_says_after_how_many() -> None:
    assert str(Policy.read("drop=2 substitute")) == "default drop=2 substitute"
    assert Policy.read("default drop=2 substitute").all.substitute
    with pytest.raises(Trouble, match="drop=3"):
        Policy.read("substitute")


def test_queues_stay(post: Post) -> None:
    post.host.order("1", "b3")
    replaced(post)
    with post.host.ledger.read() as tx:
        assert queues.of_game(tx, "game")["1"].body["queue"] == ["b3"]
