"""Take-back by consent of all: asked by mail, agreed by key, one new row; the dice fall as they fell."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.agreed.consenting import asked_by_referee
from pbem.audit.book import of_ledger
from pbem.audit.export import export
from pbem.audit.exported import ExportBook
from pbem.audit.recompute import replay
from pbem.audit.show import PUBLIC, show
from pbem.audit.verify import verify, verify_ledger
from pbem.audit.witnesses import KeptMail, heads_of, in_folder
from pbem.cli import run
from pbem.errors import Trouble
from pbem.game.hosting import add_player
from pbem.ledger import outbox, queues
from pbem.ledger.dump import canonical_dump
from pbem.ledger.rebuild import rebuild
from pbem.ledger.signing import signer
from pbem.post.signing import signed
from tests.pbem.correspondence.conftest import NOON, Post
from tests.pbem.host.conftest import DAY, DEADLINE

HOUR = timedelta(hours=1)


def played(post: Post, nights: int, *orders: str) -> datetime:
    """So many nights of nim, the orders of the seats in turn; gives an hour after the last."""
    moment = NOON
    for number in range(nights):
        seat = str(number % 2 + 1)
        if number < len(orders):
            post.host.order(seat, orders[number], at=moment)
        moment = DEADLINE + number * DAY
        post.host.night(moment)
        moment += HOUR
    return moment


def both_agree(post: Post, turn: int, at: datetime) -> None:
    assert post.write(f"take-back {turn}", seat="1", at=at) == "accepted"
    assert post.write(f"take-back {turn}", seat="2", at=at) == "accepted"


def sound(post: Post) -> None:
    """The ledger is true, is the same when it is rebuilt, and is played again to the end."""
    assert [verdict.fault for verdict in verify_ledger(post.host.ledger) if not verdict.ok] == []
    before = canonical_dump(post.host.ledger)
    rebuild(post.host.ledger)
    assert canonical_dump(post.host.ledger) == before
    with of_ledger(post.host.ledger, "game") as book:
        list(replay(book))


def test_a_referee_is_told_which_turns_were_taken_back(post: Post, capsys: pytest.CaptureFixture[str]) -> None:
    at = played(post, 3, "a1", "b1", "c1")
    both_agree(post, 2, at)
    with of_ledger(post.host.ledger, "game") as book:
        with pytest.raises(
            Trouble, match=r"its turns are 0 to 1\. That of row \d+ was taken back by row \d+; `pbem audit"
        ):
            show(book, 3, PUBLIC)
        with pytest.raises(Trouble, match=r"its turns are 0 to 1\.$"):
            show(book, 9, PUBLIC)
    assert run(["--config", str(post.host.config.folder), "audit", "replay", "game"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("turn ")]
    assert [line.endswith("(taken back later)") for line in lines] == [False, False, True, True]


def as_they_leave(post: Post, folder: Path) -> list[KeptMail]:
    """All mails of the game, signed, as files in a folder, and as they are read there."""
    key = signer(post.host.ledger.keys)
    assert key is not None
    with post.host.ledger.read() as tx:
        for number, mail in enumerate(outbox.of_game(tx, "game")):
            raw = outbox.raw(tx, mail.message_id)
            (folder / f"{number}.eml").write_bytes(signed(key, mail, raw, raw))
    return in_folder(folder, [key.key])


@pytest.mark.parametrize("referee", [False, True])
def test_a_file_made_after_it_is_true_beside_all_mails(post: Post, tmp_path: Path, referee: bool) -> None:
    """Seen red: sealed it ended before the take-back, and the mails that told of it were said to fit no true history;
    opened, those that followed."""
    both_agree(post, 2, played(post, 3, "a1", "b1", "c1"))
    with of_ledger(post.host.ledger, "game") as book:
        export(book, tmp_path / "game.zip", referee=referee)
    post.host.order("2", "b1", at=NOON + 3 * DAY)  # its receipt is newer than the file
    mails = as_they_leave(post, tmp_path)
    found = verify(ExportBook(tmp_path / "game.zip"), heads_of(mails), mails)
    assert found.fault is None
    if referee:
        assert "may be newer than this file" in " ".join(found.notes)
    else:  # it names the heads that reports print, of the take-back too
        assert found.heads == 5
        assert "mailed heads not compared" in (found.unplayed or "")


def test_a_sealed_file_made_before_it_is_neither_true_nor_false_beside_later_mails(post: Post, tmp_path: Path) -> None:
    """Seen red: they are about a decision that stands in it, and it was called not true."""
    at = played(post, 3, "a1", "b1", "c1")
    with of_ledger(post.host.ledger, "game") as book:
        export(book, tmp_path / "game.zip")
    both_agree(post, 2, at)
    post.host.order("2", "b1", at=at)
    mails = as_they_leave(post, tmp_path)
    file, kept = ExportBook(tmp_path / "game.zip"), heads_of(mails)
    found = verify(file, kept, mails)
    assert (found.fault, found.whole) == (None, False)
    assert "mailed heads not compared" in (found.unplayed or "")
    of_then = [one for one in kept if one.head in file.published]
    assert of_then
    assert verify(file, of_then).whole


@pytest.mark.parametrize(
    ("first", "second"), [("take-back 2", "Take-Back 2"), ("reprendre 2", "RIPRENDERE 2"), ("ripresa #2", "reprise 2.")]
)
def test_a_game_goes_back_when_all_have_agreed(post: Post, first: str, second: str) -> None:
    at = played(post, 3, "a1", "b1", "c1")
    assert post.host.row().turn == 4
    assert post.write(first, seat="1", at=at) == "accepted"
    assert "Still to agree: seat 2." in post.text("1")
    asks = "Seat 1 (player-1) asks that the game be taken back to decision 2."
    question = post.text("2")
    assert asks in question
    assert "If you send nothing: " in question, "seat 2 is to decide, whatever it is asked besides"
    assert "You have nothing to decide now." not in question
    assert post.host.row().turn == 4, "one word is not enough"
    assert post.write(second, seat="2", at=at) == "accepted"
    row = post.host.row()
    assert (row.turn, row.pending, row.status) == (2, ["2"], "open")
    assert row.deadline_at == DEADLINE + 3 * DAY, "a fresh deadline by the schedule"
    for seat in "12":
        told = post.text(seat)
        assert (
            "The game was taken back to decision 2, with the consent of all. The dice will fall as they fell." in told
        )
        assert "decision 2" in told
    assert "ORDER FORM" in post.text("2")
    [back] = post.rows("taken_back")
    assert (back.turn, back.facts()["from"], back.facts()["agreed"]) == (2, 4, ["1", "2"])
    assert len(post.rows("turn")) == 4, "nothing is deleted"
    sound(post)


def test_the_question_stands_in_every_report_until_it_is_answered(post: Post) -> None:
    at = played(post, 2)
    post.write("take-back 1", seat="1", at=at)
    post.host.night(DEADLINE + 2 * DAY)
    for seat in "12":
        assert "asks that the game be taken back to decision 1" in post.text(seat)
        assert "So far agreed: 1." in post.text(seat)
    assert post.write("take-back no", seat="2", at=DEADLINE + 3 * DAY - HOUR) == "accepted"
    assert "Seat 2 (player-2) does not agree that the game be taken back." in post.text("1")
    post.host.night(DEADLINE + 3 * DAY)
    assert "asks that the game" not in post.text("1")
    assert post.write("take-back 1", seat="2", at=DEADLINE + 3 * DAY + HOUR) == "accepted"
    assert post.host.row().turn == 5, "the first word does not count any more"
    sound(post)


def test_what_waited_then_waits_again(post: Post) -> None:
    post.host.order("1", "a1", "c1", at=NOON)  # the second one waits for decision 3
    post.host.night()
    post.host.order("2", "b1", at=DEADLINE + HOUR)
    post.host.night(DEADLINE + DAY)
    post.host.night(DEADLINE + 2 * DAY)
    with post.host.ledger.read() as tx:
        assert queues.of_game(tx, "game")["1"].body is None
    both_agree(post, 2, DEADLINE + 2 * DAY + HOUR)
    with post.host.ledger.read() as tx:
        held = queues.of_game(tx, "game")
        assert held["1"].body["queue"] == ["c1"]
        assert held["2"].body is None, "what was ordered since then is not"
    assert "c1" in post.text("1")
    sound(post)


def test_attendance_is_as_it_stood(post: Post) -> None:
    at = played(post, 4)
    records = post.host.row().attendance["records"]
    assert (records["1"]["silent"], records["2"]["silent"]) == (2, 2)
    both_agree(post, 2, at)
    records = post.host.row().attendance["records"]
    assert records["1"]["silent"] == 1
    assert "2" not in records


def test_press_that_was_taken_leaves_with_the_report_of_the_take_back(post: Post) -> None:
    """A receipt has said that it will: it is no order that could be undone."""
    post.host.night()
    form = post.host.file("2", "b1").replace("end: orders", "say: {all: Peace be with you}\nend: orders")
    assert post.write(form, seat="2", at=DEADLINE + HOUR) == "accepted"
    for seat in "12":
        assert post.write("take-back 1", seat=seat, at=DEADLINE + HOUR) == "accepted"
    assert "taken back to decision 1" in post.text("1")
    assert "Peace be with you" in post.text("1")
    post.host.night(DEADLINE + DAY)
    assert "Peace be with you" not in post.text("1"), "said once"
    sound(post)


def test_what_is_open_again_is_held_as_long_as_any_decision(make_post) -> None:
    """Where the game had waited longer for somebody before it was taken back."""
    post = make_post()
    post.host.start("nim", heaps="3,4,5", silence="hold=2d")
    post.host.order("1", "a1")
    post.host.night(DEADLINE)
    post.host.night(DEADLINE + DAY)
    for seat in "12":
        assert post.write("take-back 1", seat=seat, at=DEADLINE + 2 * DAY) == "accepted"
    assert (post.host.row().turn, post.host.row().deadline_at) == (1, DEADLINE + 3 * DAY)
    post.host.night(DEADLINE + 3 * DAY)
    assert (post.host.row().turn, post.host.row().deadline_at) == (1, DEADLINE + 4 * DAY), "it waits for seat 1"
    post.host.night(DEADLINE + 4 * DAY)
    post.host.night(DEADLINE + 5 * DAY)
    assert post.host.row().turn == 2


def test_old_keys_order_nothing(post: Post) -> None:
    """G29: an order of before the take-back, sent again or late, is never taken for one of now."""
    post.host.night()
    old = post.host.file("2", "b1")
    address = post.tagged("2")
    post.host.night(DEADLINE + DAY)
    old_key = post.host.key("2", 2)
    both_agree(post, 2, DEADLINE + DAY + HOUR)
    at = DEADLINE + DAY + 2 * HOUR
    assert post.write(old, seat="2", to=address, at=at) == "refused"
    assert "before the game was taken back" in post.text("2")
    assert post.write("withdraw", seat="2", to=address, at=at) == "refused"
    assert "before the game was taken back" in post.text("2")
    assert post.host.submit(old, at=at).fate == "refused"
    with post.host.ledger.read() as tx:
        assert queues.of_game(tx, "game")["2"].body is None
    assert post.host.submit(old.replace(old_key, post.host.key("2", 2)), at=at).fate == "accepted"


def test_a_turn_done_again_with_the_same_orders_comes_to_the_same(post: Post) -> None:
    """G37: the dice of a turn depend on nothing but its number."""
    with post.host.ledger.write() as tx:
        add_player(tx, "player-orange", "orange@players.example", "en", "UTC", NOON)
    post.host.start("yut", "sticks")
    for number in range(4):
        post.host.night(DEADLINE + number * DAY)
    seats = sorted(post.host.row("sticks").seats)
    at = DEADLINE + 3 * DAY + HOUR
    for seat in seats:
        assert post.write("take-back 2", seat=seat, name="sticks", at=at) == "accepted"
    assert post.host.row("sticks").turn == 2
    for number in range(4, 7):
        post.host.night(DEADLINE + number * DAY)
    done = {turn: [row.facts() for row in post.rows("turn", "sticks") if row.turn == turn] for turn in (2, 3, 4)}
    assert sum(len(first["draws"]) for first, _ in done.values()) > 3
    for first, again in done.values():
        for name in ("moves", "draws", "events", "state", "pending"):
            assert again[name] == first[name], name


def test_the_referee_asks_and_decides_nothing(post: Post) -> None:
    at = played(post, 3)
    with post.host.ledger.write() as tx:
        assert asked_by_referee(tx, post.host.config, "game", 2, at, "the board was drawn wrong") == ("1", "2")
    for seat in "12":
        assert "The referee asks that the game be taken back to decision 2." in post.text(seat)
        assert "The reason: the board was drawn wrong" in post.text(seat)
    assert post.host.row().turn == 4
    both_agree(post, 2, at)
    assert post.host.row().turn == 2
    assert post.rows("taken_back")[0].facts()["by"] is None
    sound(post)


@pytest.mark.parametrize("turn", [0, 4, 9])
def test_there_is_no_way_to(post: Post, turn: int) -> None:
    at = played(post, 3)
    with post.host.ledger.write() as tx, pytest.raises(Trouble, match="is at decision 4"):
        asked_by_referee(tx, post.host.config, "game", turn, at, "why not")
    assert post.write(f"take-back {turn}", at=at) == "refused"
    assert "cannot go back to decision" in post.text("1")


def test_a_decision_nobody_was_asked_is_none_to_go_back_to(post: Post) -> None:
    post.host.start("nim", "quick", schedule="all-in 20:00", heaps="3,4,5")
    post.host.order("2", "b1", name="quick")
    post.host.order("1", "a1", name="quick")
    post.host.night(NOON + HOUR)
    assert post.host.row("quick").turn == 3
    with post.host.ledger.write() as tx, pytest.raises(Trouble, match="answered before anybody was asked"):
        asked_by_referee(tx, post.host.config, "quick", 2, NOON + HOUR, "why not")


def test_a_game_that_is_over_stays_over(post: Post) -> None:
    post.host.start("nim", "short", heaps="1")
    post.host.night()
    with post.host.ledger.write() as tx, pytest.raises(Trouble, match="its dice are revealed"):
        asked_by_referee(tx, post.host.config, "short", 1, DEADLINE + HOUR, "why not")


def test_programs_agree_to_whatever_persons_do(post: Post) -> None:
    from pbem.game.hosting import NewGame, new_game

    with post.host.ledger.write() as tx:
        wanted = NewGame(rules="nim", name="alone", seats={"1": "player-1", "2": "bot: random"},
                         options={"heaps": "7,7,7"})  # fmt: skip
        new_game(tx, post.host.config, wanted, NOON)
    post.host.night()
    assert post.host.row("alone").turn == 3
    with post.host.ledger.write() as tx:
        assert asked_by_referee(tx, post.host.config, "alone", 1, DEADLINE + HOUR, "to learn") == ("1",)


def test_who_has_resigned_has_resigned(post: Post) -> None:
    post.host.start("vault", "safe", rounds="3")
    post.host.night()
    post.write("resign safe", seat="blue", name="safe", at=DEADLINE + HOUR)
    post.host.night(DEADLINE + DAY)
    resigned = list(post.host.row("safe").resigned)
    seats = [seat for seat in ("red", "green", "blue") if seat not in resigned]
    at = DEADLINE + DAY + HOUR
    for seat in seats:
        post.write("take-back 1", seat=seat, name="safe", at=at)
    assert post.host.row("safe").turn == 1
    assert post.host.row("safe").resigned == resigned


def test_reports_and_pages_tell_what_stands(post: Post) -> None:
    from pbem.game.again import report_again
    from pbem.pages.asked import page

    at = played(post, 3, "a1", "b1", "c1")
    both_agree(post, 2, at)
    with post.host.ledger.read() as tx:
        config = post.host.config
        for seat in (None, "1"):
            told = report_again(tx, config, "game", seat, None, "text")
            assert "taken back to decision 2" in " ".join(told.split())
            with pytest.raises(Trouble, match="name a turn from 1 to 2"):
                report_again(tx, config, "game", seat, 4, "text")
        turns = [told["turn"] for told in _told(tx, config, "1")]
        assert turns == [1, 2, 2]
        assert page(tx, config, "game", "2", None)
        assert page(tx, config, "game", None, None)
    post.host.night(DEADLINE + 3 * DAY)
    with post.host.ledger.read() as tx:
        assert [told["turn"] for told in _told(tx, config, "1")] == [1, 2, 2, 3]
        assert "decision 2" in report_again(tx, config, "game", None, 3, "text").lower()
    assert post.write("history", at=DEADLINE + 3 * DAY + HOUR) == "accepted"
    assert post.text("1").count("Decision 2:") == 1
    sound(post)


def _told(tx: Any, config: Any, seat: str) -> list[Any]:
    from pbem.game.hosting import game_named
    from pbem.pages.seat import _mailed

    return _mailed(tx, game_named(tx, "game"), seat, 99)


def test_a_key_of_before_may_be_answered_with_help(post: Post) -> None:
    post.host.night()
    address = post.tagged("1")
    both_agree(post, 1, DEADLINE + HOUR)
    assert post.write("help", to=address, at=DEADLINE + 2 * HOUR) == "accepted"


def test_consent_takes_a_key(post: Post) -> None:
    at = played(post, 2)
    assert post.write("take-back 1", to=post.tagged("1", key="00000000"), at=at) == "quarantined"
    assert post.rows("consent") == []


def test_g37_weakened_dice_that_know_the_row_fall_otherwise(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """The promise bites: with dice that depend on anything but the turn, the redone turn differs."""
    from secrets import token_hex

    from pbem.game.sheet import Sheet

    fair = Sheet.dice
    monkeypatch.setattr(Sheet, "dice", lambda sheet, context: fair(sheet, f"{context}/{token_hex()}"))
    with pytest.raises(AssertionError):
        test_a_turn_done_again_with_the_same_orders_comes_to_the_same(post)


def test_g29_weakened_without_eras_an_old_order_is_taken(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.game import eras

    monkeypatch.setattr(eras.Era, "__str__", lambda era: "")
    with pytest.raises(AssertionError):
        test_old_keys_order_nothing(post)


# --- a forged take-back -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ({"state": None}, "the state is not what stood"),
        ({"pending": ["1"]}, "the pending is not what stood"),
        ({"opened": 2}, "was opened by row"),
        ({"from": 3}, "takes back what stands at turn 4"),
        ({"agreed": ["1", "2"]}, "not all have agreed"),
    ],
)
def test_a_forged_take_back_is_found(post: Post, what: dict[str, Any], says: str) -> None:
    """A row that is hashed as it should be, by somebody who has the secret, and does not say what was."""
    at = played(post, 3)
    post.write("take-back 2", seat="1", at=at)
    with post.host.ledger.write() as tx:
        from pbem.game.hosting import game_named
        from pbem.ledger import journal

        row = game_named(tx, "game")
        opened = journal.turn(tx, "game", 1)
        facts = opened.facts()
        body = {
            **{name: facts[name] for name in ("state", "decision", "pending", "deeds", "attendance")},
            **{"from": row.turn, "opened": opened.seq, "by": "1", "agreed": ["1"], "reason": "", "queues": {}},
            **{"deadline_at": None, "due_at": None, **what},
        }
        tx.append("game", "taken_back", at, body, 2)
    with of_ledger(post.host.ledger, "game") as book:
        assert says in str(verify(book).fault)
