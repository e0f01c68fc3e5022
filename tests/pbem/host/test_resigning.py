"""Giving up where the rules leave it to the host: an order like any other until it holds, and then for good."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine import Dice, load
from pbem.game.hosting import add_player
from pbem.game.turning import outcome_of
from pbem.ledger import journal, players
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host

HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("slip", "code"),
    [
        (("orders:", "moev: x\norders:"), "moev"),
        (("end: orders", "say:\n  nobody: x\nend: orders"), "no seat nobody"),
    ],
)
def test_a_faulty_form_resigns_nobody(host: Host, slip: tuple[str, str], code: str) -> None:
    host.start("bagh-chal")
    settled = host.submit(host.file("2", "resign").replace(*slip))
    assert settled.fate == "refused"
    assert host.row().resigned == []
    assert code in host.mails("2")[-1].text


def test_an_old_form_resigns_nobody(host: Host) -> None:  # G29, I06
    host.start("bagh-chal")
    old = host.file("2", "resign")
    host.night()
    assert host.submit(old, DEADLINE + HOUR).fate == "refused"
    assert host.row().resigned == []


def test_a_draft_resigns_nobody(host: Host) -> None:
    host.start("bagh-chal")
    host.submit(host.file("2", "resign").replace("orders:", "draft: true\norders:"))
    assert host.row().resigned == []


def test_a_seat_that_resigned_orders_nothing_more(host: Host) -> None:
    host.start("bagh-chal")
    host.order("2", "resign")
    settled = host.order("2", "a1-b2")
    assert settled.fate == "refused"
    assert "resigned" in host.mails("2")[-1].text


def test_no_letter_asks_for_orders_of_a_seat_that_resigned(host: Host) -> None:
    """Its receipts and reports bring a form for words to the others, and no line for orders that would be refused."""
    with host.ledger.write() as tx:
        add_player(tx, "player-orange", "orange@players.example", "en", "UTC", NOON)
    host.start("yut", players="3")
    host.order("blue", "resign")
    assert host.order("blue", "2 new").fate == "refused"
    host.night()
    written = host.mails("blue")[-3:]
    assert len({mail.text.split("\n")[0] for mail in written}) == 3
    for mail in written:
        [_, form] = mail.text.split("\nkey: ")
        assert "# This seat has resigned; its orders are not used any more.\nend: orders" in form
        assert "orders:" not in form
    assert host.submit(host.file("blue").replace("orders:\n", "say: good luck\n")).fate == "accepted"


def test_on_arrival_the_game_ends_with_the_resignation(host: Host) -> None:
    host.start("bagh-chal", schedule="on-arrival 20:00")
    host.order("2", "resign")
    assert host.status() == "over"


def test_a_resignation_that_answers_nothing_gives_a_run_nothing_to_do(host: Host) -> None:
    with host.ledger.write() as tx:
        add_player(tx, "player-orange", "orange@players.example", "en", "UTC", NOON)
    host.start("yut", players="3", schedule="all-in 20:00")
    [pending] = host.row().pending
    other = next(seat for seat in host.row().seats if seat != pending)
    host.order(other, "resign")
    assert host.row().due_at == host.row().deadline_at


def test_the_game_ends_when_one_side_is_left(host: Host) -> None:  # DESIGN 3
    rules = load("yut")
    options = rules.Options(players="4")
    teams, seats = rules.teams(options), rules.seats(options)
    state = rules.setup(options, Dice(bytes(32))).state
    assert len(teams) == 2
    assert outcome_of(rules, state, teams[0][:1], rules.teams(options)) is None
    ended = outcome_of(rules, state, teams[0], rules.teams(options))
    assert ended is not None
    assert ended.places == (teams[1], teams[0])
    everyone = outcome_of(rules, state, seats, rules.teams(options))
    assert everyone is not None
    assert sorted(everyone.places[0]) == sorted(seats)


def test_a_word_after_the_resignation_does_not_put_the_end_off(host: Host) -> None:
    host.start("bagh-chal")
    host.order("2", "resign")
    assert host.order("1", "nonsense").fate == "refused"
    host.night(NOON)
    assert host.status() == "over"


def test_everybody_resigns(host: Host) -> None:
    host.start("bagh-chal")
    host.order("1", "resign")
    host.order("2", "resign")
    host.night()
    assert host.status() == "over"
    with host.ledger.read() as tx:
        assert len(list(journal.rows(tx, "game", kinds=("over",)))) == 1
    assert host.night(DEADLINE + DAY).turns == 0


def test_whom_a_resignation_asks_has_time_to_think(host: Host) -> None:
    """Seen red by a season: the seat that is asked because another one gave up had what was left of that one's time."""
    with host.ledger.write() as tx:
        missing = [seat for seat in ("3", "4") if players.by_name(tx, f"player-{seat}") is None]
        for seat in missing:
            add_player(tx, f"player-{seat}", f"{seat}@players.example", "en", "UTC", NOON)
    host.start("yuan", schedule="all-in 20:00")
    row = host.row()
    [asked] = row.pending
    host.order(asked, "resign", at=DEADLINE - HOUR)
    after = host.row()
    assert after.pending not in ([], [asked])
    assert after.status == "open"
    assert after.deadline_at == row.deadline_at + DAY
