"""Silence has kinds: what is done for a seat that has not answered, what is counted, and what the others are told."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.khan import GAME
from pbem.attending.attendance import Attendance, Record
from pbem.attending.silence import Policy
from pbem.errors import Trouble
from pbem.game.hosting import add_player
from tests.games.khan.table import drawn
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, secret


def record(host: Host, seat: str) -> Record:
    return Attendance.from_json(host.row().attendance).of(seat)


def hows(host: Host, seat: str = "1") -> list[list[str]]:
    """How each move of the last report came, as that seat was told."""
    return [
        line.strip("* .").rpartition(", ")[2]
        for line in host.mails(seat)[-1].text.splitlines()
        if line.startswith("* ")
    ]


def test_an_answer_in_time_is_on_time(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    host.order("1", "a1")
    host.night()
    assert record(host, "1") == Record(on_time=1)
    assert record(host, "2") == Record(), "who was not asked is neither on time nor silent"


def test_silence_takes_the_default_and_is_counted(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    host.night()
    assert record(host, "1") == Record(silent=1, row=1)
    assert hows(host) == ["as no orders came"]
    host.night(DEADLINE + DAY)
    host.order("1", "b1", at=DEADLINE + DAY)
    host.night(DEADLINE + 2 * DAY)
    assert record(host, "1") == Record(on_time=1, silent=1), "an answer ends the row of silences"


def test_a_word_that_there_is_nothing_to_order_is_no_silence(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    text = host.file("1", "x").replace("orders:\n  - x", "orders: []")
    assert host.submit(text).fate == "accepted"
    host.night()
    assert record(host, "1") == Record(on_time=1)
    assert hows(host) == ["as ordered"]


def test_a_draft_is_used_and_is_no_silence(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    host.submit(host.file("1", "b2").replace("orders:", "draft: true\norders:"))
    host.night()
    assert record(host, "1") == Record(on_time=1)
    assert hows(host) == ["from a draft"]


def test_orders_after_the_deadline_are_late(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    assert host.order("1", "a1", at=DEADLINE).fate == "refused"
    assert record(host, "1") == Record(late=1)
    host.night(DEADLINE + timedelta(minutes=5))
    assert record(host, "1") == Record(late=1, silent=1, row=1)


def test_to_have_one_move_left_is_to_have_nothing_to_order(host: Host) -> None:
    host.start("nim", heaps="1")
    host.night()
    assert record(host, "1") == Record()
    assert host.status() == "over"


def test_a_stand_in_moves_for_the_silent(host: Host) -> None:
    host.start("nim", heaps="3,4,5", silence="stand-in=random")
    host.night()
    assert hows(host) == ["by the stand-in"]
    assert record(host, "1") == Record(silent=1, row=1)


def test_a_stand_in_has_dice_of_its_own_and_moves_the_same_again(make_host) -> None:
    told = []
    for name in ("one", "two"):
        host = make_host(name)
        host.start("nim", heaps="13,14,15", silence="stand-in=random")
        for night in range(4):
            host.night(DEADLINE + night * DAY)
        told.append([mail.text for mail in host.mails("1")])
    assert told[0] == told[1]


def test_a_decision_may_have_a_policy_of_its_own_and_a_seat_too(host: Host) -> None:
    host.start("nim", heaps="13,14,15", silence="decision move: stand-in; seat 2: default")
    host.night()
    assert hows(host) == ["by the stand-in"]
    host.night(DEADLINE + DAY)
    assert hows(host) == ["as no orders came"]


def test_after_so_many_silences_a_seat_is_not_waited_for(host: Host) -> None:
    host.start("nim", heaps="13,14,15", schedule="all-in 20:00", silence="drop=2")
    moment = DEADLINE
    for _ in range(2):
        host.night(moment)  # seat 1 says nothing
        host.order("2", "c1", at=moment + timedelta(hours=1))
        host.night(moment + timedelta(hours=2))
        moment += DAY
    assert record(host, "1").gone
    turn = host.row().turn
    assert "1 (player-1) has sent nothing for 2 deadlines" in host.mails("2")[-3].text.replace("\n  ", " ")
    assert host.row().pending == ["2"], "the game went on without waiting for seat 1"
    host.order("2", "c1", at=moment + timedelta(hours=1))
    host.night(moment + timedelta(hours=2))
    assert host.row().turn == turn + 2, "and so it goes on, decision after decision"


def test_whoever_writes_again_is_waited_for_again(host: Host) -> None:
    host.start("nim", heaps="13,14,15", schedule="all-in 20:00", silence="drop=1")
    host.night(DEADLINE)
    assert record(host, "1").gone
    host.order("1", "a1", at=DEADLINE + timedelta(hours=1))
    assert not record(host, "1").gone
    host.order("2", "c1", at=DEADLINE + timedelta(hours=1))
    host.night(DEADLINE + timedelta(hours=2))
    assert "1 (player-1) has come back" in host.mails("2")[-1].text.replace("\n  ", " ")


def test_a_game_that_everybody_left_does_not_play_itself_to_its_end(host: Host) -> None:
    host.start("nim", heaps="13,14,15", silence="drop=1")
    for night in range(4):
        host.night(DEADLINE + night * DAY)
    assert host.status() == "open"
    assert host.row().turn <= 1 + 2 * 4, "a night decides for nobody more than once"


def test_the_others_wait_longer_and_no_longer_than_that(host: Host) -> None:
    host.start("nim", heaps="3,4,5", silence="hold=36h")
    host.night()
    row = host.row()
    assert (row.turn, row.deadline_at) == (1, DEADLINE + DAY)
    host.night(DEADLINE + DAY)
    assert host.row().deadline_at == DEADLINE + timedelta(hours=36), "the last wait ends where the holding does"
    host.night(DEADLINE + timedelta(hours=36))
    assert host.row().turn == 2
    assert record(host, "1") == Record(silent=1, row=1), "held or not, it is one silence"


def test_everybody_is_told_for_whom_the_game_waits(host: Host) -> None:
    host.start("nim", heaps="3,4,5", silence="hold=2d")
    host.night()
    for seat in ("1", "2"):
        assert "waits" in host.mails(seat)[-1].text
        assert host.mails(seat)[-1].kind == "notice"
    host.order("1", "a1", at=DEADLINE + timedelta(hours=1))
    host.night(DEADLINE + DAY)
    assert host.row().turn == 2
    assert record(host, "1") == Record(on_time=1)


def test_of_several_nobody_is_named_where_it_may_be_a_secret_who_has_answered(host: Host) -> None:
    """KHAN-20: red proposes, yellow and blue are asked; nobody reads which of them has answered."""
    guarded = {"yellow": ["gods", "mountain"], "blue": "protection"}
    table = drawn(4, yurts={"yellow": "B9", "green": "C8", "blue": "D8", "red": "B8", "black": "C9"}, active=guarded)
    table.do("C T5P B8 C8 D8 B9 C9")
    with host.ledger.write() as tx:
        add_player(tx, "player-yellow", "yellow@players.example", "en", "UTC", NOON, secret("yellow"))
    host.start("khan", silence="hold=2d", players="4")
    with host.ledger.write() as tx:
        asked = {"decision": "consent", "pending": ["yellow", "blue"], "state": GAME.dump(table.state)}
        tx.append("game", "turn", NOON, {"moves": {}, "draws": [], "events": [], **asked}, 1)
    assert host.order("blue", "agree").fate == "accepted"
    host.night()
    assert host.row().deadline_at == DEADLINE + DAY
    for seat in ("red", "yellow", "blue", "green"):
        said = host.mails(seat)[-1].text
        assert "At least one answer is still missing." in said
        assert "Nothing has come" not in said


def test_what_cannot_be_read_says_what_could() -> None:
    for words, hint in (
        ("nothing", "stand-in drop=3"),
        ("stand-in=genius", "choose one of"),
        ("drop=0", "stand-in drop=3"),
        ("hold=x", "stand-in drop=3"),
        ("default stand-in", "second time"),
        ("seat red: bad", "stand-in drop=3"),
    ):
        with pytest.raises(Trouble, match=hint):
            Policy.read(words)
    with pytest.raises(Trouble, match="the seats are 1, 2"):
        Policy.read("seat red: default").fit(("1", "2"))


@pytest.mark.parametrize(
    "words",
    [
        "default",
        "stand-in=random hold=2d drop=3",
        "default hold=36h away=7d; decision bid: stand-in; decision confirm_draw: default; seat red: default hold=7d",
    ],
)
def test_a_policy_goes_to_words_and_back(words: str) -> None:
    assert str(Policy.read(words)) == words
    assert Policy.read(str(Policy.read(words))) == Policy.read(words)


def test_attendance_goes_to_json_and_back() -> None:
    kept = Attendance(
        Policy.read("stand-in drop=3"),
        {"1": Record(2, 3, 1, 1, 1, 1, True, 12)},
        frozenset({"1"}),
        DEADLINE,
        frozenset({"2"}),
        1,
    )
    assert Attendance.from_json(kept.to_json()) == kept
    assert Attendance().to_json() == {}


def test_a_game_that_waits_night_after_night_is_not_halted(host: Host) -> None:
    """G13: to wait is no failed attempt; the count begins anew with each deadline that is moved."""
    host.start("nim", schedule="nightly 20:00", silence="hold=20d")
    for night in range(8):
        summary = host.night(DEADLINE + night * DAY)
        assert (summary.failed, host.status(), host.row().attempts) == ({}, "open", 0)
    assert host.row().turn == 1
