"""What [limits] says holds at a host: for what a mail may hold, how many count, and how many are answered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.arriving import drop
from pbem.arriving.fetching import gather
from pbem.errors import Trouble
from pbem.game.taking import take_file
from pbem.intake.limits import USUAL
from pbem.intake.settings import KEYS
from pbem.ledger import letters
from tests.pbem.arriving.rude_imap import PASSWORD, Box, served
from tests.pbem.correspondence.conftest import NOON, Post


def test_mails_are_read_in_the_least_memory_that_may_be_set(post: Post) -> None:
    least = {key.field: key.least * key.unit for key in KEYS.values() if key.field in ("memory_bytes", "files")}
    post.host.config = replace(post.host.config, limits=replace(USUAL, cpu_seconds=1, wall_seconds=1, **least))
    assert post.write(post.host.file("1", "b3")) == "accepted"
    assert post.write(post.host.file("1", "a1") + "x" * 200_000) == "accepted"


def test_what_is_set_holds_at_a_host(post: Post) -> None:
    limits = replace(USUAL, submissions=2, receipts=3, press=60, text=60, mail_bytes=20 << 10, order_bytes=10 << 10)
    post.host.config = replace(post.host.config, limits=limits)
    assert post.write(f"say 2: {'x' * 61}") == "refused"
    assert "Press has 60 characters at most" in post.text("1")
    assert post.write(f"dispute: {'x' * 61}") == "refused"
    assert "An appeal has 60 characters at most" in post.text("1")
    assert post.write(post.host.file("1", "b3") + "x" * (20 << 10)) == "refused"
    assert "at most 20480 are read" in post.text("1")
    assert post.write(post.host.file("1", "b3")) == "accepted"
    before = post.count("1")
    assert post.write(post.host.file("1", "b3")) == "refused", "two count in a turn"
    assert post.count("1") == before + 1
    assert "This is the last of 3 receipts" in post.text("1")
    assert post.write("status", seat="1") == "refused"
    assert post.count("1") == before + 1


def test_how_large_a_message_may_be_is_set_for_all_that_is_collected_or_submitted(post: Post, tmp_path: Path) -> None:
    most = 300 << 10
    mail = replace(post.host.config.mail, maildir=tmp_path / "Maildir")
    post.host.config = config = replace(post.host.config, limits=replace(USUAL, message_bytes=most), mail=mail)
    for name in ("cur", "new", "tmp"):
        (tmp_path / "Maildir" / name).mkdir(parents=True)
    fits, large = (post.mail("#").ljust(most + more, b"x") for more in (0, 1))
    for name, raw in (("fits", fits), ("large", large)):
        (tmp_path / "Maildir" / "new" / name).write_bytes(raw)
        (config.inbox / f"{name}.yml").write_bytes(b"end: orders\n".ljust(len(raw), b"#"))
    routes = gather(config, post.host.ledger, NOON)
    assert [(route.new, route.left) for route in routes] == [(1, ("large.yml",)), (2, ())]
    assert drop.strange(config) == ["large.yml"]
    with post.host.ledger.read() as tx:
        raws = {letters.get(tx, message.sha256) for message in letters.waiting(tx)}
    assert {fits, b"X-Cut-Short: %d\r\n" % (most + 1) + large[:most]} <= raws
    with pytest.raises(Trouble, match=f"a message may have {most}"):
        take_file(config, post.host.ledger, large, "orders.yml", NOON)


def test_and_for_a_mailbox_on_a_server(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)
    most = 300 << 10
    large = post.mail("#").ljust(most + 1, b"x")
    with served(Box({1: large})) as server:
        mail = replace(post.host.config.mail, imap=server.imap)
        config = replace(post.host.config, limits=replace(USUAL, message_bytes=most), mail=mail)
        assert [route.new for route in gather(config, post.host.ledger, NOON)] == [0, 1]
    with post.host.ledger.read() as tx:
        [message] = letters.waiting(tx)
        assert letters.get(tx, message.sha256) == b"X-Cut-Short: %d\r\n" % (most + 1) + large[:most]
