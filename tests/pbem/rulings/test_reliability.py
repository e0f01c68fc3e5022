"""Reliability: how a player has kept his appointments in all his tenures, for the host alone."""

from __future__ import annotations

from datetime import timedelta

from pbem.game.hosting import player_named
from pbem.people.reliability import Reliability, of_player
from pbem.people.substituting import substituted
from tests.pbem.correspondence.conftest import Post
from tests.pbem.host.conftest import DAY, DEADLINE


def of(post: Post, name: str) -> Reliability:
    with post.host.ledger.read() as tx:
        return of_player(tx, player_named(tx, name).commitment)


def test_nothing_was_due_yet(post: Post) -> None:
    assert of(post, "player-1").percent is None
    assert str(of(post, "player-1")) == "nothing was due yet"


def test_all_tenures_count_in_all_games(post: Post) -> None:
    post.host.order("1", "a1")
    post.host.start("bagh-chal", "hill")
    post.host.night()
    found = of(post, "player-1")
    assert (found.percent, found.total("on_time"), found.total("silent")) == (50, 1, 1)
    assert [str(tenure) for tenure in found.tenures] == ["game, seat 1: 1 in time", "hill, seat 1: 0 in time, 1 missed"]
    at = DEADLINE + timedelta(hours=1)
    with post.host.ledger.write() as tx:
        substituted(tx, post.host.config, "hill", "1", "player-3", at, "he has moved away")
    assert of(post, "player-1").percent == 50, "a tenure that is over counts on"
    assert [tenure.over for tenure in of(post, "player-1").tenures] == [False, True]
    assert of(post, "player-3").percent is None, "and is nobody else's"


def test_late_is_late_and_away_is_away(post: Post) -> None:
    post.host.order("1", "a1", at=DEADLINE)
    post.host.night(DEADLINE + timedelta(minutes=5))
    assert str(of(post, "player-1")) == "0 % (0 in time, 1 missed, 1 late)"


def test_the_others_never_read_it(post: Post) -> None:
    post.host.night()
    post.host.night(DEADLINE + DAY)
    for seat in "12":
        assert "missed" not in post.text(seat)
        assert "%" not in post.text(seat)


def test_the_host_sees_it_where_he_looks(post: Post) -> None:
    from pbem.cli.status import line
    from pbem.game.overview import glance_at
    from pbem.people.person import about

    post.host.night()
    with post.host.ledger.read() as tx:
        assert about(tx, "player-1").to_json()["reliability"]["percent"] == 0
    post.host.order("2", "b1", at=DEADLINE + timedelta(hours=1))
    post.host.night(DEADLINE + DAY)
    with post.host.ledger.read() as tx:
        said = line(glance_at(tx, post.host.config, "game"), DEADLINE + DAY, "UTC")
    assert "1 (player-1, missed 1 of 1)" in said
