"""Commit and reveal: the commitment to the seed first, then the SHA-256 of all texts, then the texts, then the game."""

from __future__ import annotations

import pytest

from engine import Dice, load
from engine.dice import mix
from pbem.errors import Trouble
from pbem.ledger import games, journal
from pbem.seeding.protocol import HOST, PLAYERS, Wish
from tests.pbem.host.conftest import DEADLINE, NOON, Host, secret
from tests.pbem.seeding.conftest import BY_BEACON, BY_PLAYERS, SECOND, THIRD, Seeded, hash_of, text_of


def test_a_game_begins_when_all_have_sent_their_texts(host: Host) -> None:
    game = Seeded(host, BY_PLAYERS)
    first = game.told(game.seats[0])
    assert game.status == games.SEEDING
    assert game.sheet.commitment in first
    assert "behind `nonce:`" in first
    assert not game.rows("turn")
    game.commit()
    assert game.acts == ["commit"] * len(game.seats) + ["close"]
    letter = " ".join(" ".join(mail.text for mail in host.mails(game.seats[0])).split())
    assert all(hash_of(seat) in letter for seat in game.seats)
    assert "Now send your secret text itself" in letter
    game.reveal()
    assert game.status == games.OPEN
    assert game.rows("dice")[-1]["nonces"] == {seat: text_of(seat) for seat in game.seats}
    report = game.told(game.seats[0])
    assert "from secret texts of" in report
    assert "The host alone" not in report
    assert [row["kind"] for row in game.rows("created", "dice", "turn")][-1] == "turn"


@pytest.mark.parametrize("rules", ["khan", "yut", "yuan"])
def test_the_draws_come_from_the_seed_and_the_texts(host: Host, rules: str) -> None:
    game = Seeded(host, BY_PLAYERS, rules)
    game.commit()
    game.reveal()
    key = mix(secret("seed game"), {seat: text_of(seat) for seat in game.seats})
    dice = Dice(key, "game").at("0")
    load(rules).setup(load(rules).Options(), dice)
    assert game.rows("turn")[0]["draws"] == [list(draw) for draw in dice.draws]


def test_no_draw_is_made_before_the_texts_are_there(host: Host) -> None:
    game = Seeded(host, BY_PLAYERS, "khan")
    game.commit()
    game.reveal(*game.seats[:-1])
    assert host.row().state is None
    assert not game.rows("turn")
    host.night(DEADLINE)  # the deadline of the texts is the night after
    assert not game.rows("turn")


def test_who_commits_nothing_is_left_out_at_the_deadline(host: Host) -> None:
    game = Seeded(host, BY_PLAYERS)
    one, other = game.seats
    game.commit(one)
    host.night(DEADLINE)
    assert game.acts[-1] == "close"
    assert "You need not do anything" in game.told(other)
    assert "no text is expected from you" in game.send(other, text_of(other), DEADLINE).told
    game.reveal(one, at=DEADLINE)
    assert game.status == games.OPEN
    assert game.rows("dice")[-1]["nonces"] == {one: text_of(one)}
    assert f"from secret texts of {one}" in game.told(other)


def test_a_withheld_text_voids_the_round_and_its_seat_is_named(host: Host) -> None:
    game = Seeded(host, BY_PLAYERS)
    one, other = game.seats
    game.commit()
    game.reveal(one)
    host.night(SECOND)
    assert game.acts[-1] == "void"
    assert f"No text came in time from {other}" in game.told(one)
    assert "nonce:" in host.mails(one)[-1].text
    assert "nonce:" not in host.mails(other)[-1].text
    assert "add nothing more to the dice of this game" in game.send(other, hash_of(other, 2), SECOND).told
    game.commit(one, round=2, at=SECOND)
    game.reveal(one, round=2, at=SECOND)
    assert game.rows("dice")[-1] | {"kind": "", "status": ""} == {
        "act": "mix", "nonces": {one: text_of(one, 2)}, "withheld": [other], "kind": "", "status": "",
    }  # fmt: skip
    assert f"did not send it: {other}" in game.told(one)
    assert game.status == games.OPEN


def test_nobody_sends_anything(host: Host) -> None:
    game = Seeded(host, BY_PLAYERS)
    host.night(DEADLINE)
    assert game.status == games.OPEN
    assert "No player added a text" in game.told(game.seats[0])
    assert "The host alone chose the seed" in game.told(game.seats[0])


def test_all_withhold_their_texts(host: Host) -> None:
    game = Seeded(host, BY_PLAYERS)
    game.commit()
    host.night(SECOND)
    assert game.status == games.OPEN
    assert "The host alone chose the seed" in game.told(game.seats[0])


def test_all_decline_and_the_game_begins_at_once(host: Host) -> None:
    game = Seeded(host, BY_PLAYERS)
    for seat in game.seats:
        assert game.send(seat, "none").fate == "accepted"
    assert game.status == games.OPEN


@pytest.mark.parametrize(
    ("nonce", "says"),
    [
        (text_of("blue"), "the host knows it now"),
        ("abc", "64 hexadecimal digits"),
        ("x" * 64, "the host knows it now"),
    ],
)
def test_what_is_no_commitment_is_refused_with_the_reason(host: Host, nonce: str, says: str) -> None:
    game = Seeded(host, BY_PLAYERS)
    done = game.send(game.seats[0], nonce)
    assert done.fate == "refused"
    assert says in done.told
    assert says in game.told(game.seats[0])
    assert game.acts == []
    assert len(game.rows("dice_refused")) == 1


def test_a_commitment_is_final_and_its_own(host: Host) -> None:
    game = Seeded(host, BY_PLAYERS)
    one, other = game.seats
    game.commit(one)
    assert "is final" in game.send(one, hash_of(one, 2)).told
    assert "same SHA-256" in game.send(other, hash_of(one)).told


def test_another_text_than_the_one_committed_to_is_refused(host: Host) -> None:
    game = Seeded(host, BY_PLAYERS)
    game.commit()
    assert "Send exactly the text" in game.send(game.seats[0], text_of("other")).told
    assert game.status == games.SEEDING


def test_what_comes_after_its_deadline_does_not_count(host: Host) -> None:
    game = Seeded(host, BY_PLAYERS)
    done = game.send(game.seats[0], hash_of(game.seats[0]), DEADLINE)
    assert done.fate == "refused"
    assert "was due at" in done.told


def test_the_host_may_give_more_time(host: Host) -> None:
    from pbem.rulings.ruling import extended

    game = Seeded(host, BY_PLAYERS)
    game.commit(game.seats[0])
    with host.ledger.write() as tx:
        extended(tx, host.config, "game", NOON, "a holiday", until=SECOND)
    host.night(DEADLINE)
    assert game.acts == ["commit"]
    game.commit(game.seats[1], at=DEADLINE)
    assert game.acts[-1] == "close"


def test_orders_are_not_taken_yet(host: Host) -> None:
    game = Seeded(host, BY_PLAYERS)
    done = host.submit(host.file(game.seats[0], "throw", turn=0))
    assert done.fate == "refused"
    assert "not settled yet" in done.told


def test_a_text_after_the_game_has_begun_is_answered(host: Host) -> None:
    game = Seeded(host, BY_PLAYERS)
    host.night(DEADLINE)
    assert game.send(game.seats[0], hash_of(game.seats[0]), DEADLINE).fate == "refused"


def test_a_run_again_writes_the_same_rows(make_host) -> None:
    first, second = (Seeded(make_host(name), BY_PLAYERS) for name in ("one", "two"))
    for game in (first, second):
        game.commit(game.seats[0])
        game.host.night(DEADLINE)
        game.host.night(SECOND)
        game.host.night(THIRD)
    keep = ("created", "dice", "turn")
    assert [
        {**row, "letter": None} for row in first.rows(*keep)
    ] == [{**row, "letter": None} for row in second.rows(*keep)]  # fmt: skip


def test_a_rebuilt_ledger_waits_as_before(host: Host) -> None:
    from pbem.ledger.rebuild import rebuild

    game = Seeded(host, BY_PLAYERS)
    game.commit(game.seats[0])
    before = host.row()
    rebuild(host.ledger)
    assert host.row() == before
    game.commit(game.seats[1])
    game.reveal()
    after = host.row()
    rebuild(host.ledger)
    assert host.row() == after


def test_a_take_back_draws_the_same_again(host: Host) -> None:
    from pbem.agreed.asked import TAKE_BACK
    from pbem.agreed.consenting import agreed, asked_by_referee

    game = Seeded(host, BY_PLAYERS)
    game.commit()
    game.reveal()
    host.night(SECOND)
    with host.ledger.write() as tx:
        asked_by_referee(tx, host.config, "game", 1, SECOND, "a slip")
        for seat in game.seats:
            row = games.get(tx, "game")
            if row.turn != 1:
                agreed(tx, host.config, row, seat, TAKE_BACK, 1, SECOND, {})
    assert host.row().turn == 1
    host.night(THIRD)
    with host.ledger.read() as tx:
        draws = [row.facts()["draws"] for row in journal.rows(tx, "game", kinds=("turn",)) if row.turn == 1]
    assert draws[0]
    assert draws == [draws[0]] * 2


def test_a_game_without_dice_refuses_what_it_does_not_need(host: Host) -> None:
    with pytest.raises(Trouble, match="uses no dice"):
        Seeded(host, BY_PLAYERS, "jarmo")
    game = Seeded(host, None, "jarmo")
    assert "host alone" not in game.told(game.seats[0])


def test_a_plain_game_says_that_the_host_alone_chose(host: Host) -> None:
    game = Seeded(host, None)
    assert game.status == games.OPEN
    assert "The host alone chose the seed of the dice" in game.told(game.seats[0])
    assert "dice" not in game.rows("created")[0]


def test_the_default_of_the_host_holds_for_games_with_dice(host: Host) -> None:
    from dataclasses import replace

    host.config = replace(host.config, dice=PLAYERS)
    assert Seeded(host, None).status == games.SEEDING


def test_what_is_said_for_a_game_goes_before_the_default(make_host) -> None:
    from dataclasses import replace

    for wish, rules in ((Wish(HOST), "yut"), (None, "jarmo")):
        host = make_host(rules)
        host.config = replace(host.config, dice=PLAYERS)
        assert Seeded(host, wish, rules).status == games.OPEN


def test_a_beacon_that_is_known_already_is_refused(host: Host) -> None:
    with pytest.raises(Trouble, match="known since"):
        Seeded(host, Wish(BY_BEACON.by, BY_BEACON.beacon, "2026-11-18T11:00:00Z"))
