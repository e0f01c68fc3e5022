"""Fewer letters, or none: what a mail program's unsubscribe comes to, and one mail a night by a word of one's own.

Weakened: with the host's plain address in the header, the mail of a mail program is nobody's and gets no answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.deadlines import reminding
from pbem.ledger import players
from pbem.post import digest
from tests.pbem.correspondence.conftest import Post
from tests.pbem.host.conftest import DEADLINE, NOON


def wishes_digest(post: Post, seat: str) -> bool:
    with post.host.ledger.read() as tx:
        player = players.by_name(tx, f"player-{seat}")
        return player is not None and player.commitment in players.wishing_digests(tx)


@pytest.mark.parametrize("word", ["unsubscribe", "Désabonner", "disiscrizione"])
def test_who_unsubscribes_is_told_what_he_can_do(post: Post, word: str) -> None:
    assert post.write("", subject=word) == "accepted"
    for way in ("Nothing has changed", "digest: all letters", "resign game: gives", "Ask the host to forget you"):
        assert way in post.text()
    assert post.host.row().resigned == []


@pytest.mark.parametrize(
    ("on", "off"), [("digest", "digest off"), ("recueil", "recueil non"), ("raccolta", "raccolta no")]
)
def test_one_mail_a_night_by_a_word(post: Post, on: str, off: str) -> None:
    assert post.write(on) == "accepted"
    assert wishes_digest(post, "1")
    assert not wishes_digest(post, "2")
    assert "come to you as one" in post.text()
    assert post.write(off) == "accepted"
    assert not wishes_digest(post, "1")
    assert "by itself" in post.text()


def test_digests_and_reminders_can_be_unsubscribed_from(make_post: Callable[[], Post]) -> None:
    post = make_post()
    host = post.host
    host.config = replace(host.config, post=replace(host.config.post, tags=True))
    host.start("nim", heaps="3,4,5")
    with host.ledger.write() as tx:
        player = players.by_name(tx, "player-1")
        assert player is not None
        reminding.wish(tx, host.config, players.wish(tx, player, digest=True, at=NOON), 3, NOON)
    post.write("status")
    assert digest.bundle(host.config, host.ledger, NOON)
    assert reminding.remind(host.config, host.ledger, DEADLINE - timedelta(hours=1))
    bundled = {str(mail["X-Pbem-Kind"]): mail for mail in post.sent("1@players.example")}
    for kind in ("digest", "reminder"):
        found = re.fullmatch(r"<mailto:(.*)\?subject=unsubscribe>", str(bundled[kind]["List-Unsubscribe"]))
        assert found
        before = post.count()
        assert post.write("", to=found[1], subject="unsubscribe") == "accepted"
        assert post.count() == before + 1
