"""Open seats: a game waits for its players, who join by mail with a round-trip; it begins when all seats are taken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.audit.verify import verify_ledger
from pbem.correspondence import addresses
from pbem.errors import Trouble
from pbem.game.hosting import NewGame, player_named
from pbem.ledger import openings, players
from pbem.ledger.dump import canonical_dump
from pbem.ledger.rebuild import rebuild
from pbem.people import gathering
from tests.pbem.correspondence.conftest import NOON, Post, words
from tests.pbem.host.conftest import DAY, DEADLINE

HOUR = timedelta(hours=1)


def announce(post: Post, seats: Mapping[str, str] = {}, until=None, least=None, name: str = "hill") -> None:
    with post.host.ledger.write() as tx:
        wanted = NewGame(rules="nim", name=name, seats=seats, options={"heaps": "3,4,5"})
        gathering.opened(tx, post.host.config, wanted, until, least, NOON)


def waiting(post: Post, name: str = "hill") -> openings.Opening | None:
    with post.host.ledger.read() as tx:
        return openings.get(tx, name)


def asks(post: Post, who: str, text: str = "join hill", at=NOON) -> str:
    """A mail to the host's own address, with no key of anybody's."""
    return post.write(text, sender=who, to=post.host.config.address, subject="hello", at=at)


def answers(post: Post, who: str, text: str = "yes", at=NOON) -> str:
    """The answer to the last mail that somebody was sent."""
    to = str(post.sent(who)[-1]["Reply-To"])
    return post.write(text, sender=who, to=re.findall(r"<([^>]+)>", to)[0] if "<" in to else to, at=at)


def sound(post: Post) -> None:
    assert [verdict.fault for verdict in verify_ledger(post.host.ledger) if not verdict.ok] == []
    before = canonical_dump(post.host.ledger)
    rebuild(post.host.ledger)
    assert canonical_dump(post.host.ledger) == before


def test_players_join_by_mail_and_the_game_begins(post: Post) -> None:
    announce(post)
    assert asks(post, "3@players.example") == "accepted"
    assert waiting(post).seats == {}, "an address on a mail proves nothing"
    assert "A seat in hill?" in post.sent("3@players.example")[-1]["Subject"]
    assert answers(post, "3@players.example") == "accepted"
    assert waiting(post).free == ("2",)
    assert "You play seat 1 in hill" in post.text("3")
    assert "still free: 1" in post.text("3")
    assert asks(post, "4@players.example", "Rejoindre hill 2") == "accepted"
    assert answers(post, "4@players.example") == "accepted"
    assert waiting(post) is None
    row = post.host.row("hill")
    with post.host.ledger.read() as tx:
        assert {seat: players.get(tx, who).name for seat, who in row.seats.items()} == {
            "1": "player-3",
            "2": "player-4",
        }
    assert "ORDER FORM" in post.text("3")
    sound(post)


def test_who_has_a_key_joins_by_it(post: Post) -> None:
    announce(post, {"2": "player-3"})
    assert post.write("partecipare hill", seat="1") == "accepted"
    assert post.host.row("hill").turn == 1
    assert post.write("join hill", seat="2") == "refused"
    assert "No game named hill waits for players" in post.text("2")


def test_leave_before_it_begins(post: Post) -> None:
    announce(post)
    asks(post, "3@players.example")
    answers(post, "3@players.example")
    assert answers(post, "3@players.example", "leave") == "accepted"
    assert waiting(post).free == ("1", "2")
    assert "given back" in post.text("3")
    assert post.write("join hill", seat="1") == "accepted"
    assert "You play seat 1 in hill" in words(post.last("1"))
    assert post.write("leave hill", seat="1") == "accepted"
    assert waiting(post).free == ("1", "2")
    assert post.write("leave hill", seat="1") == "refused"
    sound(post)


@pytest.mark.parametrize("joins_first", [True, False])
def test_who_changes_his_address_meanwhile_is_who_he_was(post: Post, joins_first: bool) -> None:
    """Seen red: the code of the old address registered him a second time, with a second seat of the game."""
    announce(post)
    asks(post, "1@players.example")
    join = str(post.sent("1@players.example")[-1]["Reply-To"].addresses[0].addr_spec)
    if joins_first:
        assert post.write("yes", to=join) == "accepted"
    with post.host.ledger.write() as tx:
        player = players.by_name(tx, "player-1")
        assert player is not None
        addresses.ask(tx, post.host.config, player, "new@players.example", NOON)
    assert answers(post, "new@players.example") == "accepted"
    assert post.write("yes", to=join) == ("refused" if joins_first else "accepted")
    with post.host.ledger.read() as tx:
        him = players.by_address(tx, "new@players.example")
        assert him is not None
        assert players.by_address(tx, "1@players.example") is None
    assert waiting(post).seats == {"1": him.commitment}
    assert "hill" in words(post.sent("new@players.example")[-1])
    assert post.write("leave", to=join) == "accepted"
    assert waiting(post).seats == {}
    sound(post)


def test_an_address_of_two_players_takes_nothing_along_that_is_the_others(post: Post) -> None:
    with post.host.ledger.write() as tx:
        one, two = (players.by_name(tx, f"player-{number}") for number in (1, 2))
        assert one is not None
        assert two is not None
        two = players.change(tx, two, address=one.address or "", lang="en", zone="UTC", at=NOON)
    announce(post)
    asks(post, "1@players.example")
    with post.host.ledger.write() as tx:
        openings.move(tx, two, "new@players.example")
        assert [asking.address for asking in openings.asked(tx)] == ["1@players.example"]
        openings.move(tx, one, "new@players.example")
        assert [asking.address for asking in openings.asked(tx)] == ["new@players.example"]


def test_who_waits_for_weeks_may_leave_as_he_was_told(post: Post) -> None:
    """Seen red: after a week the one word LEAVE was set aside, without an answer, and the game began with him."""
    announce(post)
    asks(post, "3@players.example")
    answers(post, "3@players.example")
    assert "Until then you may answer this mail with the one word LEAVE" in post.text("3")
    assert answers(post, "3@players.example", "leave", NOON + 20 * DAY) == "accepted"
    assert waiting(post).free == ("1", "2")
    assert answers(post, "3@players.example", "yes", NOON + 20 * DAY) == "quarantined"


def test_g30_strangers_get_no_answer_where_the_host_is_not_open(post: Post) -> None:
    announce(post)
    assert asks(post, "zoe@elsewhere.example") == "quarantined"
    assert post.sent("zoe@elsewhere.example") == []


def test_strangers_register_by_mail_where_he_is(post: Post) -> None:
    announce(post)
    post.host.config = replace(post.host.config, open_to_strangers=True)
    assert asks(post, "zoe@elsewhere.example") == "accepted"
    with post.host.ledger.read() as tx:
        assert players.by_address(tx, "zoe@elsewhere.example") is None, "not before she has shown that mail reaches her"
    assert answers(post, "zoe@elsewhere.example") == "accepted"
    with post.host.ledger.read() as tx:
        zoe = players.by_address(tx, "ZOE@elsewhere.example")
        assert zoe is not None
        assert zoe.name == "zoe"
    assert waiting(post).seats == {"1": zoe.commitment}


def test_g30_a_stranger_is_asked_once_a_week(post: Post) -> None:
    """Weakened: without the limit, whoever writes her name on many mails fills her mailbox."""
    announce(post)
    post.host.config = replace(post.host.config, open_to_strangers=True)
    fates = [asks(post, "zoe@elsewhere.example") for _ in range(5)]
    assert fates == ["accepted"] + ["quarantined"] * 4
    assert len(post.sent("zoe@elsewhere.example")) == 1
    assert asks(post, "zoe@elsewhere.example", at=NOON + 8 * DAY) == "accepted"


def test_g30_weakened_without_the_limit_her_mailbox_fills(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.correspondence import joining

    monkeypatch.setattr(joining, "_may_ask", lambda *given: True)
    with pytest.raises(AssertionError):
        test_g30_a_stranger_is_asked_once_a_week(post)


def test_a_wrong_or_old_code_is_nobodys(post: Post) -> None:
    announce(post)
    asks(post, "3@players.example")
    local, _, host = post.host.config.address.rpartition("@")
    assert post.write("yes", to=f"{local}+join.{'0' * 16}@{host}") == "quarantined"
    assert answers(post, "3@players.example", at=NOON + 8 * DAY) == "quarantined"
    assert waiting(post).seats == {}


def test_the_seat_is_gone_meanwhile(post: Post) -> None:
    announce(post, {"1": "player-1"})
    asks(post, "3@players.example")
    asks(post, "4@players.example")
    assert answers(post, "3@players.example") == "accepted"
    assert answers(post, "4@players.example") in ("refused", "quarantined")
    assert "player-4" not in str(post.host.row("hill").seats)


def test_the_gate_of_reliability(post: Post) -> None:
    post.host.night()  # player-1 says nothing
    announce(post, least=50)
    assert post.write("join hill", at=DEADLINE + HOUR) == "refused"
    assert "at least 50 of 100 deadlines; you have kept 0" in post.text("1")
    assert post.write("join hill", seat="2", at=DEADLINE + HOUR) == "accepted", "who has no record may come"


def test_a_game_that_finds_nobody_does_not_begin(post: Post) -> None:
    announce(post, {"1": "player-3"}, until=NOON + DAY)
    post.host.night()
    assert waiting(post) is not None
    post.host.night(DEADLINE + DAY)
    assert waiting(post) is None
    assert "does not begin" in words(post.last("3"))
    announce(post)
    sound(post)


def test_names_are_one_for_all(post: Post) -> None:
    announce(post)
    with pytest.raises(Trouble, match="waits for its players already"):
        post.host.start("nim", "hill")
    with pytest.raises(Trouble, match="a game named game already"):
        announce(post, name="game")


def test_what_cannot_be_announced(post: Post) -> None:
    with pytest.raises(Trouble, match="no seat '9'"):
        announce(post, {"9": "player-1"})
    with pytest.raises(Trouble, match="leave --open out"):
        announce(post, {"1": "player-1", "2": "player-2"})
    with pytest.raises(Trouble, match="is past"):
        announce(post, until=NOON - DAY)


def test_the_host_seats_somebody(post: Post) -> None:
    announce(post)
    with post.host.ledger.write() as tx:
        found = gathering.joined(tx, post.host.config, "hill", player_named(tx, "player-3"), NOON, "2")
        assert (found.seat, found.free, found.begun) == ("2", 1, False)
        with pytest.raises(Trouble, match="not free"):
            gathering.joined(tx, post.host.config, "hill", player_named(tx, "player-4"), NOON, "2")
        with pytest.raises(Trouble, match="a seat in hill already"):
            gathering.joined(tx, post.host.config, "hill", player_named(tx, "player-3"), NOON)


def test_who_was_forgotten_meanwhile_has_no_seat(post: Post) -> None:
    announce(post, {"1": "player-3"})
    with post.host.ledger.write() as tx:
        players.forget(tx, player_named(tx, "player-3").commitment, NOON)
    assert post.write("join hill", seat="1") == "accepted"
    assert waiting(post).free == ("1",)
