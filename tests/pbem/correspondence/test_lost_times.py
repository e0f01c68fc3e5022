"""Reports of a lost time: who answers one is told so, and nothing moves, whatever is open under its number by now."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem import keys
from pbem.attending.attendance import Attendance, Loss, Record
from pbem.care import keeping
from pbem.deadlines.reminding import REMINDER
from pbem.game import eras
from pbem.ledger import Ledger, backup, mailed
from pbem.ledger.chain import HOST
from pbem.matches.match import seed_of
from tests.pbem.correspondence.conftest import Post
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, secret
from tests.pbem.host.test_matches import all_true, begin
from tests.pbem.host.test_reminding import remind, wish
from tests.pbem.host.test_submitting import waits
from tests.pbem.rulings.test_substitutes import replaced
from tests.pbem.rulings.test_taking_back import both_agree, sound

pytestmark = pytest.mark.sqlite  # a copy is a file

HOUR = timedelta(hours=1)
LOST = "is of a time that the host has lost"


def restored(post: Post, copy: Path, at: datetime, why: str = "the disk died") -> None:
    """The copy takes the ledger's place, and the referee agrees to go on with it."""
    host = post.host
    host.ledger.close()
    keeping.put_back(host.config, copy)
    host.ledger = Ledger.open(host.config.ledger)
    keeping.agreed(host.config, at, why)


def copied(post: Post, tmp_path: Path, name: str = "copy.db") -> Path:
    return backup.backup(post.host.config.place, tmp_path / name)


def played(post: Post, seat: str, order: str, at: datetime, name: str = "game") -> None:
    """A decision is answered, and the evening's run plays it."""
    assert post.host.order(seat, order, at=at, name=name).fate == "accepted"
    post.host.night(at + HOUR)


@pytest.fixture
def late(post: Post, tmp_path: Path) -> tuple[str, str]:
    """An answer to the second report, as a form, and the address that it came to: decision 2 was opened, its report has
    left, and all that is lost. It is open again, and the position is another one."""
    copy = copied(post, tmp_path)
    played(post, "1", "a1", DEADLINE - HOUR)
    form, address = post.host.file("2", "b3"), post.tagged("2")
    restored(post, copy, DEADLINE + HOUR)
    played(post, "1", "c5", DEADLINE + DAY - HOUR)
    assert post.host.row().turn == 2
    return form, address


NEXT = DEADLINE + DAY + HOUR


def test_an_answer_to_a_lost_report_moves_nothing(post: Post, late: tuple[str, str]) -> None:  # G29
    form, address = late
    assert post.write(form, seat="2", to=address, at=NEXT) == "refused"
    assert LOST in post.text("2")
    assert "Answer your newest letter; decision 2 is open" in post.text("2")
    assert waits(post.host, "2") == []
    assert post.host.row().turn == 2


def test_nor_does_it_as_a_file(post: Post, late: tuple[str, str]) -> None:  # G29
    settled = post.host.submit(late[0], NEXT)
    assert (settled.fate, settled.reason, waits(post.host, "2")) == ("refused", "lost_time", [])


@pytest.mark.parametrize("word", ["withdraw", "resign game", "say all: hello", "take-back 1", "absent 2026-12-01"])
def test_nor_does_a_word(post: Post, late: tuple[str, str], word: str) -> None:  # G29
    post.host.order("2", "b3", at=NEXT)
    before = post.host.row()
    assert post.write(word, seat="2", to=late[1], at=NEXT) == "refused"
    assert LOST in post.text("2")
    assert (waits(post.host, "2"), post.host.row()) == (["b3"], before)


def test_what_only_asks_is_answered(post: Post, late: tuple[str, str]) -> None:
    assert post.write("status", seat="2", to=late[1], at=NEXT) == "accepted"


def test_the_report_that_stands_is_answered(post: Post, late: tuple[str, str]) -> None:
    assert late[1] != post.tagged("2")
    assert post.write(post.host.file("2", "b3"), seat="2", at=NEXT) == "accepted"
    assert waits(post.host, "2") == ["b3"]
    post.host.night(DEADLINE + 2 * DAY)
    sound(post)


def test_a_form_whose_turn_is_mistyped_is_known_too(post: Post, late: tuple[str, str]) -> None:
    form = late[0].replace("turn: 2", "turn: 5")
    assert post.write(form, seat="2", to=post.host.config.address, at=NEXT) == "refused"
    assert LOST in post.text("2")


@pytest.mark.parametrize("turn", [1, 2])
def test_before_it_is_open_again(post: Post, tmp_path: Path, turn: int) -> None:
    """Decision 1 is open in the copy: what was sent to it counts when it comes (again). Decision 2 is not."""
    copy = copied(post, tmp_path)
    one = post.mail(post.host.file("1", "a1"), seat="1")
    post.bring(one, at=NOON)
    post.host.night(DEADLINE)
    two = post.mail(post.host.file("2", "b3"), seat="2")
    restored(post, copy, DEADLINE + HOUR)
    fates = post.bring((one, two)[turn - 1], at=DEADLINE + 2 * HOUR)
    assert fates == {("accepted", "refused")[turn - 1]: 1}
    assert waits(post.host, "1") == (["a1"] if turn == 1 else [])


@pytest.mark.parametrize(
    ("lang", "says"), [("fr", "date d’un temps que l’hôte a perdu"), ("it", "che l’host ha perso")]
)
def test_each_reader_is_told_in_his_language(post: Post, tmp_path: Path, lang: str, says: str) -> None:
    post.host.speak(lang)
    post.host.start("bagh-chal", "valley")
    copy = copied(post, tmp_path)
    played(post, "2", "place c3", DEADLINE - HOUR, "valley")
    lost = post.host.file("1", "a1-b1", name="valley"), post.tagged("1", name="valley")
    restored(post, copy, DEADLINE + HOUR)
    played(post, "2", "place b5", DEADLINE + DAY - HOUR, "valley")
    assert post.write(lost[0], to=lost[1], at=NEXT) == "refused"
    assert says in post.text("1")


# --- what else a lost time may have held ------------------------------------------------------------------------------


def test_two_losses_of_one_copy_have_keys_of_their_own(post: Post, tmp_path: Path) -> None:
    """The copy was made before the first agreement, so it knows nothing of that; what left between has other keys yet.
    They prove nobody any more, and move nothing."""
    copy = copied(post, tmp_path)
    found = []
    for day, order in enumerate(("a1", "b2", "c5")):
        played(post, "1", order, DEADLINE + day * DAY - HOUR)
        found.append((post.host.file("2", "b3"), post.tagged("2")))
        if day < 2:
            restored(post, copy, DEADLINE + day * DAY + HOUR)
    assert len({address for _, address in found}) == 3
    fates = [post.write(form, seat="2", to=to, at=DEADLINE + 2 * DAY + HOUR) for form, to in found]
    assert fates == ["refused", "quarantined", "accepted"]
    sound(post)


def test_nor_have_two_on_new_disks(post: Post, tmp_path: Path) -> None:
    """Nothing is left there that tells what was mailed, so both agreements name the copy's own end."""
    post.host.night(NOON)
    copy = copied(post, tmp_path)
    found = set()
    for day in range(3):
        played(post, "1", "a1", DEADLINE + day * DAY - HOUR)
        found.add(post.tagged("2"))
        mailed.heads_file(post.host.ledger).unlink()
        restored(post, copy, DEADLINE + day * DAY + HOUR)
    assert len(found) == 3


def test_a_copy_of_after_a_loss_knows_the_keys_of_both(post: Post, tmp_path: Path) -> None:
    found = []
    for day, name in enumerate(("first", "second")):
        copy = copied(post, tmp_path, name)
        played(post, "1", "a1", DEADLINE + day * DAY - HOUR)
        found.append((post.host.file("2", "b3"), post.tagged("2")))
        restored(post, copy, DEADLINE + day * DAY + HOUR)
    played(post, "1", "c5", DEADLINE + 2 * DAY - HOUR)
    at = DEADLINE + 2 * DAY + HOUR
    for form, to in found:
        assert post.write(form, seat="2", to=to, at=at) == "refused"
        assert LOST in post.text("2")
    assert post.write(post.host.file("2", "b3"), seat="2", at=at) == "accepted"
    sound(post)


def test_a_take_back_that_is_lost(post: Post, tmp_path: Path) -> None:
    """All agree again, and the game goes back as often as before; a lost report of the decision is none of now."""
    played(post, "1", "a1", DEADLINE - HOUR)
    first = post.host.file("1", "c5"), post.tagged("1", 1)
    copy = copied(post, tmp_path)
    both_agree(post, 1, DEADLINE + HOUR)
    lost = post.host.file("1", "c5"), post.tagged("1")
    post.host.night(DEADLINE + HOUR)
    restored(post, copy, DEADLINE + 2 * HOUR)
    at = DEADLINE + 3 * HOUR
    assert post.write(lost[0], seat="1", to=lost[1], at=at) == "refused"
    assert LOST in post.text("1")
    both_agree(post, 1, at)
    assert post.host.row().turn == 1
    for (form, to), says in ((lost, LOST), (first, "before the game was taken back")):
        assert post.write(form, seat="1", to=to, at=at) == "refused"
        assert says in post.text("1")
    assert post.write(post.host.file("1", "c5"), seat="1", at=at) == "accepted"
    sound(post)


def test_a_change_of_hands_that_is_lost(post: Post, tmp_path: Path) -> None:
    """Who took the seat over in the lost time proves nothing, though somebody else is its second player now."""
    copy = copied(post, tmp_path)
    replaced(post, player="player-3")
    lost = post.host.file("1", "c5"), post.tagged("1")
    post.host.night(NOON)
    restored(post, copy, NOON + HOUR)
    replaced(post, player="player-4", at=NOON + HOUR)
    before = post.count("3"), post.count("4")
    assert post.write(lost[0], seat="1", to=lost[1], at=NOON + 2 * HOUR) == "quarantined"
    assert post.write("status", seat="1", to=lost[1], at=NOON + 2 * HOUR) == "quarantined"
    assert (post.count("3"), post.count("4")) == before
    assert post.write(post.host.file("1", "c5"), seat="1", at=NOON + 2 * HOUR) == "accepted"
    sound(post)


def test_the_next_player_of_a_seat_has_keys_of_after_the_loss(post: Post, late: tuple[str, str]) -> None:
    """The player before him had the lost report, which proves nothing now."""
    replaced(post, seat="2", player="player-3", at=NEXT)
    assert post.write(late[0], seat="2", to=late[1], at=NEXT) == "quarantined"
    assert post.write(post.host.file("2", "b3"), seat="2", at=NEXT) == "accepted"


def test_a_game_on_arrival_whose_turn_is_open(post: Post, tmp_path: Path) -> None:
    post.host.start("nim", "swift", schedule="on-arrival 20:00", heaps="3,4,5")
    copy = copied(post, tmp_path)
    played(post, "1", "a1", NOON, "swift")
    lost = post.host.file("2", "b3", name="swift"), post.tagged("2", name="swift")
    restored(post, copy, NOON + 2 * HOUR)
    played(post, "1", "c5", NOON + 2 * HOUR, "swift")
    assert post.host.submit(lost[0], NOON + 3 * HOUR).fate == "refused"
    assert post.write(lost[0], seat="2", to=lost[1], at=NOON + 3 * HOUR) == "refused"
    assert post.host.row("swift").turn == 2
    played(post, "2", "b3", NOON + 3 * HOUR, "swift")
    assert post.host.row("swift").turn == 3


@pytest.mark.parametrize("noted", [("duel-1", "duel-2"), ("duel-2",)])
def test_a_game_of_a_match_that_is_lost_whole(post: Post, tmp_path: Path, noted: tuple[str, ...]) -> None:
    """Its secret is that of its match and its number, so the match comes to the same keys again. Of a cluster's mails
    those of the later game may be all that has left."""
    begin(post.host, "nim", heaps="1-1-1-1")
    copy = copied(post, tmp_path)
    key = lambda turn=None: key_of(post, "duel-2", turn)  # noqa: E731
    for day in range(5):
        post.host.night(DEADLINE + day * DAY)
    lost = [key(turn) for turn in (1, 2)]
    assert post.host.row("duel-2").turn == 2
    path = mailed.heads_file(post.host.ledger)
    heads = mailed.known(path)
    path.unlink()
    mailed._write(path, {name: heads[name] for name in noted}, heads["duel-2"])
    restored(post, copy, DEADLINE + 4 * DAY + HOUR)
    for day in range(5, 10):
        post.host.night(DEADLINE + day * DAY)
    assert post.host.row("duel-2").turn == 2
    assert not {key(1), key(2)} & set(lost)
    at = DEADLINE + 9 * DAY + HOUR
    form = post.host.file("1", "b1", name="duel-2", key=lost[1])
    assert post.write(form, seat="1", to=post.host.config.address, at=at) == "refused"
    assert LOST in post.text("2"), "they have changed places"
    all_true(post.host)


def key_of(post: Post, name: str, turn: int | None) -> str:
    row = post.host.row(name)
    turn = row.turn if turn is None else turn
    return keys.key(seed_of(secret("chain duel"), 2), "1", turn, str(eras.eras_of(row.attendance).of("1", turn)))


def test_a_reminder_of_a_decision_that_is_open_again_goes_under_another_id(post: Post, tmp_path: Path) -> None:
    """Else the reader's server, which knows the id, throws it away."""
    wish(post.host, "2", 2)
    copy = copied(post, tmp_path)
    sent = set()
    for day in range(2):
        played(post, "1", ("a1", "c5")[day], DEADLINE + 2 * day * DAY - HOUR)
        assert remind(post.host, DEADLINE + (2 * day + 1) * DAY - HOUR) == 1
        sent |= {row.facts()["message_id"] for row in post.rows("mail", HOST) if row.facts()["kind"] == REMINDER}
        if day == 0:
            restored(post, copy, DEADLINE + DAY)
    assert len(sent) == 2


# --- a host that forgets it -------------------------------------------------------------------------------------------


def test_g29_weakened_without_its_losses_a_lost_report_is_answered(
    post: Post, late: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Loss, "is_before", lambda *_: False)
    with pytest.raises(AssertionError):
        test_an_answer_to_a_lost_report_moves_nothing(post, late)
    assert waits(post.host, "2") == ["b3"]


def test_a_game_without_losses_is_as_it_was() -> None:
    """Neither its rows nor its keys know that there may be some."""
    data = Attendance(backs=2).to_json()
    assert data == {"backs": 2}
    assert [str(eras.eras_of(said).of("1", 3)) for said in (None, {}, data)] == ["", "", "2.1"]


def test_what_is_lost_goes_there_and_back() -> None:
    attendance = Attendance(backs=2, records={"1": Record(tenure=3), "2": Record(late=1)}).lost_from(7, "x")
    assert attendance.to_json()["lost"] == [["x", 7, 2, {"1": 3}]]
    assert Attendance.from_json(attendance.to_json()) == attendance


@pytest.mark.parametrize(
    ("seat", "turn", "given", "era"),
    [
        ("2", 7, {}, "2.1"),
        ("2", 8, {}, "2.1.x"),
        ("1", 7, {}, "2.3"),
        ("1", 8, {}, "2.3.x"),
        ("2", 9, {"backs": 1}, "1.1"),  # of a time that the copy knows
        ("2", 1, {"backs": 3}, "3.1.x"),
        ("1", 7, {"tenures": {"1": 4}}, "2.4.x"),
    ],
)
def test_which_keys_the_copy_knows(seat: str, turn: int, given: dict[str, Any], era: str) -> None:
    loss = Loss("x", 7, 2, {"1": 3})
    assert str(eras.Eras(**{"backs": 2, "tenures": {"1": 3}, "lost": (loss,), **given}).of(seat, turn)) == era
