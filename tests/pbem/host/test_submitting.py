"""Submissions: who speaks, what stands, what is answered (G3, G4, G16, G28, I-cases)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine import load
from pbem.apart import Apart
from pbem.ledger import letters, queues
from pbem.submitting.decision import Decision
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host


def waits(host: Host, seat: str) -> list[str]:
    with host.ledger.read() as tx:
        return (queues.of_game(tx, "game")[seat].body or {}).get("queue", [])


def test_an_order_is_stored_judged_and_answered(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    settled = host.order("1", "b3")
    assert settled.fate == "accepted"
    assert waits(host, "1") == ["b3"]
    receipt = host.mails("1")[-1]
    assert receipt.kind == "receipt-1"
    assert settled.receipt is not None
    assert settled.receipt.digest in receipt.text.replace("\n", "")
    assert [mail.kind for mail in host.mails("2")] == ["report"], "nobody else hears of it"


def test_a_receipt_crosses_over_only_to_whoever_waits_to_be_shown_it(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.start("nim", heaps="3,4,5")
    given, ask = [], Apart.ask
    monkeypatch.setattr(Apart, "ask", lambda apart, *task: given.append(ask(apart, *task)) or given[-1])
    with host.ledger.write() as tx:
        letters.arrive(tx, host.file("1", "b3").encode(), NOON, "drop", "<m@x>")
    host.night(NOON)
    host.order("1", "a1")
    told = [one.shown is not None for one in given if isinstance(one, Decision)]
    assert told == [False, True], "the receipt holds all that its seat may see, and is a mail already"
    assert [mail.kind for mail in host.mails("1")] == ["report", "receipt-1", "receipt-2"]


def test_a_later_order_replaces_the_earlier_one(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    host.order("1", "b3")
    host.order("1", "a1")
    assert waits(host, "1") == ["a1"]


def test_a_refused_order_leaves_what_stood(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    host.order("1", "b3")
    settled = host.order("1", "b9")
    assert settled.fate == "refused"
    assert settled.verdict is not None
    assert settled.verdict.problems[0].why.rule.startswith("NIM-")
    assert waits(host, "1") == ["b3"]


@pytest.mark.parametrize("times", [2, 3, 50])
def test_the_same_message_again_is_one_submission(host: Host, times: int) -> None:  # G4
    host.start("nim", heaps="3,4,5")
    raw = host.file("1", "b3").encode()
    with host.ledger.write() as tx:
        new = [letters.arrive(tx, raw, NOON, route, "<m@x>").new for route in (["drop", "submit"] * times)[:times]]
    assert new == [True] + [False] * (times - 1)
    host.night(NOON)
    assert [mail.kind for mail in host.mails("1")] == ["report", "receipt-1"]


def test_a_then_b_then_a_again_in_a_new_message_ends_in_a(host: Host) -> None:  # G4
    host.start("nim", heaps="3,4,5")
    first, second = host.file("1", "b3").encode(), host.file("1", "a1").encode()
    for message_id, raw in (("<1>", first), ("<2>", second), ("<1>", first)):
        with host.ledger.write() as tx:
            letters.arrive(tx, raw, NOON, "drop", message_id)
        host.night(NOON)
    assert waits(host, "1") == ["a1"], "the first message delivered again leaves the second standing"
    with host.ledger.write() as tx:
        letters.arrive(tx, first, NOON, "drop", "<3>")
    host.night(NOON)
    assert waits(host, "1") == ["b3"], "the same words in a new message are a new order"


@pytest.mark.parametrize(
    ("seconds", "fate"), [(-86_400, "accepted"), (-1, "accepted"), (0, "refused"), (1, "refused"), (3600, "refused")]
)
def test_the_deadline_law(host: Host, seconds: int, fate: str) -> None:  # G16: before the instant, by arrival
    host.start("nim", heaps="3,4,5")
    arrived = max(NOON, DEADLINE + timedelta(seconds=seconds))
    raw = host.file("1", "b3").encode()
    with host.ledger.write() as tx:
        letters.arrive(tx, raw, arrived, "drop", "<m@x>")
    # It is judged long after it came: only the arrival counts.
    from pbem.messages import settle_waiting

    assert settle_waiting(host.config, host.ledger, DEADLINE + DAY) == {fate: 1}


@pytest.mark.parametrize("key", ["", "AAAA-AAAA", "{other}", "{later}"])
def test_without_the_seats_key_nobody_is_answered(host: Host, key: str) -> None:  # G28, I01
    host.start("nim", heaps="3,4,5")
    forged = key.format(other=host.key("2", 7), later=host.key("1", 7))
    text = host.file("1", "b3").replace(host.key("1"), forged)
    before = len(host.mails("1")) + len(host.mails("2"))
    settled = host.submit(text)
    assert settled.fate == "quarantined"
    assert len(host.mails("1")) + len(host.mails("2")) == before
    assert waits(host, "1") == []


def test_with_another_seats_key_that_one_is_answered(host: Host) -> None:  # G28
    host.start("nim", heaps="3,4,5")
    before = len(host.mails("1")), len(host.mails("2"))
    settled = host.submit(host.file("1", "b3", key=host.key("2")))
    assert (settled.fate, settled.seat) == ("refused", "2")
    assert (len(host.mails("1")), len(host.mails("2"))) == (before[0], before[1] + 1)
    assert "`seat: 1` does not fit the key" in host.mails("2")[-1].text
    assert waits(host, "1") == waits(host, "2") == []


def test_an_old_form_is_never_a_new_order(host: Host) -> None:  # I06
    host.start("nim", heaps="3,4,5")
    old = host.file("1", "b1")
    host.order("1", "b3")
    host.night()
    settled = host.submit(old, DEADLINE + timedelta(hours=1))
    assert settled.fate == "refused"
    assert "decision 1, which is closed" in host.mails("1")[-1].text


def test_messages_in_are_accounted_for(host: Host) -> None:  # G3
    host.start("nim", heaps="3,4,5")
    for text in (host.file("1", "b3"), host.file("1", "zz"), "", "game: other", host.file("2", "a1", key="X")):
        host.submit(text)
    with host.ledger.read() as tx:
        counts = letters.counts(tx)
    assert counts == {"accepted": 1, "refused": 1, "quarantined": 3}


def test_a_game_that_is_over_takes_no_orders(host: Host) -> None:
    host.start("nim", heaps="1,1")
    late = host.file("2", "a1")
    host.order("1", "a1")
    host.night()
    host.order("2", "b1", at=DEADLINE + timedelta(hours=1))
    host.night(DEADLINE + DAY)
    assert host.status() == "over"
    settled = host.submit(late, DEADLINE + 2 * DAY)
    assert settled.fate == "refused"
    receipt = host.mails("2")[-1]
    assert "takes no orders now" in receipt.text
    assert "To order ahead" not in receipt.text + receipt.html
    assert "ORDER FORM" not in receipt.text


def test_press_leaves_with_the_next_report_and_once(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    host.submit(host.file("1", "b3").replace("end:", "say:\n  all: Good luck!\n  '2': Between us.\nend:"))
    host.night()
    assert "Good luck!" in host.mails("2")[-1].text
    assert "Between us." in host.mails("2")[-1].text
    host.order("2", "a1", at=DEADLINE + timedelta(hours=1))
    host.night(DEADLINE + DAY)
    assert "Good luck!" not in host.mails("2")[-1].text


def test_resigning_where_the_rules_leave_it_to_the_host(host: Host) -> None:
    host.start("bagh-chal")
    assert host.order("2", "resign").fate == "accepted"
    host.night()
    assert host.status() == "over"
    report = host.mails("1")[-1].text
    assert "resignation" in report
    ranking = report[report.index("The game is over") :]
    assert "player-1" in ranking


def test_resigning_where_the_rules_know_it(host: Host) -> None:
    host.start("vault")
    assert host.order("red", "resign").fate == "accepted"
    assert host.status() == "open"
    assert "resign" in host.mails("blue")[-1].text.lower(), "it took effect at once, and everybody was told"
    assert host.row().turn == 1, "the turn stays the same one"
    assert host.row().at_once == 1


def test_a_resignation_is_told_on_its_receipt(host: Host) -> None:
    host.start("bagh-chal")
    assert host.order("2", "resign").fate == "accepted"
    assert "PLEASE NOTE\n\n- Your resignation is taken, for good." in host.mails("2")[-1].text


def test_standing_answers_that_stay_are_not_told_as_replaced(host: Host) -> None:
    host.start("vault")
    start = host.file("red", "").split("orders:")[0]
    host.submit(start + "standing: {challenge: never}\nend: orders\n")
    host.submit(start + "orders: []\nend: orders\n")
    told = host.mails("red")[-1].text
    assert "Standing answer: challenge: never" in told
    assert "This replaces:" not in told


def test_orders_that_stay_are_not_told_as_replaced(host: Host) -> None:
    """Nor by standing answers, nor by a draft beside them; what went is told alone."""
    host.start("vault")
    start = host.file("red", "").split("orders:")[0]
    host.submit(start + "orders: [pass]\nstanding: {challenge: never}\nend: orders\n")
    host.submit(start + "standing: {}\nend: orders\n")
    told = host.mails("red")[-1].text
    assert "WHAT STANDS NOW\n\n1. pass\nThis replaces:\n- Standing answer: challenge: never\n" in told
    host.submit(start + "draft: true\norders: [pass, pass]\nend: orders\n")
    assert "This replaces:" not in host.mails("red")[-1].text


def test_what_hangs_on_others_is_not_promised(host: Host) -> None:
    """A plan of Yuan is tried alone, and may come to nothing where another clan has the same; nothing stops a goat."""
    host.start("yuan", players="2", tile_setup="dealt")
    days = 0
    while host.row().decision != "plan":
        host.night(DEADLINE + days * DAY)
        days += 1
    rules = load("yuan")
    plan = next(str(move) for move in rules.moves(rules.restore(host.row().state), "1") if " D1 F1" in str(move))
    host.order("1", plan, at=DEADLINE + days * DAY - DAY / 2)
    receipt = host.mails("1")[-1]
    assert f"1. {plan}\n   As far as the others do not get in its way:\n   - The plan of" in receipt.text
    assert "As far as the others do not get in its way:" in receipt.html
    host.start("bagh-chal", "herd", tigers="2")
    host.order("1", "place c3", name="herd")
    assert "\n1. place c3\n   - A goat is placed on c3" in host.mails("1", "herd")[-1].text
