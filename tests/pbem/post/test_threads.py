"""One game is one thread for each seat, by the rules of the programs that sort; and the headers of robots are right.

The threads are found again by the algorithm that Thunderbird, mutt and most others follow (JWZ): by References, a
parent nobody has seen included. Weakened: without References every letter is a thread of its own.
"""

from __future__ import annotations

import json
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from itertools import pairwise
from typing import Any

import pytest

from pbem import keys
from pbem.ledger import outbox
from tests.pbem.post.conftest import NOON, Sender, by_smtp
from tests.pbem.post.rude import Rude
from tests.pbem.post.test_digest import again


def messages(sender: Sender) -> list[tuple[str, EmailMessage]]:
    """Every mail of the games, with the seat it was for."""
    found = []
    with sender.reading() as tx:
        for mail in sender.mails():
            message: Any = BytesParser(policy=policy.default).parsebytes(outbox.raw(tx, mail.message_id))
            found.append((f"{mail.game}/{mail.seat}", message))
    return found


def threads(mails: list[EmailMessage]) -> list[set[str]]:
    """JWZ, as far as it sorts: what names the same ancestor belongs together, whether the ancestor is there or not."""
    root: dict[str, str] = {}

    def top(name: str) -> str:
        while root.setdefault(name, name) != name:
            name = root[name]
        return name

    for mail in mails:
        chain = [*str(mail["References"] or "").split(), str(mail["Message-ID"])]
        for parent, child in pairwise(chain):
            root[top(child)] = top(parent)
    found: dict[str, set[str]] = {}
    for mail in mails:
        found.setdefault(top(str(mail["Message-ID"])), set()).add(str(mail["Message-ID"]))
    return list(found.values())


def test_a_game_is_one_thread_for_each_seat(sender: Sender) -> None:
    again(sender)
    mails = messages(sender)
    wanted: dict[str, set[str]] = {}
    for seat, mail in mails:
        wanted.setdefault(seat, set()).add(str(mail["Message-ID"]))
    assert sorted(map(sorted, threads([mail for _, mail in mails]))) == sorted(map(sorted, wanted.values()))
    assert max(map(len, wanted.values())) == 2


def test_weakened_without_references_nothing_belongs_together(sender: Sender) -> None:
    again(sender)
    mails = [mail for _, mail in messages(sender)]
    for mail in mails:
        del mail["References"]
    assert len(threads(mails)) == len(mails)


def test_in_reply_to_is_the_last_of_the_references(sender: Sender) -> None:
    for _, mail in messages(sender):
        assert mail["In-Reply-To"] == mail["References"].split()[-1]


def test_robots_are_told_that_this_is_one(sender: Sender) -> None:
    for _, mail in messages(sender):
        assert mail["Auto-Submitted"] == "auto-generated"
        assert mail["X-Auto-Response-Suppress"] == "All"
        assert mail["X-Loop"] == "orders@pbem.test"
        assert "Precedence" not in mail


def test_answers_go_to_an_address_that_says_whose_they_are(sender: Sender) -> None:
    for seat, mail in messages(sender):
        answer = mail["Reply-To"].addresses[0].addr_spec
        local, _, host = answer.rpartition("@")
        tag = keys.untag(local.partition("+")[2])
        assert host == "pbem.test"
        assert tag is not None
        assert f"{tag.game}/{tag.seat}" == seat
        assert mail["List-Unsubscribe"] == f"<mailto:{answer}?subject=unsubscribe>"
        body = mail.get_body(preferencelist=("plain",))
        assert body is not None
        assert keys.untag(local.partition("+")[2]) == tag
        assert f"key: {tag.key[:4]}-{tag.key[4:]}".upper() in body.get_content().upper()


def test_where_mails_are_files_answers_go_to_the_plain_address(sender: Sender) -> None:
    """Nobody knows how such files travel on; the form speaks for its seat by itself."""
    assert sender.config.post.tags is False
    sheet = outbox_sheet(sender)
    assert sheet.host.tags is False
    assert sheet.host.answer_to("K7Q2-9FXM", 1, "1", "heaps") == "orders@pbem.test"


def outbox_sheet(sender: Sender) -> Any:
    from pbem.game.hosting import game_named, sheet_of

    with sender.reading() as tx:
        return sheet_of(tx, sender.config, game_named(tx, "heaps"))


@pytest.mark.parametrize("word", [b"http://", b"https://", b"<script", b"<link", b"@import", b"url("])
def test_nothing_is_fetched_when_a_mail_is_looked_at(sender: Sender, word: bytes) -> None:
    with Rude() as server:
        sender.deliver(NOON, **by_smtp(server.port))
    for one in server.taken:
        message: Any = BytesParser(policy=policy.default).parsebytes(one.raw)
        page = message.get_body(preferencelist=("html",)).get_content().encode()
        assert word not in page.replace(b"http://www.w3.org/2000/svg", b"")
        for image in page.split(b"<img ")[1:]:
            assert b'src="cid:' in image.partition(b">")[0]


def test_the_data_go_with_the_mail(sender: Sender) -> None:
    """The data go with the mail as JSON that can be read without it."""
    for _, mail in messages(sender):
        [data] = [part for part in mail.iter_attachments() if part.get_filename() == "report.json"]
        assert json.loads(data.get_content())["game"] in ("heaps", "safe")
